"""Navigation and the frame of the sidebar: the Study stands in the same place on every page."""

from pathlib import Path

import streamlit as st

import links
import state
import widgets
from ldpcore import data
from studies import TASKS, TaskStudy, sets

STATIC = Path(__file__).parent / "static"
PAGES = {
    "Data": None,
    "Overview": None,
    "Frequency": "frequency",
    "Sets": "sets",
    "Means": "means",
    "Itemsets": "itemsets",
    "Clusters": "clusters",
    "Ranges": "ranges",
    "Papers": None,
}
"""Title → the task whose Study stands beside it; None: that of the chosen column."""


def task_of(title: str) -> str:
    """The page's task, with a column that it can be about."""
    own, source = PAGES[title], state.table()
    if own is not None:
        state.offer(own, TASKS[own].columns(source), TASKS[own].default_column(source))
        return own
    counted, baskets = TASKS["frequency"], TASKS["sets"]
    names = list(dict.fromkeys([*counted.columns(source), *baskets.columns(source)]))
    foremost = sets.foremost(source)
    state.offer("data", names, foremost or counted.default_column(source) or baskets.default_column(source))
    return "sets" if state.column() in source.sets else "frequency"


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
    study = TASKS[task_of(page.title)]
    with st.sidebar:
        sidebar(study)
    page.run()
    links.write(study)


main()
