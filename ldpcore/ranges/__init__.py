"""Range queries over a noisy histogram (central model): how wrong is "how many people are between 30 and 45?".

A histogram of N = 2^h cells; a strategy measures linear functions of it with Laplace noise (strategy.py), and the
variance of any range is (2Δ²/ε²)·c(l, r), exact whatever the data. The strategies have one face:

>>> p = Privelet(3)
>>> p.sensitivity, p.coefficient(3, 7), p.variance(3, 7, epsilon=1.0)
(4.0, 0.96875, 31.0)

Cells are counted from 1, ranges include both ends, errors are squared counts. A release answers any range:

>>> import numpy as np
>>> from ldpcore.rng import stream
>>> x = np.array([5, 3, 8, 1, 0, 2, 4, 7])
>>> answer = p.release(x, epsilon=40.0, rng=stream(7))
>>> round(answer.range(3, 7)), int(x[2:7].sum())
(15, 15)
"""

from ldpcore import former

from .arguments import every_range, pad
from .average import Overtaking, accuracy_index, average_coefficient, curve, index_limit, overtakes, typical_error
from .local import Local
from .local_haar import LocalHaar
from .local_tree import LocalTree, local_flat
from .maps import error_map
from .margin import margin
from .matrix import Matrix
from .optimise import optimised, svd_bound
from .privelet import Privelet
from .search import best_sizes, best_tree, best_weights
from .strategy import RangeRelease, Strategy
from .tables import holding, table1, table2
from .tree import Identity, NestedTree, Tree
from .workload import Workload

__all__ = [
    "Identity",
    "Local",
    "LocalHaar",
    "LocalTree",
    "Matrix",
    "NestedTree",
    "Overtaking",
    "Privelet",
    "RangeRelease",
    "Strategy",
    "Tree",
    "Workload",
    "accuracy_index",
    "average_coefficient",
    "best_sizes",
    "best_tree",
    "best_weights",
    "curve",
    "error_map",
    "every_range",
    "holding",
    "index_limit",
    "local_flat",
    "margin",
    "optimised",
    "overtakes",
    "pad",
    "svd_bound",
    "table1",
    "table2",
    "typical_error",
]

former.serve(__name__)
