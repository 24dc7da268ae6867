"""Your own mechanism: a table of chances, and everything exact that follows from it (docs/your-own-mechanism.md).

Rows are answers, columns are reports. What it promises (LDP, ULDP with marks, guarded SDLDP, levels) and what decides
it; the unbiased estimate with the least error; its exposure; how far it is from the certified limit; the best of the
catalogue beside it. Of a function that is not a table: a lower bound on its ε, with confidence (`audit`,
of sets `audit_sets`).

>>> from ldpcore.custom import CustomMechanism, at_its_epsilon, distance, read
>>> own = CustomMechanism(read("0.6 0.2 0.2\\n0.2 0.6 0.2\\n0.2 0.2 0.6").matrix)
>>> own.promise.definition, round(own.epsilon, 3), round(distance(own).times, 3), at_its_epsilon(own).key
('LDP', 1.099, 1.0, 'SS')
"""

from ldpcore import former
from ldpcore.mechanisms.tabled import apart, best_scores

from .audit import Audit, audit
from .audit_sets import audit_sets
from .compared import (
    CustomComparison,
    Distance,
    Rival,
    at_its_epsilon,
    at_its_exposure,
    distance,
    error_for,
    exposure,
    lift,
)
from .export import channel_of, numbers_channel, sets_channel, to_csv, to_python
from .mechanism import CustomMechanism
from .numbers import CustomNumbers
from .promises import AVERAGE, NONE, ORDER, KeptPromise, kept, strongest
from .reading import PADDING, ParsedTable, read, read_numbers, read_sets
from .sets import CustomSets, KeptBySets
from .table import MOST_CELLS

__all__ = [
    "AVERAGE", "MOST_CELLS", "NONE", "ORDER", "PADDING", "Audit", "CustomComparison", "CustomMechanism",
    "CustomNumbers", "CustomSets", "Distance", "KeptBySets", "KeptPromise", "ParsedTable", "Rival", "apart",
    "at_its_epsilon", "at_its_exposure", "audit", "audit_sets", "best_scores", "channel_of", "distance", "error_for",
    "exposure", "kept", "lift", "numbers_channel", "read", "read_numbers", "read_sets", "sets_channel",
    "strongest", "to_csv", "to_python",
]  # fmt: skip

former.serve(__name__)
