"""A link of one's own data, in a session that has not got them: nothing silently becomes an example, and with the very
file all is as it was.
"""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from ldpapp.export import own_file
from ldpapp.state import actions, column_actions, comparisons
from ldpcore.data import ReadOptions
from ldpcore.study import sealed

from .opening import (
    boxes,
    do,
    go,
    html,
    link,
    nothing_behind,
    opened,
    plain,
    press,
    sentence,
    state,
    studies,
    study,
    twin,
)

ROWS = [
    f"{20 + i % 50 if i % 9 else 999};{('none', 'heroin', 'cannabis', '')[i * 7 // 3 % 4]};{'ABC'[i % 3]}"
    for i in range(300)
]
FILE = ("age;substance;town\n" + "\n".join(ROWS) + "\n").encode()
NAMES = ("substance", "heroin", "cannabis", "town", "mine.csv")


def choose(at: AppTest, content: bytes = FILE, name: str = "mine.csv") -> AppTest:
    """The person's own file, by the page's uploader."""
    key = next(each.key for each in at.file_uploader if each.key.startswith("upload_"))
    return at.file_uploader(key=key).set_value((name, content, "text/csv")).run()


@pytest.fixture(scope="module")
def mine() -> AppTest:
    """An upload with a decision of its reading, marks at two levels and of numbers, ε and a rule of its own."""
    with nothing_behind():
        at = choose(opened("data"))
        next(button for button in at.button if "999" in button.label).click().run()
        do(at, column_actions.set_levels, "substance", {"heroin": "secret", "cannabis": "sensitive"})
        do(at, column_actions.set_intervals, "age", [(60.0, 70.0)])
        do(at, actions.change, "frequency", epsilon=1.7, missing="column")
        return do(at, actions.choose_column, "substance")


def at_table(at: AppTest):
    return state(at).workspace.table


def said(at: AppTest) -> dict:
    """What was said of the columns."""
    return {name: each for (digest, name), each in state(at).workspace.columns.items() if digest == at_table(at).digest}


@pytest.mark.one_in(2)  # one function writes every page's link; each task's: test_session.py
@pytest.mark.parametrize("address", ["data", "frequency", "means", "overview", "learn", "papers"])
def test_a_reload_asks_for_the_file_and_then_all_is_as_it_was(mine, still, address) -> None:
    at = go(mine, address)
    asked, told, columns, rule = link(at), studies(at), said(at), state(at).workspace.missing
    assert not any(name in repr(asked) for name in (*NAMES, "999", "missing", at_table(at).digest))
    again = opened("frequency", None, **asked)
    assert "choose it again" in plain(sentence(again))
    assert not again.sidebar.selectbox, "no other data stand beside it"
    assert link(go(again, "means"))[own_file.OWN] == asked[own_file.OWN]
    choose(go(again, "frequency"), name="renamed.csv")
    assert state(again).problems == []
    assert said(again) == columns
    assert (state(again).workspace.missing, state(again).workspace.epsilon) == (rule, 1.7)
    assert at_table(again).options == at_table(mine).options
    assert at_table(again).digest == at_table(mine).digest != at_table(choose(opened())).digest
    for task in ("frequency", "means", "review"):
        source = replace(told[task].data, name="renamed.csv")
        assert study(again, task) == replace(told[task], data=source)


def test_both_settings_come_back(mine, still) -> None:
    at = do(go(mine, "frequency"), comparisons.keep, "frequency")
    do(at, actions.change, "frequency", epsilon=0.4)
    again = choose(opened("frequency", None, **link(at)))
    assert state(again).compared["frequency"].study.epsilon == 1.7
    assert study(again, "frequency").epsilon == 0.4
    do(do(at, comparisons.drop, "frequency"), actions.change, "frequency", epsilon=1.7)


def test_what_was_typed_into_the_planner_comes_back(mine, still) -> None:
    at = go(mine, "frequency")
    typed = {"frequency_plan_answer": "heroin", "frequency_plan_within": 3.5, "focus": "uRR"}
    for key, value in typed.items():
        at.session_state[f"{key}_wished"] = value
    asked = link(at.run())
    assert "heroin" not in repr(asked)
    assert "3.5" not in repr(asked)
    again = choose(opened("frequency", None, **asked))
    assert {key: again.session_state[f"{key}_wished"] for key in typed} == typed
    assert sentence(again) == sentence(at)
    for key in typed:
        at.session_state[f"{key}_wished"] = None


def test_another_file_gets_nothing_of_it(mine, still) -> None:
    again = choose(opened("data", None, **link(go(mine, "frequency"))), FILE + b"44;none;A\n")
    assert said(again) == {}
    assert at_table(again).options == ReadOptions()
    assert state(again).workspace.missing == "any"
    assert "another file" in plain(html(again))
    assert link(again)[own_file.OWN] != link(mine)[own_file.OWN]


def test_without_the_file_there_is_the_example(mine, still) -> None:
    again = opened("frequency", None, **link(go(mine, "frequency")))
    press(again, "own_without")
    assert at_table(again).card is not None
    assert state(again).workspace.missing == "any", "the upload's rule went with it"
    assert own_file.OWN not in link(again)


def test_a_file_that_cannot_be_read_says_so_there(mine, still) -> None:
    again = choose(opened("frequency", None, **link(go(mine, "frequency"))), b"", "empty.csv")
    assert "choose it again" in plain(sentence(again))
    assert boxes(again).count(".") > 1
    assert link(again)[own_file.OWN] == link(mine)[own_file.OWN]


@pytest.mark.parametrize("address", ["data", "frequency", "review", "overview"])
def test_another_file_in_its_place_says_so_on_the_page_that_is_open(mine, still, address) -> None:
    """One row fewer under the same name: nothing of the link is taken over, and the person who looks is told."""
    again = choose(opened(address, None, **link(go(mine, address))), FILE.rsplit(b"\n", 2)[0] + b"\n")
    assert "This is another file than the link’s." in html(again)
    assert not said(again)
    assert "This is another file" not in html(press(twin(again), "problems_ok"))
    press(again, "problems_again")
    assert "choose it again" in plain(sentence(again))
    assert "mine.csv" in again.button(key="own_without").label.replace("\\", "")
    choose(again)
    assert said(again) == said(mine), "the right one, at the second try"
    assert "another file" not in html(again)


@pytest.mark.parametrize("text", ["", "x", "ä", "AAAA", "A" * 7000, "<b>"])
def test_a_seal_of_nonsense_is_no_seal(still, text) -> None:
    again = choose(opened("data", None, **{own_file.OWN: text}))
    assert not again.exception
    assert at_table(again).name == "mine.csv"


@pytest.mark.parametrize("told", [1, [], {}, {"setting": 3, "columns": {}}, {"setting": "", "columns": {"age": 1}}])
def test_what_somebody_else_sealed_is_read_with_care(still, told) -> None:
    again = choose(opened("data", None, **{own_file.OWN: sealed.seal(told, sealed.key(FILE))}))
    assert not again.exception
    assert at_table(again).name == "mine.csv"
    assert state(again).problems


def test_mark_answers_stays_with_the_example_or_with_ones_own(mine, still) -> None:
    """The button stands above a story about Health: Census would be something else."""
    at = press(go(opened(), "welcome"), "door_decide")
    assert (at_table(at).name, state(at).current_column[at_table(at).digest]) == ("health", "condition")
    assert study(at, "frequency").marks.values
    theirs = press(go(mine, "welcome"), "door_decide")
    assert at_table(theirs).name == "mine.csv"
