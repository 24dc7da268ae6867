"""Folders as partitions: every row once and in its order however they are cut, and no more of them in memory."""

import random
import re
import tracemalloc
from itertools import chain, pairwise

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ldpcore.data import DataError, ReadOptions
from ldpcore.data.partitions import Partition, partitions

WORDS = ["a", 'b, "x"', "two\nlines", "", "é"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The same rows as CSV and as Parquet, and what is no data: hidden files."""
    made, draw = tmp_path_factory.mktemp("answers"), random.Random(1)
    rows = pd.DataFrame([(i, draw.choice(WORDS)) for i in range(2000)], columns=["number", "word"])
    (made / "deep").mkdir()
    rows.to_csv(made / "a.csv", index=False)
    rows.to_parquet(made / "deep" / "b.parquet", row_group_size=300)
    (made / "_SUCCESS").write_text("")
    (made / ".hidden.csv").write_text("x")
    return made


def rows_of(parts: list[Partition], name: str) -> list[tuple[int, str]]:
    found = [table for part in parts if part.name == name for table in part.tables(["word", "number"])]
    return [(int(n), w) for t in found for n, w in zip(t["number"].to_pylist(), t["word"].to_pylist(), strict=True)]


@pytest.mark.parametrize(("rows", "size"), [(1 << 20, 1 << 26), (100, 1 << 26), (7, 300), (1 << 20, 500), (300, 9000)])
def test_every_row_is_in_one_partition_in_its_order(folder, rows, size):
    parts = partitions(folder, rows=rows, size=size)
    expected = rows_of(partitions(folder), "a.csv")
    assert [n for n, _ in expected] == list(range(2000))
    for name in ("a.csv", "deep/b.parquet"):
        assert rows_of(parts, name) == expected
        own = [part for part in parts if part.name == name]
        assert [part.number for part in own] == list(range(len(own)))
        assert all(before.stop == after.start for before, after in pairwise(own))
        for part in own:
            held = sum(table.num_rows for table in part.tables())
            assert held <= max(rows, 300 * (not part.is_text))  # a row group is not cut


def test_a_place_is_the_line_that_an_editor_shows(folder):
    text = (folder / "a.csv").read_text().split("\n")
    for part in partitions(folder / "a.csv", rows=500):
        first = next(part.tables(["number"]))["number"][0].as_py()
        line = int(part.place(0).removeprefix("line ").replace("\u2009", ""))
        # A text of two lines ends on its second.
        assert text[line - 1].startswith(f"{first},") or text[line - 2].startswith(f"{first},")
    row = partitions(folder / "deep")[0].place(41)
    assert row == "row 42"


def test_a_pattern_a_file_and_lines(folder, tmp_path):
    assert {part.name for part in partitions(f"{folder}/*.csv")} == {"a.csv"}
    assert {part.name for part in partitions(f"{folder}/*/*.parquet")} == {"deep/b.parquet"}
    lines = tmp_path / "b.txt"
    lines.write_text('1 2\n\n"x\n3\n')
    parts = partitions(lines, lines=True, rows=2)
    assert [part.content() for part in parts] == [b"1 2\n\n", b'"x\n3\n']
    headless = tmp_path / "c.csv"
    headless.write_text("7\n8\n")
    assert partitions(headless, ReadOptions(header=False))[0].columns == ("column 1",)
    inches = "5' 10\",1\n6',2\n" * 3
    (tmp_path / "inches.csv").write_text(f"height,n\n{inches}")
    assert sum(t.num_rows for part in partitions(tmp_path / "inches.csv", rows=2) for t in part.tables()) == 6
    (tmp_path / "inches.csv").unlink()
    lines.unlink()
    (tmp_path / "empty.csv").write_text("number,word\n")  # no rows: no partition, and no error beside others
    assert {part.name for part in partitions(tmp_path)} == {"c.csv"}


def damaged(path, what):
    frame = pd.DataFrame({"a": range(5000)})
    if what == "header":
        path.write_bytes(b"PAR1nonsense")
    elif what == "pages":
        frame.to_parquet(path)
        content = bytearray(path.read_bytes())
        content[100:4000] = bytes(3900)
        path.write_bytes(content)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("x.parquet", "header", "“x.parquet” is damaged"),
        ("x.parquet", "pages", "“x.parquet” is damaged"),
        ("x.xlsx", b"PK", "“x.xlsx” is neither Parquet nor text"),
        ("x.csv.gz", b"\x1f\x8b", "“x.csv.gz” is neither Parquet nor text"),
        ("x.csv", b"", "“x.csv” is empty"),
        ("x.csv", b"a,b\n", "has names but no rows"),
        ("x.csv", "a\nb\n".encode("utf-16"), "“x.csv” is encoded in UTF-16"),
        ("x.csv", b"a,b\n1,2\n1,2,3\n" + b"1,2\n" * 99, "“x.csv” has a line without 2 fields. It begins “1,2,3”"),
        ("x.csv", b"a,b\n" + b"1,2\n" * 99 + b'1,"2\n' + b"3,4\n" * 99, "“x.csv” cannot be cut into lines"),
        ("x.csv", b"a,b\n1,2\n" + b"1,\xff\n" * 99, "“x.csv” cannot be read"),
        ("x.csv", b"%PDF-1.4", "a PDF document"),
    ],
)
def test_what_cannot_be_read_is_named_in_a_sentence(tmp_path, name, content, said):
    if isinstance(content, str):
        damaged(tmp_path / name, content)
    else:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=re.escape(said)):
        list(chain.from_iterable(part.tables() for part in partitions(tmp_path)))


def test_folders_without_files_and_columns_that_are_not_there(folder, tmp_path):
    for nothing in (tmp_path, tmp_path / "none", f"{tmp_path}/*.csv"):
        with pytest.raises(DataError, match="There are no files in"):
            partitions(nothing)
    with pytest.raises(DataError, match="has no column “city”"):
        partitions(folder)[0].tables(["city"])


def test_memory_does_not_grow_with_a_file(tmp_path):
    """Python's and Arrow's together, of a file and of one that is four times as large."""
    peaks = []
    for blocks in (4, 16):
        path = tmp_path / f"{blocks}.csv"
        path.write_text("word\n" + "a word of some length\n" * 8_000 * blocks)
        parts, before, most = partitions(path, size=1 << 17), pa.total_allocated_bytes(), 0
        tracemalloc.start()
        for part in parts:
            for _ in part.tables():
                most = max(most, pa.total_allocated_bytes() - before)
        peaks.append(tracemalloc.get_traced_memory()[1] + most)
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0]


def test_a_row_group_is_never_whole_in_memory(tmp_path):
    size = 3_000_000
    pq.write_table(pa.table({"x": np.random.default_rng(1).random(size)}), tmp_path / "x.parquet", row_group_size=size)
    (part,) = partitions(tmp_path)
    before = pa.total_allocated_bytes()
    most = max(pa.total_allocated_bytes() - before for _ in part.tables())
    assert most < 8 * size / 2
