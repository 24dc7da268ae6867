"""Numbers counted in cells: the edges, whose numbers are one, and what surveys of many people would count."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.tally import NumericTally

Vector = NDArray[np.float64]
MERGE = 1e-9
"""Edges closer than this are one: thinner cells turn rounding into negative probabilities
(theory/numbers#em-structure).
"""


def merged(edges: ArrayLike) -> Vector:
    """Sorted edges, of those closer than `MERGE` the first that was given."""
    given = np.asarray(edges, float)
    order = np.argsort(given, kind="stable")
    ordered = given[order]
    group = np.concatenate([[0], np.cumsum(np.diff(ordered) > MERGE)])
    first = np.full(group[-1] + 1, len(given))
    np.minimum.at(first, group, order)
    return given[first]


def gathered(x: Vector, counts: ArrayLike | None, grid: int = 4096) -> tuple[Vector, NDArray[np.int64]]:
    """Distinct inputs and how many users are there; more than `grid` of them are rounded to 1/`grid`."""
    users = np.ones(len(x), np.int64) if counts is None else checks.counts(counts, len(x))
    points, where = placed(x, grid)
    total = np.bincount(where, users, len(points)).astype(np.int64)
    return points[total > 0], total[total > 0]


def placed(x: Vector, grid: int = 4096) -> tuple[Vector, NDArray[np.intp]]:
    """Distinct inputs, ascending, and which of them each input (n,) is; more than `grid` are rounded to 1/`grid`.

    >>> [part.tolist() for part in placed(np.array([0.5, -0.25, 0.5]))]
    [[-0.25, 0.5], [1, 0, 1]]
    """
    points, where = np.unique(x, return_inverse=True)
    if len(points) > grid:
        points, where = np.unique(np.round(x * grid) / grid, return_inverse=True)
    return points, where


def drawn(
    held: NDArray[np.int64],
    mass: Vector,
    moments: tuple[Vector, Vector],
    edges: Vector,
    rng: np.random.Generator,
    repeats: int,
) -> Iterator[NumericTally]:
    """Tallies of `repeats` surveys of so many people (n,) at n inputs: Pr[report in a cell | x] is `mass`, E[y; cell]
    and E[y²; cell] are `moments`, (n, cells) each.
    """
    mass = mass / mass.sum(axis=1, keepdims=True)
    middle, spread = _within(held @ mass, held @ moments[0], held @ moments[1], edges)
    for _ in range(repeats):
        seen = rng.multinomial(held, mass).sum(axis=0)
        sums = seen * middle + np.sqrt(seen) * spread * rng.standard_normal(len(seen))
        yield NumericTally(int(held.sum()), seen, sums)


def _within(weight: Vector, first: Vector, second: Vector, edges: Vector) -> tuple[Vector, Vector]:
    """Mean and standard deviation (cells,) of the reports inside each cell."""
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(weight > 0, first / weight, (edges[1:] + edges[:-1]) / 2)
        square = np.where(weight > 0, second / weight, mean**2)
    return mean, np.sqrt(np.maximum(square - mean**2, 0.0))


def smoothed(freq: Vector) -> Vector:
    """¼, ½, ¼ over the neighbours; what would leave at an end stays there."""
    wide = np.concatenate([freq[:1], freq, freq[-1:]])
    return wide[:-2] / 4 + wide[1:-1] / 2 + wide[2:] / 4
