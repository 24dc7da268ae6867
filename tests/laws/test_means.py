"""Every mechanism for numbers keeps the laws: sampler, likelihood and closed form testify against one another.

Statistical laws reject at p < 1e-6 per test (about 60 of them: a false alarm in 16 000 runs), on fixed streams;
tests/power/test_means.py shows that they notice an error of 5 %.
"""

import numpy as np
import pytest

from ldpcore import em
from ldpcore.catalog import MEANS
from ldpcore.rng import stream
from tests.each import for_each
from tests.laws import mean_laws as laws

LOWS = {
    "middle": ((-0.5, 0.5),),
    "figure 3": ((0.2, 0.8),),
    "at an end": ((-1.0, -0.2),),
    "to the end": ((0.5, 1.0),),
    "two": ((-0.8, -0.3), (0.1, 0.6)),
    "a narrow end": ((-1.0, 0.8),),
    "nothing marked": ((-1.0, 1.0),),
    "all marked": (),
}
EPSILONS = (0.05, 0.2, 0.6, 1.0, 2.0, 2.5, 5.0)
X = np.array([-1.0, -0.93, -0.5, -0.2, 0.0, 0.21, 0.5, 0.77, 1.0])
everything = [
    pytest.param(key, low, id=f"{key}-{name}")
    for key, entry in MEANS.items()
    for name, low in LOWS.items()
    if entry.uses_marks or name == "all marked"
]
some = [
    p
    for p in everything
    if p.id is not None and p.id.split("-")[-1] in ("two", "to the end", "a narrow end", "all marked")
]


@pytest.mark.parametrize(("key", "low"), everything)
def test_the_closed_form_is_the_integral(key, low):
    for epsilon in EPSILONS:
        laws.moments_are_the_integrals(MEANS[key].build(epsilon, low, bins=16), X)


@pytest.mark.parametrize(("key", "low"), everything)
def test_the_likelihood_integrates_to_the_mass(key, low):
    for epsilon in (0.2, 2.5):
        laws.density_integrates_to_mass(MEANS[key].build(epsilon, low, bins=16), X)


@pytest.mark.parametrize(("key", "low"), everything)
def test_the_unbiased_score_is_unbiased(key, low):
    found = 0
    for epsilon in EPSILONS:
        m = MEANS[key].build(epsilon, low, bins=16)
        if m.unbiased or "unbiased" in m.estimates():
            found += 1
            mean, spread = m.moments(np.linspace(-1, 1, 81), "unbiased")
            assert np.abs(mean - np.linspace(-1, 1, 81)).max() < (1e-12 if m.unbiased else 1e-6)
            assert (spread >= 0).all()
    assert found >= 4


@pytest.mark.parametrize(("key", "low"), everything)
def test_the_promise_is_kept_and_used(key, low):
    for epsilon in (0.2, 1.0, 3.0):
        laws.promise_is_kept(MEANS[key].build(epsilon, low, bins=64))


@for_each("epsilon", [0.6, 3.0])
@for_each(("key", "low"), some)
def test_the_sampler_follows_the_law(key, low, epsilon):
    laws.sampler_follows_mass(MEANS[key].build(epsilon, low, bins=32), X, 20_000)


@for_each("epsilon", [0.6, 3.0])
@for_each(("key", "low"), some)
def test_the_reports_have_the_moments(key, low, epsilon):
    laws.reports_have_moments(MEANS[key].build(epsilon, low, bins=8), X, 20_000)


@pytest.mark.parametrize(("key", "low"), everything)
def test_structure_equals_the_dense_matrix(key, low):
    for epsilon in (0.1, 1.0, 4.0):
        m = MEANS[key].build(epsilon, low, bins=64)
        matrix, products = m.mass(m.points, m.edges), m.products()
        rng = stream(1, "products", key)
        f, w = rng.dirichlet(np.ones(len(m.points))), rng.random(len(m.edges) - 1)
        np.testing.assert_allclose(products.forward(f), f @ matrix, atol=1e-12)
        np.testing.assert_allclose(products.backward(w), matrix @ w, atol=1e-12)


@pytest.mark.parametrize(("key", "low"), everything)
def test_a_tally_merges_and_keeps_what_the_estimates_need(key, low):
    m = MEANS[key].build(0.7, low, bins=16)
    reports = m.perturb(np.tile(X, 40), stream(2, "tally", key))
    parts = [m.tally(part) for part in np.split(reports, 4)]
    assert sum(parts) == m.tally(reports)
    assert m.tally(reports).total == pytest.approx(reports.sum())
    assert m.estimate_mean(m.tally(reports), "mean") == pytest.approx(reports.mean())
    assert m.estimate_mean(m.tally(reports), "unbiased") == pytest.approx(m.score(reports).mean(), abs=1e-9)
    for how in m.estimates():
        assert m.estimate_mean(reports, how) == pytest.approx(m.estimate_mean(sum(parts), how), abs=1e-9)


@pytest.mark.parametrize(("key", "low"), everything)
def test_only_the_given_generator_is_used(key, low):
    m = MEANS[key].build(1.0, low, bins=16)
    np.random.seed(1)  # noqa: NPY002
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    first, again = (m.perturb(X, stream(3, "rng")) for _ in range(2))
    np.testing.assert_array_equal(first, again)
    np.testing.assert_array_equal(state, np.random.get_state()[1])  # noqa: NPY002
    assert len(m.perturb(X, stream(3, "rng"))) == len(X)


@pytest.mark.one_in(2)  # that reports have these moments is asked of all of them above
@pytest.mark.parametrize(("key", "low"), some)
def test_simulate_has_the_closed_forms_mean_and_variance(key, low):
    """2000 surveys of 90 people: z of the mean below 5, the ratio of variances within 16 % (5 sd)."""
    m = MEANS[key].build(0.8, low, bins=32)
    how, x = "mean" if m.unbiased else "unbiased", np.tile(X, 10)
    found = m.simulate(x, stream(4, "simulate", key), 2000, how)
    exact = m.variance(x, how)
    if exact == 0:
        np.testing.assert_allclose(found, x.mean(), atol=1e-12)
        return
    assert abs(found.mean() - x.mean() - m.bias(x, how)) < 5 * np.sqrt(exact / 2000)
    assert found.var() / exact == pytest.approx(1, abs=0.16)


@pytest.mark.parametrize(("key", "low"), [p for p in everything if MEANS[p.values[0]].factory.recovers])
def test_the_fixed_point_meets_its_conditions(key, low):
    """Karush-Kuhn-Tucker: gradient per user at most 1 everywhere, and 1 where the share is positive."""
    m = MEANS[key].build(1.0, low, bins=12)
    rng = stream(5, "mle", key)
    tally = m.tally(m.perturb(np.clip(rng.normal(0.2, 0.3, 4000), -1, 1), rng))
    found = m.fit(tally, "mle", gain=1e-13, max_steps=100_000)
    matrix = m.mass(m.points, m.edges)
    gradient = matrix @ (tally.counts / np.maximum(found.freq @ matrix, 1e-300)) / tally.n
    assert gradient.max() < 1 + 1e-4
    assert (found.freq * np.abs(gradient - 1)).max() < 1e-5
    assert found.log_likelihood >= m.fit(tally, "em").log_likelihood - 1e-9


@pytest.mark.parametrize(("key", "low"), [p for p in some if MEANS[p.values[0]].factory.recovers])
def test_the_papers_stop_has_the_dense_loops_iterates(key, low):
    m = MEANS[key].build(0.5, low, bins=48)
    rng = stream(6, "em", key)
    tally = m.tally(m.perturb(np.clip(rng.normal(-0.3, 0.2, 3000), -1, 1), rng))
    matrix = m.mass(m.points, m.edges)
    dense = em.plain(tally.counts, em.Products.of(matrix), len(m.points), gain=np.exp(0.5) * 1e-3)
    fast = m.fit(tally, "em")
    assert fast.steps == dense.steps
    np.testing.assert_allclose(fast.freq, dense.freq, atol=1e-10)
    assert fast.log_likelihood == pytest.approx(dense.log_likelihood, rel=1e-12)


@pytest.mark.parametrize(("key", "low"), everything)
def test_the_guess_within_delta_is_simulated_as_it_is_computed(key, low):
    """2000 people at the bins' midpoints; 5 binomial standard deviations."""
    from ldpcore.attacks import within

    m = MEANS[key].build(1.5, low, bins=24)
    prior = np.exp(-3 * m.points**2)
    prior /= prior.sum()
    rng = stream(7, "within", key)
    who = rng.choice(len(prior), 2000, p=prior)
    hit = np.abs(within.guess(m, m.perturb(m.points[who], rng), 0.2, prior) - m.points[who]) <= 0.2 + 1e-12
    exact = float(prior @ within.success(m, 0.2, prior))
    assert abs(hit.mean() - exact) < 5 * np.sqrt(exact * (1 - exact) / 2000) + 1e-9
    assert exact >= within.blind(m, 0.2, prior) - 1e-9


@pytest.mark.parametrize("key", [key for key, entry in MEANS.items() if not entry.uses_marks])
def test_mechanisms_without_marks_ignore_them(key):
    plain, marked = MEANS[key].build(1.0), MEANS[key].build(1.0, (-0.5, 0.5))
    np.testing.assert_array_equal(plain.perturb(X, stream(8, "marks")), marked.perturb(X, stream(8, "marks")))


def test_everything_marked_is_the_original():
    sdpm, pm = MEANS["SDPM"].build(1.0, ()), MEANS["PM"].build(1.0)
    np.testing.assert_array_equal(sdpm.perturb(X, stream(9, "pm")), pm.perturb(X, stream(9, "pm")))
    ternary, duchi = MEANS["uTernary"].build(0.5, ()), MEANS["Duchi"].build(0.5)
    np.testing.assert_allclose(ternary.report_moments(X)[1], duchi.report_moments(X)[1])
    assert ternary.theta == 1


def test_nothing_marked_is_no_protection():
    m = MEANS["uTernary"].build(1.0, ((-1, 1),))
    np.testing.assert_array_equal(m.perturb(X, stream(10, "open")), X)
    np.testing.assert_array_equal(m.disclosure(X), np.ones(len(X)))
