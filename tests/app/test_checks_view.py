"""Data says what to check in a file: one click reads it otherwise, stays with the data, and another takes it back."""

import json
from dataclasses import replace

import pytest
import streamlit as st
from click.testing import CliRunner
from streamlit.testing.v1 import AppTest

from ldpapp import words
from ldpapp.export import links
from ldpapp.export.report import front
from ldpapp.state import column_actions, column_settings
from ldpapp.views.data import change_words, kept_files, questions, uploads
from ldpapp.words.language import t
from ldpcore.cli import main
from ldpcore.data import AssumptionKind, DataError, Table, load, read, readings
from ldpcore.data.differences import Difference, MeasureKind
from ldpcore.study import from_toml, to_toml
from tests.cases import answers, numbers, rows
from tests.cases.case import Case, counts, mean, text

from .opening import ask, do, html, link, of_columns, opened, plain, press, sentence, state, studies, study, twin

AGES = [*range(18, 90)] * 3
SEXES = ["f", "m", "x"] * 100
FILE = text([["age", "sex"], *zip([*AGES, 999, 999, 999], SEXES, strict=False)])
NAME = "people.csv"
CASES = [case for case in (*numbers.CASES, *rows.CASES, *answers.CASES) if case.take is not None]


def upload(at: AppTest, name: str, content: bytes) -> AppTest:
    """As a person does: one choice of a file."""
    uploader = next(u for u in at.file_uploader if u.key and u.key.startswith("upload_"))
    uploader.set_value([(name, content, "text/csv")])
    return at.run()


@pytest.fixture(scope="module")
def first() -> AppTest:
    return opened()


@pytest.fixture(scope="module")
def asked(first) -> AppTest:
    """An upload with a number that may be none, and something marked."""
    return do(upload(twin(first), NAME, FILE), column_actions.set_marks, "sex", ["x"])


def again(at: AppTest) -> AppTest:
    """Another session with the same file, marked in the same way."""
    copied = twin(at)
    for key in ("upload_kept", "upload_raw", "upload_error", "upload_round"):
        copied.session_state[key] = at.session_state[key]
    return copied.run()


def buttons(at: AppTest, begin: str = "check_") -> set[str]:
    return {button.key for button in at.button if (button.key or "").startswith(begin)}


def first_of_each_kind() -> list[Case]:
    return list({case.kind: case for case in reversed(CASES)}.values())


def measured(case: Case, made: Table) -> object:
    """What the case measures; a sentence where the reading has no such number."""
    try:
        return case.measure(made)
    except DataError as error:
        return error.sentence


@pytest.mark.one_in(2)  # of every kind: tests/cases; here the page, which is the same for all
@pytest.mark.parametrize("case", first_of_each_kind(), ids=str)
def test_from_upload_to_the_right_number(first, case):
    """The file is chosen, and a button pressed; in a list of several it is opened first: three clicks at most."""
    at = upload(twin(first), case.file, case.content)
    made = next(iter(state(at).uploads.values()))
    before = measured(case, made)
    taken = button_of(at, case, made)
    press(at, taken)
    assert not at.exception
    made = next(iter(state(at).uploads.values()))
    assert case.measure(made) == case.expected
    assert case.kind not in {each.kind for each in ask(at, readings.asked, made)}
    back = sorted(buttons(at, "check_undo"))  # dates are codes, once somebody said so
    press(at, f"check_undo_{case.kind}" if f"check_undo_{case.kind}" in back else back[0])
    made = next(iter(state(at).uploads.values()))
    assert measured(case, made) == before
    assert button_of(at, case, made) == taken


def button_of(at: AppTest, case: Case, made: Table) -> str:
    """What a person presses to have what is right: in a row, or in the fold of what is only said."""
    (about,) = (each for each in made.assumptions if each.kind == case.kind and each.column in (case.column, None))
    assert case.take is not None
    if not about.is_open:
        said = [each for each in made.assumptions if not each.is_open and not each.decided]
        return f"check_said_{said.index(about)}_{case.take}"
    question = next(each for each in ask(at, readings.asked, made) if each.kind == case.kind)
    if not question.is_as_read and not case.take:
        return f"check_take_{case.kind}"
    return f"check_other_{case.kind}_{case.take - (not question.is_as_read)}"


def test_one_click_makes_it_missing_and_another_takes_it_back(asked):
    at = again(asked)
    assert {"check_take_missing", "check_leave_missing"} <= buttons(at)
    assert "1 thing to check" in plain(sentence(at))
    before = state(at).uploads[NAME]
    # 216 ages from 18 to 89 have a mean of 53.5; with 999 three times it is (216 · 53.5 + 2997) / 219.
    assert "66.5 → 53.5" in plain(html(at))
    press(at, "check_take_missing")
    made = state(at).uploads[NAME]
    assert mean("age")(made) == (53.5, 216)
    assert made.digest != before.digest
    assert {each.data.read for each in studies(at).values()} == {made.options}
    assert ask(at, of_columns(column_settings.label_marks), "sex").values == ("x",), "what was marked stays marked"
    assert study(at, "frequency").column == study(asked, "frequency").column
    assert "to check" not in plain(sentence(at))
    assert "mean of age 53.5" in plain(html(at)), "the number that is now"
    press(at, "check_undo_missing")
    assert state(at).uploads[NAME].digest == before.digest
    assert "check_take_missing" in buttons(at)


def test_who_leaves_it_is_not_asked_again(asked):
    at = press(again(asked), "check_leave_missing")
    assert buttons(at) == {"check_undo_missing"}
    made = state(at).uploads[NAME]
    assert mean("age")(made)[1] == 219
    assert made.options.settled == ("missing:age",)
    assert "is left as it is" in plain(html(at))
    press(at, "check_undo_missing")
    assert "check_take_missing" in buttons(at)


def test_marks_of_the_value_itself_go(asked):
    at = do(again(asked), column_actions.describe, "age", binned=False)
    do(at, column_actions.set_marks, "age", ["18", "999"])
    press(at, "check_take_missing")
    assert ask(at, of_columns(column_settings.label_marks), "age").values == ("18",)


def test_a_study_file_brings_it_along_and_the_link_tells_nothing(asked):
    at = press(again(asked), "check_take_missing")
    written = to_toml(study(at, "frequency"))
    assert from_toml(written).data == study(at, "frequency").data
    other = again(asked)
    ask_with_files(other, written)
    other.run()
    assert mean("age")(state(other).uploads[NAME]) == (53.5, 216)
    assert study(other, "frequency").data == study(at, "frequency").data
    assert "999" not in str(link(at))


def ask_with_files(at: AppTest, written: str) -> None:
    """Load a Study file in a session that still has the bytes of its upload."""

    def load() -> None:
        st.session_state["upload_kept"] = at.session_state["upload_kept"]
        links.load(written.encode())

    ask(at, load)


def test_the_terminal_reads_the_file_as_the_browser_did(asked, tmp_path):
    at = press(again(asked), "check_take_missing")
    path, file = tmp_path / NAME, tmp_path / "study.toml"
    path.write_bytes(FILE)
    file.write_text(to_toml(replace(study(at, "frequency"), repetitions=1, grid=())))
    run = CliRunner().invoke(main, ["run", str(file), "--data", str(path), "-o", str(tmp_path / "out.csv")])
    assert run.exit_code == 0, run.output
    table = load(str(path), from_toml(file.read_text()).data.read)
    assert mean("age")(table) == (53.5, 216)
    assert table.digest == state(at).uploads[NAME].digest


def test_the_report_lists_what_was_decided(asked):
    at = press(again(asked), "check_take_missing")
    made = state(at).uploads[NAME]
    assert "read with these decisions" in front.data(made, NAME, study(at, "frequency"))
    assert "age: 999: no answer" in front.data(made, NAME, study(at, "frequency"))
    at = press(again(asked), "check_leave_missing")
    made = state(at).uploads[NAME]
    assert "age: 999 is a number, left as it is" in front.data(made, NAME, study(at, "frequency"))
    assert "decisions" not in front.data(load("health"), "health", study(at, "frequency"))


def test_several_columns_of_one_kind_are_one_question(first):
    content = text([["a", "b", "q"], *zip([*AGES, 999, 999], [*AGES, 999, 999], SEXES, strict=False)])
    at = upload(twin(first), "two.csv", content)
    made = state(at).uploads["two.csv"]
    (question,) = ask(at, readings.asked, made)
    assert question.columns == ("a", "b")
    assert sum("checkrow_" in each for each in map(str, buttons(at))) == 0
    press(at, "check_take_missing")
    made = state(at).uploads["two.csv"]
    assert (mean("a")(made)[1], mean("b")(made)[1]) == (216, 216)


def test_all_are_left_at_once_and_every_one_comes_back(first):
    content = text([["age", "weight_post"], *zip([*AGES, 999, 999], [1, 2, 3] * 100, strict=False)])
    at = upload(twin(first), "more.csv", content)
    kinds = {each.kind for each in ask(at, readings.asked, state(at).uploads["more.csv"])}
    assert kinds == {AssumptionKind.MISSING, AssumptionKind.WEIGHTS}
    press(at, "check_leave_all")
    assert not ask(at, readings.asked, state(at).uploads["more.csv"])
    press(at, "check_undo_weights")
    press(at, "check_undo_missing")
    assert {each.kind for each in ask(at, readings.asked, state(at).uploads["more.csv"])} == kinds


def test_without_the_bytes_the_file_is_asked_for(asked, monkeypatch):
    monkeypatch.setattr(kept_files, "KEPT_BYTES", 10)
    at = upload(twin(asked), NAME, FILE)
    assert {"check_file_missing", "check_leave_missing"} <= buttons(at)
    assert "check_take_missing" not in buttons(at)
    press(at, "check_file_missing")
    assert at.session_state.upload_open


def test_anything_is_decided_by_hand_at_any_time(first):
    votes = ["left", "right", "n.s."] * 40
    rows = zip(votes, range(10100, 10220), ["28:25", "30:30"] * 60, strict=True)
    at = upload(twin(first), "votes.csv", text([["vote", "zip", "length"], *rows]))
    at.session_state["columns_open"] = True
    at.run()
    at.multiselect(key="by_hand_missing").set_value(["n.s."])
    at.multiselect(key="by_hand_order").set_value(["right", "left"])
    press(at, "by_hand_read")
    made = state(at).uploads["votes.csv"]
    assert counts("vote")(made) == {"left": 40, "right": 40}
    assert made.categorical("vote", "column").domain.labels == ("right", "left")
    at.session_state["columns_open"] = True
    at.run()
    next(box for box in at.selectbox if (box.key or "").startswith("by_hand_column")).set_value("zip").run()
    at.session_state["columns_open"] = True
    at.run()
    at.selectbox(key="by_hand_role").set_value("code")
    press(at, "by_hand_read")
    made = state(at).uploads["votes.csv"]
    assert made.values("zip") is None
    assert counts("vote")(made) == {"left": 40, "right": 40}, "what was decided before stays"
    assert not [box for box in at.selectbox if box.key == "by_hand_time"], "no code is a time"
    at.session_state["columns_open"] = True
    at.run()
    next(box for box in at.selectbox if (box.key or "").startswith("by_hand_column")).set_value("length").run()
    at.session_state["columns_open"] = True
    at.run()
    at.selectbox(key="by_hand_time").set_value("minutes")
    press(at, "by_hand_read")
    made = state(at).uploads["votes.csv"]
    assert mean("length")(made) == ((28 * 60 + 25 + 30 * 60 + 30) / 2, 120)
    assert from_toml(to_toml(study(at, "frequency"))).data.read.of("length").time == "minutes"
    press(at, "check_undo_missing")
    assert counts("vote")(state(at).uploads["votes.csv"])["n.s."] == 40


def test_labels_are_no_markup(first):
    name = "<b>*a*</b> :red[x]"
    at = upload(twin(first), "x.csv", text([[name, "q"], *zip([*AGES, 999, 999], SEXES, strict=False)]))
    assert name not in html(at)
    assert name in plain(html(at)).replace("&lt;", "<") or "*a*" in plain(html(at))


def test_records_of_json_are_a_table_and_no_dictionary(first):
    records = [{"age": 20 + i % 50, "vote": "ab"[i % 2]} for i in range(100)]
    at = upload(twin(first), "answers.json", json.dumps(records).encode())
    made = state(at).uploads["answers.json"]
    assert counts("vote")(made) == {"a": 50, "b": 50}
    assert mean("age")(made) == (44.5, 100)


def test_marks_that_hold_are_kept_whatever_was_read_otherwise():
    table = read(FILE, NAME)
    assert column_settings.gone(table, "sex", ["x", "(missing)", "y"]) == ["y"]
    assert column_settings.gone(table, "age", ["60..80", "999", "1000"]) == ["1000"]
    assert column_settings.gone(table, "none", ["x"]) == ["x"]


def test_bundled_data_are_not_asked_about():
    assert buttons(opened("data")) == set()


def test_a_text_that_becomes_its_parts_loses_nobody_and_baskets_are_of_a_named_column():
    change = Difference(MeasureKind.SHARE, "used", "tea;milk", 0.0, 0.25, (40, 40))  # read as parts, which is proposed
    unit, before, after, _ = change_words.written(change, True, AssumptionKind.CELLS)
    assert (unit, before, after) == ("people with the text tea;milk, which becomes its parts", "10", "0")
    assert change_words.written(change, True)[0] == "people with tea;milk"
    held = load("groceries")
    people, items = (words.count(each) for each in (held.baskets("items").n, held.baskets("items").k))
    assert uploads.what_was_read(held).endswith(f"is read: in “items” {people} baskets of {items} items.")


def test_every_kind_has_a_title():
    assert set(questions._TITLES) == set(AssumptionKind)
    assert t("Are some lines no people?")
