"""Clusters: the records, the runs at the chosen point, and what no ε changes."""

import time
from dataclasses import replace
from typing import cast

from ldpapp.compute.memory import once, remember
from ldpapp.compute.surveys import kept, surveys
from ldpcore import data
from ldpcore.clusters import Clustering
from ldpcore.data.histogram import Missing
from ldpcore.study import Study, clusters
from ldpcore.study.clusters.facts import ClustersFacts, facts


def people(study: Study, table: data.Table) -> clusters.ClusterRecords:
    """The records of the columns that a study of clusters names. DataError or ValueError when there are none."""
    chosen = clusters.attributes(study, table)
    key = (table.digest, chosen, study.missing)
    return remember("people", 16, key, lambda: clusters.read(table, chosen, cast(Missing, study.missing)))


@once(64)
def _point(study: Study) -> Study:
    return replace(study, mechanisms=study.mechanisms[:1], axis="epsilon", grid=(), repetitions=1)


def played(study: Study, found: clusters.ClusterRecords, mechanism: str, repetition: int) -> Clustering:
    """One run at the study's own point; "" is K-modes on the same people from the same start."""
    point = _point(study)

    def play() -> Clustering:
        start = clusters.cell(point, found, clusters.current(point, found), repetition)
        return start.true if mechanism == "" else start.play(point, mechanism, point.epsilon, repetition)

    return remember("played", 64, (point, mechanism, repetition), play)


def known(study: Study, found: clusters.ClusterRecords, seconds: float = 1.5) -> ClustersFacts:
    """What is known at the study's own point: of as many starts as the time allows, at least one, by all methods."""
    end, most = time.monotonic() + seconds, len(study.mechanisms)
    for done, _ in surveys(study, found):
        if done >= most and time.monotonic() > end:
            break
    return facts(study, found, kept(study, found))
