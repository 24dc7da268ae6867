"""A | B on the Data page: keep these marks as A, and go on marking B."""

import streamlit as st

from ldpapp.compare import strip
from ldpapp.state.model import current_column, state, table
from ldpapp.words.language import t


def choose() -> None:
    """Keep the present setting beside the one that is being marked; or what can be done with the kept one."""
    task = "sets" if current_column() in table().sets else "frequency"
    if task not in state().compared:
        strip.keep(st, task)
        return
    with st.popover(t("A | B"), type="tertiary", key="data_beside"):
        strip.menu(task)
