"""Everything there is, one line per entry. What is listed here is what the study, the laws and the app know.

>>> [key for key, entry in FREQUENCY.items() if entry.promise == "ULDP"][:4]
['uRR', 'uRAP', 'uOUE', 'uSS']
>>> m = FREQUENCY["uSS"].build(epsilon=1.0, k=4, sensitive=[True, True, False, False])
>>> m.policy.name, FREQUENCY["uSS"].source
('ULDP', 'He, Zhu, Liu, Pan, Dong 2025')
"""

from ldpcore.catalog.clusterings import CLUSTERINGS
from ldpcore.catalog.dominated import RISES, Dominated, dominated_at
from ldpcore.catalog.entries import Catalog, Construction, Coverage, Joined, coverage
from ldpcore.catalog.frequency import FREQUENCY
from ldpcore.catalog.levels import LEVELED_MEANS, LEVELED_SETS, LEVELS
from ldpcore.catalog.means import MEANS
from ldpcore.catalog.miners import MINERS
from ldpcore.catalog.pairs import PAIRS
from ldpcore.catalog.ranges import LOCAL_RANGES, RANGES
from ldpcore.catalog.sets import SETS

ANSWERS = Joined(FREQUENCY, LEVELS)
"""Everything for the answers of one column; those with levels are worth showing where there is more than one level."""

TWO_ANSWERS = Joined(FREQUENCY, LEVELS, PAIRS)
"""Everything for two answers of one person; those for pairs ask both as one."""

NUMBERS = Joined(MEANS, LEVELED_MEANS)
"""Everything for the mean of numbers, likewise."""

ITEMS = Joined(SETS, LEVELED_SETS)
"""Everything for several items per person, likewise."""

ALL: tuple[Catalog, ...] = (TWO_ANSWERS, ITEMS, NUMBERS, MINERS, CLUSTERINGS, RANGES, LOCAL_RANGES)
"""Every catalogue that a Study can name."""

__all__ = [
    "ALL",
    "ANSWERS",
    "CLUSTERINGS",
    "FREQUENCY",
    "ITEMS",
    "LEVELED_MEANS",
    "LEVELED_SETS",
    "LEVELS",
    "LOCAL_RANGES",
    "MEANS",
    "MINERS",
    "NUMBERS",
    "PAIRS",
    "RANGES",
    "RISES",
    "SETS",
    "TWO_ANSWERS",
    "Catalog",
    "Construction",
    "Coverage",
    "Dominated",
    "coverage",
    "dominated_at",
]
