"""Updates of fresh groups: nobody moves nothing, and estimates are drawn towards independence by precision."""

import numpy as np
import pytest

from ldpcore.clusters.fresh import _update, shrunk
from ldpcore.clusters.records import Records
from ldpcore.estimators.consistency import norm_sub
from ldpcore.rng import stream

RECORDS = Records.of(stream(1, "people").integers(0, (3, 2, 4), (500, 3)), (3, 2, 4))


def test_a_round_without_people_leaves_the_modes():
    modes = RECORDS.codes[:2].copy()
    nobody = np.zeros(len(RECORDS.counts), np.int64)
    assert _update(RECORDS, nobody, modes, 1.0, stream(2)).tolist() == modes.tolist()


def test_estimates_and_independence_are_weighed_by_their_precision():
    """A normal prior around share × margin, with twice that as its standard deviation."""
    estimate = np.array([[0.3, 0.1, 0.2], [0.1, 0.25, 0.05]])
    share, variance = np.array([0.7, 0.3]), np.array([[0.01, 0.02, 0.03], [0.2, 0.1, 0.001]])
    found, margin = shrunk(estimate, share, variance), norm_sub(estimate.sum(axis=0))
    for at in np.ndindex(2, 3):
        guess = share[at[0]] * margin[at[1]]
        precision = [1 / (2 * guess) ** 2, 1 / variance[at]]
        assert found[at] == pytest.approx(np.average([guess, estimate[at]], weights=precision))
