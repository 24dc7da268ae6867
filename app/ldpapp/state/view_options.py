"""How charts are looked at: which scope, quantity, order. Nothing computed depends on it, and no Study holds it.

Every task names its looks with the values they can take, the first one usual; the link carries those that differ.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from ldpapp import words
from ldpapp.state import controlled

Looks = Mapping[str, tuple[Any, ...]]
"""Key of the widget → its values."""
Wishes = Mapping[str, Callable[[str], Any]]
"""Key of what is wished → how a link's text is read; ValueError where it makes no sense."""


def start(looks: Looks) -> None:
    for key, values in looks.items():
        st.session_state.setdefault(key, values[0])


def look(key: str, usual: Any = None) -> Any:
    """What is chosen under this key."""
    return st.session_state.get(key, usual)


def choose(key: str, value: Any) -> None:
    st.session_state[key] = value


def radio(label: str, texts: Mapping[Any, str], key: str, **options: Any) -> None:
    """The widget of a look: its values and what they are called."""
    st.radio(
        label,
        list(texts),
        key=key,
        persist_state="session",
        format_func=lambda value: words.literal(texts[value]),
        **options,
    )


def wish(widget: Callable[..., Any], label: str, values: Any, *, key: str, shown: Any, **options: Any) -> None:
    """The widget of a look whose usual value follows from the data: what is looked at is shown, what is `wished` kept.

    A widget of Streamlit's own would keep the usual value too, and hold on to it when the data have another.
    """
    controlled.bound(widget, label, values, key=key, value=shown, change=partial(choose, _wished(key)), **options)


def wished(key: str) -> Any:
    """What the person chose in the widget of this key; None while nobody chose."""
    return look(_wished(key))


def want(key: str, value: Any) -> None:
    """The same without a widget; None: nobody chose."""
    choose(_wished(key), value)


def wishes(known: Wishes) -> dict[str, str]:
    """Those of these that somebody has, as a link says them."""
    there = {key: value for key in known if (value := wished(key)) not in (None, "")}
    return {key: f"{value:.15g}" if isinstance(value, float) else str(value) for key, value in there.items()}


def wish_as(known: Wishes, texts: Mapping[str, str]) -> list[str]:
    """Take over what a link says; the keys of what makes no sense."""
    refused = []
    for key, read in known.items():
        try:
            want(key, read(texts[key]) if key in texts else None)
        except ValueError:
            refused.append(key)
    return refused


def _wished(key: str) -> str:
    return f"{key}_wished"
