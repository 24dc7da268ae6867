"""Local hashing for ULDP: marked values do as in OLH, any other is disclosed or sends a hash and a bucket at random
(He, Zhu, Liu, Pan, Dong 2025).

With g buckets, a = E/(E+g−1) and r = (E−1)/(E+g−1): a value that is not marked sends every bucket with 1/(E+g−1), the
least that OLH gives any, and itself with the rest. A report is a seed and a number, both uint64: below g a bucket, from
g on the value that is disclosed; where nothing is marked there are no buckets.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from math import expm1

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.channel import ReportColumn
from ldpcore.mechanisms import support
from ldpcore.mechanisms.disclosing import DisclosingRandomizer
from ldpcore.mechanisms.local_hashing import OLH, count_hits
from ldpcore.mechanisms.marking import MarkedRandomizer
from ldpcore.randomizer import Reports
from ldpcore.subsets import binomial_law
from ldpcore.support_family import SupportFamily
from ldpcore.tally import Tally

Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ULH(MarkedRandomizer, DisclosingRandomizer):
    """Utility-optimised local hashing, with the g of OLH. Counts are drawn by the law of an ideal hash."""

    hashed = True

    @cached_property
    def _hash(self) -> OLH:
        """What the marked values do."""
        return OLH(self.epsilon, self.k)

    @property
    def g(self) -> int:
        """Number of buckets."""
        return self._hash.g

    @property
    def counted(self) -> Hashable:
        return self.g

    @cached_property
    def _total(self) -> float:
        """E + g − 1."""
        return self.g + expm1(self.epsilon)

    @cached_property
    def keep(self) -> float:
        return expm1(self.epsilon) / self._total if self.sigma else 1.0

    @cached_property
    def _hidden(self) -> float:
        return self.g / self._total if self.sigma else 0.0

    @property
    def _missed(self) -> float:
        return (self.g - 1) / self._total if self.sigma else 0.0

    @cached_property
    def _rates(self) -> tuple[float, float, float]:
        if not self.sigma:
            return 1.0, 0.0, 0.0
        return (1 + expm1(self.epsilon)) / self._total, 1 / self.g, 1 / self._total

    @cached_property
    def _others(self) -> NDArray[np.intp]:
        """Codes of the values that are not marked; the number `_buckets` + i discloses the i-th."""
        return np.flatnonzero(~self._in_marked)

    @property
    def _buckets(self) -> int:
        return self.g if self.sigma else 0

    # the sampler -----------------------------------------------------------------------------------------------

    def perturb(self, values: ArrayLike, rng: np.random.Generator, public: int | None = None) -> Reports:
        """`public`: one hash for all users (to test against its channel) instead of one each."""
        values = checks.codes(values, self.k)
        out = self._hash.perturb(values, rng, public)
        other = np.flatnonzero(~self._in_marked[values])
        disclosed = rng.random(len(other)) < self.keep
        bucket = rng.integers(0, self.g, len(other), np.uint64)
        place = (self._buckets + np.searchsorted(self._others, values[other])).astype(np.uint64)
        out[other, 1] = np.where(disclosed, place, bucket)
        return out

    def accepts(self, reports: Reports) -> NDArray[np.bool_]:
        return np.asarray(reports)[:, 1] < self.count_outputs()

    def draw(self, counts: ArrayLike, rng: np.random.Generator, repeats: int) -> NDArray[np.int64]:
        """Hidden reports support each marked value of somebody else with 1/g, independently over values."""
        users = checks.counts(counts, self.k)
        shape = (repeats, self.k)
        total = np.where(self._in_marked, 0, rng.binomial(users, min(self.keep, 1.0), shape))
        if not self.sigma:
            return total
        hidden = users.sum() - total.sum(axis=1, keepdims=True)
        a, b_marked, _ = self._rates
        inside = users[self.marked]
        total[:, self.marked] = rng.binomial(inside, a, (repeats, self.sigma)) + rng.binomial(hidden - inside, b_marked)
        return total

    # the estimate ----------------------------------------------------------------------------------------------

    def tally(self, reports: Reports) -> Tally:
        rows = np.asarray(reports)
        hidden = rows[:, 1] < self._buckets
        total = np.zeros(self.k, np.int64)
        if self.sigma:
            total[self.marked] = count_hits(*self._hash._supports(rows[hidden]), self.marked, self.k)
        place = (rows[~hidden, 1] - np.uint64(self._buckets)).astype(np.intp)
        total[self._others] = np.bincount(place, minlength=len(self._others))
        return Tally(len(rows), total)

    def supported(self, reports: Reports) -> Vector:
        rows = np.asarray(reports)
        hidden = rows[:, 1] < self._buckets
        out = np.zeros((len(rows), self.k))
        out[hidden] = self._hash.supported(rows[hidden]) * self._in_marked
        shown = np.flatnonzero(~hidden)
        out[shown, self._others[(rows[shown, 1] - np.uint64(self._buckets)).astype(np.intp)]] = 1
        return out

    def families(self) -> tuple[SupportFamily, ...]:
        """Each marked value as if it chose its bucket, or one other value alone."""
        return self._families((self.marked, 0, self.sigma))

    def joint_support(self) -> Vector:
        """Hidden reports: independent events of the marked values, given the value; else the disclosed value alone."""
        a, b_marked, _ = self._rates
        chance = np.zeros((self.k, self.k))
        chance[:, self.marked] = b_marked
        chance[self.marked, self.marked] = a
        both = chance[:, :, None] * chance[:, None, :]
        both[:, np.arange(self.k), np.arange(self.k)] = chance
        both[self._others] *= self._hidden
        both[self._others, self._others, self._others] = self.keep
        return both

    def size_laws(self) -> Vector:
        a, b_marked, _ = self._rates
        sizes = np.arange(self.k + 1)
        rest = binomial_law(sizes, self.sigma - 1, b_marked) if self.sigma else np.zeros(self.k + 1)
        of_marked = a * np.concatenate([[0.0], rest[:-1]]) + (1 - a) * rest
        of_other = self._hidden * binomial_law(sizes, self.sigma, b_marked) + self.keep * (sizes == 1)
        return np.where(self._in_marked[:, None], of_marked, of_other)

    # the likelihood --------------------------------------------------------------------------------------------

    def log_likelihood(self, reports: Reports) -> Vector:
        """A bucket: E/(E+g−1) for the marked values that it holds, else 1/(E+g−1); r for a disclosed value."""
        rows = np.asarray(reports)
        hidden, on = rows[:, 1] < self._buckets, self.supported(rows) > 0
        bucket = np.where(on, self.epsilon, 0.0) - np.log(self._total)
        open_share = np.where(on, np.log(self.keep), -np.inf)
        return np.where(hidden[:, None], bucket if self.sigma else -np.inf, open_share)

    def success(self, prior: Vector) -> Vector:
        """A bucket: marked values that it holds score πE, all others π; a value that is not marked has no event."""
        a, b_marked, _ = self._rates
        inside = self._in_marked
        gain, nothing = np.where(inside, self.epsilon, 0.0), np.zeros(self.k)
        named = support.success(prior, np.where(inside, a, 0.0), np.where(inside, b_marked, 0.0), gain, nothing)
        return np.where(prior > 0, np.where(inside, named, self.keep + self._hidden * named), 0.0)

    # the channel -----------------------------------------------------------------------------------------------

    def count_outputs(self) -> int:
        return self._buckets + len(self._others)

    def outputs(self, public: int | None = None) -> Reports:
        numbers = np.arange(self.count_outputs(), dtype=np.uint64)
        return np.column_stack([np.full(len(numbers), public, np.uint64), numbers])

    def describe(self, outputs: Reports) -> list[ReportColumn]:
        columns = []
        for number in np.asarray(outputs)[:, 1].tolist():
            value = int(self._others[number - self._buckets]) if number >= self._buckets else None
            columns.append(ReportColumn(f"bucket {number}" if value is None else str(value), value is None, value))
        return columns
