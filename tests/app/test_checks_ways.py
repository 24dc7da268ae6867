"""What follows from how a file is read, beyond the page Data: A | B, promises, links, labels, files of surveys."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from ldpapp.export.report import front
from ldpapp.state import actions, column_actions, column_settings, comparisons
from ldpapp.views.data import checks, questions, uploads
from ldpapp.views.tasks import TASKS
from ldpapp.words.directions import END, FIRST_STRONG
from ldpcore.data import ReadOptions, load, readings
from ldpcore.study import Marks, Source, Study
from ldpcore.study import query as parameters
from tests.cases import sas
from tests.cases.case import counts, draw, mean, mean_of, table, text
from tests.cases.test_cases import CASES

from .opening import ask, do, go, html, link, of_columns, opened, plain, press, state, study, twin
from .test_checks_view import FILE, NAME, again, buttons, upload

VISITS = table(["patient_id", "visit", "mood"], [
    [f"P{i:03}" for i in range(60) for _ in range(3)], [1, 2, 3] * 60, draw(1, ["good", "bad", "so so"], 180),
])  # fmt: skip


@pytest.fixture(scope="module")
def first() -> AppTest:
    return opened()


@pytest.fixture(scope="module")
def asked(first) -> AppTest:
    return do(upload(twin(first), NAME, FILE), column_actions.set_marks, "sex", ["x"])


def marked(at: AppTest, column: str) -> tuple[str, ...]:
    return ask(at, of_columns(column_settings.label_marks), column).values


def links_to(at: AppTest) -> list[str]:
    return [each.proto.label for each in at.get("page_link")]


# the sidebar ---------------------------------------------------------------------------------------------------------


def test_every_page_says_that_something_is_open_and_leads_there(asked):
    at = again(asked)
    assert "1 thing to check" in plain(html(at))
    assert not [label for label in links_to(at) if "to check" in label], "it is here"
    assert [label for label in links_to(go(at, "frequency")) if "1 thing to check" in label]
    press(go(at, "data"), "check_take_missing")
    assert not [label for label in links_to(go(at, "frequency")) if "to check" in label]


@pytest.mark.thorough
def test_the_epsilon_of_one_person_is_that_of_all_their_rows(first):
    at = upload(twin(first), "visits.csv", VISITS)
    assert "One person has" not in plain(html(at)), "nobody has said whose they are"
    question = ask(at, readings.asked, state(at).uploads["visits.csv"])[0]
    place = next(i for i, each in enumerate(questions.others(question)) if "every row is a report" in each.label)
    press(at, f"check_other_people_{place}")
    do(at, actions.share, epsilon=1.5)
    made = state(at).uploads["visits.csv"]
    assert len(made.frame) == 180
    for task in TASKS:
        said = plain(front.data(made, "visits.csv", study(at, task)))
        assert "rows180people60" in said.replace(" ", ""), task
        if task == "review":  # whose own promise is of all rows
            continue
        assert "at most 4.5, in up to 3 rows" in said, task
        assert "up to 3 rows: together ε is at most 4.5" in plain(html(go(at, task))), task
    do(at, column_actions.set_marks, "mood", ["bad"])
    assert "up to 3 rows, each a whole report" in plain(html(go(at, "review")))
    press(go(at, "data"), "check_undo_people")
    press(at, "check_take_people")
    made = state(at).uploads["visits.csv"]
    assert len(made.frame) == 60
    assert "One person has" not in plain(html(go(at, "frequency")))


# A | B, and what is kept ---------------------------------------------------------------------------------------------


def test_swapping_after_the_file_was_read_otherwise_keeps_each_settings_marks(asked):
    at = again(asked)
    do(at, actions.choose_column, "sex")
    do(at, comparisons.keep, "frequency")
    do(at, column_actions.set_marks, "sex", ["x", "f"])
    press(at, "check_take_missing")
    assert set(marked(at, "sex")) == {"x", "f"}
    do(at, comparisons.swap, "frequency")
    assert state(at).workspace.table is state(at).uploads[NAME], "the reading stays"
    assert mean("age")(state(at).workspace.table) == (53.5, 216)
    assert marked(at, "sex") == ("x",)
    assert study(at, "frequency").marks.values == ("x",)
    do(at, comparisons.swap, "frequency")
    assert set(study(at, "frequency").marks.values) == {"x", "f"}


def test_swapping_back_to_a_column_that_the_file_has_no_more(first):
    rows = [[a, b, n] for a in "xyz" for b in "pq" for n in [ord(a) + ord(b)]]
    at = upload(twin(first), "cells.csv", text([["a", "b", "n"], *rows]))
    do(at, actions.choose_column, "n")
    do(at, comparisons.keep, "frequency")
    do(at, actions.choose_column, "b")
    press(at, "check_take_counts")
    assert "n" not in state(at).uploads["cells.csv"].frame
    do(at, comparisons.swap, "frequency")
    assert not at.exception
    assert study(at, "frequency").column in ("a", "b")


def test_what_was_said_of_a_reading_that_is_gone_is_let_go(asked):
    at = again(asked)
    before = state(at).uploads[NAME].digest
    assert {digest for digest, _ in state(at).settings} >= {before}
    for key in ("check_take_missing", "check_undo_missing", "check_take_missing"):
        press(at, key)
    now = state(at).uploads[NAME].digest
    digests = {digest for digest, _ in state(at).settings}
    assert now in digests
    assert before not in digests
    assert before not in state(at).current_column
    assert {digest for digest, _ in state(at).workspace.columns} <= digests
    assert marked(at, "sex") == ("x",)


def test_by_hand_an_answer_says_yes(first):
    tea = ["gern", "nie"] * 60
    radio = ["an", "aus", "manchmal"] * 40
    at = upload(twin(first), "tea.csv", table(["tea", "radio"], [tea, radio]))
    for column, word in (("tea", "gern"), ("radio", "an")):
        assert "items" not in state(at).uploads["tea.csv"].sets, "a set of one item is none"
        at.session_state["columns_open"] = True
        at.run()
        next(box for box in at.selectbox if (box.key or "").startswith("by_hand_column")).set_value(column).run()
        at.session_state["columns_open"] = True
        at.run()
        at.selectbox(key="by_hand_yes").set_value(word)
        press(at, "by_hand_read")
        assert not at.exception
    held = state(at).uploads["tea.csv"].baskets("items")
    assert dict(zip(held.labels, held.counts.tolist(), strict=True)) == {"tea": 60, "radio": 40}
    press(at, "check_undo_yes")
    assert "items" not in state(at).uploads["tea.csv"].sets


# large files, links --------------------------------------------------------------------------------------------------


def test_what_a_large_file_would_change_is_shown_when_it_is_asked_for(first, monkeypatch):
    monkeypatch.setattr(checks, "MOST_BYTES", 10)
    at = upload(twin(first), "large.csv", FILE + b"55,f\n")
    assert "53.5" not in plain(html(at))
    press(at, "check_show_missing")
    assert "66.4 → 53.5" in plain(html(at)), "(216 · 53.5 + 2997 + 55) / 220, and without 999"
    assert "check_show_missing" not in buttons(at)


def test_a_link_carries_how_bundled_data_are_read():
    """As it is decided by hand, in the address, in another session, and taken back."""
    at = opened()
    at.session_state["columns_open"] = True
    at.run()
    next(box for box in at.selectbox if (box.key or "").startswith("by_hand_column")).set_value("education").run()
    at.session_state["columns_open"] = True
    at.run()
    at.multiselect(key="by_hand_missing").set_value(["Preschool"])
    press(at, "by_hand_read")
    made = state(at).workspace.table
    assert made.options.of("education").missing == ("Preschool",)
    assert "Preschool" not in counts("education")(made)
    query = {name: values[0] for name, values in link(at).items() if name in ("data", "read")}
    assert query["data"] == "census"
    other = opened("data", **query)
    again_ = state(other).workspace.table
    assert again_.digest == made.digest
    assert again_.options == made.options
    press(other, "check_undo_missing")
    assert state(other).workspace.table.digest == load("census").digest
    assert "read" not in link(other)


@pytest.mark.parametrize(
    "read_", ["nonsense", "[1]", '{"layout": "x"}', '{"columns": {"education": {"role": "count"}}}']
)
def test_a_link_that_says_nonsense_of_how_data_are_read_is_told(read_):
    at = opened("data", data="census", read=read_)
    assert not at.exception
    assert state(at).workspace.table.options == ReadOptions()
    assert state(at).problems


def test_how_data_are_read_survives_a_link():
    options = ReadOptions(decimal=",").with_column("age", missing=["99"], time="hours")
    asked = Study(replace(Source("census"), read=options), "age", marks=Marks.of(["1"]))
    back, refused = parameters.from_query(parameters.to_query(asked, True), Study(Source("x"), ""))
    assert (back.data.read, refused) == (options, [])
    assert "read" not in parameters.to_query(replace(asked, data=Source("census")), True)
    assert "read" not in parameters.to_query(asked, False), "an upload is not named"


# labels from right to left, and files of survey programs -------------------------------------------------------------


def test_labels_that_run_to_the_left_keep_their_place(first):
    content = table(["גיל", "عمر 18-30"], [[*range(18, 90), 999, 999] * 2, draw(1, ["כן", "לא", "أحيانا"], 148)])
    at = upload(twin(first), "rtl.csv", content)
    shown = html(at)
    assert f"“{FIRST_STRONG}גיל{END}”" in shown
    assert "“גיל”" not in shown
    do(at, actions.choose_column, "عمر 18-30")
    for page in ("data", "frequency", "overview"):
        go(at, page)
        drawn = "".join(str(each.proto.spec) for each in at.get("plotly_chart"))
        assert "כן" not in drawn.replace(f"{FIRST_STRONG}כן{END}", "")


def test_files_of_spss_stata_and_sas_are_uploaded(first, tmp_path):
    """As a person does; labels are the answers, and those of SAS come in a file of their own."""
    pyreadstat = pytest.importorskip("pyreadstat", reason='needs pip install "ldpcore[survey]"')
    import pandas as pd

    labels, codes = {1.0: "bad", 2.0: "fair", 3.0: "good"}, [float(value) for value in draw(1, [1, 2, 3], 90)]
    frame = pd.DataFrame({"health": codes, "age": [float(value) for value in draw(2, range(20, 60), 90)]})
    right = {text_: codes.count(code) for code, text_ in labels.items()}
    pyreadstat.write_sav(frame, tmp_path / "a.sav", variable_value_labels={"health": labels})
    whole = {int(code): text_ for code, text_ in labels.items()}
    pyreadstat.write_dta(frame.astype(int), tmp_path / "a.dta", variable_value_labels={"health": whole})
    at = twin(first)
    for name in ("a.sav", "a.dta"):
        upload(at, name, (tmp_path / name).read_bytes())
        made = state(at).uploads[name]
        assert counts("health")(made) == right
        assert mean("age")(made) == mean_of(frame["age"])
        assert not at.exception
        do(at, actions.choose_column, "health")
        go(at, "frequency")
        assert "good" in "".join(each.proto.spec for each in at.get("plotly_chart"))
        go(at, "data")
    uploader = next(u for u in at.file_uploader if u.key and u.key.startswith("upload_"))
    given = {"health": codes, "age": frame["age"].tolist()}
    files = [("s.sas7bdat", sas.data(given, {"health": "H"})), ("s.sas7bcat", sas.catalog({"H": labels}))]
    uploader.set_value([(name, content, "application/octet-stream") for name, content in files])
    at.run()
    assert counts("health")(state(at).uploads["s.sas7bdat"]) == right
    alone = upload(upload(twin(first), *files[0]), *files[1])
    assert counts("health")(state(alone).uploads["s.sas7bdat"]) == right, "or one after the other"


def test_the_page_takes_every_kind_of_file_that_is_read():
    """A browser asks for these endings: of what it does not offer nobody would learn that it can be read."""
    endings = {case.file.rpartition(".")[2] for case in CASES}
    assert endings - set(uploads.TYPES) == set()
    assert {"arff", "md", "sav", "parquet"} <= set(uploads.TYPES)
