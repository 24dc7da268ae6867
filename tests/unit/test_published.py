"""The forms of a release: what each promises, and that bias and spread are told apart rightly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import t

from ldpcore.catalog import FREQUENCY
from ldpcore.estimators import consistency, publishing
from ldpcore.rng import stream
from ldpcore.study import published
from ldpcore.study.frequency.cell import ChoiceGroup, FrequencyDesignPoint
from ldpcore.tally import Tally

K = 5
MARKS = np.arange(K) < 2


def cell(key, epsilon=0.5, counts=(400, 300, 200, 90, 10), groups=1):
    held = np.array(counts)
    built = FREQUENCY[key].build(epsilon, K, MARKS)
    budgets = np.where(MARKS, epsilon, np.inf)
    return FrequencyDesignPoint(
        key, epsilon, tuple(ChoiceGroup(built, held) for _ in range(groups)), budgets, np.zeros(len(MARKS), bool)
    )


@pytest.mark.parametrize("key", FREQUENCY)
def test_every_form_is_made_of_shares(key):
    m = FREQUENCY[key].build(0.3, K, MARKS)
    for total in m.draw(np.array([60, 30, 10, 0, 0]), stream(1, key), 5):
        for form in publishing.FORMS[1:]:
            found = publishing.release(m, Tally(100, total), form)
            assert found.min() >= 0, form
            assert found.max() <= 1 + 1e-12, form
            if form in ("norm", "norm-sub", "em"):
                assert found.sum() == pytest.approx(1), form


@given(st.integers(0, 10**6))
def test_at_most_is_the_nearest_point_of_its_polytope(seed):
    rng = stream(seed)
    estimate, total = rng.normal(0.4, 0.5, 5), rng.uniform(0.5, 3)
    found = consistency.at_most(estimate, total)
    assert found.min() >= 0
    assert found.max() <= 1
    assert found.sum() <= total + 1e-9
    others = rng.uniform(0, 1, (2000, 5))
    others *= np.minimum(1, total / others.sum(axis=1, keepdims=True))
    assert np.sum((found - estimate) ** 2) <= np.sum((others - estimate) ** 2, axis=1).min() + 1e-12


@pytest.mark.parametrize("seed", range(3))
def test_at_most_is_what_a_general_solver_finds(seed):
    estimate = stream(seed, "qp").normal(0.6, 0.4, 6)
    solved = minimize(
        lambda f: np.sum((f - estimate) ** 2),
        np.full(6, 0.1),
        jac=lambda f: 2 * (f - estimate),
        bounds=[(0, 1)] * 6,
        constraints={"type": "ineq", "fun": lambda f: 1.5 - f.sum()},
        options={"ftol": 1e-14},
    )
    assert consistency.at_most(estimate, 1.5) == pytest.approx(solved.x, abs=1e-6)


def test_base_cut_keeps_what_no_empty_value_reaches():
    """Of 4 empty values some passes in 5 of 100 surveys at most."""
    assert consistency.base_cut(np.array([0.3, 0.02, -0.1, 1.2]), 0.01).tolist() == [0.3, 0.0, 0.0, 1.0]
    empty = stream(2).normal(0, 0.01, (4000, 4))
    passed = (consistency.base_cut(empty, 0.01) > 0).any(axis=1).mean()
    assert 0.035 < passed < 0.065  # 0.049 ± 4 standard errors
    with pytest.raises(ValueError, match=r"\(0, 1\)"):
        consistency.base_cut(empty, 0.01, level=1.0)


def test_bias_and_spread_add_up_to_the_error():
    errors = stream(3).normal(0.02, 0.05, (40, K))
    found = published.of_estimates(errors, np.zeros(K), ["unbiased"])["unbiased"]
    assert found.systematic.value + found.random.value == pytest.approx(found.mse.value)
    assert found.mse.value == pytest.approx(np.mean(errors**2))
    assert found.random.value == pytest.approx(errors.var(axis=0, ddof=1).mean())


def test_intervals_hold_what_is_true():
    """500 times 20 surveys; 95 % intervals miss in 5 of 100, or less where they are cautious."""
    bias, sd = np.array([0.0, 0.0, 0.01, -0.02]), np.array([0.05, 0.02, 0.03, 0.01])
    draws = stream(4).normal(bias, sd, (500, 20, 4))
    unbiased = [published.Form("", own - bias, np.zeros(4)) for own in draws]
    biased = [published.Form("", own, np.zeros(4)) for own in draws]

    def held(forms, part, true):
        return np.mean([getattr(f, part).low <= true <= getattr(f, part).high for f in forms])

    assert held(unbiased, "systematic", 0.0) > 0.92
    assert held(biased, "systematic", float(np.mean(bias**2))) > 0.90
    assert held(biased, "random", float(np.mean(sd**2))) > 0.92
    assert held(biased, "mse", float(np.mean(sd**2 + bias**2))) > 0.92
    # Without bias itself: the plain mean of squared means would be s²/20 too large.
    assert np.mean([f.systematic.value for f in unbiased]) == pytest.approx(0, abs=4e-6)


@pytest.mark.parametrize("key", ["GRR", "OUE", "uSS"])
def test_the_unbiased_form_has_no_bias_and_the_error_of_theory(key):
    here = cell(key)
    found = published.of_cell(here, 7, ("unbiased", "norm-sub"), surveys=150)
    free, cut = found["unbiased"], found["norm-sub"]
    assert free.systematic.low <= 0 <= free.systematic.high
    assert free.random.value == pytest.approx(here.squared_error().mean(), rel=0.25)
    assert cut.mse.value <= free.mse.value  # a projection on a convex set that holds the truth
    if key != "uSS":  # which hardly errs here
        assert cut.systematic.low > 0
        assert cut.rarer.low > 0


def test_which_forms_there_are():
    of = {key: set(published.of_cell(cell(key), 1, surveys=5, fits=5)) for key in ("GRR", "OUE")}
    assert of["GRR"] == set(publishing.FORMS)  # its counts are its reports
    assert of["OUE"] == {*publishing.FORMS, publishing.REPORTS}
    assert set(published.of_cell(cell("OUE", groups=2), 1, surveys=5, fits=5)) == set(publishing.FORMS) - {"em"}
    many = cell("OUE", counts=(4_000_000, 0, 0, 0, 0))
    assert publishing.REPORTS not in published.of_cell(many, 1, (publishing.REPORTS,), surveys=5, fits=5)


def test_senseless_asking_is_refused():
    with pytest.raises(ValueError, match="got 'nonsense'"):
        published.of_cell(cell("GRR"), 1, ("nonsense",))
    with pytest.raises(ValueError, match="at least 3 surveys of 2 shares"):
        published.of_estimates(np.zeros((2, 2)), np.zeros(2), ["clip"])
    with pytest.raises(ValueError, match="surveys"):
        published.of_cell(cell("GRR"), 1, surveys=1)


@pytest.mark.parametrize("surveys", [5, 9])
def test_the_interval_of_what_is_systematic_is_the_jackknife(surveys):
    """Against each survey left out in turn."""
    truth = np.array([0.5, 0.3, 0.2])
    form = published.Form("it", truth + stream(3, surveys).normal(0.01, 0.1, (surveys, 3)), truth)
    without = np.array(
        [published.Form("it", np.delete(form.estimates, i, axis=0), truth).systematic.value for i in range(surveys)]
    )
    spread = np.sqrt((surveys - 1) * np.var(without))
    reach = t.isf(0.025, surveys - 1) * spread
    assert form.systematic.value == pytest.approx(form.mse.value - form.random.value)
    assert form.systematic.high - form.systematic.value == pytest.approx(reach)
    assert form.systematic.value - form.systematic.low == pytest.approx(reach)
