"""What one session keeps for itself, in its memory only: things by key, of which the oldest go first."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import streamlit as st

Thing = TypeVar("Thing")
Given = ParamSpec("Given")


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


def waited(name: str, most: int, key: Hashable, wait: bool, make: Callable[[], Thing]) -> Thing | None:
    """The same where somebody waits for it; else what is kept for this key, None where nobody has waited yet."""
    return remember(name, most, key, make) if wait else store(name).get(key)


def once(most: int) -> Callable[[Callable[Given, Thing]], Callable[Given, Thing]]:
    """What a function of hashable arguments gives, made once per session: what it is made of may be the person's."""

    def decorate(make: Callable[Given, Thing]) -> Callable[Given, Thing]:
        name = f"{make.__module__}.{make.__qualname__}"

        @wraps(make)
        def found(*args: Given.args, **options: Given.kwargs) -> Thing:
            return remember(name, most, (args, tuple(sorted(options.items()))), lambda: make(*args, **options))

        return found

    return decorate
