"""Drawing people from published counts. Only Generator.random is used: its stream is the same in every numpy."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray


def exact(rng: np.random.Generator, counts: ArrayLike) -> NDArray[np.intp]:
    """Codes (n,) with exactly these counts (k,), in random order."""
    repeats = np.asarray(counts, np.intp)
    codes = np.repeat(np.arange(len(repeats)), repeats)
    return codes[np.argsort(rng.random(len(codes)), kind="stable")]


def pick(rng: np.random.Generator, weights: NDArray[np.float64]) -> NDArray[np.intp]:
    """One code per row of weights (n, k), each in proportion to its weight."""
    cumulative = np.cumsum(weights, axis=1)
    point = rng.random(len(weights)) * cumulative[:, -1]
    return np.minimum((point[:, None] >= cumulative).sum(axis=1), weights.shape[1] - 1)


def rake(affinity: NDArray[np.float64], rows: ArrayLike, columns: ArrayLike) -> NDArray[np.float64]:
    """The table (groups, values) with these margins that keeps the odds ratios of the affinities.

    Iterative proportional fitting. rows: people per group. columns: the published count of each value, which may be for
    another number of people.
    """
    table = affinity.astype(float)
    wanted_rows = np.asarray(rows, float)
    wanted_columns = np.asarray(columns, float) * wanted_rows.sum() / np.sum(columns)
    for _ in range(200):
        table *= (wanted_columns / table.sum(axis=0))[None, :]
        table *= (wanted_rows / np.maximum(table.sum(axis=1), 1e-12))[:, None]
    return table


def given(
    rng: np.random.Generator,
    groups: NDArray[np.intp],
    affinity: NDArray[np.float64],
    counts: Mapping[str, int] | Sequence[float],
) -> NDArray[np.intp]:
    """A code per person, dependent on the person's group, with about the published counts overall."""
    columns = list(counts.values()) if isinstance(counts, Mapping) else list(counts)
    table = rake(affinity, np.bincount(groups, minlength=len(affinity)), columns)
    return pick(rng, table[groups])


def affinities(groups: int, values: Sequence[str], raised: Mapping[str, Mapping[int, float]]) -> NDArray[np.float64]:
    """A table of ones (groups, values) but for the named ones: {value: {group: times as likely}}."""
    table = np.ones((groups, len(values)))
    for value, factors in raised.items():
        for group, factor in factors.items():
            table[group, list(values).index(value)] = factor
    return table


def named(labels: Sequence[str], codes: NDArray[np.intp]) -> NDArray[np.object_]:
    """Codes → labels."""
    return np.array(list(labels), object)[codes]
