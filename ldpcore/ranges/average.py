"""Averages over all ranges, compared: typical errors, the accuracy index and its limit, and the N from which one
strategy beats another.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd

from ldpcore import checks
from ldpcore.ranges import arguments
from ldpcore.ranges.strategy import Strategy
from ldpcore.ranges.tree import Identity

Build = Callable[[int], Strategy]
"""A strategy over 2^h cells, of h."""
LARGE = range(24, 41)
"""h at which a family shows what it is at last: a search that may choose anew at every N repeats itself within them."""
_PIECE = 1 << 18


def average_coefficient(strategy: Strategy, cells: int | None = None) -> float:
    """c̄ over all cells(cells+1)/2 ranges among the first `cells` of N cells; None: all N.

    The ranges that people can ask of a column whose cells were padded with empty ones. They are visited one by one:
    ValueError for more than 4096 cells that are not all.

    >>> from ldpcore.ranges import Identity
    >>> [round(average_coefficient(Identity(7), cells), 2) for cells in (None, 81)]  # (cells + 2)/3
    [43.33, 27.67]
    """
    n = strategy.size if cells is None else checks.integer(cells, "cells (those that are no padding)", 1, strategy.size)
    if n == strategy.size:
        return strategy.average_coefficient()
    first, last = arguments.every_range(n)
    pieces = range(0, len(first), _PIECE)
    total = sum(strategy.coefficients(first[i : i + _PIECE], last[i : i + _PIECE]).sum() for i in pieces)
    return float(total) / len(first)


def typical_error(strategy: Strategy, epsilon: float, cells: int | None = None) -> float:
    """The root of the mean variance over the same ranges, in counts.

    >>> from ldpcore.ranges import Identity, Privelet
    >>> [round(typical_error(s, 1.0, 81), 1) for s in (Identity(7), Privelet(7))]
    [7.4, 11.5]
    """
    return float(np.sqrt(strategy.noise(epsilon) * average_coefficient(strategy, cells)))


def accuracy_index(strategy: Strategy) -> float:
    """(log₂ N)³/(Δ² c̄) at this strategy's N; its limit is `strategy.index_limit` (Privelet: 4.87 at 2^10, limit 6)."""
    return strategy.accuracy_index()


def index_limit(build: Build) -> float:
    """Where the accuracy index of a family goes as N grows: the largest limit of what it builds at large N.

    A family that chooses anew at every N, such as `best_tree`, is at large N never worse than any one of its choices.

    >>> from ldpcore.ranges import Privelet, best_tree
    >>> index_limit(Privelet), round(index_limit(best_tree), 2)
    (6.0, 13.65)
    """
    return max(float(build(h).index_limit or 0) for h in LARGE)


def curve(build: Build, heights: Iterable[int] = range(15), epsilon: float = 1.0) -> pd.DataFrame:
    """A family against its size: h, N = 2^h, error (typical, over all ranges of N cells, in counts) and index.

    >>> from ldpcore.ranges import Privelet
    >>> curve(Privelet, (8, 10)).round(2).to_dict("list")
    {'h': [8, 10], 'N': [256, 1024], 'error': [14.87, 20.26], 'index': [4.63, 4.87]}
    """
    rows = [(h, s.size, typical_error(s, epsilon), s.accuracy_index()) for h in heights for s in [build(h)]]
    return pd.DataFrame(rows, columns=["h", "N", "error", "index"])


class Overtaking(NamedTuple):
    """h = log₂ N; None if never. They differ where the top step of a tree completes to N better or worse."""

    first: int | None
    always: int | None


def overtakes(build: Build, most: int = 40, other: Build = Identity) -> Overtaking:
    """The first h, and the h from which on (up to `most`), a family's average error is below that of another: of the
    flat histogram, unless another is given. What differs by rounding is equal.

    >>> from ldpcore.ranges import Privelet, best_tree
    >>> overtakes(Privelet), overtakes(Privelet, other=best_tree)
    (Overtaking(first=9, always=9), Overtaking(first=None, always=None))
    """
    most = checks.integer(most, "most (the largest h to look at)", 0, arguments.MAX_HEIGHT)
    errors = [(build(h).average_variance(1.0), other(h).average_variance(1.0)) for h in range(most + 1)]
    better = [mine < its * (1 - 1e-12) for mine, its in errors]
    if not any(better):
        return Overtaking(None, None)
    first = better.index(True)
    always = len(better) - next((i for i, yes in enumerate(reversed(better)) if not yes), len(better))
    return Overtaking(first, always if always <= most else None)
