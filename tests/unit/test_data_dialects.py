"""Text that says itself how its table is written, and text that is no table at all."""

import contextlib
from pathlib import Path

import pytest

from ldpcore.data import ReadOptions, partitions, read
from ldpcore.data.errors import DataError

ROWS = [(20 + i % 40, "fm"[i % 2]) for i in range(60)]


@pytest.mark.parametrize("separator", [";", "|", "\t", ","])
def test_the_separator_that_excel_writes_into_the_first_line(separator: str):
    lines = [f"sep={separator}", separator.join(("age", "sex")), *(f"{age}{separator}{sex}" for age, sex in ROWS)]
    table = read("\r\n".join(lines).encode(), "x.csv")
    assert list(table.frame.columns) == ["age", "sex"]
    assert table.numbers("age").mean() == sum(age for age, _ in ROWS) / len(ROWS)
    assert len(table.frame) == len(ROWS)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("".join(f"- age: {age}\n  sex: {sex}\n" for age, sex in ROWS), "YAML"),
        ("-- dump\nSET x = 1;\n\n" + "".join(f"INSERT INTO t VALUES ({age}, '{sex}');\n" for age, sex in ROWS), "SQL"),
        ("".join(f"{1 - 2 * (age % 2)} 1:{age} 3:1 # x\n" for age, _ in ROWS), "LIBSVM"),
        ("@relation r\n@attribute a numeric\n@data\n" + "{0 1}\n" * 30, "Weka"),
    ],
)
def test_what_is_no_table_is_refused_by_its_name(content: str, what: str):
    with pytest.raises(DataError, match=what):
        read(content.encode(), "f.txt")


@pytest.mark.parametrize("line", ["- \n", "/* a */\n", "%\n", "|" * 50 + "\n", " \n", "@attribute '\\a\n", "SET ;;;\n"])
def test_nothing_takes_long(line: str):
    """Half a megabyte of what the patterns look for, which an ambiguous one would try for years."""
    with contextlib.suppress(DataError):  # most of them are no table
        read((line * (500_000 // len(line))).encode(), "f.txt")


def test_a_folder_is_cut_behind_the_line_that_says_the_separator(tmp_path: Path):
    """As the same file is read whole: what people hand in may come out of Excel."""
    content = "sep=;\nreport;sex\n" + "".join(f"{age};{sex}\n" for age, sex in ROWS)
    (tmp_path / "part.csv").write_text(content)
    parts = partitions.partitions(tmp_path, rows=25)
    cells = [cell for part in parts for table in part.tables(["report"]) for cell in table["report"].to_pylist()]
    assert cells == [str(age) for age, _ in ROWS]
    assert {part.columns for part in parts} == {("report", "sex")}
    assert parts[0].place(0) == "line 3"
    [upload] = partitions.of_upload(content.encode(), "part.csv")
    assert (upload.columns, upload.rows) == (("report", "sex"), len(ROWS))


@pytest.mark.parametrize("said", [{"format": "table"}, {"layout": "table"}])
def test_what_is_refused_can_be_read_by_who_says_what_it_holds(said: dict[str, str]):
    content = "".join(f"- age: {age}\n  sex: {sex}\n" for age, sex in ROWS).encode()
    with pytest.raises(DataError):
        read(content, "f.txt")
    assert len(read(content, "f.txt", ReadOptions().changed(**said)).frame) > 0
