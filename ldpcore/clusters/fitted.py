"""K-modes on one private table: noisy tables of pairs of attributes, the joint fitted to them, records drawn from it.

A trusted collector publishes the tables once, at the whole ε, and any number of clusterings (and whatever else is asked
of the joint) follow from them. Neighbours differ in one record, added or removed, as for DPK: a record is in one cell
of every table and counts once for each of its values; how many records there are is read off the noisy counts, nothing
else is known of it (theory/clusters#one-private-table).
"""

from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from ldpcore.clusters.kmodes import finish, kmodes
from ldpcore.clusters.method import method
from ldpcore.clusters.records import Codes, Records
from ldpcore.clusters.result import Clustering, Message, index_bits
from ldpcore.marginals import fitting, measured
from ldpcore.marginals.measured import CHOICE, SINGLES, Noisy

DRAWN = 100_000
"""Records drawn from the joint: enough that their own sampling is small beside the noise."""
CELLS = 2_000_000
"""Cells of the joint table at most: a second's work."""
Vector = NDArray[np.float64]
Kept = list[NDArray[np.intp]]
"""Of every attribute the values that the joint tells apart."""


@method
def fitted_tables(records: Records, modes: Codes, epsilon: float, rng: np.random.Generator) -> Clustering:
    """K-modes on int codes X (n, q), of records drawn from noisy tables of two attributes each; central, ε-DP."""
    clustering = kmodes(Records.of(synthetic(records, epsilon, rng), records.levels), len(modes), rng, start=modes)
    says = "the whole record, as it is, to a collector who is trusted"
    message = Message(0, "user", "record", says, records.n, sum(map(index_bits, records.levels)), inf)
    return finish(records, clustering.modes, clustering.sent, (message,))


def synthetic(records: Records, epsilon: float, rng: np.random.Generator) -> Codes:
    """Records (DRAWN, q) that are ε-DP as a whole: whatever is made of them costs nothing more.

    >>> from ldpcore.rng import stream
    >>> people = Records.of(np.repeat([[0, 0], [1, 1], [2, 1]], 2000, axis=0))
    >>> drawn = synthetic(people, 1.0, stream(1))
    >>> (np.bincount(drawn[:, 0], minlength=3) / len(drawn)).round(1).tolist()
    [0.3, 0.3, 0.3]
    """
    return _drawn(*_table(records, epsilon, rng), rng)


def margins(records: Records, epsilon: float, rng: np.random.Generator) -> list[Vector]:
    """The fitted table's counts of every attribute's values, (levels[j],) each; values that no cell has: 0."""
    (whole, singles, kept), out = _table(records, epsilon, rng), []
    axes = _used(kept)
    for j, ((count, _), values) in enumerate(zip(singles, kept, strict=True)):
        margin = np.zeros(len(count))
        if j in axes:
            other = tuple(place for place, axis in enumerate(axes) if axis != j)
            margin[values] = whole.sum(axis=other)[: len(values)]
        out.append(margin)
    return out


def _table(records: Records, epsilon: float, rng: np.random.Generator) -> tuple[Vector, list[Noisy], Kept]:
    """The joint, the noisy counts of single values, and what the axes of the joint are."""
    singles = _singles(records, epsilon if records.q == 1 else epsilon * SINGLES, rng)
    kept = _kept([count for count, _ in singles])
    return _joint(records, singles, kept, epsilon, rng), singles, kept


def _singles(records: Records, epsilon: float, rng: np.random.Generator) -> list[Noisy]:
    """Noisy counts of every attribute's values: a record counts once for each of its q values."""
    scale = records.q / epsilon
    return [
        (np.bincount(column, records.counts, d) + rng.laplace(0.0, scale, d), np.full(d, 2 * scale**2))
        for column, d in zip(records.columns, records.levels, strict=True)
    ]


def _kept(counts: list[Vector], cells: int = CELLS) -> Kept:
    """The values of each attribute that the joint tells apart; all others of an attribute are one value more.

    All of them, unless the joint would have more than `cells`: then the rarest go, by their noisy counts.
    """
    kept = [np.ones(len(count), bool) for count in counts]
    for _, j, v in sorted((float(number), j, v) for j, count in enumerate(counts) for v, number in enumerate(count)):
        if np.prod([float(values.sum() + (not values.all())) for values in kept]) <= cells:
            break
        kept[j][v] = False
    return [np.flatnonzero(values) for values in kept]


def _joint(records: Records, singles: list[Noisy], kept: Kept, epsilon: float, rng: np.random.Generator) -> Vector:
    """The joint of the kept values of the attributes that have some, each attribute's rest last where it has one."""
    merged, columns, sizes = [], [], []
    for j in _used(kept):
        (count, variance), values, column = singles[j], kept[j], records.columns[j]
        rest = len(values) < len(count)
        place = np.full(len(count), len(values))
        place[values] = np.arange(len(values))
        columns.append(place[column])
        sizes.append(len(values) + rest)
        merged.append((np.bincount(place, count, sizes[-1]), np.bincount(place, variance, sizes[-1])))
    if len(sizes) == 1:
        return fitting.simplex(merged[0][0], measured.people(merged, inf))

    def counted(pair: tuple[int, int]) -> Vector:
        (a, b), many = pair, sizes[pair[1]]
        cell = columns[a] * many + columns[b]
        return np.bincount(cell, records.counts, sizes[a] * many).reshape(sizes[a], many).astype(float)

    people = measured.people(merged, inf)
    d = len(sizes)
    every, many = d * (d - 1) // 2, measured.table_count(epsilon, people, d)
    spent = 0.0 if many == every else epsilon * CHOICE
    pairs = measured.chosen(counted, merged, many, spent, people, rng)
    scale = many / (epsilon * (1 - SINGLES) - spent)
    return measured.joint(merged, measured.noisy(counted, pairs, scale, rng), scale, inf)


def _drawn(whole: Vector, singles: list[Noisy], kept: Kept, rng: np.random.Generator) -> Codes:
    """Records (DRAWN, q) of the joint; a value of the rest is drawn by its noisy count alone."""
    upto = np.cumsum(whole, axis=None)
    cells = np.searchsorted(upto, rng.random(DRAWN) * upto[-1], side="right")
    drawn = np.zeros((DRAWN, len(kept)), np.intp)
    drawn[:, _used(kept)] = np.stack(np.unravel_index(np.minimum(cells, whole.size - 1), whole.shape), axis=1)
    for j, ((count, variance), values) in enumerate(zip(singles, kept, strict=True)):
        other = drawn[:, j] == len(values)
        drawn[~other, j] = values[drawn[~other, j]]
        if other.any():
            rest = np.setdiff1d(np.arange(len(count)), values)
            rare = fitting.simplex(count[rest], max(float(count[rest].sum()), sqrt(float(variance.max()))))
            drawn[other, j] = rng.choice(rest, int(other.sum()), p=rare / rare.sum())
    return drawn


def _used(kept: Kept) -> list[int]:
    """The attributes that are axes of the joint; of the others nothing but single values is known."""
    return [j for j, values in enumerate(kept) if len(values)]
