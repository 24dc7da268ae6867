"""Papers: the bench on which claims are checked."""

import streamlit as st

from ldpcore.papers import stored
from ldpcore.papers.bench import Bench


@st.cache_resource(show_spinner=False)
def bench() -> Bench:
    """One for all sessions: nobody's data are on it."""
    return Bench(stored.read())
