"""Ranges: the cells of one ordered column, and the strategies compared on them."""

from dataclasses import replace
from typing import Any

import streamlit as st

import state
from data_page.profiles import nothing
from ldpcore import data
from ldpcore.study import Study
from ldpcore.study import ranges as task
from ranges import data as range_data
from ranges import panels as range_panels
from studies import parts

VIEW = {
    "ranges_h": (range_data.DEFAULT_HEIGHT, *range_data.HEIGHTS),
    "ranges_one": ("Privelet", *range_data.NAMES),
    "ranges_two": ("Flat", *range_data.NAMES),
}


def columns(source: data.Table) -> list[str]:
    return state.countable(source)


def default_column(source: data.Table) -> str:
    return state.first_number(source)


def start() -> None:
    session = st.session_state
    session.update({key: values[0] for key, values in VIEW.items()})
    session.update(ranges_strategies_shown=list(range_data.NAMES), range_chosen={})


def beside_data(place: Any) -> None:
    parts.column(place)


def sidebar() -> None:
    parts.aside("Marks do not apply here: the noise protects <b>every person</b> alike, whatever the answer.")
    parts.epsilon()
    parts.pills("Strategies", range_data.NAMES, "ranges_strategies_shown")
    parts.seed("releases")


def current() -> Study:
    """The cells as bins of the Study, and the chosen range as the one asked."""
    source = state.table()
    if not columns(source):
        raise nothing(source)
    view = range_panels.current()
    first, last = view.chosen
    return replace(
        state.base(),
        task="ranges",
        mechanisms=tuple(range_data.KEYS[name] for name in view.names),
        bins=view.cells.bins,
        options=(("asked", (f"{first}:{last}",)),),
    )


def adopt(wanted: Study, source: data.Table, marks: bool, mechanisms: bool) -> None:
    session = st.session_state
    if mechanisms:
        names = {key: name for name, key in range_data.KEYS.items()}
        known = state.known(wanted.mechanisms, names, "strategies")
        session.ranges_strategies_shown = [names[key] for key in known] or list(range_data.NAMES)
    bins = wanted.bins
    if not state.adopt_column(replace(wanted, bins=None), source, columns(source), default_column(source)):
        return
    if bins is not None:
        low, high, count = bins
        session.roles[source.digest, session.column] = "number"
        # Whole numbers one by one: the last cell ends one after the range does.
        high -= (high - low) / count if (high - low) == count else 0
        session.ranges[source.digest, session.column] = (low, high, state.round_range(low, high)[2])
        session.ranges_h = min(range_data.HEIGHTS, key=lambda h: abs(h - (count - 1).bit_length()))
    try:
        session.range_asked = task.options(wanted)[1][:1]
    except (TypeError, ValueError) as error:
        session.problems.append(state.Problem("The study's range makes no sense and was left out.", str(error)))
