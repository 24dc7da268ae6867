"""The Study beyond this session: the page's address, the Study file, the table of results."""

from collections.abc import Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import state
from compute import bundled
from ldpcore import data
from ldpcore.study import Source, Study, StudyError, from_toml, run, serial, to_toml
from state import Problem
from studies import TASKS, TaskStudy


def follow(query: Mapping[str, list[str]]) -> None:
    """Take over what a link says, as far as it makes sense for data that is here."""
    wanted, refused = serial.from_query(query, Study(Source(st.session_state.data), ""))
    st.session_state.problems += [Problem(sentence) for sentence in refused]
    if wanted.data.name not in data.BUNDLED:
        unknown = Problem(
            f"The link's data set “{wanted.data.name[:40]}” is not here.", "Links work for bundled data only."
        )
        st.session_state.problems.append(unknown)
        return
    marks = any(name.startswith("arm.") for name in query)
    adopt(wanted, bundled(wanted.data.name), marks, "m" in query)
    for key, values in TASKS[wanted.task].VIEW.items():
        found = {str(value): value for value in values}
        if query.get(key) and query[key][0] in found:
            st.session_state[key] = found[query[key][0]]
        elif query.get(key):
            st.session_state.problems.append(Problem(f"The link's {key} makes no sense and was left out."))


def adopt(wanted: Study, source: data.Table, marks: bool = True, mechanisms: bool = True) -> None:
    """Make this study the session's, dropping what the data does not have, with a sentence for each."""
    st.session_state.update(
        data=source.name,
        epsilon=wanted.epsilon,
        slider=wanted.epsilon,
        repetitions=wanted.repetitions,
        seed=wanted.seed,
        missing=wanted.missing,
    )
    TASKS[wanted.task].adopt(wanted, source, marks, mechanisms)


def write(study: TaskStudy) -> None:
    """Keep the address bar in step, so that the page's URL is the link."""
    try:
        made = study.current()
    except data.DataError:
        return
    public = st.session_state.data in data.BUNDLED
    looks = {key: st.session_state[key] for key, values in study.VIEW.items() if key in st.session_state}
    view = {key: [str(value)] for key, value in looks.items() if value != study.VIEW[key][0]}
    st.query_params.from_dict(serial.to_query(made, public) | view)


def menu(place: DeltaGenerator, study: TaskStudy) -> None:
    """Beside the word Study: the link, the file, all results, and loading a file."""
    with place.popover("link · file", type="tertiary"):
        bundled = st.session_state.data in data.BUNDLED
        st.markdown(
            "The address of this page is a link to this view."
            if bundled
            else "The data were uploaded: the link carries neither them, nor the column, nor the marks. The file names "
            "column and marks, never the answers."
        )
        _downloads(study)
        loaded = st.file_uploader("Load a Study file", type=["toml"], key="study_upload", max_upload_size=1)
        if loaded is not None and st.session_state.get("study_read") != loaded.file_id:
            st.session_state.study_read = loaded.file_id
            load(loaded.getvalue())


def _downloads(study: TaskStudy) -> None:
    try:
        made, table = study.current(), state.table()
    except data.DataError:
        return
    # Files are made on the click, outside the script: they may only know what they are given here.
    st.download_button(
        "Download the Study (TOML)",
        lambda: to_toml(made).encode(),
        "study.toml",
        "application/toml",
        on_click="ignore",
    )
    st.download_button(
        "All results (CSV)",
        lambda: run(made, table).to_csv(index=False).encode(),
        "results.csv",
        "text/csv",
        on_click="ignore",
        help="The very table that `ldpcore run study.toml` computes.",
    )


def load(content: bytes) -> None:
    """Take a Study file over, if it is one and its data are here."""
    try:
        wanted = from_toml(content.decode("utf-8"))
    except (StudyError, UnicodeDecodeError) as error:
        st.error(f"That is not a Study file: {error}")
        return
    name = wanted.data.name
    if name not in data.BUNDLED and name not in st.session_state.uploads:
        st.error(
            f"The Study is about “{name}”, which is not loaded. Upload that file on the Data page, then try again."
        )
        return
    source = st.session_state.uploads.get(name) or bundled(name)
    if wanted.data.digest and wanted.data.digest != source.digest:
        st.error(f"The Study was made with another version of “{name}”: the digests differ.")
        return
    st.session_state.adopting = (wanted, source)
    st.rerun()
