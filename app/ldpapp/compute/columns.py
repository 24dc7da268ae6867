"""Tables that come with the app, and columns counted."""

import streamlit as st

from ldpcore import data
from ldpcore.study import Study, frequency


@st.cache_resource(max_entries=8, show_spinner=False)
def bundled(name: str) -> data.Table:
    """A bundled data set, read once for all sessions: it is nobody's upload."""
    return data.load(name)


@st.cache_data(scope="session", max_entries=64, show_spinner=False)
def _histogram(
    digest: str, column: str, missing: str, bins: object, _study: Study, _table: data.Table
) -> data.Histogram:
    return frequency.histogram(_study, _table)


def histogram(study: Study, table: data.Table) -> data.Histogram:
    """The study's column, counted."""
    return _histogram(table.digest, study.column, study.missing, study.bins, study, table)
