"""Planted bugs: mechanisms and attacks that are wrong in one way, as a person in a hurry might write them."""

from dataclasses import dataclass
from functools import cached_property
from math import exp

import numpy as np

from ldpcore.mechanisms import bits, local_hashing, support
from ldpcore.mechanisms.direct import GRR, SDGRR, URR
from ldpcore.mechanisms.guarded import SDSS
from ldpcore.mechanisms.local_hashing import OLH
from ldpcore.mechanisms.subset import SS
from ldpcore.mechanisms.unary import OUE, RAPPOR, URAP
from ldpcore.tally import Tally

# --- the sampler ---


class LastValueNeverDrawn(GRR):
    """Off by one: replacements are drawn below k − 1."""

    def _perturb_block(self, values, rng):
        kept = rng.random(len(values)) < self._keep[values]
        return np.where(kept, values, rng.integers(0, self.k - 1, len(values)))


class OwnBitOneTooFar(OUE):
    """Off by one: the holder's own bit is written beside its place."""

    def _perturb_block(self, values, out, rng):
        super()._perturb_block((values + 1) % self.k, out, rng)


class GlobalRng(GRR):
    """Draws from NumPy's global state."""

    def _perturb_block(self, values, rng):
        kept = np.random.random(len(values)) < self._keep[values]  # noqa: NPY002
        return np.where(kept, values, np.random.randint(0, self.k, len(values)))  # noqa: NPY002


class SendsTruthTooOften(GRR):
    """A probability off by 5 %: the sampler's, the likelihood is right."""

    def _perturb_block(self, values, rng):
        own = 1.05 * self.matrix[0, 0]
        other = (values + rng.integers(1, self.k, len(values))) % self.k
        return np.where(rng.random(len(values)) < own, values, other).astype(values.dtype)


class CorrelatedBits(RAPPOR):
    """Every bit is right by itself, but two bits that are nobody's own share their noise."""

    def _perturb_block(self, values, out, rng):
        super()._perturb_block(values, out, rng)
        rows = np.flatnonzero((values != 0) & (values != 1))
        shared = out[rows, 0] & 1
        out[rows, 0] = (out[rows, 0] & ~np.uint8(2)) | (shared << 1)


@dataclass(frozen=True, eq=False)
class _Sized(SS):
    size: int = 1

    @cached_property
    def w(self):
        return self.size


class WrongSubsetDrawn(SS):
    """The sampler picks one value too many."""

    def perturb(self, values, rng):
        return _Sized(self.epsilon, self.k, self.w + 1).perturb(values, rng)


class BucketNeverReached(OLH):
    """g off by one in the hash that users apply."""

    def _bucket(self, seeds, values):
        a, b = local_hashing.coefficients(seeds)
        hashed = a * local_hashing.multipliers(self.k)[values] + b
        return (hashed >> np.uint64(32)) * np.uint64(self.g - 1) >> np.uint64(32)


# --- the parameters, consistently wrong everywhere ---


class HalfTheBudget(OUE):
    """q uses ε/2: still private, still unbiased."""

    @cached_property
    def _pair(self):
        return np.full(self.k, 0.5), np.full(self.k, 1 / (exp(self.epsilon / 2) + 1))


class OneBucketTooMany(OLH):
    """g off by one everywhere: still private, still unbiased."""

    @cached_property
    def g(self):
        return round(exp(self.epsilon)) + 2


class WrongSubsetSize(SS):
    """w off by one everywhere: still private, still unbiased."""

    @cached_property
    def w(self):
        return max(1, round(self.k / (exp(self.epsilon) + 1))) + 1


class LeakyKeep(GRR):
    """A probability off by 5 %: values are kept too often, by sampler and likelihood alike."""

    @cached_property
    def groups(self):
        (group,) = super().groups
        keep = 1.05 * group.keep
        return (type(group)(group.values, keep, group.pool, (1 - keep) / len(group.pool)),)


# --- the likelihood ---


class UnnormalisedLikelihood(RAPPOR):
    """A probability off by 5 %: the likelihood's own-bit term."""

    def log_likelihood(self, reports):
        on = bits.unpack(reports, self.k).astype(bool)
        return super().log_likelihood(reports) + np.where(on, np.log(1.05), 0.0)


class LossForgetsDisclosure(URR):
    """States ε for every pair, also where a report proves its value."""

    def privacy_loss(self):
        return np.minimum(super().privacy_loss(), self.epsilon)


class NothingIsProved(URAP):
    """Reads off no report that it proves its value."""

    def disclosure(self):
        return np.zeros(self.k)


# --- the estimate and its closed forms ---


class ForgottenB(GRR):
    """f̂ = (c/n)/(a − b)."""

    def invert(self, seen):
        a, b = self._pair
        return seen / (a - b)


class ForgottenMass(SDGRR):
    """An unmarked value's estimate forgets −c₂·Σ_{u∈S} f̂_u."""

    def invert(self, seen):
        c3 = (self._scale - len(self.marked)) / self._scale
        return np.where(self.sensitive, super().invert(seen), seen / c3)


class PaperVariance(SDGRR):
    """The paper's (12), which takes the estimated mass of S as known."""

    def variance(self, freq, n):
        return self.paper_variance(freq, n)


class DoubledVariance(RAPPOR):
    def variance(self, freq, n):
        return 2 * super().variance(freq, n)


class NarrowTally(GRR):
    """Counts in bytes, so tallies of many reports are not the sum of their parts."""

    def tally(self, reports):
        whole = super().tally(reports)
        return Tally(whole.n, whole.total.astype(np.uint8).astype(np.int64))


class IndependentSubsets(SS):
    """`draw` treats the values of a report as independent: right margins, wrong law."""

    def draw(self, counts, rng, repeats):
        a, b, _ = self._rates
        return support.draw(counts, rng, repeats, np.full(self.k, a), np.full(self.k, b))


class DrawsPerUser(GRR):
    """`draw` makes an array with an entry for every hundred users."""

    def draw(self, counts, rng, repeats):
        np.zeros(int(np.sum(counts)) // 100)
        return super().draw(counts, rng, repeats)


# --- the rest ---


class TiesAllWin(RAPPOR):
    """`success` lets every tied value win."""

    def success(self, prior):
        matrix = np.exp(self.log_likelihood(self.outputs())).T
        score = prior[:, None] * matrix
        return np.where(prior > 0, (matrix * (score >= score.max(axis=0) * (1 - 1e-9))).sum(axis=1), 0)


class Assignable(GRR):
    """Fields can be set."""

    __setattr__ = object.__setattr__


class ReorderedReports(OUE):
    """Reports lose the users' order."""

    def perturb(self, values, rng):
        return super().perturb(np.sort(values), rng)


class ExpectationOfTranspose(URR):
    """EM's second product is the first one again."""

    def expectation(self, weights):
        return weights @ self.matrix


class SupportWithoutStrays(RAPPOR):
    """The expected tally counts holders only."""

    def support(self, freq):
        return np.asarray(freq) * self._pair[0]


class LabelsOnlyAlone(SDSS):
    """A label beside a subset is left out of what a report names, as the page once did."""

    def names(self, outputs):
        on = super().names(outputs)
        return on & (self.sensitive | ~(on & self.sensitive).any(axis=1, keepdims=True))

    def naming(self, freq):
        return np.where(self._in_marked, self.support(freq), self.keep * np.asarray(freq))


class DecoysUnnamed(SDSS):
    """Only those who hold an unmarked value are said to name it."""

    def naming(self, freq):
        f = np.asarray(freq)
        return np.where(self._in_marked, self.support(f), f)


class StepOfAPoint(GRR):
    """As if scores were counted in points, and one of these were all that a report can move."""

    def step(self):
        return super().step() / 1024


class CountsImpossibleReports(URAP):
    """Counts 2^k reports, though no report can name two unmarked values."""

    def count_outputs(self):
        return 1 << self.k


# --- not in a mechanism ---


def first_of_the_tied(mechanism, reports, prior, rng):
    """`bayes.guess` without lots: the lowest code wins every tie."""
    with np.errstate(divide="ignore"):
        start = 0.0 if prior is None else np.log(prior)
    score = start + mechanism.log_likelihood(reports)
    return np.argmax(score >= score.max(axis=1, keepdims=True) - 1e-9, axis=1)


def one_multiplier_for_all(seeds):
    """`local_hashing.coefficients` whose hashes differ by a shift alone: right margins, values move together."""
    _, b = COEFFICIENTS(seeds)
    return np.ones_like(seeds), b


def narrow_codes(values, k):
    """`checks.codes` that keeps the caller's type, though mechanisms compute with codes up to k in it."""
    array = np.asarray(values)
    return array if array.size else array.astype(np.intp)


COEFFICIENTS = local_hashing.coefficients
