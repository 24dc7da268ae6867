"""Papers: the bench on which claims are checked."""

import streamlit as st

from ldpapp.views.papers.work import Bench
from ldpcore.papers import stored


@st.cache_resource(show_spinner=False)
def bench() -> Bench:
    """One for all sessions: nobody's data are on it."""
    return Bench(stored.read())
