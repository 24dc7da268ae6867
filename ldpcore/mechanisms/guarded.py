"""Subset selection with decoys: an unmarked value is never seen beside a subset without others who might have sent it.

x∈S sends (v, z): v a decoy, z a subset of S as in uSS. x=v∈N sends v alone with probability r, else (v, z), z a uniform
w-subset of S (theory/frequency#decoys). A label alone is certain; one beside a subset is a decoy or true, so the two
are counted apart: with F the share of S and V = (1−F)(1−r)/r, counting a label beside a subset y/x times as much as one
alone, x = (1−(1−r)y)/r, is unbiased for every y, and y = V/(V+F) is best: Σ_N = V·Σd² + VF/(V+F)·(1−Σd²), d the decoys'
shares (1/τ each when uniform). y = 1, every label alike, has F in place of VF/(V+F).
"""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.channel import ReportColumn
from ldpcore.mechanisms import bits
from ldpcore.mechanisms.marking import Guessing
from ldpcore.mechanisms.subset import Subset
from ldpcore.mechanisms.subset_sizes import marked_error
from ldpcore.policy import GuardedSDLDP, Policy
from ldpcore.randomizer import BLOCK, Randomizer, Reports
from ldpcore.subsets import log_binomial
from ldpcore.support_family import SupportFamily, moved
from ldpcore.tally import Tally

Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SDSS(Guessing, Subset):
    """Subset selection with decoys, for guarded SDLDP. σ = 0 sends every answer as it is, σ = k is uSS.

    `share`: a public guess of F, default σ/k; it chooses w and how labels count. `decoys` (k,): a public guess of the
    shares among the unmarked values, positive there and 0 on the marked ones, default uniform; the promise then speaks
    of this crowd. Wrong guesses cost accuracy, never unbiasedness; a wrong `decoys` also makes rare labels telling.
    """

    decoys: tuple[float, ...] | None = None
    unit: ClassVar[int] = 1
    """What a label alone counts; one beside a subset counts 0 … unit. 1 keeps the tally a count of reports."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.decoys is not None:
            given = checks.shares(self.decoys, self.k, "decoys")
            if np.any((given > 0) == self.sensitive):
                raise ValueError(
                    "decoys must be positive for every value that is not sensitive, and 0 for the others; "
                    "give a value that nobody may hold a small share"
                )
            object.__setattr__(self, "decoys", tuple(map(float, given)))

    @property
    def policy(self) -> Policy:
        return GuardedSDLDP(self.epsilon, self.sensitive, None if self.decoys is None else self._decoys)

    @cached_property
    def _decoys(self) -> Vector:
        """Chance of each label as a decoy: (k,), 0 on S."""
        if self.decoys is None:
            return ~self.sensitive / max(self.k - self.sigma, 1)
        return np.array(self.decoys) / sum(self.decoys)

    @cached_property
    def guessed(self) -> Vector:
        return np.where(self.sensitive, super().guessed, (1 - self.guessed_share) * self._decoys)

    # what the public guess chooses -----------------------------------------------------------------------------

    @cached_property
    def w(self) -> int:
        return self._choice[0]

    @property
    def counted(self) -> Hashable:
        return self._choice

    @cached_property
    def _choice(self) -> tuple[int, int]:
        """w, and what a label beside a subset counts: together the least error over all values at the guess."""
        if not self.sigma:
            return 1, 0
        guess, sizes = self.guessed_share, np.arange(1, max(self.sigma, 2))
        keep, inside = marked_error(sizes, self.sigma, self.epsilon, guess)
        if self.sigma == self.k:
            return int(sizes[np.argmin(inside)]), 0
        errors = np.array([inside + self._labels_error(keep, beside, guess) for beside in range(self.unit + 1)])
        beside, place = np.unravel_index(np.argmin(errors), errors.shape)
        return int(sizes[place]), int(beside)

    def _labels_error(self, keep: Vector, beside: int, share: float) -> Vector:
        """Σ_N n·Var for every r in `keep`, at unmarked shares (1 − F)·decoys."""
        x, y = self._scores(keep, beside)
        same, hidden = float(self._decoys @ self._decoys), 1 - keep
        squares = keep * x**2 + hidden * y**2 + hidden * same * (2 * x * y - y**2 + y**2 * hidden / keep)
        return (1 - share) * (squares - 1) + share * y**2 * (1 - same)

    def _scores(self, keep: Vector | float, beside: int) -> tuple[Vector | float, Vector | float]:
        """x and y: what a label alone, and one beside a subset, add to the estimate of their value."""
        scale = self.unit * keep + beside * (1 - keep)
        return self.unit / scale, beside / scale

    # the sampler -----------------------------------------------------------------------------------------------

    def _perturb_block(self, values: NDArray[np.integer], out: NDArray[np.uint8], rng: np.random.Generator) -> None:
        """A report of uSS; whoever sends a subset adds a label."""
        super()._perturb_block(values, out, rng)
        if self.sigma in (0, self.k):
            return
        label = np.where(self._in_marked[values], rng.choice(self.k, len(values), p=self._decoys), values)
        out[np.arange(len(values)), label >> 3] |= np.left_shift(1, label & 7).astype(np.uint8)

    def draw(self, counts: ArrayLike, rng: np.random.Generator, repeats: int) -> NDArray[np.int64]:
        total, users, other = super().draw(counts, rng, repeats), checks.counts(counts, self.k), ~self._in_marked
        if self.sigma in (0, self.k):
            return np.where(self._in_marked, 1, self.unit) * total
        alone = total[:, other]
        beside = users[other] - alone + rng.multinomial(users[self.marked].sum(), self._decoys[other], repeats)
        total[:, other] = self.unit * alone + self._choice[1] * beside
        return total

    # the estimate ----------------------------------------------------------------------------------------------

    def step(self) -> NDArray[np.float64]:
        return moved(self.invert, np.arange(self.k), np.where(self._in_marked, 1.0, self.unit))

    integer_law = Randomizer.integer_law  # a label more than the law of a subset has
    supported, joint_support = Randomizer.supported, Randomizer.joint_support

    def families(self) -> tuple[SupportFamily, ...]:
        """A label alone, or beside a subset."""
        if self.sigma in (0, self.k):
            return super().families()
        inside, (a, b, b_other) = self._in_marked, self._rates
        x, y = self._scores(self.keep, self._choice[1])
        beside = (-b * (1 - 1 / self.keep) - b_other / self.keep) / (a - b)
        off = np.where(inside, beside, y * self._decoys * self._hidden / self.keep)
        alone = SupportFamily(np.where(inside, off, x + off), off, ((np.flatnonzero(~inside), 1, 1),), self.unit)
        off, added = np.where(inside, -b / (a - b), -y * self._decoys), np.where(inside, 1.0, self._choice[1])
        labels = np.flatnonzero(self._decoys > 0), 1, 1
        subset = self.marked, self.w, self.w
        return alone, SupportFamily(off + np.where(inside, 1 / (a - b), y), off, (subset, labels), added)

    def accepts(self, reports: Reports) -> NDArray[np.bool_]:
        """A label alone, or beside a subset."""
        if self.sigma in (0, self.k):
            return super().accepts(reports)
        on = bits.unpack(np.asarray(reports, np.uint8), self.k).astype(bool)
        hidden, labels = (on & self._in_marked).sum(axis=1), on & ~self._in_marked
        beside = (hidden == self.w) & (labels & (self._decoys > 0)).any(axis=1)
        return bits.clean(reports, self.k) & (labels.sum(axis=1) == 1) & ((hidden == 0) | beside)

    def tally(self, reports: Reports) -> Tally:
        """Of an unmarked value: its labels alone, and as the public guess has it also those beside a subset."""
        total = np.zeros(self.k, np.int64)
        subset, beside = bits.pack(self._in_marked), self._choice[1]
        for start in range(0, len(reports), BLOCK):
            block = np.asarray(reports[start : start + BLOCK], np.uint8)
            hidden = (block & subset).any(axis=1)
            seen, alone = bits.count(block, self.k), bits.count(block[~hidden], self.k)
            total += np.where(self._in_marked, seen, self.unit * alone + beside * (seen - alone))
        return Tally(len(reports), total)

    def _crowd(self, seen: Vector) -> Vector:
        """The estimated share of N's holders (..., 1): reports without a subset, whose members all add up to w each."""
        if self.sigma in (0, self.k):
            return np.full_like(seen[..., :1], self.sigma == 0)
        return (1 - seen[..., self._in_marked].sum(axis=-1, keepdims=True) / self.w) / self.keep

    def invert(self, seen: NDArray[np.float64]) -> NDArray[np.float64]:
        a, b_marked, b_other = self._rates
        other = self._crowd(seen)
        y = self._scores(self.keep, self._choice[1])[1]
        labels = seen / (self.unit * self.keep + self._choice[1] * self._hidden) - y * self._decoys * (1 - other)
        if not self.sigma:
            return labels
        inside = (seen - b_marked * (1 - other) - b_other * other) / (a - b_marked)
        return np.where(self._in_marked, inside, labels)

    def variance(self, freq: ArrayLike, n: int) -> NDArray[np.float64]:
        """A label alone scores x for its value and c = y d (1−r)/r for every v, one beside a subset y and −y d.

        As r x + (1−r) y = 1, r x² − 1 is (1−r)(1 − 2y + (1−r)y²)/r, which keeps its digits where r is near 1.
        """
        f = checks.shares(freq, self.k)
        x, y = self._scores(self.keep, self._choice[1])
        d, r, hidden = self._decoys, self.keep, self._hidden
        c, mass = y * d * hidden / r, f[self._in_marked].sum()
        labels = f * hidden * ((1 - 2 * y + hidden * y**2) / r + 2 * x * y * d + y**2 * (1 - 2 * d))
        labels += (1 - mass) * (r * c**2 + hidden * y**2 * d**2) + mass * y**2 * d * (1 - d)
        return np.where(self._in_marked, super().variance(f, n), labels / n)

    def support(self, freq: ArrayLike) -> NDArray[np.float64]:
        f, beside = checks.shares(freq, self.k), self._choice[1]
        mass = f[self._in_marked].sum()
        labels = self.unit * self.keep * f + beside * (self._hidden * f + mass * self._decoys)
        return np.where(self._in_marked, super().support(f), labels)

    def names(self, outputs: Reports) -> NDArray[np.bool_]:
        """The label is named also where the estimate does not count it."""
        return bits.unpack(np.asarray(outputs, np.uint8), self.k).astype(bool)

    def naming(self, freq: ArrayLike) -> NDArray[np.float64]:
        f = checks.shares(freq, self.k)
        if self.sigma in (0, self.k):
            return super().support(f)
        return np.where(self._in_marked, super().support(f), f + f[self._in_marked].sum() * self._decoys)

    # the likelihood --------------------------------------------------------------------------------------------

    def log_likelihood(self, reports: Reports) -> NDArray[np.float64]:
        """Alone: r. Beside a subset: (1−r)/C(σ,w) for the label's value, d times that on S, Ed times for members."""
        if self.sigma in (0, self.k):
            return super().log_likelihood(reports)
        on = bits.unpack(np.asarray(reports, np.uint8), self.k).astype(bool)
        inside = self._in_marked
        hidden = (on & inside).any(axis=1, keepdims=True)
        base = np.log(self.sigma / self._total) - log_binomial(self.sigma, self.w)
        decoy = np.log(np.where(on, self._decoys, 0.0).sum(axis=1, keepdims=True))
        with_subset = np.where(inside, base + decoy + np.where(on, self.epsilon, 0.0), np.where(on, base, -np.inf))
        return np.where(hidden, with_subset, np.where(on, np.log(self.keep), -np.inf))

    def privacy_loss(self) -> NDArray[np.float64]:
        """A label excludes every other unmarked value, so only a single one is not always excluded."""
        inside, alone = self._in_marked, self.k - self.sigma == 1
        pairs = np.outer(inside, inside | alone)
        loss = np.where(pairs, self.epsilon, np.inf)
        np.fill_diagonal(loss, 0)
        return loss

    def success(self, prior: NDArray[np.float64]) -> NDArray[np.float64]:
        """Given its label v, a report is one of uSS where a single unmarked value, v, has weight π_v/d_v."""
        if self.sigma in (0, self.k):
            return super().success(prior)
        other = np.flatnonzero(~self._in_marked)
        out = np.where(self._in_marked, 0.0, self.keep)
        rivals, of_label = np.unique(prior[other] / self._decoys[other], return_inverse=True)
        for number, rival in enumerate(rivals):
            labels = other[of_label == number]
            alone = np.where(self._in_marked, prior, 0.0)
            alone[labels[0]] = rival
            won = self._hidden_success(alone)
            out[self.marked] += self._decoys[labels].sum() * won[self.marked]
            out[labels] += won[labels[0]]
        return np.where(prior > 0, out, 0.0)

    # the channel -----------------------------------------------------------------------------------------------

    def count_outputs(self) -> int:
        subsets = super().count_outputs() - (self.k - self.sigma)
        return (subsets + 1) * (self.k - self.sigma) if self.sigma < self.k else subsets

    def outputs(self, public: int | None = None) -> Reports:
        plain = super().outputs()
        if self.sigma in (0, self.k):
            return plain
        subsets, labels = plain[: self.sigma - self.k], plain[self.sigma - self.k :]
        return np.vstack([*(subsets | label for label in labels), labels])

    def describe(self, outputs: Reports) -> list[ReportColumn]:
        """3 {0, 1}: label 3 beside the subset {0, 1}."""
        columns = []
        for row in bits.unpack(np.asarray(outputs, np.uint8), self.k).astype(bool):
            subset = "{" + ", ".join(map(str, np.flatnonzero(row & self._in_marked))) + "}"
            label = np.flatnonzero(row & ~self._in_marked)
            text = f"{label[0]} {subset}" if len(label) else subset
            columns.append(ReportColumn(text, not len(label), int(label[0]) if len(label) else None))
        return columns
