"""The unbiased score of SDPM (theory/numbers#unbiased-score): g with E[g(Y) | x] = x for every x, low or high.

Low x: the atom makes g = (y−κ)/p' on L, κ = (p/E)∫ g outside L. High x: as the window slides, g(ρ(x)) − g(λ(x)) = Δ
with Δ = C−1, and (p/E)∫g + (p−p/E)∫_{λ(x)}^{ρ(x)} g = x at one x of every stretch of high values. Written u + jΔ, the
score is free up to these. Only *high* x tie g(y+Δ) to g(y), so the least variance is below (p/E)Δ²(C+5)/2 − x², which
ties all of them: at ε = 1, L = [−½, ½], x = 0 the closed form has 3.26, that bound 3.21, `linear_system` has less.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ldpcore.bins import merged
from ldpcore.mechanisms.density import Score
from ldpcore.numeric_randomizer import Intervals, Vector

MOST_CELLS, MOST_CLOSED = 1200, 100_000
"""The score of a larger ε has more steps than a tally has cells for; there EM is the estimate. In closed form, which is
quick, it may have MOST_CLOSED.
"""


@dataclass(frozen=True, eq=False)
class ScoreProblem:
    """What the score depends on: C, Δ, p/E, p − p/E, p', L, and L's ends (intervals, 2) as the cells have them."""

    reach: float
    shift: float
    background: float
    extra: float
    keep: float
    low: Intervals
    ends: Vector

    def in_low(self, y: Vector) -> NDArray[np.bool_]:
        return np.any([(y >= left) & (y < right) for left, right in self.ends], axis=0)

    def slid(self, x: float) -> float:
        """λ(x)."""
        return ((self.reach + 1) * x - self.shift) / 2

    def density(self, y: Vector) -> Vector:
        """Of the reports of uniform inputs, atoms spread over L."""
        first, last = (2 * y - self.shift) / (self.shift + 2), (2 * y + self.shift) / (self.shift + 2)

        def length(left: float, right: float) -> Vector:
            return np.clip(last, left, right) - np.clip(first, left, right)

        low = sum((length(left, right) for left, right in self.low), np.zeros(len(y)))
        share = sum(right - left for left, right in self.low) / 2
        tied = self.extra * (length(-1.0, 1.0) - low) / 2
        return tied + np.where(self.in_low(y), self.background * (1 - share) + self.keep / 2, self.background)

    def knots(self, places: Vector) -> Vector:
        """These places and all that lie a multiple of Δ away, within [−C, C]; L's own ends to the bit."""
        steps = int(np.ceil(2 * self.reach / self.shift)) + 1
        copies = (places[:, None] + self.shift * np.arange(-steps, steps + 1)).ravel()
        copies = copies[np.abs(copies) < self.reach]
        return merged(np.concatenate([self.ends.ravel(), [-self.reach, self.reach], copies]))


class NoScore(ValueError):
    """Why SDPM has no unbiased score to estimate with."""


def solve(question: ScoreProblem) -> Score:
    """The score in closed form for one inner interval not longer than Δ, by the linear system else. NoScore: none.

    An interval that reaches an end of [−1, 1] leaves the closed form's other end tied for nothing: there the linear
    system is several times better.
    """
    ((left, right), *others) = question.low
    closed = not others and left > -1 and right < 1 and right - left <= question.shift
    if question.shift * (MOST_CLOSED if closed else MOST_CELLS) < 8 * len(question.low) * question.reach:
        if _crowded(question):
            raise NoScore(APART)
        raise NoScore(
            f"has more steps than can be counted in a tally, one for each {question.shift:.2g} of its reports, the "
            "width of the window; take a smaller epsilon, or use em"
        )
    return closed_form(question) if closed else linear_system(question)


APART = (
    "does not exist: two of these intervals lie a whole number of windows apart, and each would fix the other's score; "
    "join them, take a smaller epsilon, or use em"
)


def _crowded(question: ScoreProblem) -> bool:
    """Whether chains of windows, however many, tie two intervals: the places modulo Δ that hang on the upper end of
    one and on the lower end of the next are more than Δ.
    """
    delta = question.shift
    return any(
        min(end - first, delta * (1 - end) / 2) + min(last - start, delta * (1 + start) / 2) > delta
        for (first, end), (start, last) in pairwise(question.low)
    )


def closed_form(question: ScoreProblem) -> Score:
    """One interval [l, r], r − l ≤ Δ: φ(u) = (u−κ)/p' on it, c − Δ(j₀+j₁)/2 elsewhere; κ and c from two equations."""
    (left, _), delta, reach = question.ends[0], question.shift, question.reach
    knots = question.knots(np.concatenate([question.ends[0], [-reach, reach]]))
    middle = (knots[1:] + knots[:-1]) / 2
    j = np.floor((middle - left) / delta)
    u = middle - j * delta
    fixed = question.in_low(u)
    first, last = np.ceil((-reach - u) / delta), np.floor((reach - u) / delta)
    slope = np.where(fixed, 1 / question.keep, 0.0)
    # The score at the middle of every cell, as (constant, factor of κ, factor of c).
    value = np.column_stack([
        np.where(fixed, u / question.keep, -delta * (first + last) / 2) + j * delta,
        np.where(fixed, -1 / question.keep, 0.0),
        np.where(fixed, 0.0, 1.0),
    ])  # fmt: skip
    width = np.diff(knots)
    everywhere, outside = width @ value, (width * ~question.in_low(middle)) @ value
    window = (width * (middle < -1)) @ value
    equations = np.array([
        question.background * outside - [0, 1, 0],
        question.background * everywhere + question.extra * window,
    ])  # fmt: skip
    kappa, c = np.linalg.solve(equations[:, 1:], np.array([0.0, -1.0]) - equations[:, 0])
    return _score(knots, value @ [1.0, kappa, c], slope)


def linear_system(question: ScoreProblem) -> Score:
    """Any intervals: values at the middles of finitely many cells, of least mean square over the reports of uniform
    inputs, which is the least mean variance there. NoScore where nothing solves the equations.

    Cells linked by Δ form chains: one that meets L has the values y/p' − κ' there, κ' = κ/p', any other one value free.
    """
    reach, delta, keep = question.reach, question.shift, question.keep
    slides = np.array([question.slid(end) for pair in question.low for end in pair])
    knots = question.knots(np.concatenate([question.ends.ravel(), slides, [-1.0, 1.0]]))
    middle, width = (knots[1:] + knots[:-1]) / 2, np.diff(knots)
    low = question.in_low(middle)
    # λ(x) = y is x = (2y + Δ)/(Δ + 2): only high x link y with y + Δ.
    linked = (middle < 1) & ~question.in_low((2 * middle + delta) / (delta + 2))
    head, level = _chains(linked, np.searchsorted(knots, middle + delta, side="right") - 1)
    met = np.bincount(head, low, len(low))
    if met.max() > 1:
        raise NoScore(APART)
    fixed_part = np.bincount(head, low * (middle / keep - level * delta), len(low))
    fixed = met[head] > 0
    base = np.where(fixed, fixed_part[head], 0.0) + level * delta
    free = np.flatnonzero(~fixed & (head == np.arange(len(head))))

    def gathered(weights: Vector) -> Vector:
        """A weighted sum of the values, as factors of the free ones (at their chains' heads) and of κ'."""
        return np.append(np.bincount(head, weights, len(head))[free], -float(weights[fixed].sum()))

    rows, right = [question.background * width * ~low], [0.0]
    inside = question.background * float((width * middle)[low].sum()) / keep
    for start in _starts(question.low):
        window = (middle > question.slid(start)) & (middle < question.slid(start) + delta)
        rows.append(width * window / delta)
        right.append((start - inside) / (question.extra * delta))
    matrix = np.array([gathered(row) for row in rows])
    matrix[:, -1] += [-keep, *np.ones(len(rows) - 1)]
    wanted = np.array(right) - np.array([row @ base for row in rows])
    mass = width * question.density(middle)
    solution = _least(matrix, wanted, np.abs(gathered(mass)), gathered(mass * base))
    if np.max(np.abs(matrix @ solution - wanted)) > 1e-9 * reach:
        raise NoScore("does not exist: too little of it is left free to be right at all high values; use em")
    values = np.zeros(len(head))
    values[free] = solution[:-1]
    values = np.asarray(base + np.where(fixed, -solution[-1], values[head]), float)
    return _score(knots, values, np.where(fixed, 1 / keep, 0.0))


def _least(matrix: Vector, wanted: Vector, heavy: Vector, pull: Vector) -> Vector:
    """The z of least Σ heavy·z² + 2·pull·z with matrix @ z = wanted, or nearest to it."""
    heavy = np.maximum(heavy, 1e-9 * heavy.max())  # κ' weighs nothing where no chain meets L
    least, scale = -pull / heavy, 1 / np.sqrt(heavy)
    return least + scale * np.linalg.lstsq(matrix * scale, wanted - matrix @ least, rcond=None)[0]


def _chains(linked: NDArray[np.bool_], target: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The first cell of each cell's chain, and how many windows above it the cell lies."""
    head, level = np.arange(len(linked)), np.zeros(len(linked), int)
    for i in np.flatnonzero(linked):  # ascending, and a target lies above
        head[target[i]], level[target[i]] = head[i], level[i] + 1
    return head, level


def _starts(low: Intervals) -> list[float]:
    """The left ends of the stretches of high values."""
    ends = [-1.0] + [right for _, right in low]
    return [a for a, b in zip(ends, [left for left, _ in low] + [1.0], strict=True) if b > a]


def _score(knots: Vector, middle: Vector, slope: Vector) -> Score:
    return Score(knots, middle - slope * np.diff(knots) / 2, slope)
