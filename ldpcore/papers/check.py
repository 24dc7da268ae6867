"""What decides a claim: numbers with their intervals, checks of the paper's own words, and the verdict they give.

The rule, and there is no other:

- A claim is the words of the paper, one statement or several. A *statement* is what would still be a claim if it stood
  alone (a theorem; a sentence with a subject or a number of its own). All mechanisms, budgets and data that it speaks
  of belong to it: one counterexample refutes it.
- A check is *true* or *false* once its whole interval lies on one side of its criterion, else it is *undecided*. A
  statement holds if all its checks are true, is refuted if one is false, and is undecided otherwise.
- A claim *holds* if all its statements do. It *does not hold* if one is refuted and none holds. It *holds in part* only
  if it makes several statements, of which one holds and another is refuted. Otherwise it is *undecided*: more
  repetitions may decide it. *Not testable*: its words cannot be checked (data absent, a definition lost).
- A vague word has one reading, the same in every claim (words.py). Where a claim's words can be read in several ways,
  each way that may favour the paper is tried, and the verdict is that of the one that favours it most (`favouring`).
- What the paper does not say cannot lower or raise a verdict: comparisons of our own are caveats, shown beside it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isnan

import numpy as np

HOLDS, IN_PART, BROKEN = "holds", "holds in part", "does not hold"
UNDECIDED, UNTESTABLE = "undecided", "not testable"
VERDICTS = (HOLDS, IN_PART, BROKEN, UNDECIDED, UNTESTABLE)
SAYS: dict[bool | None, str] = {True: "holds", False: "fails", None: "undecided"}
"""A decision in words."""
CHANCE = 0.01
"""Of all intervals of a claim together: the chance that one of them misses, so that a verdict would be wrong."""


@dataclass(frozen=True)
class Number:
    """Something measured: what it is, its value, and its interval (the value itself where it is exact).

    chance: the probability that the interval misses the truth, 0 where the number is exact.
    spans: low and high are no interval but the smallest and the largest of exact values over a grid.
    """

    what: str
    value: float
    low: float
    high: float
    spans: bool = False
    chance: float = 0.0

    def __post_init__(self) -> None:
        if not self.spans and self.low < self.high and not 0 < self.chance < 1:
            raise ValueError(
                f"the interval of {self.what!r} needs its chance to miss, between 0 and 1, got {self.chance:g}"
            )

    @classmethod
    def of(cls, what: str, value: float) -> "Number":
        """An exact number."""
        return cls(what, float(value), float(value), float(value))

    @property
    def shown(self) -> str:
        """The value, with its interval where it has one."""
        if self.low == self.value == self.high or isnan(self.value):
            return shown(self.value)
        low, high = shown(self.low), shown(self.high)
        return f"{shown(self.value)} ({low} to {high})" if self.spans else f"{shown(self.value)} [{low}, {high}]"


@dataclass(frozen=True)
class Check:
    """A number that should lie between `least` and `most`; of a grid, each of its values. strict: without the ends."""

    number: Number
    least: float = -inf
    most: float = inf
    strict: bool = False

    @property
    def decision(self) -> bool | None:
        """True or false where the whole interval is on one side; None: undecided, or not a number."""
        low, high = self.number.low, self.number.high
        if isnan(self.number.value):
            return None
        if self._holds(low) and self._holds(high):
            return True
        at_end = self.strict and (high == self.least > -inf or low == self.most < inf)
        outside = high < self.least or low > self.most or at_end
        return False if outside or self.number.spans else None

    def _holds(self, value: float) -> bool:
        if not self.strict:
            return self.least <= value <= self.most
        return (value > self.least or self.least == -inf) and (value < self.most or self.most == inf)

    @property
    def criterion(self) -> str:
        """The criterion in words."""
        least, most = shown(self.least), shown(self.most)
        if self.most == inf:
            return f"more than {least}" if self.strict else f"at least {least}"
        if self.least == -inf:
            return f"less than {most}" if self.strict else f"at most {most}"
        return least if least == most else f"{least} to {most}"


Statement = tuple[Check, ...]
"""The checks that one statement of the paper makes."""


def decision(checks: Statement) -> bool | None:
    """Whether a statement holds: all its checks true; False once one is false; None: undecided."""
    decisions = [check.decision for check in checks]
    return False if False in decisions else None if None in decisions else True


def verdict(statements: Sequence[Statement]) -> str:
    """The verdict on a claim, from the checks of its statements alone; none: not testable."""
    decisions = [decision(checks) for checks in statements]
    if not decisions:
        return UNTESTABLE
    if False in decisions:
        return IN_PART if True in decisions else BROKEN
    return UNDECIDED if None in decisions else HOLDS


FAVOUR = (HOLDS, UNDECIDED, IN_PART, BROKEN, UNTESTABLE)
"""Verdicts, the one that favours a paper most first: undecided refutes nothing."""


@dataclass(frozen=True)
class ClaimReading:
    """One way to read a claim's words: what they are taken to mean, and the checks that each statement then makes."""

    says: str
    statements: tuple[Statement, ...]

    @property
    def verdict(self) -> str:
        return verdict(self.statements)


def favouring(*readings: ClaimReading) -> tuple[ClaimReading, ...]:
    """The readings, the one that favours the paper most first; of equal ones the one given first."""
    return tuple(sorted(readings, key=lambda each: FAVOUR.index(each.verdict)))


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
