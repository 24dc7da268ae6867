"""A link of one's own data, in a browser that has not got them: the one thing to do, and what comes of it."""

from collections.abc import Callable

import streamlit as st

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.state.model import is_public, table, title
from ldpapp.views.data import uploads
from ldpapp.words.language import t


def show(go_on: Callable[[], None]) -> None:
    """go_on: without the file."""
    uploads.start()
    widgets.sentence(t("This link’s file is not here: choose it again."))
    widgets.state_box(
        t("A file is in memory only while its page is open: nothing of it is saved or sent, nor in the link."),
        t(
            "Marks, ε and what was decided of its reading come back with the very same file. If the link is somebody "
            "else’s, ask them for it."
        ),
        height=96,
    )
    key = f"upload_{st.session_state.upload_round}"
    with st.container(width=560):
        st.file_uploader(
            t("The file of this link"),
            type=uploads.TYPES,
            accept_multiple_files=True,
            key=key,
            on_change=uploads.received,
            args=(key,),
        )
    uploads.outcome()
    data = words.literal(title(table().name))
    rest = t("Go on with the {data} example", data=data) if is_public() else t("Go on with {data}", data=data)
    st.button(rest, key="own_without", type="tertiary", on_click=go_on)
