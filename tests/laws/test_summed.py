"""Mechanisms whose reports are numbers that the collector sums: no table lists them, so a coarse grid stands for it.

No cell of the grid has a kink of the likelihood inside, so sums over it are integrals but for the square of its step,
COARSE: the closed forms must be the grid's to that.
"""

import numpy as np
import pytest
from scipy import stats

from ldpcore import custom
from ldpcore.attacks import bayes, naming
from ldpcore.catalog import FREQUENCY
from ldpcore.channel import Channel, ReportColumn
from ldpcore.mechanisms import summing
from ldpcore.randomizer import NotEnumerable
from ldpcore.rng import stream
from ldpcore.tally import Tally
from tests.laws import laws

SUMMED = [key for key, entry in FREQUENCY.items() if entry.factory.summed]
SHAPES = [(0.3, 2), (1.0, 2), (4.0, 2)]
WIDE = 16.0
"""Scales of the noise beyond which there is nothing."""
STEP = 0.15
"""Scales of the noise between two reports of the grid, at most."""
COARSE = STEP**2 / 6
MECHANISMS = [pytest.param(FREQUENCY[key].build(epsilon, k), id=f"{key}-{epsilon:g}-{k}")
              for key in SUMMED for epsilon, k in SHAPES]  # fmt: skip


def bit(m):
    """What 1 is, in the numbers that are sent."""
    return int(m.support(np.eye(m.k)[0])[0])


def table(m):
    """Reports in the middle of cells, of which 0 and 1 are ends; the chance of each cell: (k, reports)."""
    parts = 1 << max(0, int(np.ceil(np.log2(m.epsilon / 2 / STEP))))
    size = min(bit(m) // parts, int(STEP * 2 / m.epsilon * bit(m)))
    around = int(WIDE / STEP)
    axis = np.arange(-around, parts + around) * size + size // 2
    reports = np.array(np.meshgrid(*[axis] * m.k)).reshape(m.k, -1).T
    return reports, np.exp(m.log_likelihood(reports).T) * float(size) ** m.k


@pytest.mark.parametrize("m", MECHANISMS)
def test_the_likelihood_is_a_distribution_of_unbiased_estimates_with_the_stated_error(m):
    reports, chance = table(m)
    assert chance.sum(axis=1) == pytest.approx(np.ones(m.k), rel=COARSE)
    chance /= chance.sum(axis=1, keepdims=True)
    scores = np.array([m.estimate(Tally(1, row)) for row in reports])
    assert chance @ scores == pytest.approx(np.eye(m.k), abs=1e-5)
    within = chance @ scores**2 - (chance @ scores) ** 2
    for freq in laws.populations(m):
        assert freq @ within == pytest.approx(m.variance(freq, 1), rel=COARSE)


def test_the_noise_is_symmetric_and_zero_is_no_likelier_than_it_should_be():
    """With steps so wide that zero is common: χ² over 13 numbers; a right sampler fails once in a million."""
    m = FREQUENCY["SHE"].build(1.0, 2)
    vars(m)["_nats"] = nats = 0.7
    drawn = np.empty((100_001, 3), np.int64)
    m._noise(drawn, stream(4, "noise"))
    chance = np.tanh(nats / 2) * np.exp(-nats * np.abs(np.arange(-6, 7)))
    seen = np.array([np.count_nonzero(drawn == j) for j in range(-6, 7)])
    chance, seen = np.append(chance, 1 - chance.sum()), np.append(seen, drawn.size - seen.sum())
    assert stats.chisquare(seen, chance * drawn.size).pvalue > 1e-6


@pytest.mark.parametrize("epsilon", [1e-8, 1e-6, 1.0, 40.0])
def test_the_largest_noise_fits_into_a_report(epsilon):
    """numpy's exponential numbers end at 7.7 + 53 ln 2 < 44.5."""
    m = FREQUENCY["SHE"].build(epsilon, 2)
    assert np.iinfo(m.perturb([0], stream(5)).dtype).max > 44.5 * m.steps * 2 / epsilon + m.steps


@pytest.mark.parametrize("m", MECHANISMS)
def test_no_report_tells_more_than_its_budget_and_some_tells_all_of_it(m):
    reports, _ = table(m)
    log = m.log_likelihood(reports)
    loss = (log[:, :, None] - log[:, None, :]).max(axis=0)
    assert loss == pytest.approx(m.privacy_loss(), abs=1e-9)
    assert m.policy.name == "LDP"
    assert loss.max() == pytest.approx(m.policy.epsilon)


@pytest.mark.parametrize("m", MECHANISMS)
def test_what_is_guessed_and_named_is_the_grids(m):
    reports, chance = table(m)
    found = Channel(
        chance / chance.sum(axis=1, keepdims=True), tuple(ReportColumn(str(y)) for y in range(len(reports)))
    )
    for prior in laws.priors(m):
        assert bayes.success(m, prior) == pytest.approx(bayes.success_of_channel(found, prior), abs=2 * COARSE), prior
    named, log = m.names(reports), m.log_likelihood(reports)
    assert np.array_equal(named, np.isclose(log, log.max(axis=1, keepdims=True), rtol=0, atol=1e-9))
    # Between 0 and 1 a tie has no chance, and on the grid it has.
    highest = reports.max(axis=1)
    split = np.where((highest > 0) & (highest < bit(m)), named.sum(axis=1), 1)
    each = found.matrix @ (named / split[:, None])
    for v in range(m.k):
        said = naming.chances(m, v, np.full(m.k, 1 / m.k))
        assert said.holders == pytest.approx(each[v, v], abs=COARSE)
        assert said.others == pytest.approx(each[1 - v, v], abs=COARSE)


@pytest.mark.parametrize("key", SUMMED)
@pytest.mark.parametrize(("epsilon", "k"), [(1.0, 5), (6.0, 40)])
def test_reports_follow_the_likelihood(key, epsilon, k):
    """The noise is Laplace's, the same on every value whoever reports, and naming is what happens."""
    m, rng, n = FREQUENCY[key].build(epsilon, k), stream(1, "noise"), 20_000
    values = rng.integers(0, k, n)
    reports = m.perturb(values, rng)
    noise = reports / bit(m) - np.eye(k)[values]
    for column in range(0, k, 7):
        for held in (values == column, values != column):
            assert stats.kstest(noise[held, column], stats.laplace(scale=2 / epsilon).cdf).pvalue > laws.ALPHA
    assert np.abs(np.corrcoef(noise.T) - np.eye(k)).max() < stats.norm.isf(laws.ALPHA) / np.sqrt(n)
    named, stated = m.names(reports).mean(axis=0), m.naming(np.bincount(values, minlength=k) / n)
    assert (np.abs(named - stated) < stats.norm.isf(laws.ALPHA) * np.sqrt(stated / n)).all()


@pytest.mark.parametrize("key", SUMMED)
@pytest.mark.parametrize("n", [1, 3])
def test_surveys_have_the_law_of_their_reports(key, n):
    m, rng = FREQUENCY[key].build(1.0, 3), stream(2, "surveys")
    counts = np.array([n - 1, 0, 1])
    drawn = m.draw(counts, rng, 4000)
    held = np.tile(np.repeat(np.arange(3), counts), 4000)
    sent = m.perturb(held, rng).reshape(4000, n, 3).sum(axis=1)
    for column in range(3):
        assert stats.ks_2samp(drawn[:, column], sent[:, column]).pvalue > laws.ALPHA


@pytest.mark.parametrize("key", SUMMED)
def test_surveys_of_a_billion_have_the_stated_error(key):
    m, counts = FREQUENCY[key].build(0.5, 4), np.array([7, 0, 1, 2]) * 10**8
    estimates, peak = laws.traced(lambda: m.simulate(counts, stream(3, "billion"), laws.SURVEYS))
    error = estimates - counts / 1e9
    assert peak < 50e6
    assert (error**2).mean(axis=0) == pytest.approx(m.variance(counts / 1e9, 10**9), rel=0.05)
    assert np.abs(np.corrcoef(error.T) - np.eye(4)).max() < stats.norm.isf(laws.ALPHA) / np.sqrt(laws.SURVEYS)


@pytest.mark.parametrize("key", SUMMED)
def test_the_attack_gets_what_is_stated(key):
    """At an ε where it wins often, and among many values whose shares differ."""
    laws.success_is_what_the_attack_gets(FREQUENCY[key].build(8.0, 60))


def test_an_integral_is_the_same_in_blocks_of_any_size(monkeypatch):
    m, prior = FREQUENCY["SHE"].build(2.0, 5), np.array([0.4, 0.3, 0.2, 0.1, 0.0])
    whole = bayes.success(m, prior)
    monkeypatch.setattr(summing, "BLOCK", 7)
    assert bayes.success(m, prior) == pytest.approx(whole, rel=1e-12)


def test_the_usual_error():
    assert FREQUENCY["SHE"].build(0.5, 3).variance(None, 100) == pytest.approx([8 / 0.5**2 / 100] * 3)


@pytest.mark.parametrize("key", SUMMED)
def test_who_needs_a_table_is_told(key):
    for ask in (
        lambda: custom.channel_of(key, 1.0, 4),
        lambda: FREQUENCY[key].build(1.0, 4).column(np.zeros((1, 4), int)),
    ):
        with pytest.raises(NotEnumerable, match=f"{key} sends numbers, of which there is no end"):
            ask()
