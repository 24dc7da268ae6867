"""Named post-processing: each does what its name says, and norm-sub is the nearest distribution."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize

from ldpcore.estimators.consistency import POSTPROCESSING, clip, norm, norm_sub
from ldpcore.rng import stream

estimates = arrays(float, st.integers(1, 8), elements=st.floats(-3, 3).map(lambda x: round(x, 6)))


@given(estimates)
def test_norm_sub_satisfies_the_conditions_of_the_nearest_distribution(estimate):
    """KKT of min |f − estimate|² on the simplex: one shift for all kept values, the others not above it."""
    freq = norm_sub(estimate)
    assert freq.sum() == pytest.approx(1)
    assert (freq >= 0).all()
    shift = (estimate - freq)[freq > 0]
    assert np.ptp(shift) < 1e-9
    assert (estimate[freq == 0] <= shift.mean() + 1e-9).all()


@given(estimates)
def test_processing_twice_is_processing_once(estimate):
    for name, process in POSTPROCESSING.items():
        once = process(estimate)
        assert np.allclose(process(once), once, atol=1e-12), name


@given(arrays(float, st.integers(1, 8), elements=st.integers(1, 1000).map(float)))
def test_distributions_are_left_alone(weights):
    freq = weights / weights.sum()
    for name, process in POSTPROCESSING.items():
        assert np.allclose(process(freq), freq, atol=1e-12), name


@given(estimates, st.integers(0, 1000))
def test_norm_sub_never_moves_away_from_any_distribution(estimate, seed):
    """A projection on a convex set: whatever the truth is, the error does not grow."""
    truth = stream(seed).dirichlet(np.ones(len(estimate)))
    assert np.sum((norm_sub(estimate) - truth) ** 2) <= np.sum((estimate - truth) ** 2) + 1e-12


@pytest.mark.parametrize("seed", range(5))
def test_norm_sub_is_what_a_general_solver_finds(seed):
    estimate = stream(seed, "qp").normal(0.2, 0.4, 6)
    solved = minimize(
        lambda f: np.sum((f - estimate) ** 2),
        np.full(6, 1 / 6),
        jac=lambda f: 2 * (f - estimate),
        bounds=[(0, 1)] * 6,
        constraints={"type": "eq", "fun": lambda f: f.sum() - 1},
        options={"ftol": 1e-14},
    )
    assert norm_sub(estimate) == pytest.approx(solved.x, abs=1e-6)


def test_by_hand():
    estimate = np.array([0.7, 0.5, -0.2])
    assert clip(estimate) == pytest.approx([0.7, 0.5, 0.0])
    assert clip(np.array([1.2, -1])).tolist() == [1.0, 0.0]
    assert norm(estimate) == pytest.approx([0.7 / 1.2, 0.5 / 1.2, 0])
    assert norm(np.array([-1.0, -2.0])) == pytest.approx([0.5, 0.5])
    assert norm_sub(estimate) == pytest.approx([0.6, 0.4, 0.0])


def test_rows_are_processed_apart():
    estimate = stream(1).normal(size=(4, 3, 5))
    for process in POSTPROCESSING.values():
        assert np.allclose(process(estimate)[2, 1], process(estimate[2, 1]))
