"""What nobody can do better, of means and sets: below every mechanism that keeps the promise, near the best of them."""

import numpy as np
import pytest

from ldpcore import catalog, limit, plan
from ldpcore.plan import floors

LOW = ((), ((-1.0, 0.3),), ((-0.5, 0.0), (0.5, 0.75)))


def numbers() -> np.ndarray:
    return np.round(np.clip(np.random.default_rng(1).normal(-0.2, 0.4, 400), -1, 1), 2)


@pytest.mark.one_in(2)  # all marks, both promises, known and worst people: each with half of the others
@pytest.mark.parametrize("low", LOW)
@pytest.mark.parametrize("promise", ["LDP", "ULDP"])
@pytest.mark.parametrize("worst", [False, True])
def test_no_mean_errs_less_than_the_floor(low, promise: str, worst: bool) -> None:
    x = None if worst else numbers()
    floor = plan.means_limit(promise, low, x=x)
    assert floor is not None
    for epsilon in (0.1, 1.0, 4.0):
        least = floor.within(epsilon, 1)
        kept = [key for key, entry in catalog.MEANS.items() if promise == "ULDP" or entry.promise == "LDP"]
        errors = {key: plan.means(key, low, x=x).within(epsilon, 1) for key in kept if _promises(key, promise)}
        assert min(errors.values()) >= least * (1 - 1e-9), errors
        if epsilon == 0.1 and (not worst or not low):
            assert min(errors.values()) < 1.02 * least, "the best is near it at a small ε"


def _promises(key: str, promise: str) -> bool:
    return catalog.MEANS[key].promise in ("LDP", promise)


def test_who_is_exactly_where_a_mark_ends_is_not_marked() -> None:
    """What is not sensitive is closed: taken as sensitive there, the floor could be too high."""
    low, marked = ((-1.0, 0.3),), [(0.3 + floors.INSIDE, 1.0)]
    at, held, kept, inner = floors._gathered(np.array([0.3, 0.3001]), np.array([0.4, 0.6]), low, marked)
    told = dict(zip(at.tolist(), zip(held.tolist(), kept.tolist(), strict=True), strict=True))
    assert told[0.3] == (0.4, False)
    assert told[0.3001] == (0.6, True)
    assert inner == 0.0


def test_counted_people_are_people() -> None:
    x = numbers()
    values, counts = np.unique(x, return_counts=True)
    one, two = plan.means_limit("LDP", x=x), plan.means_limit("LDP", x=values, counts=counts)
    assert one is not None
    assert two is not None
    assert one.within(1.0, 100) == pytest.approx(two.within(1.0, 100), rel=1e-3)
    least = one.epsilon(n=5000, within=0.05)
    assert least is not None
    assert one.people(least, 0.05) <= 5000 < one.people(0.99 * least, 0.05)


@pytest.mark.parametrize(("k", "m", "marked"), [(16, 2, 4), (64, 4, 16)])
@pytest.mark.parametrize("promise", ["LDP", "SULDP-joint"])
def test_no_shares_of_sets_err_less_than_the_floor(k: int, m: int, marked: int, promise: str) -> None:
    floor, mask = plan.sets_limit(promise, k, m, marked), np.arange(k) < marked
    assert floor is not None
    for epsilon in (0.1, 1.0, 4.0):
        errors = [
            plan.sets(key, k, m, mask).within(epsilon, 1)
            for key, entry in catalog.SETS.items()
            if entry.promise in ("LDP", promise)
        ]
        assert min(errors) >= floor.within(epsilon, 1) * (1 - 1e-9)
    assert min(plan.sets(key, k, m, mask).within(0.1, 1) for key in ("PrivSet", "uPrivSet")) < 1.2 * floor.within(
        0.1, 1
    )


def test_the_floor_of_sets_is_below_the_least_error_found_for_uniform_sets() -> None:
    """Of all channels that a search compares; at m = 1 it is the certified limit of one answer."""
    z = plan.quantile(0.95)
    floor = plan.sets_limit("LDP", 16, 2)
    one = plan.sets_limit("LDP", 16, 1)
    assert floor is not None
    assert one is not None
    found = limit.best_sets(16, 16, 2, 1.0, promise="LDP").mse
    assert 0.9 * found < (floor.within(1.0, 1) / z) ** 2 < found
    single = limit.best("LDP", 16, 16, 1.0).mse
    assert 0.9 * single < (one.within(1.0, 1) / z) ** 2 <= single * (1 + 1e-9)


def test_where_nothing_is_proven_there_is_none() -> None:
    with pytest.raises(ValueError, match=r"m \(items per set\) must be at least 1, got 0"):
        plan.sets_limit("LDP", 64, 0)
    assert plan.sets_limit("SULDP-y₀", 64, 4, 16) is None
    assert plan.sets_limit("SULDP-joint", 64, 4, 4) is None  # everybody who holds protected items alone holds the same
    assert plan.means_limit("ULDP", [(-1.0, 1.0)]) is None
    with pytest.raises(ValueError, match="LDP"):
        plan.means_limit("SDLDP")
