"""Averages over all ranges, compared: the accuracy index and the N from which a strategy beats the flat histogram."""

from collections.abc import Callable
from typing import NamedTuple

from ldpcore import checks
from ldpcore.ranges import asked
from ldpcore.ranges.strategy import Strategy
from ldpcore.ranges.tree import Identity


def accuracy_index(strategy: Strategy) -> float:
    """(log₂ N)³/(Δ² c̄) at this strategy's N; its limit is `strategy.index_limit` (Privelet: 4.87 at 2^10, limit 6)."""
    return strategy.accuracy_index()


class Overtaking(NamedTuple):
    """h = log₂ N; None if never. They differ where the top step of a tree completes to N better or worse."""

    first: int | None
    always: int | None


def overtakes(build: Callable[[int], Strategy], most: int = 40) -> Overtaking:
    """The first h, and the h from which on (up to `most`), the strategy's average error is below the flat one's."""
    most = checks.integer(most, "most (the largest h to look at)", 0, asked.MAX_HEIGHT)
    better = [build(h).average_variance(1.0) < Identity(h).average_variance(1.0) for h in range(most + 1)]
    if not any(better):
        return Overtaking(None, None)
    first = better.index(True)
    always = len(better) - next((i for i, yes in enumerate(reversed(better)) if not yes), len(better))
    return Overtaking(first, always if always <= most else None)
