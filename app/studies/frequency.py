"""Frequency: which values are marked in one column, and the mechanisms compared on it."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import streamlit as st

import controls
import state
from ldpcore import catalog, data
from ldpcore.study import Study
from studies import parts

DEFAULT_MECHANISMS = ("GRR", "OUE", "SS", "uRR", "uOUE", "uSS", "SDGRR")
GROUPS = parts.by_promise(catalog.FREQUENCY)
VIEW = {
    "view_scope": tuple(controls.SCOPES),
    "view_quantity": tuple(controls.QUANTITIES),
    "view_estimator": tuple(controls.ESTIMATORS),
    "view_prior": tuple(controls.PRIORS),
    "view_attacked": ("sensitive", "other", "all"),
    "plane": (False, True),
}


def columns(source: data.Table) -> list[str]:
    """Columns with answers to count: categories, and numbers once they are binned."""
    return state.countable(source)


def default_column(source: data.Table) -> str:
    return state.default_countable(source)


def start() -> None:
    choose_mechanisms(DEFAULT_MECHANISMS)


def beside_data(place: Any) -> None:
    parts.column(place)


def sidebar() -> None:
    parts.marks_summary()
    parts.epsilon()
    parts.groups(GROUPS, "pills")
    parts.repetitions_and_seed()


def mechanisms() -> tuple[str, ...]:
    chosen = {key for group in GROUPS for key in st.session_state[f"pills_{group}"] or ()}
    return tuple(key for key in catalog.FREQUENCY if key in chosen)


def choose_mechanisms(keys: Iterable[str]) -> None:
    chosen = set(keys)
    for group, members in GROUPS.items():
        st.session_state[f"pills_{group}"] = [key for key in members if key in chosen]


def shown() -> Study:
    """The Study that the sidebar and the marks describe; with the usual mechanisms while none is chosen."""
    arms = state.arms()
    return replace(
        state.base(),
        arms=tuple(arms if st.session_state.compare else arms[:1]),
        mechanisms=mechanisms() or DEFAULT_MECHANISMS,
    )


def current() -> Study:
    """The same, over the axis that the view shows."""
    study, counted = shown(), state.counted()
    axis = st.session_state.get("view_axis", "epsilon")
    return replace(study, axis=axis, grid=controls.grids(axis, study, counted)[0])


def adopt(wanted: Study, source: data.Table, marks: bool, mechanisms: bool) -> None:
    if mechanisms:
        choose_mechanisms(state.known(wanted.mechanisms, catalog.FREQUENCY, "mechanisms") or DEFAULT_MECHANISMS)
    st.session_state.update(compare=len(wanted.arms) > 1, view_axis=wanted.axis)
    if state.adopt_column(wanted, source, columns(source), default_column(source)) and marks:
        state.adopt_marks(wanted, source)
