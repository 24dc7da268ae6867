"""Clusters of records of categories: K-modes, what the papers make private of it, and what keeps the whole promise.

Records are int codes (n, q), one column per attribute; k is the number of clusters. Every method gives a `Clustering`:
labels (n,), modes (k, q), and what was sent.

>>> import numpy as np
>>> from ldpcore.rng import stream
>>> X = np.array([[0, 0, 1], [0, 0, 2], [0, 1, 1], [3, 1, 0], [3, 1, 0]])
>>> found = kmodes(X, 2, stream(3))
>>> found.labels.tolist(), found.modes.tolist()
([0, 0, 0, 1, 1], [[0, 0, 1], [3, 1, 0]])
"""

from ldpcore import former

from .dpk import dpk
from .example import ExampleReport, answer
from .fitted import fitted_tables
from .fresh import fresh
from .graded import graded
from .kmodes import cost, kmodes, nearest
from .ldpk import ldpk, ldpk_open, noisy_index, split
from .records import Records, starting_modes
from .result import Clustering, Message
from .scores import accuracy, entropy, matching
from .synthetic import marginals, pairs
from .trace import (
    by_indices,
    by_open,
    by_open_indices,
    by_report,
    frequencies,
    marginal,
    nameable,
    nameable_beside,
    promised,
)

__all__ = [
    "Clustering",
    "ExampleReport",
    "Message",
    "Records",
    "accuracy",
    "answer",
    "by_indices",
    "by_open",
    "by_open_indices",
    "by_report",
    "cost",
    "dpk",
    "entropy",
    "fitted_tables",
    "frequencies",
    "fresh",
    "graded",
    "kmodes",
    "ldpk",
    "ldpk_open",
    "marginal",
    "marginals",
    "matching",
    "nameable",
    "nameable_beside",
    "nearest",
    "noisy_index",
    "pairs",
    "promised",
    "split",
    "starting_modes",
]

former.serve(__name__)
