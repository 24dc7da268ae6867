"""Laws of mechanisms for numbers, as functions that raise AssertionError: tests/power plants bugs for them."""

from itertools import pairwise

import numpy as np
from scipy import stats

from ldpcore.rng import stream

P = 1e-6


def moments_are_the_integrals(m, x):
    zero = m.mass(x, m.edges)
    one, two = m.partial_moments(x, m.edges)
    assert (zero >= -1e-14).all()
    np.testing.assert_allclose(zero.sum(axis=1), 1, atol=1e-9)
    mean, spread = m.report_moments(x)
    np.testing.assert_allclose(one.sum(axis=1), mean, atol=1e-9)
    np.testing.assert_allclose(two.sum(axis=1) - one.sum(axis=1) ** 2, spread, rtol=1e-7, atol=1e-9)


def density_integrates_to_mass(m, x, points=400):
    """Midpoint rule on cells refined at every end of a window; atoms one by one."""
    fine = np.unique(np.concatenate([np.linspace(a, b, points // 8) for a, b in pairwise(m.edges)]))
    middle, width = (fine[1:] + fine[:-1]) / 2, np.diff(fine)
    own = m.places(x)
    keep = ~np.isin(middle, own)
    mass = m.mass(x, m.edges)
    cell = m.cell(middle)
    for i, value in enumerate(x):
        density = np.exp(m.log_likelihood(middle[keep], np.array([value]))[:, 0])
        total = np.bincount(cell[keep], density * width[keep], mass.shape[1])
        atoms = [own[i]] if m.disclosure(x)[i] > 0 else []
        for atom in [*atoms, *getattr(m, "atoms", [])]:
            total[m.cell([atom])[0]] += np.exp(m.log_likelihood([atom], np.array([value]))[0, 0])
        inner = slice(1, -1)  # Laplace's end cells reach to infinity
        np.testing.assert_allclose(total[inner], mass[i][inner], atol=0.03 * np.max(mass[i]) + 1e-9)
        assert abs(total.sum() - 1) < 5e-3


def promise_is_kept(m):
    channel = m.channel()
    verdict = m.policy(m.points).check(channel)
    assert verdict.holds, verdict.why
    protected = [column for column in channel.columns if column.protected]
    if any(not column.protected for column in channel.columns) and not m.policy(m.points).covers(len(m.points)).any():
        return  # nothing is marked: nothing is promised
    if protected and verdict.loss > 0:
        # The rows are midpoints of bins, a little closer than -1 and 1.
        assert verdict.loss > 0.93 * m.epsilon


def sampler_follows_mass(m, x, n):
    """χ² of the cells of n reports at each input."""
    for value in x[1::3]:
        counts = m.tally(m.perturb(np.full(n, value), stream(1, "law", type(m).__name__, float(value)))).counts
        expected = n * m.mass(np.array([value]), m.edges)[0]
        assert counts[expected < 1e-9].sum() == 0
        order = np.argsort(expected)
        groups = np.minimum(np.cumsum(expected[order]) // 40, 1e9)
        _, where = np.unique(groups, return_inverse=True)
        seen, wanted = np.bincount(where, counts[order]), np.bincount(where, expected[order])
        if len(seen) > 1:
            assert stats.chi2.sf(np.sum((seen - wanted) ** 2 / np.maximum(wanted, 1e-9)), len(seen) - 1) > P


def reports_have_moments(m, x, n):
    """z of mean and of variance within ±5 (p = 6e-7 each)."""
    mean, spread = m.report_moments(x)
    for i, value in enumerate(x):
        y = m.perturb(np.full(n, value), stream(2, "law", type(m).__name__, float(value)))
        if spread[i] == 0:
            np.testing.assert_allclose(y, mean[i], atol=1e-12)
            continue
        assert abs(y.mean() - mean[i]) < 5 * np.sqrt(spread[i] / n)
        square = (y - mean[i]) ** 2
        assert abs(square.mean() - spread[i]) < 5 * np.sqrt(square.var() / n) + 1e-9
