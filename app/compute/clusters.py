"""Clusters: the records, the runs at the chosen point, and what no ε changes."""

import time
from dataclasses import replace
from typing import cast

import pandas as pd
import streamlit as st

from clusters import data as cluster_data
from compute.surveys import kept, surveys
from ldpcore import data
from ldpcore.clusters import Clustering
from ldpcore.data.table import Missing
from ldpcore.study import Study, clusters, to_json


@st.cache_data(scope="session", max_entries=16, show_spinner=False)
def _people(digest: str, columns: tuple[str, ...], missing: str, _table: data.Table) -> clusters.People:
    return clusters.read(_table, columns, cast(Missing, missing))


def people(study: Study, table: data.Table) -> clusters.People:
    """The records of the columns that a study of clusters names. DataError or ValueError when there are none."""
    return _people(table.digest, clusters.columns(study, table), study.missing, table)


@st.cache_data(scope="session", max_entries=16, show_spinner=False)
def _untouched(digest: str, study_json: str, _study: Study, _people: clusters.People) -> float:
    return cluster_data.untouched(_study, _people)


def untouched(study: Study, found: clusters.People) -> float:
    """AC of the starts themselves, which no ε and no method changes."""
    base = replace(study, mechanisms=("LDPK",), epsilon=1.0)
    return _untouched(study.data.digest, to_json(base), base, found)


@st.cache_data(scope="session", max_entries=64, show_spinner=False)
def _played(
    digest: str, study_json: str, mechanism: str, repetition: int, _study: Study, _people: clusters.People
) -> Clustering:
    here = clusters.cell(_study, _people, clusters.current(_study, _people), repetition)
    return here.true if mechanism == "" else here.play(_study, mechanism, _study.epsilon, repetition)


def played(study: Study, found: clusters.People, mechanism: str, repetition: int) -> Clustering:
    """One run at the study's own point; "" is K-modes on the same people from the same start."""
    point = replace(study, mechanisms=("LDPK",), axis="epsilon", grid=(), repetitions=1)
    return _played(study.data.digest, to_json(point), mechanism, repetition, point, found)


def runs(study: Study, found: clusters.People, seconds: float = 1.5) -> pd.DataFrame:
    """The rows of the study's own point, as many repetitions as the time allows; at least one of every method."""
    end, most = time.monotonic() + seconds, len(study.mechanisms)
    for done, _ in surveys(study, found):
        if done >= most and time.monotonic() > end:
            break
    return kept(study, found)
