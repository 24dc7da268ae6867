"""Two questions, each answered by itself: openly, or through a mechanism of its own."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.randomizer import NotEnumerable, Randomizer, Reports
from ldpcore.relations.answers import SentAnswer, sent
from ldpcore.relations.designs import MOST_CHANCES, MOST_LISTED, counted, drawn, of_people
from ldpcore.relations.exposure import PairExposure, named, of_channel, of_two
from ldpcore.relations.groups import Mask, about_checked
from ldpcore.relations.surveys import SurveyDesign
from ldpcore.relations.tallies import PairTally

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Apart(SurveyDesign):
    """Reports of x and of y are drawn apart, given the answers. What they add to a pair's share is s_x ⊗ s_y."""

    x: SentAnswer
    y: SentAnswer
    is_apart = True

    @property
    def kx(self) -> int:  # type: ignore[override]
        return self.x.k

    @property
    def ky(self) -> int:  # type: ignore[override]
        return self.y.k

    @property
    def is_open(self) -> bool:
        return self.x.is_open

    @property
    def bits(self) -> float:  # type: ignore[override]
        return self.x.bits + self.y.bits

    @property
    def epsilons(self) -> tuple[float, float, float]:  # type: ignore[override]
        """Of both together: of what is hidden at all."""
        each = (self.x.epsilon, self.y.epsilon)
        hidden = [epsilon for epsilon in each if np.isfinite(epsilon)]
        return (*each, sum(hidden) if hidden else float("inf"))

    # what is sent ----------------------------------------------------------------------------------------------

    @cached_property
    def _listed(self) -> bool:
        sizes = (self.x.reports, self.y.reports)
        return None not in sizes and sizes[0] * sizes[1] <= MOST_LISTED  # type: ignore[operator]

    def _check_table(self) -> None:
        if not self._listed or self.kx * self.ky * len(self.x.scores) * len(self.y.scores) > MOST_CHANCES:
            raise NotEnumerable(
                "these two mechanisms have too many pairs of reports for one table; look at each question's own channel"
            )

    def channel(self) -> Array:
        self._check_table()
        return np.asarray(np.kron(self.x.channel, self.y.channel), float)

    def balanced_scores(self) -> Array:
        self._check_table()
        return np.asarray(np.kron(self.x.scores, self.y.scores), float)

    def perturb(self, x: ArrayLike, y: ArrayLike, rng: np.random.Generator) -> tuple[Reports, Reports]:
        return self.x.perturb(x, rng), self.y.perturb(y, rng)

    def tally(self, reports: tuple[Reports, Reports], times: ArrayLike | None = None) -> PairTally:
        a, b = reports
        often = np.ones(len(a), np.int64) if times is None else np.asarray(times, np.int64)
        if len(a) != len(b):
            raise ValueError(f"{len(a)} reports of one question and {len(b)} of the other do not fit together")
        if self._listed:
            size = self.y.scores.shape[0]
            seen = self.x.column(a) * size + self.y.column(b)
            return self._of_counts(counted(seen, often, self.x.scores.shape[0] * size).reshape(-1, size))
        v = np.hstack([self.x.balanced(a), self.y.balanced(b)])
        return PairTally(int(often.sum()), None, v.T @ (often[:, None] * v))

    def _of_counts(self, counts: NDArray[np.int64]) -> PairTally:
        """counts (reports of x, reports of y)."""
        sx, sy = self.x.scores, self.y.scores
        xy = sx.T @ counts @ sy
        xx, yy = sx.T @ (counts.sum(axis=1)[:, None] * sx), sy.T @ (counts.sum(axis=0)[:, None] * sy)
        return PairTally(int(counts.sum()), counts, np.block([[xx, xy], [xy.T, yy]]))

    def draw(self, counts: ArrayLike, rng: np.random.Generator, repeats: int, about: str = "these") -> list[PairTally]:
        people, like = of_people(counts, self.kx, self.ky), about_checked(about) == "like"
        if self._listed:
            p, q, f = self.x.channel, self.y.channel, people.reshape(self.kx, self.ky) / people.sum()
            chance, shape = (p.T @ f @ q).ravel(), (p.shape[1], q.shape[1])

            def row(pair: int) -> Array:
                return np.outer(p[pair // self.ky], q[pair % self.ky]).ravel()

            return [self._of_counts(drawn(people, chance, row, rng, like).reshape(shape)) for _ in range(repeats)]
        n, surveys = int(people.sum()), []
        for _ in range(repeats):
            pairs = np.repeat(np.arange(len(people)), rng.multinomial(n, people / n) if like else people)
            surveys.append(self.tally(self.perturb(pairs // self.ky, pairs % self.ky, rng)))
        return surveys

    def table(self, tally: PairTally) -> Array:
        return tally.moments[: self.kx, self.kx :] / some_reports(tally)

    def raw(self, freq: ArrayLike) -> Array:
        named = self.x.channel @ self.x.named, self.y.channel @ self.y.named
        return whole_table(named[0].T @ self.shares(freq) @ named[1])

    def raw_of(self, tally: PairTally) -> Array:
        if tally.counts is None:
            raise ValueError("these reports were too many to list, so there is no table of what they name")
        return whole_table(self.x.named.T @ tally.counts @ self.y.named)

    # exact moments ---------------------------------------------------------------------------------------------

    def second(self, freq: ArrayLike) -> Array:
        f, size = self.shares(freq), self.kx * self.ky
        by_x = np.tensordot(f, self.y.moments, 1)  # Σ_y f_xy A_y[y]: (kx, ky, ky)
        if self.x.is_open:
            out = np.zeros((self.kx, self.ky, self.kx, self.ky))
            out[np.arange(self.kx), :, np.arange(self.kx), :] = by_x
            return out.reshape(size, size)
        return np.einsum("xac,xbd->abcd", self.x.moments, by_x, optimize=True).reshape(size, size)

    def squares(self, u: Array, v: Array) -> Array:
        if self.x.is_open:
            inner = u[:, :, None] * v[:, None, :]
        else:
            inner = np.einsum("ab,xac,cd->xbd", u, self.x.moments, v, optimize=True)
        return np.einsum("xbd,ybd->xy", inner, self.y.moments, optimize=True).ravel()

    def corners(self, group: Mask, answers: Mask) -> Array:
        """(s_x·G)(s_y·C) and s_x·G, at the ends of both factors."""
        ys = self.y.reach(answers.astype(float))
        if self.is_open:
            return np.array([(h, 0.0) for h in ys])
        return np.array([(g * h, g) for g in self.x.reach(group.astype(float)) for h in ys])

    def _exposed(self, table: Array, inside: Mask, answer: NDArray[np.intp]) -> PairExposure:
        p, q = self.x.channel, self.y.channel
        both = of_two(table, inside, p, q)
        if (inside == inside[:, :1]).all():
            alone = of_channel(table.sum(axis=1), inside[:, 0], p)
        elif (inside == inside[:1]).all():
            alone = of_channel(table.sum(axis=0), inside[0], q)
        else:  # of either answer no report is the own one
            alone = both
        return PairExposure(alone, both, *named(table, answer, p, q))


def whole_table(table: Array) -> Array:
    """As shares that sum to 1: reports may name nothing."""
    total = table.sum()
    return table / total if total > 0 else table


def some_reports(tally: PairTally) -> int:
    """How many; ValueError for none."""
    if tally.n < 1:
        raise ValueError("a tally without reports has no relation; collect at least one")
    return tally.n


def apart(x: Randomizer | int, y: Randomizer | int) -> Apart:
    """Two questions answered apart: each a Randomizer, or an int, the number of answers of a question answered openly.

    >>> from ldpcore import catalog
    >>> design = apart(7, catalog.FREQUENCY["uSS"].build(1.0, 2, [False, True]))
    >>> design.kx, design.ky, design.epsilons
    (7, 2, (inf, 1.0, 1.0))
    """
    return Apart(sent(x), sent(y))
