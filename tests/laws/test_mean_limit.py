"""The floor of a mean is below everything that can be built: the catalogue, closed forms, channels made for the data.

Errors here are exact, so nothing is random but the cases (fixed streams).
"""

from functools import cache
from itertools import product

import numpy as np
import pytest

from ldpcore.catalog import MEANS
from ldpcore.limit import best_mean
from ldpcore.rng import stream
from tests.each import for_each

EPSILONS = (1e-4, 0.1, 1.0, 3.0, 8.0, 12.0, 20.0, 40.0)
ROUNDING = 1 + 1e-6
"""Mechanisms' own moments, and the solver's tolerance."""
LOWS = {"upper end": (-1.0, 0.4), "lower end": (-0.2, 1.0), "two ends": (-0.6, 0.55)}


def cases(seed, sizes=(2, 3, 5, 9)):
    """Inputs and shares of every kind: spread or on a grid, even or skewed, some of them nobody's."""
    rng = stream(seed, "crowds")
    for k, even in product(sizes, (0.1, 1.0, 10.0)):
        x = np.sort(rng.choice(np.linspace(-1, 1, 41), k, replace=False) if even == 1 else rng.uniform(-1, 1, k))
        share = rng.dirichlet(np.full(k, even))
        share[0] = 0.0 if even == 10 else share[0]
        yield x, share / share.sum()


build = cache(lambda key, epsilon, low: MEANS[key].build(epsilon, low))


def errors(key, epsilon, low, x, share):
    m = build(key, epsilon, low)
    return None if "unbiased" not in m.estimates() else share @ m.moments(x, "unbiased")[1]


@pytest.mark.one_in(2, 1)  # the next test asks these mechanisms at every ε, too
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_no_mechanism_that_protects_all_goes_lower(epsilon):
    keys = [key for key, entry in MEANS.items() if entry.promise == "LDP"]
    assert len(keys) >= 5
    for x, share in cases(1):
        found = best_mean(epsilon, x, share)
        assert found.low <= found.high * ROUNDING
        assert found.gap <= 1e-3
        for key in keys:
            assert found.low <= errors(key, epsilon, (), x, share) * ROUNDING, key


@cache
def with_all_protected(epsilon):
    return [best_mean(epsilon, x, share).high for x, share in cases(2, (3, 8))]


@pytest.mark.one_in(2)  # every ε with one or two of the three kinds of marks
@pytest.mark.parametrize("name", LOWS)
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_no_mechanism_that_protects_marks_goes_lower(epsilon, name):
    keys = [key for key, entry in MEANS.items() if entry.promise in ("LDP", "ULDP")]
    assert any(MEANS[key].factory.uses_marks for key in keys)
    left, right = LOWS[name]
    for (x, share), protected in zip(cases(2, (3, 8)), with_all_protected(epsilon), strict=True):
        marked = (x < left) | (x > right)
        found = best_mean(epsilon, x, share, marked)
        assert found.low <= found.high * ROUNDING
        assert found.gap <= 1e-3
        assert found.low <= protected * ROUNDING
        for key in keys:
            assert found.low <= errors(key, epsilon, (LOWS[name],), x, share) * ROUNDING, key


@for_each("epsilon", [1e-6, 0.01, 0.1, 1.0, 4.0, 8.0, 12.0, 16.0, 25.0, 40.0])
@for_each("at", [1.0, 0.3, 0.01])
@for_each("share", [0.5, 0.02])
def test_two_inputs_have_a_closed_form(epsilon, at, share):
    """±c: one bit is best, n·Var = 4c²E/(E − 1)² = (c/sinh(ε/2))², whatever the shares."""
    truth = (at / np.sinh(epsilon / 2)) ** 2
    found = best_mean(epsilon, [-at, at], [1 - share, share])
    assert truth * (1 - 2e-3) <= found.low <= truth * (1 + 1e-12)
    assert truth / ROUNDING <= found.high <= truth * (1 + 2e-3)


def optimised(epsilon, x, share, steps=300):
    """n·Var of a mixture of channels made for the data: all pairs of columns (q, E + 1 − q) and all sizes of subset
    selection, randomized response among them, their shares improved by Fedorov's multiplicative rule.
    """
    growth, k = np.exp(epsilon), len(x)
    on = np.array(list(product([False, True], repeat=k)))[1:-1]
    kinds = [np.stack([half, ~half]) for half in on if half[0]]
    kinds += [on[on.sum(axis=1) == size] for size in range(1, k)]
    q = np.vstack([np.where(kind, growth, 1.0) / np.where(kind, growth, 1.0).sum(axis=0) for kind in kinds]).T
    of = np.repeat(np.arange(len(kinds)), [len(kind) for kind in kinds])
    mass, weight = share @ q, np.full(len(kinds), 1 / len(kinds))
    worth = weight
    for _ in range(steps):
        weight = weight * worth / (weight @ worth)
        score = np.linalg.solve((q * weight[of] / mass) @ q.T, x) @ q / mass
        worth = np.sqrt(np.bincount(of, mass * score**2))
    channel = q * weight[of]
    np.testing.assert_allclose(channel.sum(axis=1), 1, rtol=1e-12)
    np.testing.assert_allclose(channel @ score, x, atol=1e-9)
    assert (q.max(axis=0) <= growth * q.min(axis=0) * (1 + 1e-12)).all()
    return float(share @ np.sum(channel * (score - x[:, None]) ** 2, axis=1))


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 2.0, 4.0, 8.0, 12.0])
def test_no_channel_made_for_the_data_goes_lower(epsilon):
    near = []
    for x, share in cases(3, (3, 4, 5, 6)):
        if share.min() < 1e-6:
            continue
        found, built = best_mean(epsilon, x, share), optimised(epsilon, x, share)
        assert found.low <= built * ROUNDING
        near.append(built / found.low)
    assert min(near) < 1.1, "the channels come near enough to the floor to find it too high"


def test_a_finer_crowd_has_no_lower_floor():
    """People gathered at their groups' means: averaging rows keeps every promise, so the floor can only fall."""
    rng = stream(4, "groups")
    for epsilon in (0.5, 2.0, 6.0):
        x, share = np.sort(rng.uniform(-1, 1, 12)), rng.dirichlet(np.ones(12))
        groups = share.reshape(4, 3)
        means = np.sum(groups * x.reshape(4, 3), axis=1) / groups.sum(axis=1)
        within = float(np.sum(groups * (x.reshape(4, 3) - means[:, None]) ** 2))
        coarse = best_mean(epsilon, means, groups.sum(axis=1))
        assert coarse.low - within <= best_mean(epsilon, x, share).high
