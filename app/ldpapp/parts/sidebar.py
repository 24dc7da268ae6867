"""Pieces of the sidebar that several tasks share. Every one shows a task's Study and changes it."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any

import streamlit as st

from ldpapp import words
from ldpapp.charts import palette
from ldpapp.parts import levels, widgets
from ldpapp.state import actions, column_settings, controlled, model, navigation
from ldpapp.words import glossary, language
from ldpapp.words.language import t
from ldpcore.catalog import Catalog, Coverage
from ldpcore.data import Table
from ldpcore.study import Marks, Study, invented
from ldpcore.study.tasks import TASKS, comparing

REPETITIONS = (1, 3, 10, 30, 100)


def column(place: Any, names: Sequence[str], chosen: str) -> None:
    """The column chooser."""
    if not names:
        place.selectbox(t("Column"), [t("none")], disabled=True)
        return
    controlled.bound(place.selectbox, t("Column"), names, key="column", value=chosen, change=actions.choose_column)


def column_of(place: Any, study: Study, table: Table) -> None:
    """The columns that the study's task can be about."""
    column(place, list(TASKS[study.task].columns(table)), study.column)


def marked(
    values: Sequence[str],
    noun: str,
    held: str,
    how: str = "",
    nouns: str | None = None,
    marks: Marks | None = None,
    column: str = "",
    by_question: str = "",
) -> None:
    """What is marked sensitive, in the one colour that says so, and how common that is. marks: with their levels, for a
    task that knows these. column: what it is about, where that is one of several that may have marks. by_question: how
    many of them are whose, in place of their names.
    """
    if marks is not None and marks.secret:
        _levels(marks, held)
        return
    if not values:
        none = t("No {noun} marked sensitive", noun=noun)
        if column:
            none = language.unmarked(widgets.escape(words.shorten(column, 30)))
        aside(f"<b>{none}</b><br>{_elsewhere(column) or how or t('Answers are marked under Data.')}")
        return
    several = t("{values} marked sensitive", values=words.plural(len(values), noun, nouns))
    color = widgets.colors().sensitive
    shown = by_question or _some([widgets.escape(v) for v in values])
    aside(
        f'<b style="color:{color}">{several}</b><br>{shown}<br><span style="opacity:.72">{held}</span>',
        color,
    )


def _elsewhere(column: str) -> str:
    """Where something is marked, if it is in other columns alone."""
    others = column_settings.marked_beside(model.workspace(), column) if column else []
    return t("Marked: {columns}.", columns=_some([widgets.escape(name) for name in others])) if others else ""


def _levels(marks: Marks, held: str) -> None:
    """How many values have which level; their names, the secret ones first."""
    values, color = marks.by_protection, widgets.colors().sensitive
    secret = set(marks.secret)
    shown = _some([f"<b>{widgets.escape(v)}</b>" if v in secret else widgets.escape(v) for v in values])
    chips = levels.counted(marks, widgets.is_dark())
    aside(f'{chips}<br>{shown}<br><span style="opacity:.72">{held}</span>', color)


def _some(names: list[str]) -> str:
    """All of them if they are few, else the first."""
    return words.listing(names if len(names) <= 4 else [*names[:3], t("{n} more", n=words.count(len(names) - 3))])


def aside(text: str, color: str | None = None) -> None:
    """A few words with a rule at their left."""
    st.html(f'<div class="marks" style="border-color:{color or widgets.colors().ink3}">{text}</div>')


def pills(label: str, keys: Sequence[str], task: str, key: str) -> None:
    """Mechanisms to switch on and off, each beside its glyph."""
    entries = TASKS[task].CATALOG
    chosen = _chosen(task)
    language.notice(*(f"{entries.name(key)}: {entries[key].label}" for key in keys))
    controlled.bound(
        st.pills,
        label,
        keys,
        key=key,
        value=[name for name in keys if name in chosen],
        change=partial(_switched, task, tuple(keys)),
        selection_mode="multi",
        format_func=lambda name: widgets.option(name, entries.name(name)),
    )


def _chosen(task: str) -> Sequence[str]:
    return () if model.settings_of(task).is_empty else model.study_of(task).mechanisms


def _switched(task: str, keys: Sequence[str], now: Sequence[str]) -> None:
    """These keys are now switched so; all others stay as they are by now: two clicks may arrive together."""
    actions.choose_mechanisms(task, {*(key for key in _chosen(task) if key not in keys), *now})


def mechanisms(task: str, best: Mapping[str, str] | None = None, idle: str = "", unasked: Collection[str] = ()) -> None:
    """A task's mechanisms: the best of each promise first, all others a click away, each with what it is.

    best: the key of the best mechanism of a promise → what it protects, where that is computed. idle: why those that
    protect marks alone are greyed. unasked: keys that are not offered unless they are chosen.
    """
    entries: Catalog = TASKS[task].CATALOG
    if best:
        _best(task, best)
    with st.popover(t("choose mechanisms ({n})", n=len(_chosen(task))), key=f"{task}_mechanisms", width="stretch"):
        for covered, every in entries.by_coverage().items():
            keys = [key for key in every if key not in unasked or key in _chosen(task)]
            if keys:
                off = bool(idle) and covered is not Coverage.EVERY
                with st.container(key=f"idle_{covered}") if off else nullcontext():
                    pills(f"{palette.promises()[covered]} {palette.STROKES[covered]}", keys, task, f"{task}_{covered}")
                with st.container(gap=None):
                    for key in keys:
                        says = glossary.of(entries[key])
                        language.notice(says)
                        name, label = words.literal(entries.name(key)), words.literal(entries[key].label)
                        st.markdown(f":small[**{name}** {label}]", help=words.literal(says))
    if idle:
        st.html(f'<div class="sub">{idle}</div>')


def own_elsewhere() -> None:
    """Folded below the mechanisms of a task that compares none of one's own: the pages that do, and the way there."""
    titles = {page.address: page.title for page in navigation.questions()}
    pages = {task: titles[task] for task in comparing(invented.KEY)}
    with st.popover(t("Your own mechanism"), type="tertiary", key="own_elsewhere", on_change="rerun") as fold:
        if fold.open:
            listed = words.listing(pages.values())
            st.html(f'<div class="sub">{t("A mechanism of one’s own is compared on {pages}.", pages=listed)}</div>')
            for address, title in pages.items():
                navigation.link(address, words.literal(title))


def _best(task: str, best: Mapping[str, str]) -> None:
    """These alone: both are chosen, or one of them."""
    chosen = _chosen(task)
    controlled.bound(
        st.pills,
        t("Best at this ε"),
        list(best),
        key=f"{task}_best",
        value=list(chosen) if set(chosen) <= set(best) else [],
        change=partial(actions.choose_mechanisms, task),
        selection_mode="multi",
        format_func=lambda key: widgets.option(key, best[key]),
        help=t("The mechanism of each promise with the least error over all values. A click compares it alone."),
    )
    st.button(
        t("Compare the best two") if len(best) == 2 else t("Compare the best three"),
        key=f"{task}_best_two",
        type="tertiary",
        disabled=set(chosen) == set(best),
        on_click=actions.choose_mechanisms,
        args=(task, tuple(best)),
    )


def repetitions_and_seed(study: Study, what: str = "") -> None:
    """what: what is repeated, where it is not surveys."""
    what = what or t("surveys")
    left, right = st.columns(2, gap="small")
    controlled.bound(
        left.selectbox,
        t("Repetitions"),
        sorted({*REPETITIONS, study.repetitions}),
        key="repetitions",
        value=study.repetitions,
        change=lambda count: actions.change(study.task, repetitions=count),
        help=t(
            "Simulated {what} behind every point. The fewer, the farther a point may lie from its line by chance.",
            what=what,
        ),
    )
    seed(study, what, right)


def seed(study: Study, what: str, place: Any = st) -> None:
    controlled.bound(
        place.number_input,
        t("Seed"),
        0,
        2**31,
        key="seed",
        value=study.seed,
        change=lambda number: actions.change(study.task, seed=number),
        step=1,
        help=t("The same seed gives the same {what}.", what=what),
    )
