"""Covariance, correlation and slope of two hidden numbers, by every mechanism for means.

Fixed streams; a right engine fails a mean of repetitions once in 2 million (5 standard errors), a coverage by ALPHA.
"""

import numpy as np
import pytest

from ldpcore.catalog import MEANS
from ldpcore.relations import numbers
from ldpcore.rng import stream
from tests.laws.test_intervals import enough

PEOPLE = stream(1, "numbers").uniform(-1, 1, 300)
RELATED = np.clip(0.6 * PEOPLE + 0.4 * stream(2, "numbers").uniform(-1, 1, 300), -1, 1)


@pytest.mark.parametrize("key", MEANS)
def test_covariances_and_slopes_are_unbiased_and_covered(key):
    m = MEANS[key].build(2.0)
    rng, both, slopes, hits = stream(3, "numbers", key), [], [], 0
    exact = float(np.cov(PEOPLE, RELATED, ddof=0)[0, 1])
    slope = exact / PEOPLE.var()
    for _ in range(400):
        who = rng.integers(300, size=300)  # people like these
        s, t = m.perturb(PEOPLE[who], rng), m.perturb(RELATED[who], rng)
        result = numbers.covariance(m, s, m, t)
        both.append(result.value)
        assert result.value == pytest.approx(np.cov(m.scores(s), m.scores(t))[0, 1])
        hits += result.low <= exact <= result.high
        slopes.append(numbers.slope(PEOPLE, m, m.perturb(RELATED, rng)).value)
    for values, truth in ((both, exact), (slopes, slope)):
        assert abs(np.mean(values) - truth) < 5 * np.std(values) / 20
    assert enough(hits, 400, 0.93)


@pytest.mark.parametrize("key", MEANS)
def test_a_correlation_is_told_where_squares_tell_the_spread(key):
    m, rng = MEANS[key].build(4.0), stream(4, "numbers", key)
    x, y = np.tile(PEOPLE, 400), np.tile(RELATED, 400)
    s, t = m.perturb(x, rng), m.perturb(y, rng)
    squares = np.add(*(part ** power for part, power in zip(m.moments(np.array([0.0, 1.0]), "unbiased")[::-1], (1, 2),
                                                             strict=True)))  # fmt: skip
    if np.ptp(squares) < 1e-9:
        with pytest.raises(ValueError, match="do not tell how numbers spread"):
            numbers.correlation(m, s, m, t)
        return
    assert numbers.correlation(m, s, m, t) == pytest.approx(np.corrcoef(x, y)[0, 1], abs=0.06)


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda m: numbers.covariance(m, np.zeros(3), m, np.zeros(2)), "3 numbers and 2 do not fit together"),
        (lambda m: numbers.covariance(m, np.zeros(1), m, np.zeros(1)), "needs two people at least"),
        (lambda m: numbers.slope(np.zeros(3), m, np.zeros(3)), "everybody has the same open number"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(act, sentence):
    with pytest.raises(ValueError, match=sentence):
        act(MEANS["PM"].build(1.0))
