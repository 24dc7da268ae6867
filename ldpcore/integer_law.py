"""Laws in whole numbers: what a phone needs to draw a mechanism's reports exactly, without a single float.

e^ε is replaced by e_epsilon/2³², rounded down, so every probability is a fraction of whole numbers below 2⁵³, which
JavaScript holds exactly, and the ratio of any two is at most e^ε. A draw takes 32-bit words and nothing else: from the
same words JavaScript (client/randomise.js) and this page draw the same report. A report is one whole number, bit v for
value v. Two families carry eight mechanisms; a mechanism says which in its `integer_law`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ldpcore import former

Word = Callable[[], int]
"""32 random bits, as a whole number."""
UNIT = 1 << 32
LARGEST = 1 << 53
"""Beyond this JavaScript's numbers skip whole ones."""
MOST_VALUES = 20
"""More would be longer reports than a bit mask of 32 bits holds with room to spare."""


class NoIntegerLaw(ValueError):
    """There is no law in whole numbers for this; the message says why and what to take instead."""


def below(n: int, word: Word) -> int:
    """A uniform whole number in [0, n), 1 ≤ n ≤ 2⁵³: a word, or 21 bits and a word, thrown away beyond the last
    multiple of n.

    >>> below(10, iter([4_294_967_295, 27]).__next__)  # the first word is beyond the last multiple
    7
    """
    wide = n > UNIT
    size = LARGEST if wide else UNIT
    top = size - size % n
    while True:
        drawn = (word() >> 11) * UNIT + word() if wide else word()
        if drawn < top:
            return drawn % n


@dataclass(frozen=True)
class IntegerLaw(ABC):
    """How a value 0 … k − 1 becomes a report, in whole numbers. Subclasses say by which draws."""

    k: int

    family: ClassVar[str]

    def __post_init__(self) -> None:
        if not 2 <= self.k <= MOST_VALUES:
            raise NoIntegerLaw(f"a client has between 2 and {MOST_VALUES} answers, got {self.k}; join some of them")
        if max(self._numbers()) >= LARGEST:
            raise NoIntegerLaw("ε is too large for whole numbers that JavaScript holds; choose a smaller one")

    @abstractmethod
    def _numbers(self) -> Sequence[int]:
        """The largest whole numbers that are drawn below."""

    @abstractmethod
    def draw(self, value: int, word: Word) -> int:
        """A report of the holder of a value."""

    @abstractmethod
    def possible(self, report: int) -> bool:
        """Whether anybody can have sent this pattern of k bits."""

    @abstractmethod
    def chances(self, report: int) -> list[Fraction]:
        """Pr[report | value] for every value: exact."""

    @abstractmethod
    def supports(self) -> list[list[Fraction]]:
        """Pr[bit v is set | value x] as [x][v]."""

    @abstractmethod
    def naming(self, value: int) -> int:
        """A report that names this value, and no other that it need not."""

    @abstractmethod
    def reports(self) -> list[int]:
        """All that can be sent."""

    def accepts(self, report: object) -> bool:
        """Whether anybody can have sent this, whatever it is.

        >>> GRR = Subsets(k=3, marked=(0, 1, 2), w=1, truth=7_379_834_226, any=12_884_901_888)  # ε = 1
        >>> [GRR.accepts(report) for report in (1, 4, 3, 8, -1, 1.0, "1", True)]
        [True, True, False, False, False, False, False, False]
        """
        return type(report) is int and 0 <= report < 1 << self.k and self.possible(report)

    def written(self) -> dict[str, Any]:
        """As client.json and the JavaScript have it."""
        return {"family": self.family, **asdict(self)}


@dataclass(frozen=True)
class Subsets(IntegerLaw):
    """With weight `truth` the truth, with weight `any` a uniform w-subset of `marked`.

    Of the truth a marked value sends a uniform w-subset of `marked` that holds it, any other value itself, alone. GRR
    and SS mark every value.
    """

    marked: tuple[int, ...]
    w: int
    truth: int
    any: int

    family = "subset"

    @classmethod
    def of(cls, k: int, marked: ArrayLike, w: int, e_epsilon: int) -> "Subsets":
        """κ = (E − 1)w/(wE + σ − w) with E = e_epsilon/2³²."""
        members = tuple(int(v) for v in np.asarray(marked))
        return cls(k, members, w, w * (e_epsilon - UNIT), len(members) * UNIT)

    def _numbers(self) -> Sequence[int]:
        return [self.truth + self.any]

    def draw(self, value: int, word: Word) -> int:
        pool, left, report = list(self.marked), self.w, 0
        if below(self.truth + self.any, word) < self.truth:
            report = 1 << value
            if value not in pool:
                return report
            pool.remove(value)
            left -= 1
        for taken in range(left):
            other = taken + below(len(pool) - taken, word)
            pool[taken], pool[other] = pool[other], pool[taken]
            report |= 1 << pool[taken]
        return report

    @property
    def _mask(self) -> int:
        return sum(1 << v for v in self.marked)

    def possible(self, report: int) -> bool:
        outside, size = report & ~self._mask, report.bit_count()
        return size == 1 if outside else size == self.w

    def chances(self, report: int) -> list[Fraction]:
        if not self.possible(report):
            return [Fraction(0)] * self.k
        total, sigma = self.truth + self.any, len(self.marked)
        if report & ~self._mask:
            return [Fraction(self.truth if report == 1 << x else 0, total) for x in range(self.k)]
        lie = Fraction(self.any, total) / comb(sigma, self.w)
        true = Fraction(self.truth, total) / comb(sigma - 1, self.w - 1)
        return [lie + true * (report >> x & 1) for x in range(self.k)]

    def supports(self) -> list[list[Fraction]]:
        total, sigma = self.truth + self.any, len(self.marked)
        lie = Fraction(self.any * self.w, total * sigma) if sigma else Fraction(0)
        true = Fraction(self.truth, total)
        beside = true * Fraction(self.w - 1, sigma - 1) if sigma > 1 else Fraction(0)
        inside = [v in self.marked for v in range(self.k)]

        def chance(x: int, v: int) -> Fraction:
            if not inside[v]:
                return true if x == v else Fraction(0)
            return lie + (true if x == v else beside if inside[x] else 0)

        return [[chance(x, v) for v in range(self.k)] for x in range(self.k)]

    def naming(self, value: int) -> int:
        others = [v for v in self.marked if v != value][: self.w - 1] if value in self.marked else []
        return sum(1 << v for v in (value, *others))

    def reports(self) -> list[int]:
        hidden = [sum(1 << v for v in members) for members in combinations(self.marked, self.w)]
        return hidden + [1 << v for v in range(self.k) if v not in self.marked]


Share = tuple[int, int]
"""(n, d): n of d."""


@dataclass(frozen=True)
class Bits(IntegerLaw):
    """A bit for every value, each drawn by itself: set with `own[v]` = (n, d), n of d, if v is held, else with
    `other[v]`.
    """

    own: tuple[Share, ...]
    other: tuple[Share, ...]

    family = "unary"

    def _numbers(self) -> Sequence[int]:
        return [d for _, d in (*self.own, *self.other)]

    def draw(self, value: int, word: Word) -> int:
        report = 0
        for v in range(self.k):
            n, d = self.own[v] if v == value else self.other[v]
            if n and below(d, word) < n:
                report |= 1 << v
        return report

    def possible(self, report: int) -> bool:
        own_alone = sum(1 << v for v, (n, _) in enumerate(self.other) if n == 0)
        return (report & own_alone).bit_count() <= 1

    def chances(self, report: int) -> list[Fraction]:
        out = []
        for x in range(self.k):
            chance = Fraction(1)
            for v in range(self.k):
                on = Fraction(*(self.own[v] if v == x else self.other[v]))
                chance *= on if report >> v & 1 else 1 - on
            out.append(chance)
        return out

    def supports(self) -> list[list[Fraction]]:
        return [[Fraction(*(self.own[v] if x == v else self.other[v])) for v in range(self.k)] for x in range(self.k)]

    def naming(self, value: int) -> int:
        return 1 << value

    def reports(self) -> list[int]:
        return [report for report in range(1 << self.k) if self.possible(report)]


former.serve(__name__)


def ratio(law: IntegerLaw) -> Fraction:
    """The largest ratio of one report's chances under two values, over the reports that every value can send: exact.

    >>> from ldpcore.client import Client
    >>> ratio(Client.of("GRR", 1.0, ["no", "yes"]).law) <= Fraction(2718281828459045236, 10**18)  # e, rounded up
    True
    """
    chances = [law.chances(report) for report in law.reports()]
    return max(max(each) / min(each) for each in chances if min(each) > 0)
