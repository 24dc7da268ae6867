"""The laws of numbers notice planted bugs: each is killed by the law that names its fault."""

from dataclasses import dataclass

import numpy as np
import pytest

from ldpcore.mechanisms.density import Score
from ldpcore.mechanisms.duchi import Duchi
from ldpcore.mechanisms.graded_piecewise import SDPM
from ldpcore.mechanisms.piecewise import PM
from ldpcore.mechanisms.ternary import UTernary
from ldpcore.policy import LDP
from tests.laws import mean_laws as laws

X = np.array([-1.0, -0.93, -0.5, -0.2, 0.0, 0.21, 0.5, 0.77, 1.0])
HALF = ((-0.5, 0.5),)


@dataclass(frozen=True, eq=False)
class WindowTooWide(PM):
    """The sampler's window is 5 % too wide."""

    def perturb(self, x, rng):
        y = super().perturb(x, rng)
        start = self.window(np.asarray(x, float))
        near = (y > start) & (y < start + self.width)
        return np.where(near, start + (y - start) * 1.05, y)


@dataclass(frozen=True, eq=False)
class KeepsTooOften(PM):
    """The sampler keeps the window 5 % too often (in odds)."""

    def perturb(self, x, rng):
        return (
            PM(self.epsilon + 2 * np.log(1.05)).perturb(x, rng) * self.reach / PM(self.epsilon + 2 * np.log(1.05)).reach
        )


@dataclass(frozen=True, eq=False)
class PaperVariance(PM):
    """The variance with the paper's misprint E for e^{ε/2}."""

    def report_moments(self, x):
        mean, spread = super().report_moments(x)
        return mean, spread * 1.05


class ForgetsTheMean(SDPM):
    """Theorem 4: the second moment stands for the variance."""

    def report_moments(self, x):
        mean, spread = super().report_moments(x)
        return mean, np.where(self.is_low(x), spread + mean**2, spread)


class AwayInTheHole(SDPM):
    """Low reports that are not the value fall on all of [−C, C]."""

    def perturb(self, x, rng):
        out, low = super().perturb(x, rng), self.is_low(x)
        away = low & (out != x)
        out[away] = rng.uniform(-self.reach, self.reach, np.count_nonzero(away))
        return out


@dataclass(frozen=True, eq=False)
class LeaksMore(PM):
    """The window is denser than the promise allows: it is PM at an ε 5 % larger."""

    def policy(self, points):
        return LDP(self.epsilon / 1.05)


@dataclass(frozen=True, eq=False)
class TooLarge(Duchi):
    """B with ε/2: reports are too large, so the mean is not the input."""

    def perturb(self, x, rng):
        return super().perturb(x, rng) * 1.05


class SameScore(SDPM):
    """The report itself as the score."""

    @property
    def scorer(self):
        return Score(np.array(self.span), np.array([self.span[0]]), np.ones(1))


class SendsTooOften(UTernary):
    """Values outside the marks are sent themselves 5 % too often."""

    def perturb(self, x, rng):
        out = super().perturb(x, rng)
        swap = ~self.is_sensitive(x) & (rng.random(len(x)) < 0.05)
        return np.where(swap, self.places(x), out)


@pytest.mark.parametrize(
    ("bug", "law"),
    [
        (WindowTooWide(0.6, 8), lambda m: laws.sampler_follows_mass(m, X, 20_000)),
        (KeepsTooOften(3.0, 8), lambda m: laws.sampler_follows_mass(m, X, 20_000)),
        (PaperVariance(1.0, 16), lambda m: laws.moments_are_the_integrals(m, X)),
        (PaperVariance(1.0, 16), lambda m: laws.reports_have_moments(m, X, 20_000)),
        (ForgetsTheMean(1.0, HALF, 16), lambda m: laws.moments_are_the_integrals(m, X)),
        (AwayInTheHole(0.6, HALF, 32), lambda m: laws.sampler_follows_mass(m, X, 20_000)),
        (LeaksMore(1.0, 16), lambda m: laws.promise_is_kept(m)),
        (TooLarge(3.0, 8), lambda m: laws.reports_have_moments(m, X, 20_000)),
        (SendsTooOften(1.0, ((-1, 0.5),), 16), lambda m: laws.reports_have_moments(m, X, 20_000)),
        (SendsTooOften(1.0, ((-1, 0.5),), 16), lambda m: laws.sampler_follows_mass(m, X, 20_000)),
    ],
    ids=lambda part: type(part).__name__ if not callable(part) else "",
)
def test_the_bug_is_noticed(bug, law):
    with pytest.raises(AssertionError):
        law(bug)


def test_a_wrong_score_is_noticed():
    mean = SameScore(1.0, HALF).score_moments(X)[0]
    assert np.abs(mean - X).max() > 0.1
