"""Mechanisms in which every value has its own ε: the laws of frequency mechanisms, and what is new about levels."""

from functools import cache
from math import exp, inf, log

import numpy as np
import pytest
from scipy import stats

from ldpcore import limit, plan
from ldpcore.attacks import bayes
from ldpcore.catalog import FREQUENCY, LEVELS, coverage
from ldpcore.catalog.entries import Coverage
from ldpcore.levels import Levels
from ldpcore.randomizer import NotEnumerable
from ldpcore.rng import stream
from tests.each import for_each
from tests.laws import laws

CASES = {
    "two": (1.0, inf, 1.0, inf, 1.0),
    "three": (inf, 2.0, 0.5, 2.0, inf),
    "each": (inf, 3.0, 0.7, 0.1),
    "no public": (1.0, 0.4, 0.4, 2.0),
    "one secret": (inf, inf, 0.3),
    "all secret": (0.5, 0.5, 0.5),
    "all public": (inf, inf, inf),
}
SKEWED = {"three": (0.5, 0.1, 0.1, 0.2, 0.1)}
"""Guesses of the shares, beside the uniform one."""


@cache
def build(key, name, guessed=False):
    return LEVELS[key].build(CASES[name], SKEWED[name] if guessed else None)


def crossed(listed, names=tuple(CASES), guesses=tuple(SKEWED)):
    settings = [(name, False) for name in names] + [(name, True) for name in guesses]
    made = {key: {name + ", guessed" * guess: build(key, name, guess) for name, guess in settings} for key in LEVELS}
    return [
        pytest.param(law, bound, id=f"{law.__name__}-{key}")
        for law in listed
        for key, mechanisms in made.items()
        if (bound := {label: m for label, m in mechanisms.items() if laws.applies(law, m)})
    ]


@pytest.mark.parametrize(("law", "mechanisms"), crossed(laws.EXACT))
def test_law(law, mechanisms):
    laws.obeyed(law, mechanisms)


MOMENTS = (laws.simulate_has_the_right_moments, laws.guess_shares_ties_evenly, laws.success_is_what_the_attack_gets)


@pytest.mark.one_in(2)  # the exact laws look at all of them
@pytest.mark.parametrize(("law", "mechanisms"), crossed(MOMENTS, ("three", "no public"), ()))
def test_sampled_law(law, mechanisms):
    laws.obeyed(law, mechanisms)


@pytest.mark.parametrize("name", ["three", "each", "no public", "all public"])
@pytest.mark.parametrize("key", LEVELS)
def test_reports_follow_the_likelihood(key, name):
    m = build(key, name)
    values = stream(1, "values").permutation(np.repeat(np.arange(m.k), 20_000))
    sent, matrix = m.column(m.perturb(values, stream(2, "sent"))), m.channel().matrix
    for x in range(m.k):
        assert laws.fits(np.bincount(sent[values == x], minlength=matrix.shape[1]), matrix[x])


@pytest.mark.parametrize("name", ["three", "no public"])
@pytest.mark.parametrize("key", LEVELS)
def test_a_drawn_survey_of_one_is_a_report(key, name):
    """The joint law of the totals of one user: correlations within a report, and nothing else, are drawn."""
    m = build(key, name)
    reports, matrix = m.outputs(), m.channel().matrix
    totals = np.array([m.tally(reports[i : i + 1]).total for i in range(len(reports))])
    for x in range(m.k):
        drawn = m.draw(np.eye(m.k, dtype=int)[x], stream(3, "one", x), 20_000)
        known, place = np.unique(np.vstack([totals, drawn]), axis=0, return_inverse=True)
        law = np.bincount(place[: len(totals)], matrix[x], len(known))
        assert laws.fits(np.bincount(place[len(totals) :], minlength=len(known)), law)


@pytest.mark.parametrize("key", LEVELS)
def test_many_values_and_people(key):
    """Three levels of 60 values: of blocks of users, and of 10⁹ people at no cost in memory."""
    m = LEVELS[key].build(np.tile([inf, 2.0, 0.5], 20))
    laws.estimate_inverts_support(m)
    laws.estimates_hold_at_scale(m)
    laws.reports_are_canonical_and_sliceable(m)
    counts = np.full(60, 10**9 // 60)
    estimates, peak = laws.traced(lambda: m.simulate(counts, stream(4, "large"), 3))
    z = (estimates - 1 / 60) / np.sqrt(m.variance(counts / counts.sum(), int(counts.sum())))
    assert np.abs(z).max() < stats.norm.isf(laws.ALPHA / 2 / z.size)
    assert peak < 50e6


@pytest.mark.parametrize("key", LEVELS)
def test_what_it_accepts_is_what_it_can_send(key):
    m = build(key, "three")
    assert m.accepts(m.outputs()).all()
    foreign = np.full_like(m.outputs()[:1], 255)
    assert not m.accepts(foreign).any()


@pytest.mark.parametrize("key", LEVELS)
def test_an_entry_promises_what_its_mechanism_keeps(key):
    m = build(key, "three")
    assert m.policy.name == LEVELS[key].promise
    assert coverage(LEVELS[key].promise) is Coverage.MARKED
    assert all(caveat.endswith(".") for caveat in LEVELS[key].caveats)
    assert isinstance(m, LEVELS[key].factory)
    assert m.epsilon == m.policy.epsilon == 2.0


@pytest.mark.parametrize("epsilons", [(inf, 1e-8, 1e-3), (inf, 40.0, 20.0, 1e-8), (40.0, 39.0, 38.0)])
@pytest.mark.parametrize("key", ["gRR", "gSub"])
def test_at_the_ends_of_epsilon(key, epsilons):
    """Digits are left where e^ε and 1 are nearly the same float, and where 1/e^ε is nothing."""
    m = LEVELS[key].build(epsilons)
    laws.likelihood_is_a_distribution(m)
    laws.keeps_its_policy(m)
    freq = np.full(m.k, 1 / m.k)
    assert m.invert(m.support(freq)) == pytest.approx(freq, abs=1e-6)
    matrix, supports = laws.report_law(m)
    variance = freq @ (matrix @ laws.scores(m, supports) ** 2) - freq
    assert np.allclose(m.variance(freq, 1), variance, rtol=1e-6, atol=1e-12)


# --- at two levels they are what is there ---


@for_each("epsilon", [0.1, 1.0, 3.0])
@for_each("marked", [(0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 1), (1, 1, 1, 1)])
def test_grr_at_two_levels_is_urr(marked, epsilon):
    mask = np.array(marked, bool)
    mine, theirs = LEVELS["gRR"].build(np.where(mask, epsilon, inf)), FREQUENCY["uRR"].build(epsilon, 4, mask)
    assert laws.close(mine.channel().matrix, theirs.channel().matrix, 1e-14)
    for freq in laws.populations(theirs):
        assert laws.close(mine.variance(freq, 9), theirs.variance(freq, 9))
        assert laws.close(mine.success(freq), theirs.success(freq))
        assert laws.close(mine.invert(freq), theirs.invert(freq))
    assert laws.close(mine.disclosure(), theirs.disclosure())


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_gsub_at_one_level_is_unary_encoding_with_the_best_bits(epsilon):
    """OUE's bits are its G = 2E/(E + 1); the best G is no worse at any number of values."""
    growth = exp(epsilon)
    for k in (2, 5, 40, 1000):
        mine, oue = LEVELS["gSub"].build([epsilon] * k), FREQUENCY["OUE"].build(epsilon, k)
        even = np.full(k, 1 / k)
        assert laws.close(mine._errors(even, (growth - 1) / (growth + 1)), oue.variance(even, 1))
        assert mine.variance(even, 1).mean() <= oue.variance(even, 1).mean() * (1 + 1e-9)
    assert mine.gain == pytest.approx((growth - 1) / (growth + 1), rel=0.02)


@pytest.mark.parametrize("name", ["two", "three", "each", "no public", "one secret"])
def test_gsub_has_the_best_bits(name):
    """No other G has a smaller error over all values at the guessed shares; a wrong guess keeps the promise."""
    for share in (None, stream(6, "guess").dirichlet(np.ones(len(CASES[name])))):
        m = LEVELS["gSub"].build(CASES[name], share)
        least = min(e for e in CASES[name])
        others = [m._errors(m.guessed, gain).sum() for gain in np.expm1(least) * np.linspace(0.001, 0.999, 500)]
        assert 0 < m.gain < np.expm1(least)
        assert m._errors(m.guessed, m.gain).sum() <= min(others) * (1 + 1e-9)
        assert m.policy.check(m.channel()).holds


def test_the_construction_with_sets_of_one_size_is_uss():
    """Q uniform over w-subsets, π = w/σ: gSub's rule then is uSS at that w."""
    theirs = FREQUENCY["uSS"].build(1.0, 7, np.arange(7) < 5)
    matrix, on = theirs.channel().matrix, np.unpackbits(theirs.outputs(), axis=1, count=7, bitorder="little")
    w, growth = theirs.w, 1 + (np.e - 1) * theirs.w / 5
    hidden = ~on[:, 5:].any(axis=1)
    sets = np.count_nonzero(hidden)
    rule = np.where(on[hidden].T.astype(bool), np.e, 1.0) / growth / sets
    assert w == on[hidden].sum(axis=1).max()
    assert laws.close(matrix[:, hidden], rule, 1e-13)
    assert laws.close(np.diag(matrix[5:, ~hidden]), 1 - 1 / growth, 1e-13)


@for_each("epsilon", [0.1, 1.0, 3.0])
@for_each(("k", "marked"), [(5, 2), (18, 4), (6, 6), (4, 1)])
def test_gtable_at_two_levels_is_the_limits_mechanism(k, marked, epsilon):
    mask = np.arange(k) < marked
    mine = LEVELS["gTable"].build(np.where(mask, epsilon, inf))
    found = limit.best("ULDP" if marked < k else "LDP", k, marked, epsilon)
    theirs = found.mechanism(mask)
    for freq in laws.populations(theirs):
        assert np.allclose(mine.variance(freq, 1).sum(), theirs.variance(freq, 1).sum(), rtol=2e-4)
    even = np.full(k, 1 / k)
    assert mine.variance(even, 1).mean() == pytest.approx(found.mse, rel=1e-6)


@pytest.mark.parametrize("name", ["three", "each", "no public", "all secret", "one secret"])
def test_gtable_reaches_the_limit_and_none_passes_it(name):
    for share in (None, stream(5, "guess").dirichlet(np.ones(len(CASES[name])))):
        found = limit.best_levels(CASES[name], share)
        table = LEVELS["gTable"].build(CASES[name], share)
        even = np.zeros(table.k)
        for each in np.unique(CASES[name]):
            here = np.array(CASES[name]) == each
            even[here] = (np.full(table.k, 1 / table.k) if share is None else share)[here].mean()
        assert table.variance(even, 1).mean() == pytest.approx(found.mse, rel=1e-7)
        assert table.variance(even, 1) == pytest.approx(found.variance, rel=1e-6)
        for key in LEVELS:
            assert LEVELS[key].build(CASES[name], share).variance(even, 1).mean() >= found.mse * (1 - found.gap - 1e-9)


# --- the promise ---


@pytest.mark.parametrize("key", LEVELS)
def test_a_smaller_budget_is_broken_and_the_sentence_says_where(key):
    m = build(key, "three")
    tighter = Levels((inf, 2.0, 0.4, 2.0, inf))
    verdict = tighter.check(m.channel())
    assert not verdict.holds
    assert "value 2" in verdict.why
    assert "0.5 nats" in verdict.why
    assert "ε is 0.4" in verdict.why
    assert verdict.loss == pytest.approx(2.0)


@for_each("name", ["three", "each", "one secret"])
@for_each("key", LEVELS)
def test_attackers_per_level(key, name):
    """Whoever knows the level of an answer: as on the channel, and odds grow by that level's e^ε at most."""
    m = build(key, name)
    for block in m.levels:
        prior = np.isin(np.arange(m.k), block.codes) / len(block.codes)
        won = bayes.success(m, prior)
        assert laws.close(won, bayes.success_of_channel(m.channel(), prior))
        blind = 1 / len(block.codes)
        assert prior @ won <= blind * exp(block.epsilon) / (1 + blind * (exp(block.epsilon) - 1)) + 1e-12
        assert prior @ won >= blind - 1e-12
        assert m.disclosure()[block.codes] == pytest.approx(0)
        others = ~np.eye(m.k, dtype=bool)[block.codes]
        assert m.privacy_loss()[block.codes][others] == pytest.approx(block.epsilon)


def test_one_sided():
    """Nobody can prove that somebody said the secret value; many can prove that they did not."""
    loss = build("gSub", "one secret").privacy_loss()
    assert loss[2, :2] == pytest.approx(0.3)
    assert np.isposinf(loss[:2, 2]).all()


def test_log_ratio_of_two_values_is_each_ones_own():
    m = LEVELS["gRR"].build([log(2), log(3)])
    assert m.channel().matrix == pytest.approx(np.array([[0.8, 0.2], [0.4, 0.6]]))


# --- the planner ---


@pytest.mark.parametrize("key", LEVELS)
def test_a_plan_holds_for_any_data(key):
    """The worst shares are the worst; what follows from two of three agrees; ε is the most secret one's."""
    epsilons = CASES["three"]
    asked = plan.levels(key, epsilons)
    n = asked.people(0.5, 0.02)
    assert asked.within(0.5, n) <= 0.02 < asked.within(0.5, n - 1)
    assert asked.epsilon(n, 0.02) == pytest.approx(0.5, rel=1e-3)
    m = LEVELS[key].build(epsilons)
    z = plan.quantile(0.95)
    for freq in laws.populations(m):
        assert z * np.sqrt(m.variance(freq, n).max()) <= 0.02 * (1 + 1e-9)
    corner = max(m.variance(holder, n).max() for holder in np.eye(m.k))
    assert z * np.sqrt(corner) == pytest.approx(asked.within(0.5, n))
    # At twice the ε of the secret value the private ones have twice theirs.
    double = LEVELS[key].build(2 * np.array(epsilons))
    assert asked.within(1.0, n) == pytest.approx(z * np.sqrt(max(double.variance(f, n).max() for f in np.eye(m.k))))


def test_a_plan_for_known_shares_and_some_values():
    freq, secret = np.array([0.5, 0.1, 0.1, 0.2, 0.1]), np.arange(5) == 2
    asked = plan.levels("gRR", CASES["three"], freq=freq, of=secret)
    error = LEVELS["gRR"].build(CASES["three"]).variance(freq, 100)[2]
    assert asked.within(0.5, 100) == pytest.approx(plan.quantile(0.95) * np.sqrt(error))


def test_a_plan_knows_the_attacker_of_the_most_secret_level():
    epsilons = [inf] * 3 + [2.0] * 2 + [0.5] * 4
    asked = plan.levels("gRR", epsilons)
    assert asked.blind() == 0.25
    assert 0.25 < asked.success(0.5) < exp(0.5) / (exp(0.5) + 3)
    assert asked.success(0.2) < asked.success(0.5)


def test_a_plan_ends_where_the_mechanism_does():
    epsilons = [inf, 4.0, 0.5]
    assert plan.levels("gTable", epsilons).people(1.3, 0.1) is None
    assert plan.levels("gTable", epsilons).people(1.25, 0.1) > 0
    assert plan.levels("gRR", epsilons).people(1.3, 0.1) > 0
    with pytest.raises(ValueError, match="give at least one value a finite ε"):
        plan.levels("gRR", [inf, inf])


# --- the adversary, where the channel is too large to look at ---


@pytest.mark.parametrize("name", ["three", "each", "no public", "one secret"])
def test_gtable_is_guessed_as_its_channel_says(name):
    """Priors that are uneven within a level, with ties, nobody, and a likelier value that beats a held one."""
    m, rng = build("gTable", name), stream(8, "prior")
    matrix, finite = m.channel(), [e for e in CASES[name] if e < inf]
    for at in range(24):
        prior = [
            rng.dirichlet(np.full(m.k, 0.5)),
            rng.integers(0, 3, m.k) + (np.arange(m.k) == 0),
            np.exp(-rng.integers(0, 3, m.k) * rng.choice(finite)),
        ][at % 3]
        assert laws.close(m.success(prior / prior.sum()), bayes.success_of_channel(matrix, prior / prior.sum()), 1e-12)


def test_gtable_is_guessed_at_any_number_of_values():
    m = LEVELS["gTable"].build(np.repeat([inf, 2.0, 0.5], 40))
    with pytest.raises(NotEnumerable):
        m.channel()
    prior = stream(9, "prior").dirichlet(np.ones(120))
    won, n = m.success(prior), 40_000
    values = stream(9, "values").choice(120, n, p=prior)
    right = bayes.guess(m, m.perturb(values, stream(9, "sent")), prior, stream(9, "ties")) == values
    assert laws.as_expected(int(right.sum()), n, float(won @ prior))
