"""A task's page without a browser: the terminal's report is the page's, drawn in this process and kept in memory."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from ldpapp import report, screen
from ldpcore.data import Table
from ldpcore.study import Study

MAIN = Path(__file__).with_name("main.py")
PATIENCE = 24 * 3600.0
"""Seconds that a page may simulate."""


def paper(study: Study, table: Table) -> report.Paper:
    """The report of a Study's page, once everything behind it is simulated."""
    at = AppTest.from_file(MAIN, default_timeout=PATIENCE)
    at.session_state[report.ASKED] = (study, table)
    at.session_state[screen._LAST] = study.task
    at.run()
    return at.session_state[report.MADE]
