"""A claim of a paper as something that can be run: what is measured, held against a stated criterion.

Verdicts are computed: a claim holds where all its checks do, in part where some do. A check's criterion stands in the
code beside its measurement, so a verdict can be argued with.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf, isnan
from pathlib import Path
from types import ModuleType
from typing import TypeVar

import numpy as np
import pandas as pd

from ldpcore.papers.sources import Absent
from ldpcore.rng import stream

T = TypeVar("T")
HOLDS, IN_PART, BROKEN = "holds", "holds in part", "does not hold"
ABSENT = "not testable: data absent"
VERDICTS = (HOLDS, IN_PART, BROKEN, ABSENT)


@dataclass(frozen=True)
class Paper:
    """One of the five: `key` names it in the terminal."""

    key: str
    title: str
    source: str


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
class Number:
    """Something measured: what it is, its value, and its 99 % interval (the value itself where it is exact).

    spans: low and high are no interval but the smallest and the largest over a grid.
    """

    what: str
    value: float
    low: float
    high: float
    spans: bool = False

    @classmethod
    def of(cls, what: str, value: float, low: float | None = None, high: float | None = None) -> "Number":
        """An exact number, unless it comes with an interval."""
        return cls(what, float(value), float(value if low is None else low), float(value if high is None else high))

    @property
    def shown(self) -> str:
        """The value, with its interval where it has one."""
        if self.low == self.value == self.high or isnan(self.value):
            return shown(self.value)
        low, high = shown(self.low), shown(self.high)
        return f"{shown(self.value)} ({low} to {high})" if self.spans else f"{shown(self.value)} [{low}, {high}]"


@dataclass(frozen=True)
class Check:
    """A number that should lie between `least` and `most`."""

    number: Number
    least: float = -inf
    most: float = inf

    @property
    def holds(self) -> bool:
        """By the value. NaN (not defined) does not hold."""
        return self.least <= self.number.value <= self.most

    @property
    def decided(self) -> bool:
        """Whether the whole interval is on the value's side of the criterion."""
        if self.number.spans or self.number.low == self.number.high:
            return True
        if self.holds:
            return self.least <= self.number.low and self.number.high <= self.most
        return isnan(self.number.value) or self.number.high < self.least or self.number.low > self.most

    @property
    def criterion(self) -> str:
        if self.least == -inf:
            return f"at most {shown(self.most)}"
        return f"at least {shown(self.least)}" if self.most == inf else f"{shown(self.least)} to {shown(self.most)}"


@dataclass(frozen=True)
class Finding:
    """What was measured for a claim: the checks (the first is the headline), why, on which data, and the repair.

    No checks: the data are absent.
    """

    checks: tuple[Check, ...]
    why: str
    data: str = "none needed, exact formulas"
    repair: Number | None = None

    @property
    def verdict(self) -> str:
        """By the checks that are decided; by all where none is."""
        if not self.checks:
            return ABSENT
        decided = [check for check in self.checks if check.decided] or self.checks
        held = sum(check.holds for check in decided)
        return HOLDS if held == len(decided) else IN_PART if held else BROKEN

    @property
    def counted(self) -> str:
        """How many checks hold, fail, and are open."""
        decided = [check for check in self.checks if check.decided]
        held, still = sum(check.holds for check in decided), len(self.checks) - len(decided)
        return f"{held} of {len(decided)} checks hold" + (f", {still} undecided" if still else "")


@dataclass(frozen=True)
class Claim:
    """One claim: its number and words, the setting in which it is measured, what the paper reports, and the measuring.

    exact: closed forms only, at once. Calling it measures it.
    """

    number: str
    says: str
    setting: str
    paper: str
    measure: Callable[[Ask], Finding] = field(repr=False)
    exact: bool = False

    def __call__(self, ask: Ask) -> Finding:
        """Measured; a finding without checks where the data are absent."""
        try:
            return self.measure(ask)
        except Absent as absent:
            return Finding((), str(absent), absent.data)


@dataclass(frozen=True)
class Figure:
    """A paper's figure, drawn anew: `make` gives rows of x, line, value, low, high."""

    number: str
    title: str
    setting: str
    x: str
    y: str
    make: Callable[[Ask], pd.DataFrame] = field(repr=False)
    exact: bool = False
    log_x: bool = False
    log_y: bool = True

    def __call__(self, ask: Ask) -> pd.DataFrame:
        return self.make(ask)[["x", "line", "value", "low", "high"]]


def claim(number: str, says: str, setting: str, paper: str, exact: bool = False) -> Callable[..., Claim]:
    """The decorator that makes a claim of a function of Ask."""
    return lambda measure: Claim(number, says, setting, paper, measure, exact)


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


def shown(value: float) -> str:
    """Three significant digits, as people write numbers."""
    if isnan(value) or abs(value) == inf:
        return "–" if isnan(value) else "∞" if value > 0 else "-∞"
    if value == 0 or 1e-3 <= abs(value) < 1e6:
        digits = 0 if value == 0 or abs(value) >= 100 else 2 - int(np.floor(np.log10(abs(value))))
        text = f"{value:.{digits}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa}·10^{int(exponent)}"


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
