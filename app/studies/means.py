"""Means: one column of numbers, its public range, the intervals that are sensitive, and the mechanisms compared."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import streamlit as st

import state
import words
from ldpcore import catalog, data
from ldpcore.domain import Interval
from ldpcore.study import Arm, Study, intervals
from studies import parts

DEFAULT_MECHANISMS = ("Duchi", "PM", "SDPM", "uTernary")
GROUPS = parts.by_promise(catalog.MEANS)
BINS = 64
"""EM's input bins on the page: fine enough for its pictures, quick enough for its slider."""
GRID = (0.1, 0.2, 0.5, 1.0, 2.0, 4.0)
EXAMPLES = {"the upper end": 0.75, "the lower end": 0.25, "both ends (the paper’s SDPM-50)": 0.5}
"""One-click marks → where they begin or end, as a share of the public range."""
VIEW = {"means_unit": ("typical", "mse", "scaled")}
Pair = intervals.Pair


def columns(source: data.Table) -> list[str]:
    return [profile.name for profile in source.profile() if profile.numeric and profile.role == "number"]


def default_column(source: data.Table) -> str:
    return next(iter(columns(source)), "")


def start() -> None:
    st.session_state.update({key: values[0] for key, values in VIEW.items()})
    st.session_state.update(means_marks={}, means_pending=None)
    choose_mechanisms(DEFAULT_MECHANISMS)


def beside_data(place: Any) -> None:
    parts.column(place)


def sidebar() -> None:
    source = state.table()
    if not columns(source):
        parts.aside("This data has no column of numbers.")
        return
    _marks(public())
    parts.epsilon()
    parts.groups(GROUPS, "means")
    parts.repetitions_and_seed()


def _marks(public: Interval) -> None:
    pairs = marks()
    texts = [intervals.written(*pair).replace("..", "–").replace("-", words.MINUS) for pair in pairs]
    covered = sum(high - low for low, high in pairs) / (public.high - public.low)
    if pairs:
        parts.marked(texts, "interval", f"{words.share(covered)} of the public range")
    else:
        parts.aside("<b>No interval marked sensitive</b><br>Drag over the histogram to mark one.")


# the public range and the marks ------------------------------------------------------------------------------------


def _key() -> tuple[str, str]:
    return state.table().digest, state.column()


def public() -> Interval:
    """The range that everybody may know; a round one around the data until the person states one."""
    source, name = state.table(), state.column()
    profile = next(column for column in source.profile() if column.name == name)
    proposed = state.round_range(profile.low or 0.0, profile.high or 0.0)
    low, high, _ = st.session_state.ranges.get((source.digest, name), proposed)
    return Interval(low, high)


def set_public(low: float, high: float) -> None:
    """State another range. Marks that it cuts off are cut, those outside go."""
    source, name = state.table(), state.column()
    kept = [(max(a, low), min(b, high)) for a, b in marks() if min(b, high) > max(a, low)]
    st.session_state.ranges[source.digest, name] = (low, high, state.round_range(low, high)[2])
    st.session_state.means_marks[_key()] = kept


def marks() -> list[Pair]:
    """The sensitive intervals of this column, in its units; on bundled data the upper end to begin with."""
    found = st.session_state.means_marks
    if _key() not in found:
        found[_key()] = example("the upper end", public()) if state.table().card is not None else []
    return found[_key()]


def example(name: str, public: Interval) -> list[Pair]:
    """The marks of one of the EXAMPLES."""
    share = EXAMPLES[name]
    cut = public.low + share * (public.high - public.low)
    if name == "the upper end":
        return [(cut, public.high)]
    return [(public.low, cut)] if name == "the lower end" else intervals.outer(share, public)


def set_marks(pairs: Iterable[Pair]) -> str:
    """Mark exactly these intervals; a sentence where they make no sense, and nothing changes then."""
    texts = [intervals.written(*pair) for pair in pairs]
    try:
        st.session_state.means_marks[_key()] = intervals.parse_all(texts, public())
    except ValueError as error:
        return str(error)
    return ""


def add_mark(low: float, high: float) -> None:
    """One more interval, joined with those it touches."""
    joined, start, end = [], low, high
    for a, b in marks():
        if b < start or a > end:
            joined.append((a, b))
        else:
            start, end = min(a, start), max(b, end)
    st.session_state.means_marks[_key()] = sorted([*joined, (start, end)])


# the study ---------------------------------------------------------------------------------------------------------


def mechanisms() -> tuple[str, ...]:
    chosen = {key for group in GROUPS for key in st.session_state.get(f"means_{group}") or ()}
    return tuple(key for key in catalog.MEANS if key in chosen)


def choose_mechanisms(keys: Iterable[str]) -> None:
    chosen = set(keys)
    for group, members in GROUPS.items():
        st.session_state[f"means_{group}"] = [key for key in members if key in chosen]


def shown() -> Study:
    """The Study of the sidebar and the marks, at its own ε alone. DataError where the data has no numbers."""
    source = state.table()
    if not columns(source):
        raise data.DataError(
            f"“{source.name}” has no column of numbers.", "A mean is of numbers. Choose other data, or another page."
        )
    range_ = public()
    return replace(
        state.base(),
        task="means",
        arms=(Arm.of("A", [intervals.written(*pair) for pair in marks()]),),
        mechanisms=mechanisms() or DEFAULT_MECHANISMS,
        bins=(range_.low, range_.high, BINS),
        missing="column" if st.session_state.missing == "category" else st.session_state.missing,
        grid=(),
    )


def current() -> Study:
    """The same, over the axis that the view shows."""
    return replace(shown(), grid=GRID)


def adopt(wanted: Study, source: data.Table, marks: bool, mechanisms: bool) -> None:
    session = st.session_state
    if mechanisms:
        choose_mechanisms(state.known(wanted.mechanisms, catalog.MEANS, "mechanisms") or DEFAULT_MECHANISMS)
    if not state.adopt_column(replace(wanted, bins=None), source, columns(source), default_column(source)):
        return
    session.roles.pop((source.digest, session.column), None)
    if wanted.bins is not None:
        low, high, _ = wanted.bins
        try:
            Interval(low, high)
        except ValueError as error:
            session.problems.append(state.Problem("The study's public range was left out.", str(error)))
        else:
            session.ranges[source.digest, session.column] = (low, high, state.round_range(low, high)[2])
    if marks:
        try:
            found = intervals.parse_all(wanted.arms[0].values, public())
        except ValueError as error:
            session.problems.append(state.Problem("The study's intervals were left out.", str(error)))
        else:
            session.means_marks[source.digest, session.column] = found
