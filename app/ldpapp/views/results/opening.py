"""The files of this page: where they are taken, what stands there of one that is here."""

import hashlib
import re
from collections.abc import Sequence
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import DeletedFile

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.state import actions, view_options
from ldpapp.state.model import ResultFile
from ldpapp.views.data import uploads
from ldpapp.views.results import read
from ldpapp.views.results.read import CLIENT, REPORTS, SECOND
from ldpapp.words.language import t
from ldpcore.collection.example import PEOPLE, simulated
from ldpcore.collection.refusals import FEW
from ldpcore.collection.weighing import DesignColumns
from ldpcore.data import DataError

TEXTS, CLIENTS = ["csv", "txt"], ["json"]
TABLES = [*TEXTS, "tsv", "parquet", "pq"]
ROUND, FAILED = "results_round", "results_failed"
"""How many files were taken, and why the last one was not."""


def take(role: str, name: str, content: bytes) -> None:
    """Keep a file for this session, in its memory; what was chosen for another one is forgotten."""
    files = dict(read.draft().files) | {role: ResultFile(name, hashlib.sha256(content).hexdigest(), content)}
    changes: dict[str, Any] = {"files": files}
    if role in (REPORTS, CLIENT):
        changes |= {"columns": DesignColumns(), "question": "", "form": "", "always": ""}
    actions.take_results(**changes)
    view_options.choose(read.REFUSED, "")


def drop(*roles: str) -> None:
    """Forget files."""
    files = {role: kept for role, kept in read.draft().files.items() if role not in roles}
    actions.take_results(files=files, columns=DesignColumns(), question="", form="")
    view_options.choose(read.REFUSED, "")


def received(key: str, second: bool, role: str) -> None:
    """Take what an uploader holds, whichever of the two it is: they are told apart by their names."""
    files = list(st.session_state[key] or [])
    if not files:
        return
    view_options.choose(ROUND, view_options.look(ROUND, 0) + 1)
    view_options.choose(FAILED, "")
    if any(isinstance(each, DeletedFile) for each in files):
        view_options.choose(FAILED, t("The file did not arrive whole. Choose it again."))
        return
    given = [(each.name, each.getvalue()) for each in files]
    uploads.release(files)
    by_role: dict[str, tuple[str, bytes]] = {}
    for name, content in given:
        as_what = role if role not in (REPORTS, CLIENT) else CLIENT if name.lower().endswith(".json") else REPORTS
        if as_what in by_role:
            view_options.choose(FAILED, t("These are two files of one kind. Choose one table, and its client.json."))
            return
        by_role[as_what] = name, content
    for as_what, (name, content) in by_role.items():
        take(SECOND.get(as_what, as_what) if second else as_what, name, content)


def try_it() -> None:
    """Simulated reports, weighted."""
    rows, asked = simulated()
    take(CLIENT, "client.json", asked.encode())
    take(REPORTS, "reports.csv", rows)
    actions.take_results(columns=DesignColumns(weights="finalwt"))


# what is shown -------------------------------------------------------------------------------------------------------


def here(role: str, label: str = "") -> None:
    """A file that is here: its name, and the button that forgets it."""
    given = read.file(role)
    if given is None:
        return
    if label:
        st.html(f'<div class="sub">{label}</div>')
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"results_here_{role}"):
        st.html(f'<div class="result-file">{widgets.escape(words.shorten(given.name, 30))}</div>')
        st.button(
            "×", key=f"results_drop_{role}", type="tertiary", on_click=drop, args=(role,),
            help=t("Forget this file, and choose another"),
        )  # fmt: skip


def uploader(role: str, label: str, second: bool = False) -> None:
    """The box that takes a file; that of reports takes its client.json as well, both at once."""
    kinds = {REPORTS: [*TABLES, *CLIENTS], CLIENT: CLIENTS}.get(role, TEXTS)
    key = f"results_{'second_' if second else ''}{role}_{view_options.look(ROUND, 0)}"
    st.file_uploader(
        words.literal(label), type=kinds, accept_multiple_files=True, key=key, on_change=received,
        args=(key, second, role), label_visibility="collapsed",
    )  # fmt: skip


def alert(sentence: str) -> None:
    """Why something is not taken, in the engine's words or ours."""
    text = written(sentence)
    st.html(f'<div class="box note" role="alert" style="background:{widgets.colors().tint}"><div>{text}</div></div>')


def written(sentence: str) -> str:
    """The engine's words as markup: a sentence, with its commands as such."""
    text = widgets.escape(sentence[:1].upper() + sentence[1:])
    stop = "" if text.endswith((".", "?")) else "."
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", text) + stop


def sorry(error: Exception) -> str:
    """An error in words."""
    if isinstance(error, DataError):
        return t("{sentence} {why}", sentence=error.sentence, why=error.why)
    return str(error)


def page() -> None:
    """Nothing is open, or one of two files."""
    widgets.sentence(
        t(
            "What do the reports say? Two files tell it: what the phones sent, and the rule by which they changed the "
            "answers."
        )
    )
    if failed := view_options.look(FAILED, ""):
        alert(failed)
    with st.container(key="results_files", border=True):
        for place, (role, title, about) in zip(st.columns(2, gap="large"), _boxes(), strict=True):
            with place:
                st.html(f'<div class="title" role="heading" aria-level="2">{title}</div>')
                if read.file(role) is None:
                    uploader(role, title)
                    st.html(f'<div class="sub">{about}</div>')
                else:
                    here(role)
                    _checked(role)
    _below()


def _boxes() -> Sequence[tuple[str, str, str]]:
    return (
        (
            REPORTS,
            t("1 · Reports"),
            t(
                "CSV or Parquet, a row for each person, a column {report}. Weights and groups may stand beside it.",
                report="<b>report</b>",
            ),
        ),
        (
            CLIENT,
            t("2 · client.json"),
            t("Written with the survey, beside the page that the phones opened. One question, or a whole survey."),
        ),
    )


def _checked(role: str) -> None:
    if role != CLIENT:
        return
    try:
        asked = read.client()
    except (ValueError, TypeError) as error:
        alert(sorry(error))
        return
    texts = words.listing(widgets.escape(f"“{text}”") for text in asked.texts)
    st.html(f'<div class="sub">{texts}</div>')


def _below() -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            t("No client file: counts, or another tool"), key="results_no_client",
            on_click=view_options.choose, args=("no_client", True),
        )  # fmt: skip
        st.html(f'<div class="sub">{t("RAPPOR, forced answers, a matrix of your own")}</div>', width="content")
    got, left, right = st.columns(3, gap="large")
    answers = f"<b>{t('answers')}</b>"
    refused = t(
        "A report that this client cannot send is counted and left out. A column of {answers} instead of reports is "
        "not read at all. Below {few} reports there is no estimate.",
        answers=answers, few=FEW,
    )  # fmt: skip
    get = t("Every share with its 95 %, hidden answers first; whether the counts are strange; a report to sign.")
    with got:
        st.html(f'<div class="door"><div class="title">{t("What you get")}</div>{get}</div>')
        label = t("Try it with {n} simulated reports", n=words.count(PEOPLE))
        st.button(label, key="results_try", on_click=try_it)
    with left:
        st.html(f'<div class="door"><div class="title">{t("What is refused")}</div>{refused}</div>')
    kept = t("Nothing is written to disk or sent. Reports are protected; weights and groups are not.")
    with right:
        st.html(f'<div class="door"><div class="title">{t("Where it goes")}</div>{kept}</div>')
