"""A task's page without a browser: the terminal's report is the page's own, drawn in this process, kept in memory."""

import hashlib
import logging
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from ldpapp.export import report
from ldpapp.runtime import background, display, errors
from ldpapp.state.model import KEY, ResultFile
from ldpcore.data import Table
from ldpcore.study import Comparison, Study

MAIN = Path(__file__).parents[1] / "main.py"
PATIENCE = 24 * 3600.0
"""Seconds that a page may simulate."""


def html(
    setting: Study | Comparison, table: Table, publishable: bool = False, checked: str = ""
) -> tuple[str, list[str]]:
    """The report of the page of a Study, or of two compared, and what these data do not have of it.

    publishable: without what compares with the truth. checked: what `ldpcore check` found, in a line. ValueError, with
    what the page says, where it shows nothing.
    """
    made, refused = paper(setting, table)
    return replace(made, checked=checked).html(publishable), refused


def results_html(files: Mapping[str, tuple[str, bytes]], changes: Mapping[str, Any], publishable: bool = False) -> str:
    """The report of the page Results: files by what they are there, each its name and content, and what else is chosen.

    ValueError, with what the page says, where it has nothing to save.
    """
    logging.getLogger(errors.NO_PAGE).setLevel(logging.ERROR)
    page = AppTest.from_file(MAIN, default_timeout=PATIENCE)
    kept = {
        role: ResultFile(name, hashlib.sha256(content).hexdigest(), content) for role, (name, content) in files.items()
    }
    page.session_state[report.RESULTS] = {"files": kept, **changes}
    display.came_from("results", page.session_state)
    page.run()
    if report.MADE not in page.session_state:
        raise ValueError("the page Results shows nothing of these files: look at them there, or without --report")
    return page.session_state[report.MADE].html(publishable)


def paper(setting: Study | Comparison, table: Table) -> tuple[report.ReportContent, list[str]]:
    """What the report is made of, once everything behind the page is simulated."""
    logging.getLogger(errors.NO_PAGE).setLevel(logging.ERROR)
    page = AppTest.from_file(MAIN, default_timeout=PATIENCE)
    page.session_state[report.ASKED] = (setting, table)
    task = (setting.b if isinstance(setting, Comparison) else setting).task
    display.came_from(task, page.session_state)
    usual, background.SLICE = background.SLICE, math.inf  # nobody waits for a first picture
    try:
        page.run()
    finally:
        background.SLICE = usual
    for failed in page.exception:
        raise ValueError(failed.message)
    refused = [f"{each.what} {each.why}".strip() for each in page.session_state[KEY].problems]
    if report.MADE not in page.session_state:
        raise ValueError(f"the {task} page shows nothing of this study")
    return page.session_state[report.MADE], refused
