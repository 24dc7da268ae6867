"""Which answers are sensitive: the editable table, the rules that mark many at once, and the settings A and B."""

import re
import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import state
import streamlit as st
import widgets
import words
from effects import Effect

from ldpcore.study import Arm

RARE = 0.01
ROW, VISIBLE = 26, 16
"""px of a row, and how many are seen without scrolling."""
_CUTS = re.compile(r"[,;\t]")


# what the buttons do ---------------------------------------------------------------------------------------------


def mark(labels: Sequence[str], values: Iterable[str]) -> None:
    """Mark exactly these values, in the column's order."""
    chosen = set(values)
    state.set_marks(label for label in labels if label in chosen)


def _marked() -> tuple[str, ...]:
    return state.arms()[state.editing()].values


def rarer(counts: Sequence[int], labels: Sequence[str]) -> list[str]:
    """The values that fewer than 1 % of the people gave."""
    total = sum(counts)
    return [label for label, count in zip(labels, counts, strict=True) if count < RARE * total]


def mark_rare(labels: Sequence[str], values: Sequence[str]) -> None:
    """Mark these rare values too; what was marked stays marked."""
    before = set(_marked())
    if set(values) <= before:
        found = words.plural(len(values), "value is", "values are")
        st.toast(f"{found} rarer than 1 %{', marked already' if values else ''}.")
        return
    mark(labels, before | set(values))


def add(labels: Sequence[str], values: Iterable[str]) -> None:
    mark(labels, {*_marked(), *values})


def remove(labels: Sequence[str], values: Iterable[str]) -> None:
    mark(labels, set(_marked()) - set(values))


def invert(labels: Sequence[str]) -> None:
    mark(labels, set(labels) - set(_marked()))


def clear() -> None:
    state.set_marks(())


def paste(labels: Sequence[str]) -> None:
    """Mark the pasted values; what is not among the column's values is named and stays in the box."""
    known, unknown = recognised(st.session_state.paste_text, labels)
    add(labels, known)
    st.session_state.paste_open = bool(unknown)
    st.session_state.paste_text = "\n".join(unknown)
    st.session_state.paste_note = ""
    if unknown:
        names = words.listing(f"“{words.shorten(name, 40)}”" for name in unknown[:5])
        more = f" and {words.count(len(unknown) - 5)} more" if len(unknown) > 5 else ""
        marked = f"; {words.plural(len(known), 'value is', 'values are')} marked" if known else ""
        st.session_state.paste_note = f"Not among the values: {names}{more}{marked}."


def recognised(text: str, labels: Sequence[str]) -> tuple[list[str], list[str]]:
    """(values named in a text, what is none of them). One on each line, or several cut by commas, semicolons or tabs.

    A line that is a value as a whole is never cut; upper and lower case only matter where they tell values apart.
    """
    exact = set(labels)
    folded: dict[str, list[str]] = {}
    for label in labels:
        folded.setdefault(label.casefold(), []).append(label)
    known: list[str] = []
    unknown: list[str] = []
    for line in text.splitlines():
        whole = line.strip().strip("\"'“”")
        parts = [whole] if whole in exact or whole.casefold() in folded else _CUTS.split(line)
        for part in (piece.strip().strip("\"'“”") for piece in parts):
            alike = [part] if part in exact else folded.get(part.casefold(), [])
            if len(alike) == 1:
                known.append(alike[0])
            elif part:
                unknown.append(part)
    return list(dict.fromkeys(known)), list(dict.fromkeys(unknown))


# settings A and B ------------------------------------------------------------------------------------------------


def settings(place: Any) -> None:
    """Which setting is edited; a second one can be kept beside the first."""
    arms = state.arms()
    if len(arms) == 1:
        place.button("Keep as A, make B", key="make_b", type="tertiary", on_click=_second,
                     help="Keeps these marks as A and starts B as a copy: Frequency compares the two.")
        return
    with place.popover("rename", type="tertiary", key="rename_arm"):
        name = arms[state.editing()].name
        st.text_input("Name of this setting", name, key=f"arm_name_{state.editing()}_{name}", max_chars=24,
                      on_change=_rename, args=(f"arm_name_{state.editing()}_{name}",))
        st.button(f"Drop {name}", key="drop_arm", on_click=_drop)
    st.session_state.editing_choice = state.editing()
    place.segmented_control("Setting being edited", [0, 1], key="editing_choice", required=True, on_change=_switch,
                            format_func=lambda i: arms[i].name, label_visibility="collapsed")


def _second() -> None:
    state.add_arm()
    st.session_state.editing = 1


def _switch() -> None:
    st.session_state.editing = st.session_state.editing_choice


def _rename(key: str) -> None:
    name, here = " ".join(st.session_state[key].split()), state.editing()
    arms = state.arms()
    if name and all(arm.name != name for i, arm in enumerate(arms) if i != here):
        arms[here] = Arm(name, arms[here].marks)


def _drop() -> None:
    """Back to one setting: the other one, called A."""
    arms = state.arms()
    del arms[state.editing()]
    arms[0] = Arm("A", arms[0].marks)
    st.session_state.update(editing=0, compare=False)


# what is shown ---------------------------------------------------------------------------------------------------


def panel(effect: Effect, epsilon: float) -> None:
    """The table of values with everything that marks them."""
    subtitle = f"± is the typical error at ε = {words.epsilon(epsilon)}: all values protected (SS), and only the marked (uSS)."
    with widgets.panel("marks", "Which answers are sensitive?", subtitle) as slot:
        settings(slot)
    found = _actions(effect)
    if not found:
        widgets.state_box(f"No value contains “{widgets.escape(st.session_state.marks_search)}”.",
                          f"There are {words.count(len(effect.labels))} values. Look for a part of one.", height=416)
        return
    _editor(effect, found)
    everything = np.arange(len(effect.labels))
    with st.container(horizontal=True, horizontal_alignment="right", key="marks_below"):
        st.download_button("Download this table", lambda: _frame(effect, everything).to_csv(index=False), "values.csv",
                           "text/csv", key="marks_csv", type="tertiary", on_click="ignore")


def _actions(effect: Effect) -> list[int]:
    """Search and the buttons; returns the places of the values to show."""
    labels = effect.labels
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="marks_actions"):
        wanted = st.text_input("Search values", key="marks_search", placeholder="Search values", width=150,
                               label_visibility="collapsed").strip().casefold()
        found = [i for i, label in enumerate(labels) if wanted in label.casefold()]
        names = tuple(labels[i] for i in found)
        if wanted:
            those = words.count(len(names)) + " found"
            st.button(f"Mark {those}", key="mark_found", on_click=add, args=(labels, names), disabled=not names)
            st.button(f"Unmark {those}", key="unmark_found", on_click=remove, args=(labels, names), disabled=not names)
        else:
            rare = rarer(effect.counted.counts.tolist(), labels)
            st.button("Rarer than 1 %", key="mark_rare", on_click=mark_rare, args=(labels, rare))
            st.button("Invert", key="mark_invert", on_click=invert, args=(labels,))
            st.button("Clear", key="mark_clear", on_click=clear, disabled=not effect.mask.any())
        st.session_state.setdefault("paste_note", "")
        with st.popover("Paste a list", key="paste_open", on_change="rerun"):
            st.text_area("Values to mark", key="paste_text", height=120, placeholder="One on each line, or between commas")
            if st.session_state.paste_note:
                st.html(f'<div class="sub" role="alert">{widgets.escape(st.session_state.paste_note)}</div>')
            st.button("Mark these", key="paste_mark", type="primary", on_click=paste, args=(labels,))
    return found


def _editor(effect: Effect, found: Sequence[int]) -> None:
    shown = tuple(effect.labels[i] for i in found)
    key = f"marks_{zlib.crc32(repr((shown, state.editing(), _round(effect))).encode()):x}"
    frame = _frame(effect, np.asarray(found))
    numbers = {"disabled": True, "width": 58}
    place = st.container(key="marks_table")
    place.data_editor(
        _styled(frame),
        key=key,
        on_change=_edited,
        args=(key, effect.labels, shown),
        hide_index=True,
        row_height=ROW,
        height=ROW * min(len(frame), VISIBLE) + 34,
        column_config={
            "Mark": st.column_config.CheckboxColumn(width=58),
            "Value": st.column_config.TextColumn(disabled=True, width=116),
            "People": st.column_config.NumberColumn(disabled=True, width=64),
            "Share": st.column_config.ProgressColumn(format="%.1f %%", min_value=0, max_value=_scale(effect), width=104,
                                                     color=widgets.colors().ink2),
            "± all": st.column_config.NumberColumn(help="Typical error in points, every value protected (SS).", **numbers),
            "± marked": st.column_config.NumberColumn(help="Typical error in points, the marked values protected (uSS).",
                                                      **numbers | {"width": 72}),
        },
        alt="The values of the column with the people who gave them, their share, and the error of that share.",
    )


def _round(effect: Effect) -> int:
    """Counts up whenever the marks changed otherwise than in the table: its own edits are then outdated."""
    seen = (effect.labels, state.editing(), _marked())
    if st.session_state.get("marks_seen") != seen:
        st.session_state.marks_seen = seen
        st.session_state.marks_round = st.session_state.get("marks_round", 0) + 1
    return st.session_state.marks_round


def _edited(key: str, labels: tuple[str, ...], shown: tuple[str, ...]) -> None:
    chosen = set(_marked())
    for row, change in st.session_state[key]["edited_rows"].items():
        if "Mark" in change:
            (chosen.add if change["Mark"] else chosen.discard)(shown[int(row)])
    mark(labels, chosen)
    st.session_state.marks_seen = (labels, state.editing(), _marked())


def _frame(effect: Effect, places: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame({
        "Mark": effect.mask[places],
        "Value": [effect.labels[i] for i in places],
        "People": effect.counted.counts[places],
        "Share": effect.shares[places] * 100,
        "± all": np.sqrt(effect.every.variance[places]) * 100,
        "± marked": np.sqrt(effect.marked.variance[places]) * 100,
    })


def _styled(frame: pd.DataFrame) -> Any:
    """Thin spaces between thousands, and the names of marked values in the colour that means sensitive."""
    color = f"color:{widgets.colors().sensitive}"
    look: Callable[[pd.Series], Any] = lambda column: np.where(frame["Mark"], color, "")  # noqa: E731
    written = {"People": words.count, "± all": words.decimals, "± marked": words.decimals}
    return frame.style.format(written).apply(look, subset=["Value"])


def _scale(effect: Effect) -> float:
    """The end of the bars: a round share above the largest."""
    top = float(effect.shares.max()) * 100
    return next(end for end in (1, 2, 5, 10, 20, 50, 100) if end >= min(top, 100))
