"""The way from page to page."""

from typing import Any

import streamlit as st

PAGES = "pages"
"""The session's key of the navigation's pages, by address."""


def keep(pages: dict[str, Any]) -> None:
    st.session_state[PAGES] = pages


def go(address: str) -> None:
    """Leave for another page."""
    st.switch_page(st.session_state[PAGES][address])


def has(address: str) -> bool:
    """Whether there is such a page."""
    return address in st.session_state[PAGES]


def link(address: str, label: str) -> None:
    st.page_link(st.session_state[PAGES][address], label=label, width="content")
