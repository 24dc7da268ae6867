"""What stands around a table: a title above the names, lines that describe them, and sums below the answers."""

import io

import numpy as np
import openpyxl
import pytest

from ldpcore.data import read
from ldpcore.data.heading import titles
from ldpcore.rng import stream

WARDS = ("Surgery", "Medicine", "ICU")


def stays() -> list[list[object]]:
    """A ward, a sex and the days of a stay of a hundred people."""
    rng = stream(0, "stays")
    return [[WARDS[rng.integers(3)], "fm"[rng.integers(2)], int(rng.integers(1, 40))] for _ in range(100)]


def sheet(rows: list[list[object]]) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.worksheets[0].append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def text(rows: list[list[object]]) -> bytes:
    """As a spreadsheet saves it: every line as wide as the widest."""
    return "\n".join(";".join("" if cell is None else str(cell) for cell in row) for row in rows).encode()


@pytest.mark.parametrize(("written", "name"), [(sheet, "stays.xlsx"), (text, "stays.csv")])
def test_a_title_above_the_names_and_a_total_below_the_answers_are_nobody(written, name):
    people = stays()
    days = [row[2] for row in people]
    rows = [
        ["Patient survey 2025", None, None],
        ["Source: Hospital X", None, None],
        [None, None, None],
        ["Ward", "Sex", "Days"],
        *people,
        ["Total", None, sum(days)],
        [None, None, None],
    ]
    table = read(written(rows), name)
    assert list(table.frame.columns) == ["Ward", "Sex", "Days"]
    assert np.array_equal(table.numbers("Days"), days)
    assert table.categorical("Ward").domain.labels == tuple(sorted(WARDS))
    assert table.categorical("Ward").n == 100
    said = " ".join(table.notes)
    assert "“Patient survey 2025”, “Source: Hospital X”" in said
    assert "“Total”" in said
    assert "missing" not in said  # what the last row does not hold, nobody has left out


def test_a_total_is_called_so_and_adds_up():
    people = stays()
    rows = [["Ward", "Sex", "Days"], *people]
    for last in (["Total", None, sum(row[2] for row in people) + 1], ["ICU", "f", sum(row[2] for row in people)]):
        table = read(text([*rows, last]), "stays.csv")
        assert len(table.frame) == 101
    money = [["Ward", "Cost"], *(["ICU", f"1.{i:03},50 €"] for i in range(100)), ["Summe:", "105.000,00 €"]]
    assert read(text(money), "cost.csv").numbers("Cost").sum() == pytest.approx(105_000)
    for last, left in ((["Summe", None, None], 100), (["Summe", "f", None], 101), (["f", None, None], 101)):
        assert len(read(text([*rows, last]), "stays.csv").frame) == left
    assert len(read(text([*rows, ["Total", "f", 3], ["Total", None, None]]), "stays.csv").frame) == 102  # an answer


def test_what_is_no_title_stays():
    assert titles([["milk", "", ""], ["bread", "milk", "eggs"], ["milk", "eggs", "rice"]]) == 0  # a first basket
    assert titles([["", "share"], ["a", "1"], ["b", "2"]]) == 0  # names, of which one is missing
    assert titles([["id", "a", "b", "c", "d"], ["1", "", "", "x", ""], ["2", "y", "", "", ""]]) == 0
    assert titles([["a"], ["b"]]) == 0 == titles([])


def test_the_three_lines_of_qualtrics():
    names = 'StartDate,Q1,Q2\nStart Date,How old are you?,Do you smoke?\n"{""ImportId"":""startDate""}",'
    ids = '"{""ImportId"":""QID1_TEXT""}","{""ImportId"":""QID2""}"\n'
    body = "\n".join(f"2025-05-{i % 28 + 1:02},{20 + i % 40},{'Yes' if i % 3 else 'No'}" for i in range(90))
    table = read((names + ids + body).encode(), "qualtrics.csv")
    assert list(table.frame.columns) == ["StartDate", "Q1", "Q2"]
    assert len(table.frame) == 90
    assert table.categorical("Q2").domain.labels == ("No", "Yes")
    assert "Left out: the 2 lines under the names, which describe them." in table.notes


def test_the_two_lines_of_surveymonkey():
    head = "Respondent ID,How satisfied are you?,Which do you use?,,Comment\n"
    head += ",Response,Phone,Laptop,Open-Ended Response\n"
    body = "\n".join(f"{1000 + i},{'Very' if i % 2 else 'Not'},{'Phone' if i % 3 else ''},Laptop,ok" for i in range(90))
    table = read((head + body).encode(), "monkey.csv")
    assert list(table.frame.columns) == [
        "Respondent ID", "How satisfied are you?", "Which do you use? Phone", "Which do you use? Laptop", "Comment",
    ]  # fmt: skip
    assert table.categorical("How satisfied are you?", "column").domain.labels == ("Not", "Very")
