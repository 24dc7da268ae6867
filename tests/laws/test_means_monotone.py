"""No error of a mean rises with ε, and no mark costs accuracy: laws over the catalogues of means.

The error is that by which a mechanism is chosen, its mean variance over the public guess: even answers. It is exact, so
nothing here is random. A paper's mechanism may break both laws, as it was published; ours may not.
"""

from functools import cache
from math import inf

import numpy as np
import pytest

from ldpcore import plan
from ldpcore.catalog import LEVELED_MEANS, MEANS
from ldpcore.limit import best_mean
from ldpcore.mechanisms.ternary import UTernary
from ldpcore.mechanisms.ternary_design import Guess, _designed
from tests.each import for_each

EVEN = (np.arange(500) + 0.5) / 250 - 1
EPSILONS = tuple(float(e) for e in np.geomspace(0.02, 40, 60))
LOWS = {
    "census age, 70 and more marked": ((-1.0, 33 / 73 * 2 - 1 + 0.546),),
    "census age, up to 21 marked": ((8 / 73 - 1, 1.0),),
    "the upper tenth marked": ((-1.0, 0.8),),
    "all but a twentieth marked": ((-1.0, -0.9),),
    "both outer quarters marked": ((-0.5, 0.5),),
    "all marked": (),
    "three marked": ((-0.95, -0.2), (0.1, 0.6)),
    "a hundredth marked": ((-1.0, 0.98),),
}
ROUNDING = 1 + 1e-9
plain = [key for key, entry in MEANS.items() if not entry.uses_marks]
ours = [key for key, entry in MEANS.items() if entry.source == "ours"]


@cache
def error(key, epsilon, low):
    return float(MEANS[key].build(epsilon, low, bins=8).moments(EVEN, "unbiased")[1].mean())


def rises(errors):
    """By how much an error is above the least at a smaller ε, at most."""
    return max(after / before for after, before in zip(errors[1:], np.minimum.accumulate(errors)[:-1], strict=True))


def test_the_laws_have_somebody_to_judge():
    assert ours == ["uTernary"]
    assert {"Laplace", "Duchi", "PM", "HM", "SW"} <= set(plain)
    assert {"gPM", "gTable"} <= set(LEVELED_MEANS)


@pytest.mark.parametrize("low", LOWS.values(), ids=LOWS)
@pytest.mark.parametrize("key", ours)
def test_no_error_of_ours_rises_with_epsilon(key, low):
    assert rises([error(key, epsilon, low) for epsilon in EPSILONS]) <= ROUNDING


@pytest.mark.parametrize("key", plain)
def test_no_error_without_marks_rises_with_epsilon(key):
    assert rises([error(key, epsilon, ()) for epsilon in EPSILONS]) <= ROUNDING


@for_each("low", LOWS.values())
@for_each("key", ours)
def test_marks_cost_no_accuracy(key, low):
    for epsilon in EPSILONS:
        assert error(key, epsilon, low) <= ROUNDING * min(error(other, epsilon, ()) for other in plain)


LEVELS = {
    "all secret": lambda e: [(-1, 1, e)],
    "public, secret": lambda e: [(-1, 0.5, inf), (0.5, 1, e)],
    "secret, public, secret": lambda e: [(-1, -0.5, e), (-0.5, 0.5, inf), (0.5, 1, e)],
    "public, private, secret": lambda e: [(-1, 0, inf), (0, 0.5, 2 * e), (0.5, 1, e)],
    "secret, private, secret": lambda e: [(-1, -0.5, e), (-0.5, 0.5, 3 * e), (0.5, 1, e)],
}


@pytest.mark.one_in(2)  # each mechanism with half of the levels, all levels with some
@pytest.mark.parametrize("made", LEVELS.values(), ids=LEVELS)
@pytest.mark.parametrize("key", LEVELED_MEANS)
def test_levels_cost_no_accuracy_and_their_error_does_not_rise(key, made):
    """To what the searches end at: 1e-6 for gPM, 1e-3 for the program of gTable and its rounding."""
    slack = 1 + 2e-3 if key == "gTable" else 1 + 1e-6
    entry, errors = LEVELED_MEANS[key], []
    for epsilon in (0.02, 0.1, 0.5, 0.9, 2.0):
        errors.append(float(entry.build(made(epsilon), bins=8).report_moments(EVEN)[1].mean()))
        assert errors[-1] <= slack * min(error(other, epsilon, ()) for other in plain), epsilon
    assert rises(errors) <= slack


@pytest.mark.parametrize("low", LOWS.values(), ids=LOWS)
def test_the_design_is_the_best_of_its_kind(low):
    """Against a grid of widths far beyond those that are searched, and θ around the closed form's."""
    for epsilon in (0.05, 0.7, 2.0, 3.5, 8.0, 20.0, 40.0):
        m = UTernary(epsilon, low)
        guess = Guess.of(m.hull, low, None, None)
        widths = [None, *np.exp(np.linspace(-epsilon / 2 - 3, np.log(0.99), 300))]
        assert m.design.error <= min(_designed(epsilon, guess, width).error for width in widths) * (1 + 1e-6)
        assert m.design.error == pytest.approx(error("uTernary", epsilon, low), rel=0.02), "EVEN is a grid"


@pytest.mark.parametrize("theta", [0.9, 1.1])
def test_theta_is_the_best(theta):
    """Where it is below 1: another θ errs more, by the mechanism's own moments."""
    for epsilon, low in ((1.0, LOWS["the upper tenth marked"]), (4.0, LOWS["the upper tenth marked"])):
        m, other = UTernary(epsilon, low), UTernary(epsilon, low)
        assert m.windowed == (epsilon > 2)
        assert m.theta < 0.9
        design = type(m.design)(m.theta * theta, m.design.window, 0.0)
        vars(other).update(design=design)
        assert m.report_moments(EVEN)[1].mean() < other.report_moments(EVEN)[1].mean()


NEAR = {"the upper tenth marked": 1.04, "all but a twentieth marked": 1.1, "both outer quarters marked": 1.14}


@pytest.mark.parametrize("name", NEAR)
def test_it_is_near_the_limit(name):
    """theory/numbers#uternary: at inputs 0.08 apart."""
    ends = np.array(LOWS[name]).ravel()
    x = np.unique(np.clip(np.concatenate([np.linspace(-1, 1, 26), ends - 1e-6, ends + 1e-6]), -1, 1))
    share = np.full(len(x), 1 / len(x))
    for epsilon in (0.1, 1.0, 2.0, 3.0):
        m = UTernary(epsilon, LOWS[name])
        floor = best_mean(epsilon, x, share, m.is_sensitive(x))
        assert floor.low <= share @ m.report_moments(x)[1] <= NEAR[name] * floor.high, epsilon


@pytest.mark.parametrize("low", LOWS.values(), ids=LOWS)
def test_no_plan_needs_more_people_for_a_larger_epsilon(low):
    planned = plan.means("uTernary", low, x=EVEN)
    people = [planned.people(epsilon, 0.05) for epsilon in np.linspace(1.0, 4.0, 31)]
    assert people == sorted(people, reverse=True)


def test_people_who_are_not_as_guessed_see_no_cliff():
    """Census age, 70 and more marked, whom the guess takes for a quarter: a hundredth of ε moves n by little."""
    ages = np.clip(np.random.default_rng(5).gamma(4.0, 6.0, 4000) + 17, 17, 90)
    planned = plan.means("uTernary", (-1.0, (70 - 17) / 73 * 2 - 1), x=(ages - 17) / 73 * 2 - 1)
    people = np.array([planned.people(epsilon, 0.01) for epsilon in np.arange(1.0, 4.0, 0.01)])
    assert (people[1:] / people[:-1]).max() < 1.25
