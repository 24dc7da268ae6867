"""Printed numbers, each with its source. All but the first few digits are computed here from nothing but ldpcore."""

from math import exp, expm1, log

import numpy as np
import pytest

from ldpcore.attacks import bayes
from ldpcore.catalog import FREQUENCY
from tests.each import for_each
from tests.golden import golden

EPSILONS = (0.1, 0.5, 1.0, 3.0)


def build(key, k, marked, epsilon):
    return FREQUENCY[key].build(epsilon, k, np.arange(k) < marked)


def mse(key, k, marked, epsilon, n=1):
    """n·MSE over all values, uniform data (theory/notation#error)."""
    return build(key, k, marked, epsilon).variance(np.full(k, 1 / k), n).mean()


# --- SDGRR against GRR (theory/frequency#graded-variance, theory/papers#orders-of-magnitude) ---


@for_each("epsilon", EPSILONS)
@for_each(("k", "marked"), [(18, 4), (7, 2), (5, 5)])
def test_sdgrr_is_no_better_than_grr_on_the_marked_values(k, marked, epsilon):
    """sdldp §4: high values are treated as GRR treats them; so their variance is GRR's, whatever the data."""
    freq = np.random.default_rng(1).dirichlet(np.ones(k))
    graded, plain = (build(key, k, marked, epsilon).variance(freq, 100)[:marked] for key in ("SDGRR", "GRR"))
    assert graded == pytest.approx(plain, rel=1e-12)


@for_each(("k", "marked", "ratio"), [(18, 4, 4.2), (7, 2, 3.0)])
@for_each("epsilon", [0.05, 0.1, 0.3, 0.5])
def test_one_order_of_magnitude_is_a_factor_of_three_or_four(k, marked, ratio, epsilon):
    """The paper says "one order of magnitude" (theory/papers#orders-of-magnitude)."""
    assert round(mse("GRR", k, marked, epsilon) / mse("SDGRR", k, marked, epsilon), 1) == pytest.approx(ratio, abs=0.11)


def test_the_papers_variance_of_the_unmarked_values_is_a_thousand_times_too_small():
    """n·Var exact 26.2, by (12) 0.020, k = 18, 4 marked, ε = 0.1, uniform (theory/frequency#graded-variance)."""
    m = build("SDGRR", 18, 4, 0.1)
    uniform = np.full(18, 1 / 18)
    assert round(m.variance(uniform, 1)[-1], 1) == 26.2
    assert round(m.paper_variance(uniform, 1)[-1], 3) == 0.020


# --- the adversary with a uniform prior (theory/adversary#closed-forms) ---


@for_each("epsilon", EPSILONS)
@for_each(("k", "marked"), [(18, 4), (7, 2)])
def test_success_against_the_marked_values(k, marked, epsilon):
    """SDGRR = GRR = E/(k+E−1), uRR = E/(|S|+E−1); on the others c₃ and (E−1)/(|S|+E−1)
    (theory/adversary#closed-forms).
    """
    e = exp(epsilon)
    grr, sdgrr, urr = (bayes.success(build(key, k, marked, epsilon)) for key in ("GRR", "SDGRR", "uRR"))
    assert grr == pytest.approx(np.full(k, e / (k + e - 1)))
    assert sdgrr[:marked] == pytest.approx(grr[:marked])
    assert urr[:marked] == pytest.approx(np.full(marked, e / (marked + e - 1)))
    assert sdgrr[marked:] == pytest.approx(np.full(k - marked, (k - marked + e - 1) / (k + e - 1)))
    assert urr[marked:] == pytest.approx(np.full(k - marked, (e - 1) / (marked + e - 1)))


@for_each("epsilon", EPSILONS)
@for_each(("k", "marked"), [(18, 4), (64, 16)])
def test_targeted_success(k, marked, epsilon):
    """uRR E/(σ+E−1); uSS E/(σ+(E−1)w); SDGRR (E+k/σ−1)/(k+E−1) (theory/adversary#targeted)."""
    e, sensitive = exp(epsilon), np.arange(k) < marked
    prior = bayes.targeted_prior(sensitive)
    asr = {key: prior @ bayes.success(build(key, k, marked, epsilon), prior) for key in ("uRR", "uSS", "SDGRR")}
    w = build("uSS", k, marked, epsilon).w
    assert asr["uRR"] == pytest.approx(e / (marked + e - 1))
    assert asr["uSS"] == pytest.approx(e / (marked + (e - 1) * w))
    assert asr["SDGRR"] == pytest.approx((e + k / marked - 1) / (k + e - 1))


@for_each("key", ["RAPPOR", "OUE", "OLH"])
@for_each("epsilon", EPSILONS)
@for_each("k", [2, 18])
def test_success_against_independent_events(key, k, epsilon):
    """a(1−(1−b)^k)/(kb) + (1−a)(1−b)^{k−1}/k (theory/adversary#closed-forms)."""
    m = build(key, k, 0, epsilon)
    holder = m.support(np.eye(k)[0])
    a, b = holder[0], holder[1]
    expected = a * (1 - (1 - b) ** k) / (k * b) + (1 - a) * (1 - b) ** (k - 1) / k
    assert bayes.success(m) == pytest.approx(np.full(k, expected))


def test_the_published_success_of_olh_is_wrong_for_two_values():
    """k = 2, ε = 5: exact 0.747; arXiv 2503.01482's eq. 15 gives 0.50 (theory/adversary#closed-forms)."""
    assert np.round(bayes.success(build("OLH", 2, 0, 5.0)), 3) == pytest.approx(0.747)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_success_of_subset_selection(epsilon):
    """a/w with a = wE/(wE+k−w) (theory/adversary#closed-forms)."""
    m, e = build("SS", 18, 0, epsilon), exp(epsilon)
    assert bayes.success(m) == pytest.approx(np.full(18, e / (m.w * e + 18 - m.w)))


# --- the errors (theory/frequency#support, theory/limits#distances) ---


def test_errors_at_eighteen_values_four_marked():
    """n·MSE at (18, 4), ε = 1, uniform: uSS 0.4286, uRR 1.10×, uOUE 2.16×, uRAP 2.19×, SDGRR 3.82×; SS 3.234."""
    best = mse("uSS", 18, 4, 1.0)
    assert round(best, 4) == 0.4286
    ratios = {key: round(mse(key, 18, 4, 1.0) / best, 2) for key in ("uRR", "uOUE", "uRAP", "SDGRR")}
    assert ratios == {"uRR": 1.10, "uOUE": 2.16, "uRAP": 2.19, "SDGRR": 3.82}
    assert round(mse("SS", 18, 4, 1.0), 3) == 3.234


TABLE = {
    (18, 4, 0.5): (3.11, 1.14, 1.13, 1.14, 1, 1.21, 2.00, 1.99, 1, 5.54),
    (18, 4, 1.0): (2.12, 1.21, 1.16, 1.16, 1, 1.10, 2.19, 2.16, 1, 3.82),
    (64, 16, 1.0): (6.33, 1.10, 1.04, 1.04, 1, 2.50, 1.60, 1.53, 1, 9.20),
    (1024, 256, 1.0): (94.6, 1.07, 1.002, 1.005, 1, 32.1, 1.44, 1.36, 1, 128),
    (1024, 256, 4.0): (5.25, 2.42, 1.03, 1.03, 1, 2.88, 4.14, 1.83, 1, 9.04),
}
KEYS = ("GRR", "RAPPOR", "OUE", "OLH", "SS", "uRR", "uRAP", "uOUE", "uSS", "SDGRR")


@pytest.mark.parametrize("setting", TABLE, ids=lambda s: f"k{s[0]}-marked{s[1]}-eps{s[2]:g}")
def test_the_distance_of_each_mechanism_to_the_best(setting):
    """The table of theory/limits#distances: the LDP ones against SS, the others against uSS (printed to three
    digits).
    """
    for key, printed in zip(KEYS, TABLE[setting], strict=True):
        best = "SS" if FREQUENCY[key].promise == "LDP" else "uSS"
        assert mse(key, *setting) / mse(best, *setting) == pytest.approx(printed, rel=5e-3), key


@pytest.mark.parametrize("key", ["OUE", "OLH"])
@pytest.mark.parametrize("whole", [2, 3, 20])
def test_optimal_variance(key, whole):
    """4E/(n(E−1)²) at f = 0: Wang, Blocki, Li, Jha 2017, Table 1."""
    golden.optimal_variance_at_no_share(build(key, 5, 0, log(whole)))


@for_each("key", ["SS", "uSS"])
@for_each("epsilon", EPSILONS)
@for_each(("k", "marked"), [(5, 4), (18, 4), (64, 16)])
def test_no_other_subset_size_is_better(key, k, marked, epsilon):
    golden.subset_size_is_the_best(build(key, k, marked, epsilon))


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
def test_the_subset_size_listens_to_the_guess_of_how_many_are_marked(share):
    """w* ≈ σ/(1+√(E(1+(E−1)F))) (theory/frequency#best-subset-size)."""
    m = FREQUENCY["uSS"].build(1.0, 400, np.arange(400) < 100, share=share)
    assert m.w == pytest.approx(100 / (1 + np.sqrt(exp(1) * (1 + expm1(1) * share))), abs=1.5)


def test_uss_sums():
    """Σ_S and Σ_N of theory/frequency#best-subset-size against the variances, for a population that is uniform in each
    part.
    """
    k, sigma, epsilon, mass = 20, 6, 1.0, 0.4
    m, e = build("uSS", k, sigma, epsilon), exp(epsilon)
    total = m.w * e + sigma - m.w
    r = m.w * (e - 1) / total
    freq = np.r_[np.full(sigma, mass / sigma), np.full(k - sigma, (1 - mass) / (k - sigma))]
    within = (sigma - 1) ** 2 * total * (sigma + (e - 1) * m.w * mass) / ((e - 1) ** 2 * m.w * (sigma - m.w) * sigma)
    marked_sum = within + (1 - mass) * (1 - r) / (r * sigma) + mass / sigma - mass
    variance = m.variance(freq, 1)
    assert variance[:sigma].sum() == pytest.approx(marked_sum)
    assert variance[sigma:].sum() == pytest.approx((1 - mass) * (1 - r) / r)


def test_marking_nothing_away_is_not_free_for_sdgrr():
    """Between a low value v and a high one the loss on output v is ln(k−σ+E−1), far above ε."""
    m = build("SDGRR", 18, 4, 1.0)
    assert m.privacy_loss()[10, 0] == pytest.approx(log(18 - 4 + expm1(1.0)))


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_urr_keeps_the_weaker_definition_too(epsilon):
    """Every ULDP mechanism satisfies SDLDP; the other way round it fails."""
    urr, sdgrr = build("uRR", 7, 2, epsilon), build("SDGRR", 7, 2, epsilon)
    assert sdgrr.policy.check(urr.channel()).holds
    assert not urr.policy.check(sdgrr.channel()).holds
