"""The only caches of the app. Keys are digests and studies, never data: Streamlit hashes large data by sample."""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import cast

import pandas as pd
import streamlit as st

import range_data
from ldpcore import data, limit, ranges
from ldpcore.data.table import Missing
from ldpcore.rng import stream
from ldpcore.study import Study, frequency, to_json

KEPT = 3000
"""Simulated pieces kept per session; the oldest go first."""


@st.cache_resource(max_entries=8, show_spinner=False)
def bundled(name: str) -> data.Table:
    """A bundled data set, read once for all sessions: it is nobody's upload."""
    return data.load(name)


@st.cache_data(scope="session", max_entries=64, show_spinner=False)
def _histogram(
    digest: str, column: str, missing: str, bins: object, _study: Study, _table: data.Table
) -> data.Histogram:
    return frequency.histogram(_study, _table)


def histogram(study: Study, table: data.Table) -> data.Histogram:
    """The study's column, counted."""
    return _histogram(table.digest, study.column, study.missing, study.bins, study, table)


@st.cache_data(scope="session", max_entries=512, show_spinner=False)
def _theory(digest: str, study_json: str, _study: Study, _data: data.Histogram) -> pd.DataFrame:
    return frequency.theory(_study, _data)


def theory(study: Study, counted: data.Histogram) -> pd.DataFrame:
    """Closed forms of every mechanism and arm at the study's points, each mechanism cached for itself."""
    parts = [replace(study, mechanisms=(key,)) for key in study.mechanisms]
    return pd.concat([_theory(study.data.digest, to_json(part), part, counted) for part in parts], ignore_index=True)


def _base(study: Study) -> dict[str, str]:
    """What the pieces of each mechanism depend on, without the other mechanisms and repetitions around them."""
    return {key: to_json(replace(study, mechanisms=(key,), repetitions=1)) for key in study.mechanisms}


def _pieces(study: Study, counted: data.Histogram) -> list[tuple[tuple, frequency.Chunk]]:
    base = _base(study)
    return [((base[c.mechanism], c.arm, c.repetition), c) for c in frequency.chunks(study, counted)]


def _store() -> OrderedDict[tuple, pd.DataFrame]:
    return st.session_state.setdefault("simulated", OrderedDict())


def surveys(study: Study, counted: data.Histogram) -> Iterator[tuple[int, int]]:
    """Simulate what this session has not simulated before, piece by piece: (done, total) after each new one."""
    store = _store()
    todo = _pieces(study, counted)
    missing = [(key, chunk) for key, chunk in todo if key not in store]
    for new, (key, chunk) in enumerate(missing, 1):
        store[key] = chunk()
        while len(store) > KEPT:
            store.popitem(last=False)
        yield len(todo) - len(missing) + new, len(todo)


def progress(study: Study, counted: data.Histogram) -> tuple[int, int]:
    """How many pieces of this study are simulated, and how many there are."""
    store, todo = _store(), _pieces(study, counted)
    return sum(key in store for key, _ in todo), len(todo)


def kept(study: Study, counted: data.Histogram) -> pd.DataFrame:
    """The rows simulated so far."""
    store = _store()
    found = [store[key] for key, _ in _pieces(study, counted) if key in store]
    columns = ["arm", "mechanism", "x", "metric", "scope", "repetition", "value"]
    return pd.concat(found, ignore_index=True) if found else pd.DataFrame(columns=columns)


def detailed(study: Study, mechanism: str) -> Study:
    """The study of one mechanism at the chosen point alone: the one with a row for every value."""
    return replace(study, mechanisms=(mechanism,), arms=study.arms[:1], grid=()).with_options(attacks=0, priors=())


def details(study: Study, counted: data.Histogram, mechanism: str, seconds: float = 0.1) -> pd.DataFrame:
    """Every value's estimate in the surveys simulated so far: at least one, more as long as the time allows."""
    point, end = detailed(study, mechanism), time.monotonic() + seconds
    for _ in surveys(point, counted):
        if time.monotonic() > end:
            break
    return kept(point, counted)


def attacks(study: Study) -> int:
    """Reports attacked per survey."""
    return frequency.options(study)["attacks"]


@st.cache_data(scope="session", max_entries=128, show_spinner=False)
def limits(promise: str, epsilons: tuple[float, ...], k: int, marked: int, share: float, scope: str) -> list[float]:
    """n times the limit of the mean squared error over the scope, for each ε."""
    wanted = {"all": "mse", "sensitive": "sensitive", "other": "other"}[scope]
    found = limit.curve(promise, epsilons, k, marked, share=share, weight=scope)
    return [getattr(point, wanted) for point in found]


@st.cache_data(scope="session", max_entries=128, show_spinner=False)
def exposed_limits(
    epsilon: float, k: int, marked: int, share: float, scope: str, bounds: tuple[float, ...]
) -> list[float]:
    """n times the ULDP limit of the mean squared error over the scope, for each bound on the targeted success."""
    wanted = {"all": "mse", "sensitive": "sensitive"}[scope]
    found = (limit.best("ULDP", k, marked, epsilon, share=share, exposure=b, weight=scope) for b in bounds)
    return [getattr(point, wanted) for point in found]


# ranges ----------------------------------------------------------------------------------------------------------


@st.cache_data(scope="session", max_entries=64, show_spinner=False)
def _cells(
    digest: str, column: str, missing: str, bins: tuple[float, float, int], h: int, _table: data.Table
) -> range_data.Cells:
    values = _table.numbers(column, cast(Missing, missing))
    return range_data.of_numbers(values, bins[0], bins[1], h)


def cells(study: Study, table: data.Table, h: int) -> range_data.Cells:
    """The study's column as an ordered histogram: numbers in at most 2^h cells, or its categories."""
    if study.bins is None:
        counted = histogram(study, table)
        return range_data.of_categories(counted.domain.labels, counted.counts)
    return _cells(table.digest, study.column, study.missing, study.bins, h, table)


@st.cache_data(max_entries=64, show_spinner=False)
def range_experiment(seed: int, h: int) -> pd.DataFrame:
    """Privelet on 50 random ranges, 100 releases each, at ε = 1: the ratio to theory is that of every ε."""
    return ranges.table1(seed, h)


@st.cache_data(max_entries=16, show_spinner=False)
def range_averages(seed: int) -> pd.DataFrame:
    """Privelet's mean squared error over all ranges at N = 1 … 1024, 100 releases each, at ε = 1."""
    return ranges.table2(seed)


def search(
    size: int, key: str, workload: ranges.Workload | None, progress: Callable[[int, int], object] | None = None
) -> tuple[float, float]:
    """The mean Δ²c of the best strategy found by descent, and the bound below which none goes.

    `key` names the workload. Kept in the session: the ranges are the person's own.
    """
    store = st.session_state.setdefault("searched", {})
    if (size, key) not in store:
        found = ranges.optimised(size, stream(0, "ranges optimised", size), workload, progress=progress)
        mean = found.average_coefficient() if workload is None else workload.coefficient(found)
        store[size, key] = (found.sensitivity**2 * mean, ranges.svd_bound(size, workload))
    return store[size, key]


def searched(size: int, key: str) -> bool:
    return (size, key) in st.session_state.get("searched", {})
