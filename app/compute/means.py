"""Means: the column of numbers, repeats, guesses, people who choose, and the limit of the mean."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from compute.session import remember, store
from ldpcore import data
from ldpcore.study import Study, means, to_json
from means import data as means_data
from means import personal as means_personal
from means.personal import Choice


@st.cache_data(scope="session", max_entries=16, show_spinner=False)
def _numbers(digest: str, column: str, missing: str, bins: object, marks: object, _study: Study, _table: data.Table):
    return means.prepare(_study, _table)


def numbers(study: Study, table: data.Table) -> means.Numbers:
    """The study's column of numbers within its public range. DataError or ValueError where there is none."""
    marks = tuple(arm.marks for arm in study.arms)
    return _numbers(table.digest, study.column, study.missing, study.bins, marks, study, table)


@st.cache_data(scope="session", max_entries=64, show_spinner=False)
def _repeat(digest: str, study_json: str, mechanism: str, _study: Study, _data: means.Numbers):
    return means_data.repeat(_study, _data, mechanism)


def repeat(study: Study, found: means.Numbers, mechanism: str) -> means_data.Repeat | None:
    """What an exact repeat gives away, and what a grid changes."""
    return _repeat(study.data.digest, to_json(replace(study, repetitions=1)), mechanism, study, found)


@st.cache_data(scope="session", max_entries=64, show_spinner=False)
def _guesses(digest: str, study_json: str, epsilons: tuple[float, ...], _study: Study, _data: means.Numbers):
    rows = pd.concat([means.theory(means.at(_study, e), _data) for e in epsilons], ignore_index=True)
    return rows[rows["metric"] == "guessed"]


def guesses(study: Study, found: means.Numbers, epsilons: tuple[float, ...], delta: float) -> pd.DataFrame:
    """Exact chance of a guess within ±delta, each mechanism and scope at every ε."""
    asked = replace(study, epsilon=1.0, grid=(), repetitions=1).with_options(attacks=0, estimates=(), delta=delta)
    parts = [replace(asked, mechanisms=(key,)) for key in study.mechanisms]
    return pd.concat([_guesses(study.data.digest, to_json(p), epsilons, p, found) for p in parts], ignore_index=True)


@st.cache_data(scope="session", max_entries=64, show_spinner=False)
def _blind(digest: str, study_json: str, delta: float, _study: Study, _data: means.Numbers):
    return means_personal.blind(_study, _data, delta)


def blind(study: Study, found: means.Numbers, delta: float) -> tuple[float, dict[str, float]]:
    """The best guess without a report, and how many of each scope it covers."""
    asked = replace(study, epsilon=1.0, grid=(), repetitions=1, mechanisms=("SDPM",))
    return _blind(study.data.digest, to_json(asked), delta, asked, found)


@st.cache_data(scope="session", max_entries=64, show_spinner=False)
def _personal(
    digest: str, study_json: str, choice: Choice, epsilons: tuple[float, ...], _study: Study, _data: means.Numbers
) -> pd.DataFrame:
    return means_personal.errors(_study, _data, choice, epsilons)


def personal(study: Study, found: means.Numbers, choice: Choice, epsilons: tuple[float, ...]) -> pd.DataFrame:
    """Exact errors of SDPM where each person chooses their marks, beside those where all mark alike."""
    here = replace(means_personal.study(study, choice, found.interval), epsilon=1.0, repetitions=1)
    return _personal(study.data.digest, to_json(here), choice, epsilons, here, found)


@st.cache_data(max_entries=16, show_spinner=False)
def theorem(low: tuple[float, float], epsilons: tuple[float, ...], unit: float) -> means_data.Variances:
    """Largest variance of an unmarked SDPM report, of a PM report, and Theorem 4's, at every ε."""
    return means_data.variances(low, epsilons, unit)


def limit(study: Study, found: means.Numbers, promise: str, epsilon: float, wait: bool = False) -> float | None:
    """n times the least variance of the mean at this ε; None while nobody has waited for it."""
    key = (study.data.digest, study.column, study.missing, study.bins, study.arms[0].marks, promise, epsilon)
    if not wait:
        return store("means_limits").get(key)
    return remember("means_limits", 256, key, lambda: means_data.limit(study, found, promise, epsilon))
