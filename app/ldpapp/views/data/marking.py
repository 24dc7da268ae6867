"""Which answers are sensitive: the editable table with everything that marks its values."""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import streamlit as st

from ldpapp import words
from ldpapp.parts import levels, panels, widgets
from ldpapp.parts.panels import Control, Panel
from ldpapp.runtime import display
from ldpapp.runtime.errors import guarded
from ldpapp.state import column_settings
from ldpapp.state.model import current_column, workspace
from ldpapp.views.data import editor, rules, settings
from ldpapp.words.language import t
from ldpcore import data
from ldpcore.data.spelling import named
from ldpcore.study import readings
from ldpcore.study.definition import SECRET, SENSITIVE
from ldpcore.study.effects import MarkingEffect
from ldpcore.study.mark_kinds import INTERVALS

MOST_ROWS = 2000


def show(effect: MarkingEffect) -> None:
    """The table of values with everything that marks them. Below its panel, whose buttons are as small as a title.

    Nobody types into it from the last row.
    """
    if display.projector():
        return
    panels.show(partial(_head, effect))
    with guarded(t("This part")):
        _table(effect, _actions(effect))


def _head(effect: MarkingEffect) -> Panel:
    every, marked = effect.names
    subtitle = t(
        "± 95 %, points, ε = {eps}: {every} protects all, {marked} the marked.",
        eps=words.epsilon(effect.epsilon),
        every=every,
        marked=marked,
    )
    answers = effect.groups is None
    title = t("Which answers are sensitive?") if answers else t("Which items are sensitive?")
    if rules.three():
        title = (
            t("Which answers are secret, which private?") if answers else t("Which items are secret, which private?")
        )
        subtitle = t("<b>Secret</b>: an ε of its own, never above that of private answers.")
        if effect.secret.any():
            subtitle = t(
                "<b>Secret</b>: an ε of its own, never above that of private answers. ± 95 %, points: all marked ones "
                "treated as secret ({every}), and each at its level ({marked}).",
                every=every,
                marked=marked,
            )
    return Panel("marks", title, (), f"{subtitle}{_whole_bins()}", [Control(settings.choose)])


def _whole_bins() -> str:
    """Of an interval of numbers that ends within a bin: here all of that bin counts."""
    kept = list(column_settings.of(workspace(), current_column()).marks.values)
    bins = column_settings.bins(workspace(), current_column())
    whole = readings.from_bins(readings.to_bins(kept, bins), bins) if bins else kept
    if list(whole) == kept:
        return ""
    marked, counted = (words.listing(INTERVALS.written(each, t(" to ")) for each in marks) for marks in (kept, whole))
    return f" {t('<b>Marked {marked}; in whole bins {counted}.</b>', marked=marked, counted=counted)}"


def _table(effect: MarkingEffect, found: list[int]) -> None:
    if not found:
        widgets.state_box(
            t("No value contains “{text}”.", text=widgets.escape(st.session_state.marks_search)),
            t("There are {n} values. Look for a part of one.", n=words.count(len(effect.labels))),
            height=416,
        )
        return
    if len(found) > MOST_ROWS:
        listed = t(
            "The {n} commonest and all marked ones of {all} are listed; search finds the others.",
            n=words.count(MOST_ROWS),
            all=words.count(len(found)),
        )
        st.html(f'<div class="sub">{listed}</div>')
        found = effect.foremost(found, MOST_ROWS)
    editor.show(effect, found)
    everything, graded = np.arange(len(effect.labels)), rules.graded()
    with st.container(horizontal=True, horizontal_alignment="distribute", key="marks_below"):
        _third()
        st.download_button(
            t("Download it"),
            lambda: data.as_csv(editor.frame(effect, everything, graded)).encode(),
            "values.csv",
            "text/csv",
            key="marks_csv",
            type="tertiary",
            on_click="ignore",
        )


def _third() -> None:
    """The third level, a click away."""
    if rules.three():
        st.button(t("Back to two levels"), key="levels_off", type="tertiary", on_click=rules.third, args=(False,),
                  help=t("What is secret is then marked as any other value, at one ε."))  # fmt: skip
        return
    st.button(t("Add level: secret"), key="levels_on", type="tertiary", on_click=rules.third, args=(True,),
              help=t("Secret: an ε of its own, never above that of the other marked values."))  # fmt: skip


def _actions(effect: MarkingEffect) -> list[int]:
    """Search and the buttons; returns the places of the values to show."""
    labels, groups = effect.labels, effect.groups
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="marks_actions"):
        typed = st.text_input(
            t("Search values"),
            key="marks_search",
            placeholder=t("Search") if groups else t("Search values"),
            width=104 if groups else 150,
            label_visibility="collapsed",
        )
        wanted = typed.strip().casefold()
        matching = [i for i, label in enumerate(labels) if wanted in label.casefold()]
        if wanted:
            _mark_found(labels, tuple(labels[i] for i in matching))
        else:
            rare = data.rare(effect.counted)
            st.button(t("Rarer than 1 %"), key="mark_rare", on_click=rules.mark_rare, args=(labels, rare))
            st.button(t("Invert"), key="mark_invert", on_click=rules.invert, args=(labels,))
            st.button(t("Clear"), key="mark_clear", on_click=rules.clear, disabled=not effect.mask.any())
        if groups:
            _categories(labels, groups)
        _pasting(labels)
    if rules.three():
        _as_level()
    return matching


def _as_level() -> None:
    """At which level the buttons beside it mark."""
    names = levels.names()
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="marks_level"):
        st.html(f'<div class="sub">{t("Buttons, lists and dragging mark as")}</div>', width="content")
        st.segmented_control(
            t("Mark as"),
            [SECRET, SENSITIVE],
            key=rules.LEVEL,
            default=SENSITIVE,
            required=True,
            format_func=lambda level: names[level],
            label_visibility="collapsed",
            persist_state="session",
        )


def _mark_found(labels: Sequence[str], names: tuple[str, ...]) -> None:
    n, none = words.count(len(names)), not names
    st.button(t("Mark {n} found", n=n), key="mark_found", on_click=rules.add, args=(labels, names), disabled=none)
    st.button(
        t("Unmark {n} found", n=n), key="unmark_found", on_click=rules.remove, args=(labels, names), disabled=none
    )


def _pasting(labels: Sequence[str]) -> None:
    st.session_state.setdefault("paste_note", "")
    with st.popover(t("Paste a list"), key="paste_open", on_change="rerun"):
        st.text_area(
            t("Values to mark"), key="paste_text", height=120, placeholder=t("One on each line, or between commas")
        )
        if st.session_state.paste_note:
            st.html(f'<div class="sub" role="alert">{widgets.escape(st.session_state.paste_note)}</div>')
        st.button(t("Mark these"), key="paste_mark", type="primary", on_click=_paste, args=(labels,))


def _categories(labels: Sequence[str], groups: Mapping[str, tuple[str, ...]]) -> None:
    """Whole categories of items at once."""
    with st.popover(t("Category"), key="category_open"):
        chosen = st.multiselect(
            t("Categories"), list(groups), key="category_choice", placeholder=t("Choose categories")
        )
        members = tuple(dict.fromkeys(item for name in chosen for item in groups[name]))
        those, none = words.plural(len(members), t("item"), t("items")), not members
        st.button(
            t("Mark {items}", items=those), key="mark_category", type="primary", on_click=rules.add,
            args=(labels, members), disabled=none,
        )  # fmt: skip
        st.button(
            t("Unmark {items}", items=those), key="unmark_category", on_click=rules.remove,
            args=(labels, members), disabled=none,
        )  # fmt: skip


def _paste(labels: Sequence[str]) -> None:
    """Mark the pasted values; what is not among the column's values is named and stays in the box."""
    known, unknown = named(st.session_state.paste_text, labels)
    rules.add(labels, known)
    st.session_state.paste_open = bool(unknown)
    st.session_state.paste_text = "\n".join(unknown)
    st.session_state.paste_note = ""
    if unknown:
        st.session_state.paste_note = _strangers(unknown, len(known))


def _strangers(unknown: Sequence[str], marked: int) -> str:
    """What was pasted and is no value of the column; and how many others were."""
    named = [f"“{words.shorten(name, 40)}”" for name in unknown[:5]]
    if len(unknown) > 5:
        named.append(t("{n} more", n=words.count(len(unknown) - 5)))
    strangers = words.listing(named)
    if not marked:
        return t("Not among the values: {strangers}.", strangers=strangers)
    values = words.plural(marked, t("value is"), t("values are"))
    return t("Not among the values: {strangers}; {values} marked.", strangers=strangers, values=values)
