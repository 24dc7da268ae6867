"""Printed numbers of people who deny, of two groups, and of attacks on the estimate, each with its source."""

import numpy as np
import pytest

from ldpcore import catalog, honesty, plan
from ldpcore.attacks import manipulation
from ldpcore.estimators import weighted
from ldpcore.rng import stream
from tests.each import for_each


def device(*told_yes: float) -> list[np.ndarray]:
    """Cheating detection, a group for each chance to be told to say yes: honest holders, honest others, always no."""
    return [honesty.with_constant([[1, 0], [p, 1 - p]], 1) for p in told_yes]


def test_the_minarets_of_rrreg():
    """R package RRreg 0.7.5, data `minarets` (Radukic, Musch 2014), p = 10/12 and 2/12: as the stochastic lie detector
    prints π = 0.870695 (SE 0.041118) and t = 0.635806; as cheating detection the same table says 55 % to 87 %.
    """
    shares, covariance = honesty.groups(device(10 / 12, 2 / 12), [[373, 564 - 373], [398, 692 - 398]])
    holders = np.array([1, 0, 1])
    assert holders @ shares == pytest.approx(0.870695, abs=5e-7)
    assert np.sqrt(holders @ covariance @ holders) == pytest.approx(0.041118, abs=5e-7)
    assert shares[0] / (holders @ shares) == pytest.approx(0.635806, abs=5e-7)
    assert shares == pytest.approx([0.5536, 0.1293, 0.3171], abs=5e-5)


def coins(*epsilons: float) -> list[np.ndarray]:
    """The same types under the symmetric coin of one question, at several ε."""
    built = [catalog.FREQUENCY["GRR"].build(epsilon, 2) for epsilon in epsilons]
    return [honesty.with_constant(m.channel().matrix, 1) for m in built]


def test_one_marked_answer_of_two_is_mangats_device():
    """Mangat 1994: holders say yes, others are told to with p. That is uRR of two answers, one marked, p = e^−ε."""
    for p in (0.25, 0.75):
        chance = catalog.FREQUENCY["uRR"].build(-np.log(p), 2, [True, False]).channel().matrix
        assert chance == pytest.approx(np.array([[1, 0], [p, 1 - p]]))


@pytest.mark.parametrize(
    ("tables", "people", "first"),
    [
        (device(0.25, 0.75), 1291, 0.25),
        (device(0.1, 0.6), 2211, 0.26),
        (coins(1, 3), 10250, 0.72),
        (coins(0.5, 2), 4934, 0.79),
    ],
)
def test_people_to_count_who_always_says_no(tables, people, first):
    """± 5 points at shares .108, .792, .10; as a first calculation had them, another than this; the split is best."""
    shares = [0.108, 0.792, 0.10]
    assert honesty.people(tables, shares, 2, 0.05) == (people, pytest.approx(first))
    n = 10**7
    for part in (first - 0.05, first, first + 0.05):
        sizes = np.array([part, 1 - part]) * n
        counts = [np.array(shares) @ table * size for table, size in zip(tables, sizes, strict=True)]
        spread = honesty.groups(tables, counts).covariance[2, 2] * n
        least = spread * (1.959963985 / 0.05) ** 2
        assert least == pytest.approx(people, abs=1) if part == first else least > people


def test_two_groups_are_unbiased_and_their_covariance_is_right():
    """4 000 drawn surveys: means to five standard errors, variances to 8 %, about five standard deviations of them."""
    tables, shares, rng = device(0.25, 0.75), np.array([0.108, 0.792, 0.1]), stream(1, "groups")
    drawn = []
    for _ in range(4000):
        counts = [rng.multinomial(size, shares @ table) for size, table in zip((400, 900), tables, strict=True)]
        drawn.append(honesty.groups(tables, counts))
    estimates = np.array([each.shares for each in drawn])
    stated = np.mean([each.covariance for each in drawn], axis=0)
    assert np.all(np.abs(estimates.mean(axis=0) - shares) < 5 * np.sqrt(np.diag(stated) / 4000))
    assert np.diag(np.cov(estimates.T)) == pytest.approx(np.diag(stated), rel=0.12)
    assert estimates.sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize(("key", "people"), [("OUE", 379), ("RAPPOR", 253)])
def test_more_reports_than_answers_count_them_in_one_group(key, people):
    """k = 5, ε = 1, shares .04 .05 .06 .35 .4 and a tenth who always send the same bits; GRR and uRR never can."""
    m = catalog.FREQUENCY[key].build(1.0, 5)
    scores = m.scores(m.outputs())
    always = int(np.argmax(scores[:, 4] - np.abs(scores[:, :4]).sum(axis=1) * 0.01))
    table = honesty.with_constant(m.channel().matrix, always)
    assert honesty.people([table], [0.04, 0.05, 0.06, 0.35, 0.4, 0.1], 5, 0.05) == (people, 1.0)
    for as_many in ("GRR", "uRR"):
        few = catalog.FREQUENCY[as_many].build(1.0, 5, np.arange(5) < 3)
        with pytest.raises(ValueError, match="cannot tell all the types apart"):
            honesty.groups([honesty.with_constant(few.channel().matrix, 4)], [[10, 20, 30, 40, 50]])


@for_each("e", [2, 3, 7])
@for_each("targets", [1, 4, 10])
def test_the_gains_of_cao(e, targets):
    """Cao, Jia, Gong 2021 (“Data poisoning attacks to local differential privacy protocols”), Theorems 1 to 3: the
    largest gain of r targets with share f_T is β(1 + (d − r)/(E − 1) − f_T) for kRR, and β(2r + 2r/(E − 1) − f_T) for
    OUE and for OLH with g = E + 1.
    """
    d, weights = 128, np.arange(128) < targets
    gain = {
        key: manipulation.contrast(catalog.FREQUENCY[key].build(np.log(e), d), weights) for key in ("GRR", "OUE", "OLH")
    }
    assert gain["GRR"] == pytest.approx(1 + (d - targets) / (e - 1))
    assert gain["OUE"] == pytest.approx(2 * targets + 2 * targets / (e - 1))
    assert gain["OLH"] == pytest.approx(2 * targets + 2 * targets / (e - 1))


PLANE = {  # marked and other value: how many honest people one liar counts as, and the range of scores
    "GRR": (9.73, 10.31), "RAPPOR": (2.54, 4.08), "OUE": (3.16, 4.33), "OLH": (3.33, 4.44), "SS": (3.18, 4.16),
    "HR": (2.48, 4.58), "uRR": (2.75, 3.33), "uOUE": (3.16, 4.33), "uSS": (1.87, 3.25),
}  # fmt: skip


@for_each("key", PLANE)
def test_the_table_of_the_theory(key):
    """docs/theory/manipulation.md: ε = 1, k = 16, four marked."""
    low, high = manipulation.extremes(catalog.FREQUENCY[key].build(1.0, 16, np.arange(16) < 4))
    assert (high[0], high[0] - low[0]) == pytest.approx(PLANE[key], abs=0.005)


def test_denying_is_the_same_for_every_mechanism():
    """Answers are swapped before the noise: exact means of any mechanism move by `denied`, whatever it is."""
    freq, who = np.array([0.12, 0.08, 0.3, 0.5]), np.array([True, True, True, False])
    bias = honesty.denied(freq, who, 0.1, 2)
    assert bias == pytest.approx([-0.012, -0.008, 0.02, 0.0])
    assert honesty.denied(freq, who, 0.1, None) == pytest.approx([-0.012, -0.008, -0.03, 0.0])
    for key in ("GRR", "uSS", "OUE", "HR"):
        m = catalog.FREQUENCY[key].build(1.0, 4, who)
        assert m.invert(m.support(freq + bias)) == pytest.approx(freq + bias)


def test_ignoring_the_rule_is_the_scores():
    """GRR, k = 2, ε = 1, f = 12 %: a tenth who always say no is −7.0 points; tapping at random pulls to even shares."""
    m = catalog.FREQUENCY["GRR"].build(1.0, 2)
    assert honesty.ignored(m, [0.12, 0.88], 0.1, np.array([1])) == pytest.approx([-0.0702, 0.0702], abs=5e-5)
    m = catalog.FREQUENCY["GRR"].build(1.0, 5)
    freq = np.array([0.5, 0.2, 0.1, 0.1, 0.1])
    assert honesty.ignored(m, freq, 0.1, None) == pytest.approx(0.1 * (0.2 - freq))
    m, one = catalog.SETS["RAPPOR"].build(1.0, 5, m=2), np.zeros((1, 1), np.uint8)
    assert honesty.ignored(m, freq, 0.1, one) == pytest.approx(0.1 * (m.scores(one)[0] - freq))


def test_bad_input_is_told():
    m = catalog.FREQUENCY["GRR"].build(1.0, 2)
    with pytest.raises(ValueError, match=r"share is the part of those concerned who deny, between 0 and 1, got 1\.2"):
        honesty.denied([0.5, 0.5], [True, False], 1.2, 0)
    with pytest.raises(ValueError, match="no GRR can have sent this report"):
        honesty.ignored(m, [0.5, 0.5], 0.1, np.array([7]))
    with pytest.raises(ValueError, match="these groups cannot tell all the types apart"):
        honesty.groups(device(0.3, 0.3), [[50, 50], [40, 60]])
    with pytest.raises(ValueError, match="chances that sum to 1"):
        honesty.groups([[[0.5, 0.4], [0, 1]]], [[5, 5]])
    with pytest.raises(ValueError, match="2 types by its reports"):
        honesty.groups([[[1, 0], [0, 1]]], [[5, 5, 5]])
    with pytest.raises(ValueError, match="one entry for each of 2 shares"):
        honesty.denied([0.5, 0.5], [True], 0.1, 0)


VIGNETTE = {  # of 710 of 10 777 pupils so many "yes", α = the known part of the unrelated question; estimate, variance
    "copied": (328, 1 / 12, 0.8406103, 0.001389716),
    "fought": (180, 1 / 10, 0.4070423, 0.001045196),
    "bullied": (280, 20 / 30, 0.1220657, 0.001337415),
    "bullying": (81, 1 / 10, 0.128169, 0.0005597858),
    "drug": (164, 10 / 30, 0.1286385, 0.000991658),
    "sex": (53, 1 / 12, 0.06596244, 0.000383954),
}


@pytest.mark.parametrize("asked", VIGNETTE)
def test_the_vignette_of_rrtcs(asked):
    """R package RRTCS 0.0.4, vignette “How to use RRTCS”, Horvitz's device with p = ½ in a simple random sample without
    replacement: estimates and variances of all six characteristics, to every printed digit. What a pupil's report adds
    is s = (z − α/2)·2, and the variance of it s(s − 1) on average.
    """
    yes, alpha, share, variance = VIGNETTE[asked]
    n, people = 710, 10_777
    scores = (np.repeat([1.0, 0.0], [yes, n - yes]) - alpha / 2) * 2
    noise = (scores * (scores - 1)).mean() / n
    found = weighted.design(scores, np.full(n, people / n), drawn=n / people, noise=[noise])
    assert found.estimate[0] == pytest.approx(share, rel=1e-6)
    assert found.variance[0] == pytest.approx(variance, rel=1e-6)


def test_weights_multiply_people():
    """health, uSS at ε = 1 with 10 of 18 answers marked, ± 1 point: 136 417 people, with D = 1.3 those times 1.3."""
    asked = {"k": 18, "sensitive": np.arange(18) < 10, "epsilon": 1.0, "within": 0.01}
    plain, more = plan.people("uSS", **asked), plan.people("uSS", **asked, design_effect=1.3)
    assert plain is not None
    assert more is not None
    assert more == pytest.approx(1.3 * plain, abs=2)
    half = plan.frequency("uSS", 18, np.arange(18) < 10, design_effect=1.3)
    assert half.within(1.0, more) <= 0.01 < half.within(1.0, more - 1)
    assert plan.sets("suRAP", 5, 2, np.arange(5) < 3, design_effect=4.0).within(1.0, 100) == pytest.approx(
        2 * plan.sets("suRAP", 5, 2, np.arange(5) < 3).within(1.0, 100)
    )
    assert plan.means("Duchi", design_effect=4.0).within(1.0, 100) == pytest.approx(
        2 * plan.means("Duchi").within(1.0, 100)
    )
    assert plan.epsilon("SS", k=5, n=1000, within=0.05, design_effect=2.0) == pytest.approx(
        plan.epsilon("SS", k=5, n=500, within=0.05), rel=1e-3
    )
    for wrong in (0.0, -1.0, float("nan")):
        with pytest.raises(ValueError, match="design_effect is above 0, 1 where all weights are equal"):
            plan.people("uSS", **asked, design_effect=wrong)
