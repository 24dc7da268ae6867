"""The least error of a mean where every part of the range has its own ε, and a channel that comes near it.

The program of mean.py, whose columns raise each input by its own E. `nodes` solves it for a few inputs of every part,
its ends and some between: people in it round to a neighbour at random with their own number as the mean, so that what
they send keeps its level and its mean, and the variance is the program's plus that of rounding (theory/levels#numbers).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, isfinite

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks, levels
from ldpcore.leveled_parts import Parts

from .mean import MeanLimit, search
from .scored import Vector

APART = 0.4
"""Nodes of one part lie no further apart than this over its ε, or over 2 if that is more: rounding costs little."""
LEAST_EPSILON, MOST_EPSILON = 0.01, 6.0
"""Where the program's digits are enough to make its columns a channel."""
CRUMB = 1e-7
"""Columns with less weight are left out, and scores nearer than this, of their reach, are one."""
RIGHT = 1e-12
"""How far a row may be from a distribution, or a mean from its input, in units of the scores' reach."""


def best_leveled_mean(epsilons: Sequence[float] | ArrayLike, x: ArrayLike, freq: ArrayLike) -> MeanLimit:
    """The limit of `best_mean` where every input has its own ε: `epsilons` (K,) nats, math.inf for a public one.

    It has its value where those that are finite are equal. ValueError or TypeError with a sentence.

    >>> x, even = np.linspace(-1, 1, 8), np.full(8, 1 / 8)
    >>> secret, both = (best_leveled_mean([private] * 5 + [1.0] * 3, x, even) for private in (1.0, 4.0))
    >>> round(secret.high / both.high, 1)  # treating the private ones as secret
    3.0
    """
    values, given = checks.scaled(x), np.array(levels.checked(epsilons))
    if len(given) != len(values):
        raise ValueError(f"there is one ε for each input: {len(values)} inputs, but {len(given)} ε")
    shares, protected = checks.shares(freq, len(values)), np.isfinite(given)
    least = float(given.min()) if protected.any() else 1.0
    return search(least, values, shares, protected, given).limit


@dataclass(frozen=True, eq=False)
class Nodes:
    """A channel for the nodes of every part: reports are scores, whose mean is the node."""

    at: Vector
    """(nodes,) ascending within each part, part after part."""
    part: NDArray[np.intp]
    """(nodes,) the piece of `Parts` that each belongs to."""
    reports: Vector
    """(reports,) ascending."""
    chance: Vector
    """(nodes, reports) rows sum to 1."""
    floor: Vector
    """(reports,) what a public value sends; the rest of the time it is sent as it is."""


def can_have_nodes(parts: Parts) -> bool:
    """Whether `nodes` is made for these parts: some are not public, and their ε are within its reach."""
    epsilons = parts.epsilons[parts.hidden]
    return bool(len(epsilons)) and bool(epsilons.min() >= LEAST_EPSILON) and bool(epsilons.max() <= MOST_EPSILON)


def nodes(parts: Parts) -> Nodes:
    """The best channel for the nodes of these parts at the guessed shares. ValueError where ε is out of its reach."""
    hidden = np.flatnonzero(parts.hidden)
    finite = parts.epsilons[hidden]
    if not can_have_nodes(parts):
        raise ValueError(
            f"the table for numbers is made for ε from {LEAST_EPSILON:g} to {MOST_EPSILON:g}, got "
            f"{', '.join(f'{each:g}' for each in finite) or 'public parts only'}; use gPM"
        )
    at, part, share = _placed(parts, hidden)
    x, f, epsilons = at, share, parts.epsilons[part]
    if parts.public:
        extra, weight = _stand_ins(parts)
        x, f = np.append(x, extra), np.append(f, weight)
        epsilons = np.append(epsilons, np.full(len(extra), np.inf))
    optimum = search(float(finite.min()), x, f / f.sum(), np.isfinite(epsilons), epsilons)
    if optimum.columns is None or optimum.weights is None:
        raise ValueError("these parts leave nothing to tell apart: give them a length")
    few = (optimum.weights > CRUMB * optimum.weights.max()) & (optimum.columns.entries[: len(at)] > 0).all(axis=0)
    entries, scores = optimum.columns.entries[:, few], at[0] + optimum.columns.away[0, few]
    least = entries.min(axis=0)
    shape = np.clip(entries[: len(at)] / least, 1.0, np.exp(parts.epsilons[part])[:, None])
    return _channel(at, part, shape, least * optimum.weights[few], scores)


def _placed(parts: Parts, hidden: NDArray[np.intp]) -> tuple[Vector, NDArray[np.intp], Vector]:
    """Nodes, their parts, and the shares of the people who round to each."""
    at, part, share = [], [], []
    for piece in hidden:
        left, right, epsilon = parts.pieces[piece]
        count = max(2, ceil((right - left) * max(epsilon, 2.0) / APART - 1e-9) + 1)
        weight = np.full(count, parts.mass[piece] / (count - 1))
        weight[[0, -1]] /= 2
        at.append(np.linspace(left, right, count))
        part.append(np.full(count, piece))
        share.append(weight)
    return np.concatenate(at), np.concatenate(part), np.concatenate(share)


def _stand_ins(parts: Parts) -> tuple[Vector, Vector]:
    """Two inputs with the mean and the spread of all public ones, and their shares: their error knows no more."""
    mass = np.where(parts.hidden, 0.0, parts.mass)
    whole = mass.sum()
    if not whole:
        return np.zeros(0), np.zeros(0)
    mean = float(mass @ parts.ends.mean(axis=0)) / whole
    spread = float(mass @ parts.moments(mean)) / whole
    return mean + np.sqrt(spread) * np.array([-1.0, 1.0]), np.full(2, whole / 2)


def _channel(at: Vector, part: NDArray[np.intp], shape: Vector, least: Vector, scores: Vector) -> Nodes:
    """The columns `shape` (nodes, columns), 1 to E, with weights that make them a channel whose rows have the nodes as
    means, to rounding; `least` (columns,) the solver's weights.
    """
    order = np.argsort(scores)
    scores, shape, least = scores[order], shape[:, order], least[order]
    reach = float(np.abs(scores).max())
    groups = np.concatenate([[0], np.cumsum(np.diff(scores) > CRUMB * reach)])
    heavy = (shape * least).sum(axis=0)
    middle = np.bincount(groups, scores * heavy) / np.bincount(groups, heavy)
    away = middle[groups] - at[:, None]
    # Weights that are right, as near to the solver's as possible in units of themselves.
    rows, weights = np.vstack([shape, shape * away / reach]), least.copy()
    right = np.concatenate([np.ones(len(at)), np.zeros(len(at))])
    for _ in range(4):
        moved = rows * weights
        weights = weights + weights * np.linalg.lstsq(moved, right - rows @ weights, rcond=1e-13)[0]
    if (weights < 0).any() or np.abs(rows @ weights - right).max() > RIGHT or not isfinite(reach):
        raise ValueError("the table for these parts lost its digits; use gPM")
    count = len(middle)
    chance, floor = (
        np.array([np.bincount(groups, row, count) for row in of], float) for of in (shape * weights, [weights])
    )
    return Nodes(at, part, middle, chance, floor[0])
