"""Means: the column of numbers, repeats, guesses, people who choose, and the limit of the mean."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from ldpapp.compute.memory import once, remember, store
from ldpcore import data
from ldpcore.domain import Interval
from ldpcore.study import Study, means
from ldpcore.study.means import limit as limits
from ldpcore.study.means import personal as means_personal
from ldpcore.study.means import repeats, reports
from ldpcore.study.means.personal import PersonalMarks, Studies


def numbers(study: Study, table: data.Table) -> means.NumberColumn:
    """The study's column of numbers within its public range. DataError or ValueError where there is none."""
    key = (table.digest, study.column, study.missing, study.bins, study.marks)
    return remember("numbers", 16, key, lambda: means.prepare(study, table))


@once(64)
def _single(study: Study) -> Study:
    """One survey of it: nothing below depends on how many there are."""
    return replace(study, repetitions=1)


def repeat(study: Study, found: means.NumberColumn, mechanism: str) -> repeats.Repeat | None:
    """What an exact repeat gives away, and what a grid changes."""
    asked = _single(study)
    return remember("repeats", 64, (asked, mechanism), lambda: repeats.repeat(study, found, mechanism))


@once(64)
def _guessing(study: Study, delta: float) -> dict[str, Study]:
    """Each mechanism alone, for this width of a winning guess."""
    asked = replace(study, grid=(), repetitions=1).anchored(1.0).with_options(delta=delta)
    return {key: replace(asked, mechanisms=(key,)) for key in study.mechanisms}


def guesses(study: Study, found: means.NumberColumn, epsilons: tuple[float, ...], delta: float) -> pd.DataFrame:
    """Exact chance of a guess within ±delta, each mechanism and scope at every ε."""
    parts = [
        remember("guesses", 64, (part, epsilons), lambda part=part: reports.guessed(part, found, epsilons))
        for part in _guessing(study, delta).values()
    ]
    return pd.concat(parts, ignore_index=True)


@once(64)
def _marking(study: Study, marking: PersonalMarks, public: Interval) -> Studies:
    return means_personal.studies(replace(study, epsilon=1.0, repetitions=1), marking, public)


def personal(
    study: Study, found: means.NumberColumn, marking: PersonalMarks, epsilons: tuple[float, ...]
) -> pd.DataFrame:
    """Exact errors of SDPM where each person chooses their marks, beside those where all mark alike."""
    base = _marking(study, marking, found.interval)
    key = (base, marking, epsilons)
    return remember("personal", 64, key, lambda: means_personal.errors(base, found, marking, epsilons))


@st.cache_data(max_entries=16, show_spinner=False)
def theorem(low: tuple[float, float], epsilons: tuple[float, ...], unit: float) -> repeats.Variances:
    """Largest variance of an unmarked SDPM report, of a PM report, and Theorem 4's, at every ε."""
    return repeats.variances(low, epsilons, unit)


def limit(study: Study, found: means.NumberColumn, promise: str, wait: bool = False) -> float | None:
    """n times the least variance of the mean at the study's ε; None while nobody has waited for it."""
    marks = () if promise == "LDP" else study.marks.levels  # which LDP does not know
    key = (study.data.digest, study.column, study.missing, study.bins, marks, promise, study.epsilon)
    if not wait:
        return store("means_limits").get(key)
    return remember("means_limits", 256, key, lambda: limits.least(study, found, promise, study.epsilon))
