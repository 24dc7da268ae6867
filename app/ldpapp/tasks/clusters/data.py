"""What the Clusters page shows, as plain tables and numbers: no Streamlit, no figure."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ldpcore import catalog
from ldpcore.clusters import Clustering, Records, accuracy, marginal, matching, nearest, promised
from ldpcore.clusters.scores import contingency
from ldpcore.study import Study, clusters
from ldpcore.study.clusters import Cell, People

CATALOG = catalog.CLUSTERINGS
TRUE = "k-modes"
"""The name under which the true clusters are shown."""


@dataclass(frozen=True)
class Shown:
    """One run of a method beside the truth: its modes in the order of the true clusters, and how many it has right."""

    name: str
    modes: list[list[int]]
    shares: list[float]
    right: float


def side_by_side(records: Records, true: Clustering, runs: dict[str, Clustering]) -> list[Shown]:
    """The true clusters, largest first, and each method's that stand for them (Hungarian matching)."""
    k, labels = true.k, nearest(records, true.modes)
    sizes = np.bincount(labels, records.counts, k) / records.n
    order = np.argsort(-sizes, kind="stable")
    out = [Shown(TRUE, true.modes[order].tolist(), sizes[order].tolist(), 1.0)]
    for name, found in runs.items():
        own = nearest(records, found.modes)
        # Every cluster has a partner, also one that is empty in the truth or here.
        table = np.zeros((k, k))
        seen = contingency(own, labels, records.counts)
        table[: seen.shape[0], : seen.shape[1]] = seen
        stands = np.argsort(matching(table))[order]
        modes, shares = found.modes[stands], table.sum(axis=1)[stands]
        out.append(Shown(name, modes.tolist(), shares.tolist(), accuracy(own, labels, records.counts)))
    return out


def guessed(rows: pd.DataFrame, mechanism: str, column: str) -> np.ndarray | None:
    """Share guessed right in every run (r,), or None where no attack on this method is known."""
    chosen = rows[(rows["metric"] == "guessed") & (rows["mechanism"] == mechanism) & (rows["scope"] == column)]
    return chosen.sort_values("repetition")["value"].to_numpy(float) if len(chosen) else None


def untouched(study: Study, people: People) -> float:
    """Mean AC of the starts themselves, never updated: what a method has that learns nothing."""
    found = []
    for repetition in range(min(study.repetitions, 10)):
        here: Cell = clusters.cell(study, people, clusters.current(study, people), repetition)
        labels, true = (nearest(here.records, modes) for modes in (here.start, here.true.modes))
        found.append(accuracy(labels, true, here.records.counts))
    return float(np.mean(found))


@dataclass(frozen=True)
class Limits:
    """Of 1: how often the attacked column is guessed without any message, and at most from reports within ε."""

    blind: float
    promised: float


def limits(people: People, column: str, epsilon: float) -> Limits:
    blind = float(marginal(people.records)[people.columns.index(column)])
    return Limits(blind, promised(blind, epsilon))


def record_of(records: Records, person: int) -> list[int]:
    """The answers of one person, numbered from 0."""
    if records.kind is not None:
        return records.codes[records.kind[person]].tolist()
    return records.codes[int(np.searchsorted(np.cumsum(records.counts), person, side="right"))].tolist()
