"""The settings of marks: one, or A and B to compare; which of them is edited, and what it is called."""

import streamlit as st

from ldpapp import bind, columns, edits, words
from ldpapp.kept import front
from ldpapp.language import t


def choose() -> None:
    """Which setting is edited; a second one can be kept beside the first."""
    column = front()
    arms, here = columns.said(column).arms, edits.edited()
    if len(arms) == 1:
        st.button(
            t("Keep as A, make B"),
            key="make_b",
            type="tertiary",
            on_click=edits.second_arm,
            args=(column,),
            help=t("Keeps these marks as A and starts B as a copy: Frequency compares the two."),
        )
        return
    with st.popover(t("rename"), type="tertiary", key="rename_arm"):
        name = arms[here].name
        st.text_input(
            t("Name of this setting"),
            name,
            key=f"arm_name_{here}_{name}",
            max_chars=24,
            on_change=_rename,
            args=(f"arm_name_{here}_{name}", column, here),
        )
        st.button(
            t("Drop {setting}", setting=words.literal(name)),
            key="drop_arm",
            on_click=edits.drop_arm,
            args=(column, here),
        )
    bind.bound(
        st.segmented_control,
        t("Setting being edited"),
        [0, 1],
        key="editing_choice",
        value=here,
        change=edits.edit,
        required=True,
        format_func=lambda i: words.literal(arms[i].name),
        label_visibility="collapsed",
    )


def _rename(key: str, column: str, arm: int) -> None:
    """Two settings have two names: one that is taken changes nothing."""
    name = " ".join(st.session_state[key].split())
    arms = columns.said(column).arms
    if name and all(other.name != name for place, other in enumerate(arms) if place != arm):
        edits.rename_arm(column, arm, name)
