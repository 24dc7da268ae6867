"""Pieces of the sidebar that several tasks share."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

import palette
import state
import widgets
import words
from ldpcore import data

DASHES = {"every": "╌╌╌", "marked": "───", "weaker": "─·─"}
"""How the lines of each promise are drawn."""
PROMISED = {"LDP": "every", "ULDP": "marked", "SULDP-joint": "marked"}
"""Definition → how much it promises (palette.PROMISES); every other one is weaker than it looks."""


def by_promise(entries: Mapping[str, Any]) -> dict[str, list[str]]:
    """The keys of a catalogue by how much their definition promises."""
    return {
        group: [key for key, entry in entries.items() if PROMISED.get(entry.promise, "weaker") == group]
        for group in DASHES
    }


def column(place: Any) -> None:
    """The column chooser: what `state.offer` offers on this page."""
    names = st.session_state.offered
    if not names:
        place.selectbox("Column", ["none"], disabled=True)
        return
    place.selectbox("Column", names, key="column", on_change=lambda: state.choose_column(st.session_state.column))


def marks_summary() -> None:
    """How many people, and which answers are sensitive, in the one colour that says so."""
    try:
        counted = state.counted()
    except data.DataError as error:
        aside(widgets.escape(error.sentence))
        return
    values = state.arms()[0].values
    dropped = f" of {words.count(counted.n + counted.dropped)}" if counted.dropped else ""
    st.html(f'<div class="sub">{words.count(counted.n)}{dropped} people · {counted.domain.k} values</div>')
    held = words.share(float(counted.counts[counted.domain.mask(values)].sum() / counted.n))
    marked(values, "value", f"{held} of the people")


def marked(values: Sequence[str], noun: str, held: str) -> None:
    """What is marked sensitive, and how common that is."""
    if not values:
        aside(f"<b>No {noun} marked sensitive</b><br>Mark some on the Data page.")
        return
    color = widgets.colors().sensitive
    more = f" … (+{len(values) - 4})" if len(values) > 4 else ""
    shown = words.listing(widgets.escape(v) for v in values[:4]) + more
    aside(
        f'<b style="color:{color}">{words.plural(len(values), noun)} marked sensitive</b><br>{shown}<br>'
        f'<span style="opacity:.72">{held}</span>',
        color,
    )


def aside(text: str, color: str | None = None) -> None:
    """A few words with a rule at their left."""
    st.html(f'<div class="marks" style="border-color:{color or widgets.colors().ink3}">{text}</div>')


def epsilon(label: str = "Privacy budget ε") -> None:
    left, right = st.columns([3, 2], gap="small", vertical_alignment="center")
    left.markdown(f"**{label}**")
    right.number_input(
        "ε",
        key="epsilon",
        step=0.1,
        format="%0.2f",
        on_change=state.typed,
        label_visibility="collapsed",
        persist_state="session",
    )
    st.select_slider(
        "Privacy budget ε, slider",
        state.slide(),
        key="slider",
        on_change=state.slid,
        format_func=words.epsilon,
        label_visibility="collapsed",
        persist_state="session",
    )
    st.html(
        '<div class="sub" style="display:flex;justify-content:space-between;margin-top:-6px">'
        "<span>better privacy</span><span>better accuracy</span></div>"
    )
    problem = state.epsilon_problem()
    if problem:
        st.html(
            f'<div class="sub" role="alert"><b>{widgets.escape(problem)}.</b> '
            f"Shown: ε = {words.epsilon(state.epsilon())}.</div>"
        )


def on_phone(*said: str) -> None:
    """On a phone the sidebar is folded away: what the Study says, and ε at hand. Hidden on wide screens by CSS."""
    what = " · ".join([f"ε = {words.epsilon(state.epsilon())}", *said])
    with st.container(key="phone"), st.popover(what, width="stretch"):
        st.session_state.phone_slider = state.epsilon()
        st.select_slider(
            "Privacy budget ε",
            state.stops(),
            key="phone_slider",
            format_func=words.epsilon,
            on_change=state.slid_on_phone,
        )
        st.html('<div class="sub">All else of the Study stands in the side bar, behind ».</div>')


def marks_on_phone(marked: int, of: int, mechanisms: int) -> None:
    """The same where values or items are marked."""
    on_phone(f"{words.count(marked)} of {words.count(of)} marked", words.plural(mechanisms, "mechanism"))


def pills(label: str, keys: Sequence[str], key: str, name: Callable[[str], str] = str) -> None:
    """Mechanisms to switch on and off, each beside its glyph."""
    st.pills(
        label,
        keys,
        selection_mode="multi",
        key=key,
        format_func=lambda entry: f"{palette.mark(entry).glyph} {name(entry)}",
        persist_state="session",
    )


def groups(members: dict[str, list[str]], prefix: str) -> None:
    """Mechanisms by how much they promise; the choice is kept under `prefix_group`."""
    for group, keys in members.items():
        if keys:
            pills(f"{palette.PROMISES[group]} {DASHES[group]}", keys, f"{prefix}_{group}")


def repetitions_and_seed(what: str = "surveys") -> None:
    left, right = st.columns(2, gap="small")
    options = sorted({*state.REPETITIONS, st.session_state.repetitions})
    left.selectbox(
        "Repetitions",
        options,
        key="repetitions",
        help=f"Simulated {what} behind every point.",
        persist_state="session",
    )
    seed(what, right)


def seed(what: str, place: Any = st) -> None:
    place.number_input(
        "Seed", 0, 2**31, step=1, key="seed", help=f"The same seed gives the same {what}.", persist_state="session"
    )
