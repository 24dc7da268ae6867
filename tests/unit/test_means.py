"""What the contract of numbers refuses, and what stands around it: attacks, groups, tallies."""

import numpy as np
import pytest

from ldpcore import checks
from ldpcore.attacks import exact_repeat, within
from ldpcore.bins import gathered, merged
from ldpcore.catalog import MEANS
from ldpcore.estimators import personal_means
from ldpcore.mechanisms.graded_piecewise import SDPM
from ldpcore.numeric_randomizer import FITTED
from ldpcore.policy import LDP, SDLDP
from ldpcore.rng import stream
from ldpcore.tally import NumericTally
from tests.each import for_each

HALF = ((-0.5, 0.5),)
PM = MEANS["PM"].build(1.0)


@for_each(
    ("low", "message"),
    [
        (((0.5, 0.5),), r"-1 ≤ l < r ≤ 1, got \(0.5, 0.5\); leave empty ones out"),
        (((0.5, 0.2),), r"got \(0.5, 0.2\)"),
        (((-2, 0.2),), r"got \(-2, 0.2\).*Interval"),
        (((-np.inf, 0.2),), r"got \(-inf, 0.2\)"),
        (((float("nan"), 0.2),), r"got \(nan, 0.2\)"),
        (((-0.5, 0.2), (0.1, 0.4)), r"must not overlap, got \(-0.5, 0.2\) and \(0.1, 0.4\); join them"),
        (((1, 2, 3),), r"pairs \(l, r\).*shape \(1, 3\)"),
    ],
)
@for_each("key", MEANS)
def test_intervals_that_make_no_sense(key, low, message):
    with pytest.raises(ValueError, match=message):
        MEANS[key].build(1.0, low)


def test_intervals_of_text():
    with pytest.raises(TypeError, match=r"low must be pairs of numbers such as \(\(-0.5, 0.5\),\), got 'low'"):
        MEANS["SDPM"].build(1.0, "low")


def test_intervals_in_every_form():
    assert checks.intervals((-0.5, 0.5)) == checks.intervals([[-0.5, 0.5]]) == HALF
    assert checks.intervals(((0.2, 0.4), (-0.5, 0.2))) == ((-0.5, 0.4),)
    assert checks.intervals(()) == ()
    assert checks.intervals(None) == ((-1, 1),)


@for_each(
    ("x", "error", "message"),
    [
        ([0.5, 1.2], ValueError, r"x must lie in \[-1, 1\], got 0.5 to 1.2; state a public range"),
        ([np.inf], ValueError, r"x must be finite, got 1 infinite or missing"),
        ([0.1, np.nan], ValueError, r"x must be finite, got 1"),
        (["tall"], TypeError, "x must hold numbers, got dtype .*; a text column is a task for shares"),
        ([[0.1], [0.2]], TypeError, r"one-dimensional, one number for each user, got shape \(2, 1\)"),
    ],
)
@for_each("key", MEANS)
def test_inputs_that_make_no_sense(key, x, error, message):
    m = MEANS[key].build(1.0, HALF)
    with pytest.raises(error, match=message):
        m.perturb(x, stream(1, "x"))
    with pytest.raises(error, match=message):
        m.report_moments(x)


@pytest.mark.parametrize("key", MEANS)
def test_options_that_make_no_sense(key):
    with pytest.raises(ValueError, match="epsilon must be positive and finite, got -1"):
        MEANS[key].build(-1)
    with pytest.raises(ValueError, match="bins must be between 2 and 100000, got 1"):
        MEANS[key].build(1.0, bins=1)


def test_uternary_refuses_guesses_that_are_none():
    with pytest.raises(ValueError, match=r"between 0 and 1, got 1\.5"):
        MEANS["uTernary"].build(1.0, HALF, share=1.5)
    with pytest.raises(ValueError, match="above 0 and at most 4, got 9"):
        MEANS["uTernary"].build(1.0, HALF, spread=9)


@pytest.mark.parametrize("key", MEANS)
def test_estimates_that_do_not_exist(key):
    m = MEANS[key].build(1.0, HALF)
    with pytest.raises(ValueError, match="has no estimate 'median'; it has default, mean, unbiased"):
        m.estimate_mean([0.5], "median")
    with pytest.raises(ValueError, match="a tally without reports has no estimate"):
        m.estimate_mean(np.zeros(0))
    with pytest.raises(ValueError, match="'em' has no closed form; simulate it"):
        m.variance([0.5], "em")
    with pytest.raises(ValueError, match="one of em, mle, ems, got 'mean'"):
        m.estimate_distribution([0.5], 8, "mean")
    with pytest.raises(ValueError, match="delta must be positive, got 0"):
        within.success(m, 0)
    with pytest.raises(ValueError, match="delta must be positive, got 0"):
        within.guess(m, [0.5], 0)


@pytest.mark.parametrize(
    ("epsilon", "low", "message"),
    [
        (2.0, ((-0.8, -0.3), (0.1, 0.6)), "at epsilon = 2 does not exist: two of these intervals lie a whole number"),
        (14.0, ((-0.8, -0.3), (0.1, 0.6)), "at epsilon = 14 does not exist: two of these intervals lie a whole number"),
        (14.0, HALF, r"at epsilon = 14 has more steps than can be counted in a tally, one for each 0\.0018 of its"),
        (39.9, ((-0.2, -0.2 + 1e-9),), "at epsilon = 39.9 has more steps"),  # not after half an hour, or 29 GB
        (40.0, ((-1, 0.2),), "at epsilon = 40 has more steps than can be counted in a tally, one for each 4.1e-09 of"),
    ],
)
def test_why_there_is_no_score(epsilon, low, message):
    m = MEANS["SDPM"].build(epsilon, low)
    assert "unbiased" not in m.estimates()
    for ask in (lambda: m.score([0.1]), lambda: m.estimate_mean([0.1], "unbiased"), lambda: m.variance([0.1])):
        with pytest.raises(ValueError, match=message):
            ask()
    assert -1 <= m.estimate_mean(m.perturb(np.linspace(-1, 1, 50), stream(1, "none")), "em") <= 1


@pytest.mark.parametrize("low", [HALF, ((-1.0, -0.2),), ((0.5, 1.0),), ((-1.0, 0.999),), ((0.1, 0.11),)])
@pytest.mark.parametrize("epsilon", [1e-6, 1e-4, 0.5, 3.0, 8.0, 11.0])
def test_one_interval_has_a_score(epsilon, low):
    m, x = MEANS["SDPM"].build(epsilon, low, bins=16), np.linspace(-1, 1, 401)
    mean, spread = m.moments(x, "unbiased")
    assert np.abs(mean - x).max() < 1e-8 * np.sqrt(spread.max())
    assert spread.mean() < 1.2 * m.__class__(epsilon).report_moments(x)[1].mean()


def test_theorem_4_is_about_one_symmetric_interval():
    with pytest.raises(ValueError, match="about one interval"):
        SDPM(1.0, ((-1, 0.5),)).paper_variance()


def test_tallies_of_different_mechanisms():
    with pytest.raises(ValueError, match="tallies over 2 and over 3 cells cannot be added"):
        NumericTally(0, np.zeros(2, int), np.zeros(2)) + NumericTally(0, np.zeros(3, int), np.zeros(3))
    one = PM.tally([0.5, 0.7])
    assert one != PM.tally([0.5, 0.8])
    assert one == NumericTally(one.n, one.counts, one.sums * (1 + 1e-12))
    assert one != NumericTally(one.n, one.counts, one.sums + 1e-6)
    assert one != NumericTally(one.n, one.counts + 1, one.sums)
    assert one != NumericTally(one.n + 1, one.counts, one.sums)
    assert one.__eq__(3) is NotImplemented
    assert one.__add__(3) is NotImplemented
    assert one.__radd__(3) is NotImplemented


@pytest.mark.parametrize("key", MEANS)
def test_the_estimate_is_the_one_that_is_asked_for(key):
    """Of 500 answers at the upper end: the reports' mean, their score's, and that of what was fitted to them."""
    m = MEANS[key].build(1.0, HALF, bins=32)
    reports = m.perturb(np.full(500, 0.9), stream(11, key))
    tally, middle = m.tally(reports), (np.arange(64) + 0.5) / 32 - 1
    found = {how: m.estimate_mean(tally, how) for how in m.estimates()}
    for how in FITTED:
        if how in found:
            assert found[how] == pytest.approx(m.estimate_distribution(tally, 64, how) @ middle, abs=1e-9)
            assert abs(found[how]) < 1
            assert abs(found[how] - found["mean"]) > 1e-4
    assert found["mean"] == pytest.approx(reports.mean())
    assert found["unbiased"] == pytest.approx(reports.mean() if m.unbiased else m.score_of_tally(tally))


def test_ten_people_and_a_constant_answer():
    for key in MEANS:
        m = MEANS[key].build(1.0, HALF)
        tally = m.tally(m.perturb(np.full(10, 0.3), stream(2, "ten", key)))
        for how in m.estimates():
            assert np.isfinite(m.estimate_mean(tally, how)), (key, how)
        assert m.estimate_distribution(tally, 7).sum() == pytest.approx(1)


@pytest.mark.parametrize("key", [key for key, entry in MEANS.items() if entry.factory.recovers])
def test_a_large_epsilon_recovers_the_distribution(key):
    m = MEANS[key].build(8.0, HALF, bins=64)
    rng = stream(3, "recover", key)
    x = np.clip(rng.normal(0.3, 0.2, 20_000), -1, 1)
    tally, truth = m.tally(m.perturb(x, rng)), np.histogram(x, np.linspace(-1, 1, 17))[0] / len(x)
    for how in ("em", "mle", *(["ems"] if m.smooths else [])):
        assert np.abs(m.estimate_distribution(tally, 16, how) - truth).sum() < 0.1, how
    assert m.estimate_mean(tally) == pytest.approx(x.mean(), abs=0.02)


def test_ems_is_smoother_than_em():
    m = MEANS["SW"].build(1.0, bins=64)
    rng = stream(4, "ems")
    tally = m.tally(m.perturb(rng.uniform(-0.5, 0.9, 2000), rng))
    rough = {how: np.abs(np.diff(m.estimate_distribution(tally, 64, how), 2)).sum() for how in ("em", "ems")}
    assert rough["ems"] < rough["em"] / 2


def test_sws_beta_continues_to_small_epsilon():
    below, above = (MEANS["SW"].build(e).beta for e in (0.000999, 0.001001))
    assert below == pytest.approx(above, abs=2e-6)
    assert MEANS["SW"].build(1e-6).beta == pytest.approx(0.5, abs=1e-6)


def test_input_bins_are_cut_at_the_marks():
    m = MEANS["SDPM"].build(1.0, ((-0.33, 0.5),), bins=8)
    assert -0.33 in m.inputs
    assert len(m.inputs) == 10
    np.testing.assert_allclose(np.diff(m.inputs).sum(), 2)


def test_near_edges_are_one():
    assert merged([0.3, 0.0, 0.3 + 1e-12, 1.0]).tolist() == [0.0, 0.3, 1.0]


def test_many_inputs_are_gathered():
    x = np.linspace(-1, 1, 50_000)
    points, counts = gathered(x, None)
    assert counts.sum() == 50_000
    assert len(points) <= 8193
    assert points @ counts / 50_000 == pytest.approx(0, abs=1e-6)


def test_policies_follow_the_marks():
    points = np.array([-0.9, 0.0])
    assert isinstance(SDPM(1.0, ()).policy(points), LDP)
    graded = SDPM(1.0, HALF).policy(points)
    assert isinstance(graded, SDLDP)
    assert graded.sensitive.tolist() == [True, False]


# the exact repeat ------------------------------------------------------------------------------------------------


def test_a_repeat_is_recognised():
    """Recorded values in steps of 0.1: every report that repeats one is true, and p' of the low values are."""
    m = MEANS["SDPM"].build(1.0, HALF)
    recorded = np.round(np.linspace(-1, 1, 21), 1)
    x = np.repeat(recorded, 2000)
    found = exact_repeat.recognised(m, m.perturb(x, stream(5, "repeat")), recorded)
    seen = ~np.isnan(found)
    np.testing.assert_array_equal(found[seen], x[seen])
    low = np.abs(x) <= 0.5
    assert not seen[~low].any()
    assert seen[low].mean() == pytest.approx(m.keep, abs=5 * np.sqrt(0.25 / low.sum()))
    np.testing.assert_allclose(m.disclosure(recorded), np.where(np.abs(recorded) <= 0.5, m.keep, 0))
    assert np.isnan(exact_repeat.recognised(PM, PM.perturb(x, stream(5, "repeat")), recorded)).all()


def test_uternary_discloses_what_it_says():
    m = MEANS["uTernary"].build(1.0, ((-1, 0.5),))
    recorded = np.round(np.linspace(-1, 1, 21), 1)
    x = np.repeat(recorded, 500)
    found = exact_repeat.recognised(m, m.perturb(x, stream(6, "repeat")), recorded)
    assert np.nanmax(found) <= 0.5
    np.testing.assert_array_equal(found[~np.isnan(found)], x[~np.isnan(found)])
    assert (~np.isnan(found[x <= 0.5])).mean() == pytest.approx(m.rate, abs=0.03)


@pytest.mark.parametrize("key", ["PM", "SDPM", "uTernary", "HM"])
def test_the_grid_keeps_the_mean_and_costs_what_it_says(key):
    m, x = MEANS[key].build(1.0, ((-1, 0.5),)), np.array([-0.62, 0.1, 0.85])
    for value, mean, spread, extra in zip(x, *m.report_moments(x), exact_repeat.cost(m, x, 0.25), strict=True):
        rng = stream(7, "grid", key, float(value))
        y = exact_repeat.on_grid(m.perturb(np.full(40_000, value), rng), 0.25, rng)
        np.testing.assert_allclose(y / 0.25, np.round(y / 0.25), atol=1e-9)
        assert y.mean() == pytest.approx(mean, abs=5 * np.sqrt((spread + extra) / 40_000))
        assert y.var() == pytest.approx(spread + extra, rel=0.04)
        assert 0 <= extra <= 0.25**2 / 4 + 1e-12


def test_on_the_grid_a_repeat_is_evidence_not_proof():
    m, rng = MEANS["SDPM"].build(1.0, HALF), stream(8, "certain")
    x = np.round(np.linspace(-1, 1, 21), 1)
    prior = np.full(21, 1 / 21)
    grid, sure = exact_repeat.certainty(m, x, prior, 0.1)
    inside = np.abs(grid) < 0.45
    assert (sure[inside] < 0.9).all()
    assert np.isnan(sure[np.abs(grid) > 0.75]).all()
    users = np.repeat(x, 20_000)
    reports = m.perturb(users, rng)
    own = (reports == users) & (np.abs(users) <= 0.5)
    rounded = np.round(exact_repeat.on_grid(reports, 0.1, rng) / 0.1)
    for value, exact in zip(grid[inside], sure[inside], strict=True):
        there = rounded == np.round(value / 0.1)
        assert own[there].mean() == pytest.approx(exact, abs=5 * np.sqrt(0.25 / there.sum()))


def test_a_grid_that_makes_no_sense():
    with pytest.raises(ValueError, match="the step of the grid must be positive and finite, got 0"):
        exact_repeat.on_grid([0.5], 0, stream(1, "g"))
    with pytest.raises(ValueError, match="more than 100 000 values"):
        exact_repeat.cost(PM, [0.5], 1e-6)


# people who choose for themselves -----------------------------------------------------------------------------------


def groups():
    """Three groups as in sdldp §5: 25, 50, 75 % of the range marked, 40, 30, 30 % of the people."""
    rng = stream(9, "groups")
    x = [rng.uniform(-1, 0.6, n) for n in (800, 600, 600)]
    return [
        (MEANS["SDPM"].build(0.5, (-1 + s, 1 - s), bins=32), part) for s, part in zip((0.25, 0.5, 0.75), x, strict=True)
    ]


@pytest.mark.parametrize("how", personal_means.HOW)
def test_groups_combine_with_the_exact_variance(how):
    """120 surveys: z of the mean below 5; the ratio of variances within 65 % (5 sd)."""
    members = groups()
    rng, found = stream(10, "personal"), []
    for _ in range(120):
        tallies = [(m, m.tally(m.perturb(x, rng))) for m, x in members]
        found.append(personal_means.combine(tallies, how, "unbiased"))
    exact = personal_means.variance(members, how)
    weight = personal_means.weights([m for m, _ in members], [len(x) for _, x in members], how, "unbiased")
    truth = weight @ [x.mean() for _, x in members]
    assert abs(np.mean(found) - truth) < 5 * np.sqrt(exact / 120)
    assert np.var(found) / exact == pytest.approx(1, abs=0.65)


def test_minimum_variance_prefers_those_who_mark_less():
    members = [m for m, _ in groups()]
    share = personal_means.weights(members, [4000, 3000, 3000])
    least = personal_means.weights(members, [4000, 3000, 3000], "minimum-variance", "mean")
    np.testing.assert_allclose(share, [0.4, 0.3, 0.3])
    worst = [personal_means.worst_variance(m, "mean") for m in members]
    np.testing.assert_allclose(least, np.array([4, 3, 3]) / worst / np.sum(np.array([4, 3, 3]) / worst))
    open_door = [MEANS["uTernary"].build(1.0, (-1, 1)), MEANS["uTernary"].build(1.0, HALF)]
    np.testing.assert_allclose(personal_means.weights(open_door, [5, 50], "minimum-variance"), [1, 0])


def test_groups_that_make_no_sense():
    with pytest.raises(ValueError, match="how must be one of share, minimum-variance, got 'best'"):
        personal_means.weights([PM], [3], "best")
    with pytest.raises(ValueError, match="at least one group, and one size for each"):
        personal_means.weights([], [])
    with pytest.raises(ValueError, match="every group needs at least one user"):
        personal_means.weights([PM], [0])
