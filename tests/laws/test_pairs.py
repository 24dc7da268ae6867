"""Mechanisms that are made for pairs of answers: what holds for every entry of their catalogue, by exact channels.

Sampler, scores and moments are in test_relations, which asks them as one like all others.
"""

import numpy as np
import pytest

from ldpcore import limit, relations
from ldpcore.catalog import FREQUENCY, PAIRS
from ldpcore.randomizer import Randomizer
from ldpcore.relations.half_open import HalfOpen
from tests.laws import laws
from tests.unit.test_limit_pairs import SHAPES, case

EPSILONS = (0.1, 1.0, 3.0)


def built(key: str, epsilon: float, shape: tuple[int, int, int, int]) -> Randomizer:
    """Made for the last group against the first, by the last answer: what `case` compares."""
    kx, ky, sx, sy = shape
    mx, my = np.arange(kx) >= kx - sx, np.arange(ky) >= ky - sy
    x, y = np.arange(kx), np.arange(ky)
    return PAIRS[key].build(epsilon, mx, my, y == ky - 1, x == kx - 1, x == 0)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("key", PAIRS)
def test_it_keeps_its_promise_and_spends_it(key, shape):
    """By its definition, by one answer where the other is known, and by both of a pair with both marked."""
    _, (mx, my), _ = case(*shape)
    for epsilon in EPSILONS:
        m = built(key, epsilon, shape)
        verdict = m.policy.check(m.channel())
        assert verdict.holds, verdict.why
        assert verdict.loss == pytest.approx(epsilon, abs=1e-6)
        by_pair = m.channel().matrix.reshape(*shape[:2], -1)
        assert np.allclose(by_pair.sum(axis=2), 1, atol=1e-12)
        most = np.exp(epsilon) * (1 + 1e-9)
        for table, marked in ((by_pair, mx), (by_pair.swapaxes(0, 1), my)):  # one answer, the other known
            for column in table.swapaxes(0, 1):
                assert (column[marked].max(axis=0) <= most * column.min(axis=0)).all()
        hidden = by_pair[np.ix_(mx, my)]  # both together
        assert (hidden.max(axis=(0, 1)) <= most * by_pair.min(axis=(0, 1))).all()


@pytest.mark.parametrize("key", PAIRS)
def test_a_report_that_says_more_than_its_promise_is_found(key):
    """A hundredth of the people with a marked answer send it openly."""
    m = built(key, 1.0, (2, 2, 1, 1))
    channel = m.channel().matrix
    for pair in (1, 2, 3):
        told = np.zeros((4, 1))
        told[pair] = 0.01
        leaking = np.hstack([channel * (1 - told), told])
        columns = (*m.describe(m.outputs()), laws.ReportColumn("told"))
        assert not m.policy.check(laws.Channel(leaking, columns)).holds


def test_asked_apart_half_of_epsilon_each_is_half_open_and_more_is_not():
    """Then a pair with both marked is told from one with neither by twice as much."""
    marks = np.array([False, True])
    build = FREQUENCY["uSS"].build
    for each, kept in ((0.5, True), (0.52, False)):
        chances = relations.apart(build(each, 2, marks), build(each, 2, marks)).channel()
        columns = tuple(laws.ReportColumn(str(report)) for report in range(chances.shape[1]))
        assert HalfOpen(1.0, marks, marks).check(laws.Channel(chances, columns)).holds is kept


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("key", PAIRS)
def test_it_is_between_its_floor_and_what_is_asked_otherwise(key, shape):
    """About these people, at shares that it was not made for: never below the certified floor; at ε = 1 at most twice
    that, and below uSS, asked as one and apart.
    """
    f, marks, c = case(*shape)
    for epsilon in EPSILONS:
        design = relations.as_one(*shape[:2], built(key, epsilon, shape))
        spread, least = design.spread(f, c, "these"), limit.best_contrast_half_open(f, marks, epsilon, c)[0]
        assert spread >= least * (1 - 1e-9)
        if epsilon == 1.0:
            build = FREQUENCY["uSS"].build
            as_one = relations.as_one(*shape[:2], build(1.0, f.size, relations.either(*marks)))
            apart = relations.apart(*(build(0.5, len(each), each) for each in marks))
            others = [other.spread(f, c, "these") for other in (as_one, apart)]
            assert spread <= min(2 * least, *others)
