"""Numbers in all their spellings: what is read, what is said of it, and what a switch changes."""

import io

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from test_data_reading import has_note, parquet, read, workbook

from ldpcore.data import DataError, ReadOptions


def cells_of(*values, separator=";", other="u"):
    """A file of two columns; fields that hold the separator are quoted."""
    quoted = [f'"{value}"' if separator in value else value for value in (*values, other)]
    return f"w{separator}c\n" + "".join(f"{value}{separator}{quoted[-1]}\n" for value in quoted[:-1])


# separator, the other column, cells; their numbers; a thousandfold or thousandth that the note names, None: no note.
UNDECIDED, DECIDED = "it could be", None
MARKS = [
    (";", "u", ("12.345", "1.234"), [12345, 1234], "12.345"),  # a semicolon stands where the comma is taken
    (",", "u", ("12.345", "1.234"), [12.345, 1.234], "12345"),
    ("\t", "u", ("12.345", "1.234"), [12.345, 1.234], "12345"),
    (";", "u", ("12,345", "1,234"), [12.345, 1.234], "12345"),
    (",", "u", ("12,345", "1,234"), [12345, 1234], "12.345"),
    ("\t", "u", ("12,345", "1,234"), [12345, 1234], "12.345"),
    (";", "u", ("+12.345", "-1.234"), [12345, -1234], "12.345"),
    (";", "u", ("12.345 €", "1.234 €"), [12345, 1234], "12.345"),
    (";", "u", ("12.345%", "1.234%"), [12345, 1234], "12.345"),
    # other cells of the column decide
    (";", "u", ("12.345", "0.345"), [12.345, 0.345], DECIDED),
    (";", "u", ("12.345", "1234.567"), [12.345, 1234.567], DECIDED),
    (";", "u", ("12.345", "12.5"), [12.345, 12.5], DECIDED),
    (";", "u", ("12.345", "1.2e3"), [12.345, 1200], DECIDED),
    (",", "u", ("12.345", "1.234.567"), [12345, 1234567], DECIDED),
    (",", "u", ("12.345", "1.234,5"), [12345, 1234.5], DECIDED),
    (";", "u", ("12,345", "1,234,567"), [12345, 1234567], DECIDED),
    (";", "u", ("12,345", "1,234.5"), [12345, 1234.5], DECIDED),
    (",", "u", ("12,345", "0,5"), [12.345, 0.5], DECIDED),
    (",", "u", ("12,345", "1 234"), [12.345, 1234], DECIDED),
    # another column decides
    (";", "2.5", ("12.345", "1.234"), [12.345, 1.234], DECIDED),
    (";", "2.5", ("12,345", "1,234"), [12345, 1234], DECIDED),
    (",", "2,5", ("12.345", "1.234"), [12345, 1234], DECIDED),
    (",", "1.234.567", ("12.345", "1.234"), [12345, 1234], DECIDED),
    ("\t", "1'234,5", ("12.345", "1.234"), [12345, 1234], DECIDED),
    ("\t", "7,5 %", ("12.345", "1.234"), [12345, 1234], DECIDED),
    # nothing decides, but something suggests: decimals of one length, or none that ends in 0; marks in all, or in none
    (",", "u", ("950", "12.500"), [950, 12500], "12.5"),
    (";", "u", ("950", "12,500"), [950, 12500], "12.5"),
    (",", "u", ("950", "12.345"), [950, 12.345], "12345"),
    (";", "u", ("12500", "12.500"), [12500, 12.5], "12500"),
    (",", "u", ("950", "12500", "12.500"), [950, 12500, 12.5], "12500"),
    (",", "u", ("950", "12.500", "12.345"), [950, 12500, 12345], "12.5"),
    # plain in every file
    (";", "u", ("12 345", "1 234"), [12345, 1234], DECIDED),
    (",", "u", ("12\u00a0345", "1\u2009234.5"), [12345, 1234.5], DECIDED),
    (",", "u", ("12\u202f345", "1\u2007234"), [12345, 1234], DECIDED),
    (",", "u", ("12'345", "1'234.50"), [12345, 1234.5], DECIDED),
    (";", "u", ("12’345", "1’234.50"), [12345, 1234.5], DECIDED),
    (";", "u", ("1,5E+3", "2e-2"), [1500, 0.02], DECIDED),
    (",", "u", ("1.5E+3", "2e-2"), [1500, 0.02], DECIDED),
    (";", "u", ("12,50 €", "3,10€"), [12.5, 3.1], DECIDED),
    (",", "u", ("$12.50", "-$3"), [12.5, -3], DECIDED),
    (",", "u", ("(5)", "7", "(1.5)"), [-5, 7, -1.5], DECIDED),
    (",", "u", ("\u22125", "\u20137", "8"), [-5, -7, 8], DECIDED),
    (";", "u", ("\u22121.234,5", "7"), [-1234.5, 7], DECIDED),
]


@pytest.mark.parametrize(("separator", "other", "cells", "expected", "could_be"), MARKS)
def test_the_mark_of_a_number(separator, other, cells, expected, could_be):
    """What is read; a note where it could be otherwise, and only there; the switch, which then changes the digest."""
    content = cells_of(*cells, separator=separator, other=other)
    table = read(content)
    assert table.numbers("w").tolist() == expected
    assert has_note(table, UNDECIDED) == (could_be is not None)
    switched = {mark: read(content, decimal=mark) for mark in ".,"}
    others = [t for t in switched.values() if t.numbers("w").tolist() != expected]
    for mark, other_table in switched.items():
        if other_table in others:
            assert other_table.digest != table.digest
            assert read(content, decimal=mark).digest == other_table.digest
    if could_be is not None:
        assert has_note(table, f"it could be {could_be} too. If that is meant, choose the other decimal mark")
        assert len(others) == 1
        assert others[0].numbers("w")[list(expected).index(_doubtful(expected, others[0]))] == float(could_be)
        assert any(t.digest == table.digest for t in switched.values())
        assert has_note(others[0], UNDECIDED)  # there is a way back


def _doubtful(expected, other):
    """The first number that the switch changes."""
    return next(mine for mine, its in zip(expected, other.numbers("w").tolist(), strict=True) if mine != its)


@pytest.mark.parametrize("cells", [("(5)", "(7)"), ("5 €", "5 $"), ("5 kg", "7 kg"), ("1.2.3", "4"), ("(a)", "5")])
def test_what_is_around_a_number_is_not_guessed(cells):
    assert not read(cells_of(*cells)).profile()[0].numeric


PERCENT = [
    (("5%", "0.06"), [5, 6], "0.06", {"percent": [5, 0.06]}),  # none above 1, and 5 % is: shares
    (("5%", "-0.07", "12 %"), [5, -7, 12], "-0.07", {"percent": [5, -0.07, 12]}),
    (("5%", "0.06", "1"), [5, 6, 100], "0.06", {"percent": [5, 0.06, 1]}),
    (("5%", "6"), [5, 6], "600", {"share": [5, 600]}),
    (("5%", "0.06", "12"), [5, 0.06, 12], "6", {"share": [5, 6, 1200]}),
    (("0.5%", "0.06"), [0.5, 0.06], "6", {"share": [0.5, 6]}),  # nothing decides
    (("50%", "1"), [50, 1], "100", {"share": [50, 100]}),
    (("5%", "0"), [5, 0], None, {}),
    (("5%", "7 %"), [5, 7], None, {}),
]


@pytest.mark.parametrize(("cells", "expected", "could_be", "switched"), PERCENT)
def test_numbers_beside_percentages(cells, expected, could_be, switched):
    content = cells_of(*cells, separator=",")
    table = read(content)
    assert table.numbers("w").tolist() == expected
    assert has_note(table, UNDECIDED) == (could_be is not None)
    if could_be is not None:
        assert has_note(table, f"it could be {could_be} % too. If that is meant, choose what numbers beside percent")
    for wanted in ("share", "percent"):
        other = read(content, percent=wanted)
        assert other.numbers("w").tolist() == switched.get(wanted, expected)
        assert (other.digest == table.digest) == (wanted not in switched)


@pytest.mark.parametrize(
    ("cells", "name"),
    [(("$5", "$7.5"), "in $"), (("5%", "12 %"), "percent"), (("5", "(7)"), "negative in brackets")],
)
def test_what_was_taken_off_is_named_and_nothing_plain_beside_it(cells, name):
    assert has_note(read(cells_of(*cells, separator=",")), f"“w” holds numbers written as text ({name}): it can")


def test_a_currency_that_some_cells_have_is_taken_off_and_two_are_not():
    assert read(cells_of("$5", "7.5", "12", separator=",")).numbers("w").tolist() == [5, 7.5, 12]
    assert not read(cells_of("$5", "€7.5", "$12", separator=",")).profile()[0].numeric


def test_a_thousandfold_decimal_comma_and_a_percentage():
    """Both switches at once, in a file with a semicolon."""
    content = cells_of("12,345%", "0,060")
    assert read(content).numbers("w").tolist() == [12.345, 6]
    assert read(content, percent="percent").numbers("w").tolist() == [12.345, 0.06]
    digests = {read(content, percent=p, decimal=d).digest for p in ("share", "percent") for d in (".", ",")}
    assert len(digests) == 4


def test_many_numbers_that_can_be_read_in_two_ways():
    """Beyond 1 000 values a column is kept as numbers; the mark that the last line shows still decides."""
    body = "".join(f"{i // 1000 + 1}.{i % 1000:03d};x\n" for i in range(7000))
    content = "w;c\n" + body
    assert read(content).numbers("w").max() == 7999
    assert has_note(read(content), "“1.000” is read as 1000; it could be 1 too")
    assert read(content, decimal=".").numbers("w").max() == 7.999
    last = read("w;c;d\n" + body.replace("x\n", "x;\n") + "2.000;y;0.5\n")
    assert last.numbers("w", "column").max() == 7.999
    assert not has_note(last, UNDECIDED)


def test_numbers_of_the_file_itself_leave_no_doubt():
    """A float of Parquet or Excel has a decimal point, however the file's texts are read."""
    frame = pd.DataFrame({"w": [12.345, 1.234], "t": ["12.345", "1.234"], "n": [5, 7]})
    book = workbook(people=[list(frame.columns), *frame.to_numpy().tolist()])
    for content, name in ((parquet(frame), "t.parquet"), (book, "b.xlsx")):
        for decimal in (None, ".", ","):
            table = read(content, name, decimal=decimal)
            assert table.numbers("w").tolist() == [12.345, 1.234]
            assert table.numbers("t").tolist() == ([12345, 1234] if decimal == "," else [12.345, 1.234])
            assert not has_note(table, "“w”: ")
            assert has_note(table, "“t”: “12.345” is read as")
            assert table.categorical("n").domain.labels == ("5", "7")
    coded = pa.table({"w": pa.array([12.345, 1.234]).dictionary_encode(), "t": ["12.345", "1.234"]})
    out = io.BytesIO()
    pq.write_table(coded, out)
    assert read(out.getvalue(), "d.parquet", decimal=",").numbers("w").tolist() == [12.345, 1.234]


def test_a_sheet_of_numbers_and_texts():
    """Numbers, texts, dates, truths and gaps in one sheet keep what they show."""
    book = openpyxl.Workbook()
    for row in (["a", "b", "c"], [1.0, True, "x1"], [None, False, 3], [2.5, True, None]):
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    table = read(out.getvalue(), "b.xlsx")
    assert table.frame["a"].tolist()[::2] == ["1", "2.5"]
    assert table.frame["b"].tolist() == ["True", "False", "True"]
    assert table.frame["c"].tolist()[:2] == ["x1", "3"]


def test_a_switch_that_there_is_not():
    with pytest.raises(DataError, match="“half” is nothing that numbers beside percentages can be"):
        ReadOptions(percent="half")


def test_numbers_that_suggest_the_other_mark_are_said_where_the_file_shows_one():
    """A wage in euros settles the file's mark, but not that of a bonus in dollars; the switch moves the bonus alone."""
    content = ("wage;bonus\n" + "1.250,50 €;$950\n3.400,00 €;$1,500\n2.800,25 €;$12,000\n" * 4).encode()
    table = read(content)
    assert table.numbers("bonus")[:3].tolist() == [950, 1.5, 12]
    assert has_note(table, "“bonus”: “1,500” is read as 1.5; it could be 1500 too")
    told = read(content, decimal=".")
    assert told.numbers("bonus")[:3].tolist() == [950, 1500, 12000]
    assert told.numbers("wage").tolist() == table.numbers("wage").tolist()
