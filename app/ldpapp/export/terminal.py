"""A task's page without a browser: the terminal's report is the page's own, drawn in this process, kept in memory."""

import logging
import math
from pathlib import Path

from streamlit.testing.v1 import AppTest

from ldpapp.export import report
from ldpapp.runtime import background, display, errors
from ldpapp.state.model import KEY
from ldpcore.data import Table
from ldpcore.study import Comparison, Study

MAIN = Path(__file__).parents[1] / "main.py"
PATIENCE = 24 * 3600.0
"""Seconds that a page may simulate."""


def html(setting: Study | Comparison, table: Table, publishable: bool = False) -> tuple[str, list[str]]:
    """The report of the page of a Study, or of two compared, and what these data do not have of it.

    publishable: without what compares with the truth. ValueError, with what the page
    says, where it shows nothing.
    """
    made, refused = paper(setting, table)
    return made.html(publishable), refused


def paper(setting: Study | Comparison, table: Table) -> tuple[report.ReportContent, list[str]]:
    """What the report is made of, once everything behind the page is simulated."""
    logging.getLogger(errors.NO_PAGE).setLevel(logging.ERROR)
    background.SLICE = math.inf  # nobody waits for a first picture
    page = AppTest.from_file(MAIN, default_timeout=PATIENCE)
    page.session_state[report.ASKED] = (setting, table)
    task = (setting.b if isinstance(setting, Comparison) else setting).task
    display.came_from(task, page.session_state)
    page.run()
    for failed in page.exception:
        raise ValueError(failed.message)
    refused = [f"{each.what} {each.why}".strip() for each in page.session_state[KEY].problems]
    if report.MADE not in page.session_state:
        raise ValueError(f"the {task} page shows nothing of this study")
    return page.session_state[report.MADE], refused
