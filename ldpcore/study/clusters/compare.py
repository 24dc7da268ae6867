"""Clusterings side by side, and what their messages give away: what the rows of a study of clusters are read for.

>>> from ldpcore import Source, Study, data, run
>>> from ldpcore.study import clusters
>>> columns = ("sex", "condition", "smoking")
>>> study = Study(Source("health"), "condition", mechanisms=("LDPK", "Fresh"), grid=(), repetitions=2, task="clusters")
>>> study = study.with_options(columns=columns)
>>> people = clusters.prepare(study, data.load("health"))
>>> here = clusters.cell(study, people, clusters.current(study, people), repetition=0)
>>> runs = {key: here.play(study, key, study.epsilon, 0) for key in study.mechanisms}
>>> {name: round(one.right, 2) for name, one in side_by_side(here.records, here.true, runs).items()}
{'k-modes': 1.0, 'LDPK': 1.0, 'Fresh': 0.7}
>>> round(untouched(study, people), 2)  # what the starts score while nobody has learned anything: more than Fresh
0.91
>>> given = leaks(study, people, run(study)).set_index(["mechanism", "column"]).loc["LDPK"]
>>> given.loc["condition", ["blind", "mean", "promised"]].astype(float).round(2).to_dict()
{'blind': 0.45, 'mean': 0.46, 'promised': 0.45}
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore.clusters import (
    Clustering,
    Records,
    accuracy,
    by_open,
    frequencies,
    matching,
    nameable,
    nameable_beside,
    nearest,
)
from ldpcore.clusters.scores import contingency
from ldpcore.rng import stream
from ldpcore.study import clusters
from ldpcore.study.clusters import ClusterRecords
from ldpcore.study.clusters.grading import epsilons
from ldpcore.study.definition import Study

TRUE = "k-modes"
"""The name of the true clusters: those of K-modes on the same people from the same start."""


@dataclass(frozen=True, eq=False)
class Matched:
    """One clustering in the order of the true clusters, the largest first.

    modes: codes (k, q). shares: of the people in each cluster (k,), sum 1. right: share of the people in the cluster
    that stands for their true one (AC).
    """

    modes: NDArray[np.intp]
    shares: NDArray[np.float64]
    right: float


def side_by_side(records: Records, true: Clustering, runs: Mapping[str, Clustering]) -> dict[str, Matched]:
    """The true clusters under the name `TRUE`, and of each run those that stand for them, by name.

    Matched one to one so that most people agree (Hungarian; theory/clusters#scores). Every cluster has a partner, also
    one that is empty in the truth or in the run. ValueError for a run with another number of clusters.
    """
    k, labels = true.k, nearest(records, true.modes)
    sizes = np.bincount(labels, records.counts, k) / records.n
    order = np.argsort(-sizes, kind="stable")
    out = {TRUE: Matched(true.modes[order], sizes[order], 1.0)}
    for name, run in runs.items():
        if run.k != k:
            raise ValueError(f"{name} has {run.k} clusters and the truth {k}; give runs with the same k")
        assigned = nearest(records, run.modes)
        table = np.zeros((k, k))
        seen = contingency(assigned, labels, records.counts)
        table[: seen.shape[0], : seen.shape[1]] = seen
        stands = np.argsort(matching(table))[order]
        out[name] = Matched(run.modes[stands], table.sum(axis=1)[stands], accuracy(assigned, labels, records.counts))
    return out


def modes(people: ClusterRecords, shown: Mapping[str, Matched]) -> pd.DataFrame:
    """A row for each cluster and column: its mode in the truth, and in each run, by the names of `side_by_side`."""
    return pd.DataFrame(
        [
            {"cluster": r + 1, "column": name} | {key: domain.labels[one.modes[r, j]] for key, one in shown.items()}
            for r in range(len(shown[TRUE].modes))
            for j, (name, domain) in enumerate(zip(people.columns, people.domains, strict=True))
        ]
    )


def untouched(study: Study, people: ClusterRecords) -> float:
    """Mean AC of the study's starts themselves, at its chosen k and n: what a method has that learns nothing.

    Over all of the study's repetitions, so that it compares with the mean of a method's rows. No ε and no method
    changes it; k and n do.
    """
    return float(started(study, people).mean())


def started(study: Study, people: ClusterRecords) -> NDArray[np.float64]:
    """The same start by start, (repetitions,): a method from that start is paired with it."""
    shares = []
    for repetition in range(study.repetitions):
        point = clusters.cell(study, people, clusters.current(study, people), repetition)
        labels, true = (nearest(point.records, modes) for modes in (point.start, point.true.modes))
        shares.append(accuracy(labels, true, point.records.counts))
    return np.array(shares)


@dataclass(frozen=True)
class Limits:
    """Between which two shares of right guesses every promise of ε lies."""

    blind: float
    """Guessed right without any message: the share of the commonest value."""
    promised: float
    """The most that anybody names right from any reports within ε: of people, as `blind` is; not how sure of one."""


def limits(people: ClusterRecords, column: str, epsilon: float) -> Limits:
    """Of one column of the records (theory/clusters#what-epsilon-allows). ValueError for a column that they lack."""
    if column not in people.columns:
        raise ValueError(f"{column!r} is not among the columns of the records, {', '.join(people.columns)}")
    shares = frequencies(people.records)[people.columns.index(column)]
    return Limits(float(shares.max()), nameable(shares, epsilon))


def open_limits(study: Study, people: ClusterRecords, column: str) -> Limits:
    """The same for one who also sees the columns that are not marked: `blind` is then what these alone tell.

    It is measured like every other leak, by an adversary who knows half of the people, and is 1 where the column is
    open itself. No report within its ε lets more people be named than `promised`, whatever goes with what
    (theory/clusters#graded-attributes). ValueError for a column that the records lack.
    """
    place = people.columns.index(column) if column in people.columns else -1
    if place < 0:
        raise ValueError(f"{column!r} is not among the columns of the records, {', '.join(people.columns)}")
    budgets = epsilons(study, people.columns, study.epsilon)
    if budgets[place] == inf:
        return Limits(1.0, 1.0)
    if all(each < inf for each in budgets):
        return limits(people, column, budgets[place])
    seen = float(by_open(people.records, None, study.epsilon, stream(study.seed, "open"), budgets)[place])
    return Limits(seen, nameable_beside(seen, budgets[place]))


def guessed(rows: pd.DataFrame, mechanism: str, column: str) -> NDArray[np.float64] | None:
    """Of a study's rows: the share of the people whose column is guessed, start by start (r,).

    None where no attack on this method is known, or where the study left attacks out.
    """
    chosen = rows[(rows["metric"] == "guessed") & (rows["mechanism"] == mechanism) & (rows["scope"] == column)]
    return chosen.sort_values("repetition")["value"].to_numpy(float) if len(chosen) else None


def leaks(study: Study, people: ClusterRecords, rows: pd.DataFrame) -> pd.DataFrame:
    """What the messages of each method say about each column, in shares of the people.

    column, mechanism, blind, promised (see `Limits`, at the study's ε), mean, least and most: of the share guessed
    right over the method's starts, no interval; NaN where no attack on it is known.
    """
    guessed = rows[rows["metric"] == "guessed"].sort_values("repetition")
    by_pair = {pair: values.to_numpy(float) for pair, values in guessed.groupby(["mechanism", "scope"])["value"]}
    out = []
    for column in people.columns:
        bounds = limits(people, column, study.epsilon)
        for key in study.mechanisms:
            values = by_pair.get((key, column))
            spread = (np.nan,) * 3 if values is None else (values.mean(), values.min(), values.max())
            out.append((column, key, bounds.blind, bounds.promised, *spread))
    return pd.DataFrame(out, columns=["column", "mechanism", "blind", "promised", "mean", "least", "most"])
