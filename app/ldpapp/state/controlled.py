"""Widgets that show what a Study says: drawn with its value in every run, and changed only through the session.

A widget that kept a value of its own could disagree with the page. These have none: what the person chooses goes to
`change`, and the next run draws what came of it.
"""

from collections.abc import Callable
from typing import Any

import streamlit as st


def bound(widget: Callable[..., Any], label: str, *args: Any, key: str, value: Any, change: Callable, **options: Any):
    """Draw `widget` with this value; `change(new)` is called when the person chooses another."""
    st.session_state[key] = value
    return widget(label, *args, key=key, on_change=_changed, args=(key, change), **options)


def _changed(key: str, change: Callable[[Any], object]) -> None:
    change(st.session_state[key])
