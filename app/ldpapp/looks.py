"""How charts are looked at: which scope, quantity, order. Nothing computed depends on it, and no Study holds it.

Every task names its looks with the values they can take, the first one usual; the link carries those that differ.
"""

from collections.abc import Mapping
from typing import Any

import streamlit as st

Looks = Mapping[str, tuple[Any, ...]]
"""Key of the widget → its values."""


def start(looks: Looks) -> None:
    for key, values in looks.items():
        st.session_state.setdefault(key, values[0])


def look(key: str, usual: Any = None) -> Any:
    """What is chosen under this key."""
    return st.session_state.get(key, usual)


def wished(key: str) -> str:
    """Under which key stands what a person chose, where the widget `key` also shows a choice that nobody made."""
    return f"{key}_wished"


def choose(key: str, value: Any) -> None:
    st.session_state[key] = value
