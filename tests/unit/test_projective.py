"""Projective geometry response: the geometry counted, the error written out, and how near it is to the limit."""

import numpy as np
import pytest

from ldpcore.catalog import FREQUENCY
from ldpcore.mechanisms.projective import PGR, count_points, points, spaces


@pytest.mark.parametrize(("q", "t"), [(2, 3), (3, 3), (5, 2), (3, 4)])
def test_points_are_all_different_and_meet_as_often_as_said(q, t):
    """No two are multiples of one another; each has c own symbols, any two share i."""
    every = points(q, t, count_points(q, t)).astype(int)
    multiples = {tuple(f * row % q) for row in every for f in range(1, q)}
    assert len(multiples) == q**t - 1  # every vector but 0, once
    owns = (every @ every.T % q == 0).astype(int)
    assert (owns.sum(axis=1) == count_points(q, t - 1)).all()
    shared = owns @ owns.T
    assert (shared[~np.eye(len(every), dtype=bool)] == count_points(q, t - 2)).all()


def test_the_error_written_out():
    m, E, k = PGR(1.0, 18), np.e, 18
    q, t = m.space
    assert (q, t, m.K, m.own) == (3, 4, 40, 13)
    scale = 40 + 13 * (E - 1)
    a, b, f = E * 13 / scale, (E * 4 + 13 - 4) / scale, 1 / k
    assert m.guessed_error == pytest.approx((f * a * (1 - a) + (1 - f) * b * (1 - b)) / (a - b) ** 2, rel=1e-12)


@pytest.mark.parametrize("k", [2, 5, 18, 300, 1000])
def test_the_space_is_the_best_of_all(k):
    for epsilon in (0.1, 1.0, 4.0):
        m = PGR(epsilon, k)
        errors = []
        for q, t in spaces(k).tolist():
            own, shared, every = (count_points(q, t - each) for each in (1, 2, 0))
            scale = every + own * np.expm1(epsilon)
            a, b = np.exp(epsilon) * own / scale, (shared * np.expm1(epsilon) + own) / scale
            errors.append((a * (1 - a) / k + (1 - 1 / k) * b * (1 - b)) / (a - b) ** 2)
        assert m.guessed_error == pytest.approx(min(errors), rel=1e-9)
        assert max(64, 4 * k) >= m.K


@pytest.mark.parametrize(
    ("k", "epsilon", "times", "bits"),
    [
        (1000, 0.5, 1.010, 11),
        (1000, 1.0, 1.024, 11),
        (1000, 2.0, 1.014, 12),
        (1000, 4.0, 1.019, 12),
        (4096, 1.0, 1.024, 14),
    ],
)
def test_above_a_thousand_values_it_is_near_subset_selection_in_a_dozen_bits(k, epsilon, times, bits):
    """Digits of theory/frequency#projective-geometry; subset selection is at the limit there."""
    ours, least, other = (FREQUENCY[key].build(epsilon, k) for key in ("PGR", "SS", "HR"))
    assert ours.guessed_error / least.guessed_error == pytest.approx(times, abs=6e-4)
    assert ours.report_bits() == bits
    assert ours.report_bits() <= other.report_bits() + 2
    assert ours.guessed_error < other.guessed_error
    assert least.report_bits() > 100


def test_a_large_table_is_never_made():
    m = PGR(1.0, 3000)
    assert m.k * m.K > 1 << 22
    reports = m.perturb(np.arange(0, 3000, 100), np.random.default_rng(1))
    assert m.supported(reports).shape == (30, 3000)
    assert np.array_equal(m.tally(reports).total, m.supported(reports).sum(axis=0))
    assert "_table" not in vars(m)
