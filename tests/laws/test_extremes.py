"""The catalogue from the least ε to the largest: what is exact at ε = 1 must not drown in rounding at 1e-6 or at 40.

1 − 1/(1 + 1/E) has no digits left at ε = 36. So every chance, loss and error is compared relatively, and the error with
a sum of squares, Σ f_x Pr[y | x](score − truth)², none of whose terms is negative.
"""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from ldpcore import checks
from ldpcore.attacks import bayes
from ldpcore.catalog import FREQUENCY, SETS
from ldpcore.randomizer import Randomizer
from ldpcore.set_randomizer import SetRandomizer
from ldpcore.tally import Tally
from tests.laws import cases, laws

EPSILONS = (1e-6, 1e-3, 5.0, 20.0, 30.0, 33.0, 36.0, 36.7, 38.0, 40.0)
SHAPES = ((2, 1), (5, 2), (5, 5), (7, 3))
SETTINGS = [
    pytest.param(key, k, marked, id=cases.name(key, 0, k, marked).replace("-eps0", ""))
    for key in FREQUENCY
    for k, marked in SHAPES
]
SET_SHAPES = ((4, 2, 1, 0), (5, 5, 2, 0), (5, 1, 2, 2), (6, 3, 2, 0))
ROUNDING = 1e-9
NOISE = 1e-9
"""Of the reference: a score that should be 0 or 1 is off by a few ulps of the scores, which are up to 1/ε."""
TABLES = 8.0
"""Above this ε a hash has too many buckets for a table."""


def within_budget(loss: NDArray[np.float64], epsilon: float) -> bool:
    """Ratios of floats next to 1 have an error of some 1e-16."""
    return bool(np.all(loss <= epsilon * (1 + ROUNDING) + 1e-15))


def tables(m: Randomizer) -> bool:
    return not m.summed and (not m.hashed or m.epsilon <= TABLES)


@pytest.mark.one_in(2, 1)  # at ε from 0.1 to 3 all of them: test_frequency.py
@pytest.mark.parametrize(("key", "k", "marked"), SETTINGS)
def test_chances_are_chances(key: str, k: int, marked: int) -> None:
    """Rows sum to one; disclosure, support and naming are chances; nothing is negative, infinite or missing."""
    for epsilon in EPSILONS:
        m = cases.build(key, epsilon, k, marked)
        for public in laws.publics(m, 1) if tables(m) else ():
            matrix = laws.likelihoods(m, public)
            assert ((matrix >= 0) & (matrix <= 1 + 1e-15)).all()
            assert laws.close(matrix.sum(axis=1), 1, 1e-12), epsilon
        for freq in laws.populations(m):
            assert laws.close(m.invert(m.support(freq)), freq, 1e-7), epsilon
            counted = () if m.summed else (m.support(freq),)
            for chance in (m.disclosure(), m.naming(freq), *counted):
                assert ((chance >= 0) & (chance <= 1 + 1e-15)).all(), epsilon


@pytest.mark.parametrize(("key", "k", "marked"), SETTINGS)
def test_no_loss_is_above_its_budget_and_every_promised_one_reaches_it(key: str, k: int, marked: int) -> None:
    for epsilon in EPSILONS:
        m = cases.build(key, epsilon, k, marked)
        promised = m.policy.covers(k) & ~np.eye(k, dtype=bool)
        stated = m.privacy_loss()[promised]
        assert within_budget(stated, epsilon), epsilon
        assert not m.spends_all or np.all(stated >= epsilon * (1 - ROUNDING)), epsilon
        for public in laws.publics(m, 1) if tables(m) else ():
            verdict = m.policy.check(laws.channel(m, public))
            assert verdict.holds, (epsilon, verdict.why)
            assert within_budget(np.array(verdict.loss), epsilon), epsilon


@pytest.mark.one_in(2)  # at ε from 0.1 to 3 all of them: test_frequency.py
@pytest.mark.parametrize(("key", "k", "marked"), SETTINGS)
def test_success_is_a_chance_that_grows_with_epsilon(key: str, k: int, marked: int) -> None:
    """Never above 1, nor below the blind guess; what the channel has; and for the uniform prior it never falls."""
    before = 0.0
    for epsilon in EPSILONS:
        m = cases.build(key, epsilon, k, marked)
        table = None if m.hashed or m.summed else laws.channel(m)
        for prior in laws.priors(m):
            chance = prior if prior is not None else np.full(k, 1 / k)
            found = bayes.success(m, prior)
            assert ((found >= 0) & (found <= 1 + 1e-15)).all(), epsilon
            assert chance @ found >= chance.max() * (1 - ROUNDING), epsilon
            if table is not None:
                assert laws.close(found, bayes.success_of_channel(table, prior)), epsilon
        uniform = float(bayes.success(m).mean())
        assert uniform >= before - 1e-12, epsilon
        before = uniform


@pytest.mark.one_in(2)  # at ε from 0.1 to 3 all of them: test_frequency.py
@pytest.mark.parametrize(("key", "k", "marked"), SETTINGS)
def test_the_error_keeps_its_digits(key: str, k: int, marked: int) -> None:
    for epsilon in EPSILONS:
        m = cases.build(key, epsilon, k, marked)
        if not tables(m):
            continue
        matrix, supports = laws.report_law(m)
        each = laws.scores(m, supports)
        squares = np.array([matrix[x] @ (each - (np.arange(k) == x)) ** 2 for x in range(k)])
        for freq in laws.populations(m):
            assert np.allclose(m.variance(freq, 1), freq @ squares, rtol=ROUNDING, atol=NOISE**2), epsilon


@pytest.mark.parametrize("key", [key for key in FREQUENCY if FREQUENCY[key].factory.hashed])
@pytest.mark.parametrize("epsilon", [20.0, 40.0])
def test_the_error_of_hashing_keeps_its_digits(key: str, epsilon: float) -> None:
    """Where all hold the value only a missed own bucket errs: a(1 − a)/(a − b)², 1 − a = (g − 1)/(E + g − 1)."""
    m = FREQUENCY[key].build(epsilon, 3, np.ones(3, bool))
    g = m.count_outputs()
    a, missed = math.exp(epsilon) / (math.exp(epsilon) + g - 1), (g - 1) / (math.exp(epsilon) + g - 1)
    assert m.variance(np.array([1.0, 0, 0]), 1)[0] == pytest.approx(a * missed / (a - 1 / g) ** 2, rel=ROUNDING)


def settings() -> list:
    found = []
    for key in SETS:
        for k, marked, m, dummies in SET_SHAPES:
            try:
                SETS[key].build(1.0, k, cases.marks(k, marked), m, dummies)
            except ValueError:
                continue  # it says that this shape has no room for its subsets
            name = f"{key}-k{k}-marked{marked}-m{m}-dummies{dummies}"
            found.append(pytest.param(key, k, marked, m, dummies, id=name))
    return found


@pytest.mark.one_in(2)  # at ε from 0.1 to 4 all of them: test_sets.py
@pytest.mark.parametrize(("key", "k", "marked", "m", "dummies"), settings())
def test_sets_keep_their_promise_and_err_finitely(key: str, k: int, marked: int, m: int, dummies: int) -> None:
    for epsilon in EPSILONS:
        mechanism = SETS[key].build(epsilon, k, cases.marks(k, marked), m, dummies)
        channel = mechanism.channel(7 if mechanism.hashed else None)
        assert laws.close(channel.matrix.sum(axis=1), 1, 1e-12), epsilon
        verdict = mechanism.policy.check(channel)
        # Densities on a ring and sums over a set's items round a little more.
        assert verdict.loss <= epsilon * (1 + ROUNDING) + 1e-14, epsilon
        error = exact_error(mechanism, channel.matrix, channel.sets)
        stated = mechanism.variance(*held(mechanism, channel.sets), n=1) if error is None else error[0]
        assert np.isfinite(stated).all(), epsilon
        assert (stated >= 0).all(), epsilon
        if error is not None:
            assert np.allclose(stated, error[1], rtol=1e-6, atol=1e-13), epsilon


def held(m: SetRandomizer, sets: NDArray[np.intp]) -> tuple[NDArray[np.float64]]:
    return (np.bincount(sets.ravel(), minlength=m.inner)[: m.k] / len(sets),)


def exact_error(
    m: SetRandomizer, matrix: NDArray[np.float64], sets: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """The stated error of all sets alike, and the table's; None where the table is that of one hash only."""
    if m.hashed:
        return None
    outputs = m.outputs()
    scores = np.array([m.estimate(Tally(1, m.tally(outputs[i : i + 1]).total)) for i in range(len(outputs))])
    has = np.zeros((len(sets), m.inner))
    np.put_along_axis(has, sets, 1.0, axis=1)
    squares = [row @ (scores - truth[: m.k]) ** 2 for row, truth in zip(matrix, has, strict=True)]
    return m.variance(*held(m, sets), n=1, company=m.company(sets)), np.mean(squares, axis=0)


@pytest.mark.parametrize(("given", "said"), [(1e-300, "at least 1e-08"), (9e-9, "at least"), (40.1, "at most 40")])
def test_beyond_that_a_budget_is_refused_with_a_sentence(given: float, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        checks.epsilon(given)
    assert checks.epsilon(checks.MIN_EPSILON) == checks.MIN_EPSILON
