"""The family of direct mechanisms: the report is itself one of the k values.

All are *keep, else uniform*: value x is sent as it is with probability κ_x, else replaced by a uniform draw from a
pool T_x (theory/frequency#keep-else-uniform). Values with the same κ and pool form a group; there are one or two.
"""

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.mechanisms import support
from ldpcore.randomizer import Randomizer, Reports
from ldpcore.rng import random_words
from ldpcore.tally import Tally

WORDS = 1 << 18
"""Bytes of random words at a time: three arrays of that size stay in the cache."""


@dataclass(frozen=True, eq=False)
class ValueGroup:
    """The values that share a rule: kept with probability `keep`, else a uniform draw from `pool` (codes)."""

    values: NDArray[np.intp]
    keep: float
    pool: NDArray[np.intp]
    stray: float
    """Probability of each single replacement, (1 − keep)/|pool|: stated, as that difference loses digits at large ε."""


class _Slots(NamedTuple):
    """How the words of `each.itemsize` bytes are shared out, by group (groups,).

    Each replacement has a slot of `each` words, one after the other from 0. The words after `last` are left over: with
    a uniform number u, floor(u·`wide`) names their replacement, or none where it is |T| or more.
    """

    each: NDArray[np.unsignedinteger]
    last: NDArray[np.unsignedinteger]
    wide: NDArray[np.float64]

    @property
    def signed(self) -> np.dtype:
        return np.dtype(f"i{self.each.itemsize}")

    @classmethod
    def of(cls, k: int, groups: list[tuple[int, float]]) -> "_Slots":
        """Of groups (|T|, chance of each replacement): words so long that a slot has 16 at least, and k fits."""
        least = max([k, *(1 / stray for size, stray in groups if size)])
        bits = next(bits for bits in (16, 32, 64) if 16 * least <= 1 << bits)
        each, last, wide = [], [], []
        for size, stray in groups:
            share = stray * 2.0**bits
            slot = int(share) if size else 1 << bits - 4
            over = min(size, (1 << bits) - size * slot)
            each.append(slot)
            last.append((1 << bits) - over - 1)
            wide.append(over / max(share - slot, 1e-300))
        kind = np.dtype(f"u{bits // 8}")
        return cls(np.array(each, kind), np.array(last, kind), np.array(wide))


class Direct(Randomizer):
    """The family. A member states its groups, its estimate and its variance."""

    tally_is_histogram = True

    @property
    @abstractmethod
    def groups(self) -> tuple[ValueGroup, ...]:
        """The rules, one for each part of the domain; together they cover it."""

    @cached_property
    def _keep(self) -> NDArray[np.float64]:
        keep = np.empty(self.k)
        for group in self.groups:
            keep[group.values] = group.keep
        return keep

    @cached_property
    def matrix(self) -> NDArray[np.float64]:
        """Pr[report y | value x]: (k, k)."""
        out = np.zeros((self.k, self.k))
        for group in self.groups:
            out[np.ix_(group.values, group.pool)] = group.stray
        out[np.diag_indices(self.k)] += self._keep
        return out

    def perturb(self, values: ArrayLike, rng: np.random.Generator) -> Reports:
        values = checks.codes(values, self.k)
        reports, step = np.empty_like(values), WORDS // self._slots.each.itemsize
        for start in range(0, len(values), step):
            block = slice(start, start + step)
            reports[block] = self._perturb_block(values[block], rng)
        return reports

    def _perturb_block(self, values: NDArray[np.integer], rng: np.random.Generator) -> NDArray[np.integer]:
        """One random word decides both: which slot it is in names the replacement; beyond the slots the value is kept.

        The few words at the top are decided by a second number, so that chances are exact up to doubles.
        """
        row = self._group_of[values] if len(self.groups) > 1 else 0
        size, slots, drawn = self._sizes[row], self._slots, random_words(len(values), self._slots.each.dtype, rng)
        left = np.flatnonzero(drawn > slots.last[row])
        drawn //= slots.each[row]
        if len(left):
            at = row if isinstance(row, int) else row[left]
            drawn[left] = np.minimum(rng.random(len(left)) * slots.wide[at], self._sizes[at])
        drawn = drawn.view(slots.signed)
        kept = drawn >= (int(size) if isinstance(row, int) else size)
        if self._pools is not None:
            place = np.minimum(drawn, size) + row * self._pools.shape[1]
            drawn = np.take(self._pools, place, mode="clip").astype(slots.signed)
        # `where` on masks that no branch predictor knows is several times slower than these.
        reports = values.astype(slots.signed)
        reports ^= drawn
        reports *= kept
        reports ^= drawn
        return reports

    @cached_property
    def _sizes(self) -> NDArray[np.int64]:
        """|T| (groups,); 0 where no value is ever replaced."""
        return np.array([len(group.pool) if group.stray > 0 else 0 for group in self.groups])

    @cached_property
    def _slots(self) -> "_Slots":
        return _Slots.of(
            self.k, [(size, group.stray) for size, group in zip(self._sizes.tolist(), self.groups, strict=True)]
        )

    @cached_property
    def _group_of(self) -> NDArray[np.intp]:
        out = np.empty(self.k, np.intp)
        for number, group in enumerate(self.groups):
            out[group.values] = number
        return out

    @cached_property
    def _pools(self) -> NDArray[np.int32] | None:
        """Pools as rows of equal length, with a place behind each for kept values to look up; None: everything."""
        if len(self.groups) == 1 and len(self.groups[0].pool) == self.k:
            return None
        out = np.zeros((len(self.groups), max(self._sizes) + 1), np.int32)
        for line, size, group in zip(out, self._sizes, self.groups, strict=True):
            line[:size] = group.pool[:size]
        return out

    def accepts(self, reports: Reports) -> NDArray[np.bool_]:
        sent = np.zeros(self.k, bool)
        for group in self.groups:
            sent[group.values] |= group.keep > 0
            sent[group.pool] |= group.stray > 0
        codes = np.asarray(reports)
        return (codes >= 0) & (codes < self.k) & sent[np.clip(codes, 0, self.k - 1)]

    def tally(self, reports: Reports) -> Tally:
        return support.symbols(reports, self.k)

    def supported(self, reports: Reports) -> NDArray[np.float64]:
        return support.one_hot(reports, self.k)

    def draw(self, counts: ArrayLike, rng: np.random.Generator, repeats: int) -> NDArray[np.int64]:
        """Kept values are binomial; what is replaced is uniform on its pool, whatever it was."""
        users = checks.counts(counts, self.k)
        total = rng.binomial(users, np.minimum(self._keep, 1), (repeats, self.k))
        lost = users - total
        for group in self.groups:
            pool = np.full(len(group.pool), 1 / len(group.pool))
            total[:, group.pool] += rng.multinomial(lost[:, group.values].sum(axis=1), pool)
        return total

    def support(self, freq: ArrayLike) -> NDArray[np.float64]:
        f = checks.shares(freq, self.k)
        out = f * self._keep
        for group in self.groups:
            out[group.pool] += f[group.values].sum() * group.stray
        return out

    def expectation(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Σ_y Pr[y | x] weights[y] for every x: (k,), in O(k); with `support` the two products EM needs."""
        out = self._keep * weights
        for group in self.groups:
            out[group.values] += weights[group.pool].sum() * group.stray
        return out

    @cached_property
    def _log_matrix(self) -> NDArray[np.float64]:
        with np.errstate(divide="ignore"):
            return np.log(self.matrix)

    def log_likelihood(self, reports: Reports) -> NDArray[np.float64]:
        return self._log_matrix.T[reports]

    def privacy_loss(self) -> NDArray[np.float64]:
        """The report x, the report z, and any third report: the largest of the three ratios."""
        log = self._log_matrix
        with np.errstate(divide="ignore", invalid="ignore"):
            diagonal = np.diag(log)
            loss = np.maximum(diagonal[:, None] - log.T, _difference(log, diagonal[None, :]))
            for outputs, stray in self._output_classes():
                inside = np.isin(np.arange(self.k), outputs)
                third = len(outputs) - inside[:, None].astype(int) - inside[None, :] > 0
                log_stray = np.log(stray)
                loss = np.where(third, np.maximum(loss, _difference(log_stray[:, None], log_stray[None, :])), loss)
        np.fill_diagonal(loss, 0)
        return np.maximum(loss, 0)

    def _output_classes(self) -> list[tuple[NDArray[np.intp], NDArray[np.float64]]]:
        """Reports that the same groups can send: (their codes, the chance (k,) that x sends one given of them)."""
        sent = np.column_stack([np.isin(np.arange(self.k), group.pool) for group in self.groups])
        classes = []
        for pattern in np.unique(sent, axis=0):
            stray = np.zeros(self.k)
            for group, reaches in zip(self.groups, pattern, strict=True):
                stray[group.values] = group.stray if reaches else 0.0
            classes.append((np.flatnonzero((sent == pattern).all(axis=1)), stray))
        return classes

    def disclosure(self) -> NDArray[np.float64]:
        """A report proves its value where no other value may stray."""
        others = np.zeros(self.k)
        for group in self.groups:
            if group.stray > 0:
                others[group.pool] += len(group.values)
                others[np.intersect1d(group.pool, group.values)] -= 1
        return np.where(others == 0, np.diag(self.matrix), 0.0)

    def success(self, prior: NDArray[np.float64]) -> NDArray[np.float64]:
        """O(k): on report y only y itself and the best of the values that may stray there can win."""
        won = np.zeros(self.k)
        for outputs, stray in self._output_classes():
            score = prior * stray
            own_score = prior[outputs] * (self._keep + stray)[outputs]
            best = score.max()
            top = score >= best * (1 - support.TIE)
            alone = top[outputs] & (top.sum() == 1)
            second = np.delete(score, np.argmax(score)).max() if self.k > 1 else 0.0
            rival = np.where(alone, second, best)
            others = np.where(rival >= own_score * (1 - support.TIE), top.sum() - top[outputs], 0)
            wins = own_score >= rival * (1 - support.TIE)
            winners = np.maximum(others + wins, 1)
            won[outputs] += wins / winners * (self._keep + stray)[outputs]
            share = np.zeros(self.k)
            share[outputs] = np.where(others > 0, 1 / winners, 0)
            won += np.where(top, stray * (share.sum() - share), 0)
        return np.where(prior > 0, won, 0)

    def count_outputs(self) -> int:
        return self.k

    def outputs(self, public: int | None = None) -> Reports:
        return np.arange(self.k)

    def column(self, reports: Reports, public: int | None = None) -> NDArray[np.intp]:
        return support.sent_codes(self.accepts(reports), reports)


def _difference(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """ln p − ln q where a report impossible under the first (p = 0) constrains nothing."""
    return np.where(np.isneginf(one), -np.inf, one - other)
