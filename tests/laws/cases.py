"""The catalogue × ε × (k, number marked). Mechanisms that know no marks are crossed with k alone."""

from collections.abc import Iterable
from functools import cache
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from ldpcore.catalog import FREQUENCY
from ldpcore.randomizer import Randomizer
from ldpcore.rng import stream
from tests.laws import laws

TABLED = [key for key, entry in FREQUENCY.items() if not (entry.factory.hashed or entry.factory.summed)]
"""Those whose reports one table lists: no hash of their own, no numbers without end."""
EPSILONS = (0.1, 1.0, 3.0)
SHAPES = ((2, 0), (2, 1), (2, 2), (4, 3), (5, 0), (5, 1), (5, 2), (5, 5))
EVERY = tuple(product(EPSILONS, SHAPES))
COVERING = (
    (0.1, (2, 1)),
    (0.1, (5, 2)),
    (0.1, (5, 5)),
    (1.0, (2, 0)),
    (1.0, (4, 3)),
    (1.0, (5, 1)),
    (1.0, (5, 2)),
    (3.0, (2, 2)),
    (3.0, (5, 0)),
    (3.0, (5, 2)),
)
"""Of these: every shape, each ε at few and many values, and one shape at every ε. For laws that draw thousands of
reports; the closed forms, which are what changes from case to case, are exact at all of them.
"""


def marks(k: int, marked: int) -> NDArray[np.bool_]:
    """A scattered mask, always the same: marks in a row would hide a wrong index."""
    mask = np.zeros(k, bool)
    mask[stream(0, "marks", k).permutation(k)[:marked]] = True
    return mask


@cache
def build(key: str, epsilon: float, k: int, marked: int) -> Randomizer:
    """A value, so the same one for all who ask."""
    return FREQUENCY[key].build(epsilon, k, marks(k, marked))


def name(key: str, epsilon: float, k: int, marked: int) -> str:
    """uRR-eps1-k5-marked2"""
    return f"{key}-eps{epsilon:g}-k{k}" + (f"-marked{marked}" if FREQUENCY[key].uses_marks else "")


def crossed(
    listed: Iterable[laws.Law],
    settings: Iterable[tuple[float, tuple[int, int]]] = EVERY,
) -> list:
    """Parameters (law, mechanisms by name): a test for every law and entry, over every case that differs and to which
    the law applies. A law takes less time than pytest does for a test.
    """
    chosen = list(settings)
    built = {
        key: {name(key, epsilon, k, marked): build(key, epsilon, k, marked) for epsilon, (k, marked) in chosen}
        for key in FREQUENCY
    }
    return [
        pytest.param(law, bound, id=f"{law.__name__}-{key}")
        for law in listed
        for key, mechanisms in built.items()
        if (bound := {label: mechanism for label, mechanism in mechanisms.items() if laws.applies(law, mechanism)})
    ]
