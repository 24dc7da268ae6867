"""Numbers of docs/theory and of the papers, to their printed digits (theory/numbers#uternary and others)."""

import numpy as np
import pytest

from ldpcore.catalog import MEANS
from ldpcore.mechanisms.graded_score import ScoreProblem, closed_form, linear_system
from ldpcore.rng import stream
from tests.each import for_each
from tests.real import lines

HALF = ((-0.5, 0.5),)
UNIFORM = (np.arange(4000) + 0.5) / 2000 - 1
ZERO = np.zeros(1)


def at_zero(key, epsilon, low=HALF):
    m = MEANS[key].build(epsilon, low)
    return float(m.moments(ZERO, "unbiased")[1][0])


@pytest.mark.parametrize(
    ("epsilon", "score", "pm", "duchi"), [(0.1, 408, 514, 401), (1.0, 3.26, 3.68, 4.68)], ids=["0.1", "1"]
)
def test_one_report_at_zero(epsilon, score, pm, duchi):
    """theory/numbers#unbiased-score, n·Var at x = 0 with L = [−½, ½]."""
    for key, shown in (("SDPM", score), ("PM", pm), ("Duchi", duchi)):
        assert at_zero(key, epsilon) == pytest.approx(shown, abs=0.5 if shown > 100 else 0.005), key


@pytest.mark.parametrize("epsilon", [0.05, 0.1, 0.3, 1.0])
def test_the_score_has_no_bias(epsilon):
    mean = MEANS["SDPM"].build(epsilon, HALF).moments(UNIFORM, "unbiased")[0]
    assert np.abs(mean - UNIFORM).max() < 1e-6


def question(epsilon, low):
    m = MEANS["SDPM"].build(epsilon, low)
    return m, ScoreProblem(m.reach, m.width, m.background, m.background * np.expm1(epsilon), m.keep, m.low, m._ends)


def test_the_bound_of_the_spec_ties_too_much():
    """The bound 3.21 at ε = 1 (theory/numbers#unbiased-score) holds for scores whose every window is tied; unbiased
    scores need only high ones.
    """
    m, q = question(1.0, HALF)
    c, delta = m.reach, m.reach - 1
    assert m.background * delta**2 * (c + 5) / 2 == pytest.approx(3.21, abs=0.005)
    score = linear_system(q)
    mean, spread = score.moments(m.law(UNIFORM))
    assert np.abs(mean - UNIFORM).max() < 1e-9
    assert score.moments(m.law(ZERO))[1][0] < 3.15
    assert spread.mean() < closed_form(q).moments(m.law(UNIFORM))[1].mean()


@for_each(
    ("key", "epsilon", "low", "shown"),
    [
        ("uTernary", 1.0, ((-1, 0.5),), 1.11),
        ("SDPM", 1.0, ((-1, 0.5),), 1.78),
        ("PM", 1.0, (), 4.2),
        ("uTernary", 0.1, ((-1, 0.5),), 1.000 * 41.19),
        ("Duchi", 0.1, (), 9.7 * 41.19),
        ("PM", 0.1, (), 12.6 * 41.19),
        ("uTernary", 1.0, ((-1, -0.25), (0.25, 1)), 1.004 * 0.571),
        ("SDPM", 1.0, ((-1, -0.25), (0.25, 1)), 1.62 * 0.571),
        ("uTernary", 0.1, HALF, 1.000 * 391.4),
        ("uTernary", 1.0, HALF, 1.017 * 3.324),
        ("Duchi", 1.0, (), 1.31 * 3.324),
    ],
)
def test_uniform_inputs(key, epsilon, low, shown):
    """n·Var by a program whose inputs stand on a coarse grid; here they are continuous: within 2 %."""
    m = MEANS[key].build(epsilon, low)
    assert m.moments(UNIFORM, "unbiased")[1].mean() == pytest.approx(shown, rel=0.02)


@pytest.mark.parametrize(
    ("epsilon", "limit", "duchi", "pm", "hm"),
    [(0.1, 400, 1.002, 1.33, 1.002), (0.5, 16, 1.04, 1.33, 1.04), (1, 3.99, 1.17, 1.31, 1.08),
     (2, 0.865, 1.99, 1.42, 1.21), (4, 0.127, 8.5, 1.90, 1.73)],
)  # fmt: skip
def test_worst_cases_against_the_limit(epsilon, limit, duchi, pm, hm):
    """theory/limits#numbers, plain LDP: the largest n·Var over the limit."""
    for key, shown in (("Duchi", duchi), ("PM", pm), ("HM", hm)):
        worst = MEANS[key].build(epsilon).report_moments(UNIFORM)[1].max()
        assert worst / limit == pytest.approx(shown, rel=0.006), key


@for_each("epsilon", [0.1, 0.5, 0.8])
@for_each("low", [((-1, 0.5),), HALF, ((-1, -0.25), (0.25, 1)), ()])
def test_uternary_by_exact_enumeration(epsilon, low):
    """Worst ratio of the three protected reports exactly E, bias below 1e-12, its variances."""
    m = MEANS["uTernary"].build(epsilon, low)
    assert not m.windowed
    ends = [np.nextafter(m.hull[0], 1), np.nextafter(m.hull[1], -1)]
    x = np.concatenate([np.linspace(-1, 1, 201), m.cuts, ends])
    law, growth, theta = m.law(x), np.exp(epsilon), m.theta
    protected = law.atom_mass
    used = protected[:, protected.max(axis=0) > 0]
    assert (used.max(axis=0) / used.min(axis=0)).max() == pytest.approx(growth, rel=1e-9)
    np.testing.assert_allclose(law.own_mass + protected.sum(axis=1), 1, atol=1e-13)
    mean = law.own_mass * law.own + protected @ law.atoms
    square = law.own_mass * law.own**2 + protected @ law.atoms**2
    assert np.abs(mean - x).max() < 1e-12
    h, far = m.half, (x - m.centre) ** 2
    inside = h**2 * (growth + 1) * (growth + theta) / (theta * (growth - 1) ** 2) - far
    other = 2 * h**2 * (growth + theta) / (theta * (growth - 1) ** 2) + far * (1 + theta) / (growth - 1)
    np.testing.assert_allclose(square - mean**2, np.where(m.is_sensitive(x), inside, other), rtol=1e-9)


def test_two_marked_ends_gain_two_percent():
    """With two sensitive ends marking gains 2–3 % at ε = 0.1, whatever the mechanism; one end gains ten times."""
    duchi = MEANS["Duchi"].build(0.1).report_moments(UNIFORM)[1].mean()
    two = MEANS["uTernary"].build(0.1, HALF).report_moments(UNIFORM)[1].mean()
    one = MEANS["uTernary"].build(0.1, ((-1, 0.5),)).report_moments(UNIFORM)[1].mean()
    assert 0.02 < 1 - two / duchi < 0.03
    assert duchi / one > 9


def test_theorem_4_against_the_truth():
    """theory/numbers#sdpm: without the atom and the mean; they agree at small ε and part at large."""
    for epsilon, apart in ((0.1, 0.01), (4.0, 0.10)):
        m = MEANS["SDPM"].build(epsilon, HALF)
        exact = m.report_moments(np.array([0.5]))[1][0]
        paper = m.paper_variance()
        e, c = np.exp(epsilon / 2), 0.5
        assert paper == pytest.approx(
            (e + 2 + 1 / e) / (3 * (e - 1) ** 2) - (e - 1) * c**3 / (3 * e * (e + 1)), rel=1e-9
        )  # the paper's (15)
        assert (abs(exact / paper - 1) < apart) == (epsilon < 1)


def test_hm_switches_where_the_paper_says():
    root = np.sqrt(241)
    star = np.log((-5 + 2 * np.cbrt(6353 - 405 * root) + 2 * np.cbrt(6353 + 405 * root)) / 27)
    assert star == pytest.approx(0.6093525, abs=5e-8)
    assert MEANS["HM"].build(0.609).share == 0
    assert MEANS["HM"].build(0.61).share == pytest.approx(1 - np.exp(-0.305))


def heights():
    values = np.loadtxt(lines("socr-heights-weights.csv.gz"), delimiter=",", skiprows=1)[:, 1]
    return np.clip(2 * (values - values.min()) / np.ptp(values) - 1, -1, 1)


def test_heights_exactly():
    """theory/numbers#unbiased-score: ε = 0.1, n = 25 000, exact MSE of g 0.0165, PM 0.0206, Duchi 0.0160."""
    x = heights()
    for key, shown in (("SDPM", 0.0165), ("PM", 0.0206), ("Duchi", 0.0160)):
        assert MEANS[key].build(0.1, HALF).variance(x, "unbiased") == pytest.approx(shown, rel=0.01), key


def test_heights_by_em():
    """theory/numbers#em: SDPM-50 with EM, ε = 0.1: 2.4e-4 (MLE 1.3e-3), sixty times below the unbiased score.

    12 surveys; the mean of their squared errors lies within a factor of 2.6 (a χ²₁₂ quantile at 1e-4).
    """
    x, m = heights(), MEANS["SDPM"].build(0.1, HALF, bins=128)
    rng = stream(1, "golden", "heights")
    tallies = [m.tally(m.perturb(x, rng)) for _ in range(12)]
    errors = {how: np.mean([(m.estimate_mean(t, how) - x.mean()) ** 2 for t in tallies]) for how in ("em", "mle")}
    assert 2.4e-4 / 2.6 < errors["em"] < 2.4e-4 * 2.6
    assert 1.3e-3 / 2.6 < errors["mle"] < 1.3e-3 * 2.6
    assert errors["em"] < m.variance(x, "unbiased") / 20
