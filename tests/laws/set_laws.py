"""What every mechanism for sets must obey. As in laws.py: plain functions of one mechanism, which name none."""

from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from ldpcore.channel import SetChannel
from ldpcore.rng import stream
from ldpcore.set_randomizer import SetRandomizer
from ldpcore.tally import Tally
from tests.laws.laws import ALPHA, close, fits

SURVEYS = 2000
"""A variance 30 % off or a mean 0.15 standard deviations off shows at ALPHA; smaller faults show exactly."""
USERS = 40
PUBLIC = 7
DRAWS = 40_000
"""A chance of 0.3 that is 5 % off lies 6.5 standard deviations away."""


def public(m: SetRandomizer) -> int | None:
    return PUBLIC if m.hashed else None


def population(m: SetRandomizer, users: int = USERS, name: str = "population") -> NDArray[np.intp]:
    """Correlated sets: low codes are popular, and half of the users are alike."""
    rng = stream(3, name, m.inner, m.m)
    keys = rng.random((users, m.inner)) ** (1 / (1 + np.arange(m.inner)[::-1]))
    keys[: users // 2] = keys[0]
    return np.sort(np.argsort(-keys, axis=1)[:, : m.m], axis=1)


def shares(m: SetRandomizer, sets: NDArray[np.intp]) -> NDArray[np.float64]:
    return np.bincount(sets.ravel(), minlength=m.inner)[: m.k] / len(sets)


@cache
def channel(m: SetRandomizer) -> SetChannel:
    """Most laws ask for it, and a mechanism does not change."""
    return m.channel(public(m))


def likelihood_is_a_distribution(m: SetRandomizer) -> None:
    """The reports exhaust the law: rows sum to 1; and so many are counted, on a ring no fewer."""
    columns = channel(m).columns
    assert close(channel(m).matrix.sum(axis=1), 1)
    assert len(columns) == m.count_outputs() or (m.hashed and len(columns) < m.count_outputs())
    assert len({column.label for column in columns}) == len(columns)


def keeps_its_policy(m: SetRandomizer) -> None:
    verdict = m.policy.check(channel(m))
    assert verdict.holds, verdict.why


def estimate_and_variance_are_the_channels(m: SetRandomizer) -> None:
    """Unbiased, and the closed form exact, from the likelihood of every report and any correlated sets."""
    if m.hashed:  # averages over hashes: for the sampling laws
        return
    outputs, sets = m.outputs(), population(m)
    score = np.array([m.estimate(m.tally(outputs[i : i + 1])) for i in range(len(outputs))])
    chance = np.exp(m.log_likelihood(outputs, sets)).T
    mean, square = chance @ score, chance @ score**2
    assert close(mean.mean(axis=0), shares(m, sets), 1e-7)
    exact = (square - mean**2).mean(axis=0) / len(sets)
    assert close(m.variance(shares(m, sets), len(sets), m.company(sets)), exact, 1e-7)


def likelihood_is_each_reports_own(m: SetRandomizer) -> None:
    """However many are looked at together, whether or not two share a hash, and with sets of one's own."""
    sets = m.all_sets()[:7]
    reports = m.perturb(sets, stream(4, "own"))
    whole = m.log_likelihood(reports, sets)
    assert np.array_equal(m.log_likelihood(np.concatenate([reports, reports]), sets), np.vstack([whole, whole]))
    turned = range(len(sets))
    own = m.own_log_likelihood(reports, np.stack([np.roll(sets, by, axis=0) for by in turned]))
    assert np.array_equal(own, np.stack([np.roll(whole[i], i) for i in turned]))


def others_count_alike(m: SetRandomizer) -> None:
    """Where it says so: sets with the same marked items, that all hold what a report discloses, send it alike."""
    if not m.others_alike:
        return
    sets = channel(m).sets
    hidden = np.unique(np.where(m.marked[sets], sets, -1), axis=0, return_inverse=True)[1].ravel()
    for chances, column in zip(channel(m).matrix.T, channel(m).columns, strict=True):
        able = np.isin(sets, column.disclosed).sum(axis=1) == len(column.disclosed)
        for kind in np.unique(hidden[able]):
            alike = chances[able & (hidden == kind)]
            assert close(alike, alike[0])


def perturb_follows_the_likelihood(m: SetRandomizer) -> None:
    """χ² at ALPHA for four sets: the first, the last, one between, one with the most unmarked items; over the reports,
    and over what they disclose.
    """
    columns, matrix, every = channel(m).columns, channel(m).matrix, m.all_sets()
    shown = np.unique([str(column.disclosed) for column in columns], return_inverse=True)[1]  # type: ignore[attr-defined]
    open_most = int(np.argmin(np.count_nonzero(m.marked[every], axis=1)))
    for row in {0, len(every) // 2, len(every) - 1, open_most}:
        rng, sets = stream(4, "perturb", row), np.repeat(every[row : row + 1], DRAWS, axis=0)
        reports = m.perturb(sets, rng, public=PUBLIC) if m.hashed else m.perturb(sets, rng)  # type: ignore[call-arg]
        seen = np.bincount(m.column(reports, public(m)), minlength=len(columns))
        assert fits(seen, matrix[row])
        if shown.any():
            assert fits(np.bincount(shown, seen), np.bincount(shown, matrix[row]))


@cache
def simulated(m: SetRandomizer) -> NDArray[np.float64]:
    """Estimates of SURVEYS: (surveys, k)."""
    return m.simulate(population(m), stream(5, "simulate"), SURVEYS)


@cache
def surveyed(m: SetRandomizer) -> NDArray[np.float64]:
    """The same, half as many, from real reports, each with its own hash."""
    reports = m.perturb(np.tile(population(m), (SURVEYS // 2, 1)), stream(6, "surveys"))
    totals = [m.tally(reports[start : start + USERS]).total for start in range(0, len(reports), USERS)]
    assert m.estimate(Tally(USERS, totals[0])).tolist() == m.invert(totals[0] / USERS).tolist()
    return m.invert(np.array(totals) / USERS)


def simulate_has_the_law(m: SetRandomizer) -> None:
    """Means and variances of whole surveys against the closed form; χ² and z at ALPHA over all values."""
    _agree(m, population(m), simulated(m))


def surveys_have_the_law(m: SetRandomizer) -> None:
    """The same for real reports."""
    _agree(m, population(m), surveyed(m))


def simulate_and_perturb_share_their_covariance(m: SetRandomizer) -> None:
    """One contrast of all items, with fixed weights: its variance sees the correlations."""
    weights = stream(7, "weights").normal(size=m.k)
    real, drawn = surveyed(m) @ weights, simulated(m) @ weights
    gap = np.log(np.var(real, ddof=1) / np.var(drawn, ddof=1))
    heavy = (stats.kurtosis(real) + stats.kurtosis(drawn)) / 2
    spread = np.sqrt((2 + max(heavy, 0)) * (1 / len(real) + 1 / len(drawn)))
    assert abs(gap) < stats.norm.isf(ALPHA / 2) * spread + 1e-9


def _agree(m: SetRandomizer, sets: NDArray[np.intp], estimates: NDArray[np.float64]) -> None:
    freq, count = shares(m, sets), len(estimates)
    exact = m.variance(freq, len(sets), m.company(sets))
    sure = exact < 1e-15
    assert close(estimates[:, sure], freq[sure], 1e-7)
    estimates, exact, freq = estimates[:, ~sure], exact[~sure], freq[~sure]
    reach = stats.norm.isf(ALPHA / 2 / max(len(exact), 1))
    assert np.all(np.abs(estimates.mean(axis=0) - freq) <= reach * np.sqrt(exact / count))
    # The spread of a sample variance from the sample's own fourth moment, at least the normal one.
    spread = np.sqrt((2 + np.maximum(stats.kurtosis(estimates, axis=0), 0)) / count)
    assert np.all(np.abs(estimates.var(axis=0, ddof=1) / exact - 1) <= reach * spread * 1.2)


def reports_are_canonical(m: SetRandomizer) -> None:
    """The order in which a set is written changes nothing; a slice of reports is as good as the whole."""
    sets = population(m)
    turned = stream(8, "order").permuted(sets, axis=1)
    one, other = m.perturb(sets, stream(8)), m.perturb(turned, stream(8))
    assert one.tobytes() == other.tobytes()
    assert m.tally(one[:10]) + m.tally(one[10:]) == m.tally(one)
    assert m.tally(one).total.shape == (m.k,)
    assert m.tally(one).total.dtype == np.int64


@cache
def _any_sets(inner: int, m: int) -> NDArray[np.intp]:
    return np.array([stream(9, "sets", i).choice(inner, m, replace=False) for i in range(4000)])


def report_size_is_as_computed(m: SetRandomizer) -> None:
    """Expected against measured bits; exact where the size is fixed, else within 5 standard deviations (≤ 1e-6)."""
    sets = _any_sets(m.inner, m.m)
    reports = m.perturb(sets, stream(9))
    each = [m.measure_bits(reports[i : i + 1]) for i in range(0, 4000, 8)]
    spread = np.std(each) / np.sqrt(4000)
    assert abs(m.measure_bits(reports) - m.report_bits(shares(m, sets))) <= 5 * spread + 1e-9


def nothing_marked_shows(m: SetRandomizer) -> None:
    """No report discloses a sensitive item or a dummy: padding is as well protected as a mark."""
    assert m.marked[m.k :].all()
    for column in channel(m).columns:
        assert all(item < m.k and not m.marked[item] for item in column.disclosed)  # type: ignore[attr-defined]


ALL = (
    nothing_marked_shows,
    likelihood_is_a_distribution,
    keeps_its_policy,
    estimate_and_variance_are_the_channels,
    likelihood_is_each_reports_own,
    others_count_alike,
    perturb_follows_the_likelihood,
    reports_are_canonical,
)
SAMPLED = (
    simulate_has_the_law,
    surveys_have_the_law,
    simulate_and_perturb_share_their_covariance,
    report_size_is_as_computed,
)
