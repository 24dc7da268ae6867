"""A page is the same by every way that leads to it: a click, away and back, a copied link."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from ldpapp import words
from ldpapp.state import column_actions
from ldpapp.views.others import VIEWS
from ldpapp.views.tasks import TASKS
from ldpapp.views.view import View

from .opening import MAIN, do, go, html, link, nothing_behind, opened, plain, sentence, twin


@pytest.fixture(scope="module")
def health() -> AppTest:
    """Marks of answers and of numbers, and other settings than the usual ones; nothing is simulated."""
    with nothing_behind():
        asked: dict[str, Any] = {"data": "health", "column": "condition", "eps": "0.7", "seed": "5"}
        at = opened("frequency", None, **asked | {"arm.A": ["HIV", "depression"]})
        return do(at, column_actions.set_intervals, "age", [(60.0, 80.0)])


def shown(at: AppTest) -> tuple[str, list[str], dict[str, object]]:
    """The finding; what is marked, and all else that the sidebar says; what its fields hold."""
    side = at.sidebar
    fields = [*side.selectbox, *side.number_input, *side.select_slider, *side.button_group]
    said = [plain(block.proto.body) for block in side.get("html")]
    return sentence(at), said, {field.key: field.value for field in fields if field.key}


@pytest.mark.one_in(2)  # each task's link in a new session: test_session.py
@pytest.mark.parametrize(
    "address", [*(view.address for view in VIEWS if view.study), *(task.address for task in TASKS.values())]
)
def test_a_page_is_the_same_by_every_way(health, still, address) -> None:
    at = twin(health, address)
    before = shown(at)
    assert before[2]["data"] == "health"
    assert shown(go(go(at, "clusters" if address == "data" else "data"), address)) == before, "away and back"
    assert shown(opened(address, None, **link(at))) == before, "a copied link in a new session"


def test_the_welcome_says_which_page_answers_what() -> None:
    """The question of every page that the navigation names, each a way there; and what none answers."""
    at = AppTest.from_file(MAIN, default_timeout=200).run()
    links = [link.proto for link in at.get("page_link")]
    owners = [view for view in VIEWS if not view.home] + list(TASKS.values())
    said = {link.label for link in links}
    for owner in owners:
        title = owner.title() if isinstance(owner, View) else owner.title
        assert f"**{title}** {words.literal(owner.asks())}" in said
    assert len(links) == len(owners) == len({owner.asks() for owner in owners})
    assert "No page answers" in html(at)
