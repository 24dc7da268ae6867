"""Which ranges a study asks for: those of one's own among the column's cells, and some drawn at random from all."""

from dataclasses import dataclass
from functools import lru_cache
from math import isqrt
from typing import ClassVar, cast

from ldpcore import checks
from ldpcore.data import Histogram
from ldpcore.rng import stream
from ldpcore.study.definition import Study
from ldpcore.study.options import TaskOptions
from ldpcore.study.ranges import own

Range = tuple[int, int]
"""l and r: 1-based, inclusive."""

MOST = 10_000


@dataclass(frozen=True, kw_only=True)
class RangeOptions(TaskOptions):
    """ranges: how many ranges are drawn at random from all N(N+1)/2, at each N. asked: ranges "l:r" of one's own,
    beside them, among the study's own cells; none: one that sees no data.
    """

    PORTABLE: ClassVar = ("ranges",)
    ranges: int = 50
    asked: tuple[str, ...] = ()

    def check(self) -> None:
        self._set("ranges", checks.integer(self.ranges, "the option ranges (how many are drawn)", 0, MOST))
        if len(self.asked) > MOST:
            raise ValueError(f"the option asked holds at most {MOST} ranges, got {len(self.asked)}")
        self.own()
        self._set("asked", tuple(map(str, self.asked)))

    def own(self) -> tuple[Range, ...]:
        """The ranges of one's own."""
        return tuple(dict.fromkeys(map(read, self.asked)))


def options(study: Study) -> RangeOptions:
    """What a study of ranges is told."""
    return cast(RangeOptions, study.options)


def read(text: object) -> Range:
    """A range as a study has it, "3:7"; ValueError for another text."""
    parts = str(text).split(":")
    if len(parts) != 2 or not all(part.strip().isdecimal() for part in parts):
        raise ValueError(f"a range is written l:r with two whole numbers, such as 3:7; got {text!r}")
    return int(parts[0]), int(parts[1])


def written(pair: Range) -> str:
    """A range as a study has it.

    >>> written((3, 7)), read("3:7")
    ('3:7', (3, 7))
    """
    return f"{pair[0]}:{pair[1]}"


def asked(study: Study, data: Histogram) -> tuple[Range, ...]:
    """The ranges of one's own; one that does not look at the data where nobody names one."""
    return options(study).own() or (own.usual(data.domain.k),)


@lru_cache(maxsize=256)
def drawn(seed: int, size: int, count: int) -> tuple[Range, ...]:
    """So many different ranges, evenly from all N(N+1)/2; all of them where there are no more.

    The same for every strategy; asking for more keeps those there are.
    """
    rng, total = stream(seed, "ranges", size), size * (size + 1) // 2
    if total <= count:
        return tuple(map(_decoded, range(total)))
    codes: dict[int, None] = {}
    while len(codes) < count:
        codes[int(rng.integers(total))] = None
    return tuple(map(_decoded, codes))


def _decoded(code: int) -> Range:
    """The ranges numbered by their ends: 1:1, 1:2, 2:2, 1:3, …"""
    last = (isqrt(8 * code + 1) - 1) // 2
    return code - last * (last + 1) // 2 + 1, last + 1
