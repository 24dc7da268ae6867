"""One of the m items, sampled uniformly, through any mechanism of one value with the whole ε."""

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from math import log

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logsumexp

from ldpcore import checks
from ldpcore.mechanisms.direct import GRR, URR
from ldpcore.mechanisms.marking import BasicSets, JointSets
from ldpcore.mechanisms.set_support import CELLS, BitSets, PairedSets, PassedSets
from ldpcore.mechanisms.support import Paired
from ldpcore.mechanisms.unary import RAPPOR, URAP, Unary
from ldpcore.randomizer import Reports
from ldpcore.set_randomizer import Sets, Vector
from ldpcore.support_family import SupportFamily, chosen


class OneSampled(PassedSets):
    """One of the m items, sampled uniformly, is sent alone."""

    def _sample(self, held: Sets, rng: np.random.Generator) -> Sets:
        return self._values(held[np.arange(len(held)), rng.integers(0, self.m, len(held))])

    def _values(self, codes: Sets) -> Sets:
        """What `single` calls these codes."""
        return codes

    def perturb(self, sets: ArrayLike, rng: np.random.Generator) -> Reports:
        return self.single.perturb(self._sample(checks.item_sets(sets, self.inner, self.m), rng), rng)

    def accepts(self, reports: Reports) -> NDArray[np.bool_]:
        """What the sampled item can send, whichever it is."""
        return self.single.accepts(reports)

    def simulate(self, sets: ArrayLike, rng: np.random.Generator, repeats: int) -> Vector:
        """The sampled items are drawn for every user, O(n); what follows needs their counts only."""
        item_sets = checks.item_sets(sets, self.inner, self.m)
        out = np.empty((repeats, self.k))
        for row in out:
            counts = np.bincount(self._sample(item_sets, rng), minlength=self.single.k)
            row[:] = self.single.draw(counts, rng, 1)[0, : self.k] / len(item_sets)
        return self.invert(out)

    def log_likelihood(self, reports: Reports, sets: ArrayLike) -> Vector:
        """The mean over the set's items."""
        item_sets = checks.item_sets(sets, self.inner, self.m)
        out, values = np.empty((len(reports), len(item_sets))), self._values(item_sets)
        step = max(1, CELLS // max(1, item_sets.size, self.inner))
        for start in range(0, len(reports), step):
            each = self.single.log_likelihood(reports[start : start + step])
            out[start : start + step] = logsumexp(each[:, values], axis=2) - log(self.m)
        return out

    def count_outputs(self) -> int:
        return self.single.count_outputs()

    def outputs(self, public: int | None = None) -> Reports:
        return self.single.outputs()


class Sampled(OneSampled, PairedSets):
    """The family. A member states the mechanism of the sampled item, whose events have probabilities a and b."""

    others_alike = True

    @property
    @abstractmethod
    def single(self) -> Paired:
        """What happens to the sampled item, at ε."""

    @property
    @abstractmethod
    def _single_pair(self) -> tuple[Vector, Vector]:
        """a and b of the single mechanism: (k + dummies,)."""

    @cached_property
    def _pair(self) -> tuple[Vector, Vector]:
        """Support form for sets: a' = a/m + (1−1/m)b, b' = b."""
        a, b = (part[: self.k] for part in self._single_pair)
        return a / self.m + (1 - 1 / self.m) * b, b

    @property
    def _missed(self) -> Vector:
        single = self.single._missed[: self.k]
        return single / self.m + (1 - 1 / self.m) * (1 - self._pair[1])


class SampledSymbol(Sampled):
    """The report is one code."""

    @property
    @abstractmethod
    def single(self) -> GRR | URR: ...

    def perturb(self, sets: ArrayLike, rng: np.random.Generator) -> Reports:
        return super().perturb(sets, rng).astype(np.intp)

    def families(self) -> tuple[SupportFamily, ...]:
        return (self._family(chosen(np.arange(self.inner), self.k, 1, 1)),)

    @cached_property
    def _single_pair(self) -> tuple[Vector, Vector]:
        group = self.single.groups[0]
        b = np.where(self.marked, group.stray, 0.0)
        return group.keep + b, b

    def _symbols(self, outputs: Reports) -> list[list[int]]:
        return [[y] for y in outputs.tolist()]

    def report_bits(self, freq: ArrayLike | None = None) -> float:
        """One code."""
        return float(self.code_bits)


class SampledBits(Sampled, BitSets):
    """The report is a bit for every code."""

    _most_shown = 1  # type: ignore[assignment]

    @property
    @abstractmethod
    def single(self) -> Unary: ...

    @cached_property
    def _single_pair(self) -> tuple[Vector, Vector]:
        return self.single._pair


@dataclass(frozen=True, eq=False)
class SUGRRSample(JointSets, SampledSymbol):
    """suGRR-Sample (SULDP §4): one sampled item through uRR with ε."""

    @cached_property
    def single(self) -> URR:
        return URR(self.epsilon, self.inner, self.marked)


@dataclass(frozen=True, eq=False)
class GRRSample(BasicSets, SampledSymbol):
    """One sampled item through GRR with ε (Kairouz, Bonawitz, Ramage 2016)."""

    @cached_property
    def single(self) -> GRR:
        return GRR(self.epsilon, self.inner)


@dataclass(frozen=True, eq=False)
class SURAPSample(JointSets, SampledBits):
    """suRAP-Sample (SULDP §4): one sampled item, one-hot, through uRAP with ε."""

    @cached_property
    def single(self) -> URAP:
        return URAP(self.epsilon, self.inner, self.marked)


@dataclass(frozen=True, eq=False)
class RAPPORSample(BasicSets, SampledBits):
    """One sampled item through basic one-time RAPPOR with ε (Erlingsson, Pihur, Korolova 2014)."""

    @cached_property
    def single(self) -> RAPPOR:
        return RAPPOR(self.epsilon, self.inner)
