"""Two answers with an ε of their own for every answer: a pair asked as one has the smaller, apart they add."""

from math import inf

import numpy as np
import pytest

from ldpcore import relations
from ldpcore.catalog import LEVELS
from ldpcore.levels import Levels
from ldpcore.randomizer import Randomizer
from ldpcore.rng import stream
from tests.laws import relation_cases

EX, EY = np.array([inf, 2.0, 0.5]), np.array([inf, 1.0])
CASES = [(1.0, inf, 1.0, inf, 1.0), (inf, 2.0, 0.5, 2.0), (1.0, 0.4, 0.4, 2.0), (inf, inf, 0.3), (inf, inf)]
TABLE = relation_cases.table(3, 2)


def designs(key):
    build = LEVELS[key].build
    yield "open", relations.apart(3, build(EY))
    yield "apart", relations.apart(build(EX), build(EY))
    yield "as one", relations.as_one(3, 2, build(relations.pair_epsilons(EX, EY)))


@pytest.mark.parametrize("key", LEVELS)
def test_closed_second_moments_and_ends_are_those_of_all_reports(key):
    for epsilons in CASES:
        m, weights = LEVELS[key].build(epsilons), stream(1, "weights").normal(size=len(epsilons))
        assert np.allclose(m.joint_support(), Randomizer.joint_support(m), atol=1e-12)
        assert np.allclose(m.reach(weights), Randomizer.reach(m, weights), rtol=1e-9)


@pytest.mark.parametrize("key", LEVELS)
def test_scores_are_unbiased_balanced_and_have_these_moments(key):
    u, v = stream(2, "weights").normal(size=(2, 3, 2))
    for name, d in designs(key):
        chance, score = d.channel(), d.balanced_scores()
        assert np.allclose(chance @ score, np.eye(6), atol=1e-8), name
        assert np.allclose(score.sum(axis=1), 1, atol=1e-8), name
        second = score.T @ ((TABLE.ravel() @ chance)[:, None] * score)
        assert np.allclose(d.second(TABLE), second, rtol=1e-6, atol=1e-6), name
        squares = chance @ ((score @ u.ravel()) * (score @ v.ravel()))
        assert np.allclose(d.squares(u, v), squares, rtol=1e-6, atol=1e-6), name


def loss(chance):
    """The largest ln P[r | x]/P[r | z] over reports and z, for every x: (k,)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.log(chance)[:, None, :] - np.log(chance)[None, :, :]
    return np.nanmax(np.where(chance[:, None, :] > 0, ratio, -inf), axis=(1, 2))


@pytest.mark.parametrize("key", LEVELS)
def test_a_report_of_a_pair_speaks_for_no_answer_beyond_its_epsilon(key):
    """Whatever goes with whatever, by the beliefs of the attacker; and for somebody it speaks as far as it may."""
    pairs = relations.pair_epsilons(EX, EY)
    m = LEVELS[key].build(pairs)
    assert Levels(tuple(pairs)).check(m.channel()).holds
    chance = relations.as_one(3, 2, m).channel().reshape(3, 2, -1)
    drawn = stream(3, "beliefs")
    beliefs = np.concatenate([drawn.dirichlet(np.full(2, 0.3), size=(200, 3)), np.full((1, 3, 2), [0.0, 1.0])])
    beliefs = np.concatenate([beliefs, np.full((1, 3, 2), [1.0, 0.0])])
    of_x = np.array([loss(np.einsum("xy,xyr->xr", belief, chance)) for belief in beliefs])
    other = np.concatenate([drawn.dirichlet(np.full(3, 0.3), size=(200, 2)), np.tile(np.eye(3)[:, None], (1, 2, 1))])
    of_y = np.array([loss(np.einsum("yx,xyr->yr", belief, chance)) for belief in other])
    for seen, epsilons in ((of_x, EX), (of_y, EY)):
        hidden = np.isfinite(epsilons)
        assert (seen[:, hidden] <= epsilons[hidden] + 1e-9).all()
        assert seen[:, hidden].max(axis=0) == pytest.approx(epsilons[hidden])


@pytest.mark.parametrize("key", LEVELS)
def test_asked_apart_the_two_budgets_add(key):
    d = dict(designs(key))["apart"]
    both = np.add.outer(EX, EY).ravel()
    seen = loss(d.channel())
    hidden = np.isfinite(both)
    assert seen[hidden] == pytest.approx(both[hidden])


@pytest.mark.parametrize("key", LEVELS)
def test_a_survey_estimates_what_is_there(key):
    """A drawn survey is within 5 standard errors, a right engine outside once in 100 000."""
    n = 20_000
    for name, d in designs(key):
        counts = np.rint(TABLE * n).astype(int)
        survey = d.joint(d.draw(counts, stream(4, key, name), 1)[0])
        f = counts / counts.sum()
        error = np.sqrt(d.covariance(f, counts.sum(), "these").diagonal()).reshape(f.shape)
        assert (np.abs(survey.shares - f) < 5 * error + 1e-9).all(), name


def test_many_pairs_need_no_list_of_reports():
    """gSub of 24 pairs, 23 of them hidden, has eight million reports."""
    pairs = relations.pair_epsilons([inf, 2, 2, 1, 1, 0.5], [inf, 2, 1, 1])
    d = relations.as_one(6, 4, LEVELS["gSub"].build(pairs))
    f = relation_cases.table(6, 4)
    spread = d.covariance(f, 1, "these").reshape(6, 4, 6, 4)
    assert spread.sum() == pytest.approx(0, abs=1e-6)  # shares sum to 1 in every survey
    drawn = d.simulate(np.rint(400 * f).astype(int), stream(5, "many"), 40)
    exact = d.covariance(f, 400, "these").diagonal().reshape(6, 4)
    assert drawn.sum(axis=(1, 2)) == pytest.approx(np.ones(40))
    assert (np.sum((drawn - f) ** 2, axis=0) / exact).sum() == pytest.approx(40 * 24, rel=0.25)
