"""Opening the dashboard without a browser, as quickly as it opens: one survey behind every point, unless asked."""

import html as markup
import json
import re
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from ldpapp.runtime.display import QUERY
from ldpapp.state.model import KEY, SessionState, settings_of, study_of, workspace
from ldpapp.views.tasks import TASKS
from ldpcore.data import Table
from ldpcore.study import Study

BEHIND = {"ldpapp.runtime.background.steps": lambda work, study: None, "ldpapp.views.review.cached.WAIT": 0}
"""What simulates behind what a page shows at once, and what stands there instead where nothing is to be simulated."""
MAIN = Path(__file__).parents[2] / "app" / "ldpapp" / "main.py"


def opened(address: str = "data", table: Table | None = None, **query: Any) -> AppTest:
    """A page of a new session at rest. `table` is an upload; `query` are parameters of the link, "reps" among them."""
    at = AppTest.from_file(MAIN, default_timeout=200)
    for name, value in ({"reps": "1"} | query).items():
        at.query_params[name] = value
    if table is None:
        return at.run() if address == "data" else go(at, address)
    upload(at.run(), table)
    return at if address == "data" else go(at, address)


@contextmanager
def nothing_behind() -> Iterator[None]:
    """Pages show what they show at once: nothing more is simulated behind them."""
    with pytest.MonkeyPatch.context() as patch:
        for name, instead in BEHIND.items():
            patch.setattr(name, instead)
        yield


def twin(at: AppTest, address: str = "data") -> AppTest:
    """A page of another session that has what this one has, and has simulated the same; changes stay apart."""
    own, copied = state(at), AppTest.from_file(MAIN, default_timeout=200)
    apart = copy(own)
    for name, value in vars(own).items():
        setattr(apart, name, copy(value))
    copied.session_state[KEY] = apart
    for name, value in at.session_state.items():
        if isinstance(value, OrderedDict) or any(name in task.looks for task in TASKS.values()):
            copied.session_state[name] = value
    return go(copied, address)


def go(at: AppTest, address: str) -> AppTest:
    """Another page of the same session."""
    # Pages are functions, not files, so that AppTest.switch_page cannot name them.
    at._page_hash = calc_hash("" if address == "welcome" else address)
    return at.run()


def upload(at: AppTest, table: Table) -> AppTest:
    """Make a table the chosen data, as an upload does."""
    state(at).uploads[table.name] = table
    return at.run().selectbox(key="data").set_value(table.name).run()


def do(at: AppTest, change: Callable[..., Any], *args: Any, **fields: Any) -> AppTest:
    """Call what widgets call, such as `edits.set_marks`, and draw what comes of it."""
    ask(at, lambda: change(*args, **fields))
    return at.run()


def ask(at: AppTest, read: Callable[..., Any], *args: Any) -> Any:
    """What a function that reads the session finds in this one."""
    # Outside of a running page Streamlit has one session state for the process.
    if st.session_state.get(KEY) is state(at):  # asked while something else is
        return read(*args)
    st.session_state[KEY] = state(at)
    try:
        return read(*args)
    finally:
        st.session_state.clear()


def press(at: AppTest, key: str) -> AppTest:
    return at.button(key=key).click().run()


# what the session has ------------------------------------------------------------------------------------------------


def state(at: AppTest) -> SessionState:
    """What the session has."""
    return at.session_state[KEY]


def study(at: AppTest, task: str) -> Study:
    return ask(at, study_of, task)


def studies(at: AppTest) -> dict[str, Study]:
    """Every task's Study."""
    return {task: study(at, task) for task in TASKS}


def emptied(at: AppTest) -> set[str]:
    """The tasks whose mechanisms are all switched off."""
    return {task for task in TASKS if ask(at, settings_of, task).is_empty}


def of_columns(read: Callable[..., Any]) -> Callable[..., Any]:
    """A function of `column_settings`, about the session's Workspace."""
    return lambda *args: read(workspace(), *args)


def link(at: AppTest) -> dict[str, list[str]]:
    """The query of the page's address."""
    return {name: list(values) for name, values in at.session_state[QUERY].items()}


# what the page shows -------------------------------------------------------------------------------------------------


def bodies(at: AppTest) -> list[str]:
    """Everything written as HTML, piece by piece; the page has not failed."""
    assert not at.exception, at.exception[0].message
    # Terms of the glossary are explained where they stand; what is said is the same without it.
    return [re.sub(r"</?dfn[^>]*>", "", block.proto.body) for block in at.get("html")]


def html(at: AppTest) -> str:
    """Everything written as HTML."""
    return "\n".join(bodies(at))


def sentence(at: AppTest) -> str:
    """The page's finding; where it has none, the page did not run."""
    return next(body for body in bodies(at) if 'class="sentence"' in body)


def plain(text: str) -> str:
    """HTML as one reads it."""
    return markup.unescape(re.sub(r"</?[a-zA-Z][^>]*>", "", text)).replace("\u00a0", " ")


def boxes(at: AppTest) -> str:
    """What stands in boxes: what happened, why, what to do."""
    return plain("\n".join(body for body in bodies(at) if 'class="box' in body))


def alerts(at: AppTest) -> str:
    """Why something that was typed is not taken."""
    return plain("\n".join(body for body in bodies(at) if 'role="alert"' in body))


def panels(at: AppTest) -> list[str]:
    """The keys of the page's panels."""
    assert not at.exception, at.exception[0].message
    return [key.removeprefix("panel_") for key in _keys(at.main) if key.startswith("panel_")]


def panel(at: AppTest, key: str) -> str:
    """What a panel says."""
    assert not at.exception, at.exception[0].message
    return plain("\n".join(_said(at.main, f"panel_{key}")))


def charts(at: AppTest) -> dict[str, dict]:
    """Key → figure."""
    assert not at.exception, at.exception[0].message
    found = at.get("plotly_chart")
    return {_key(chart.proto.id): json.loads(chart.proto.spec) for chart in found}


def drawn(at: AppTest) -> dict[str, str]:
    """Key of a chart → its figure as text: another figure is another text."""
    return {key: json.dumps(figure) for key, figure in charts(at).items()}


def _key(element_id: str) -> str:
    """Streamlit's name of an element: a prefix, a digest, the key."""
    return element_id.split("-", 2)[2] if element_id.count("-") > 1 else ""


def _keys(block: Any) -> Iterator[str]:
    for child in block.children.values():
        if hasattr(child, "children"):
            yield _key(getattr(child.proto, "id", ""))
            yield from _keys(child)


def _said(block: Any, key: str, inside: bool = False) -> Iterator[str]:
    for child in block.children.values():
        if hasattr(child, "children"):
            yield from _said(child, key, inside or _key(getattr(child.proto, "id", "")) == key)
        elif inside and child.type == "html":
            yield child.proto.body
