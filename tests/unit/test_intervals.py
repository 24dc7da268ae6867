"""Intervals cover what they say they cover."""

import numpy as np
import pytest
from scipy import stats

from ldpcore.catalog import FREQUENCY
from ldpcore.estimators.intervals import clopper_pearson, half_width, mean_interval
from ldpcore.rng import stream


@pytest.mark.parametrize("level", [0.8, 0.95])
@pytest.mark.parametrize("key", FREQUENCY)
def test_half_width_covers(key, level):
    """2000 surveys × 6 values; over these the share covered lies within 2 points of the level."""
    m = FREQUENCY[key].build(1.0, 6, np.arange(6) < 3)
    counts = np.array([3000, 2500, 2000, 1500, 700, 300])
    freq, n = counts / counts.sum(), int(counts.sum())
    estimates = m.simulate(counts, stream(1, "coverage"), 2000)
    covered = [np.abs(row - freq) <= half_width(m, row, n, level) for row in estimates]
    assert np.mean(covered) == pytest.approx(level, abs=0.02)


@pytest.mark.parametrize("level", [0, 1, 1.5, -0.1])
def test_level_lies_between(level):
    with pytest.raises(ValueError, match=r"level must lie between 0 and 1, got .*; 0.95 is usual"):
        half_width(FREQUENCY["GRR"].build(1.0, 3), np.full(3, 1 / 3), 10, level)


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
