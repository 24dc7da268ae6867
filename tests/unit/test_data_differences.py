"""What another reading changes, against numbers that were counted by hand."""

import math

import pytest

from ldpcore.data import ReadOptions, read
from ldpcore.data.differences import MeasureKind, difference, people, rows


def both(content: str, name: str, one: ReadOptions, other: ReadOptions):
    return read(content.encode(), name, one), read(content.encode(), name, other)


USUAL = ReadOptions()
DAYS = "days,sex\n" + "".join(f"{n},{'mf'[n % 2]}\n" for n in [1, 2, 3, 4, 5] * 10 + [99] * 10)


def test_the_mean_of_what_is_no_answer_any_more():
    before, after = both(DAYS, "d.csv", USUAL, USUAL.with_column("days", missing=["99"]))
    found = difference(before, after, ["days"])
    assert found is not None
    assert (found.measure, found.column, found.answer) == (MeasureKind.MEAN, "days", None)
    # (10 · 15 + 10 · 99) / 60 and 150 / 50; s² of fifty numbers 1 … 5 is 10 · (4 + 1 + 0 + 1 + 4) / 49.
    assert found.before == pytest.approx(1140 / 60)
    assert found.after == pytest.approx(3)
    assert found.people == (60, 50)
    assert found.margin == pytest.approx(1.959964 * math.sqrt(100 / 49 / 50), rel=1e-6)
    assert found.matters
    assert found.size == pytest.approx(16 / found.margin)


def test_a_change_below_its_own_margin_hardly_matters():
    content = "q\n" + "yes\n" * 480 + "no\n" * 500 + "n.s.\n" * 20
    before, after = both(content, "q.csv", USUAL, USUAL.with_column("q", missing=["n.s."]))
    found = difference(before, after, ["q"])
    assert found is not None
    # Of the three, n.s. falls from 2 % to nothing: 0.02 beside ± 1.96 · √(0.02 · 0.98 / 1000) = 0.0087.
    assert (found.measure, found.answer, found.before, found.after) == (MeasureKind.SHARE, "n.s.", 0.02, 0.0)
    few = content.replace("n.s.\n" * 20, "n.s.\n" * 20 + "NO\n")
    folded = difference(*both(few, "q.csv", USUAL, ReadOptions(spelling="fold")), ["q"])
    assert folded is not None
    assert not folded.matters
    assert folded.size <= 1


def test_several_answers_in_a_cell():
    cells = ["tea; milk"] * 30 + ["tea; bread"] * 20 + ["milk; bread"] * 30 + ["tea"] * 20
    content = "age,eaten\n" + "".join(f"{20 + i},{cell}\n" for i, cell in enumerate(cells))
    whole, apart = both(content, "c.csv", USUAL.with_column("eaten", inside=""), USUAL.with_column("eaten", inside=";"))
    found = difference(whole, apart, ["eaten"])
    assert found is not None
    # tea 20 → 70, milk 0 → 60, bread 0 → 50 of 100: in units of ± 1.96 · √(p (1 − p) / 100)
    # 0.5/0.0898, 0.6/0.0960 and 0.5/0.0980: milk's is the largest.
    assert (found.answer, found.before, found.after, found.people) == ("milk", 0.0, 0.6, (100, 100))
    shown = rows(whole, apart, ["eaten"])
    assert [row.number for row in shown] == [1, 2, 81, 82]
    assert [row.is_changed for row in shown] == [True, True, False, False]


def test_only_cells_that_change_are_marked():
    content = "a,b\n" + "".join(f"{i % 5},{i % 7}\n" for i in range(35)) + "88,3\n2,99\n"
    declared = USUAL.with_column("a", missing=["88"]).with_column("b", missing=["99"])
    shown = rows(*both(content, "t.csv", USUAL, declared), ["a", "b"])
    assert [(row.number, row.changed) for row in shown] == [
        (1, (False, False)), (2, (False, False)), (36, (True, False)), (37, (False, True)),
    ]  # fmt: skip


def test_people_where_rows_are_none():
    content = "q,Freq\nflu,120\nHIV,7\nnone,873\n"
    before, after = both(content, "c.csv", USUAL, USUAL.with_column("Freq", role="count"))
    found = difference(before, after, ["Freq"])
    assert found is not None
    assert (found.measure, found.before, found.after) == (MeasureKind.PEOPLE, 3, 1000)
    assert found.matters


def test_people_are_baskets_where_rows_are_items():
    content = "order,item\n" + "".join(f"B{i // 2},{word}\n" for i, word in enumerate(["tea", "milk"] * 40))
    one, other = ReadOptions(layout="table"), ReadOptions(layout="pairs", user="order", item="item")
    before, after = both(content, "b.csv", one, other)
    assert (people(before), people(after)) == (80, 40)


def test_numbers_that_were_text_have_no_mean_before():
    content = "n\n" + "".join(f"{i}\n" for i in range(10, 60)) + "unknown to us\nrefused it\nnot asked\nlost\n"
    before, after = both(content, "n.csv", USUAL.with_column("n", role="code"), USUAL.with_column("n", role="amount"))
    found = difference(before, after, ["n"])
    assert found is not None
    assert (found.before, found.after, found.people[1]) == (None, pytest.approx(34.5), 50)
    assert found.matters


def test_nothing_changes():
    table = read(DAYS.encode(), "d.csv")
    assert difference(table, table) is None
    assert [row.is_changed for row in rows(table, table, ["days"])] == [False] * 4
    assert rows(table, table, ["none"]) == ()


def test_rows_that_one_reading_leaves_out():
    content = "person,q\n" + "".join(f"p{i},{q}\n" for i in range(20) for q in ("a", "b"))
    named = USUAL.with_column("person", role="person")
    before, after = both(content, "p.csv", USUAL, named.changed(rows="first"))
    found = difference(before, after)
    assert found is not None
    assert (found.measure, found.before, found.after) == (MeasureKind.PEOPLE, 40, 20)
    assert people(read(content.encode(), "p.csv", named)) == 20, "the rows are theirs"
    assert [(row.number, row.is_changed) for row in rows(before, after, ["person", "q"])] == [
        (1, False), (2, True), (3, False), (4, True),
    ]  # fmt: skip


def test_of_answers_that_become_one_the_one_that_stays_is_said():
    before, after = both(
        "q\n" + "flu\n" * 60 + "Flu\n" * 40 + "none\n" * 100, "q.csv", USUAL, ReadOptions(spelling="fold")
    )
    merged = difference(before, after, ["q"])
    assert merged is not None
    assert (merged.answer, merged.before, merged.after) == ("flu", 0.3, 0.5)
