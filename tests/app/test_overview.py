"""The Overview: one number per question, computed, beside its figure; each card is the way to its view."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

MAIN = Path(__file__).parents[2] / "app" / "main.py"


@pytest.fixture
def view():
    at = AppTest.from_file(str(MAIN), default_timeout=120).run()
    at.switch_page("views/overview.py").run()
    assert not at.exception
    return at


def text(at) -> str:
    return " ".join(block.value for block in at.get("html") if hasattr(block, "value")) or " ".join(
        block.proto.body for block in at.get("html")
    )


def test_the_overview_opens_with_its_cards(view) -> None:
    said = text(view)
    assert "marking 4 of 16 values" in said
    assert "more exact, protecting only the marked" in said
    assert "predicted error" in said
    assert "answers guessed" in said


def test_the_big_numbers_are_the_engines(view) -> None:
    from ldpapp import words
    from ldpapp.tasks.frequency import findings
    from ldpcore import data, study
    from ldpcore.study import Arm, Source

    table = data.load("census")
    marks = data.BUNDLED["census"].default_marks
    made = study.Study(Source("census"), "education", (Arm.of("A", marks),))
    found = findings.facts(made, table.categorical("education"), "A")
    pair = findings.rivals(found)
    assert pair is not None
    assert f"{words.ratio(pair[1].error() / pair[0].error())} ×" in text(view)
    assert words.tries(pair[0].targeted) in text(view)


def test_epsilon_and_marks_move_the_overview(view) -> None:
    before = text(view)
    view.session_state["epsilon"] = 3.0
    view.run()
    assert not view.exception
    assert "ε = 3" in text(view) != before
    from ldpapp import state

    view.session_state["arms"] = {key: [state.Arm("A")] for key in view.session_state["arms"]}
    view.run()
    assert not view.exception
    assert "No value is marked" in text(view)
