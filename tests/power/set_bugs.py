"""Planted bugs in mechanisms for sets: wrong in one way each."""

from functools import cached_property

import numpy as np

from ldpcore.mechanisms.direct import URR
from ldpcore.mechanisms.hitting_law import HittingLaw
from ldpcore.mechanisms.multi_hot import SURAP
from ldpcore.mechanisms.per_item import SUGRR
from ldpcore.mechanisms.privset import PrivSet, UPrivSet
from ldpcore.mechanisms.sampled import SUGRRSample
from ldpcore.mechanisms.wheel import SUWheel
from ldpcore.mechanisms.wheel_joint import SUWheelJ
from ldpcore.tally import Tally


class DummiesNotSensitive(SUGRR):
    """Padding is disclosed like any unmarked item."""

    @cached_property
    def marked(self):
        return np.r_[self.sensitive, np.zeros(self.dummies, bool)]


class ReportAsASet(SUGRR):
    """y₀ as a set (theory/sets#multisets): the collector counts an output that comes twice once."""

    def tally(self, reports):
        first = np.c_[np.ones(len(reports), bool), reports[:, 1:] != reports[:, :-1]]
        return Tally(len(reports), np.bincount(reports[first], minlength=self.inner)[: self.k].astype(np.int64))


class WholeBudgetEach(SUGRR):
    """Every item gets ε, not ε/m."""

    @cached_property
    def single(self):
        return URR(self.epsilon, self.inner, self.marked)


class SampleForgotten(SUGRRSample):
    """The estimate is for the sampled item: the factor m is forgotten."""

    def invert(self, seen):
        return super().invert(seen) / self.m


class VarianceOfNobody(SURAP):
    """The noise of those who hold the item is forgotten."""

    def variance(self, freq, n, company=None):
        return super().variance(freq, n, company) * (1 - self.shares(freq) / 2)


class DisclosesTooOften(SUWheelJ):
    """ρ 5 % too large in the sampler only."""

    def _perturb_block(self, held, out, rng):
        honest = self.rho
        vars(self)["rho"] = 1.05 * honest
        super()._perturb_block(held, out, rng)
        vars(self)["rho"] = honest


class ForgetsWhatIsSpent(SUWheelJ):
    """The density off the arcs forgets what disclosing has used up."""

    def _densities(self, b, union):
        high, low = super()._densities(b, union)
        return high, low + self.rho * b


class ArcCountsUnmarked(SUWheel):
    """The estimate of marked items forgets that a random arc hits too."""

    def invert(self, seen):
        return np.where(self.marked[: self.k], seen / self.a, super().invert(seen))


class SubsetsOneTooLarge(PrivSet):
    """The sampler draws subsets of w + 1 items."""

    def _beside(self, held, picks, rng, taken):
        yield from super()._beside(held, picks, rng, taken)
        there = taken.copy()
        np.put_along_axis(there, held, True, axis=1)
        item = np.argmin(there, axis=1)
        taken[np.arange(len(held)), item] = True
        yield item


class AsIfAlone(HittingLaw):
    """ρ = (1 − 1/E)/m: what PrivSet's subsets leave is not known to it."""

    @cached_property
    def rho(self):
        return -np.expm1(-self.epsilon) / self.m


class DisclosesAsIfAlone(UPrivSet):
    """With these numbers."""

    def _law_of(self, w):
        return AsIfAlone(self.epsilon, self.sigma, self.m, w, self.discloses)


class OneHashForAll(SUWheelJ):
    """Every user's arcs lie at the same places: each report keeps its promise, but their errors add up."""

    def perturb(self, sets, rng, public=None):
        return super().perturb(sets, rng, public=7 if public is None else public)


class CompanyIgnored(UPrivSet):
    """The closed form takes the sets as uniform, whoever holds what together."""

    def variance(self, freq, n, company=None):
        return super().variance(freq, n)


class SimulatesAlone(PrivSet):
    """Each item's count drawn by itself: the right variances, no correlations."""

    def simulate(self, sets, rng, repeats):
        return rng.permuted(super().simulate(sets, rng, repeats), axis=0)


class AsWrittenDown(SUGRR):
    """Reports in the order in which the items were written down."""

    def perturb(self, sets, rng):
        return self.single.perturb(np.asarray(sets).ravel(), rng).reshape(np.shape(sets)).astype(np.int32)


class SetsOfTheFirst(SUGRR):
    """Every report is held against the sets of the first."""

    def own_log_likelihood(self, reports, sets):
        return super().own_log_likelihood(reports, np.broadcast_to(np.asarray(sets)[:1], np.shape(sets)))


class SaysOthersCountAlike(SUWheel):
    """What is not disclosed has an arc that y₀ lies on: which items these are matters."""

    others_alike = True


class ShortReport(UPrivSet):
    """The size of a disclosure is forgotten."""

    def report_bits(self, freq=None):
        return 0.9 * super().report_bits(freq)
