"""Navigation and the frame of the sidebar: the Study stands in the same place on every page.

What fails, fails alone: the chooser of data is drawn before anything that looks at them, and a part that raises leaves
a sentence in its place.
"""

import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

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
WITHOUT_STUDY = {"Papers": "The papers are checked on their own data: nothing here changes this page."}
"""Title → why the Study beside it changes nothing."""


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


class Failed(Exception):
    """What a person reads of a defect of ours; the log has the defect itself."""


@contextmanager
def guarded(part: str) -> Iterator[None]:
    """Whatever this part raises is said in its place, and the rest of the page goes on."""
    try:
        yield
    except Exception as error:
        # Where it failed, without the message: that may quote the data.
        where = "".join(traceback.format_tb(error.__traceback__))
        logging.getLogger(__name__).error("%s failed: %s\n%s", part, type(error).__name__, where)
        st.exception(
            Failed(
                f"{part} failed on these data ({type(error).__name__}). That is a defect of ldpcore, not of yours. "
                "Your data, marks and settings are still here: choose another column or other data at the left, or "
                "another page."
            )
        )


def frame(title: str) -> tuple[Any, Any]:
    """The head of the sidebar with the chooser of data; what else stands in the head, and beside the chooser."""
    head = st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center")
    head.markdown("#### Study")
    if title in WITHOUT_STUDY:
        st.html(f'<div class="sub">{WITHOUT_STUDY[title]}</div>')
    left, right = st.columns(2, gap="small")
    names = [*data.BUNDLED, *st.session_state.uploads]
    left.selectbox(
        "Data", names, key="data", format_func=lambda name: name.capitalize() if name in data.BUNDLED else name
    )
    return head, right


def sidebar(study: TaskStudy, head: Any, beside: Any) -> None:
    with guarded("The Study"):
        study.beside_data(beside)
        study.sidebar()
        links.menu(head, study)


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
    box = st.sidebar.container(key="study")
    with box:
        head, beside = frame(page.title)
    study = TASKS["frequency"]
    with guarded("The choice of a column"):
        study = TASKS[task_of(page.title)]
    with box:
        sidebar(study, head, beside)
    with guarded(f"The page {page.title}"):
        try:
            page.run()
        finally:  # also where a page ends by asking for its next slice of work: the address is a link at any moment
            links.write(study)


main()
