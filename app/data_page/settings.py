"""The settings of marks: one, or A and B to compare; which of them is edited, and what it is called."""

from typing import Any

import streamlit as st

import state
from ldpcore.study import Arm


def choose(place: Any) -> None:
    """Which setting is edited; a second one can be kept beside the first."""
    arms = state.arms()
    if len(arms) == 1:
        place.button(
            "Keep as A, make B",
            key="make_b",
            type="tertiary",
            on_click=_second,
            help="Keeps these marks as A and starts B as a copy: Frequency compares the two.",
        )
        return
    with place.popover("rename", type="tertiary", key="rename_arm"):
        name = arms[state.editing()].name
        st.text_input(
            "Name of this setting",
            name,
            key=f"arm_name_{state.editing()}_{name}",
            max_chars=24,
            on_change=_rename,
            args=(f"arm_name_{state.editing()}_{name}",),
        )
        st.button(f"Drop {name}", key="drop_arm", on_click=_drop)
    st.session_state.editing_choice = state.editing()
    place.segmented_control(
        "Setting being edited",
        [0, 1],
        key="editing_choice",
        required=True,
        on_change=_switch,
        format_func=lambda i: arms[i].name,
        label_visibility="collapsed",
    )


def _second() -> None:
    state.add_arm()
    st.session_state.editing = 1


def _switch() -> None:
    st.session_state.editing = st.session_state.editing_choice


def _rename(key: str) -> None:
    name, here = " ".join(st.session_state[key].split()), state.editing()
    arms = state.arms()
    if name and all(arm.name != name for i, arm in enumerate(arms) if i != here):
        arms[here] = Arm(name, arms[here].marks)


def _drop() -> None:
    """Back to one setting: the other one, called A."""
    arms = state.arms()
    del arms[state.editing()]
    arms[0] = Arm("A", arms[0].marks)
    st.session_state.update(editing=0, compare=False)
