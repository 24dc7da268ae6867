"""Tables that come with the app, and columns counted."""

import streamlit as st

from ldpapp.compute.memory import remember
from ldpcore import data
from ldpcore.study import Study, frequency


@st.cache_resource(max_entries=8, show_spinner=False)
def bundled(name: str) -> data.Table:
    """A bundled data set, read once for all sessions: it is nobody's upload."""
    return data.load(name)


def histogram(study: Study, table: data.Table) -> data.Histogram:
    """The study's column, counted; the same object for the same column, so that what is made of it can be kept too."""
    key = (table.digest, study.column, study.missing, study.bins)
    return remember("histograms", 64, key, lambda: frequency.histogram(study, table))
