"""The statistical tests are large enough: they notice an error of 5 % with the power they state."""

import numpy as np
import pytest
from scipy import stats

from ldpcore.attacks import bayes
from ldpcore.catalog import FREQUENCY
from ldpcore.rng import stream
from tests.laws import cases, laws

GRID = (0.02, 0.05, 0.1, 0.25, 0.5, 0.8, 0.95)
RUNS = 4000


@pytest.mark.parametrize("p", GRID)
def test_a_probability_that_is_five_per_cent_off_is_noticed(p):
    n = laws.enough(p)
    counts = stream(1, "power", p).binomial(n, min(p * (1 + laws.ERROR), 1.0), RUNS)
    assert np.mean(~laws.as_expected(counts, n, p)) >= laws.POWER


@pytest.mark.parametrize("p", GRID)
def test_a_right_probability_is_left_alone(p):
    """The exact test keeps its false-alarm rate: the chance of all counts that it refuses is at most ALPHA."""
    n = 2000
    counts = np.arange(n + 1)
    refused = counts[~laws.as_expected(counts, n, p)]
    assert 0 < stats.binom.pmf(refused, n, p).sum() <= laws.ALPHA


def test_sure_and_impossible_events_are_counted_exactly():
    assert laws.as_expected(10, 10, 1.0)
    assert not laws.as_expected(9, 10, 1.0)
    assert laws.as_expected(0, 10, 0.0)
    assert not laws.as_expected(1, 10, 0.0)


@pytest.mark.parametrize("cells", [2, 5, 32])
def test_a_table_of_reports_that_is_off_is_noticed(cells):
    """χ² on TABLED reports: the noncentrality of the smallest error that counts as seen, at POWER."""
    chances = np.full(cells, 1 / cells)
    rng = stream(2, "table", cells)
    bound = stats.chi2.isf(laws.ALPHA, cells - 1)
    reach = next(x for x in range(1, 500) if stats.ncx2.sf(bound, cells - 1, x) >= laws.POWER)
    # Two neighbouring cells exchange d: n·2d²·cells is the noncentrality.
    shift = np.sqrt(reach / (2 * laws.TABLED * cells))
    wrong = chances.copy()
    wrong[:2] += (shift, -shift)
    assert shift <= 0.05
    runs = [laws.fits(rng.multinomial(laws.TABLED, wrong), chances) for _ in range(400)]
    assert np.mean(runs) <= 0.03
    assert all(laws.fits(rng.multinomial(laws.TABLED, chances), chances) for _ in range(400))


def test_an_impossible_report_is_noticed_at_once():
    assert not laws.fits(np.array([500, 499, 1]), np.array([0.5, 0.5, 0.0]))


def test_rare_reports_are_pooled_not_ignored():
    rare = np.full(50, 1e-4)
    chances = np.r_[1 - rare.sum(), rare]
    assert laws.fits(stream(3, "rare").multinomial(laws.TABLED, chances), chances)
    doubled = np.r_[1 - 2 * rare.sum(), 2 * rare]
    assert not laws.fits(stream(3, "rare").multinomial(laws.TABLED, doubled), chances)


def test_a_variance_that_is_five_per_cent_off_is_noticed():
    """A normal estimate's sample variance over SURVEYS, at ALPHA."""
    spread = np.sqrt(2 / laws.SURVEYS)
    reach = stats.norm.isf(laws.ALPHA / 2) * spread
    assert stats.norm.sf((reach - laws.ERROR) / ((1 + laws.ERROR) * spread)) >= laws.POWER


def test_no_case_of_the_catalogue_is_cut_short():
    """`reports_needed` never meets its cap, so the stated power holds for every support probability."""
    needed = {
        name: int(laws.reports_needed(mechanism).max())
        for parameters in cases.crossed((laws.perturb_follows_the_likelihood,))
        for name, mechanism in parameters.values[1].items()
    }
    assert len(needed) > 100
    assert max(needed.values()) <= laws.MOST, max(needed, key=needed.get)


@pytest.mark.parametrize("key", FREQUENCY)
def test_the_attack_on_many_values_is_not_cut_short(key):
    won = [np.mean(bayes.success(cases.build(key, epsilon, 300, 75))) for epsilon in (1, 2, 4, 6, 8, 10, 12, 14)]
    assert max(won) >= 0.4
    assert laws.enough(0.4) <= 200_000
