"""Collecting for real: from a Study file to a folder, and from reports to shares."""

import json
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
from click.testing import CliRunner

from ldpcore import study
from ldpcore.cli import main
from ldpcore.client import Client
from ldpcore.collection.drawing import Drawing
from ldpcore.rng import stream
from ldpcore.study import Choice, Marks, Source, Study


def folder(tmp_path: Path, mechanisms: tuple[str, ...] = ("uRR",), *told: str, column: str = "smoking", **changed):
    """What `ldpcore client` says of a study of the health survey."""
    asked = Study(Source("health"), column, mechanisms=mechanisms, epsilon=2.0, **changed)
    path = tmp_path / "study.toml"
    path.write_text(study.to_toml(asked), encoding="utf-8")
    return CliRunner().invoke(main, ["client", str(path), "-o", str(tmp_path / "out"), *told])


def estimated(tmp_path: Path, text: str | bytes, *told: str):
    """What `ldpcore estimate` says of these reports."""
    path = tmp_path / "reports.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return CliRunner().invoke(main, ["estimate", str(path), "--client", str(tmp_path / "out" / "client.json"), *told])


def test_a_folder_asks_and_its_reports_are_estimated(tmp_path):
    ran = folder(tmp_path, ("GRR",), "--question", "Do you smoke?")
    assert ran.exit_code == 0, ran.output
    out = tmp_path / "out"
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    assert folder(tmp_path, ("GRR",), "--question", "Do you smoke?").exit_code == 0  # once more, into the same folder
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    assert {path.name for path in out.iterdir()} == {"client.json", "client.js", "index.html", "README.md"}
    asked = Client.from_json((out / "client.json").read_text(encoding="utf-8"))
    assert (asked.question, asked.key, asked.epsilon) == ("Do you smoke?", "GRR", 2.0)
    page = (out / "index.html").read_text(encoding="utf-8")
    assert "Do you smoke?" in page
    assert "http" not in page.replace('http-equiv="Content-Security-Policy"', "")
    assert len(page.encode()) < 22_000
    words, n = stream(1), 600
    true = [asked.answers[i % 2] for i in range(n)]
    reports = [asked.draw(answer, lambda: int(words.integers(1 << 32))) for answer in true]
    found = estimated(tmp_path, "report\n" + "\n".join(map(str, reports)), "-o", str(tmp_path / "table.csv"))
    assert found.exit_code == 0, found.output
    assert "600 reports" in found.output
    table = pd.read_csv(tmp_path / "table.csv")
    assert list(table["answer"]) == list(asked.answers)
    pd.testing.assert_series_equal(table["share"], asked.estimate(reports)["share"])
    shares = [true.count(answer) / n for answer in asked.answers]
    assert ((table["low"] <= shares) & (table["high"] >= shares)).all()


@pytest.mark.parametrize("mechanism", ["GRR", "SS", "uOUE"])
def test_a_release_in_another_form_stands_beside_the_unbiased_one(tmp_path, mechanism):
    marks = ["never"] if mechanism == "uOUE" else []
    assert folder(tmp_path, (mechanism,), marks=Marks.of(marks)).exit_code == 0
    asked = Client.from_json((tmp_path / "out" / "client.json").read_text(encoding="utf-8"))
    words = stream(2)
    reports = [asked.draw(asked.answers[0], lambda: int(words.integers(1 << 32))) for _ in range(200)]
    rows = "report\n" + "\n".join(map(str, reports))
    for form in ("norm-sub", "em"):
        found = estimated(tmp_path, rows, "--publish", form, "-o", str(tmp_path / "table.csv"))
        assert found.exit_code == 0, found.output
        table = pd.read_csv(tmp_path / "table.csv")
        assert table["published"].min() >= 0
        assert table["published"].sum() == pytest.approx(1)
        assert table["published"][0] > 0.8
    assert estimated(tmp_path, rows, "--publish", "nonsense").exit_code != 0


@pytest.mark.parametrize(
    ("text", "counted", "refused"),
    [
        ("report\n1\n2\n3\n", 2, 1),  # 3 names two answers: GRR sends one
        ("1\n2\n4\n", 3, 0),  # no heading
        ("\ufeffname,Report\nx,1\ny,\nz,-1\n,9999999999999999999999\n", 1, 3),
        ("report\n1.0\nyes\n٣\n 2 \n\n", 1, 3),
        (b"report\r\n1\r\n\r\n8", 2, 0),
    ],
)
def test_rows_that_no_phone_can_have_sent_are_left_out_and_counted(tmp_path, text, counted, refused):
    folder(tmp_path, ("GRR",))
    found = estimated(tmp_path, text)
    assert found.exit_code == 0, found.output
    assert f"{counted} reports" in found.output
    assert (f"left out: {refused} of {counted + refused}" in found.output) == bool(refused)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is empty"),
        ("a,b\n1,2\n", "no column named report"),
        ("report\n", "no rows"),
        ("report\n99\n", "no report"),
        (b"\xff\xfe\x00", "UTF-16"),
    ],
)
def test_files_without_reports_are_refused_in_words(tmp_path, text, told):
    folder(tmp_path, ("GRR",))
    found = estimated(tmp_path, text)
    assert found.exit_code == 1
    assert told in found.output
    assert "Traceback" not in found.output


@pytest.mark.parametrize(
    ("mechanisms", "told", "said"),
    [
        (("GRR", "SS"), (), "--mechanism"),
        (("HR",), (), "runs on phones"),
        (("GRR",), ("--mechanism", "HR"), "cannot run on phones"),
        (("uRR",), (), "would protect nothing"),
    ],
)
def test_what_no_client_can_be_made_of_is_refused(tmp_path, mechanisms, told, said):
    ran = folder(tmp_path, mechanisms, *told)
    assert ran.exit_code == 1
    assert said in ran.output
    assert not (tmp_path / "out").exists()


def test_too_many_answers_and_other_tasks_are_refused(tmp_path):
    assert "between 2 and 20" in folder(tmp_path, ("GRR",), column="age").output
    assert "asks one question" in folder(tmp_path, (), column="condition", task="ranges").output


def test_phones_treat_every_marked_answer_as_secret(tmp_path):
    """They know one level: never less protected than the study says, and it is said."""
    marks = Marks((("former", "sensitive"), ("every day", "secret")))
    ran = folder(tmp_path, ("uRR",), marks=marks, secret_epsilon=0.5)
    assert ran.exit_code == 0, ran.output
    assert "0.5" in ran.output
    made = Client.from_json((tmp_path / "out" / "client.json").read_text(encoding="utf-8"))
    assert made.epsilon == 0.5
    assert {a for a, s in zip(made.answers, made.sensitive, strict=True) if s} == {"former", "every day"}
    flat = folder(tmp_path, ("uRR",), marks=Marks.of(["never"]), secret_epsilon=0.5)  # nothing is secret
    assert "0.5" not in flat.output
    assert Client.from_json((tmp_path / "out" / "client.json").read_text(encoding="utf-8")).epsilon == 2.0


def test_a_mechanism_can_be_chosen_and_the_guess_is_carried(tmp_path):
    ran = folder(tmp_path, ("SS", "uSS"), "--mechanism", "uSS", marks=Marks.of(["never"]), options=(("guess", 0.9),))
    assert ran.exit_code == 0, ran.output
    told = json.loads((tmp_path / "out" / "client.json").read_text(encoding="utf-8"))
    assert (told["mechanism"], told["guess"]) == ("uSS", 0.9)


@pytest.mark.parametrize(
    ("told", "columns", "found"),
    [
        (None, ("condition", "age"), "condition"),
        (None, ("answers",), "answers"),  # there is no other that they could stand in
        (None, ("age", "sex"), "condition"),  # missing, which whoever reads it says
        ("age", ("age", "condition"), "age"),
        ("age", ("condition",), "age"),
    ],
)
def test_answers_stand_in_the_column_that_was_told_or_the_clients_or_the_only_one(told, columns, found):
    how = Drawing(SimpleNamespace(column="condition", several=()), "", told)
    assert how.columns_of(SimpleNamespace(columns=columns)) == (found,)


@pytest.mark.parametrize("told", [(), ("--batch",)])
def test_people_who_choose_other_marks_have_no_client_in_common(tmp_path, told) -> None:
    """Else they would be asked under marks that are not theirs."""
    chosen = (Choice(Marks.of(["former"]), 0.3),)
    ran = folder(tmp_path, ("uRR",), *told, marks=Marks.of(["every day"]), choices=chosen)
    assert ran.exit_code == 1
    assert "choose other marks" in ran.output
