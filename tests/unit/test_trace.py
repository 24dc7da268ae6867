"""The adversaries: what they learn, that they never learn from whom they attack, and what ε would allow."""

import sys
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import linprog

from ldpcore.clusters import (
    Clustering,
    Records,
    by_indices,
    by_report,
    fresh,
    ldpk,
    marginal,
    nameable,
    nameable_beside,
    promised,
)
from ldpcore.mechanisms.direct import GRR
from ldpcore.mechanisms.subset import SS
from ldpcore.rng import stream

trace_ = sys.modules["ldpcore.clusters.trace"]


def sent(*rounds):
    modes = np.array(rounds)
    return Clustering(np.zeros(1, int), modes[-1], len(modes), modes)


TWO = np.stack([np.repeat([0, 1], 500), np.tile([0, 0, 1, 0], 250)], axis=1)
"""Attribute 0: half and half; attribute 1: 75 % zeros, whatever attribute 0 is."""


def test_indices_that_follow_an_attribute_give_it_away_and_no_other():
    found = by_indices(TWO, sent([[0, 0], [1, 0]]), 1.0, stream(1))
    assert found.tolist() == [1.0, 0.75]
    assert marginal(TWO).tolist() == [0.5, 0.75]


def test_rounds_add_up():
    """Shares 40, 30, 20, 10 %: the first round tells value 1 from the rest, the second value 0 from the rest."""
    X = np.stack([np.zeros(800, int), np.tile([0, 0, 0, 0, 1, 1, 1, 2, 2, 3], 80)], axis=1)
    first, second = [[0, 0], [0, 1]], [[0, 2], [0, 0]]
    records = Records.of(X, (2, 4))
    assert by_indices(records, sent(first), 1.0, stream(1))[1] == pytest.approx(0.7)
    assert len(set(trace_.traces(records, sent(first, second).sent))) == 3
    assert by_indices(records, sent(first, second), 1.0, stream(1))[1] == pytest.approx(0.9)


def test_nothing_is_learned_from_the_attacked():
    """Everybody's trace is their own: an adversary who learned from them would be right for all; this one is blind.

    200 attributes' worth of evidence in one number: 3000 people, blind guess ½, standard error 0.009.
    """
    rng = stream(1, "own")
    X = np.stack([np.arange(3000), rng.integers(0, 2, 3000)], axis=1)
    modes = np.stack([np.arange(3000), np.zeros(3000, int)], axis=1)
    found = by_indices(X, sent(modes), 1.0, stream(2))
    assert found[1] == pytest.approx(0.5, abs=0.05)


def test_halves_are_all_the_people():
    records = Records.of(TWO)
    (one, other), (again, first) = trace_._halves(records, stream(1))
    assert (one + other).tolist() == records.counts.tolist()
    assert (one.sum(), again.tolist(), first.tolist()) == (500, other.tolist(), one.tolist())


def test_one_report_is_guessed_as_its_channel_says():
    """One attribute, one cluster: the report is SS's own, and the Bayesian success is that of SS's closed form.

    20 000 reports, standard error 0.0035: within 6 of them, a 5 % error (0.03) is seen.
    """
    shares = np.array([0.5, 0.3, 0.2])
    X = np.repeat([0, 1, 2], (shares * 20_000).astype(int))[:, None]
    found = by_report(X, sent([[0]]), 1.0, stream(3))
    assert found[0] == pytest.approx(shares @ SS(1.0, 3).success(shares), abs=0.021)


def test_fresh_users_give_away_less_than_promised_and_indices_more():
    rng = stream(1, "linked")
    own = rng.integers(0, 2, 20_000)
    X = np.stack([np.where(rng.random(20_000) < 0.95, own, 1 - own) for _ in range(4)], axis=1)
    start = np.array([[0, 0, 0, 0], [1, 1, 1, 1]])
    limit = promised(marginal(X)[0], 0.5)
    leaked = by_indices(X, ldpk(X, 2, 0.5, stream(2), start=start), 0.5, stream(3))
    kept = by_report(X, fresh(X, 2, 0.5, stream(2), start=start), 0.5, stream(3))
    assert leaked.min() > 0.9 > limit > kept.max()
    assert kept.min() > 0.52


def test_what_is_promised_is_reached_and_never_passed():
    assert promised(0.5, 1.0) == pytest.approx(GRR(1.0, 2).success(np.array([0.5, 0.5])).mean())
    rng = stream(1, "channels")
    for _ in range(200):
        prior = rng.dirichlet(np.ones(3))
        columns = np.exp(rng.integers(0, 2, (3, 6)) * 0.7)
        weights = np.linalg.lstsq(columns, np.ones(3), rcond=None)[0]
        if weights.min() < 0:
            continue
        success = (prior[:, None] * columns * weights).max(axis=0).sum()
        assert success <= promised(prior.max(), 0.7) + 1e-12


def _most_named(prior: np.ndarray, E: float) -> float:
    """The linear program over all channels q (k, k) from answers to named ones, each column within E of another."""
    k = len(prior)
    q = np.eye(k * k).reshape(k, k, k * k)
    within = np.array([q[u, v] - E * q[w, v] for v in range(k) for u in range(k) for w in range(k) if u != w])
    found = linprog(-np.ravel(np.diag(prior)), within, np.zeros(len(within)), q.sum(axis=1), np.ones(k), method="highs")
    assert found.fun is not None
    return -float(found.fun)


def test_no_channel_names_more_people_than_the_closed_form():
    rng = stream(2, "named")
    for k in (2, 3, 5, 7):
        for epsilon in (0.3, 1.0, 2.5):
            for concentration in (0.4, 3.0):
                prior = rng.dirichlet(np.full(k, concentration))
                found = nameable(prior, epsilon)
                assert found == pytest.approx(_most_named(prior, np.exp(epsilon)), abs=1e-9)
                assert prior.max() - 1e-12 <= found <= promised(prior.max(), epsilon) + 1e-12


def test_beside_something_open_no_laws_name_more_people():
    """Of every mixture of two laws, by the program above; and mixtures of even ones reach it."""
    rng, epsilon = stream(3, "beside"), 1.0
    laws = [*rng.dirichlet(np.full(4, 0.7), 25), *(np.repeat([1 / j, 0], [j, 4 - j]) for j in range(1, 5))]
    points = np.array([[law.max(), _most_named(law, np.exp(epsilon))] for law in laws])
    even = points[-4:]
    for one in points:
        for other in points:
            seen, named = (one + other) / 2
            assert named <= nameable_beside(seen, epsilon) + 1e-9
    for one, other in pairwise(even):
        seen, named = 0.3 * one + 0.7 * other
        assert named == pytest.approx(nameable_beside(seen, epsilon), abs=1e-9)


@pytest.mark.parametrize("shares", [[], [0.5, 0.4], [1.5, -0.5], [[0.5, 0.5]]])
def test_what_are_no_shares_is_refused(shares):
    with pytest.raises(ValueError, match="add up to 1"):
        nameable(shares, 1.0)
    with pytest.raises(ValueError, match="above 0"):
        nameable_beside(0.0, 1.0)


def test_few_people():
    assert np.isfinite(by_indices(Records.of(TWO[:1], (2, 2)), sent([[0, 0]]), 1.0, stream(1))).all()
    assert np.isnan(by_report(Records.of(TWO[:1], (2, 2)), sent([[0, 0]]), 1.0, stream(1))).all()
