"""K-modes (Huang 1997): the nearest mode by Hamming distance, then the commonest value of each attribute.

Ties go to the lowest cluster and the lowest code, an empty cluster keeps its mode; so cost never rises and it ends.
"""

from collections.abc import Callable, Sequence
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.clusters.records import Codes, Records, number_of_clusters, starting_modes
from ldpcore.clusters.result import Clustering, Message

Update = Callable[[Codes, Codes], Codes]
"""The label of each kind (c,) and the modes that gave it (k, q) → the next modes."""


def nearest(records: Records, modes: Codes) -> Codes:
    """The nearest mode of each kind of record, (c,); ties: the lowest."""
    agreement = np.zeros((len(modes), len(records.counts)), np.int16)
    for column, mode in zip(records.columns, modes.T, strict=True):
        agreement += column == mode[:, None]
    return agreement.argmax(axis=0)


def tables(records: Records, labels: Codes, k: int) -> list[NDArray]:
    """How many people of each cluster hold each value: (k, levels[j]) for every attribute."""
    return [
        np.bincount(labels * d + column, records.counts, k * d).reshape(k, d)
        for column, d in zip(records.columns, records.levels, strict=True)
    ]


def cost(records: Records, modes: Codes) -> int:
    """Disagreements between all people and their nearest mode."""
    differs = (records.codes != modes[nearest(records, modes)]).sum(axis=1)
    return int(records.counts @ differs)


def lloyd(records: Records, start: Codes, update: Update, most: int) -> tuple[Codes, Codes]:
    """Rounds until any earlier set of modes comes back, at most `most`: the last modes, and those sent (rounds, k, q).

    An update without noise of its own that has come back once would go round for ever.
    """
    modes, sent = start, [start]
    seen = {start.tobytes()}
    while True:
        modes = update(nearest(records, modes), modes)
        if modes.tobytes() in seen or len(sent) == most:
            return modes, np.stack(sent)
        seen.add(modes.tobytes())
        sent.append(modes)


def finish(records: Records, modes: Codes, sent: Codes, messages: tuple[Message, ...] = ()) -> Clustering:
    return Clustering(records.everyone(nearest(records, modes)), modes, len(sent), sent, messages)


def prepare(
    X: ArrayLike | Records, k: int, levels: Sequence[int] | None, start: Codes | None, rng: np.random.Generator
) -> tuple[Records, Codes]:
    """Checked records, and the modes to start from: the first thing every method draws."""
    records = Records.of(X, levels)
    k = number_of_clusters(k, records)
    if start is None:
        return records, starting_modes(records.levels, k, rng)
    given = np.asarray(start)
    fits = given.shape == (k, records.q) and np.issubdtype(given.dtype, np.integer)
    if not fits or given.min() < 0 or (given >= np.array(records.levels)).any():
        raise ValueError(f"start must hold {k} tuples of {records.q} codes of the domain, got shape {given.shape}")
    return records, cast(Codes, given.astype(np.intp))


def kmodes(
    X: ArrayLike | Records,
    k: int,
    rng: np.random.Generator,
    *,
    levels: Sequence[int] | None = None,
    start: Codes | None = None,
    most: int = 100,
) -> Clustering:
    """K-modes of int codes X (n, q) from k random tuples of the domain; no protection. ValueError for bad records."""
    records, modes = prepare(X, k, levels, start, rng)

    def update(labels: Codes, modes: Codes) -> Codes:
        counted = tables(records, labels, len(modes))
        return updated(modes, counted, counted)

    modes, sent = lloyd(records, modes, update, most)
    return finish(records, modes, sent)


def updated(modes: Codes, scores: Sequence[NDArray], heard: Sequence[NDArray]) -> Codes:
    """The best-scoring value of every attribute; where nobody of a cluster was heard, the mode stays."""
    best = np.stack([score.argmax(axis=1) for score in scores], axis=1)
    silent = np.stack([counts.sum(axis=1) == 0 for counts in heard], axis=1)
    return np.where(silent, modes, best)
