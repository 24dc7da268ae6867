"""The way from page to page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

PAGES = "pages"
"""The session's key of the navigation's pages, by address."""


QUESTIONS = "page_questions"
"""The session's key of what each page answers."""


@dataclass(frozen=True)
class PageQuestion:
    """A page of the navigation, the group that it stands in, and the question that it answers."""

    address: str
    group: str
    title: str
    question: str


def keep(pages: dict[str, Any], questions: Sequence[PageQuestion]) -> None:
    st.session_state[PAGES] = pages
    st.session_state[QUESTIONS] = questions


def questions() -> Sequence[PageQuestion]:
    """Which page answers what, in the order of the navigation."""
    return st.session_state[QUESTIONS]


def go(address: str) -> None:
    """Leave for another page."""
    st.switch_page(st.session_state[PAGES][address])


def has(address: str) -> bool:
    """Whether there is such a page."""
    return address in st.session_state[PAGES]


def link(address: str, label: str) -> None:
    st.page_link(st.session_state[PAGES][address], label=label, width="content")
