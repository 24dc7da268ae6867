"""What one report adds to the estimate, and how far a false one moves it: closed forms against all reports, listed."""

import itertools
from collections.abc import Iterator

import numpy as np
import pytest

from ldpcore import client, data
from ldpcore.attacks import manipulation
from ldpcore.catalog import FREQUENCY, LEVELED_MEANS, LEVELED_SETS, LEVELS, MEANS, SETS
from ldpcore.collection.phones import mechanism_reports
from ldpcore.custom import CustomMechanism
from ldpcore.domain import Categorical
from ldpcore.mechanisms.per_item import PerItem
from ldpcore.numeric_randomizer import NumericRandomizer
from ldpcore.randomizer import Randomizer
from ldpcore.rng import stream
from ldpcore.set_randomizer import SetRandomizer
from ldpcore.study import Marks, frequency
from ldpcore.study.frequency.facts import ShareFacts, plane
from tests.each import for_each
from tests.laws import cases, laws, test_accepts, test_levels

Mechanism = Randomizer | SetRandomizer


def values(key: str) -> Iterator[Randomizer]:
    if key in LEVELS:
        yield from (test_levels.build(key, name) for name in test_levels.CASES)
        return
    for epsilon, (k, marked) in cases.COVERING:
        yield cases.build(key, epsilon, k, marked)


def seeds(m: Mechanism) -> range | tuple[None]:
    return range(40) if m.hashed else (None,)


def listed(m: Mechanism) -> np.ndarray:
    """Scores of all reports that are accepted; of a hashed one of all that some seeds make."""
    outputs = np.concatenate([m.outputs(seed) for seed in seeds(m)])
    return m.scores(outputs[m.accepts(outputs)])


# scores ------------------------------------------------------------------------------------------------------------


@for_each("key", [*FREQUENCY, *LEVELS])
def test_scores_of_values_are_unbiased_and_their_mean_is_the_estimate(key):
    """P·S = 1, and a tally is the sum of what its reports score."""
    for m in values(key):
        reports = m.perturb(np.arange(m.k).repeat(9), stream(1, "scores", key))
        assert laws.close(m.scores(reports).mean(axis=0), m.estimate(m.tally(reports)))
        if not (m.hashed or m.summed):
            assert laws.close(m.channel().matrix @ m.scores(m.outputs()), np.eye(m.k), 1e-7)


@pytest.mark.parametrize("key", [*SETS, *LEVELED_SETS])
def test_scores_of_sets_are_unbiased_and_their_mean_is_the_estimate(key):
    for case, m in test_accepts.for_sets(key).items():
        sets = m.all_sets()
        reports = m.perturb(np.tile(sets, (3, 1)), stream(2, "scores", key))
        assert laws.close(m.scores(reports).mean(axis=0), m.estimate(m.tally(reports))), case
        if not m.hashed:
            outputs = m.outputs()
            holds = (sets[:, :, None] == np.arange(m.k)).any(axis=1)
            chance = np.exp(m.log_likelihood(outputs, sets)).T
            assert laws.close(chance @ m.scores(outputs), holds, 1e-6), case


def unbiased(key: str) -> Iterator[NumericRandomizer]:
    yield from (m for m in test_accepts.for_numbers(key).values() if "unbiased" in m.estimates())


@pytest.mark.parametrize("key", [*MEANS, *LEVELED_MEANS])
def test_scores_of_numbers_have_the_moments_and_their_mean_is_the_estimate(key):
    """20 000 reports of one number: five standard errors, a false alarm in 10⁶ for each of some 60 cases."""
    for m in unbiased(key):
        x = np.array([0.3])
        s = m.scores(m.perturb(x.repeat(20_000), stream(3, "scores", key)))
        mean, variance = m.moments(x, "unbiased")
        assert abs(s.mean() - mean[0]) <= 5 * np.sqrt(variance[0] / len(s)) + 1e-12
        reports = m.perturb(np.linspace(-1, 1, 99), stream(4, "scores", key))
        assert laws.close(m.scores(reports).mean(), m.estimate_mean(reports, "unbiased"), 1e-7)


# extremes ----------------------------------------------------------------------------------------------------------


def agree(m: Mechanism, case: object) -> None:
    """Extremes, contrasts and both norms of all reports, listed; of hashed ones none is beyond."""
    scores, rng = listed(m), stream(5, "objectives", m.k)
    low, high = manipulation.extremes(m)
    assert laws.close(low, scores.min(axis=0)), case
    assert laws.close(high, scores.max(axis=0)), case
    freq, weights = rng.dirichlet(np.ones(m.k)), rng.normal(size=m.k)
    closed = [
        manipulation.contrast(m, weights),
        manipulation.contrast(m, -np.abs(weights)),
        manipulation.spread(m, freq),
        manipulation.spread(m, freq, 2),
    ]
    away = scores - freq
    exact = [(scores @ weights).max(), (scores @ -np.abs(weights)).max()]
    exact += [np.abs(away).sum(axis=1).max(), np.linalg.norm(away, axis=1).max()]
    assert np.all(np.array(closed) >= np.array(exact) - 1e-9 * np.abs(exact)), case
    assert m.hashed or laws.close(closed, exact), case


def of_a_family(m: Mechanism, case: object) -> None:
    """Every report scores as one of its mechanism's forms says, and supports as many of each choice as that may."""
    outputs = m.outputs()
    outputs = outputs[m.accepts(outputs)]
    scores, added = m.scores(outputs), m.supported(outputs)
    fits = np.zeros(len(outputs), bool)
    for family in m.families():
        beside = np.ones(m.k, bool)
        right = np.isclose(scores, np.where(added > 0, family.on, family.off), atol=1e-9).all(axis=1)
        for codes, least, most in family.choices:
            count = (added[:, codes] > 0).sum(axis=1)
            right &= (count >= least) & (count <= most)
            beside[codes] = False
        fits |= right & ~added[:, beside].any(axis=1)
    assert fits.all(), case


@for_each("key", dict.fromkeys([*FREQUENCY, *SETS, *LEVELED_SETS]))
def test_every_report_is_of_a_family(key):
    for m in values(key) if key in FREQUENCY else ():
        if m.families() and not m.hashed and key != "SDSS":  # where a label beside a subset may count nothing
            of_a_family(m, (m.epsilon, m.k))
    for case, m in test_accepts.for_sets(key).items() if key not in FREQUENCY or key in SETS else ():
        if not (m.hashed or (isinstance(m, PerItem) and m.m > 1)):  # whose families hold the extreme reports alone
            of_a_family(m, case)


@for_each("key", [key for key in [*FREQUENCY, *LEVELS] if key != "SHE"])
def test_extremes_of_values_are_those_of_all_reports(key):
    for m in values(key):
        agree(m, (m.epsilon, m.k))
        assert m.families() or m.count_outputs() <= 4 * m.k + 60, "a closed form, or few reports"


@pytest.mark.one_in(2)  # what is added up, the score of every report, is compared for all of them above
@pytest.mark.parametrize("key", [*SETS, *LEVELED_SETS])
def test_extremes_of_sets_are_those_of_all_reports(key):
    for case, m in test_accepts.for_sets(key).items():
        agree(m, case)


@for_each("key", [*MEANS, *LEVELED_MEANS])
def test_extremes_of_numbers_hold_every_report_and_are_reached(key):
    for m in unbiased(key):
        (low,), (high,) = manipulation.extremes(m)
        if low == -np.inf:
            assert MEANS[key].instead
            continue
        wide = np.linspace(m.edges[0] - 1, m.edges[-1] + 1, 4001)
        ends = np.concatenate([m.edges, np.nextafter(m.edges, -np.inf), m.perturb(m.points, stream(6, key)), wide])
        if m.unbiased:
            ends = np.append(ends, [low, high])
        s, good = m.scores(ends), m.accepts(ends)
        assert s[good].min() == pytest.approx(low, rel=1e-6), m
        assert s[good].max() == pytest.approx(high, rel=1e-6), m
        if m.unbiased:  # the report is its score
            assert not good[(ends < low - 1e-9) | (ends > high + 1e-9)].any()


@for_each("key", FREQUENCY)
def test_a_report_outside_the_extremes_is_refused(key):
    """Of all rows of bytes, or all numbers, that have the form of a report."""
    for m in values(key):
        forms = test_accepts.forms(m) if not m.summed else m.perturb([0], stream(5))
        if forms.ndim == 1:
            forms = forms[(forms >= 0) & (forms < m.count_outputs())]
        elif m.hashed:
            forms = forms[forms[:, 1] < m.count_outputs()]
        scores, (low, high) = m.scores(forms), manipulation.extremes(m)
        outside = (scores < low - 1e-9).any(axis=1) | (scores > high + 1e-9).any(axis=1)
        assert not m.accepts(forms[outside]).any()
        far = (scores.sum(axis=1) > manipulation.contrast(m, np.ones(m.k)) + 1e-9) & ~outside
        assert not m.accepts(forms[far]).any()


@for_each("key", client.offered())
def test_phones_hand_in_nothing_beyond_the_extremes(key):
    """Of all whole numbers: those that a client accepts reach both ends, others are not counted."""
    asked = client.Client.of(key, 1.0, tuple("abcd"), (True, True, False, True))
    low, high = manipulation.extremes(asked.mechanism)
    accepted = np.array([report for report in range(1 << 6) if asked.accepts(report)])
    scores = asked.mechanism.scores(mechanism_reports(asked, accepted))
    assert laws.close(scores.min(axis=0), low)
    assert laws.close(scores.max(axis=0), high)
    assert asked.liar() == pytest.approx(high.max())
    for report in set(range(1 << 6)) - set(accepted.tolist()):
        with pytest.raises(ValueError, match="no phone can have sent"):
            asked.tally([report])


# the limit ---------------------------------------------------------------------------------------------------------


@for_each("key", [*FREQUENCY, *LEVELS])
def test_no_entry_has_a_smaller_range_than_the_limit(key):
    """Of values that the promise compares both ways; and of one that it compares with another in one way."""
    for m in values(key):
        low, high = manipulation.extremes(m)
        covered = m.policy.covers(m.k) | np.eye(m.k, dtype=bool)
        both = np.array(covered.all(axis=1))
        size = int(both.sum())
        if size > 1:
            assert np.ptp([low[both], high[both]], axis=0).max() >= manipulation.least_range(size, m.epsilon) - 1e-9
        for v in np.flatnonzero(covered.sum(axis=0) > 1):
            assert high[v] - low[v] >= manipulation.least_range(1, m.epsilon) - 1e-9, (key, v)


def test_the_limit_is_reached():
    """By subsets of the right size, here as a table; under ULDP by uSS, which has that size; of numbers by Duchi."""
    for k, size, epsilon in ((2, 1, 1.0), (4, 2, 1.0), (5, 2, 0.5), (6, 1, 3.0)):
        subsets = np.array(list(itertools.combinations(range(k), size)))
        chance = np.exp(epsilon * (subsets[None] == np.arange(k)[:, None, None]).any(axis=2))
        low, high = manipulation.extremes(CustomMechanism(chance / chance.sum(axis=1, keepdims=True)))
        assert (high - low) == pytest.approx(np.full(k, manipulation.least_range(k, epsilon)), rel=1e-5)
    low, high = manipulation.extremes(FREQUENCY["uSS"].build(1.0, 16, np.arange(16) < 4))
    assert (high - low)[0] == pytest.approx(manipulation.least_range(4, 1.0), rel=1e-12)
    (low,), (high,) = manipulation.extremes(MEANS["Duchi"].build(1.0))
    assert high - low == pytest.approx(2 * manipulation.least_range(2, 1.0))


@for_each("key", SETS)
def test_no_entry_for_sets_has_a_smaller_range(key):
    """Sets that differ in one marked item are as many answers as there are such items: σ − m + 1 of them."""
    for case, m in test_accepts.for_sets(key).items():
        low, high = manipulation.extremes(m)
        marked = m.marked[: m.k]
        size = int(marked.sum()) - m.m + 1
        if size > 1:
            # One of any so many has it, so all but fewer than that.
            ranges = np.sort((high - low)[marked])
            assert ranges[size - 1] >= manipulation.least_range(size, m.epsilon) - 1e-9, case


@pytest.mark.parametrize("key", MEANS)
def test_no_entry_for_numbers_has_a_smaller_range(key):
    for m in unbiased(key):
        (low,), (high,) = manipulation.extremes(m)
        covered = m.policy(m.points).covers(len(m.points))
        both = covered & covered.T & ~np.eye(len(m.points), dtype=bool)
        if both.any():
            widest = np.abs(m.points[:, None] - m.points)[both].max()
            assert high - low >= widest * manipulation.least_range(2, m.epsilon) - 1e-9


def test_liars_are_the_least_that_pass_the_error():
    """b liars move a share by (b/n)(U − f): that many pass ±1.96 σ, one fewer does not; of numbers too."""
    freq, n = np.array([0.5, 0.3, 0.15, 0.05]), 4000
    for key in ("GRR", "uSS", "OUE", "HR"):
        m = FREQUENCY[key].build(1.0, 4, cases.marks(4, 2))
        (low, high), half = manipulation.extremes(m), 1.959963985 * np.sqrt(m.variance(freq, n))
        for v in range(4):
            up, down = manipulation.liars(m, freq, n, v)
            assert up * (high[v] - freq[v]) > half[v] * n >= (up - 1) * (high[v] - freq[v])
            assert down * (freq[v] - low[v]) > half[v] * n >= (down - 1) * (freq[v] - low[v])
    m, x = MEANS["Duchi"].build(1.0), np.array([-0.5, 0.5])
    up, down = manipulation.liars(m, x, n)
    assert up == down == int(1.959963985 * np.sqrt(m.moments(x)[1].mean() * n) / m.extremes()[1]) + 1
    assert manipulation.liars(FREQUENCY["SHE"].build(1.0, 4), freq, n) == (1, 1)


def test_bad_input_is_told():
    m = FREQUENCY["GRR"].build(1.0, 3)
    with pytest.raises(ValueError, match="3 finite numbers, one for each value"):
        manipulation.contrast(m, [1.0, 2.0])
    with pytest.raises(ValueError, match="norm is 1"):
        manipulation.spread(m, np.full(3, 1 / 3), 3)
    with pytest.raises(ValueError, match="one share for each of 3 values"):
        manipulation.spread(m, [1.0])


@for_each("key", [*FREQUENCY, *LEVELS])
def test_facts_of_the_plane_are_the_extremes_and_stay_above_the_limit(key):
    """What the plane draws: of each scope the largest score, the widest range, and the least that is possible."""
    counted = data.Histogram(Categorical(list("abcde")), np.array([50, 40, 30, 20, 10]), 150, 0)
    graded = key in LEVELS
    marks = Marks((("d", "secret" if graded else "sensitive"), ("e", "sensitive"), *[("c", "sensitive")] * graded))
    secret = 0.6 if graded else None
    fact = ShareFacts(key, frequency.under(counted, marks, key, 1.0, secret))
    low, high = manipulation.extremes(fact.mechanism)
    for scope, part in fact.cell.scopes:
        assert fact.liar[scope] == high[part].max()
        assert fact.liar_range[scope] == (high - low)[part].max() or np.isinf(high).any()
        least = fact.least_range[scope]
        assert np.isnan(least) or fact.liar_range[scope] >= least - 1e-9, (key, scope)
    # Where the promise compares every two marked values, the limit is that of so many.
    if key in ("uSS", "uRR", "uOUE", "GRR", "SS"):
        assert fact.least_range["sensitive"] == manipulation.least_range(2, fact.mechanism.epsilon)
    if key == "GRR":
        assert fact.least_range["all"] == manipulation.least_range(5, fact.mechanism.epsilon)


def test_the_plane_of_the_issue():
    """16 answers, four marked, ε = 1: uSS counts as 1.87 people and has the limit's range, 3.25; GRR 9.73 and 10.31."""
    counted = data.Histogram(Categorical([f"v{i}" for i in range(16)]), np.full(16, 100), 1600, 0)
    marks = Marks.of([f"v{i}" for i in range(4)])
    every = {key: ShareFacts(key, frequency.under(counted, marks, key, 1.0)) for key in ("GRR", "uSS")}
    pairs = {key: (one.liar["sensitive"], one.liar_range["sensitive"]) for key, one in every.items()}
    assert {key: (round(a, 2), round(b, 2)) for key, (a, b) in pairs.items()} == {
        "GRR": (9.73, 10.31),
        "uSS": (1.87, 3.25),
    }
    assert every["uSS"].least_range["sensitive"] == pytest.approx(every["uSS"].liar_range["sensitive"], rel=1e-9)
    drawn = plane.rigged(every, "sensitive")
    assert drawn["x"].tolist() == [every[key].liar_range["sensitive"] for key in drawn["mechanism"]]
    edge = plane.rigged_edge(every["uSS"], "sensitive")
    assert edge["x"].iloc[0] == every["uSS"].least_range["sensitive"] < edge["x"].iloc[1] / 1000
    assert (edge["value"] <= 196 * every["uSS"].error("sensitive") * (1 + 1e-9)).all()


def test_moved_is_what_so_many_false_reports_do():
    """f + (b/n)(S − f): of all reports of b liars the largest and the least mean estimate, by listing them."""
    m, freq = FREQUENCY["uSS"].build(1.2, 4, cases.marks(4, 2)), np.array([0.5, 0.3, 0.15, 0.05])
    scores = m.scores(m.outputs())
    for b, n in ((0, 10), (1, 28), (3, 10), (10, 10)):
        estimates = (b * scores + (n - b) * freq) / n
        low, high = manipulation.moved(m, freq, n, b)
        assert low == pytest.approx(estimates.min(axis=0) if b else freq)
        assert high == pytest.approx(estimates.max(axis=0) if b else freq)
    with pytest.raises(ValueError, match="between none and all lie"):
        manipulation.moved(m, freq, 5, 6)
