"""The planner against simulation, brute force and the limit: at the planned size the promise is kept, and just below
it is not; what it calls the worst data are the worst.

Statistical tests: fixed seeds, false-alarm rate below 1e-6 each (binomial tails).
"""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

import numpy as np
import pytest
from scipy.stats import binom

from ldpcore import catalog, checks, limit, plan
from ldpcore.attacks.bayes import success_of_channel
from ldpcore.plan.solve import margin_of
from ldpcore.plan.tasks import _corners, _kinds, _of_one_set, _worst
from ldpcore.rng import stream
from ldpcore.study.frequency.floor import policy
from tests.each import for_each

DOMAINS = ((2, 1), (5, 2), (7, 0), (7, 7), (12, 11))
REPEATS = 2000
RARE = 1e-7


def marks(k: int, marked: int) -> np.ndarray:
    """Not the first ones: a code that takes marks for positions would be seen."""
    return np.isin(np.arange(k), np.random.default_rng(k + marked).permutation(k)[:marked])


@pytest.mark.parametrize("key", catalog.FREQUENCY)
@for_each("shape", DOMAINS)
@for_each("epsilon", [0.1, 1.0, 4.0])
def test_no_shares_are_worse_than_the_worst(key: str, shape: tuple[int, int], epsilon: float) -> None:
    k, _ = shape
    mask = marks(*shape)
    built = catalog.FREQUENCY[key].build(epsilon, k, mask)
    kind = mask if catalog.FREQUENCY[key].uses_marks else np.ones(k, bool)
    worst = _worst([built.variance(corner, 1) for corner in _corners(kind)], kind)
    every = np.array([built.variance(corner, 1) for corner in np.eye(k)])
    assert np.all(worst >= every.max(axis=0) * (1 - 1e-9))  # every one of them, for each value
    assert worst.max() == pytest.approx(every.max(), rel=1e-9)  # and the largest is one of them
    inside = np.random.default_rng(3).dirichlet(np.full(k, 0.5), 20)
    assert np.allclose([built.variance(freq, 1) for freq in inside], inside @ every, rtol=1e-7, atol=1e-12)


@for_each("key", catalog.SETS)
@for_each(("k", "marked", "m", "dummies"), [(5, 3, 2, 0), (6, 5, 2, 0), (5, 5, 2, 0), (5, 3, 2, 2)])
def test_no_sets_are_worse_than_the_worst(key: str, k: int, marked: int, m: int, dummies: int) -> None:
    mask = marks(k, marked)
    built = catalog.SETS[key].build(1.0, k, mask, m, dummies)
    worst = _worst([_of_one_set(built, held) for held in _kinds(built)], built.marked[:k])
    every = np.array([_of_one_set(built, held) for held in built.all_sets()])
    assert np.all(worst >= every.max(axis=0) * (1 - 1e-9))
    assert worst.max() == pytest.approx(every.max(), rel=1e-9)


@for_each("key", catalog.MEANS)
@for_each("low", [(), ((-0.3, 0.4),), ((-1.0, -0.2), (0.5, 1.0))])
def test_no_number_is_worse_than_the_worst(key: str, low: tuple) -> None:
    x = np.r_[np.random.default_rng(5).uniform(-1, 1, 200), np.ravel(low)]
    each = plan.quantile(0.95) * np.sqrt(catalog.MEANS[key].build(1.0, low).moments(x, "unbiased")[1])
    assert (each <= plan.means(key, low).within(1.0, 1) * (1 + 1e-3)).all()
    assert [plan.means(key, low, x=[one]).within(1.0, 1) for one in x[:3]] == pytest.approx(each[:3])


def kept(hits: int, confidence: float) -> bool:
    """So many of REPEATS hits are no less than the confidence promises (normal law: up to 0.4 points less)."""
    return bool(binom.cdf(hits, REPEATS, confidence - 0.004) > RARE)


@for_each("key", catalog.FREQUENCY)
@for_each("every", [False, True])
def test_at_the_planned_size_the_promise_is_kept(key: str, every: bool) -> None:
    """With the worst data, and with given ones; one share is as near to its confidence as the normal law."""
    k, mask, within = 6, marks(6, 2), 0.03
    given = np.array([0.4, 0.3, 0.1, 0.1, 0.07, 0.03])
    for freq in (None, given):
        asked = plan.frequency(key, k, mask, every=every, freq=freq)
        n = asked.people(1.0, within)
        assert n is not None
        if not math.isfinite(asked.alone(1.0)) or n == 1:
            continue
        built, rng = catalog.FREQUENCY[key].build(1.0, k, mask), stream(11, "plan", key)
        shares = max(np.eye(k), key=lambda corner: built.variance(corner, 1).max()) if freq is None else given
        counts = np.round(shares * n).astype(int)
        errors = np.abs(built.simulate(counts, rng, REPEATS) - counts / counts.sum())
        if every:
            assert kept(int(np.sum(np.all(errors <= within, axis=1))), 0.95)
        else:
            hits = int(np.sum(errors[:, np.argmax(built.variance(shares, 1))] <= within))
            assert kept(hits, 0.95)
            assert binom.sf(hits, REPEATS, 0.954) > RARE  # and not more than asked: nobody is asked in vain


def test_all_at_once_is_the_quantile_of_the_largest_of_normal_errors() -> None:
    """Independent errors of unequal size: Šidák's inequality is an equation."""
    variances = np.array([1.0, 1.0, 0.25, 4.0, 0.0])
    z = margin_of(variances, 0.9, every=True)
    drawn = np.abs(stream(4, "sidak").normal(0, np.sqrt(variances), (200_000, 5))).max(axis=1)
    hits = int(np.sum(drawn <= z))
    assert 1e-7 < binom.cdf(hits, len(drawn), 0.9) < 1 - 1e-7
    for little in np.geomspace(1e-12, 1e-2, 41):  # one value errs most by far
        lone = margin_of(np.array([1.0, *[little] * 9]), 0.95, every=True)
        assert lone == pytest.approx(plan.quantile(0.95), rel=1e-8)
    equal = margin_of(np.full(7, 4.0), 0.95, every=True)
    assert equal == pytest.approx(2 * plan.quantile(0.95, 7), rel=1e-9)


@cache
def planned(key: str, k: int, marked: int) -> plan.Plan:
    return plan.frequency(key, k, marks(k, marked))


@cache
def half_width(key: str, k: int, marked: int, epsilon: float) -> float:
    return planned(key, k, marked).within(epsilon, 5000)


@cache
def least_people(promise: str, k: int, marked: int, epsilon: float, share: float | None = None) -> float:
    """Many mechanisms have the same promise."""
    given = {} if share is None else {"share": share}
    return plan.limit(promise, k, marked, **given).people(epsilon, 0.01)


CASES = [(key, k, marked) for key in catalog.FREQUENCY for k, marked in ((4, 1), (16, 4))]


@pytest.mark.one_in(2)  # each mechanism and size at one of the two widths
@pytest.mark.parametrize(("key", "k", "marked"), CASES)
@pytest.mark.parametrize("within", [0.02, 0.05])
def test_the_least_epsilon_is_the_least(key: str, k: int, marked: int, within: float) -> None:
    """Errors that rise again with ε included: on a grid of 300 none below it suffices."""
    asked, n = planned(key, k, marked), 5000
    found = asked.epsilon(n, within)
    fine = np.geomspace(plan.LOWEST, plan.HIGHEST, 300)
    below = fine if found is None else fine[fine * (1 + 1e-3) < found]
    assert not [epsilon for epsilon in below.tolist() if half_width(key, k, marked, epsilon) <= within]
    if found is not None:
        assert asked.within(found, n) <= within
        assert found == plan.LOWEST or asked.within(found * 0.999, n) > within


@pytest.mark.one_in(2)  # one search for all; what it finds is asked of every mechanism above
@pytest.mark.parametrize("key", catalog.FREQUENCY)
def test_a_search_looks_seldom(key: str) -> None:
    """Each look builds a mechanism, and a page waits for it: as errors and successes cannot change faster than the
    promise allows, strides are long, and their bound is worth what it costs to say it.
    """
    asked = planned(key, 8, 3)
    for name, search in (
        ("gain", lambda counted: counted.most_epsilon(0.5)),
        ("gain", lambda counted: counted.most_epsilon(0.9)),
        ("alone", lambda counted: counted.epsilon(5000, 0.02)),
        ("alone", lambda counted: counted.epsilon(5000, 0.1)),
    ):
        looks: list[float] = []
        of = getattr(asked, name)
        search(replace(asked, **{name: lambda epsilon, of=of, looks=looks: (looks.append(epsilon), of(epsilon))[1]}))
        assert len(looks) <= 50, name


@for_each("key", catalog.FREQUENCY)
def test_that_an_answer_is_marked_says_nothing_where_one_alone_is(key: str) -> None:
    """Else whoever knows it would know the answer: the attacker has what anybody believes."""
    alone, even = marks(5, 1), np.full(5, 0.2)
    asked, told = plan.frequency(key, 5, alone), plan.frequency(key, 5, alone, prior=even)
    for epsilon in (0.5, 3.0):
        believed = plan.success(key, k=5, sensitive=alone, epsilon=epsilon, prior=even)
        assert plan.success(key, k=5, sensitive=alone, epsilon=epsilon) == believed == asked.success(epsilon)
    assert asked.blind() == told.blind() == pytest.approx(0.2)


def dips(seen: np.ndarray, most: int) -> list[tuple[int, float]]:
    """Where what is looked for is small as nowhere before and large again right after, and goals that it reaches there
    by a thousandth: what a search jumps over, if any does. Where there are few, other places as well.
    """
    least = np.minimum.accumulate(seen)
    reached = np.flatnonzero(np.isfinite(seen) & (seen == least) & (seen > 0))
    narrow = [at for at in reached.tolist() if at + 1 < len(seen) and seen[at + 1] > seen[at] * 1.002]
    rest = reached[:: max(1, len(reached) // 3)].tolist()
    chosen = (narrow[:: max(1, len(narrow) // most)] + rest)[: most + 2]
    return [(int(np.searchsorted(-least, -seen[at] * 1.001)), seen[at] * 1.001) for at in chosen]


def smaller(grid: np.ndarray, looks: list[tuple[int, float]], found: Callable[[float], float | None]) -> list[str]:
    """The goals that a smaller ε reaches than the one that is found."""
    answers = [(grid[at], goal, found(goal)) for at, goal in looks]
    return [f"{goal}: {epsilon} and not {least}" for epsilon, goal, least in answers
            if least is None or least > epsilon * (1 + 3e-4)]  # fmt: skip


PLANS = {
    **{f"{key} {k}": partial(planned, key, k, some) for key in catalog.FREQUENCY for k, some in ((12, 12), (33, 12))},
    **{f"sets {key}": partial(plan.sets, key, 16, 3, marks(16, 12)) for key in catalog.SETS},
    "levels gSub": partial(plan.levels, "gSub", [math.inf] * 3 + [1.0] * 6 + [0.5] * 9),
}


@pytest.mark.one_in(2)  # every mechanism for values at the first of its two sizes; of sets one search for all
@pytest.mark.parametrize("name", PLANS)
def test_no_smaller_epsilon_suffices(name: str) -> None:
    """Between the steps of a mechanism that counts in whole numbers, too: with the goals that are hardest to see, those
    that only a narrow dip reaches.
    """
    asked, grid = (
        PLANS[name](),
        np.geomspace(plan.LOWEST, plan.HIGHEST, 300 if name.split()[0] in catalog.FREQUENCY else 60),
    )
    looks = dips(np.array([asked.within(epsilon, 1) for epsilon in grid.tolist()]), 5)
    assert smaller(grid, looks, lambda goal: asked.epsilon(1, goal)) == []


@pytest.mark.one_in(2)  # every mechanism at these four values: the next test
@pytest.mark.parametrize(("key", "k", "marked"), [(key, 4, 1) for key in catalog.FREQUENCY] + [("SS", 33, 12)])
def test_no_smaller_epsilon_lets_the_attacker_manage_more(key: str, k: int, marked: int) -> None:
    """Where success peaks: up to the ε that is found it is never larger than tolerated."""
    asked, grid = planned(key, k, marked), np.geomspace(plan.LOWEST, plan.HIGHEST, 120)
    wins = np.array([asked.success(epsilon) for epsilon in grid.tolist()])
    looks = dips(np.where(wins > 0, 1 / np.maximum(wins, 1e-9), math.inf), 5)
    assert smaller(grid, looks, lambda goal: asked.most_epsilon(min(1.0, 1 / goal)) or plan.LOWEST) == []


@pytest.mark.one_in(2)  # every mechanism is usual at four values, thorough at sixteen
@pytest.mark.parametrize(("key", "k", "marked"), CASES)
def test_the_largest_epsilon_tolerates_no_more(key: str, k: int, marked: int) -> None:
    asked = planned(key, k, marked)
    blind = 1 / marked if marked > 1 else 1 / k
    most = {success: asked.most_epsilon(success) for success in (blind + 0.1, blind + 0.3)}
    fine = np.geomspace(plan.LOWEST, max((found for found in most.values() if found), default=plan.HIGHEST), 100)
    wins = np.array([asked.success(float(epsilon)) for epsilon in fine]) if any(most.values()) else np.zeros(100)
    for success, found in most.items():
        if found is None:
            assert asked.success(plan.LOWEST) > success
            continue
        assert max(wins[fine < found], default=0.0) <= success + 1e-9
        assert asked.success(found) <= success + 1e-9
        if found < plan.HIGHEST:  # just above it is more, perhaps for a moment only
            assert max(asked.success(found * (1 + by)) for by in (1e-4, 1.0001e-4, 2e-3)) > success
    assert asked.most_epsilon(1.0) == plan.HIGHEST
    if asked.success(plan.LOWEST) > 0:
        assert asked.most_epsilon(0.0) is None


@pytest.mark.parametrize("key", catalog.FREQUENCY)
def test_people_and_epsilon_are_one_another_s_inverse(key: str) -> None:
    asked = plan.frequency(key, 16, marks(16, 5))
    for epsilon in (0.2, 0.5, 1.0):
        n = asked.people(epsilon, 0.02)
        assert n is not None
        assert asked.within(epsilon, n) <= 0.02 < asked.within(epsilon, n - 1)
        assert asked.epsilon(n, 0.02) <= epsilon * (1 + 2e-4)


@pytest.mark.one_in(2)  # each mechanism at one or two of the three shapes; errors of all: test_limit.py
@pytest.mark.parametrize("key", catalog.FREQUENCY)
@pytest.mark.parametrize(("k", "marked"), [(5, 2), (18, 4), (9, 9)])
def test_nobody_needs_fewer_people_than_the_limit(key: str, k: int, marked: int) -> None:
    mask = marks(k, marked)
    for epsilon in (0.1, 1.0, 3.0):
        floor = least_people(policy(key), k, marked, epsilon)
        assert plan.people(key, k=k, sensitive=mask, epsilon=epsilon, within=0.01) >= floor * (1 - 1e-4)
        skew = np.random.default_rng(k).dirichlet(np.full(k, 0.5))
        share = min(float(skew[mask].sum()), 1.0)
        given = least_people(policy(key), k, marked, epsilon, share)
        assert plan.people(key, k=k, sensitive=mask, epsilon=epsilon, within=0.01, freq=skew) >= given * (1 - 1e-4)


def test_the_limit_is_the_limit_s_error() -> None:
    """With everything marked subset selection has it, averaged over the values; its worst value needs 29 % more."""
    floor = plan.limit("LDP", 64, 64).people(1.0, 0.01)
    assert floor == math.ceil(limit.best("LDP", 64, 64, 1.0).mse * plan.quantile(0.95) ** 2 / 1e-4)
    assert 1.2 < plan.people("SS", k=64, epsilon=1.0, within=0.01) / floor < 1.35


@pytest.mark.one_in(2)  # that the planned error is a release's: test_ranges.py, of all
@pytest.mark.parametrize("key", catalog.RANGES)
def test_a_range_is_within_at_the_planned_size(key: str) -> None:
    asked = plan.ranges(key, 32, (3, 17))
    n = asked.people(1.0, 0.02)
    assert n is not None
    built, rng, counts = catalog.RANGES[key].build(5), stream(6, "plan", key), np.full(32, 10.0)
    errors = [built.release(counts, 1.0, rng).range(3, 17) - 150 for _ in range(REPEATS)]
    hits = int(np.sum(np.abs(errors) <= 0.02 * n))
    assert RARE < binom.cdf(hits, REPEATS, 0.95) < 1 - RARE
    assert asked.epsilon(n, 0.02) == pytest.approx(1.0, rel=1 / n + 2e-4)  # n is a whole number


@pytest.mark.one_in(2)  # that the planned error is a survey's: test_means.py, of all
@pytest.mark.parametrize("key", catalog.MEANS)
def test_a_mean_is_within_at_the_planned_size(key: str) -> None:
    low, x = ((-0.2, 1.0),), np.linspace(-0.9, 0.9, 19)
    asked = plan.means(key, low, x=x)
    n = asked.people(1.0, 0.05)
    assert n is not None
    built, each = catalog.MEANS[key].build(1.0, low), -(-n // 19)
    found = built.simulate(x, stream(8, "plan", key), 600, "unbiased", np.full(19, each))
    hits = int(np.sum(np.abs(found - x.mean()) <= asked.within(1.0, 19 * each)))
    assert RARE < binom.cdf(hits, 600, 0.95) < 1 - RARE


@pytest.mark.one_in(2)  # that the planned error is a survey's: test_sets.py, of all
@pytest.mark.parametrize("key", catalog.SETS)
def test_shares_of_holders_are_within_at_the_planned_size(key: str) -> None:
    mask = marks(6, 4)
    asked = plan.sets(key, 6, 2, mask)
    n = asked.people(2.0, 0.05)
    if n is None or n == 1:
        pytest.skip("nothing to err")
    built = catalog.SETS[key].build(2.0, 6, mask, 2)
    held = max(_kinds(built), key=lambda one: _of_one_set(built, one).max())
    item = int(np.argmax(_of_one_set(built, held)))
    found = built.simulate(np.tile(np.sort(held), (n, 1)), stream(9, "plan", key), 600)[:, item]
    hits = int(np.sum(np.abs(found - float(item in held)) <= 0.05))
    assert RARE < binom.cdf(hits, 600, 0.95) < 1 - RARE


@for_each("key", catalog.FREQUENCY)
@for_each(("k", "marked"), [(5, 2), (18, 4), (9, 9), (6, 0)])
def test_without_a_report_the_attacker_is_blind(key: str, k: int, marked: int) -> None:
    """What no report adds to is where success begins; under a promise, as ε falls, it gets there."""
    asked = plan.frequency(key, k, marks(k, marked))
    blind = asked.blind()
    assert blind == pytest.approx(1 / (marked or k), rel=1e-12)
    assert asked.success(1e-6) >= blind - 1e-9
    if marked or catalog.FREQUENCY[key].promise == "LDP":
        assert asked.success(1e-6) == pytest.approx(blind, abs=1e-5)


def test_the_blind_guess_is_of_whoever_knows_the_shares() -> None:
    prior = np.array([0.5, 0.2, 0.2, 0.1])
    assert plan.frequency("GRR", 4, [False, True, True, True], prior=prior).blind() == 0.0  # the commonest is unmarked
    assert plan.frequency("GRR", 4, [True, True, False, False], prior=prior).blind() == pytest.approx(0.5 / 0.7)
    assert plan.ranges("Privelet", 8, (1, 3)).blind() == 0.5  # one of two
    assert (
        plan.sets("suWheel", 8, 2, [True] * 2 + [False] * 6).blind() is None
    )  # its promise is not of the whole report
    assert plan.means("PM", delta=0.2).blind() == pytest.approx(0.2, abs=0.01)  # a tenth to either side, of 2
    assert plan.means("uTernary", ((-1.0, 0.5),), delta=0.25).blind() == pytest.approx(1.0, abs=0.02)
    assert plan.means("PM", ((-1.0, 1.0),), delta=0.2).success(1e-6) == pytest.approx(0.2, abs=0.02)  # none is marked


@pytest.mark.parametrize("key", ["HR", "uHR"])
@pytest.mark.parametrize(("k", "marked"), [(3, 1), (7, 5), (33, 12), (64, 64), (130, 40)])
def test_hadamard_s_closed_forms_are_the_slow_ones(key: str, k: int, marked: int) -> None:
    """The blocks are those with the least error, and success is the channel's; so the planner answers the same."""
    mask = marks(k, marked)
    for epsilon in (0.01, 0.7, 2.0, 8.0):
        built = catalog.FREQUENCY[key].build(epsilon, k, mask)
        known = mask / mask.sum()
        assert np.allclose(built.success(known), success_of_channel(built.channel(), known), rtol=1e-9)
        errors = [replace(built, blocks=1 << i).variance(np.full(k, 1 / k), 1).sum() for i in range(9)]
        assert built.variance(np.full(k, 1 / k), 1).sum() == pytest.approx(min(errors), rel=1e-9)


def test_people_with_the_same_number_are_counted() -> None:
    x, counts = np.array([-0.6, 0.1, 0.9]), np.array([5, 2, 1])
    for key in catalog.MEANS:
        low = ((-0.2, 0.4),)
        apart = plan.means(key, low, x=np.repeat(x, counts)).within(1.0, 8)
        assert plan.means(key, low, x=x, counts=counts).within(1.0, 8) == pytest.approx(apart, rel=1e-12)


def test_where_there_is_no_unbiased_estimate_no_number_of_people_suffices() -> None:
    """SDPM with these marks has one up to some ε between 1 and 2."""
    low = ((-1.0, -0.2), (0.2, 1.0))
    asked = plan.means("SDPM", low)
    assert asked.people(1.0, 0.05) is not None
    assert asked.people(4.0, 0.05) is None
    every = np.geomspace(plan.LOWEST, plan.HIGHEST, 400).tolist()
    fine = [x for x in every if "unbiased" in catalog.MEANS["SDPM"].build(x, low).estimates()]
    assert 1 < fine[-1] < 2
    assert fine == every[: len(fine)]
    assert math.isfinite(asked.within(fine[-1], 1))
    assert not math.isfinite(asked.within(every[len(fine)], 1))
    for share in (0.99, 0.7, 0.5, 0.2):  # what suffices only just before it is found
        within = asked.within(fine[int(share * (len(fine) - 1))], 1000)
        assert asked.epsilon(1000, within) <= fine[-1]
    assert asked.epsilon(1000, asked.within(fine[-1], 1000) / 2) is None


def test_what_is_drawn_of_large_sets_adds_to_the_error() -> None:
    mask, freq = marks(6, 2), np.full(6, 1 / 3)
    alone = plan.sets("PrivSet", 6, 2, mask, freq=freq).within(1.0, 1)
    both = plan.sets("PrivSet", 6, 2, mask, freq=freq, wobble=np.full(6, 0.1)).within(1.0, 1)
    assert both**2 - alone**2 == pytest.approx(0.1 * plan.quantile(0.95) ** 2)


def test_what_cannot_be_reached_is_none() -> None:
    assert plan.epsilon("OUE", k=16, n=100, within=0.01) is None
    assert plan.people("SDSS", k=5, sensitive=[True] + [False] * 4, epsilon=1.0, within=0.01) is not None
    assert plan.frequency("GRR", 4, [True, True, False, False]).most_epsilon(0.49) is None  # blind guess: one half
    nothing = plan.frequency("uSS", 4)
    assert nothing.people(1.0, 0.01) == 1  # nothing marked, nothing hidden, nothing to err
    assert nothing.success(1.0) == 1.0


@pytest.mark.parametrize(
    "wrong",
    [
        partial(plan.people, "GRR", k=4, epsilon=1.0, within=0.0),
        partial(plan.people, "GRR", k=4, epsilon=0.0, within=0.1),
        partial(plan.people, "GRR", k=4, epsilon=1.0, within=0.1, confidence=1.0),
        partial(plan.epsilon, "GRR", k=4, n=0, within=0.1),
        partial(plan.people, "no", k=4, epsilon=1.0, within=0.1),
        partial(plan.frequency, "GRR", 4, of=[False] * 4),
        partial(plan.ranges, "Privelet", 8, (3, 9)),
    ],
)
def test_nonsense_is_refused_in_words(wrong) -> None:
    with pytest.raises(ValueError, match=r"\w+ \w+"):
        wrong()


@pytest.mark.parametrize(("epsilons", "m", "dummies"), [
    ((math.inf, math.inf, 2.0, 2.0, 0.5, 0.5), 2, 0),
    ((math.inf, 2.0, 0.5, 0.5), 2, 2),
    ((2.0, 2.0, 0.5, 0.5, 0.5), 3, 0),
])  # fmt: skip
def test_sets_with_levels_plan_for_the_worst_of_all_sets(epsilons, m, dummies) -> None:
    """By every set that somebody can hold; and as without levels where one ε is for all."""
    asked = plan.leveled_sets("gHit", epsilons, m, dummies=dummies)
    built = catalog.LEVELED_SETS["gHit"].build(2 * np.array(epsilons), m, dummies)
    worst = max(built.variance(np.isin(np.arange(len(epsilons)), held), 1).max() for held in built.all_sets())
    assert asked.within(1.0, 100) == pytest.approx(plan.quantile(0.95) * np.sqrt(worst / 100))
    assert asked.success(1.0) == plan.of_two(1.0)
    assert not math.isfinite(asked.within(checks.MAX_EPSILON, 100))
    with pytest.raises(ValueError, match="every item is public"):
        plan.leveled_sets("gHit", [math.inf] * 3, 2)


ERRORS = {
    "a power": lambda epsilon: 3 / epsilon,
    "none below 0.3": lambda epsilon: math.inf if epsilon < 0.3 else 1 / epsilon,
    "nothing above 2": lambda epsilon: 0.0 if epsilon > 2 else math.exp(-epsilon),
    "one step down": lambda epsilon: 2.0 if epsilon < 1.5 else 0.5,
}


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_without_steps_up_is_crossed(name: str) -> None:
    """Where the error itself is the goal, too: the method meets it to the last digit."""
    error = ERRORS[name]
    asked = plan.Plan("limit", error, steps=False)
    for epsilon in np.geomspace(0.4, 1.9, 40).tolist():
        for goal in (error(epsilon), np.nextafter(error(epsilon), 9), np.nextafter(error(epsilon), 0)):
            found = asked.epsilon(1, goal)
            if found is None:
                assert error(plan.HIGHEST) > goal
                continue
            assert error(found) <= goal
            assert found == plan.LOWEST or error(found * 0.9998) > goal


@pytest.mark.parametrize("key", [key for key, entry in catalog.FREQUENCY.items() if entry.takes_share])
def test_a_plan_is_made_for_the_guess_or_for_the_shares_it_knows(key):
    """The half-width is that of the mechanism of this guess; of known shares their sum is the guess."""
    mask, freq = np.arange(16) < 12, np.r_[np.full(12, 0.005), np.full(4, 0.235)]
    entry = catalog.FREQUENCY[key]
    for guess, share in ((None, 0.06), (0.9, 0.9)):
        made = plan.frequency(key, 16, mask, freq=freq, guess=guess)
        built = entry.build(1.5, 16, mask, share=share)
        assert made.within(1.5, 1000) == pytest.approx(1.959964 * np.sqrt(built.variance(freq, 1000).max()), rel=1e-6)
        assert made.success(1.5) == pytest.approx(plan.success(key, k=16, sensitive=mask, epsilon=1.5, guess=share))
        assert made.whole(1.5) == built.counted
    assert entry.build(1.5, 16, mask).counted != entry.build(1.5, 16, mask, share=0.06).counted


@pytest.mark.parametrize("key", [key for key, entry in catalog.SETS.items() if entry.takes_share])
def test_a_plan_of_sets_is_made_for_the_guess_or_for_the_shares_it_knows(key):
    mask, freq = np.arange(16) < 12, np.r_[np.full(12, 0.05), np.full(4, 0.35)]
    for guess, share in ((None, 0.3), (0.9, 0.9)):
        made = plan.sets(key, 16, 2, mask, freq=freq, guess=guess)
        built = catalog.SETS[key].build(1.5, 16, mask, 2, share=share)
        assert made.within(1.5, 1000) == pytest.approx(1.959964 * np.sqrt(built.variance(freq, 1000).max()), rel=1e-6)


def test_a_smaller_epsilon_that_needs_fewer_people_is_said_where_whole_numbers_step():
    made = plan.frequency("OLH", 3)
    found = made.dominated(1.26)
    assert found.better < 1.2528 < found.epsilon == 1.26
    assert made.people(found.better, 0.01) < made.people(1.26, 0.01)
    assert made.dominated(1.2) is None
    assert plan.frequency("GRR", 3).dominated(1.26) is None


def test_where_an_error_is_called_normal_it_is_nearly() -> None:
    """± at 95 % of the worst data: 91 times in 100 and more where `Plan.normal` says so (1 false alarm in 10⁶ each);
    and before, it is needed: less than 87.
    """
    mask, before = marks(6, 3), []
    for key, entry in catalog.FREQUENCY.items():
        for epsilon in (0.5, 3.0, 8.0):
            made, built = plan.frequency(key, 6, mask), entry.build(epsilon, 6, mask)
            for n in (4, 20, 30, 60, 100, 1000):
                within = made.within(epsilon, n)
                for value in {int(np.argmax(mask)), int(np.argmin(mask))}:
                    held = np.eye(6, dtype=int)[value]
                    errors = np.abs(built.simulate(n * held, stream(7, "normal", key, n), REPEATS) - held)
                    hits = int((errors <= within + 1e-12).sum(axis=0).min())
                    if made.normal(n, within):
                        assert binom.cdf(hits, REPEATS, 0.91) > 1e-6, (key, epsilon, n, hits)
                    else:
                        before.append(hits)
    assert min(before) < 0.87 * REPEATS
    assert plan.ranges("Privelet", 16, (2, 5)).normal(1, 0.1)  # a curator's noise is known exactly
