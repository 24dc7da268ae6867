"""Guesses to within ±δ, against counting by hand and against the posterior itself."""

import numpy as np
import pytest

from ldpcore.attacks import within
from ldpcore.catalog import MEANS
from tests.each import for_each

LOW = (-0.5, 0.25)
BINS = 20
KEYS = list(MEANS)


def spread(points: np.ndarray) -> np.ndarray:
    """A prior that is the same nowhere twice."""
    prior = 1.1 + np.sin(7 * points) + points / 3
    return prior / prior.sum()


@for_each("steps", range(1, BINS // 2))
def test_a_guess_covers_what_is_exactly_delta_away(steps):
    """Midpoints of equal bins lie multiples of 0.1 apart, give or take rounding: no more is forgiven."""
    m = MEANS["PM"].build(1.0, bins=BINS)
    assert within.blind(m, steps / 10) == pytest.approx(min(2 * steps + 1, BINS) / BINS)
    assert within.blind(m, steps / 10 - 1e-10) == pytest.approx(min(2 * steps - 1, BINS) / BINS)
    sure = within.success(m, steps / 10), within.success(m, steps / 10 + 0.09)
    np.testing.assert_allclose(*sure, rtol=1e-12)
    assert not np.allclose(within.success(m, steps / 10 - 1e-10), sure[0], rtol=1e-3)


def test_the_blind_guess_is_the_heaviest_window_of_the_prior():
    m = MEANS["PM"].build(1.0, bins=BINS)
    prior = spread(m.points)
    windows = [prior[max(i - 3, 0) : i + 4].sum() for i in range(BINS)]
    assert within.blind(m, 0.3, prior) == pytest.approx(max(windows))
    assert within.blind(m, 2.0, prior) == pytest.approx(1)


@for_each("prior", [None, spread])
@for_each("key", KEYS)
def test_the_guess_has_the_largest_posterior_and_success_counts_its_hits(key, prior):
    """A report in each cell (closed on the left), Bayes' rule as it is printed, and no other guess does better."""
    m = MEANS[key].build(1.5, LOW, bins=BINS)
    given = None if prior is None else prior(m.points)
    weight = np.diff(m.inputs) / 2 if given is None else given
    mass = m.mass(m.points, m.edges)
    guesses = within.guess(m, m.edges[:-1], 0.23, given)
    hits = np.abs(guesses[None, :] - m.points[:, None]) < 0.23
    for cell in range(len(guesses)):
        posterior = weight * mass[:, cell]
        best = max(sum(p for p, x in zip(posterior, m.points, strict=True) if abs(x - at) < 0.23) for at in m.points)
        assert posterior @ hits[:, cell] == pytest.approx(best, rel=1e-9, abs=1e-15)
    np.testing.assert_allclose(weight @ within.success(m, 0.23, given), weight @ (mass * hits).sum(axis=1), rtol=1e-9)


@pytest.mark.parametrize("key", KEYS)
def test_many_numbers_are_guessed_as_often_as_each_alone(key):
    """Of many it is found by bins and runs of cells, of few cell by cell; a report in each cell, closed on the left."""
    m = MEANS[key].build(2.0, bins=BINS)
    x = np.linspace(-1, 1, within.MANY + 1)
    prior = spread(m.points)
    hit = np.abs(m.points[within.bins(m, x)][:, None] - within.guess(m, m.edges[:-1], 0.25, prior)) <= 0.25 + 1e-12
    wanted = np.sum(m.mass(x, m.edges) * hit, axis=1)
    np.testing.assert_allclose(within.success(m, 0.25, prior, x), wanted, atol=1e-12)
    np.testing.assert_allclose(within.success(m, 0.25, prior, x[::7]), wanted[::7], atol=1e-12)
    assert np.ptp(wanted) > 0.1


@pytest.mark.parametrize("delta", [0.0, -0.1, np.nan])
def test_a_guess_without_room_is_refused(delta):
    m = MEANS["PM"].build(1.0, bins=BINS)
    for ask in (within.success, within.blind):
        with pytest.raises(ValueError, match=r"delta must be positive, got .*: how near a guess must be to count"):
            ask(m, delta)
