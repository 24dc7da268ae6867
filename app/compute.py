"""The only caches of the app. Keys are digests and studies, never data: Streamlit hashes large data by sample."""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

import pandas as pd
import streamlit as st

import cluster_data
import means_data
import means_personal
import range_data
from ldpcore import data, limit, ranges
from ldpcore.clusters import Clustering
from ldpcore.data.table import Missing
from ldpcore.itemsets import Leak, Mined, leak
from ldpcore.rng import stream
from ldpcore.study import Study, clusters, frequency, itemsets, means, tasks, to_json
from means_personal import Choice
from paper_work import Bench

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
def _theory(digest: str, study_json: str, _study: Study, _data: Any) -> pd.DataFrame:
    return tasks.of(_study).theory(_study, _data)


def theory(study: Study, counted: Any) -> pd.DataFrame:
    """Closed forms of every mechanism and arm at the study's points, each mechanism cached for itself."""
    parts = [replace(study, mechanisms=(key,)) for key in study.mechanisms]
    return pd.concat([_theory(study.data.digest, to_json(part), part, counted) for part in parts], ignore_index=True)


def _base(study: Study) -> dict[str, str]:
    """What the pieces of each mechanism depend on, without the other mechanisms and repetitions around them."""
    return {key: to_json(replace(study, mechanisms=(key,), repetitions=1)) for key in study.mechanisms}


def _pieces(study: Study, counted: Any) -> list[tuple[tuple, Any]]:
    """The study's pieces, whatever its task, and what tells each from all others."""
    base, todo = _base(study), tasks.of(study).chunks(study, counted)
    todo = cast(Sequence[Any], todo)
    return [(getattr(c, "identity", None) or (base[c.mechanism], c.arm, c.repetition), c) for c in todo]


def _store() -> OrderedDict[tuple, pd.DataFrame]:
    return st.session_state.setdefault("simulated", OrderedDict())


def surveys(study: Study, counted: Any) -> Iterator[tuple[int, int]]:
    """Simulate what this session has not simulated before, piece by piece: (done, total) after each new one."""
    store = _store()
    todo = _pieces(study, counted)
    missing = [(key, chunk) for key, chunk in todo if key not in store]
    for new, (key, chunk) in enumerate(missing, 1):
        store[key] = chunk()
        while len(store) > KEPT:
            store.popitem(last=False)
        yield len(todo) - len(missing) + new, len(todo)


def progress(study: Study, counted: Any) -> tuple[int, int]:
    """How many pieces of this study are simulated, and how many there are."""
    store, todo = _store(), _pieces(study, counted)
    return sum(key in store for key, _ in todo), len(todo)


def kept(study: Study, counted: Any) -> pd.DataFrame:
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


def runs(study: Study, found: clusters.People, seconds: float = 1.5) -> pd.DataFrame:
    """The rows of the study's own point, as many repetitions as the time allows; at least one of every method."""
    end, most = time.monotonic() + seconds, len(study.mechanisms)
    for done, _ in surveys(study, found):
        if done >= most and time.monotonic() > end:
            break
    return kept(study, found)


def played(study: Study, found: clusters.People, mechanism: str, repetition: int) -> Clustering:
    """One run at the study's own point; "" is K-modes on the same people from the same start."""
    point = replace(study, mechanisms=("LDPK",), axis="epsilon", grid=(), repetitions=1)
    return _played(study.data.digest, to_json(point), mechanism, repetition, point, found)


# itemsets --------------------------------------------------------------------------------------------------------


def _bounded(name: str, most: int, key: object, make: Callable[[], Any]) -> Any:
    """From a store of this session that keeps the `most` last things."""
    store: OrderedDict[object, Any] = st.session_state.setdefault(name, OrderedDict())
    if key not in store:
        store[key] = make()
        while len(store) > most:
            store.popitem(last=False)
    store.move_to_end(key)
    return store[key]


def baskets(study: Study, table: data.Table) -> itemsets.Baskets:
    """The study's baskets, with all that is counted of them. DataError or ValueError where they cannot be mined."""
    made = itemsets.prepare(study, table)
    return _bounded("baskets", 4, (table.digest, study.column), lambda: made)


def mined(study: Study, found: itemsets.Baskets, mechanism: str, repetition: int = 0) -> Mined:
    """One run at the study's own point."""
    x, arm = itemsets.current(study), study.arms[0].name
    key = itemsets.Chunk(study, found, arm, mechanism, x, repetition).identity
    return _bounded("mined", 48, key, lambda: itemsets.mine(study, found, arm, mechanism, x, repetition))


def leaking(study: Study, found: itemsets.Baskets, s: float, taken: int | None) -> Leak:
    """The neighbours that show DFDP's leak at this s. ValueError where there are none."""
    here = itemsets.ground(study, found, study.arms[0].name, itemsets.current(study))
    asked = itemsets.question(study, itemsets.current(study))
    key = (study.data.digest, study.column, here.least, here.withheld, here.max_length, s, asked.clip, taken)
    return _bounded(
        "leaks",
        16,
        key,
        lambda: leak(here.released, here.least, s, clip=asked.clip, taken=taken, levels=here.candidates),
    )


# means -----------------------------------------------------------------------------------------------------------


@st.cache_data(scope="session", max_entries=16, show_spinner=False)
def _numbers(digest: str, column: str, missing: str, bins: object, marks: object, _study: Study, _table: data.Table):
    return means.prepare(_study, _table)


def numbers(study: Study, table: data.Table) -> means.Numbers:
    """The study's column of numbers within its public range. DataError or ValueError where there is none."""
    marks = tuple(arm.marks for arm in study.arms)
    return _numbers(table.digest, study.column, study.missing, study.bins, marks, study, table)


@st.cache_data(scope="session", max_entries=256, show_spinner=False)
def _means_theory(digest: str, study_json: str, _study: Study, _data: means.Numbers) -> pd.DataFrame:
    return means.theory(_study, _data)


def means_theory(study: Study, found: means.Numbers) -> pd.DataFrame:
    """Closed forms of every mechanism at the study's points, each mechanism cached for itself."""
    parts = [replace(study, mechanisms=(key,), repetitions=1) for key in study.mechanisms]
    return pd.concat([_means_theory(study.data.digest, to_json(p), p, found) for p in parts], ignore_index=True)


@st.cache_data(scope="session", max_entries=64, show_spinner=False)
def _repeat(digest: str, study_json: str, mechanism: str, _study: Study, _data: means.Numbers):
    return means_data.repeat(_study, _data, mechanism)


def repeat(study: Study, found: means.Numbers, mechanism: str) -> means_data.Repeat | None:
    """What an exact repeat gives away, and what a grid changes."""
    return _repeat(study.data.digest, to_json(replace(study, repetitions=1)), mechanism, study, found)


@st.cache_data(scope="session", max_entries=64, show_spinner=False)
def _means_guesses(digest: str, study_json: str, epsilons: tuple[float, ...], _study: Study, _data: means.Numbers):
    rows = pd.concat([means.theory(means.at(_study, e), _data) for e in epsilons], ignore_index=True)
    return rows[rows["metric"] == "guessed"]


def means_guesses(study: Study, found: means.Numbers, epsilons: tuple[float, ...], delta: float) -> pd.DataFrame:
    """Exact chance of a guess within ±delta, each mechanism and scope at every ε."""
    asked = replace(study, epsilon=1.0, grid=(), repetitions=1).with_options(attacks=0, estimates=(), delta=delta)
    parts = [replace(asked, mechanisms=(key,)) for key in study.mechanisms]
    return pd.concat(
        [_means_guesses(study.data.digest, to_json(p), epsilons, p, found) for p in parts], ignore_index=True
    )


@st.cache_data(scope="session", max_entries=64, show_spinner=False)
def _means_blind(digest: str, study_json: str, delta: float, _study: Study, _data: means.Numbers):
    return means_personal.blind(_study, _data, delta)


def means_blind(study: Study, found: means.Numbers, delta: float) -> tuple[float, dict[str, float]]:
    """The best guess without a report, and how many of each scope it covers."""
    asked = replace(study, epsilon=1.0, grid=(), repetitions=1, mechanisms=("SDPM",))
    return _means_blind(study.data.digest, to_json(asked), delta, asked, found)


@st.cache_data(scope="session", max_entries=64, show_spinner=False)
def _means_personal(
    digest: str, study_json: str, choice: Choice, epsilons: tuple[float, ...], _study: Study, _data: means.Numbers
) -> pd.DataFrame:
    return means_personal.errors(_study, _data, choice, epsilons)


def means_personal_errors(
    study: Study, found: means.Numbers, choice: Choice, epsilons: tuple[float, ...]
) -> pd.DataFrame:
    """Exact errors of SDPM where each person chooses their marks, beside those where all mark alike."""
    here = replace(means_personal.study(study, choice, found.interval), epsilon=1.0, repetitions=1)
    return _means_personal(study.data.digest, to_json(here), choice, epsilons, here, found)


@st.cache_data(max_entries=16, show_spinner=False)
def theorem(low: tuple[float, float], epsilons: tuple[float, ...], unit: float) -> means_data.Variances:
    """Largest variance of an unmarked SDPM report, of a PM report, and Theorem 4's, at every ε."""
    return means_data.variances(low, epsilons, unit)


# papers ----------------------------------------------------------------------------------------------------------


@st.cache_resource(show_spinner=False)
def bench() -> Bench:
    """Where the papers' claims are checked, one for all sessions: nobody's data are on it."""
    return Bench()


def mean_limit(study: Study, found: means.Numbers, promise: str, epsilon: float, wait: bool = False) -> float | None:
    """n times the least variance of the mean at this ε; None while nobody has waited for it."""
    store = st.session_state.setdefault("means_limits", OrderedDict())
    key = (study.data.digest, study.column, study.missing, study.bins, study.arms[0].marks, promise, epsilon)
    if key not in store and wait:
        store[key] = means_data.limit(study, found, promise, epsilon)
        while len(store) > 256:
            store.popitem(last=False)
    return store.get(key)
