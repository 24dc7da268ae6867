"""Where a report is asked for: a menu beside the Study, whose buttons make the file when they are pressed; and where a
page says so, a button of its own.
"""

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ldpapp.export.report import deployed
from ldpapp.export.report.paper import ReportContent
from ldpapp.parts import widgets
from ldpapp.runtime import capture
from ldpapp.state import view_options
from ldpapp.state.model import table, title
from ldpapp.views.task import TaskPage
from ldpapp.words.language import t
from ldpcore.study import Comparison, Study

KEY = "report"
"""The session's key of the menu."""
ASKED, MADE, RESULTS = "report_asked", "report_made", "report_results"
"""The session's keys of who asks without the menu (the terminal does), of the report that this run has, and of the
files on Results that a terminal asks about.
"""


def menu(place: DeltaGenerator) -> Any:
    """The place of the buttons, which `fill` draws once the page has been drawn.

    What is folded is drawn while the menu is open: the report has it, too.
    """
    return place.popover(t("report"), type="tertiary", key=KEY, on_change="rerun")


def opened() -> bool:
    """Whether a menu is open that is drawn after the page."""
    return bool(view_options.look(KEY))


def asked(menu: Any, offers: bool = False) -> bool:
    """Whether somebody wants a report of what is drawn now; `menu` is None where none is offered. offers: whether the
    page will say where it has a button of its own (`record.save_here`).
    """
    return menu is not None and (bool(menu.open) or ASKED in st.session_state or offers)


def fill(place: Any, task: TaskPage, setting: Study | Comparison | None, other: str = "") -> None:
    """The page has been drawn: offer what it has shown.

    other: what a page is called that is about no single task. It shows the data themselves, so that nothing of it is
    offered for publication.
    """
    shown = capture.shown()
    if shown is None or setting is None:
        return
    study = setting.b if isinstance(setting, Comparison) else setting
    # The file is made on the click, outside the script: it may only know what it is given here.
    signed = task.signed(study, task.data(study, table())) if task.signed and not other else None
    written = study if other else setting
    paper = ReportContent(
        shown, other or task.title, study, table(), title(table().name), widgets.is_dark(), written, signed,
        checked=deployed.line(),
    )  # fmt: skip
    view_options.choose(MADE, paper)
    if shown.place is not None:
        with shown.place:
            _both(paper)
    with place:
        text = t(
            "All of this page on paper, folds included: one file that opens without network. <i>For publication</i> "
            "leaves out what compares with the truth; {errors}.",
            errors=t("its margins hold whatever people answer")
            if signed and signed.page
            else t("exact errors still tell shares to whoever calculates"),
        )
        if other:
            text = t(
                "All of this page on paper: one file that opens without network. It shows the data themselves: not "
                "for publication. The page of a task has a report that may be."
            )
        st.html(f'<div class="card" style="max-width:20rem">{text}</div>')
        _button(paper, False, t("Download the report"), "report.html")
        if not other:
            _button(paper, True, t("Download it for publication"), "report-publishable.html")
        if opened():
            deployed.box("menu")


def _both(paper: ReportContent) -> None:
    """Where a page ends in a report: its two versions, with a sentence each."""
    versions = [
        (False, t("Save the report"), t("For those who sign: with who is exposed, and the file’s shares.")),
        (True, t("Save it for publication"), t("Without them: with margins that hold whatever people answer.")),
    ]
    for place, (publishable, label, text) in zip(st.columns(2, gap="medium"), versions, strict=True):
        with place:
            file, key = ("report-publishable.html", "report_publish") if publishable else ("report.html", "report_save")
            _button(paper, publishable, label, file, key, type="secondary" if publishable else "primary")
            st.html(f'<div class="sub">{text}</div>')
    with st.expander(t("More for the report")):
        deployed.box("end")


def alone(name: str, study: Study, below: bool) -> None:
    """The same for a page that is about no data. below: whether a menu stands under it, where the page has no place of
    its own for the buttons.
    """
    shown = capture.shown()
    if shown is not None and shown.place is not None:
        place = shown.place
    elif below:
        place = menu(st.container())
    else:
        return
    if shown is None:
        return
    paper = ReportContent(shown, shown.title or name, study, table(), "", widgets.is_dark(), study, alone=True)
    view_options.choose(MADE, paper)
    with place:
        if shown.place is not None:
            _button(paper, False, t("Save the report"), "report.html", "report_save", type="primary")
            _button(paper, True, t("for publication"), "report-publishable.html", type="tertiary")
            return
        text = t("All of this page on paper: one file that opens without network.")
        st.html(f'<div class="card" style="max-width:20rem">{text}</div>')
        _button(paper, False, t("Download the report"), "report.html")


def _button(paper: ReportContent, publishable: bool, label: str, file: str, key: str = "", **options: Any) -> None:
    st.download_button(
        label, lambda: paper.html(publishable).encode(), file, "text/html", key=key or file, on_click="ignore",
        width="stretch", **options,
    )  # fmt: skip
