"""Results: two files in, and every answer with its interval; then what may be wrong with it, and the report."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.parts.panels import show
from ldpapp.state import actions, view_options
from ldpapp.views.results import beside, folds, groups, opening, picture, read, sentences, signed, tool
from ldpapp.views.results.read import CLIENT, COUNTS, REPORTS
from ldpapp.words.language import t
from ldpcore.collection.refusals import FEW
from ldpcore.collection.result_facts import ResultFacts

LOOKS: view_options.Looks = {
    "no_client": (False, True),
    **dict.fromkeys((folds.WEIGHTS, folds.WRONG, folds.IGNORED, folds.TOGETHER), (False, True)),
}


def page() -> None:
    if view_options.look("no_client"):
        tool.page()
    elif read.file(REPORTS) is None or read.file(CLIENT) is None or not _is_client():
        opening.page()
    else:
        _results()


def _is_client() -> bool:
    """Whether the second file is one; else its box says what it is."""
    try:
        read.client()
    except (ValueError, TypeError):
        return False
    return True


def _results() -> None:
    try:
        known = read.facts()
        _ = known.rows
    except ValueError as error:
        beside.show(None)
        _unread(opening.sorry(error))
        return
    beside.show(known)
    if known.few:
        _few(known)
        return
    head, place = st.columns([85, 15], gap="small", vertical_alignment="center")
    with head:
        widgets.sentence(sentences.headline(known))
    with place:
        signed.save(known.question or t("A survey"))
    show(lambda: picture.panel(known))
    if known.read.columns.by:
        show(lambda: groups.panel(known))
    with st.container(key="results_folds", gap=None):
        folds.draw(known)
    signed.record(known)


def saves() -> bool:
    """Whether the page will say where its report is saved."""
    return tool.is_read() if view_options.look("no_client") else read.is_read()


def ask(changes: Mapping[str, Any]) -> None:
    """Begin with these files, as a terminal does."""
    actions.take_results(**changes)
    view_options.choose("no_client", COUNTS in changes["files"])


def _unread(why: str) -> None:
    widgets.sentence(t("These two files do not go together."))
    hint = t("Nothing is estimated. Choose the client that these reports were drawn by, or the reports of this client.")
    widgets.state_box(opening.written(why), "", hint)
    with st.container(horizontal=True, gap="small"):
        st.button(t("Another client.json"), key="results_other_client", on_click=opening.drop, args=(CLIENT,))
        st.button(t("Other reports"), key="results_other_reports", on_click=opening.drop, args=(REPORTS,))


def _few(known: ResultFacts) -> None:
    n = words.plural(known.n, t("report"), t("reports"), start=True)
    widgets.sentence(t("{n}: too few for an estimate, which comes with {few}.", n=n, few=words.count(FEW)))
    why = t("Fewer tell next to nothing of all, and too much of one.")
    refused = "; ".join(sentences.reasons(known.read.why))
    widgets.state_box(t("There is no estimate below {few} reports.", few=FEW), why,
                      t("Refused: {reasons}.", reasons=refused) if refused else "")  # fmt: skip
