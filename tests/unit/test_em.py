"""EM: the likelihood never falls, and where it stops the Karush-Kuhn-Tucker conditions hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldpcore import em
from ldpcore.rng import stream


def problem(seed, k=6, outputs=8, n=5000):
    rng = stream(seed, "em")
    matrix = 0.7 * rng.dirichlet(np.ones(outputs), k) + 0.3 * np.full((k, outputs), 1 / outputs)
    counts = rng.multinomial(n, rng.dirichlet(np.full(k, 0.5)) @ matrix)
    return matrix, counts


def fit(matrix, counts, **options):
    return em.fit(counts, em.Products.of(matrix), len(matrix), **options)


@given(st.integers(0, 10**6))
def test_more_steps_never_lower_the_likelihood(seed):
    matrix, counts = problem(seed)
    values = [fit(matrix, counts, max_steps=steps).log_likelihood for steps in (1, 2, 3, 5, 10, 40, 200)]
    assert (np.diff(values) >= -1e-9 * abs(values[0])).all()
    uniform = counts @ np.log(np.full(6, 1 / 6) @ matrix)
    assert values[0] >= uniform


@given(st.integers(0, 10**6))
def test_the_optimum_satisfies_its_conditions(seed):
    """Gradient per user at most 1 everywhere, and 1 where the share is positive."""
    matrix, counts = problem(seed)
    found = fit(matrix, counts, gain=1e-13, max_steps=100_000)
    assert found.converged
    assert found.freq.sum() == pytest.approx(1)
    assert (found.freq >= 0).all()
    gradient = matrix @ (counts / (found.freq @ matrix)) / counts.sum()
    assert gradient.max() < 1 + 1e-4
    assert (found.freq * np.abs(gradient - 1)).max() < 1e-5
    assert found.log_likelihood == pytest.approx(counts @ np.log(found.freq @ matrix))


@given(st.integers(0, 10**6))
def test_one_step_is_the_textbook_step(seed):
    matrix, counts = problem(seed)
    freq = np.full(6, 1 / 6)
    textbook = freq * (matrix @ (counts / (freq @ matrix))) / counts.sum()
    assert np.allclose(fit(matrix, counts, max_steps=1).freq, textbook)


def test_acceleration_ends_where_plain_steps_do():
    matrix, counts = problem(1)
    freq = np.full(6, 1 / 6)
    for _ in range(50_000):
        freq = freq * (matrix @ (counts / (freq @ matrix))) / counts.sum()
    assert np.allclose(fit(matrix, counts, gain=1e-14, max_steps=100_000).freq, freq, atol=1e-4)


def test_reports_nobody_sent_do_no_harm():
    found = fit(np.eye(3), np.array([3, 0, 1]))
    assert found.freq == pytest.approx([0.75, 0, 0.25])


def test_it_says_when_it_was_stopped():
    matrix, counts = problem(2)
    stopped = fit(matrix, counts, gain=0.0, max_steps=2)
    assert (stopped.converged, stopped.steps) == (False, 2)


def test_many_surveys_at_once_are_each_of_them_alone():
    """Equal shares, and none of them stops at another's step; a kind that nobody reported does no harm."""
    matrix, _ = problem(3)
    counts = np.array([problem(3)[1] * 0 + rng.multinomial(n, np.full(8, 1 / 8)) for n, rng in
                       ((30, stream(1, "em")), (5_000, stream(2, "em")), (200_000, stream(3, "em")))])  # fmt: skip
    counts[0, 0] = 0
    products = em.Products.of(matrix)
    several = em.plain_each(counts, products, 6, gain=1e-2)
    alone = [em.plain(each, products, 6, gain=1e-2) for each in counts]
    assert len({each.steps for each in alone}) > 1
    assert several == pytest.approx(np.array([each.freq for each in alone]), abs=1e-12)
    assert em.plain_each(counts, products, 6, gain=0.0, max_steps=3) == pytest.approx(
        np.array([em.plain(each, products, 6, gain=0.0, max_steps=3).freq for each in counts]), abs=1e-12
    )
