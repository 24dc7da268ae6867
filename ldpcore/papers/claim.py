"""A claim of a paper as something that can be run: its words, and what is measured for each of its statements.

Verdicts are computed by the rule of check.py, from the checks that the paper's words make. A check's criterion stands
in the code beside its measurement, so a verdict can be argued with.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import TypeVar

import numpy as np
import pandas as pd

from ldpcore.papers.check import (
    BROKEN,
    CHANCE,
    HOLDS,
    IN_PART,
    SAYS,
    Check,
    ClaimReading,
    Number,
    Statement,
    decision,
    favouring,
    verdict,
)
from ldpcore.papers.sources import Absent
from ldpcore.rng import stream

T = TypeVar("T")


@dataclass(frozen=True)
class Paper:
    """One of the five: `key` names it in the terminal."""

    key: str
    title: str
    source: str

    @property
    def cited(self) -> str:
        """First author and year.

        >>> Paper("mine", "On this", "Li, Wu, A Journal, 2025, doi 10.1/2026.07").cited
        'Li 2025'
        """
        year = re.search(r"\b(19|20)\d\d\b", self.source)
        return f"{self.source.partition(',')[0]} {year[0] if year else ''}".strip()


@dataclass(frozen=True)
class Ask:
    """How to measure: quick, or `full` with the papers' repetitions; `folder`: where real data may lie."""

    full: bool = False
    folder: Path | None = None
    seed: int = 7
    name: str = ""

    def rng(self, *key: str | int | float) -> np.random.Generator:
        """The random stream of one cell of this claim."""
        return stream(self.seed, "papers", self.name, *key)

    def of(self, name: str) -> "Ask":
        """The same for something else, with random streams of its own."""
        return replace(self, name=name)

    def repeats(self, quick: int, full: int) -> int:
        return full if self.full else quick


@dataclass(frozen=True)
class PaperStatement:
    """One statement of a paper: in English, where it stands, its own words; `reading`: how vague words are read."""

    says: str
    where: str
    original: str
    reading: str = ""


@dataclass(frozen=True)
class Finding:
    """What was measured for a claim: the checks of each of its statements, why, on which data, caveats and the repair.

    statements: in the order of the claim's words; none where it cannot be tested, and `why` says why not.
    caveats: what the paper's words do not say and a reader should know; no verdict depends on them.
    read, others: where the words can be read in several ways, the way that decides, and those that favour the paper
    less or as much. ValueError if a statement has no check, or if the intervals together miss more often than CHANCE.
    """

    statements: tuple[Statement, ...]
    why: str
    data: str = "none needed, exact formulas"
    caveats: tuple[Number, ...] = ()
    repair: Number | None = None
    read: str = ""
    others: tuple[ClaimReading, ...] = ()

    def __post_init__(self) -> None:
        if not all(self.statements):
            raise ValueError("every statement of a claim needs a check; leave all out where it cannot be tested")
        every = (self.statements, *(other.statements for other in self.others))
        numbers = [check.number for statements in every for checks in statements for check in checks]
        # A number that several readings look at has one interval.
        together = sum(number.chance for number in (dict.fromkeys(numbers) if self.others else numbers))
        if together > CHANCE * (1 + 1e-9):
            raise ValueError(
                f"the intervals of a claim may miss in {CHANCE:g} of all cases together, these do in {together:g}; "
                "share the chance among its checks"
            )

    @classmethod
    def of(
        cls,
        readings: Sequence[ClaimReading],
        why: str,
        data: str = "none needed, exact formulas",
        caveats: tuple[Number, ...] = (),
        repair: Number | None = None,
    ) -> "Finding":
        """What was found where the words can be read in several ways: the reading that favours the paper decides."""
        best, *rest = favouring(*readings)
        return cls(best.statements, why, data, caveats, repair, best.says, tuple(rest))

    @property
    def checks(self) -> tuple[Check, ...]:
        return tuple(check for statement in self.statements for check in statement)

    @property
    def decisions(self) -> tuple[bool | None, ...]:
        """Of each statement."""
        return tuple(map(decision, self.statements))

    @property
    def verdict(self) -> str:
        return verdict(self.statements)

    @property
    def readings(self) -> tuple[tuple[str, str], ...]:
        """Every way to read the words that was tried, and the verdict that it gives; the one that decides first."""
        return ((self.read, self.verdict), *((other.says, other.verdict) for other in self.others)) if self.read else ()

    @property
    def as_read(self) -> bool:
        """Whether it holds by one way to read its words, and by another does not, or not all of it."""
        return self.verdict == HOLDS and any(came in (IN_PART, BROKEN) for _, came in self.readings)

    @property
    def of_sensitive_items(self) -> Number | None:
        """The caveat that says how well whoever holds a sensitive item is guessed by the mechanism that decides."""
        name = "" if self.deciding is None else self.deciding.number.what.partition(":")[0]
        asked = f"{name}: does a person hold any sensitive item?"
        return next((each for each in self.caveats if each.what.startswith(asked)), None)

    @property
    def deciding(self) -> Check | None:
        """The check to show first: one that fails, else one that is undecided, else the first."""
        ranked = sorted(self.checks, key=lambda check: (check.decision is not False, check.decision is not None))
        return ranked[0] if ranked else None

    @property
    def counted(self) -> str:
        """How many checks hold, fail, and are undecided."""
        decisions = [check.decision for check in self.checks]
        parts = [
            (decisions.count(True), "hold"),
            (decisions.count(False), "fail"),
            (decisions.count(None), "undecided"),
        ]
        if len(decisions) == 1:
            return f"1 check: {SAYS[decisions[0]]}"
        return f"{len(decisions)} checks: " + ", ".join(f"{number} {name}" for number, name in parts if number)


@dataclass(frozen=True)
class Claim:
    """One claim: its number, what it says in short, the paper's words, the setting, and the measuring.

    exact: closed forms only, at once. Calling it measures it.
    """

    number: str
    says: str
    words: tuple[PaperStatement, ...]
    setting: str
    measure: Callable[[Ask], Finding] = field(repr=False)
    exact: bool = False

    def __call__(self, ask: Ask) -> Finding:
        """Measured; a finding without checks where the data are absent. ValueError if words and checks do not match."""
        try:
            finding = self.measure(ask)
        except Absent as absent:
            return Finding((), str(absent), absent.data)
        if finding.statements and len(finding.statements) != len(self.words):
            raise ValueError(
                f"claim {self.number} quotes {len(self.words)} statements and checks {len(finding.statements)}; each "
                "statement needs its own checks"
            )
        return finding


@dataclass(frozen=True)
class Figure:
    """A paper's figure, drawn anew (`papers.draw`) as the runs of its Studies have it.

    make: rows of x, line, value, low, high by formulas, and of lines that no run has; none where a run has all.
    """

    number: str
    title: str
    setting: str
    x: str
    y: str
    make: Callable[[Ask], pd.DataFrame] | None = field(default=None, repr=False)
    exact: bool = False
    log_x: bool = False
    log_y: bool = True

    def __call__(self, ask: Ask) -> pd.DataFrame:
        return rows("", (), ()) if self.make is None else self.make(ask)


def claim(number: str, says: str, *words: PaperStatement, setting: str, exact: bool = False) -> Callable[..., Claim]:
    """The decorator that makes a claim of a function of Ask."""
    return lambda measure: Claim(number, says, words, setting, measure, exact)


def figure(number: str, title: str, setting: str, x: str, y: str, **drawn: bool) -> Callable[..., Figure]:
    """The decorator that makes a figure of a function of Ask."""
    return lambda make: Figure(number, title, setting, x, y, make, **drawn)


def claims_of(*modules: ModuleType) -> tuple[Claim, ...]:
    """A paper's claims by their numbers."""
    return tuple(sorted(_of(Claim, modules), key=_place))


def figures_of(*modules: ModuleType) -> tuple[Figure, ...]:
    """A paper's figures by their numbers, what else there is behind them."""
    return tuple(sorted(_of(Figure, modules), key=lambda own: (not own.number.startswith("Fig"), *_place(own))))


def _of(kind: type[T], modules: tuple[ModuleType, ...]) -> list[T]:
    return [value for module in modules for value in vars(module).values() if isinstance(value, kind)]


def _place(own: Claim | Figure) -> tuple[int, str]:
    """ "2b" behind "2"."""
    digits = "".join(filter(str.isdigit, own.number))
    return int(digits or 0), own.number


def rows(line: str, x: object, value: object, low: object = None, high: object = None) -> pd.DataFrame:
    """One line of a figure; without an interval the value is exact."""
    y = np.asarray(value, float)
    return pd.DataFrame(
        {
            "x": np.asarray(x, float),
            "line": line,
            "value": y,
            "low": y if low is None else np.asarray(low, float),
            "high": y if high is None else np.asarray(high, float),
        }
    )
