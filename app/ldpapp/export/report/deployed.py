"""Deep in the report: the label that a deployment would have, and whether what is installed here keeps its laws."""

from collections.abc import Iterable, Mapping

import streamlit as st

from ldpapp.parts import widgets
from ldpapp.words.language import t
from ldpcore.data import Table
from ldpcore.study import Study, installation, tasks
from ldpcore.study import label as labels

CHECKED = "report_checked"
"""Where a check of this installation is asked for: the keys of the boxes, in the menu and at a page's end, begin so."""


def label(study: Study, table: Table) -> str:
    """What the file label.yaml says of each mechanism: what they have in common once, then what is different."""
    fields, reasons = {}, []
    for key in tasks.entered(study):
        try:
            fields[key] = labels.filled(labels.label(study, table, key))
        except ValueError as error:
            reasons.append(f"<p>{widgets.escape(error)}.</p>")
    if not fields:
        return "".join(reasons)
    alike = {name: text for name, text in next(iter(fields.values())).items()
             if all(each.get(name) == text for each in fields.values())}  # fmt: skip
    lines = t(
        "In the field names of {schema}; “ldpcore label study.toml” writes them as a file. Who publishes, where and "
        "when is not known here.",
        schema=widgets.escape(labels.SCHEMA),
    )
    apart = "".join(
        f'<div class="keep"><h3>{widgets.escape(key)}</h3>{_fields(each, each.keys() - alike.keys())}</div>'
        for key, each in fields.items() if each.keys() - alike.keys()
    )  # fmt: skip
    return f'<p class="sub">{lines}</p>{_fields(alike, alike)}{apart}{"".join(reasons)}'


def _fields(texts: Mapping[str, str], names: Iterable[str]) -> str:
    pairs = (
        f"<div><dt>{name}</dt> <dd>{widgets.escape(text)}</dd></div>" for name, text in texts.items() if name in names
    )
    return f'<dl class="label">{"".join(pairs)}</dl>'


def box(place: str) -> None:
    """The box that asks for a check, and how far that is; place: where it stands on the page."""
    st.checkbox(
        t("With a check of this installation"),
        key=f"{CHECKED}_{place}",
        persist_state="session",
        help=t(
            "Tries the laws behind all numbers on this computer, in about ten seconds; the report has what was found."
        ),
    )
    if st.session_state[f"{CHECKED}_{place}"]:
        check = installation.in_background()
        _running(check) if check.running else _ended(check)


def line() -> str:
    """What a report says of the check that was asked for; "" without one, or while it runs."""
    asked = any(value for key, value in st.session_state.items() if str(key).startswith(CHECKED))
    return installation.in_background().line if asked else ""


@st.fragment(run_every=0.7)
def _running(check: installation.RunningCheck) -> None:
    st.html(f'<div class="sub" role="status">{t("{n} laws tried so far", n=check.tried)}</div>')
    if not check.running:
        st.rerun(scope="app")


def _ended(check: installation.RunningCheck) -> None:
    text = t("The report has its line.") if check.line else t("The check broke off: ldpcore check says why.")
    st.html(f'<div class="sub" role="status">{text}</div>')
