"""Means: the column of numbers, Theorem 4, and the limit of the mean."""

import streamlit as st

from ldpapp.compute.memory import remember, waited
from ldpcore import data
from ldpcore.study import Study, means
from ldpcore.study.means import limit as limits
from ldpcore.study.means import repeats


def numbers(study: Study, table: data.Table) -> means.NumberColumn:
    """The study's column of numbers within its public range. DataError or ValueError where there is none."""
    key = (table.digest, study.column, study.missing, study.bins, study.marks)
    return remember("numbers", 16, key, lambda: means.prepare(study, table))


@st.cache_data(max_entries=16, show_spinner=False)
def theorem(low: tuple[float, float], epsilons: tuple[float, ...], unit: float) -> repeats.Variances:
    """Largest variance of an unmarked SDPM report, of a PM report, and Theorem 4's, at every ε."""
    return repeats.variances(low, epsilons, unit)


def limit(study: Study, found: means.NumberColumn, promise: str, wait: bool = False) -> float | None:
    """n times the least variance of the mean at the study's ε; None while nobody has waited for it."""
    marks = () if promise == "LDP" else study.marks.levels  # which LDP does not know
    key = (study.data.digest, study.column, study.missing, study.bins, marks, promise, study.epsilon)
    return waited("means_limits", 256, key, wait, lambda: limits.least(study, found, promise, study.epsilon))
