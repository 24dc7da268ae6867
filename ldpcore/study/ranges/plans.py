"""The planner of one range: the share of the people in it, from a curator's noisy histogram."""

from dataclasses import dataclass
from functools import lru_cache

from ldpcore import plan
from ldpcore.study.ranges.queries import Range


@dataclass(frozen=True)
class RangePlans:
    """Plans for one range (1-based, inclusive) of so many cells.

    >>> RangePlans(128, (31, 45)).of("Privelet").people(epsilon=1.0, within=0.01)
    2303
    """

    cells: int
    asked: Range

    def of(self, key: str) -> plan.Plan:
        return _plan(key, self.cells, self.asked)

    def limit(self) -> None:
        """None is known of one range."""


@lru_cache(64)
def _plan(key: str, cells: int, asked: Range) -> plan.Plan:
    return plan.ranges(key, cells, asked)
