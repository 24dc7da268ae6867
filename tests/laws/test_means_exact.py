"""Every mechanism for numbers keeps its numbers from ε = 1e-6 to the largest accepted, 40: mass, moments, promise.

Nothing here is random but reports that say where to look (fixed streams).
"""

from functools import cache

import numpy as np
import pytest

from ldpcore.catalog import MEANS
from ldpcore.checks import MAX_EPSILON
from ldpcore.rng import stream
from tests.each import for_each
from tests.laws.test_means import LOWS, X

EPSILONS = (1e-6, 1e-4, 1e-3, 0.05, 0.7, 1.0, 2.0, 5.0, 12.0, 20.0, 26.0, 30.0, 35.0, 38.0, MAX_EPSILON)
everything = [
    pytest.param(key, low, id=f"{key}-{name}")
    for key, entry in MEANS.items()
    for name, low in LOWS.items()
    if entry.uses_marks or name == "all marked"
]


SLIVERS = {
    "all but a sliver": ((-1.0, 1.0 - 1e-6),),
    "two slivers": ((-1.0 + 1e-6, 1.0 - 1e-6),),
    "a sliver": ((0.25, 0.25 + 1e-6),),
    "a sliver at an end": ((-1.0, -1.0 + 1e-6),),
}
"""Next to nothing is marked, or not marked."""
narrow = [
    pytest.param(key, low, id=f"{key}-{name}")
    for key, entry in MEANS.items()
    for name, low in SLIVERS.items()
    if entry.uses_marks
]


@cache
def made(key, low, epsilon, bins=24):
    return MEANS[key].build(epsilon, low, bins=bins)


@pytest.mark.parametrize(("key", "low"), everything)
@for_each("epsilon", EPSILONS)
def test_the_density_integrates_to_one(key, low, epsilon):
    m = made(key, low, epsilon)
    near = np.concatenate([X + shift for shift in (-1e-9, -1e-13, 1e-16, 1e-12, 1e-8, 1e-4)])
    for edges in (m.edges, np.union1d(m.edges, near), m.edges[[0, -1]]):
        np.testing.assert_allclose(m.mass(X, edges).sum(axis=1), 1, rtol=0, atol=2e-14)
        assert (m.mass(X, edges) >= 0).all()


@pytest.mark.parametrize(("key", "low"), everything)
@for_each("epsilon", EPSILONS)
def test_structure_equals_the_dense_matrix_at_any_epsilon(key, low, epsilon):
    m = made(key, low, epsilon)
    matrix, products = m.mass(m.points, m.edges), m.products()
    rng = stream(1, "exact products", key)
    f, w = rng.dirichlet(np.ones(len(m.points))), rng.random(len(m.edges) - 1)
    np.testing.assert_allclose(products.forward(f), f @ matrix, atol=1e-12)
    np.testing.assert_allclose(products.backward(w), matrix @ w, atol=1e-12)


@pytest.mark.parametrize(("key", "low"), everything)
@for_each("epsilon", EPSILONS)
def test_the_closed_forms_are_the_integrals_to_many_digits(key, low, epsilon):
    m = made(key, low, epsilon)
    mean, spread = m.report_moments(X)
    size = max(1.0, float(np.abs(m.edges).max()))
    one, two = m.partial_moments(X, m.edges)
    np.testing.assert_allclose(one.sum(axis=1), mean, rtol=0, atol=1e-14 * size)
    np.testing.assert_allclose(two.sum(axis=1) - mean**2, spread, rtol=1e-9, atol=1e-14 * size)
    assert (spread >= 0).all()
    if hasattr(m, "law"):
        about = m.law(X).integrals(m.edges, 1, X).sum(axis=1), m.law(X).integrals(m.edges, 2, X).sum(axis=1)
        np.testing.assert_allclose(about[1] - about[0] ** 2, spread, rtol=1e-6, atol=1e-31)


@pytest.mark.one_in(2)  # at seven usual ε all of them: test_means.py
@pytest.mark.parametrize(("key", "low"), [*everything, *narrow])
@for_each("epsilon", sorted({*EPSILONS, 1e-5}))
def test_the_score_is_unbiased_at_any_epsilon(key, low, epsilon):
    m = made(key, low, epsilon)
    if "unbiased" not in m.estimates():
        assert epsilon > (11 if len(low) == 1 else 1)
        with pytest.raises(ValueError, match=f"unbiased score for these intervals at epsilon = {epsilon:g} "):
            m.named("unbiased")
        return
    few = low in SLIVERS.values()  # SDPM's score has tens of thousands of pieces there
    x = np.union1d(np.linspace(-1, 1, 33 if few else 161), low)
    mean, spread = m.moments(x, "unbiased")
    assert (spread >= 0).all()
    # In units of one report's spread: 1e-9 is nothing even to 10¹⁶ users.
    assert np.abs(mean - x).max() <= 1e-9 * np.sqrt(spread.max()) + 1e-15


@pytest.mark.parametrize(("key", "low"), everything)
@for_each("epsilon", EPSILONS)
def test_no_loss_is_above_epsilon(key, low, epsilon):
    m = made(key, low, epsilon)
    most = epsilon * (1 + 1e-9) + 1e-14
    verdict = m.policy(m.points).check(m.channel())
    assert verdict.holds, verdict.why
    assert verdict.loss <= most
    if MEANS[key].promise == "LDP":
        rng = stream(2, "exact loss", key)
        reports = np.concatenate([m.perturb(np.repeat(X, 200), rng), X, m.edges, getattr(m, "atoms", X)])
        log = m.log_likelihood(reports, X)
        log = log[log.max(axis=1) > -np.inf]  # reports that nobody sends speak for nobody
        assert np.max(log.max(axis=1) - log.min(axis=1)) <= most


@pytest.mark.parametrize(("key", "low"), everything)
@for_each("epsilon", [12.0, 20.0, 30.0, MAX_EPSILON])
def test_an_exact_report_gives_an_exact_mean(key, low, epsilon):
    """405 reports at a large ε: within 6 standard deviations (p < 2e-9 each), EM within its bins beside that."""
    m, x = made(key, low, epsilon, bins=64), np.tile(X, 45)
    reports = m.perturb(x, stream(3, "exact mean", key))
    assert np.isfinite(reports).all()
    for how in ("mean", "unbiased"):
        if how in m.estimates():
            bias = float(np.mean(m.moments(x, how)[0]))
            assert abs(m.estimate_mean(reports, how) - bias) <= 6 * np.sqrt(m.variance(x, how)) + 1e-12
    if m.recovers:
        assert m.estimate_mean(reports, "em") == pytest.approx(
            x.mean(), abs=2 / m.bins + 6 * np.sqrt(m.variance(x, "mean"))
        )
