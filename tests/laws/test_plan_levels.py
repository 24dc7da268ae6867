"""The planner with levels: what it calls the worst is so, one ε is what was there, and nobody is below a limit."""

import math

import numpy as np
import pytest

from ldpcore import catalog, checks, plan
from ldpcore.attacks import within
from ldpcore.leveled_parts import Parts

INF = math.inf
PARTS = {
    "three": [(-1.0, 0.0, INF), (0.0, 0.5, 2.0), (0.5, 1.0, 0.5)],
    "no public": [(-1.0, 0.5, 2.0), (0.5, 1.0, 0.5)],
    "in the middle": [(-1.0, -0.3, 1.0), (-0.3, 0.3, 0.25), (0.3, 1.0, 1.0)],
}
WORST = {"three": (0.1, 1.2), "no public": (0.1,), "in the middle": (0.1,)}
"""ε; the smallest for all, where the mechanisms come nearest to the limit."""
PEOPLE = {
    "worst": {},
    "even": {"x": np.linspace(-0.95, 0.95, 39)},
    "secret": {"x": np.array([0.1, 0.25, 0.7, 0.9]), "counts": np.array([5, 1, 2, 9])},
}


def at(parts, epsilon):
    """The parts as they are where the most secret one has this ε."""
    least = min(part[2] for part in parts)
    return [(left, right, own * epsilon / least) for left, right, own in parts]


@pytest.mark.one_in(2)  # each mechanism with half of the levels, all levels with some
@pytest.mark.parametrize("key", catalog.LEVELED_MEANS)
@pytest.mark.parametrize("name", PARTS)
def test_a_mean_with_levels_is_planned_for_the_worst_number(key, name) -> None:
    parts = PARTS[name]
    asked = plan.leveled_means(key, parts)
    built = catalog.LEVELED_MEANS[key].build(at(parts, 0.4))
    dense = np.unique(np.concatenate([np.linspace(-1, 1, 777), [end for part in parts for end in part[:2]]]))
    worst = built.moments(dense, "unbiased")[1].max()
    exact = asked.within(0.4, 100)
    assert plan.quantile(0.95) * np.sqrt(worst / 100) <= exact * (1 + 1e-9)
    assert exact <= plan.quantile(0.95) * np.sqrt(worst / 100) * 1.01
    some = {"x": np.array([-0.2, 0.7]), "counts": np.array([3, 1])}
    spread = built.moments(some["x"], "unbiased")[1] @ [0.75, 0.25]
    known = plan.leveled_means(key, parts, **some).within(0.4, 100)
    assert known == pytest.approx(plan.quantile(0.95) * np.sqrt(spread / 100))
    # Whom the attacker is after: the most secret numbers.
    secret = Parts(parts).at(built.points) == min(part[2] for part in parts)
    weight = secret * np.diff(built.inputs)
    assert asked.success(0.4) == pytest.approx(np.average(within.success(built, 0.1), weights=weight))
    even = within.blind(built, 0.1, weight / weight.sum())
    assert asked.blind() == pytest.approx(even)
    assert not math.isfinite(asked.within(checks.MAX_EPSILON, 100))


def test_one_that_knows_no_levels_is_planned_against_the_same_attacker() -> None:
    low = [(-1.0, 0.0)]
    secret, both = (plan.means("PM", low, after=after) for after in ([(0.5, 1.0)], [(0.0, 1.0)]))
    assert both.success(1.0) == plan.means("PM", low, after=[(0.0, 1.0)]).success(1.0)
    assert secret.success(1.0) != both.success(1.0)
    assert secret.within(1.0, 10) == both.within(1.0, 10)


@pytest.mark.one_in(2)  # all levels, and all kinds of people: each with half of the others
@pytest.mark.parametrize("people", PEOPLE)
@pytest.mark.parametrize("name", PARTS)
def test_no_mean_is_below_the_limit_of_its_levels(name, people) -> None:
    """Who treats all marked as secret keeps the levels, so the limit binds it too; at one ε it is that of one."""
    parts, given = PARTS[name], PEOPLE[people]
    least = plan.leveled_means_limit(parts, **given)
    low = [part[:2] for part in parts if part[2] == INF]
    for epsilon in WORST[name] if people == "worst" else (0.4,):
        floor = least.within(epsilon, 1)
        assert floor > 0 or people == "secret"
        for key in catalog.LEVELED_MEANS:
            assert floor <= plan.leveled_means(key, parts, **given).within(epsilon, 1) * (1 + 1e-6)
        for key in ("uTernary", "PM"):
            assert floor <= plan.means(key, low, **given).within(epsilon, 1) * (1 + 1e-6)
    one = [(left, right, own if own == INF else 1.0) for left, right, own in parts]
    alike, known = plan.leveled_means_limit(one, **given), plan.means_limit("ULDP", low, **given)
    assert known is not None
    if people != "worst":  # which data are the worst is guessed in two ways
        assert alike.within(0.7, 1) == pytest.approx(known.within(0.7, 1), rel=0.02)


VALUES = {
    "three": [INF] * 8 + [2.0] * 5 + [0.5] * 5,
    "no public": [1.0] * 3 + [0.25] * 3,
    "one secret": [INF, 2.0, 0.5],
}


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("name", VALUES)
def test_no_shares_are_below_the_limit_of_their_levels(name, known) -> None:
    epsilons = VALUES[name]
    k = len(epsilons)
    marks = np.isfinite(epsilons)
    shares = 0.8 ** np.arange(k) / (0.8 ** np.arange(k)).sum()
    given = {"freq": shares} if known else {}
    least = plan.levels_limit(epsilons, **given)
    for epsilon in (0.1, 0.5, 2.0):
        floor = least.within(epsilon, 1)
        assert floor > 0
        for key in catalog.LEVELS:
            made = plan.levels(key, epsilons, guess=np.full(k, 1 / k), **given)
            assert floor <= made.within(epsilon, 1) * (1 + 1e-6)
        assert floor <= plan.frequency("uSS", k, marks, **given).within(epsilon, 1) * (1 + 1e-6)
    assert not math.isfinite(least.within(plan.HIGHEST, 1)) or max(e for e in epsilons if e < INF) < 2
    one = [INF if each == INF else 1.0 for each in epsilons]
    two = plan.limit("ULDP", k, int(marks.sum()), share=float(shares[marks].sum())) if known else None
    if two is not None:
        assert plan.levels_limit(one, **given).within(1.0, 1) == pytest.approx(two.within(1.0, 1), rel=1e-3)
    with pytest.raises(ValueError, match="every value is public"):
        plan.levels_limit([INF, INF])
