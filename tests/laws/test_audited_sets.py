"""Every mechanism for sets, as a function about which nothing is known: an audit never finds more than its ε."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ldpcore import custom
from ldpcore.catalog import LEVELED_SETS, SETS
from ldpcore.mechanisms.sampled import SampledSymbol
from ldpcore.policy import LDP
from ldpcore.rng import stream
from ldpcore.set_randomizer import SetRandomizer
from ldpcore.study.sets.undisclosed import LEAKY

K, M, EPSILON = 3, 2, 1.5
MARKED = np.array([True, True, False])
BY_LEVEL = np.array([EPSILON, 0.7, np.inf])
SURE = 0.9999
"""Of an audit: so that a right engine fails one of these laws once in 700 seeds at most."""


def called(made: SetRandomizer, key: str) -> Callable[[list[int], np.random.Generator], Any]:
    """It as a function of one set, which it pads. Reports are drawn some hundred at a time; of a hash, what it says."""
    waiting: dict[tuple[int, ...], list[Any]] = {}
    dummies = stream(7, "dummies", key)

    def report(items: list[int], rng: np.random.Generator) -> Any:
        pool = waiting.setdefault(tuple(items), [])
        if not pool:
            padding = dummies.permuted(np.tile(np.arange(made.dummies), (400, 1)), axis=1)[:, : made.m - len(items)]
            reports = made.perturb(np.hstack([np.tile(items, (400, 1)), made.k + padding]).astype(np.intp), rng)
            pool.extend(made.supported(reports) if made.hashed else reports)
        return pool.pop()

    return report


MADE = {
    **{key: entry.build(EPSILON, K, MARKED, M, M) for key, entry in SETS.items() if entry.promise != LEAKY},
    **{key: entry.build(BY_LEVEL, M, M) for key, entry in LEVELED_SETS.items()},
}


@pytest.mark.parametrize("key", MADE)
def test_no_more_than_its_epsilon_is_found(key):
    """And some of it. One whose promise leaves a part of the report out promises nothing of whole reports."""
    made = MADE[key]
    marks = MARKED if made.uses_marks else None
    told = custom.audit_sets(called(made, key), K, M, stream(7, key), marks, EPSILON, 1600, SURE)
    assert 0.15 < told.epsilon < EPSILON
    if isinstance(made, SampledSymbol):
        assert told.epsilon < np.log((np.exp(EPSILON) + M - 1) / M)  # sampling hides


def test_without_marks_what_shows_unmarked_items_is_refuted():
    made = MADE["suGRR-Sample"]
    assert made.policy.name != LDP.name
    assert custom.audit_sets(called(made, "open"), K, M, stream(7), None, EPSILON, 1600, SURE).refuted
