"""The limit's channel as a mechanism: a mixture of orbits, sampled and estimated through the usual contract.

The best estimate is the mean of J⁻¹ q/(qᵀf) over the reports, q a report's column, f the public guess: so k totals of
real weights suffice, for any channel at all (sides.py: what a report holds and weighs). `invert` is exact for the
points as rounded: rounding costs about 10⁻¹² of the error, and never a bias.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb, expm1, log

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.channel import ReportColumn
from ldpcore.policy import LDP, ULDP, GuardedSDLDP, Policy
from ldpcore.randomizer import Reports
from ldpcore.subsets import log_binomial

from . import exposure
from .numbered import Mask, Numbered
from .sides import Array, KindReports, Orbit, sides


@dataclass(frozen=True, eq=False)
class OrbitMixture(Numbered):
    """A mixture of orbits under `promise` ("LDP", "ULDP", "guarded SDLDP"); `share` is the guess F it is best at."""

    epsilon: float
    k: int
    sensitive: Mask
    promise: str
    share: float
    columns: tuple[Orbit, ...]
    disclosing: float
    uses_marks = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "sensitive", checks.mask(self.sensitive, self.k))

    @property
    def policy(self) -> Policy:
        if self.promise == "LDP":
            return LDP(self.epsilon)
        return (ULDP if self.promise == "ULDP" else GuardedSDLDP)(self.epsilon, self.sensitive)

    @cached_property
    def _sizes(self) -> tuple[int, int]:
        """σ and τ."""
        return int(self.sensitive.sum()), int((~self.sensitive).sum())

    @cached_property
    def _groups(self) -> tuple[KindReports, KindReports]:
        """S and N."""
        return sides(self.columns, self.disclosing, self.sensitive, expm1(self.epsilon), self.share)

    # the estimate ----------------------------------------------------------------------------------------------

    @property
    def _points(self) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """(held, not held) by orbit, for S and for N."""
        return [(side.inside, side.outside) for side in self._groups]

    def _means(self, levels: Sequence) -> Iterator[tuple[float, float, float]]:
        """E[level of v | the user holds v, another of its side, one of the other side], for v in S and in N."""
        for number, (side, (inside, outside)) in enumerate(zip(self._groups, levels, strict=True)):
            rest = self._groups[1 - number]
            mine, theirs = float(outside @ side.met), float(outside @ rest.met)
            rise = inside - outside
            yield mine + float(rise @ side.same), mine + float(rise @ side.mate), theirs + float(rise @ side.stranger)

    @cached_property
    def _inverse(self) -> tuple[Array, Array]:
        """(own (2,), sums (2, 2)): f̂ on side g is (seen − sums[g] @ (Σ_S seen, Σ_N seen))/own[g]."""
        (a, b, c), (a2, b2, c2) = self._means(self._points)
        sigma, tau = self._sizes
        scale = np.array([a - b if sigma else 1.0, a2 - b2 if tau else 1.0])
        # Σ seen over a side = mixing @ the shares of the two sides.
        mixing = np.array([[scale[0] + sigma * b, sigma * c], [tau * c2, scale[1] + tau * b2]])
        if not sigma or not tau:
            mixing[0, 1] = mixing[1, 0] = 0.0
            mixing = mixing + np.diag([0.0 if sigma else 1.0, 0.0 if tau else 1.0])
        blind = (sigma > 1 and scale[0] <= 1e-9 * a) or (tau > 1 and scale[1] <= 1e-9 * a2)
        if blind or abs(np.linalg.det(mixing / np.abs(mixing).max(axis=1, keepdims=True))) < 1e-13:
            raise ValueError(
                "the best channel for this question does not tell all values apart, so it has no unbiased estimate; "
                "ask for the error over all values, or allow a larger exposure"
            )
        return scale, np.array([[b, c if tau else 0.0], [c2 if sigma else 0.0, b2]]) @ np.linalg.inv(mixing)

    def variance(self, freq: ArrayLike, n: int) -> NDArray[np.float64]:
        """A report's score has two levels per orbit and side, as its sums over the sides are the orbit's."""
        f, out = checks.shares(freq, self.k), np.empty(self.k)
        squares = [(inside**2, outside**2) for inside, outside in self.orbit_scores]
        for side, (same, mate, stranger) in zip(self._groups, self._means(squares), strict=True):
            mine = f[side.codes]
            mass = mine.sum()
            out[side.codes] = mine * same + (mass - mine) * mate + (1 - mass) * stranger - mine
        return out / n

    def support(self, freq: ArrayLike) -> NDArray[np.float64]:
        f, out = checks.shares(freq, self.k), np.empty(self.k)
        for side, (same, mate, stranger) in zip(self._groups, self._means(self._points), strict=True):
            mine = f[side.codes]
            out[side.codes] = mine * same + (mine.sum() - mine) * mate + (1 - mine.sum()) * stranger
        return out

    def naming(self, freq: ArrayLike) -> NDArray[np.float64]:
        f, out = checks.shares(freq, self.k), np.empty(self.k)
        for side in self._groups:
            same, mate, stranger = (float(part.sum()) for part in (side.same, side.mate, side.stranger))
            mine = f[side.codes]
            out[side.codes] = mine * same + (mine.sum() - mine) * mate + (1 - mine.sum()) * stranger
        return out

    # the likelihood --------------------------------------------------------------------------------------------

    def log_likelihood(self, reports: Reports) -> NDArray[np.float64]:
        """W/(C(σ,i)C(τ,j)), times E for a held value; decoys: 1/τ of it on S; every value but the label's excluded."""
        orbit, raised = self._read(reports)
        sigma, tau = self._sizes
        base = np.full(len(self.columns) + 1, -np.inf)
        base[-1] = log(self.disclosing) if self.disclosing > 0 else -np.inf
        for c, column in enumerate(self.columns):
            base[c] = log(column.weight) - log_binomial(sigma, column.i) - log_binomial(tau, column.j)
        decoy = np.append([c.decoy for c in self.columns], False).astype(bool)[orbit][:, None]
        label = np.where(raised & ~self.sensitive, 0.0, -np.inf)
        hidden = np.where(raised, self.epsilon, 0.0)
        with_label = np.where(self.sensitive, hidden - log(max(tau, 1)), label)
        openly = (orbit == len(self.columns))[:, None]
        return base[orbit][:, None] + np.where(openly, label, np.where(decoy, with_label, hidden))

    def privacy_loss(self) -> NDArray[np.float64]:
        return exposure.losses(self.columns, self.disclosing, self.sensitive, self.epsilon)

    def disclosure(self) -> NDArray[np.float64]:
        """Disclosed openly; and a decoy where there is nobody else: with nothing marked."""
        return np.where(self.sensitive, 0.0, self.disclosing)

    def success(self, prior: NDArray[np.float64]) -> NDArray[np.float64]:
        """Priors that are even within S and within N (or 0 on one): in closed form; any other from the channel."""
        if not exposure.even(self._groups, prior):
            return exposure.wins_of_channel(self.channel().matrix, prior)
        out = self.disclosure()
        for c, column in enumerate(self.columns):
            out += exposure.wins(self._groups, c, column.decoy, prior, self.epsilon)
        return np.where(prior > 0, out, 0.0)

    # the channel -----------------------------------------------------------------------------------------------

    def count_outputs(self) -> int:
        sigma, tau = self._sizes
        hidden = sum(comb(sigma, c.i) * (tau if c.decoy else comb(tau, c.j)) for c in self.columns)
        return hidden + (tau if self.disclosing > 0 else 0)

    def outputs(self, public: int | None = None) -> Reports:
        orbits, rows = [], []
        for number, column in enumerate((*self.columns, None)):
            if column is None and not self.disclosing > 0:
                continue
            size, other = (0, 1) if column is None else (column.i, 1 if column.decoy else column.j)
            for u in combinations(self._groups[1].codes, other):
                for z in combinations(self._groups[0].codes, size):
                    orbits.append(number)
                    rows.append([*z, *u])
        raised = np.zeros((len(rows), self.k), bool)
        for line, some in zip(raised, rows, strict=True):
            line[some] = True
        return self._write(np.array(orbits, np.int64), raised)

    def describe(self, outputs: Reports) -> list[ReportColumn]:
        """2: {0, 3}: orbit 2 raises these. Decoys and disclosed values name their label."""
        columns = []
        for orbit, raised in zip(*self._read(outputs), strict=True):
            low = orbit == len(self.columns) or self.columns[orbit].decoy
            label = int(np.flatnonzero(raised & ~self.sensitive)[0]) if low else None
            text = f"{orbit}: " + "{" + ", ".join(map(str, np.flatnonzero(raised))) + "}"
            columns.append(ReportColumn(text, not low, label))
        return columns
