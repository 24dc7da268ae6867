"""Data: which table, which answers are sensitive, and what marking them does."""

import streamlit as st

from ldpapp.parts import panels, spelling_variants, widgets
from ldpapp.state import column_settings, navigation
from ldpapp.state.model import current_column, is_public, study_of, table, title, workspace
from ldpapp.views.data import by_hand, checks, incomplete, marking, profiles, sentences, set_views, uploads, value_views
from ldpapp.views.task import count_answered
from ldpapp.words.language import t
from ldpcore.data import AssumptionKind, DataError, Table, is_delicate_question, uncountable
from ldpcore.study import fitting, review
from ldpcore.study.frequency.effects import AnswerEffect
from ldpcore.study.sets.effects import ItemEffect

SHORT = 6
"""Values of a table that leaves room below it for the pairs."""


def page() -> None:
    uploads.start()
    source, column = table(), current_column()
    head, tools = st.columns([79.3, 20.7], gap="small")
    with tools.container(horizontal=True, horizontal_alignment="right", gap="small", key="data_tools"):
        _tools(source)
    try:
        effect = set_views.effect() if column in source.sets else value_views.effect()
    except DataError as error:
        with head:
            widgets.sentence(checks.headline(source) or _not_counted(column, title(source.name)))
        uploads.outcome()
        checks.show(source)
        checks.leave_all(source)
        _unusable(source, error)
        return
    to_check = checks.headline(source)
    with head:
        widgets.sentence(to_check or _finding(column, effect))
    uploads.outcome()
    checks.show(source)
    _naming(source, column)
    if not to_check:
        _survey(source)
        _sensitive(source, column, effect)
        return
    label = t("**Which answers are sensitive?** :gray[opens when nothing is left to check]")
    left, right = st.columns([82, 18], gap="small")
    with right:
        checks.leave_all(source)
    with left.container(key="fold_sensitive"), st.expander(label, key="sensitive_open", on_change="rerun") as fold:
        is_open = fold.open
    if is_open:
        _sensitive(source, column, effect)


def _sensitive(source: Table, column: str, effect: AnswerEffect | ItemEffect) -> None:
    """The table of marks, and what they do."""
    if not isinstance(effect, ItemEffect):
        incomplete.show(source, column, effect.counted)
    known = any(each.kind is AssumptionKind.SPELLING and each.column == column for each in source.assumptions)
    if not known and (variants := spelling_variants.twice(effect.labels)):
        widgets.note(variants)
    makers = set_views.makers(effect) if isinstance(effect, ItemEffect) else value_views.makers(effect)
    beside = 2 if len(effect.labels) <= SHORT else len(makers)
    left, right = st.columns([52, 44.6], gap="medium")
    with left:
        marking.show(effect)
        panels.show(*makers[beside:])
    with right:
        panels.show(*makers[:beside])


def _finding(column: str, effect: AnswerEffect | ItemEffect) -> str:
    """What the marks do."""
    marked = widgets.sensitive(t("secret") if effect.secret.any() else t("sensitive"))
    if isinstance(effect, ItemEffect):
        return sentences.item_sentence(effect, marked)
    return sentences.value_sentence(effect, widgets.escape(column), marked, widgets.escape)


def _not_counted(column: str, data: str) -> str:
    holes = {"column": widgets.escape(column), "data": widgets.escape(data)}
    if column:
        return t("Column “{column}” of “{data}” cannot be counted.", **holes)
    return t("“{data}” cannot be counted.", data=holes["data"])


def _tools(source: Table) -> None:
    with st.popover(t("Upload"), type="tertiary", key="upload_open", on_change="rerun"):
        uploads.panel()
    with st.popover(t("Columns"), type="tertiary", key="columns_open", on_change="rerun") as listed:
        if listed.open:
            with st.container(width=560):
                profiles.panel(source)
                by_hand.show(source, current_column())
    with st.popover(t("About"), type="tertiary", key="about_open", on_change="rerun") as about:
        if about.open:
            with st.container(width=560):
                profiles.about(source)


def _survey(source: Table) -> None:
    """The way to all questions of a file that somebody has brought, which may be a survey to sign."""
    if is_public() or (count := len(names := review.questions(source))) < 2:
        return
    marked = [name for name in column_settings.marked_beside(workspace(), "") if name in names]
    few = sum(is_delicate_question(name) for name in names if name not in marked)
    text = t("Review all {n} questions together", n=count)
    if marked and few:
        text = t("{text}: {marked} marked, {few} more with delicate names", text=text, marked=len(marked), few=few)
    elif marked:
        text = t("{text}: {marked} marked", text=text, marked=len(marked))
    elif few:
        text = t("{text}: {few} with delicate names", text=text, few=few)
    with st.container(key="survey_way"):
        navigation.link("review", text)


def _naming(source: Table, column: str) -> None:
    """What it means to count an identifier."""
    profile = fitting.column(source, column)
    if profile is not None and (sentence := uncountable.naming(profile)):
        widgets.note(widgets.escape(sentence))


def _unusable(source: Table, error: DataError) -> None:
    """The column cannot be counted: why, and the next step."""
    widgets.state_box(widgets.escape(error.sentence), widgets.escape(error.why), widgets.escape(error.hint))
    counted = study_of("frequency")
    with st.container(horizontal=True, gap="small"):
        if counted.column and counted.missing == "any" and any(p.missing for p in source.profile()):
            count_answered("frequency")
        st.button(t("Choose another file"), key="upload_another_one", on_click=uploads.choose_another)
