# ruff: noqa: E741 (l and r are the contract's names for the ends of a range)
"""Bugs planted in strategies for ranges, and the law that kills each: one that holds, with these very arguments, where
the law itself is tested (tests/laws/test_ranges.py).
"""

from collections.abc import Callable

import pytest

from ldpcore.ranges import LocalHaar, Privelet
from tests.laws import test_ranges as laws

Kill = Callable[[], object]
_coefficients, _covariance, _release = Privelet._coefficients, Privelet.covariance, Privelet._release
_average, _noise, _send = Privelet.average_coefficient, LocalHaar.noise_coefficient, LocalHaar._send


def too_little_noise(patch) -> Kill:
    patch.setattr(Privelet, "sensitivity", property(lambda self: float(self.h)))
    return lambda: laws.test_the_noise_is_that_of_the_matrix("Privelet", 3)


def scale_twice_the_stated_one(patch) -> Kill:
    patch.setattr(Privelet, "_release", lambda self, x, scale, rng: _release(self, x, 2 * scale, rng))
    return lambda: laws.test_the_noise_is_that_of_the_matrix("Privelet", 3)


def a_biased_release(patch) -> Kill:
    patch.setattr(Privelet, "_release", lambda self, x, scale, rng: _release(self, x + 1e-6, scale, rng))
    return lambda: laws.test_a_release_without_noise_is_the_truth("Privelet", 3)


def error_five_percent_small(patch) -> Kill:
    patch.setattr(Privelet, "_coefficients", lambda self, a, b: 0.95 * _coefficients(self, a, b))
    return lambda: laws.test_the_formulas_are_those_of_the_release("Privelet", 3)


def an_error_that_nobody_can_have(patch) -> Kill:
    patch.setattr(Privelet, "_coefficients", lambda self, a, b: 0.95 * _coefficients(self, a, b))
    return lambda: laws.test_no_answer_is_better_than_least_squares("Privelet", 3)


def a_wrong_average(patch) -> Kill:
    patch.setattr(Privelet, "average_coefficient", lambda self: 1.0001 * _average(self))
    return lambda: laws.test_the_formulas_are_those_of_the_release("Privelet", 3)


def cells_as_if_independent(patch) -> Kill:
    patch.setattr(Privelet, "covariance", lambda self, i, j: (i == j) * _covariance(self, i, j))
    return lambda: laws.test_the_formulas_are_those_of_the_release("Privelet", 3)


def a_local_error_ten_percent_small(patch) -> Kill:
    patch.setattr(LocalHaar, "noise_coefficient", lambda self, l, r: 0.9 * _noise(self, l, r))
    return lambda: laws.test_the_variance_is_that_of_the_protocol("Local Haar", "simulate")


def a_biased_protocol(patch) -> Kill:
    patch.setattr(LocalHaar, "_send", lambda self, level, values, rng: 0.9 * _send(self, level, values, rng))
    return lambda: laws.test_the_variance_is_that_of_the_protocol("Local Haar", "collect")


def a_local_average_of_another_family(patch) -> Kill:
    patch.setattr(LocalHaar, "noise_coefficient", lambda self, l, r: 1.001 * _noise(self, l, r))
    return lambda: laws.test_the_average_is_the_mean_over_ranges("Local Haar", 2)


BUGS = (
    too_little_noise,
    scale_twice_the_stated_one,
    a_biased_release,
    error_five_percent_small,
    an_error_that_nobody_can_have,
    a_wrong_average,
    cells_as_if_independent,
    a_local_error_ten_percent_small,
    a_biased_protocol,
    a_local_average_of_another_family,
)


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.__name__)
def test_it_is_killed(bug, monkeypatch):
    kill = bug(monkeypatch)
    with pytest.raises(AssertionError):
        kill()
