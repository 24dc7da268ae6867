"""Data says how many people are left out because they did not answer something else, and one click counts them."""

import pytest
from streamlit.testing.v1 import AppTest

from ldpcore import data

from .opening import (
    html,
    opened,
    plain,
    press,
    state,
    study,
    twin,
)

ROWS, HOLES = 600, 150
FILE = "\n".join(
    ["colour,remark"]
    + [f"{'red' if row % 3 else 'blue'},{'' if row < HOLES else 'ok' if row % 2 else 'no'}" for row in range(ROWS)]
)


@pytest.fixture(scope="module")
def asked() -> AppTest:
    """An upload whose remarks are empty for a quarter of the people, about its colours."""
    return opened("data", data.read(FILE.encode(), "people.csv"))


def keys(at: AppTest) -> set[str]:
    return {button.key for button in at.button if (button.key or "").startswith("incomplete")}


def people(at: AppTest) -> int:
    told = study(at, "frequency")
    return state(at).uploads["people.csv"].categorical(told.column, told.missing).n


def test_who_answered_this_question_counts_after_one_click(asked):
    at = twin(asked)
    assert study(at, "frequency").column == "colour"
    assert keys(at) == {"incomplete_count", "incomplete_leave"}
    assert people(at) == ROWS - HOLES
    press(at, "incomplete_count")
    assert people(at) == ROWS
    assert keys(at) == set()


def test_beside_the_bars_stands_who_is_left_out_and_where_the_gaps_are(asked):
    """Counted without the engine: of all who are left out, nobody skipped this question; of remarks everybody did."""
    lines = [line.split(",") for line in FILE.splitlines()[1:]]
    left = sum("" in line for line in lines)
    for column, place in (("colour", 0), ("remark", 1)):
        at = twin(asked)
        at.selectbox(key="column").set_value(column).run()
        gaps = sum(not line[place] for line in lines)
        said = plain(html(at))
        if not gaps:
            assert f"{left} left out for gaps in other columns." in said
        elif gaps < left:
            assert f"{left} left out for a gap in any column, {gaps} in this one." in said
        else:
            assert f"{left} with missing answers left out." in said
    counted = press(twin(asked), "incomplete_count")
    assert "left out" not in plain(html(counted))


def test_who_leaves_it_so_is_not_asked_again(asked):
    at = press(twin(asked), "incomplete_leave")
    assert keys(at) == set()
    assert people(at) == ROWS - HOLES


def test_where_few_are_lost_nobody_is_asked():
    few = FILE.replace(",\n", ",ok\n", HOLES - 20)
    assert keys(opened("data", data.read(few.encode(), "people.csv"))) == set()


@pytest.mark.one_in(2)  # the button is that of every task's page (views/task.py)
@pytest.mark.parametrize("page", ["frequency", "means", "ranges"])
def test_where_nobody_has_answered_everything_each_page_has_the_way_on(page):
    """Of a wide questionnaire: the sentence said what to do, and only Data had the button for it."""
    rows = [
        ",".join(["" if (row + place) % 4 == 0 else str((row * place) % 5) for place in range(8)]) for row in range(60)
    ]
    wide = "\n".join([",".join(f"q{place}" for place in range(8)), *rows])
    at = opened(page, data.read(wide.encode(), "wide.csv"))
    assert any(button.key == "missing_column" for button in at.button)
    press(at, "missing_column")
    assert study(at, page).missing == "column"
    assert not any(button.key == "missing_column" for button in at.button)


def test_gaps_of_this_column_and_of_others_are_told_apart():
    rows = ["red,", ",ok", ",no", *["red,ok", "blue,no"] * 50]
    at = opened("data", data.read("\n".join(["colour,remark", *rows]).encode(), "both.csv"))
    at.selectbox(key="column").set_value("colour").run()
    assert "3 left out for a gap in any column, 2 in this one." in plain(html(at))
