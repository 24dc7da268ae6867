"""What every frequency mechanism must obey. Plain functions of one mechanism: power/ calls them on broken ones.

A law raises AssertionError and names no mechanism; what a mechanism may do differently it declares on its class
(`hashed`, `tally_is_histogram`, `uses_marks`). A statistical law compares fixed streams at `ALPHA`; it is sized by
`enough`, so that a probability that is off by 5 % is noticed with power 0.99 (power/test_sizes.py shows both).
"""

import random
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import FrozenInstanceError
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray
from scipy import special, stats

from ldpcore.attacks import bayes, naming
from ldpcore.channel import Channel, ReportColumn
from ldpcore.estimators.intervals import clopper_pearson, squares_by_chance
from ldpcore.randomizer import BLOCK, NotEnumerable, Randomizer
from ldpcore.rng import stream
from ldpcore.tally import Tally
from tests.each import told

ALPHA = 1e-6
"""False-alarm rate of every single comparison. Streams are fixed, so it is paid when a law or a sampler changes."""
POWER = 0.99
ERROR = 0.05
MOST = 1_000_000
"""Reports that one comparison may take; no case of the catalogue needs more (power/test_sizes.py)."""
TABLED = 40_000
"""Reports, or surveys, whose counts χ² compares with a table (power/test_sizes.py)."""
SURVEYS = 45_000
"""A sample variance of this many surveys is off by 5 % with probability below ALPHA, and a real 5 % shows at POWER."""
EXPERIMENTS = 1_000
"""Of some surveys each; if 87 in place of 94 of 100 lay where they should, that would show at POWER."""

Matrix = NDArray[np.float64]
Law = Callable[[Randomizer], None]


def only(applies: Callable[[Randomizer], bool]) -> Callable[[Law], Law]:
    """A law about what not every mechanism has: it is not even listed for the others, where it could not fail."""

    def mark(law: Law) -> Law:
        law.applies = applies  # type: ignore[attr-defined]
        return law

    return mark


tabled = only(lambda m: not m.summed)
"""A law about the table of reports; numbers without end have laws of their own (test_summed.py)."""


def applies(law: Law, m: Randomizer) -> bool:
    return getattr(law, "applies", lambda _: True)(m)


def obeyed(law: Callable[[Any], None], mechanisms: Mapping[str, Any]) -> None:
    """The law of each of them: one test, as a law mostly takes less time than pytest does for a test."""
    for name, mechanism in mechanisms.items():
        with told(f"it is {name}"):
            law(mechanism)


REACH = float(stats.norm.isf(ALPHA / 2))
"""Standard deviations that a normal estimate is away with probability ALPHA."""


def enough(p: float, error: float = ERROR) -> int:
    """Trials at which a binomial test at ALPHA notices, with POWER, that p is really p·(1 + error)."""
    reach = REACH + stats.norm.isf(1 - POWER)
    return max(1000, int(np.ceil(1.1 * reach**2 * (1 - p) / (p * error**2))))


def as_expected(count: ArrayLike, n: int, p: ArrayLike) -> NDArray[np.bool_]:
    """Exact two-sided binomial tests at ALPHA, of one count or of many; where p is 0 or 1 the count itself must be."""
    count, p = np.broadcast_arrays(np.asarray(count, float), np.asarray(p, float))
    sure = (p <= 0) | (p >= 1)
    chance = np.where(sure, 0.5, p)
    least = np.where(count > 0, special.bdtrc(np.maximum(count - 1, 0), n, chance), 1.0)
    tail = 2 * np.minimum(special.bdtr(count, n, chance), least)
    return np.where(sure, count == np.round(n * p), tail > ALPHA)


def fits(observed: NDArray[np.int64], chances: Matrix) -> bool:
    """χ² test at ALPHA; reports that cannot be must not be, rare ones are pooled until 20 of them are expected."""
    expected = chances * observed.sum()
    if observed[chances == 0].any():
        return False
    order = np.argsort(expected[chances > 0])
    observed, expected = observed[chances > 0][order], expected[chances > 0][order]
    rare = int(np.searchsorted(np.cumsum(expected), 20)) + 1 if expected[0] < 20 else 1
    observed = np.r_[observed[:rare].sum(), observed[rare:]]
    expected = np.r_[expected[:rare].sum(), expected[rare:]]
    if len(observed) < 2:
        return True
    expected = expected * (observed.sum() / expected.sum())
    return bool(special.chdtrc(len(observed) - 1, np.sum((observed - expected) ** 2 / expected)) > ALPHA)


def close(one: object, other: object, tolerance: float = 1e-9) -> bool:
    return np.allclose(np.asarray(one, float), np.asarray(other, float), rtol=tolerance, atol=tolerance)


# --- what a mechanism says of itself -----------------------------------------------------------------------------


def publics(m: Randomizer, count: int = 3) -> list[int | None]:
    """The public hashes to look at; None where there is none."""
    return [int(seed) for seed in stream(1, "public").integers(0, 1 << 63, count)] if m.hashed else [None]


def likelihoods(m: Randomizer, public: int | None) -> Matrix:
    """Pr[report | value]: (k, outputs), straight from the likelihood."""
    return np.exp(m.log_likelihood(m.outputs(public))).T


@contextmanager
def holding() -> Iterator[None]:
    """Inside, a refusal by a check of the spine is a broken law too."""
    try:
        yield
    except NotEnumerable:
        raise
    except ValueError as error:
        raise AssertionError(str(error)) from error


def channel(m: Randomizer, public: int | None = None) -> Channel:
    with holding():
        return m.channel(public)


@cache
def report_law(m: Randomizer) -> tuple[Matrix, NDArray[np.int64]]:
    """Pr[report | value] (k, outputs), and what each report supports (outputs, k).

    A hashed mechanism has no finite set of reports: an ideal hash supports the values independently of one another,
    so its reports are the 2^k patterns of support, but for those that disclose. That real hashes do this is for the
    sampling laws to show.
    Most laws ask for it, and a mechanism does not change.
    """
    if m.hashed:
        supports = (np.arange(1 << m.k)[:, None] >> np.arange(m.k)) & 1
        shown = np.asarray(m.disclosure())
        hidden = (1 - shown)[:, None]
        # A report that discloses a value supports it alone; among the others events are independent.
        chance = np.array([m.support(holder) for holder in np.eye(m.k)]) - np.diag(shown)
        chance = np.divide(chance, hidden, out=np.zeros_like(chance), where=hidden > 0)[:, None]
        matrix = hidden * np.prod(np.where(supports == 1, chance, 1 - chance), axis=2)
        matrix[np.arange(m.k), 1 << np.arange(m.k)] += shown
    else:
        outputs, matrix = m.outputs(), likelihoods(m, None)
        supports = np.array([m.tally(outputs[i : i + 1]).total for i in range(len(outputs))])
    matrix.flags.writeable = supports.flags.writeable = False
    return matrix, supports


def scores(m: Randomizer, supports: NDArray[np.int64]) -> Matrix:
    """What each report, alone, estimates: (outputs, k)."""
    return np.array([m.estimate(Tally(1, row)) for row in supports])


def sample(m: Randomizer, values: NDArray[np.intp], rng: np.random.Generator, public: int | None) -> NDArray:
    return m.perturb(values, rng, public=public) if m.hashed else m.perturb(values, rng)  # type: ignore[call-arg]


def columns(m: Randomizer, reports: NDArray, public: int | None) -> NDArray[np.intp]:
    with holding():
        return m.column(reports, public)


def populations(m: Randomizer) -> Iterator[Matrix]:
    """Shares to compute at: even, uneven, concentrated, and everybody alike."""
    rng = stream(2, "populations", m.k)
    yield np.full(m.k, 1 / m.k)
    yield rng.dirichlet(np.ones(m.k))
    yield rng.dirichlet(np.full(m.k, 0.2))
    yield np.eye(m.k)[m.k - 1]


def priors(m: Randomizer) -> Iterator[Matrix | None]:
    """What an adversary may know: nothing, the population, that the answer is marked or not, ties, near-certainty."""
    yield None
    yield from populations(m)
    yield np.r_[0.5, 0.5, np.zeros(m.k - 2)]
    yield np.r_[np.full(m.k - 1, 0.5 / m.k), 1 - 0.5 * (m.k - 1) / m.k]
    sensitive = getattr(m, "sensitive", None)
    if sensitive is not None and sensitive.any():
        yield bayes.targeted_prior(sensitive)
        yield np.where(sensitive, 2.0, 1.0) / np.where(sensitive, 2.0, 1.0).sum()
        # Exactly the lift that one report gives: the truth and the rival tie.
        lifted = np.where(sensitive, np.exp(-bounds(m)[:, 0]), 1.0)
        yield lifted / lifted.sum()
    alternate = np.where(np.arange(m.k) % 2 == 0, 1.0, np.exp(min(m.epsilon, 5.0)))
    yield alternate / alternate.sum()


def bounds(m: Randomizer) -> Matrix:
    """(k, k) what its promise bounds pairs by, where it covers them: one ε, or that of each value."""
    return np.repeat(np.array(getattr(m, "epsilons", [m.epsilon] * m.k))[:, None], m.k, axis=1)


def sides(m: Randomizer) -> list[NDArray[np.bool_]]:
    """The values that a mechanism treats alike."""
    each = getattr(m, "epsilons", getattr(m, "sensitive", np.ones(m.k, bool)))
    return [np.array(each) == kind for kind in np.unique(each)]


# --- exact laws: the likelihood, the closed forms and the definition testify against each other --------------------


@tabled
def likelihood_is_a_distribution(m: Randomizer) -> None:
    """Σ over all reports of Pr[report | value] = 1, for every value (and every public hash)."""
    for public in publics(m):
        matrix = likelihoods(m, public)
        assert (matrix >= 0).all()
        assert close(matrix.sum(axis=1), 1, 1e-12)


@tabled
def outputs_are_all_the_reports(m: Randomizer) -> None:
    """As many as counted, all different, in the order of the channel's columns, and closed under `perturb`."""
    for public in publics(m):
        outputs = m.outputs(public)
        assert len(outputs) == m.count_outputs() == len(m.describe(outputs))
        assert len(np.unique(outputs, axis=0)) == len(outputs)
        assert len({column.label for column in m.describe(outputs)}) == len(outputs)
        assert np.array_equal(m.column(outputs, public), np.arange(len(outputs)))
        sent = sample(m, np.repeat(np.arange(m.k), 50), stream(3, "outputs"), public)
        assert sent.dtype == outputs.dtype
        assert np.array_equal(outputs[columns(m, sent, public)], sent)


@tabled
def keeps_its_policy(m: Randomizer) -> None:
    for public in publics(m):
        verdict = m.policy.check(channel(m, public))
        assert verdict.holds, verdict.why
        assert verdict.loss <= m.epsilon + 1e-9


@only(lambda m: not m.summed and m.spends_all and bool(m.policy.covers(m.k).any()))
def uses_its_whole_budget(m: Randomizer) -> None:
    """Every pair that the definition bounds by ε on all reports loses exactly ε: less would be accuracy thrown away."""
    promised = m.policy.covers(m.k)
    pairs = promised & ~np.eye(m.k, dtype=bool)
    assert close(m.privacy_loss()[pairs], bounds(m)[pairs])
    worst = max(m.policy.check(channel(m, public)).loss for public in publics(m, 64))
    assert abs(worst - m.epsilon) < 1e-9


@tabled
def privacy_loss_is_the_channels(m: Randomizer) -> None:
    """The closed form equals the largest ratio in the table (hashed: over many public hashes)."""
    worst = np.max([channel(m, public).privacy_loss() for public in publics(m, 64)], axis=0)
    stated = m.privacy_loss()
    assert np.array_equal(np.isposinf(worst), np.isposinf(stated))
    assert close(np.nan_to_num(worst, posinf=0), np.nan_to_num(stated, posinf=0))


@tabled
def disclosure_is_the_channels(m: Randomizer) -> None:
    """Pr[a report that only x can send | x]."""
    for public in publics(m):
        matrix = likelihoods(m, public)
        proof = (matrix > 0).sum(axis=0) == 1
        assert close(m.disclosure(), matrix[:, proof].sum(axis=1))


@tabled
def support_is_the_channels(m: Randomizer) -> None:
    """The expected tally of any population, from the table of reports (hashed: averaged over all ideal hashes)."""
    matrix, supports = report_law(m)
    for freq in populations(m):
        assert close(m.support(freq), freq @ matrix @ supports)
    for public in publics(m, 1 if m.hashed else 0):
        # The holder's own support does not depend on the hash at all.
        matrix, outputs = likelihoods(m, public), m.outputs(public)
        held = np.array([m.tally(outputs[i : i + 1]).total for i in range(len(outputs))])
        assert close(np.diag(matrix @ held), np.diag([m.support(holder) for holder in np.eye(m.k)]))


@tabled
def naming_is_the_channels(m: Randomizer) -> None:
    """How often reports name each value: from the table (hashed: of all ideal hashes), for any population, and as the
    card of one report says it, for those who hold the value and for the others.
    """
    if m.hashed:
        matrix, named = report_law(m)
    else:
        matrix, named = likelihoods(m, None), m.names(m.outputs())
    each = matrix @ named
    for freq in populations(m):
        assert close(m.naming(freq), freq @ each)
        for v in range(m.k):
            others = np.delete(freq, v) if freq[v] < 1 else np.ones(m.k - 1)
            said = naming.chances(m, v, freq)
            assert close(said.holders, each[v, v])
            assert close(said.others, others @ np.delete(each[:, v], v) / others.sum())


@tabled
def names_are_the_likeliest_of_their_side(m: Randomizer) -> None:
    """Of the values that a mechanism treats alike, a report is likelier under those it names, equally so, than under
    the others; but for reports that exclude the whole side.
    """
    for public in publics(m, 1):
        outputs = m.outputs(public)
        matrix, named = likelihoods(m, public), m.names(outputs)
        for side in sides(m):
            for chance, says in zip(matrix[side].T, named[:, side], strict=True):
                if chance.any() and says.any() and not says.all():
                    assert close(chance[says], chance[says].max(), 1e-12)
                    assert chance[says].min() > chance[~says].max()
                elif chance.any():
                    assert close(chance, chance.max(), 1e-12)


@tabled
def estimate_is_unbiased(m: Randomizer) -> None:
    """Table of reports × what each report estimates = identity: unbiased whatever the population."""
    matrix, supports = report_law(m)
    assert close(matrix @ scores(m, supports), np.eye(m.k))


def estimate_inverts_support(m: Randomizer) -> None:
    """The same without the table, so at any k."""
    for freq in populations(m):
        assert close(m.invert(m.support(freq)), freq, 1e-7)
    several = np.array([m.support(freq) for freq in populations(m)])
    assert close(m.invert(several), list(populations(m)), 1e-7)


@tabled
def variance_is_the_channels(m: Randomizer) -> None:
    """Closed form = Σ_x f_x Var[what a report of x estimates] / n."""
    matrix, supports = report_law(m)
    each = scores(m, supports)
    within = matrix @ each**2 - (matrix @ each) ** 2
    for freq in populations(m):
        for n in (1, 30_162):
            assert np.allclose(m.variance(freq, n), freq @ within / n, rtol=1e-9, atol=1e-12 / n)


@tabled
def step_is_the_channels(m: Randomizer) -> None:
    """How far apart what single reports estimate lies, at most: intervals add half of it. Never more; and three
    quarters at least, as symbols of Hadamard response may support different numbers of values.
    """
    matrix, supports = report_law(m)
    apart = np.ptp(scores(m, supports)[matrix.any(axis=0)], axis=0)
    assert np.all((m.step() <= apart * (1 + 1e-9) + 1e-12) & (m.step() >= 0.75 * apart))


@tabled
def success_is_the_channels(m: Randomizer) -> None:
    """The family's own formula = the adversary run on every report of the table."""
    matrix, supports = report_law(m)
    with holding():
        table = Channel(matrix, tuple(ReportColumn(str(row)) for row in supports))
    for prior in priors(m):
        exact = bayes.success_of_channel(table, prior)
        assert close(bayes.success(m, prior), exact), prior
        blind = 1 / m.k if prior is None else np.max(prior)
        assert np.dot(exact, np.full(m.k, 1 / m.k) if prior is None else prior) >= blind - 1e-9


@only(lambda m: m.tally_is_histogram)
def em_products_are_the_channels(m: Randomizer) -> None:
    """Where the tally is the histogram of the reports: f ↦ fP and w ↦ Pw, one the other's transpose."""
    matrix, supports = report_law(m)
    assert np.array_equal(supports, np.eye(m.k))
    weights = stream(4, "weights", m.k).normal(size=m.k)
    assert close(m.expectation(weights), matrix @ weights)  # type: ignore[attr-defined]
    for freq in populations(m):
        assert close(m.support(freq), freq @ matrix)


# --- the sampler against the likelihood ---------------------------------------------------------------------------


def support_chances(m: Randomizer) -> Matrix:
    """Pr[report supports v | value x]: (k, k)."""
    matrix, supports = report_law(m)
    return np.clip(matrix @ supports, 0, 1)


def reports_needed(m: Randomizer) -> NDArray[np.int64]:
    """Of each value (k,), to notice a 5 % error in the rarest kind of support by them."""
    rows = [row[(row > 1e-12) & (row < 1 - 1e-12)] for row in support_chances(m)]
    return np.array([enough(inside.min()) if inside.size else 1000 for inside in rows])


@tabled
def perturb_follows_the_likelihood(m: Randomizer) -> None:
    """Per true value: the joint law of the report (χ²), and how often it supports each value (binomial).

    A hashed mechanism is compared with its channel at one public hash, and with a and b over one hash per user.
    """
    rng, chance = stream(5, "perturb"), support_chances(m)
    needed = np.minimum(reports_needed(m), MOST)
    for public in publics(m, 2):
        # Users in any order: each report must be that of its own user.
        each = np.full(m.k, TABLED) if m.hashed else np.maximum(needed, TABLED)
        # Small numbers are shuffled in half the time, and places found once are read in a fifth of it.
        values = rng.permutation(np.repeat(np.arange(m.k, dtype=np.min_scalar_type(m.k)), each)).astype(np.intp)
        places, matrix = [np.flatnonzero(values == x) for x in range(m.k)], likelihoods(m, public)
        reports = sample(m, values, rng, public)
        for x in range(m.k):
            sent = columns(m, reports[places[x][:TABLED]], public)
            assert fits(np.bincount(sent, minlength=len(matrix[x])), matrix[x]), f"reports of value {x}"
    for x in range(m.k):
        total = m.tally(m.perturb(np.full(needed[x], x), rng) if m.hashed else reports[places[x]])
        right = as_expected(total.total, total.n, chance[x])
        assert right.all(), f"support of {np.flatnonzero(~right)} by reports of {x}"


@only(lambda m: m.hashed and not np.any(m.disclosure()))
def hashes_are_pairwise_uniform(m: Randomizer) -> None:
    """Any two values fall into any two buckets alike: what a and b, and the variance, rest on."""
    g = m.count_outputs()
    seeds = stream(6, "hashes").integers(0, 1 << 63, max(4000, 40 * g * g))
    reports = np.concatenate([m.outputs(int(seed)) for seed in seeds])
    likely = np.exp(m.log_likelihood(reports)).reshape(len(seeds), g, m.k)
    bucket = likely.argmax(axis=1)
    supported = likely > likely.min(axis=1, keepdims=True) * (1 + 1e-9)
    assert (supported.sum(axis=1) == 1).all(), "a value lies in one bucket of each hash"
    for u in range(m.k):
        for v in range(u):
            both = np.bincount(bucket[:, u] * g + bucket[:, v], minlength=g * g)
            assert fits(both, np.full(g * g, 1 / g**2)), f"buckets of {u} and {v}"


def estimates_hold_at_scale(m: Randomizer) -> None:
    """Many values, more users than one block holds: every estimate within its stated deviation.

    A structural law (bytes, blocks, indices); it notices a support probability off by 5 % only where that moves an
    estimate by five deviations.
    """
    n = 2 * BLOCK + 4321
    weights = 1 / np.arange(1, m.k + 1)
    counts = np.floor(n * weights / weights.sum()).astype(int)
    counts[0] += n - counts.sum()
    values = stream(7, "values").permutation(np.repeat(np.arange(m.k), counts))
    freq = counts / n
    estimate = m.estimate(m.tally(m.perturb(values, stream(7, "perturb"))))
    deviation = np.sqrt(m.variance(freq, n))
    certain = deviation < 1e-12
    assert close(estimate[certain], freq[certain], 1e-12)
    z = (estimate - freq)[~certain] / deviation[~certain]
    assert (np.abs(z) < stats.norm.isf(ALPHA / 2 / m.k)).all()


def tallies_merge(m: Randomizer) -> None:
    """Any cut of the reports, in any order, gives the tally of the whole."""
    rng = stream(8, "merge")
    reports = m.perturb(rng.integers(0, m.k, 3000), rng)
    whole = m.tally(reports)
    assert whole.n == 3000
    assert whole.total.shape == (m.k,)
    assert whole.total.dtype == np.int64
    cuts = np.sort(rng.integers(0, 3000, 6))
    parts = [m.tally(part) for part in np.split(reports, [0, *cuts, cuts[-1]])]
    assert sum(parts) == whole
    assert sum(reversed(parts)) == whole
    assert m.tally(reports[rng.permutation(3000)]) == whole
    assert m.tally(reports[::2]) + m.tally(reports[1::2]) == whole
    assert m.tally(reports[:0]) == Tally(0, np.zeros(m.k, np.int64))


def reports_are_canonical_and_sliceable(m: Randomizer) -> None:
    """One row per user, in the users' order; a row means the same alone; no view of the input; any integer dtype."""
    rng = stream(9, "rows")
    values = rng.integers(0, m.k, 400)
    kept = values.copy()
    reports = m.perturb(values, stream(9, "perturb"))
    assert len(reports) == 400
    assert np.array_equal(values, kept)
    assert not np.shares_memory(values, reports)
    likely = m.log_likelihood(reports)
    assert likely.shape == (400, m.k)
    assert np.isfinite(likely[np.arange(400), values]).all(), "nobody sends a report that their value excludes"
    picked = rng.integers(0, 400, 50)
    assert np.array_equal(m.log_likelihood(reports[picked]), likely[picked])
    assert len(m.perturb(values[:0], rng)) == 0
    assert len(m.perturb([], rng)) == 0
    narrow = np.arange(m.k)[:100]
    expected = m.perturb(narrow, stream(9, "dtype"))
    for dtype in (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.uint64):
        assert np.array_equal(m.perturb(narrow.astype(dtype), stream(9, "dtype")), expected), dtype.__name__


def only_the_given_generator_is_used(m: Randomizer) -> None:
    """Equal generators, equal results; other generators, others; no global state is read or moved."""
    values = np.tile(np.arange(m.k), 200)
    counts = np.full(m.k, 200)
    before = np.random.get_state(), random.getstate()  # noqa: NPY002  (the global state is what is checked)
    uses: list[Callable[[np.random.Generator], NDArray]] = [
        lambda rng: m.perturb(values, rng),
        lambda rng: m.draw(counts, rng, 20),
        lambda rng: bayes.guess(m, m.perturb(values, rng), None, rng),
    ]
    for use in uses:
        one, same, other = (use(stream(10, "rng", part)) for part in (1, 1, 2))
        assert np.array_equal(one, same)
        certain = close(m.variance(np.full(m.k, 1 / m.k), 1), 0)
        assert certain or not np.array_equal(one, other)
    after = np.random.get_state(), random.getstate()  # noqa: NPY002
    assert all(np.array_equal(a, b) for a, b in zip(before[0], after[0], strict=True))
    assert before[1] == after[1]


def a_mechanism_is_a_value(m: Randomizer) -> None:
    """No field can be assigned, and the marks belong to the mechanism: neither writable nor the caller's array."""
    for name in ("epsilon", "epsilons", "k", "sensitive"):
        if not hasattr(m, name):
            continue
        try:
            setattr(m, name, getattr(m, name))
        except FrozenInstanceError:
            continue
        raise AssertionError(f"{name} can be assigned")
    if m.uses_marks:
        assert not m.sensitive.flags.writeable  # type: ignore[attr-defined]
    if m.uses_marks and not hasattr(m, "epsilons"):
        given = np.arange(m.k) % 2 == 0
        built = type(m)(m.epsilon, m.k, given)  # type: ignore[call-arg]
        given[:] = True
        assert np.array_equal(built.sensitive, np.arange(m.k) % 2 == 0)  # type: ignore[attr-defined]


# --- simulate: the exact law of the estimate, from the histogram alone ----------------------------------------------


def traced(work: Callable[[], Matrix]) -> tuple[Matrix, int]:
    """What it returns, and the most memory (bytes) it held at once."""
    tracemalloc.start()
    try:
        return work(), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _moments_agree(m: Randomizer, counts: NDArray[np.int64], estimates: Matrix) -> None:
    """Mean, variance and covariance of simulated estimates against the table of reports."""
    n, freq, repeats = int(counts.sum()), counts / counts.sum(), len(estimates)
    matrix, supports = report_law(m)
    each = scores(m, supports)
    mean = matrix @ each
    second = np.einsum("xy,yu,yv->xuv", matrix, each, each) - mean[:, :, None] * mean[:, None, :]
    exact = np.tensordot(freq, second, 1) / n
    assert np.allclose(np.diag(exact), m.variance(freq, n), rtol=1e-9, atol=1e-12 / n)
    error = estimates - freq
    certain = np.diag(exact) < 1e-14 / n
    assert close(error[:, certain], 0)
    error, exact = error[:, ~certain], exact[np.ix_(~certain, ~certain)]
    assert (np.abs(error.mean(axis=0)) <= REACH * np.sqrt(np.diag(exact) / repeats)).all(), "mean"
    products = error[:, :, None] * error[:, None, :]
    spread = products.std(axis=0) / np.sqrt(repeats)
    off = np.abs(products.mean(axis=0) - exact)
    assert (off <= REACH * spread).all(), "variance or covariance"


@tabled
def simulate_has_the_right_moments(m: Randomizer) -> None:
    counts = np.array([411, 0, 97, 300, 193])[: m.k]
    _moments_agree(m, counts, m.simulate(counts, stream(11, "moments"), SURVEYS))


@tabled
def experiments_lie_where_chance_has_them(m: Randomizer) -> None:
    """A right theory's experiments: 95 of 100; where two answers' errors are nearly one, 92 with two surveys."""
    counts = np.array([411, 0, 97, 300, 193])[: m.k]
    n, freq = int(counts.sum()), counts / counts.sum()
    expected = m.variance(freq, n)
    if not expected.sum():
        return
    for surveys, least in ((2, 0.92), (10, 0.94)):
        errors = m.simulate(counts, stream(14, "chance", surveys), EXPERIMENTS * surveys) - freq
        each = errors.reshape(EXPERIMENTS, surveys, m.k)
        ends = np.array([squares_by_chance(one, expected) for one in each])
        ratios = (each**2).mean(axis=(1, 2)) / expected.mean()
        held = int(((ends[:, 0] <= ratios) & (ratios <= ends[:, 1])).sum())
        assert stats.binom.cdf(held, EXPERIMENTS, least) > ALPHA, f"{held} of {EXPERIMENTS} with {surveys} surveys"
        assert stats.binom.sf(held - 1, EXPERIMENTS, 0.97) > ALPHA or m.k == 2, f"{held} with {surveys} surveys"


@tabled
def simulate_at_a_billion(m: Randomizer) -> None:
    """n = 10⁹ has its closed-form variance, and nothing of length n (or n/100) is ever made."""
    counts = np.array([411, 0, 97, 300, 192])[: m.k] * 1_000_000
    estimates, peak = traced(lambda: m.simulate(counts, stream(12, "billion"), SURVEYS))
    assert peak < 50e6, f"{peak / 1e6:.0f} MB"
    _moments_agree(m, counts, estimates)


@tabled
def simulate_has_the_joint_law(m: Randomizer) -> None:
    """Whole count vectors of one and of three users (χ²): what perturb and tally would give, correlations and all."""
    matrix, supports = report_law(m)
    first, second = m.k - 1, 0
    for holders in ([first], [second], [first, first, second]):
        base = (len(holders) + 1) ** np.arange(m.k)
        law = np.ones(1)
        for x in holders:
            states = np.flatnonzero(law)
            ahead, chances = np.add.outer(states, supports @ base), np.outer(law[states], matrix[x])
            law = np.bincount(ahead.ravel(), chances.ravel(), minlength=(len(holders) + 1) ** m.k)
        counts = np.bincount(holders, minlength=m.k)
        drawn = m.draw(counts, stream(13, "joint", len(holders)), TABLED)
        assert drawn.shape == (TABLED, m.k)
        assert fits(np.bincount(drawn @ base, minlength=len(law)), law), f"users with {holders}"
    same = [m.simulate(counts, stream(13, "same"), 5), m.invert(m.draw(counts, stream(13, "same"), 5) / 3)]
    assert np.array_equal(*same)


def report_sizes(m: Randomizer) -> set[int]:
    """How many values a report supports. Some thirty of many values are enough: who sends several sizes does so often,
    and looking at one report takes as long as at a thousand.
    """
    asked = np.unique(np.linspace(0, m.k - 1, min(m.k, 30)).astype(int))
    reports = m.perturb(np.repeat(asked, max(2, 200 // m.k)), stream(14, "size"))
    return {int(m.tally(reports[i : i + 1]).total.sum()) for i in range(len(reports))}


@only(lambda m: len(report_sizes(m)) == 1)
def simulate_keeps_the_report_size(m: Randomizer) -> None:
    """Where every report supports the same number w of values, the totals of a survey add up to n·w. At any k."""
    (size,) = report_sizes(m)
    for n in (7, 12_345, 10**9):
        counts = np.full(m.k, n // m.k)
        counts[0] += n - counts.sum()
        drawn = m.draw(counts, stream(14, "draw"), 20)
        assert (drawn >= 0).all()
        assert (drawn.sum(axis=1) == n * size).all()


# --- the adversary in person --------------------------------------------------------------------------------------


@tabled
def guess_shares_ties_evenly(m: Randomizer) -> None:
    """For every report the guess is uniform over the values that score highest; which those are, the table says."""
    for prior in (None, np.r_[0.5, 0.5, np.zeros(m.k - 2)]):
        for public in publics(m, 1):
            outputs, matrix = m.outputs(public), likelihoods(m, public)
            score = matrix if prior is None else prior[:, None] * matrix
            winners = (score >= score.max(axis=0) * (1 - 1e-9)) & (score > 0)
            level = winners.sum(axis=0)
            for size in np.unique(level[level > 0]):
                y = int(np.flatnonzero(level == size)[-1])
                repeated = np.repeat(outputs[y : y + 1], enough(1 / size) if size > 1 else 50, axis=0)
                named = bayes.guess(m, repeated, prior, stream(15, "guess", y))
                assert fits(np.bincount(named, minlength=m.k), winners[:, y] / size), f"report {y}, {size} tied"


def success_is_what_the_attack_gets(m: Randomizer) -> None:
    """A simulated attack on people drawn from the prior: its hits lie in Clopper–Pearson's interval of the formula.

    Sized by `enough` for the success itself, so that one that is off by 5 % shows.
    """
    zipf = 1 / np.arange(1, m.k + 1)
    for place, prior in enumerate((np.full(m.k, 1 / m.k), zipf / zipf.sum())):
        exact = float(prior @ bayes.success(m, prior))
        n, rng = min(enough(exact), 200_000), stream(16, "attack", place)
        values = rng.choice(m.k, n, p=prior)
        hits = int(np.sum(bayes.guess(m, m.perturb(values, rng), prior, rng) == values))
        low, high = clopper_pearson(hits, n, 1 - ALPHA)
        assert low <= exact <= high, f"{hits / n:.4f} of the guesses hit, {exact:.4f} should"


def a_channel_too_large_says_so(m: Randomizer) -> None:
    """A channel has as many columns as counted; beyond 16 384 the refusal gives their number and a way out."""
    if m.summed:
        for ask in (m.count_outputs, m.outputs, m.channel):
            with pytest.raises(NotEnumerable, match=r"no end.*log_likelihood"):
                ask()
        return
    size, refusal = m.count_outputs(), ""
    try:
        assert channel(m, publics(m, 1)[0]).matrix.shape == (m.k, size)
    except NotEnumerable as error:
        refusal = str(error)
    assert bool(refusal) == (size > 16_384)
    assert not refusal or (f"{size:.4g} different reports" in refusal and "log_likelihood" in refusal)


EXACT: tuple[Law, ...] = (
    likelihood_is_a_distribution,
    outputs_are_all_the_reports,
    keeps_its_policy,
    uses_its_whole_budget,
    privacy_loss_is_the_channels,
    disclosure_is_the_channels,
    support_is_the_channels,
    naming_is_the_channels,
    names_are_the_likeliest_of_their_side,
    estimate_is_unbiased,
    estimate_inverts_support,
    variance_is_the_channels,
    step_is_the_channels,
    success_is_the_channels,
    em_products_are_the_channels,
    tallies_merge,
    reports_are_canonical_and_sliceable,
    only_the_given_generator_is_used,
    a_mechanism_is_a_value,
    a_channel_too_large_says_so,
)
SAMPLED: tuple[Law, ...] = (
    perturb_follows_the_likelihood,
    hashes_are_pairwise_uniform,
    simulate_has_the_right_moments,
    simulate_has_the_joint_law,
    experiments_lie_where_chance_has_them,
    guess_shares_ties_evenly,
    success_is_what_the_attack_gets,
)
LARGE: tuple[Law, ...] = (
    estimate_inverts_support,
    estimates_hold_at_scale,
    simulate_keeps_the_report_size,
    tallies_merge,
    reports_are_canonical_and_sliceable,
    a_channel_too_large_says_so,
)
