"""Numbers in which every part of the range has its own ε: the laws of numbers, and what is new about levels.

Statistical laws reject below 1e-6 each (about 20 of them), on fixed streams.
"""

from dataclasses import replace
from itertools import product
from math import exp, inf, log

import numpy as np
import pytest
from scipy.optimize import linprog

from ldpcore import limit
from ldpcore.catalog import LEVELED_MEANS, MEANS, coverage
from ldpcore.catalog.entries import Coverage
from ldpcore.leveled_parts import Parts
from ldpcore.levels import Levels
from ldpcore.mechanisms.leveled_nodes import LeveledNodes
from tests.laws import laws as exact
from tests.laws import mean_laws as laws

CASES = {
    "three": ((-1, 0, inf), (0, 0.5, 2.0), (0.5, 1, 0.5)),
    "secret inside": ((-1, -0.2, 1.0), (-0.2, 0.3, 0.25), (0.3, 1, 1.0)),
    "many": ((-1, -0.5, 0.4), (-0.5, 0, inf), (0, 0.2, 1.5), (0.2, 0.6, 3.0), (0.6, 1, inf)),
    "one": ((-1, 1, 1.0),),
}
X = np.array([-1.0, -0.93, -0.5, -0.2, 0.0, 0.21, 0.5, 0.77, 1.0])
EVEN = (np.arange(2000) + 0.5) / 1000 - 1
crossed = [pytest.param(key, name, id=f"{key}-{name}") for key in LEVELED_MEANS for name in CASES]
MADE = {}


def build(key, name):
    if (key, name) not in MADE:
        MADE[key, name] = LEVELED_MEANS[key].build(CASES[name], bins=16)
    return MADE[key, name]


@pytest.mark.parametrize(("key", "name"), crossed)
def test_law(key, name):
    m = build(key, name)
    laws.moments_are_the_integrals(m, X)
    laws.density_integrates_to_mass(m, X)
    mean, spread = m.score_moments(EVEN[::25])
    assert np.abs(mean - EVEN[::25]).max() < 1e-12
    assert exact.close(spread, m.report_moments(EVEN[::25])[1], 1e-9)
    matrix, products = m.mass(m.points, m.edges), m.products()
    f = np.arange(1, len(m.points) + 1) / np.arange(1, len(m.points) + 1).sum()
    assert exact.close(products.forward(f), f @ matrix, 1e-12)


@pytest.mark.parametrize(("key", "name"), crossed)
def test_sampled_law(key, name):
    m = build(key, name)
    laws.sampler_follows_mass(m, X, 10_000)
    laws.reports_have_moments(m, X, 10_000)


@pytest.mark.parametrize(("key", "name"), crossed)
def test_every_level_is_kept_and_used(key, name):
    m = LEVELED_MEANS[key].build(CASES[name], bins=64)  # so fine that some cell lies within every window
    epsilons, loss = m.parts.at(m.points), m.channel().privacy_loss()
    assert m.policy(m.points).check(m.channel()).holds
    for each in m.parts.epsilons[m.parts.hidden]:
        # The promise holds for every single report too; its whole is used somewhere, to rounding.
        assert loss[epsilons == each].max() == pytest.approx(each, rel=1e-12 if key == "gTable" else 1e-9)
    tighter = np.where(epsilons == epsilons.min(), 0.9 * epsilons, epsilons)
    verdict = Levels(tuple(tighter)).check(m.channel())
    assert not verdict.holds
    assert f"its ε is {tighter.min():.6g}" in verdict.why


@pytest.mark.parametrize("key", LEVELED_MEANS)
def test_a_point_between_two_parts_belongs_to_the_larger_epsilon(key):
    m = build(key, "three")
    assert m.parts.at(np.array([0.0, 0.5, 0.5 + 1e-9])).tolist() == [inf, 2.0, 0.5]
    assert (m.disclosure(np.array([-1.0, 0.0, 1e-9, 0.5])) > 0).tolist() == [True, True, False, False]


@pytest.mark.parametrize("key", LEVELED_MEANS)
def test_an_entry_promises_what_its_mechanism_keeps(key):
    entry, m = LEVELED_MEANS[key], build(key, "three")
    assert m.policy(X).name == entry.promise
    assert coverage(entry.promise) is Coverage.MARKED
    assert isinstance(m, entry.factory)
    assert m.epsilon == 2.0
    assert all(caveat.endswith(".") for caveat in entry.caveats)


# --- what is there, at two levels and at one ---


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_gpm_at_one_level_is_pm(epsilon):
    """At G = e^{ε/2}; its own G has the least mean variance, PM's the least worst one."""
    m, pm = LEVELED_MEANS["gPM"].build([(-1, 1, epsilon)]), MEANS["PM"].build(epsilon)
    own = m.report_moments(EVEN)[1].mean()
    m = LEVELED_MEANS["gPM"].build([(-1, 1, epsilon)])
    vars(m).update(_best=(log(np.expm1(epsilon / 2) / np.expm1(epsilon)), 0.0, True), gain=np.expm1(epsilon / 2))
    assert m.reach == pytest.approx(pm.reach)
    assert exact.close(m.report_moments(X)[1], pm.report_moments(X)[1], 1e-9)
    assert exact.close(m.mass(X, pm.edges), pm.mass(X, pm.edges), 1e-9)
    assert own < pm.report_moments(EVEN)[1].mean()


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
@pytest.mark.parametrize("low", [(), (-1.0, 0.5), (-0.6, 0.4)])
def test_gtable_at_two_levels_is_near_the_two_level_limit_and_no_worse_than_what_is_there(low, epsilon):
    """At a few inputs of even share: never below the certified floor, and within 7 % of it."""
    parts = [(-1, 1, epsilon)]
    if low:
        parts = [(-1, low[0], epsilon)] * (low[0] > -1) + [(*low, inf)] + [(low[1], 1, epsilon)]
    m = LEVELED_MEANS["gTable"].build(parts)
    x, epsilons, share = grid(m.parts.pieces)
    floor = limit.best_mean(epsilon, x, share / share.sum(), np.isfinite(epsilons))
    assert floor.low <= share / share.sum() @ m.report_moments(x)[1] <= 1.03 * floor.high
    theirs = MEANS["uTernary"].build(epsilon, low).report_moments(EVEN)[1].mean()
    assert m.report_moments(EVEN)[1].mean() < theirs


def test_the_limit_for_levels_is_the_two_level_one_where_they_are_equal():
    x, share, public = np.linspace(-1, 1, 9), np.full(9, 1 / 9), np.arange(9) < 4
    for sensitive in (np.ones(9, bool), ~public):
        mine = limit.best_leveled_mean(np.where(sensitive, 0.7, inf), x, share)
        theirs = limit.best_mean(0.7, x, share, sensitive)
        assert mine.high == pytest.approx(theirs.high, rel=2e-3)
        assert mine.low <= theirs.high
        assert theirs.low <= mine.high
    assert limit.best_leveled_mean(np.full(9, inf), x, share).high == 0


def test_the_limit_equals_a_program_over_all_columns():
    """Every column with entries 1 and E, at many scores: for five inputs of three levels."""
    x, f, epsilons = np.array([-1.0, -0.4, 0.1, 0.6, 1.0]), np.full(5, 0.2), np.array([inf, 2.0, 1.0, 2.0, 0.5])
    found = limit.best_leveled_mean(epsilons, x, f)
    scores = np.linspace(-12, 12, 961)
    raised = np.array([row for row in product((0, 1), repeat=5) if not row[0]])
    shapes = np.vstack([np.where(raised, np.exp(np.where(np.isinf(epsilons), 0, epsilons)), 1.0), np.eye(5)[:1]])
    q, s = np.repeat(shapes, len(scores), axis=0), np.tile(scores, len(shapes))
    cost = (q * (s[:, None] - x) ** 2) @ f
    rows = np.vstack([q.T, (q * (s[:, None] - x)).T])
    whole = linprog(cost, A_eq=rows, b_eq=np.r_[np.ones(5), np.zeros(5)])
    assert whole.fun >= found.low * (1 - 1e-9)
    assert whole.fun == pytest.approx(found.high, rel=3e-3)


# --- what it buys: the table of docs/theory/levels.md, to the printed digits ---


def grid(parts, step=0.1):
    """Inputs a tenth apart, ends of every part among them, with the shares of people who are even between them."""
    x, epsilons, share = [], [], []
    for left, right, epsilon in parts:
        count = round((right - left) / step) + 1
        weight = np.full(count, step / 2)
        weight[[0, -1]] /= 2
        x.append(np.linspace(left, right, count))
        x[-1][[0, -1]] += np.array([1e-9, -1e-9])  # a point between two parts belongs to one of them
        epsilons.append(np.full(count, epsilon))
        share.append(weight)
    return np.concatenate(x), np.concatenate(epsilons), np.concatenate(share)


TABLE = {
    "public/private/secret": lambda e1, e2: [(-1, 0, inf), (0, 0.5, e1), (0.5, 1, e2)],
    "private/secret": lambda e1, e2: [(-1, 0.5, e1), (0.5, 1, e2)],
    "private/secret/private": lambda e1, e2: [(-1, -0.3, e1), (-0.3, 0.3, e2), (0.3, 1, e1)],
    "secret/private/secret": lambda e1, e2: [(-1, -0.5, e2), (-0.5, 0.5, e1), (0.5, 1, e2)],
}


def measured(name, e1, e2):
    """The limit; then gTable, gPM and the best of what treats all that is not public as secret, over the limit."""
    parts = TABLE[name](e1, e2)
    x, epsilons, share = grid(parts)
    floor = limit.best_leveled_mean(epsilons, x, share).high
    low = tuple((left, right) for left, right, epsilon in parts if epsilon == inf)
    built = [LEVELED_MEANS[key].build(parts) for key in ("gTable", "gPM")]
    built += [MEANS[key].build(e2, low) for key in ("uTernary", "PM")]
    errors = [float(share @ m.report_moments(x)[1]) / floor for m in built]
    return floor, *errors[:2], min(errors[2:])


PRINTED = {
    ("public/private/secret", 2.0, 0.5): (3.40, 1.00, 1.07, 1.55),
    ("public/private/secret", 4.0, 1.0): (1.08, 1.00, 1.05, 1.38),
    ("private/secret", 2.0, 0.5): (4.33, 1.00, 1.81, 3.77),
    ("private/secret", 4.0, 1.0): (1.15, 1.00, 1.68, 3.61),
    ("private/secret/private", 2.0, 0.5): (2.90, 1.01, 1.21, 5.63),
    ("private/secret/private", 4.0, 1.0): (0.70, 1.01, 1.27, 5.91),
    ("secret/private/secret", 2.0, 0.5): (14.91, 1.00, 1.10, 1.10),
    ("secret/private/secret", 4.0, 1.0): (3.33, 1.00, 1.18, 1.25),
}


@pytest.mark.parametrize(  # every pair of parts once, at either ε
    "row",
    [pytest.param(row, marks=pytest.mark.thorough if place % 4 in (1, 2) else ()) for place, row in enumerate(PRINTED)],
    ids=str,
)
def test_the_table(row):
    assert measured(*row) == pytest.approx(PRINTED[row], abs=0.005 + 0.002 * PRINTED[row][0])


# --- planted bugs ---


def test_a_window_of_anothers_level_is_noticed():
    """Secret values with the windows of private ones: the mean is right, the promise is not."""
    m = LEVELED_MEANS["gPM"].build(CASES["three"], bins=16)
    theirs = LEVELED_MEANS["gPM"].build([(-1, 0, inf), (0, 1, 2.0)], bins=16)
    vars(m).update(_best=theirs._best, gain=theirs.gain)
    wrong = replace(m, parts=theirs.parts)
    assert not m.parts.policy(m.points).check(wrong.channel()).holds


def test_each_part_with_a_mechanism_of_its_own_proves_the_secret():
    """PM at each part's ε: a report beyond the reach of the private ones is possible from secret values alone."""
    private, secret = MEANS["PM"].build(2.0), MEANS["PM"].build(0.5)
    edges = np.unique(np.concatenate([private.edges, secret.edges]))
    told = secret.mass(np.array([0.9]), edges)[0], private.mass(np.array([0.2]), edges)[0]
    assert (told[0][told[1] < 1e-12]).sum() > 0.2


def test_a_bent_channel_is_noticed():
    m = build("gTable", "three")
    chance = m.chance.copy()
    chance[0, [0, -1]] += np.array([-1, 1]) * chance[0, 0] / 2
    bent = LeveledNodes(m.parts, at=m.at, part=m.part, reports=m.reports, chance=chance, floor=m.floor, bins=16)
    beside = m.at[:1] + 1e-9
    assert np.abs(bent.score_moments(beside)[0] - beside).max() > 1e-3
    with pytest.raises(AssertionError):
        laws.moments_are_the_integrals(bent, beside)


# --- parts ---


def test_parts_are_checked():
    joined = Parts([(0, 1, 0.5), (-1, -0.5, 2), (-0.5, 0, 2)])
    assert joined.pieces == ((-1.0, 0.0, 2.0), (0.0, 1.0, 0.5))
    assert joined.mass.tolist() == [0.5, 0.5]
    with pytest.raises(ValueError, match="parts must cover"):
        Parts([(-1, 0, 1.0), (0.1, 1, 1.0)])
    with pytest.raises(ValueError, match="epsilon must be positive"):
        Parts([(-1, 0, 1.0), (0, 1, 0.0)])
    with pytest.raises(TypeError, match="parts must be a list"):
        Parts([(-1, 1)])
    with pytest.raises(ValueError, match="share"):
        Parts([(-1, 0, 1.0), (0, 1, 2.0)], share=(0.5, 0.6))


def test_a_guess_of_the_shares_moves_the_error_to_where_nobody_is():
    parts, at = CASES["three"], np.linspace(-1, 0, 50)
    open_, closed = (LEVELED_MEANS["gTable"].build(parts, share) for share in ((0.9, 0.05, 0.05), (0.02, 0.49, 0.49)))
    assert open_.report_moments(at)[1].mean() < 0.9 * closed.report_moments(at)[1].mean()


def test_the_table_for_numbers_says_where_it_ends():
    for parts in ([(-1, 0, 7.0), (0, 1, 1.0)], [(-1, 1, inf)]):
        with pytest.raises(ValueError, match="use gPM"):
            LEVELED_MEANS["gTable"].build(parts)
    m = LEVELED_MEANS["gPM"].build([(-1, 1, inf)])
    assert m.perturb(X, np.random.default_rng(1)).tolist() == X.tolist()


@pytest.mark.parametrize("epsilons", [(inf, 1e-6, 1e-3), (40.0, 39.0, 1e-3), (inf, 30.0, 20.0)])
def test_gpm_at_the_ends_of_epsilon(epsilons):
    parts = [(left, right, e) for left, right, e in zip((-1, -0.3, 0.4), (-0.3, 0.4, 1), epsilons, strict=True)]
    m = LEVELED_MEANS["gPM"].build(parts, bins=16)
    mean, spread = m.score_moments(X)
    assert np.abs(mean - X).max() <= 1e-12 * m.reach + 1e-12
    assert np.allclose(spread, m.report_moments(X)[1], rtol=1e-6, atol=1e-12)
    assert m.policy(m.points).check(m.channel()).holds
    assert exp(m.epsilon) > 1
