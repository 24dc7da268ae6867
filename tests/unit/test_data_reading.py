"""Every kind of file people have."""

import gzip
import io
import time
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ldpcore.data import DataError, ReadOptions, text
from ldpcore.data import read as read_file
from ldpcore.data.order import EDUCATION


def read(content: bytes | str, name: str = "survey.csv", **options):
    raw = content.encode() if isinstance(content, str) else content
    return read_file(raw, name, ReadOptions(**options))


def has_note(table, words: str) -> bool:
    return any(words in note for note in table.notes)


def parquet(frame: pd.DataFrame | pa.Table) -> bytes:
    out = io.BytesIO()
    table = frame if isinstance(frame, pa.Table) else pa.Table.from_pandas(frame, preserve_index=False)
    pq.write_table(table, out)
    return out.getvalue()


def workbook(**sheets: list[list]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_a_plain_csv():
    table = read("age,sex\n30,f\n40,m\n50,f\n")
    assert list(table.frame.columns) == ["age", "sex"]
    assert table.categorical("sex").counts.tolist() == [2, 1]
    assert table.notes == ()


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_endings(ending):
    assert len(read(ending.join(["a,b", "x,1", "", "y,2", ""])).frame) == 2


@pytest.mark.parametrize(("separator", "word"), [(";", "semicolon"), ("\t", "tab"), ("|", "bar")])
def test_other_separators_are_recognised_and_noted(separator, word):
    table = read(f"age{separator}sex\n30{separator}f\n40{separator}m\n")
    assert list(table.frame.columns) == ["age", "sex"]
    assert has_note(table, f"separated by a {word}")


def test_a_tab_in_a_tsv_needs_no_note():
    assert read("a\tb\n1\tx\n", "survey.tsv").notes == ()


def test_blanks_after_separators_and_before_quotes():
    table = read('name, town\nx, "Rome, Italy"\ny, "Oslo"\n')
    assert table.frame["town"].tolist() == ["Rome, Italy", "Oslo"]


def test_quotes_hold_separators_and_line_breaks():
    table = read('a,b\n"x,1",u\n"two\nlines",v\n"say ""hi""",w\n')
    assert table.frame["a"].tolist() == ["x,1", "two\nlines", 'say "hi"']


def test_semicolons_with_decimal_commas():
    table = read("1,5;2,7\n3,5;4,1\n2,5;9,9\n")
    assert table.numbers("column 1").tolist() == [1.5, 3.5, 2.5]


def test_gzip_has_the_digest_of_its_content():
    plain = b"a,b\n1,x\n2,y\n"
    assert read(gzip.compress(plain), "a.csv.gz").digest == read(plain).digest


def test_byte_order_marks():
    assert list(read(b"\xef\xbb\xbfIndex,x\n1,u\n2,v\n").frame.columns) == ["Index", "x"]
    for codec in ("utf-16", "utf-16-le", "utf-16-be"):
        content = "größe,x\n1,u\n2,v\n".encode(codec)
        mark = b"" if codec == "utf-16" else {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}[codec]
        assert list(read(mark + content).frame.columns) == ["größe", "x"]


def test_latin_1_is_read_and_noted():
    table = read("stadt,x\nKöln,1\nMünchen,2\n".encode("latin-1"))
    assert table.frame["stadt"].tolist() == ["Köln", "München"]
    assert has_note(table, "not UTF-8")
    assert has_note(read("a,b\nx\u0081é,1\ny,2\n".encode("latin-1")), "Latin-1")


def test_one_column():
    table = read("answer\nyes\nno\n\nyes\n")
    assert table.categorical("answer", "column").dropped == 1
    assert read("opinion\nWell, no\nYes\nPerhaps\nNo\n").frame.shape == (4, 1)


def test_a_file_without_names():
    table = read("30,f\n40,m\n50,f\n")
    assert list(table.frame.columns) == ["column 1", "column 2"]
    assert has_note(table, "The first line holds numbers (“30” …), as the lines below do: read as a person")
    assert len(read("30,f\n40,m\n", header=True).frame) == 1
    assert len(read("age,sex\n40,m\n", header=False).frame) == 2


def test_the_shape_of_adult_brings_its_names():
    line = "39, State-gov, 77516, {}, 13, Never-married, Adm-clerical, Husband, White, Male, 2, 0, 40, Cuba, {}\n"
    levels = ("Masters", "Preschool", "9th", "12th", "Bachelors", "1st-4th")
    table = read("".join(line.format(level, ">50K") for level in levels))
    assert table.frame.columns[3] == "education"
    assert table.categorical("education").domain.labels == tuple(level for level in EDUCATION if level in levels)
    assert "education" in table.orders
    assert has_note(table, "UCI Adult")


def test_names_are_completed_and_told_apart():
    table = read("a,,a,a (2)\nx,1,y,z\nu,2,v,w\n")
    assert list(table.frame.columns) == ["a", "column 2", "a (3)", "a (2)"]
    assert has_note(table, "occur twice")
    assert has_note(table, "without a name")


def test_missing_marks_are_counted_but_meaningful_codes_stay():
    table = read("a,b\nN,?\nnone,NA\nN,x\n-,y\n")
    assert table.frame["a"].isna().sum() == 1
    assert set(table.frame["a"].cat.categories) == {"N", "none"}
    assert has_note(table, "“?” 1 time")
    assert has_note(table, "“NA” 1 time")
    assert has_note(table, "(in a, b)")


def test_numbers_written_as_text():
    table = read('pay,share,size\n"1,234",12 %,"1,5"\n"2,500,000",7%,"20,25"\n900,3.5 %,4\n')
    roles = {column.name: (column.role, column.low, column.high) for column in table.profile()}
    assert roles == {"pay": ("category", 900, 2_500_000), "share": ("number", 3.5, 12), "size": ("number", 1.5, 20.25)}
    assert table.categorical("pay").domain.labels == ("900", "1,234", "2,500,000")
    assert has_note(table, "“pay” holds numbers written as text")
    assert has_note(table, "percent")


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["1.234,5", "7", "1.000.000"], [1234.5, 7, 1e6]),
        (["1 234", "12", "1 234,5"], [1234, 12, 1234.5]),
        (["1\u202f234", "5 000 000"], [1234, 5e6]),
        (["+3", "-.5", "1e3"], [3, -0.5, 1000]),
    ],
)
def test_spellings_of_numbers(cells, expected):
    assert read("x;y\n" + "".join(f"{cell};u\n" for cell in cells)).numbers("x").tolist() == expected


def cells_of(*values, separator=";", other="u"):
    return f"w{separator}c\n" + "".join(f"{value}{separator}{other}\n" for value in values)


@pytest.mark.parametrize(
    ("content", "expected", "spelling"),
    [
        (cells_of("45,3", "7,25", "12"), [45.3, 7.25, 12], "decimal comma"),
        (cells_of("1,000", "5,199"), [1, 5.199], "decimal comma"),  # a semicolon file
        (cells_of("1,000", "5,199", other="2.5"), [1000, 5199], "thousands with a comma"),  # whose points are decimal
        (cells_of('"1,000"', '"5,199"', separator=","), [1000, 5199], "thousands with a comma"),
        (cells_of('"1,000"', '"5,199"', separator=",", other='"2,5"'), [1, 5.199], "decimal comma"),
        (cells_of("1.000", "5.199", other="2,5"), [1000, 5199], "decimal comma, thousands with a point"),
        (cells_of("1.000", "5.199"), [1000, 5199], "decimal comma, thousands with a point"),  # a semicolon file
        (cells_of("0,500", "1,000"), [0.5, 1], "decimal comma"),
        (cells_of("1,000,000", "5,199"), [1e6, 5199], "thousands with a comma"),
        (cells_of("1 000,5", "5,199"), [1000.5, 5.199], "thousands with a space"),
    ],
)
def test_a_comma_is_read_by_the_evidence(content, expected, spelling):
    table = read(content)
    assert table.numbers("w").tolist() == expected
    assert has_note(table, f"“w” holds numbers written as text ({spelling})") == (spelling != "plain")


def test_numbers_that_can_be_read_in_two_ways_are_named_and_can_be_switched():
    content = cells_of("1,000", "5,199")
    usual = read(content)
    assert has_note(usual, "“w”: “1,000” is read as 1; it could be 1000 too")
    other = read(content, decimal=".")
    assert other.numbers("w").tolist() == [1000, 5199]
    assert has_note(other, "“1,000” is read as 1000; it could be 1 too")
    assert other.digest != usual.digest  # what was computed of one must not serve the other
    assert read(content, decimal=",").digest == usual.digest
    assert not has_note(read(cells_of("45,3", "1,000")), "it could be")
    with pytest.raises(DataError, match="“;” is no decimal mark"):
        ReadOptions(decimal=";")


@pytest.mark.parametrize(
    ("dates", "said"),
    [
        (["2024-01-05", "2023-12-31"], "“d” holds dates: they are counted as categories, in order of time."),
        (["05/01/2024", "31/12/2023"], "“d” holds dates such as “05/01/2024”: they are counted as categories, in alph"),
        (["2024-01-05", "05/01/2024"], "spelled in 2 ways (“05/01/2024”, “2024-01-05”)"),
        (["5 Jan 2024", "Jan 6, 2024 12:30"], "spelled in 2 ways"),
    ],
)
def test_dates_are_categories_and_said_to_be(dates, said):
    table = read("d,x\n" + "".join(f'"{date}",{i}\n' for i, date in enumerate(dates * 3)))
    assert table.profile()[0].role == "category"
    assert has_note(table, said)


@pytest.mark.parametrize("values", [["1-2", "3-4"], ["2024", "2023"], ["May", "June"], ["1.2.3", "4.5.6"]])
def test_what_is_no_date_is_not_called_one(values):
    table = read("d,x\n" + "".join(f"{value},{i}\n" for i, value in enumerate(values * 3)))
    assert not has_note(table, "dates")


@pytest.mark.parametrize("cells", [["01301", "02134"], ["12345678901234567", "1"], ["1.2.3", "4"], ["a1", "b2"]])
def test_codes_that_are_no_numbers(cells):
    assert not read("x;y\n" + "".join(f"{cell};u\n" for cell in cells)).profile()[0].numeric


def test_a_code_among_numbers_is_a_value_but_not_a_number():
    table = read("x,y\n" + "".join(f"{i},u\n" for i in range(50)) + "N,v\nN,w\n")
    assert table.profile()[0].role == "number"
    assert len(table.numbers("x")) == 50
    assert table.categorical("x").counts.sum() == 52
    assert has_note(table, "“N” stands among the numbers of x")


def test_irregular_lines_are_left_out_and_shown():
    table = read("a,b\n" + "x,1\n" * 60 + "broken\n" + "y,2\n")
    assert len(table.frame) == 61
    assert has_note(table, "1 line without 2 fields left out, the first: broken")


def test_a_title_above_the_table_is_left_out():
    table = read("Survey of 2024\n\nage,sex\n30,f\n40,m\n50,f\n")
    assert list(table.frame.columns) == ["age", "sex"]
    assert has_note(table, "Survey of 2024")


def test_empty_columns_and_rows_are_left_out():
    table = read("a,b,\nx,1,\n,,\ny,2,\n")
    assert table.frame.shape == (2, 2)
    assert has_note(table, "nothing stands in it: column 3")
    assert has_note(table, "1 row without any answer")


def test_many_distinct_values_are_kept_as_they_are():
    n = 6000
    table = read("id,x,y\n" + "".join(f"u{i},{i / 7:.4f},{'?' if i == 5 else i}\n" for i in range(n)))
    assert table.frame["id"].tolist()[:2] == ["u0", "u1"]
    assert table.frame["x"].dtype == np.float64
    assert np.isnan(table.frame["y"][5])
    assert [column.role for column in table.profile()] == ["identifier", "number", "identifier"]


def test_many_distinct_values_after_a_repetitive_start():
    body = "1,a\n" * 21_000 + "".join(f"{i},b\n" for i in range(3000)) + "?,c\n"
    table = read("x,y\n" + body)
    assert table.frame["x"].dtype == np.float64
    assert table.numbers("x", "column").sum() == 21_000 + 2999 * 1500


def test_many_distinct_texts_with_gaps():
    table = read("x,y\n" + "".join(f"{'NA' if i % 10 == 0 else f'name {i}'},1\n2,2\n" for i in range(7000)))
    assert table.profile()[0].missing == 700
    assert not table.profile()[0].numeric


def test_parquet_keeps_the_order_of_categories():
    frame = pd.DataFrame({
        "level": pd.Categorical(["high", "low", None, "mid"], ["low", "mid", "high", "unused"], ordered=True),
        "n": [1, 2, 3, 4], "x": [0.5, 1.0, np.nan, 2.0], "day": pd.to_datetime(["2024-01-02"] * 4), "yes": [True] * 4,
    })  # fmt: skip
    table = read(parquet(frame), "t.parquet")
    assert table.categorical("level", "column").domain.labels == ("low", "mid", "high")
    assert table.orders == {"level": ("low", "mid", "high")}
    assert table.frame["day"].tolist() == ["2024-01-02"] * 4
    assert table.numbers("x", "column").tolist() == [0.5, 1.0, 2.0]


def test_excel_reads_the_first_sheet_with_data_and_names_the_others():
    content = workbook(empty=[], people=[["age", "sex"], [30, "f"], [41.0, "m"], [None, None]], more=[["x"], ["y"]])
    table = read(content, "book.xlsx")
    assert table.name == "book.xlsx"
    assert table.frame["age"].tolist() == ["30", "41"]
    assert has_note(table, "sheet “people”; the others are empty, more")
    assert list(read(content, "book.xlsx", sheet="more").frame.columns) == ["x"]
    assert list(read(workbook(a=[[1, "f"], [2, "m"]]), "b.xlsx").frame.columns) == ["column 1", "column 2"]


def test_a_path_and_the_options_of_encoding(tmp_path: Path):
    path = tmp_path / "survey.csv"
    path.write_bytes("stadt;x\nKöln;1\nBonn;2\n".encode("cp1252"))
    table = read_file(path, "survey.csv", ReadOptions(encoding="cp1252"))
    assert table.frame["stadt"].tolist() == ["Köln", "Bonn"]
    assert has_note(table, "Read as cp1252")


def test_a_hundred_thousand_rows_are_read_and_described_in_two_seconds():
    """Of processor time, whatever else the machine does; 0.3 s where it was written."""
    rng, n = np.random.default_rng(1), 100_000
    columns = {
        "id": np.arange(n),
        "age": rng.integers(18, 90, n),
        "income": rng.lognormal(10, 1, n).round(2),
        "sex": rng.choice(["f", "m", "x"], n),
        "town": rng.choice([f"Town {i}" for i in range(800)], n),
        "score": rng.normal(0, 1, n).round(3),
        "day": rng.choice([f"2024-0{i % 9 + 1}-{i % 28 + 1:02}" for i in range(200)], n),
        "note": [f"text {i % 70_000}" for i in range(n)],
    }
    content = pd.DataFrame(columns).to_csv(index=False)
    for _ in range(3):  # what shares its core with others takes up to twice as long: the best of three counts
        before = time.process_time()
        made = read(content)
        made.profile()
        assert made.baskets("all columns").n == n
        if (spent := time.process_time() - before) < 2:
            break
    assert spent < 2
    held = made.frame[["sex", "town", "day"]].nunique().sum()
    assert made.baskets("all columns").k == held


@pytest.mark.parametrize("content", [b"\x80bc", b"a\x80c", b"ab\x80", b"ab\xc3"])
def test_a_text_is_in_an_encoding_only_with_its_every_byte(content):
    assert not text._is(content, "utf-8")
    assert text._is(content.decode("cp1252", "replace").encode(), "utf-8")
