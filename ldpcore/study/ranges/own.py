"""What is the column's own: its cells without the empty ones that pad them, and the range where nobody names one."""

from collections.abc import Callable
from functools import lru_cache

from ldpcore.ranges import Strategy
from ldpcore.ranges import average_coefficient as visited
from ldpcore.ranges.arguments import MAX_DENSE


def usual(cells: int) -> tuple[int, int]:
    """The range (1-based, inclusive) that is asked until somebody names one: a fourth of the cells, whatever they hold.

    >>> usual(81), usual(2)
    ((16, 35), (1, 1))
    """
    first, last = int(0.19 * cells) + 1, int(0.42 * cells) + 1
    return first, max(first, last)


def averaged(cells: int) -> bool:
    """Whether all ranges of so many cells are visited, one by one."""
    return 0 < cells <= MAX_DENSE


@lru_cache(maxsize=256)
def average_coefficient(build: Callable[[int], Strategy], h: int, cells: int) -> float:
    """c̄ of what is built over 2^h cells, over all ranges among the first of them. Kept: it depends on no data."""
    return visited(build(h), cells)
