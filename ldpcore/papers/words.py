"""The vague words of the papers, each with one reading: the one that favours the paper, the same in every claim.

A statement that contains such a word says so (`PaperStatement.reading`) and is checked by a criterion of that word; a
test walks all claims.
"""

from dataclasses import dataclass
from math import inf

from ldpcore.papers.check import Check

Criterion = tuple[float, float, bool]
"""least, most, strict: as a Check has them."""


@dataclass(frozen=True)
class Word:
    """What it is in the papers' texts, in traditional and in short signs; what it means; how it is checked."""

    originals: tuple[str, ...]
    means: str
    asked: tuple[Criterion, ...]

    def checks(self, check: Check) -> bool:
        """Whether a check has one of its criteria."""
        return (check.least, check.most, check.strict) in self.asked


UNBIASED, CLOSE, ORDER, ORDERS = 0.2, (0.5, 2.0), (5.0, 20.0), (25.0, 400.0)
"""A bias in standard errors of one survey (0.2 adds 4 % to the squared error); two errors, as a ratio; an order of
magnitude, 10 times to within a factor of 2; two of them."""
SLIGHTLY, SMALL, THIRD, IGNORED, EQUAL = 2.0, 0.05, (20.0, 40.0), 0.01, 1e-9
"""Times; a difference in AC; points of success; relative differences, of which the last is that of rounding."""
LINEAR, SQUARE = (0.9, 1.1), (1.9, 2.1)
"""Exponents."""

VAGUE = frozenset((*ORDER, SLIGHTLY))
"""Ends of criteria that papers do not name: they are of our reading."""


def vague(check: Check) -> bool:
    """Whether a check has a bound that the paper's words do not name."""
    return bool({check.least, check.most} & VAGUE)


CLEAR = Word(
    ("明顯", "明显", "显著", "大大"),
    "clearly, greatly: at every point, by more than chance; how many times is said beside it",
    ((1.0, inf, True), (-inf, 1.0, True), (0.0, inf, True)),
)
WITHOUT_BIAS = Word(
    ("無偏", "无偏"),
    f"unbiased: a bias of at most {UNBIASED:g} standard errors of one survey",
    ((-inf, UNBIASED, False), (-inf, EQUAL, False)),
)
NEAR = Word(
    ("接近", "相近", "几乎", "不變"),
    "close, almost the same, unchanged: half to twice, at every point",
    ((*CLOSE, False),),
)
ONE_ORDER = Word(("1 个数量级",), f"about an order: {ORDER[0]:g} to {ORDER[1]:g} times", ((*ORDER, False),))
TWO_ORDERS = Word(("2 个数量级",), f"about two orders: {ORDERS[0]:g} to {ORDERS[1]:g} times", ((*ORDERS, False),))
SLIGHT = Word(
    ("略高", "略優"),
    f"slightly: more, and less than {SLIGHTLY:g} times",
    ((-inf, SLIGHTLY, True),),
)
NOT_FAR = Word(("不大",), f"not far: at most {SMALL:g} apart, of a score between 0 and 1", ((-SMALL, SMALL, False),))
ABOUT_30 = Word(("约 30%",), f"about 30 %: {THIRD[0]:g} to {THIRD[1]:g} points", ((*THIRD, False),))
NEGLIGIBLE = Word(("忽略",), "ignored: at most 1 %", ((-inf, IGNORED, False),))
PRACTICALLY = Word(("基本相等",), "practically equal: equal but for rounding", ((-inf, EQUAL, False),))
IN_PROPORTION = Word(("正相關",), "in proportion: the exponent to within 0.1", ((*LINEAR, False), (*SQUARE, False)))
LIKELY = Word(("大概率",), "probably: in more than half of the cases", ((0.5, inf, True),))
WORDS = (
    CLEAR, WITHOUT_BIAS, NEAR, ONE_ORDER, TWO_ORDERS, SLIGHT, NOT_FAR, ABOUT_30, NEGLIGIBLE, PRACTICALLY,
    IN_PROPORTION, LIKELY,
)  # fmt: skip
"""All of them."""
