"""Which ranges a study asks for: those of one's own among the column's cells, and some drawn at random from all."""

from functools import lru_cache
from math import isqrt

from ldpcore import checks
from ldpcore.data import Histogram
from ldpcore.rng import stream
from ldpcore.study.definition import Study
from ldpcore.study.ranges import own

Range = tuple[int, int]
"""l and r: 1-based, inclusive."""

MOST = 10_000
OPTIONS = {
    "ranges": 50,  # how many ranges are drawn at random from all N(N+1)/2, at each N
    "asked": (),  # ranges "l:r" of one's own, beside them, among the study's own cells; none: one that sees no data
}


def options(study: Study) -> tuple[int, tuple[Range, ...]]:
    """How many ranges are drawn, and the ranges of one's own."""
    given = study.chosen(OPTIONS)
    count = checks.integer(given["ranges"], "the option ranges (how many are drawn)", 0, MOST)
    asked = given["asked"]
    if len(asked) > MOST:
        raise ValueError(f"the option asked holds at most {MOST} ranges, got {len(asked)}")
    return count, tuple(dict.fromkeys(_range(text) for text in asked))


def _range(text: object) -> Range:
    parts = str(text).split(":")
    if len(parts) != 2 or not all(part.strip().isdecimal() for part in parts):
        raise ValueError(f"a range is written l:r with two whole numbers, such as 3:7; got {text!r}")
    return int(parts[0]), int(parts[1])


def asked(study: Study, data: Histogram) -> tuple[Range, ...]:
    """The ranges of one's own; one that does not look at the data where nobody names one."""
    return options(study)[1] or (own.usual(data.domain.k),)


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
