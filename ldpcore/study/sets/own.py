"""A mechanism of one's own on Sets: rows of its table are items, of which a person sends one, drawn at random, and
padding (`ldpcore/study/invented.py`).

>>> from ldpcore import Source, Study, run
>>> from ldpcore.study import invented
>>> rows = [",".join(["0.7" if y == x else "0.1" for y in range(4)]) for x in range(4)]  # GRR at ε = ln 7
>>> study = Study(Source("groceries"), "items", mechanisms=("GRR-Sample",), grid=(), repetitions=1, task="sets")
>>> two = study.with_options(attacks=0, m=2, simulated=4, own="\\n".join(rows))
>>> errors = run(invented.added(two)).query("metric == 'mse' and scope == 'all'")
>>> [(key, round(x, 3), round(1e6 * mse)) for key, x, mse in errors[["mechanism", "x", "theory"]].values.tolist()]
[('GRR-Sample', 1.0, 819), ('GRR-Sample', 1.386, 390), ('Own', 1.386, 186)]

Sampling hides: what tells two items apart by 7 tells two sets of two apart by (7 + 1)/2 = 4, and that is its ε. The
catalogue's sampling, as published, spends its ε on the item.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ldpcore.custom import CustomSets, read_sets


@lru_cache(maxsize=32)
def _made(text: str, labels: tuple[str, ...], marks: bytes, m: int, dummies: int) -> CustomSets:
    given, marked = read_sets(text, labels, dummies > 0), np.frombuffer(marks, bool)
    return CustomSets(given.matrix, m=m, sensitive=marked, dummies=dummies, labels=given.reports, items=labels)


def mechanism(text: str, labels: tuple[str, ...], marked: NDArray[np.bool_], m: int, dummies: int) -> CustomSets:
    """The mechanism of this table, for sets of m of these items with these marks (k,). ValueError with a sentence where
    it makes no sense.
    """
    return _made(text, labels, np.asarray(marked, bool).tobytes(), m, dummies)


def usable(text: str, labels: tuple[str, ...], m: int, dummies: int) -> None:
    """Whether the table is one for sets of m of these items, from which all shares can be estimated.

    ValueError or TypeError with a sentence where it is none.
    """
    made = mechanism(text, labels, np.zeros(len(labels), bool), m, dummies)
    made.variance(made.shares(None), 1)
