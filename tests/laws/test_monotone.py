"""No error rises with ε, and marks cost nothing: laws over the catalogues.

A mechanism for ε′ < ε keeps the promise of ε. At the error that it is chosen by, the mean over all values at the public
guess, one of ours never errs more than at a smaller ε; one that stays as it was published and does says so (`RISES`),
and `dominated_from` finds where. Everything here is a closed form: nothing is drawn.
"""

import pickle
from dataclasses import replace
from functools import partial
from math import inf

import numpy as np
import pytest

from ldpcore import Marks, Source, Study, data
from ldpcore.catalog import (
    FREQUENCY,
    LEVELED_SETS,
    LEVELS,
    MEANS,
    RISES,
    SETS,
    Coverage,
    coverage,
    dominated_at,
)
from ldpcore.catalog.dominated import Dominated, dominated_from
from ldpcore.study import frequency
from ldpcore.study.sets import point
from tests.laws import laws

FINE = np.geomspace(0.05, 8, 160)
"""Where the laws look on their own, knowing of no whole number."""
COARSE = np.geomspace(0.1, 8, 10)
ROUNDING = 1e-7
"""Relatively: what an optimum that is found by a search, and not in closed form, may be off by."""
SHARES = (None, 0.03, 0.97)
SHAPES = [(3, 3), (5, 1), (8, 8), (64, 63), (64, 8), (5, 0)]
SETTINGS = [(8, 8, 2, 0), (8, 5, 3, 2), (16, 1, 2, 0), (32, 8, 4, 4), (12, 0, 3, 0)]


def even(k, marked, share):
    """Shares even among the marked values, held by this share of the people, and among the others."""
    if share is None or marked in (0, k):
        return np.full(k, 1 / k)
    return np.where(np.arange(k) < marked, share / marked, (1 - share) / (k - marked))


def even_sets(built, share):
    """The same of holders, who have m items each, dummies among them."""
    f = built.m * (built.sigma / built.inner if share is None or built.sigma in (0, built.inner) else share)
    inside = built.marked[: built.k]
    return np.where(inside, f / max(built.sigma, 1), (built.m - f) / max(built.inner - built.sigma, 1))


def frequency_error(entry, k, marked, share, epsilon):
    built = entry.guessing(share, epsilon, k, np.arange(k) < marked)
    return float(built.variance(even(k, marked, share), 1).mean())


def sets_error(entry, k, marked, m, dummies, share, epsilon):
    built = entry.guessing(share, epsilon, k, np.arange(k) < marked, m, dummies)
    return float(built.variance(even_sets(built, share), 1).mean())


def frequency_cases(entry):
    shapes = SHAPES if entry.uses_marks else sorted({(k, k) for k, _ in SHAPES})
    for k, marked in shapes:
        for share in SHARES if entry.takes_share else (None,):
            yield partial(frequency_error, entry, k, marked, share), (share, (k, np.arange(k) < marked))


def sets_cases(entry):
    for k, marked, m, dummies in SETTINGS:
        if entry.key in HITTING and marked + dummies <= m and entry.uses_marks:
            continue
        for share in SHARES[:2] if entry.takes_share else (None,):
            error = partial(sets_error, entry, k, marked, m, dummies, share)
            yield error, (share, (k, np.arange(k) < marked, m, dummies))


HITTING = ("PrivSet", "uPrivSet")
"""They need more items to hide than a set has."""
ENTRIES = [pytest.param(entry, frequency_cases, id=entry.key) for entry in FREQUENCY.values()]
ENTRIES += [pytest.param(entry, sets_cases, id=f"sets-{entry.key}") for entry in SETS.values()]


def rises(error, grid=FINE):
    """How many times an error is that at a smaller ε, at most."""
    found = np.array([error(epsilon) for epsilon in grid])
    if not found.max() > 0:
        return 0.0
    return float(np.max(found[1:] / np.minimum.accumulate(found)[:-1]))


@pytest.mark.parametrize(("entry", "cases"), ENTRIES)
def test_no_error_rises_with_epsilon_unless_the_entry_says_so(entry, cases):
    """At its own shares; and what is found by the entry is what is found here."""
    seen = 0
    grid = FINE if cases is frequency_cases else FINE[::8]
    for error, (share, asked) in cases(entry):
        with laws.told(f"it is {asked}, share {share}"):
            worst = rises(error, grid)
            options = {} if share is None else {"share": share}
            found = entry.dominated_from(*asked, **options)
            seen += found is not None
            assert worst <= 1 + ROUNDING or RISES in entry.caveats
            assert worst <= 1 + ROUNDING or found is not None
            if found is not None:
                times = (error(found.epsilon) / error(found.better)) ** 0.5
                assert found.better < found.epsilon
                assert times == pytest.approx(found.times, rel=1e-6)
                assert found.times > 1
    assert (seen > 0) == (RISES in entry.caveats)


def test_of_means_the_published_one_that_rises_says_so():
    """SDPM, where little is sensitive: found by the same walk, with the error of numbers."""
    found = MEANS["SDPM"].dominated_from(((-1.0, -0.8),))
    assert found is not None
    assert RISES in MEANS["SDPM"].caveats
    errors = [MEANS["SDPM"].build(epsilon, ((-1.0, -0.8),)).guessed_error for epsilon in (found.epsilon, found.better)]
    assert (errors[0] / errors[1]) ** 0.5 == pytest.approx(found.times)
    assert found.times > 1.02
    assert MEANS["PM"].dominated_from() is None


def test_the_error_of_numbers_is_that_of_even_ones():
    x = np.linspace(-1, 1, 20_001)
    for key in ("Laplace", "Duchi", "PM", "HM"):
        built = MEANS[key].build(1.3)
        assert built.guessed_error == pytest.approx(built.variance(x) * len(x), rel=1e-4)


@pytest.mark.parametrize("key", [*LEVELS, *LEVELED_SETS])
def test_no_error_rises_with_the_epsilon_of_any_level(key):
    """Where all ε grow together, and where that of one level grows alone."""
    entry = {**LEVELS, **LEVELED_SETS}[key]
    asked = (2,) if key in LEVELED_SETS else ()
    grid = np.geomspace(0.2, 3, 5 if key in ("gTable", "gHit") else 9)
    for way in (
        lambda x: (inf,) * 3 + (2 * x,) * 3 + (x,) * 3,
        lambda x: (inf,) * 3 + (0.2 + x,) * 3 + (0.2,) * 3,
        lambda x: (inf,) * 3 + (3.0,) * 3 + (min(x, 2.9),) * 3,
    ):
        assert rises(lambda x, way=way: entry.build(way(x), *asked).guessed_error, grid) <= 1 + ROUNDING


MARKING = [param for param in ENTRIES if param.values[0].uses_marks]


@pytest.mark.parametrize(("entry", "cases"), MARKING)
def test_marks_cost_nothing(entry, cases):
    """What uses marks errs no more than the same without any, its original, at the same shares: exactly at the usual
    guess; at another within 1 %, as uHR has as many symbols where one value more is open.
    """
    catalog = FREQUENCY if cases is frequency_cases else SETS
    for error, (share, asked) in cases(entry):
        if not asked[1].any():
            continue
        with laws.told(f"it is {asked}, share {share}"):
            for epsilon in COARSE:
                built = entry.guessing(share, epsilon, *asked)
                f = built.guessed
                original = catalog[entry.original].build(epsilon, *asked)
                more = ROUNDING if share is None else 0.01
                assert error(epsilon) <= original.variance(f, 1).mean() * (1 + more)


@pytest.mark.parametrize("catalog", [FREQUENCY, SETS], ids=["frequency", "sets"])
def test_the_best_that_uses_marks_errs_no_more_than_the_best_that_does_not(catalog):
    """Of those whose promise is about the whole report."""
    shapes = [(k, np.arange(k) < s) for k, s in SHAPES if s]
    if catalog is SETS:
        shapes = [(k, np.arange(k) < s, m, d) for k, s, m, d in SETTINGS if s + d > m]
    for asked in shapes:
        for epsilon in COARSE:
            least = dict.fromkeys((Coverage.MARKED, Coverage.EVERY), inf)
            for entry in catalog.values():
                kind = coverage(entry.promise)
                if kind in least:
                    least[kind] = min(least[kind], entry.build(epsilon, *asked).guessed_error)
            assert least[Coverage.MARKED] <= least[Coverage.EVERY] * (1 + ROUNDING)


def uneven_error(entry, share, mask, freq, epsilon):
    return float(entry.guessing(share, epsilon, len(mask), mask).variance(freq, 1).mean())


@pytest.mark.parametrize("key", ["uSS", "SDSS"])
def test_where_shares_are_known_however_uneven_no_error_rises(key):
    """The mean over all values depends on how many hold a marked one, and not on which: the known share is enough."""
    k, falling = 64, 1 / np.arange(1, 65)
    guessed = known = 0.0
    for freq in (falling / falling.sum(), falling[::-1] / falling.sum()):
        for marked in (1, 32, 63):
            mask = np.arange(k) >= k - marked
            entry, share = FREQUENCY[key], float(freq[mask].sum())
            for made_for in (None, share):
                worst = rises(partial(uneven_error, entry, made_for, mask, freq))
                if made_for is None:
                    guessed = max(guessed, worst)
                else:
                    known = max(known, worst)
    assert known <= 1 + ROUNDING
    assert guessed > 1.1  # of a wrong guess the size jumps


# the walk itself --------------------------------------------------------------------------------------------------


def test_a_step_between_two_that_are_looked_at_is_found_by_its_whole_number():
    """A rise of a thousandth that is over before the next of the grid."""

    def error(epsilon):
        return 1 / epsilon + (1e-3 if 1.0 <= epsilon < 1.005 else 0.0)

    def whole(epsilon):
        return (epsilon >= 1.0) + (epsilon >= 1.005)

    assert dominated_from(error) is None
    found = dominated_from(error, whole)
    assert found is not None
    assert found.epsilon == pytest.approx(1.0, abs=1e-6)
    assert found.times == pytest.approx(1.001, abs=1e-6)


def test_a_smooth_rise_is_found_near_its_least():
    def error(epsilon):
        return 1 + (np.log(epsilon / 1.7)) ** 2

    found = dominated_from(error)
    assert found is not None
    assert 1.6 < found.better < 1.8 < found.epsilon * 1.1
    there = dominated_at(error, 5.0)
    assert there is not None
    assert there.better in (1.0, 1.7)
    assert there == Dominated(5.0, there.better, error(5.0) / error(there.better))


def test_what_falls_or_is_nothing_at_all_is_not_dominated():
    assert dominated_at(lambda epsilon: 1 / epsilon, 3.0) is None
    assert dominated_at(lambda _: 0.0, 3.0) is None
    assert dominated_at(lambda _: float("nan"), 3.0) is None
    assert dominated_at(lambda epsilon: 1 / epsilon, 1e-8) is None
    assert dominated_from(lambda _: 0.0) is None


def test_what_is_kept_of_other_epsilons_changes_no_answer():
    """Errors are kept with the people: of other marks, numbers of people or sizes of sets they are others."""
    shares = Study(Source("health"), "condition", Marks.of(["HIV"]), ("SDSS",), epsilon=3.0)
    held = data.load("health").categorical("condition")
    assert frequency.dominated(shares, held, "SDSS") is not None
    others = replace(shares, epsilon=3.1), replace(shares, n=50), replace(shares, marks=Marks.of(["none"]))
    for study in others:
        fresh = frequency.dominated(study, pickle.loads(pickle.dumps(held)), "SDSS")
        assert fresh == frequency.dominated(study, held, "SDSS"), study
    items = Study(Source("groceries"), "items", Marks.of(["milk"]), ("suWheel", "suWheel-J"), task="sets", epsilon=4.0)
    items = items.with_options(simulated=12, marked=0.0, m=3)
    baskets = data.load("groceries").baskets("items")
    for study in (items, replace(items, epsilon=4.1), items.with_options(m=2), items.with_options(marked=0.2)):
        kept, fresh = (
            {key: point.dominated(fact) for key, fact in point.every(study, people).items()}
            for people in (baskets, pickle.loads(pickle.dumps(baskets)))
        )
        assert kept == fresh, study
        assert study is not items or (kept["suWheel"] and not kept["suWheel-J"])
