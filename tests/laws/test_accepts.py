"""What a mechanism accepts is exactly what it can send."""

import itertools

import numpy as np
import pytest

from ldpcore.randomizer import Randomizer
from ldpcore.rng import stream
from tests.laws import cases, laws


def forms(m: Randomizer) -> np.ndarray:
    """Reports in the form of this mechanism, far more than it can send."""
    one = m.perturb([0], stream(5))
    if one.ndim == 1:
        return np.arange(-3, m.count_outputs() + 9).astype(one.dtype)
    if m.hashed:
        return np.array([(7, y) for y in range(m.count_outputs() + 5)], one.dtype)
    return np.array(list(itertools.product(range(256), repeat=one.shape[1])), one.dtype)


@laws.tabled
def accepts_what_can_be_sent_and_nothing_else(m: Randomizer) -> None:
    reports = forms(m)
    can = {row.tobytes() for row in m.outputs(7 if m.hashed else None) if m.hashed or _likely(m, row)}
    assert {row.tobytes() for row in reports[m.accepts(reports)]} == can


def _likely(m: Randomizer, row: np.ndarray) -> bool:
    """Some mechanisms list a report that has probability 0 under every value, where nothing or everything is marked."""
    return bool(np.isfinite(m.log_likelihood(row[None])).any())


@pytest.mark.parametrize(("law", "mechanisms"), cases.crossed([accepts_what_can_be_sent_and_nothing_else]))
def test_accepts(law, mechanisms):
    laws.obeyed(law, mechanisms)


@pytest.mark.parametrize("key", list(cases.FREQUENCY))
def test_every_report_that_is_sent_is_accepted_at_a_large_k(key):
    m = cases.build(key, 1.0, 300, 120)
    assert m.accepts(m.perturb(np.arange(300), stream(6))).all()
