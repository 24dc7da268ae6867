"""Subset selection: the report is a set of w values, likelier to hold the user's own.

One law carries SS and uSS (uBD's complete-block form, arXiv 2509.24173): with probability κ = (E−1)w/D, where
D = wE+σ−w, the truth (a sensitive value: a uniform w-subset of S that contains it; any other value: itself, alone);
otherwise a uniform w-subset of S. With everything marked this is SS (Ye, Barg 2018; Wang et al. 2016), with w = 1 it is
uRR.
"""

from abc import abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import comb, exp, expm1

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.channel import ReportColumn
from ldpcore.integer_law import IntegerLaw, Subsets
from ldpcore.mechanisms import bits, subset_moments, subset_picks, support
from ldpcore.mechanisms.disclosing import DisclosingRandomizer
from ldpcore.mechanisms.marking import Basic, Guessing
from ldpcore.mechanisms.subset_sizes import contrast_error, whole_error
from ldpcore.randomizer import BLOCK, Reports
from ldpcore.subsets import draw_shares, log_binomial, log_binomials, sweep
from ldpcore.support_family import SupportFamily
from ldpcore.tally import Tally


class Subset(DisclosingRandomizer):
    """The family. A member states S (`marked`, codes), from which the subsets are drawn, and the subset size `w`."""

    slow_draw = True

    @property
    @abstractmethod
    def w(self) -> int:
        """Values in a report."""

    @property
    def counted(self) -> Hashable:
        return self.w

    @cached_property
    def _total(self) -> float:
        """D = wE + σ − w."""
        return self.w * expm1(self.epsilon) + self.sigma

    @cached_property
    def _place(self) -> NDArray[np.intp]:
        """Of every value its place in S (k,), −1 for the others."""
        place = np.full(self.k, -1)
        place[self.marked] = np.arange(self.sigma)
        return place

    @cached_property
    def keep(self) -> float:
        """κ, also r: the probability that an unmarked value is disclosed."""
        return expm1(self.epsilon) * self.w / self._total if self.sigma else 1.0

    @cached_property
    def _hidden(self) -> float:
        """1 − κ."""
        return self.sigma / self._total if self.sigma else 0.0

    @property
    def _missed(self) -> float:
        """1 − a."""
        return (self.sigma - self.w) / self._total if self.sigma else 0.0

    @cached_property
    def _rates(self) -> tuple[float, float, float]:
        """Chance that v of S is in the report of a holder, of another holder of S, of a holder of N."""
        if not self.sigma:
            return 1.0, 0.0, 0.0
        # Written so that at large ε rounding leaves neither a above 1 nor b at a difference of equals.
        w, sigma, e = self.w, self.sigma, exp(self.epsilon)
        a = min(1.0, w * e / self._total)
        b_marked = w * ((w - 1) * e + sigma - w) / (self._total * (sigma - 1)) if sigma > 1 else 0.0
        return a, b_marked, self.w / self._total

    # the sampler -----------------------------------------------------------------------------------------------

    def perturb(self, values: ArrayLike, rng: np.random.Generator) -> Reports:
        values = checks.codes(values, self.k)
        out = np.zeros((len(values), bits.width(self.k)), np.uint8)
        for start in range(0, len(values), BLOCK // 4):
            block = slice(start, start + BLOCK // 4)
            self._perturb_block(values[block], out[block], rng)
        return out

    def _perturb_block(self, values: NDArray[np.integer], out: NDArray[np.uint8], rng: np.random.Generator) -> None:
        kept = rng.random(len(values)) < self.keep
        certain = np.where(kept, self._place[values], -1)
        disclosed = kept & ~self._in_marked[values]
        if not disclosed.any():
            subset_picks.add(out, self.marked, self.w, certain, rng)
            return
        hidden, rows = np.flatnonzero(~disclosed), np.flatnonzero(disclosed)
        if len(hidden):
            picked = np.zeros((len(hidden), out.shape[1]), np.uint8)
            subset_picks.add(picked, self.marked, self.w, certain[hidden], rng)
            out[hidden] = picked
        out[rows, values[rows] >> 3] = np.left_shift(1, values[rows] & 7).astype(np.uint8)

    def integer_law(self, e_epsilon: int) -> IntegerLaw:
        return Subsets.of(self.k, self.marked, self.w, e_epsilon)

    def draw(self, counts: ArrayLike, rng: np.random.Generator, repeats: int) -> NDArray[np.int64]:
        """The joint law (every report has w values) by a sweep over S with a histogram of picks left."""
        users = checks.counts(counts, self.k)
        n = int(users.sum())
        kept = rng.binomial(users, self.keep, (repeats, self.k))
        total = kept.copy()
        if self.sigma:
            free = n - kept.sum(axis=1)
            total[:, self.marked] += sweep(kept[:, self.marked], free, self.w, rng)
        return total

    # the estimate ----------------------------------------------------------------------------------------------

    def accepts(self, reports: Reports) -> NDArray[np.bool_]:
        on = bits.unpack(reports, self.k).astype(bool)
        hidden, disclosed = (on & self._in_marked).sum(axis=1), (on & ~self._in_marked).sum(axis=1)
        kept = (hidden == 0) & (disclosed == 1)
        return bits.clean(reports, self.k) & (kept | ((hidden == self.w) & (disclosed == 0) & (self.sigma > 0)))

    def tally(self, reports: Reports) -> Tally:
        return bits.tally(reports, self.k)

    def supported(self, reports: Reports) -> NDArray[np.float64]:
        return bits.unpack(np.asarray(reports, np.uint8), self.k).astype(float)

    def joint_support(self) -> NDArray[np.float64]:
        return subset_moments.both_in(self.k, self.marked, self.w, self.keep, self._rates)

    def families(self) -> tuple[SupportFamily, ...]:
        """A report has w marked values, or one other alone."""
        return self._families((self.marked, self.w, self.w))

    # the likelihood --------------------------------------------------------------------------------------------

    def log_likelihood(self, reports: Reports) -> NDArray[np.float64]:
        """A subset: E/D·σ/C(σ,w) if it holds v of S, else 1/D·σ/C(σ,w), also under every other value."""
        on = bits.unpack(reports, self.k).astype(bool)
        disclosed = (on & ~self._in_marked).any(axis=1, keepdims=True)
        log_disclosed = np.where(on, np.log(self.keep), -np.inf)
        if not self.sigma:
            return log_disclosed
        base = np.log(self.sigma / self._total) - log_binomial(self.sigma, self.w)
        log_subset = base + np.where(on & self._in_marked, self.epsilon, 0.0)
        return np.where(disclosed, log_disclosed, log_subset)

    def success(self, prior: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.where(prior > 0, np.where(self._in_marked, 0.0, self.keep) + self._hidden_success(prior), 0.0)

    def _hidden_success(self, prior: NDArray[np.float64]) -> NDArray[np.float64]:
        """Pr[a subset is sent and x is named | x]: members of a subset score πE, all others π.

        Exact by counting who may be in it, ties shared.
        """
        inside, out = self._in_marked, np.zeros(self.k)
        if self.sigma:
            a, top = self._rates[0], _tied(prior, prior.max())
            out[inside] += a * self._win_inside(prior) + (1 - a) * top[inside] * self._win_as_top(prior, self.sigma - 1)
            out[~inside] += self._hidden * top[~inside] * self._win_as_top(prior, self.sigma)
        return out

    def _win_inside(self, prior: NDArray[np.float64]) -> NDArray[np.float64]:
        """x in S is in the report: no likelier value may be in it, none outside it may beat πE."""
        marked_prior = prior[self._in_marked]
        lifted, ordered, everybody = marked_prior * exp(self.epsilon), np.sort(marked_prior), np.sort(prior)
        above = len(ordered) - np.searchsorted(ordered, marked_prior * (1 + support.TIE), side="right")
        ties = len(ordered) - np.searchsorted(ordered, marked_prior * (1 - support.TIE), side="left") - above - 1
        # With its own lift x loses to anybody whose prior alone is larger, in or out, and shares with an equal one.
        beaten = len(everybody) - np.searchsorted(everybody, lifted * (1 + support.TIE), side="right")
        equal = len(everybody) - np.searchsorted(everybody, lifted * (1 - support.TIE), side="left") - beaten
        return np.where(beaten > 0, 0.0, draw_shares(self.sigma - 1, self.w - 1, above, ties, equal))

    def _win_as_top(self, prior: NDArray[np.float64], pool: int) -> float:
        """x is not in the report, so it must be likeliest of all, and no member of the w out of `pool` may beat it."""
        best, lifted = prior.max(), prior[self._in_marked] * exp(self.epsilon)
        tied = _tied(lifted, best)
        level, low = int(tied.sum()), int(np.count_nonzero((lifted < best) & ~tied))
        hit = np.arange(max(0, self.w - low), min(level, self.w) + 1)
        if not len(hit) or self.w > pool:
            return 0.0
        log = log_binomials(level, hit) + log_binomials(low, self.w - hit) - log_binomials(pool, np.array([self.w]))
        return float(np.sum(np.exp(log) / (np.count_nonzero(_tied(prior, best)) + hit)))

    # the channel -----------------------------------------------------------------------------------------------

    def count_outputs(self) -> int:
        return (comb(self.sigma, self.w) if self.sigma else 0) + self.k - self.sigma

    def outputs(self, public: int | None = None) -> Reports:
        subsets = list(combinations(self.marked, self.w)) if self.sigma else []
        rows = [*subsets, *((v,) for v in np.flatnonzero(~self._in_marked))]
        on = np.zeros((len(rows), self.k), bool)
        for row, members in zip(on, rows, strict=True):
            row[list(members)] = True
        return bits.pack(on)

    def describe(self, outputs: Reports) -> list[ReportColumn]:
        columns = []
        for row in bits.unpack(outputs, self.k).astype(bool):
            members = np.flatnonzero(row)
            open_value = None if self._in_marked[members[0]] else int(members[0])
            columns.append(ReportColumn("{" + ", ".join(map(str, members)) + "}", open_value is None, open_value))
        return columns


def _tied(scores: NDArray[np.float64], level: float | NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.abs(scores - level) <= support.TIE * np.maximum(np.abs(level), 1e-300)


@dataclass(frozen=True, eq=False)
class SS(Basic, Subset):
    """Subset selection with w = max(1, round(k/(E+1))) (Ye, Barg 2018)."""

    @cached_property
    def w(self) -> int:
        return max(1, round(self.k / (exp(self.epsilon) + 1)))


@dataclass(frozen=True, eq=False)
class USS(Guessing, Subset):
    """Subset selection for ULDP, with the subset size that is best at a public guess of F, `share`
    (theory/frequency#best-subset-size), least exact error of all shares, or with this `size`, below σ.
    """

    size: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.size is not None:
            checks.integer(self.size, "size (marked values in a report)", 1, max(1, len(self.marked) - 1))

    @cached_property
    def w(self) -> int:
        if self.size is not None or self.sigma <= 2:
            return self.size or 1
        return int(np.argmin(whole_error(np.arange(1, self.sigma), self.sigma, self.epsilon, self.guessed_share))) + 1

    def made_for(self, contrast: ArrayLike) -> "USS":
        if self.sigma <= 2:
            return self
        law = self._in_marked, self.epsilon, self.guessed_share
        errors = contrast_error(np.arange(1, self.sigma), *law, np.asarray(contrast, float))
        return replace(self, size=int(np.argmin(errors)) + 1)
