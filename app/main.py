"""Navigation and the frame of the sidebar: the Study stands in the same place on every page."""

from pathlib import Path

import streamlit as st

import links
import state
import widgets
from ldpcore import data
from studies import TASKS, TaskStudy

STATIC = Path(__file__).parent / "static"
PAGES = {"Data": None, "Overview": None, "Frequency": "frequency", "Ranges": "ranges"}
"""Title → the task whose Study stands beside it; the Data page shows that of its column."""


def sidebar(study: TaskStudy) -> None:
    with st.container(key="study"):
        head = st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center")
        head.markdown("#### Study")
        links.menu(head, study)
        left, right = st.columns(2, gap="small")
        names = [*data.BUNDLED, *st.session_state.uploads]
        left.selectbox(
            "Data", names, key="data", format_func=lambda name: name.capitalize() if name in data.BUNDLED else name
        )
        study.beside_data(right)
        study.sidebar()


def start() -> None:
    """A new session: defaults, then what its link asks for."""
    state.start()
    for study in TASKS.values():
        study.start()
    if st.query_params:
        links.follow({name: st.query_params.get_all(name) for name in st.query_params})


def main() -> None:
    st.set_page_config("ldpcore", str(STATIC / "icon.png"), layout="wide", initial_sidebar_state=272)
    st.html(widgets.style())
    st.logo(str(STATIC / "logo.svg"))
    if "started" not in st.session_state:
        start()
    if "adopting" in st.session_state:
        links.adopt(*st.session_state.pop("adopting"))
    page = st.navigation(
        [st.Page(f"views/{title.lower()}.py", title=title, default=title == "Data") for title in PAGES], position="top"
    )
    task = PAGES[page.title] or "frequency"
    study, source = TASKS[task], state.table()
    state.offer(task, study.columns(source), study.default_column(source))
    with st.sidebar:
        sidebar(study)
    page.run()
    links.write(study)


main()
