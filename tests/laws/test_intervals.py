"""Intervals cover, crossed with the catalogue: every value of a release, rare and common; and simulated errors.

Nominal level 95 %. A release must cover each single share at least 94 times in 100, errors at least 93 times. A case
fails where so few hits have a chance below ALPHA at that coverage: 1e-6 is the false-alarm rate of each, and as streams
are fixed it is paid only when a sampler or an interval changes.
"""

from math import inf

import numpy as np
import pytest
from scipy import stats

from ldpcore.catalog import FREQUENCY, LEVELED_MEANS, LEVELED_SETS, LEVELS, MEANS, SETS
from ldpcore.custom import CustomMechanism, channel_of
from ldpcore.estimators.intervals import error_ends, error_interval
from ldpcore.estimators.released import number_interval, score_interval
from ldpcore.rng import stream
from tests.laws import cases, laws, set_laws

SETTINGS = (
    (0.2, (2, 1)),
    (0.2, (12, 6)),
    (1.0, (6, 1)),
    (1.0, (12, 12)),
    (4.0, (2, 1)),
    (4.0, (6, 1)),
    (4.0, (12, 6)),
)
"""ε and (k, marked): of the twelve pairs those where every shape and every ε is met, and more at the largest ε, where
counts are few and intervals are farthest from normal ones.
"""
SET_SETTINGS = (
    (0.2, (12, 6, 3, 0), 400),
    (1.0, (8, 1, 2, 2), 100),
    (4.0, (12, 6, 3, 0), 400),
    (4.0, (8, 1, 2, 2), 100),
)
"""ε, (k, marked, m, dummies) and people; of the six pairs, likewise."""
SURVEYS = 2000
"""Of which 91.3 % must hit (of half as many, 90.1 %)."""
LEAST_SHARE, LEAST_ERROR = 0.94, 0.93


def enough(hits, trials, least):
    """Whether so few hits could be chance if every trial hit with probability `least`."""
    return stats.binom.cdf(hits, trials, least) > laws.ALPHA


# released shares -----------------------------------------------------------------------------------------------------


def spread(mask, n):
    """Of either kind: nobody, one person, 3, 10, a tenth of all; the last unmarked (or last) value takes the rest."""
    counts = np.zeros(len(mask), int)
    for kind in (np.flatnonzero(mask), np.flatnonzero(~mask)):
        some = [0, 1, 3, 10, n // 10, n // 10][: len(kind)]
        counts[kind[: len(some)]] = some
    last = np.flatnonzero(~mask)[-1] if not mask.all() else len(mask) - 1
    counts[last] += n - counts.sum()
    return counts


def nearly_all(code, k, n):
    """Everybody but three people holds one value."""
    counts = np.bincount((code + 1 + np.arange(3)) % k, minlength=k)
    counts[code] += n - counts.sum()
    return counts


def populations(mask, n):
    k = len(mask)
    firsts = {int(np.argmax(mask)), int(np.argmin(mask))}
    return [spread(mask, n), *(nearly_all(code, k, n) for code in firsts), *(n * np.eye(k, dtype=int)[list(firsts)])]


def uncovered(low, high, shares):
    """The values whose shares too few of the intervals (surveys, k) hold: (their shares, how many hits)."""
    hits = np.sum((low <= shares + 1e-12) & (shares - 1e-12 <= high), axis=0)
    missed = ~enough(hits, len(low), LEAST_SHARE)
    return list(zip(shares[missed].tolist(), hits[missed].tolist(), strict=True))


@pytest.mark.one_in(2)  # each mechanism at every second setting, each setting with half of them
@pytest.mark.parametrize(("epsilon", "shape"), SETTINGS, ids=str)
@pytest.mark.parametrize("key", FREQUENCY)
def test_a_release_covers_every_share(key, epsilon, shape):
    k, marked = shape
    mask = cases.marks(k, marked)
    m = FREQUENCY[key].build(epsilon, k, mask)
    for n in (100, 2000, 100_000):
        for counts in populations(mask, n):
            estimates = m.simulate(counts, stream(1, "coverage", key), SURVEYS)
            assert not uncovered(*score_interval(m, estimates, n), counts / n)


@pytest.mark.one_in(2)  # of fewer values every mechanism, above
@pytest.mark.parametrize("key", FREQUENCY)
def test_a_release_of_many_values_covers_every_share(key):
    """More values than people in places: what the interval takes from the other estimates is then mostly noise."""
    mask = cases.marks(100, 10)
    m = FREQUENCY[key].build(4.0, 100, mask)
    for counts in populations(mask, 200):
        estimates = m.simulate(counts, stream(2, "coverage", key), SURVEYS // 2)
        assert not uncovered(*score_interval(m, estimates, 200), counts / 200)


LEVELED = {
    "many": (inf,) * 5 + (1.0,) * 5 + (0.25,) * 4,
    "loud": (inf,) * 3 + (4.0,) * 4 + (1.0,) * 3,
    "none public": (1.0, 0.4, 0.4, 2.0),
}
"""ε of every value. Of the first a public value with one holder was missed in 12 of 100 surveys of any size, of the
second one without a holder in every survey, by a hair: disclosed values that nobody holds are estimated by almost 0.
"""


def covered_as_released(m, mask, surveys=SURVEYS, people=(100, 1000, 50_000)):
    for n in people:
        for counts in populations(mask, n):
            estimates = m.simulate(counts, stream(5, "coverage"), surveys)
            assert not uncovered(*score_interval(m, estimates, n), counts / n), n


@pytest.mark.parametrize("name", LEVELED)
@pytest.mark.parametrize("key", LEVELS)
def test_a_release_with_levels_covers_every_share(key, name):
    covered_as_released(LEVELS[key].build(LEVELED[name]), np.isfinite(LEVELED[name]), SURVEYS // 2)


@pytest.mark.parametrize("key", cases.TABLED)
def test_a_release_of_ones_own_covers_every_share(key):
    """A table that somebody wrote down; here those of the catalogue."""
    mask = cases.marks(6, 1)
    covered_as_released(CustomMechanism(channel_of(key, 2.0, 6, mask).matrix, mask), mask, SURVEYS // 2, (100, 50_000))


def baskets(m, n, name):
    """Sets of which one item of either kind is held by nobody, one by one person, one by three; others by many."""
    rng, inside = stream(3, name), m.marked
    weight = np.r_[np.linspace(2, 1, m.k), np.ones(m.dummies)]
    rare = [code for kind in (inside[: m.k], ~inside[: m.k]) for code in np.flatnonzero(kind)[1:4]]
    rare = rare[: m.inner - m.m]
    weight[rare] = 0
    sets = np.argsort(-np.where(weight > 0, rng.random((n, m.inner)) ** (1 / np.maximum(weight, 1e-9)), -1), axis=1)
    sets = np.sort(sets[:, : m.m], axis=1)
    for place, code in enumerate(rare):
        for person in range((0, 1, 3)[place % 3]):
            sets[7 * place + person, 0] = code
    return np.sort(sets, axis=1)


@pytest.mark.one_in(2)  # each mechanism at every second setting, each setting with half of them
@pytest.mark.parametrize(("epsilon", "shape", "n"), SET_SETTINGS, ids=str)
@pytest.mark.parametrize("key", SETS)
def test_a_release_of_sets_covers_every_share(key, epsilon, shape, n):
    k, marked, size, dummies = shape
    m = SETS[key].build(epsilon, k, cases.marks(k, marked), size, dummies)
    sets = baskets(m, n, "baskets")
    estimates = m.simulate(sets, stream(1, "coverage", key), SURVEYS // 2)
    shares = set_laws.shares(m, sets)
    assert not uncovered(*score_interval(m, estimates, n, company=m.company(sets)), shares)
    assert not uncovered(*score_interval(m, estimates, n), shares)


@pytest.mark.parametrize("dummies", [0, 2])
@pytest.mark.parametrize("key", LEVELED_SETS)
def test_a_release_of_sets_with_levels_covers_every_share(key, dummies):
    m, n = LEVELED_SETS[key].build((inf,) * 4 + (2.0,) * 4 + (0.5,) * 4, 3, dummies), 400
    sets = baskets(m, n, "leveled")
    estimates = m.simulate(sets, stream(1, "coverage", key), SURVEYS // 2)
    assert not uncovered(*score_interval(m, estimates, n), set_laws.shares(m, sets))


# a released mean -----------------------------------------------------------------------------------------------------

PARTS = ((-1.0, 0.0, inf), (0.0, 0.5, 2.0), (0.5, 1.0, 0.5))
MEAN_CASES = [(key, epsilon) for key in MEANS for epsilon in (0.5, 8.0)] + [(key, None) for key in LEVELED_MEANS]


@pytest.mark.one_in(2, 1)  # every mechanism without levels is usual at ε = 8, where it is hardest
@pytest.mark.parametrize(("key", "epsilon"), MEAN_CASES, ids=str)
def test_a_released_mean_is_covered(key, epsilon):
    """Everybody at one end, half at either, all in the middle; at ε = 8 nearly every report is right, and one of fifty
    far off: among 30 people a normal interval holds the mean of both ends 90 times in 100.
    """
    m = LEVELED_MEANS[key].build(PARTS) if epsilon is None else MEANS[key].build(epsilon, low=((-1, 0.5),))
    for n in (10, 30, 300):
        for x in ((-1.0,), (1.0,), (-1.0, 1.0), (0.0,)):
            held = np.resize(x, n)
            reports = m.perturb(np.tile(held, SURVEYS // 4), stream(6, "mean", key))
            means = (reports if m.unbiased else m.score(reports)).reshape(-1, n).mean(axis=1)
            low, high = number_interval(m, means, n)
            hits = np.count_nonzero((low <= held.mean() + 1e-12) & (held.mean() - 1e-12 <= high))
            assert enough(hits, len(means), LEAST_SHARE), (n, x, hits)


# errors over repetitions ---------------------------------------------------------------------------------------------

REPETITIONS = (5, 10)
SIMULATED = 6000
"""Surveys: 1200 runs of 5, of which 89.2 % must hit lest the alarm be raised, and 600 of 10 (87.5 %)."""
SIMULATED_SETS = 3000
"""Surveys of sets, which take longer: 600 runs of 5 and 300 of 10 (85.0 %). The interval is the same one, and what is
new of sets, the law of their errors, has laws of its own (set_laws.py).
"""


def rows(values, repeats):
    return values[: len(values) // repeats * repeats].reshape(-1, repeats)


def all_covered(values, truth, **options):
    """Errors (repetitions,) in runs of 5 and of 10, and the exact mean."""
    for repeats in REPETITIONS:
        runs = rows(values, repeats)
        low, high = error_ends(
            runs.mean(axis=1), runs.var(axis=1, ddof=1), np.full(len(runs), float(repeats)), **options
        )
        assert error_interval(runs[0], **options) == pytest.approx((low[0], high[0]))
        hits = np.count_nonzero((low <= truth) & (truth <= high))
        assert enough(hits, len(runs), LEAST_ERROR), (repeats, hits / len(runs))


def scopes(mask):
    parts = {"all": np.ones(len(mask), bool), "sensitive": mask, "other": ~mask}
    return [part for part in parts.values() if part.any()]


OF_TWO, OF_A_HUNDRED, UNEVEN = ((2, 1), 1.0), ((100, 1), 1.0), ((30, 12), 0.9)


@pytest.mark.one_in(2)  # each mechanism with one of these shapes, or with two
@pytest.mark.parametrize(
    ("key", "shape", "ratio"),
    [
        pytest.param(key, *case, id=f"{key}-{case}")
        for key, entry in FREQUENCY.items()
        for case in (OF_TWO, OF_A_HUNDRED, UNEVEN)
        if entry.uses_marks or case != OF_A_HUNDRED
    ],
)
def test_the_error_over_surveys_is_covered(key, shape, ratio):
    """Marks one of two, one of a hundred alike (its error weighs as much as all others'), and many of uneven ones.

    Where marks change nothing that one is a value like any other: the square of one error, as that of two values is,
    and the mean of a hundred alike, whose interval test_one_error_may_outweigh_a_hundred holds against its own law.
    """
    k, marked = shape
    mask, n = cases.marks(k, marked), 10_000
    m = FREQUENCY[key].build(1.0, k, mask)
    counts = np.floor(n * ratio ** np.arange(k) / np.sum(ratio ** np.arange(k))).astype(int)
    counts[0] += n - counts.sum()
    squares = (m.simulate(counts, stream(4, "errors", key), SIMULATED) - counts / n) ** 2
    for part in scopes(mask):
        all_covered(squares[:, part].mean(axis=1), m.variance(counts / n, n)[part].mean())


@pytest.mark.parametrize("key", SETS)
def test_the_error_over_surveys_of_sets_is_covered(key):
    mask, n = cases.marks(12, 4), 200
    m = SETS[key].build(1.0, 12, mask, 2, 0)
    sets = set_laws.population(m, n)
    freq = set_laws.shares(m, sets)
    squares = (m.simulate(sets, stream(4, "errors", key), SIMULATED_SETS) - freq) ** 2
    exact = m.variance(freq, n, m.company(sets))
    for part in scopes(mask):
        all_covered(squares[:, part].mean(axis=1), exact[part].mean())


@pytest.mark.parametrize("key", MEANS)
def test_the_error_of_a_mean_is_covered(key):
    m = MEANS[key].build(1.0, low=((-0.5, 0.5),))
    x, counts = np.array([-0.8, 0.1, 0.6]), np.array([300, 200, 500])
    errors = m.simulate(x, stream(4, "errors", key), SIMULATED, "unbiased", counts) - x @ counts / 1000
    all_covered(errors**2, m.variance(np.repeat(x, counts)), freedom=(1, 1))
