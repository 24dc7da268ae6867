"""Weights: the stated error against every report that four people can send, exact sums, designs, and coverage."""

import itertools

import numpy as np
import pytest

from ldpcore.catalog import FREQUENCY, LEVELED_SETS, MEANS, SETS
from ldpcore.estimators import weighted
from ldpcore.rng import stream
from ldpcore.tally import WeightedTally
from tests.each import for_each
from tests.laws import cases, laws, test_accepts

WEIGHTS = np.array([1.0, 2.5, 0.4, 3.0])
ENUMERATED = [key for key in FREQUENCY if key in cases.TABLED]


@for_each("key", ENUMERATED)
def test_the_error_is_that_of_all_reports(key):
    """Four people, every report each can send: mean and variance of the weighted estimate, by their chances."""
    for epsilon, (k, marked) in ((0.8, (3, 2)), (2.0, (3, 1)), (0.8, (2, 2))):
        m, values = cases.build(key, epsilon, k, marked), np.array([0, 0, 1, k - 1])
        chance, scores = m.channel().matrix, m.scores(m.outputs())
        # People report independently, so means and variances add up.
        mean = chance[values] @ scores
        spread = chance[values] @ scores**2 - mean**2
        target = np.bincount(values, WEIGHTS, k) / WEIGHTS.sum()
        assert laws.close(WEIGHTS @ mean / WEIGHTS.sum(), target)
        exact = WEIGHTS**2 @ spread / WEIGHTS.sum() ** 2
        assert laws.close(weighted.variance(m, values, WEIGHTS), exact, 1e-9)


def test_the_error_of_four_people_by_every_pattern_of_reports():
    """The same without adding up: all 3⁴ patterns of GRR's reports, through tallies."""
    m, values = FREQUENCY["GRR"].build(0.8, 3), np.array([0, 0, 1, 2])
    chance, mean, second = m.channel().matrix, np.zeros(3), np.zeros(3)
    for reports in itertools.product(range(3), repeat=4):
        p = np.prod(chance[values, list(reports)])
        estimate = m.estimate(weighted.tally(m, np.array(reports), WEIGHTS))
        mean, second = mean + p * estimate, second + p * estimate**2
    assert mean == pytest.approx(np.bincount(values, WEIGHTS, 3) / WEIGHTS.sum(), abs=1e-6)  # weights keep 21 digits
    assert second - mean**2 == pytest.approx(weighted.variance(m, values, WEIGHTS), rel=1e-5)


def test_the_shares_weighted_by_w_are_a_trap():
    """uSS, an unmarked value: with w in place of w² the stated variance is 0.79 of the truth."""
    m, values = FREQUENCY["uSS"].build(0.8, 3, [True, True, False]), np.array([0, 0, 1, 2])
    right = weighted.variance(m, values, WEIGHTS)
    naive = m.variance(np.bincount(values, WEIGHTS, 3) / WEIGHTS.sum(), WEIGHTS.sum() ** 2 / (WEIGHTS @ WEIGHTS))
    assert naive[2] / right[2] == pytest.approx(0.79, abs=0.005)
    assert right == pytest.approx([0.5107287969, 0.5107287969, 0.3084938453])


@pytest.mark.parametrize("key", [*SETS, *LEVELED_SETS])
def test_the_error_of_sets_is_that_of_all_reports(key):
    """And of hashed ones it is linear in the people: as if those who weigh as much were alone."""
    for case, m in test_accepts.for_sets(key).items():
        sets = m.all_sets()
        held = sets[stream(1, "held").integers(0, len(sets), 4)]
        stated = weighted.variance(m, held, WEIGHTS)
        if m.hashed:
            alone = [m.variance(_shares(m, one), 1, m.company(one)) for one in held[:, None]]
            exact = WEIGHTS**2 @ np.array(alone) / WEIGHTS.sum() ** 2
        else:
            outputs = m.outputs()
            chance, scores = np.exp(m.log_likelihood(outputs, held)).T, m.scores(outputs)
            exact = WEIGHTS**2 @ (chance @ scores**2 - (chance @ scores) ** 2) / WEIGHTS.sum() ** 2
        assert np.allclose(stated, exact, rtol=1e-6, atol=1e-12), case


def _shares(m, sets):
    return np.bincount(sets.ravel(), minlength=m.inner)[: m.k] / len(sets)


@pytest.mark.parametrize("key", MEANS)
def test_the_error_of_numbers_adds_up(key):
    m, x = MEANS[key].build(1.0, ((-1, 0.2),) if MEANS[key].uses_marks else ()), np.array([-0.5, 0.1, 0.4, 1.0])
    each = m.moments(x, "unbiased")[1]
    assert weighted.variance(m, x, WEIGHTS) == pytest.approx(WEIGHTS**2 @ each / WEIGHTS.sum() ** 2)
    assert weighted.variance(m, x, np.ones(4)) == pytest.approx(m.variance(x))


# sums --------------------------------------------------------------------------------------------------------------


def sums_are_exact(m, reports, rng):
    """The same bytes in any order and parts; weights of 1 give today's estimate, to the bit."""
    n = len(reports)
    weights, order = rng.lognormal(0, 2, n), rng.permutation(n)
    whole = weighted.tally(m, reports, weights)
    assert whole == weighted.tally(m, reports[order], weights[order])
    assert whole == weighted.tally(m, reports[7:], weights[7:]) + weighted.tally(m, reports[:7], weights[:7])
    assert whole.weight == pytest.approx(weights.sum(), rel=1e-6)
    assert whole.total == pytest.approx(weights @ m.supported(reports), rel=1e-6, abs=1e-9)
    assert whole.squared == pytest.approx(weights**2 @ m.supported(reports), rel=2e-6, abs=1e-9)
    ones = weighted.tally(m, reports, np.ones(n))
    assert (m.estimate(ones) == m.estimate(m.tally(reports))).all()
    assert ones.effective == n
    assert (m.estimate(weighted.tally(m, reports, np.full(n, 0.25))) == m.estimate(ones)).all()


@pytest.mark.parametrize("key", FREQUENCY)
def test_sums_of_values_are_exact(key):
    m, rng = cases.build(key, 1.0, 5, 2), stream(2, "weighted", key)
    sums_are_exact(m, m.perturb(rng.integers(0, 5, 3000), rng), rng)


@for_each("key", [*SETS, *LEVELED_SETS])
def test_sums_of_sets_are_exact(key):
    m, rng = next(iter(test_accepts.for_sets(key).values())), stream(2, "weighted", key)
    every = m.all_sets()
    sums_are_exact(m, m.perturb(every[rng.integers(0, len(every), 3000)], rng), rng)


def test_long_sums_are_exact():
    """Where neither the weights nor what is added leave room in 53 digits."""
    rng = stream(9, "long")
    whole, added = rng.integers(0, 1 << 42, 50).astype(float), rng.integers(-(1 << 31), 1 << 31, (50, 3)).astype(float)
    exact = [sum(int(a) * int(b) for a, b in zip(whole, column, strict=True)) for column in added.T]
    assert weighted._exact(whole, added) == exact


def test_weights_of_any_size_add_up():
    m, reports = FREQUENCY["GRR"].build(1.0, 2), np.array([0, 1, 0])
    for scale in (1e-30, 1e-9, 1.0, 1e9, 1e30):
        counted = weighted.tally(m, reports, np.array([1.0, 2.0, 4.0]) * scale)
        assert m.estimate(counted) == pytest.approx(m.estimate(weighted.tally(m, reports, [1.0, 2.0, 4.0])), rel=1e-5)
        assert counted.effective == pytest.approx(49 / 21, rel=1e-5)
    assert WeightedTally.nobody(2).effective == 0
    assert weighted.tally(m, reports[:0], []) == WeightedTally.nobody(2)


# at the collector, and designs ---------------------------------------------------------------------------------------


def test_the_error_from_a_tally_is_near():
    """Its shares are estimated: within 3 % of the exact one at n = 200 000."""
    for key in ("GRR", "uSS", "OUE"):
        m, rng = cases.build(key, 1.0, 5, 2), stream(3, "collector", key)
        values, weights = rng.choice(5, 200_000, p=[0.4, 0.3, 0.2, 0.07, 0.03]), rng.choice([0.5, 1.0, 2.0], 200_000)
        counted = weighted.tally(m, m.perturb(values, rng), weights)
        assert weighted.of_tally(m, counted) == pytest.approx(weighted.variance(m, values, weights), rel=0.03)


def test_without_strata_and_clusters_it_is_the_sample_variance():
    s = stream(4, "design").normal(size=(50, 3))
    found = weighted.design(s, np.full(50, 7.0))
    assert found.estimate == pytest.approx(s.mean(axis=0))
    assert found.variance == pytest.approx(s.var(axis=0, ddof=1) / 50)
    assert found.freedom == 49


def test_a_design_by_hand():
    """Two strata, clusters of two and three in the one, a lonely cluster in the other: written out."""
    s, w = np.array([1.0, 0.0, 2.0, 1.0, 1.0, 3.0]), np.array([1.0, 2.0, 1.0, 1.0, 2.0, 1.0])
    strata, clusters = list("aaaaab"), [1, 1, 2, 2, 2, 1]
    f = (1 + 0 + 2 + 1 + 2 + 3) / 8
    z = w * (s - f) / 8
    first, second, lonely = z[:2].sum(), z[2:5].sum(), z[5]
    middle = (first + second) / 2
    exact = 2 * ((first - middle) ** 2 + (second - middle) ** 2) + lonely**2
    found = weighted.design(s, w, strata, clusters)
    assert found.estimate == pytest.approx([f])
    assert found.variance == pytest.approx([exact])
    assert (found.freedom, found.lonely) == (1, ("b",))
    part = weighted.design(s, w, strata, clusters, drawn=0.25, noise=[0.5])
    assert part.variance == pytest.approx([0.75 * exact + 0.125])


STRATA = ((0.1, (0.3, 0.2, 0.1, 0.2, 0.2)), (0.2, (0.1, 0.1, 0.1, 0.3, 0.4)), (0.3, (0.05, 0.05, 0.1, 0.4, 0.4)),
          (0.4, (0.01, 0.04, 0.05, 0.5, 0.4)))  # fmt: skip


def drawn_design(rng, clustered, n=100):
    """Answers, weights, strata and clusters of 4·n people; clusters of ten are alike."""
    values, strata, clusters = [], np.repeat(np.arange(4), n), np.arange(4 * n)
    for _, shares in STRATA:
        if clustered:
            values += [rng.choice(5, 10, p=rng.dirichlet(np.array(shares) * 8)) for _ in range(n // 10)]
        else:
            values.append(rng.choice(5, n, p=shares))
    weights = np.repeat([part / n for part, _ in STRATA], n)
    return np.concatenate(values), weights, strata, clusters // 10 if clustered else clusters


@pytest.mark.parametrize("clustered", [False, True])
def test_a_design_covers_and_its_variance_is_right(clustered):
    """300 surveys, uSS at ε = 1: the stated variance to 15 % of the drawn one (a standard deviation of it is 8 %) and
    coverage of 95 % intervals 90 to 99 %; forty clusters' t may be short. Binomial slack at 1e-4 for each of five.
    """
    m = FREQUENCY["uSS"].build(1.0, 5, np.arange(5) < 2)
    truth = sum(part * np.array(shares) for part, shares in STRATA)
    rng, hits, estimates, stated = stream(5, "design", int(clustered)), np.zeros(5), [], []
    for _ in range(300):
        values, weights, strata, clusters = drawn_design(rng, clustered)
        found = weighted.design(m.scores(m.perturb(values, rng)), weights, strata, clusters if clustered else None)
        low, high = found.interval()
        hits += (low <= truth) & (truth <= high)
        estimates.append(found.estimate)
        stated.append(found.variance)
    assert np.mean(stated, axis=0) == pytest.approx(np.var(estimates, axis=0), rel=0.35)
    assert (np.mean(stated, axis=0) / np.var(estimates, axis=0)).mean() == pytest.approx(1, abs=0.15)
    assert (hits / 300 > 0.88).all(), hits / 300
    assert (hits / 300 < 0.995).all(), hits / 300


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        ([1.0], "2 reports and 1 weight do not fit together; every report needs one weight"),
        ([1.0, -2.0], "weight 2 is -2: weights are finite and not negative; leave the person out instead"),
        ([np.nan, 1.0], "weight 1 is nan"),
        ([0.0, 0.0], "all weights are 0, so there is nobody to estimate from"),
        ([1e60, 1.0], "multiply them all by one number"),
    ],
)
def test_bad_weights_are_told(weights, sentence):
    with pytest.raises(ValueError, match=sentence):
        weighted.tally(FREQUENCY["GRR"].build(1.0, 2), np.array([0, 1]), weights)


def test_a_part_drawn_needs_the_noise():
    with pytest.raises(ValueError, match="give the variance of the reports as noise"):
        weighted.design([1.0, 2.0], [1.0, 1.0], drawn=0.5)
    with pytest.raises(ValueError, match="from 0 and below 1"):
        weighted.design([1.0, 2.0], [1.0, 1.0], drawn=1.5)
    with pytest.raises(ValueError, match="2 reports and 1 names of a stratum"):
        weighted.design([1.0, 2.0], [1.0, 1.0], strata=["a"])
