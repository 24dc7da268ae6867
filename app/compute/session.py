"""What one session keeps for itself, in its memory only: things by key, of which the oldest go first."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import streamlit as st

Thing = TypeVar("Thing")


def store(name: str) -> OrderedDict[Hashable, Any]:
    """Everything kept under this name."""
    return st.session_state.setdefault(name, OrderedDict())


def remember(name: str, most: int, key: Hashable, make: Callable[[], Thing]) -> Thing:
    """What was made once for this key; at most `most` things are kept, those last used."""
    kept = store(name)
    if key not in kept:
        kept[key] = make()
        while len(kept) > most:
            kept.popitem(last=False)
    kept.move_to_end(key)
    return kept[key]
