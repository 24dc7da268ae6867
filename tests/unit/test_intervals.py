"""Intervals are what they say they are; tests/laws/test_intervals.py shows that they cover."""

import numpy as np
import pytest
from scipy import stats

from ldpcore import Marks, Source, Study
from ldpcore.catalog import FREQUENCY, MEANS, SETS
from ldpcore.estimators import released
from ldpcore.estimators.intervals import clopper_pearson, error_ends, error_interval, mean_interval
from ldpcore.estimators.released import number_interval, score_interval
from ldpcore.rng import stream
from ldpcore.study import Choice, frequency
from ldpcore.study.execute import prepare
from tests.each import for_each
from tests.laws import laws, set_laws
from tests.laws.test_sets import SHAPES, build

MARKS = np.arange(6) < 3


@for_each("level", [0, 1, 1.5, -0.1])
@for_each(
    "interval",
    [
        lambda level: score_interval(FREQUENCY["GRR"].build(1.0, 3), np.full(3, 1 / 3), 10, level),
        lambda level: clopper_pearson(1, 2, level),
        lambda level: mean_interval(np.arange(3.0), level),
        lambda level: error_interval(np.arange(3.0), level),
    ],
)
def test_level_lies_between(interval, level):
    with pytest.raises(ValueError, match=r"level must lie between 0 and 1, got .*; 0.95 is usual"):
        interval(level)


def test_a_release_needs_every_value_and_people():
    m = FREQUENCY["GRR"].build(1.0, 3)
    with pytest.raises(ValueError, match=r"an estimate of each of the 3 values, got shape \(2,\)"):
        score_interval(m, [0.5, 0.5], 10)
    with pytest.raises(ValueError, match=r"n \(the number of people\) must be at least 1, got 0"):
        score_interval(m, [0.2, 0.3, 0.5], 0)


def test_a_mean_needs_people():
    with pytest.raises(ValueError, match=r"n \(the number of people\) must be at least 1, got 0"):
        number_interval(MEANS["PM"].build(1.0), 0.1, 0)


@pytest.mark.parametrize("epsilon", [0.5, 2.0, 6.0])
def test_the_interval_of_a_mean_by_hand(epsilon):
    """Duchi's reports are ±B: their largest variance is B², and all of their third moments are two terms."""
    made = MEANS["Duchi"].build(epsilon)
    far, x = 1 / np.tanh(epsilon / 2), made.points
    up = (1 + x / far) / 2
    third = np.max((up * (far - x) ** 3 + (1 - up) * (far + x) ** 3) / (far**2 - x**2))
    for n, level in ((30, 0.6), (50, 0.95), (4000, 0.99), (10**8, 0.5)):
        z = stats.norm.ppf((1 + level) / 2)
        half = z * far / np.sqrt(n) + max(0, z**2 - 1) / 6 * third / n
        low, high = number_interval(made, 0.05, n, level)
        assert (low, high) == pytest.approx((max(-1, 0.05 - half), min(1, 0.05 + half)), abs=1e-12)


@pytest.mark.parametrize("epsilon", [0.5, 8.0])
@pytest.mark.parametrize("key", MEANS)
def test_among_many_people_the_interval_of_a_mean_is_the_normal_one(key, epsilon):
    """± the quantile times the error of the worst numbers, and no wider: what is too wide covers as well."""
    made, n = MEANS[key].build(epsilon, low=((-1, 0.5),)), 10**10
    x = np.concatenate([np.linspace(-1, 1, 4001), [0.5 - 1e-12, 0.5 + 1e-12]])
    half = stats.norm.ppf(0.975) * np.sqrt(made.moments(x, "unbiased")[1].max() / n)
    low, high = number_interval(made, 0.0, n)
    assert (low, high) == pytest.approx((-half, half), rel=2e-3)


def test_the_interval_of_a_cell_is_of_one_group():
    chosen = (Choice(Marks.of(["COPD"]), 0.5),)
    study = Study(Source("health"), "condition", Marks.of(["HIV"]), ("uSS",), choices=chosen)
    here = frequency.cell(study, prepare(study), "uSS", 1.0)
    with pytest.raises(ValueError, match="an interval is of one group of people"):
        here.interval(here.freq)


@for_each("level", [0.8, 0.95])
@for_each("key", FREQUENCY)
def test_among_many_people_it_is_the_normal_interval(key, level):
    """A common value's share: ± the quantile times the exact standard error, to within 1 %."""
    m, freq, n = FREQUENCY[key].build(1.0, 6, MARKS), np.full(6, 1 / 6), 10**9
    low, high = score_interval(m, freq, n, level)
    assert high - low == pytest.approx(2 * stats.norm.ppf((1 + level) / 2) * np.sqrt(m.variance(freq, n)), rel=0.01)
    assert high + low == pytest.approx(2 * freq, rel=0.01)


def test_it_is_the_set_of_shares_that_are_not_rejected():
    """RAPPOR, by its definition: |estimate − f| ≤ step/2 + z·√Var(f), f over a fine grid."""
    m, n = FREQUENCY["RAPPOR"].build(1.0, 4), 60
    a, b = (part[0] for part in m._pair)
    estimate = np.array([-0.02, 0.1, 0.4, 0.97])
    grid = np.linspace(0, 1, 200_001)
    sd = np.sqrt((grid * a * (1 - a) + (1 - grid) * b * (1 - b)) / n) / (a - b)
    low, high = score_interval(m, estimate, n)
    for seen, left, right in zip(estimate, low, high, strict=True):
        kept = grid[np.abs(seen - grid) <= 0.5 / (n * (a - b)) + stats.norm.ppf(0.975) * sd]
        assert (left, right) == pytest.approx((min(kept[0], seen), kept[-1]), abs=1e-5)


@for_each("key", FREQUENCY)
@for_each("epsilon", [0.2, 4.0, 40.0])
def test_ends_are_shares_round_the_estimate(key, epsilon):
    """Also of estimates that no data can have: an interval is never empty, nor beyond what a share can be."""
    m = FREQUENCY[key].build(epsilon, 6, MARKS)
    estimate = stream(1, "wild").normal(0.2, 0.8, (500, 6))
    low, high = score_interval(m, estimate, 50)
    assert (low <= estimate).all()
    assert (estimate <= high).all()
    assert (low <= np.clip(estimate, 0, 1)).all()
    assert (high >= np.clip(estimate, 0, 1)).all()
    assert (low >= np.minimum(estimate, 0)).all()
    assert (high <= np.maximum(estimate, 1)).all()


def test_a_disclosed_value_that_nobody_was_seen_with():
    """N holders stay unseen with (1 − r)^N, and the interval ends near where that is 1 in 40."""
    m = FREQUENCY["uSS"].build(0.5, 6, MARKS)
    low, high = score_interval(m, [0.3, 0.3, 0.2, 0.2, 0, 0], 1000)
    unseen = np.log(0.025) / np.log1p(-m.disclosure()[4])
    assert low[4] == 0
    assert unseen <= 1000 * high[4] <= 1.3 * unseen


@for_each("key", FREQUENCY)
def test_variances_add_up_over_people(key):
    """What the interval of one value per person rests on."""
    m = FREQUENCY[key].build(1.0, 6, MARKS)
    freq = stream(1, "freq").dirichlet(np.ones(6))
    assert laws.close(freq @ [m.variance(row, 1) for row in np.eye(6)], m.variance(freq, 1))


@for_each("shape", SHAPES)
@for_each("key", SETS)
def test_variances_of_sets_are_lines_in_the_share(key, shape):
    """share·held + (1 − share)·absent is the exact variance, whatever sets are held together."""
    m = build(key, 1.0, shape)
    sets = set_laws.population(m)
    freq, company = set_laws.shares(m, sets), m.company(sets)
    line = released._line_of_sets(m, freq, company)
    assert laws.close(freq * line.held + (1 - freq) * line.absent, m.variance(freq, 1, company), 1e-5)


def test_other_variance_widens():
    m = SETS["uPrivSet"].build(1.0, 6, MARKS, 2)
    freq = np.full(6, 1 / 3)
    narrow, wide = (np.subtract(*score_interval(m, freq, 1000, extra=extra)[::-1]) for extra in (0.0, 1e-2))
    z = stats.norm.ppf(0.975)
    assert (wide > narrow).all()
    assert wide == pytest.approx(2 * z * np.sqrt(m.variance(freq, 1000) + 1e-2), rel=0.02)


def test_clopper_pearson_is_exact():
    """Its ends are where the binomial tails reach half of what is left."""
    low, high = clopper_pearson(3, 20, 0.9)
    assert stats.binom.sf(2, 20, low) == pytest.approx(0.05)
    assert stats.binom.cdf(3, 20, high) == pytest.approx(0.05)
    assert clopper_pearson(0, 20)[0] == 0
    assert clopper_pearson(20, 20)[1] == 1
    assert clopper_pearson(0, 0) == (0.0, 1.0)


def test_mean_interval():
    values = np.array([1.0, 2.0, 3.0, 4.0])
    expected = stats.t.interval(0.95, 3, 2.5, stats.sem(values))
    assert mean_interval(values) == pytest.approx(expected)
    assert mean_interval(values[:1]) == (1.0, 1.0)


def test_the_square_of_one_normal_error_has_the_interval_of_its_variance():
    """Known degrees of freedom: the textbook's χ² interval, in which only the mean counts."""
    squares = np.array([0.1, 4.0, 0.5, 1.4])
    expected = 6.0 / stats.chi2.ppf([0.975, 0.025], 4)
    assert error_interval(squares, freedom=(1, 1)) == pytest.approx(expected)
    assert error_interval(np.full(4, 1.5), freedom=(1, 1)) == pytest.approx(expected)


def test_equal_errors_and_single_ones_give_the_point():
    assert error_interval([0.3, 0.3, 0.3]) == (0.3, 0.3)
    assert error_interval([0.0, 0.0]) == (0.0, 0.0)
    assert error_interval([0.3]) == (0.3, 0.3)
    assert error_interval([1.0, 1.0], most=1) == (1.0, 1.0)


def test_scores_are_measured_from_the_nearer_end():
    scores = np.array([0.9, 0.95, 0.99, 0.8])
    low, high = error_interval(1 - scores)
    assert error_interval(scores, most=1) == pytest.approx((1 - high, 1 - low))
    assert error_interval(1 - scores, most=1) == pytest.approx((low, high))
    assert error_interval(100 * scores, most=100) == pytest.approx((100 - 100 * high, 100 - 100 * low))


@pytest.mark.parametrize("values", [(0.65, 0.86), (0.35, 0.14), (0.5, 0.51), (0.0, 1.0), (0.2, 0.9, 0.4)])
def test_the_interval_of_a_score_is_where_scores_are(values: tuple[float, ...]) -> None:
    """Two values leave so much open that the interval, measured from the nearer end, would pass the other."""
    low, high = error_interval(values, most=1)
    assert 0 <= low <= np.mean(values) <= high <= 1
    assert error_interval([100 * value for value in values], most=100) == pytest.approx((100 * low, 100 * high))


def covered(values, truth, **options):
    """How many of these runs (surveys, repetitions) have an interval that holds the truth."""
    repeats = np.full(len(values), float(values.shape[1]))
    low, high = error_ends(values.mean(axis=1), values.var(axis=1, ddof=1), repeats, **options)
    alone = [error_interval(row, **options) for row in values[:50]]
    assert np.transpose(alone) == pytest.approx(np.array([low[:50], high[:50]]))
    return np.count_nonzero((low <= truth) & (truth <= high))


@pytest.fixture(scope="module")
def squares():
    """χ²₁: of 3000 runs of 20 repetitions, a hundred and one each."""
    return stream(1, "weights").standard_normal((3000, 20, 101)) ** 2


@pytest.mark.parametrize("repeats", [3, 5, 10, 20])
@pytest.mark.parametrize("share", [1.0, 0.7, 0.5, 0.0])
def test_one_error_may_outweigh_a_hundred(squares, share, repeats):
    """χ²₁ with this share of the mean beside a hundred alike; 93 times in 100, else 1 alarm in 10⁶ (`enough`)."""
    weights = np.r_[share, np.full(100, (1 - share) / 100)]
    values = squares[:, :repeats] @ weights
    hits = covered(values, 1.0)
    assert stats.binom.cdf(hits, len(values), 0.93) > laws.ALPHA


@for_each("repeats", [5, 10])
@for_each("shape", [(8, 8), (20, 2), (2, 20), (3, 1)])
def test_scores_between_0_and_1_are_covered(shape, repeats):
    values = stream(1, "scores", *shape).beta(*shape, (3000, repeats))
    mean = shape[0] / sum(shape)
    hits = covered(values, mean, most=1)
    assert stats.binom.cdf(hits, len(values), 0.93) > laws.ALPHA
