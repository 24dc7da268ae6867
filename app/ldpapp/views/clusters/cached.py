"""Clusters: the records, the runs at the chosen point, and what no ε changes."""

import time
from typing import cast

from ldpapp.compute.memory import remember
from ldpapp.compute.surveys import kept, surveys
from ldpcore import data
from ldpcore.clusters import Clustering
from ldpcore.data.histogram import Missing
from ldpcore.study import Study, clusters
from ldpcore.study.clusters import curves
from ldpcore.study.clusters.facts import ClustersFacts, facts


def people(study: Study, table: data.Table) -> clusters.ClusterRecords:
    """The records of the columns that a study of clusters names. DataError or ValueError when there are none."""
    chosen = clusters.attributes(study, table)
    key = (table.digest, chosen, study.missing)
    return remember("people", 16, key, lambda: clusters.read(table, chosen, cast(Missing, study.missing)))


def played(study: Study, found: clusters.ClusterRecords, mechanism: str, repetition: int) -> Clustering:
    """One run at the study's own point; "" is K-modes on the same people from the same start."""
    point = curves.one_start(study)
    key = point, mechanism, repetition
    return remember("played", 64, key, lambda: curves.played(point, found, mechanism, repetition))


def known(study: Study, found: clusters.ClusterRecords, seconds: float = 1.5) -> ClustersFacts:
    """What is known at the study's own point: of as many starts as the time allows, at least one, by all methods."""
    end, most = time.monotonic() + seconds, len(study.mechanisms)
    for done, _ in surveys(study, found):
        if done >= most and time.monotonic() > end:
            break
    return facts(study, found, kept(study, found))
