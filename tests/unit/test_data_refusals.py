"""The sentence for every kind of file that cannot be used."""

import bz2
import gzip
import io
import json
import pickle
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from test_data_reading import parquet, read, workbook

from ldpcore.data import DataError, columns, reading, text
from ldpcore.data import read as read_file
from tests.each import for_each


def refused(content: bytes | str, name: str = "survey.csv", **options) -> DataError:
    with pytest.raises(DataError) as caught:
        read(content, name, **options)
    return caught.value


def test_empty_files():
    assert "is empty" in refused(b"").sentence
    assert "is empty" in refused(" \n\t\n").sentence
    assert "is empty" in refused(gzip.compress(b"")).sentence
    assert "is empty" in refused(b"\xef\xbb\xbf").sentence
    assert "is empty" in refused(workbook(a=[], b=[]), "b.xlsx").sentence


def test_names_but_no_rows():
    error = refused("age,sex\n")
    assert "names but no rows" in error.sentence
    assert error.hint == "First line: age,sex"
    assert "names but no rows" in refused(workbook(a=[["age", "sex"]]), "b.xlsx").sentence
    assert "names but no rows" in refused(parquet(pd.DataFrame({"a": pd.Series([], dtype="str")}))).sentence


def test_no_answer_at_all():
    assert "holds no answer" in refused("a,b\n?,NA\n,-\n").sentence


@for_each(
    ("content", "words"),
    [
        (b"%PDF-1.7 ...", "PDF"),
        (b"\x89PNG\r\n", "picture"),
        (bz2.compress(b"a,b\n1,2\n"), "bzip2"),
        (gzip.compress(gzip.compress(b"a,b\n1,2\n", mtime=0), mtime=0), "packed twice"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "old Excel"),
        (b"<!DOCTYPE html><html></html>", "web page"),
        (b"a,b\n1,\x00\x00\n", "not text"),
        (bytes(range(1, 256)) * 20, "not text"),
    ],
)
def test_binary_files(content, words):
    assert words in refused(content).sentence


def test_utf_16_without_its_mark_is_read():
    for codec in ("utf-16-le", "utf-16-be"):
        table = read("age,sex\n30,f\n40,m\n".encode(codec))
        assert table.frame["age"].tolist() == ["30", "40"]
        assert any("UTF-16" in note for note in table.notes)


def test_damaged_files():
    packed = gzip.compress(b"a,b\n" + b"1,2\n" * 1000)
    assert "damaged" in refused(packed[:-20]).sentence
    assert "damaged" in refused(packed[:20] + b"xx" + packed[22:]).sentence
    assert "damaged" in refused(b"PAR1" + b"x" * 50).sentence
    with zipfile.ZipFile(io.BytesIO(), "w") as archive:
        archive.writestr("xl/workbook.xml", "no xml")
        out = archive.fp
    assert "damaged" in refused(out.getvalue(), "b.xlsx").sentence  # type: ignore[union-attr]


def test_too_large(monkeypatch, tmp_path):
    monkeypatch.setattr(reading, "UPLOAD_LIMIT", 5000)
    assert "too large" in refused(b"a,b\n" + b"1,2\n" * 2000).sentence
    assert "unpacks to more" in refused(gzip.compress(b"a,b\n" + b"1,2\n" * 2000)).why
    assert "too large" in refused(workbook(a=[["x"], ["y"]]), "b.xlsx").sentence
    big = pd.DataFrame({"x": np.random.default_rng(1).random(2000)})
    monkeypatch.setattr(text, "unpack", lambda content, name, limit: content)
    assert "too large" in refused(parquet(big)).sentence
    monkeypatch.setattr(reading, "FILE_LIMIT", 10)
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    with pytest.raises(DataError, match="too large"):
        read_file(path, "a.csv")


def test_a_path_that_cannot_be_opened(tmp_path):
    with pytest.raises(DataError, match="cannot be opened"):
        read_file(tmp_path / "none.csv", "none.csv")


def test_the_wrong_separator_offers_the_better_one():
    content = "age;education;income\n30;BA;1\n40;HS;2\n"
    error = refused(content, separator=",")
    assert error.sentence == "“survey.csv” has one column. The values look separated by semicolons."
    assert error.hint == "First line: age;education;income"
    assert error.remedies[0].label == 'Read with ";"'
    assert read(content, **error.remedies[0].options).frame.shape == (2, 3)


def test_two_separators_that_fit_equally():
    error = refused("a,b;c\nx,y;z\nu,v;w\n")
    assert "can be read in 2 ways" in error.sentence
    shapes = [read("a,b;c\nx,y;z\nu,v;w\n", **remedy.options).frame.shape for remedy in error.remedies]
    assert shapes == [(2, 2), (2, 2)]


def test_lines_of_different_lengths():
    error = refused("a,b\n1,2\n3\n4,5,6\n7,8\n9,0\n")
    assert "different lengths" in error.sentence
    assert error.hint == "First such line: 3"


def test_a_quote_that_is_never_closed():
    assert "cannot be cut into lines" in refused('a,b\n"' + "x,y\n" * 3_000_000).sentence
    assert "cannot be cut into lines" in refused('"' + "x,y\n" * 3_000_000).sentence
    assert "cannot be cut into lines" in refused('a,b\n1,2\n3,"4\n5,6\n7,8\n').sentence
    assert "cannot be cut into lines" in refused("a,b\n" + "1,2\n" * 90 + '"3,4\n' + "5,6\n" * 90).sentence
    assert len(read('a,b\n1,2\n3,"\n"\n').frame) == 2
    assert len(read('a,b\n5" wide,2\n3,"two\nlines"\n').frame) == 2


def test_options_that_make_no_sense():
    assert "cannot separate" in refused("a,b\n1,2\n", separator=",,").sentence
    assert "is unknown" in refused("a,b\n1,2\n", encoding="klingon").sentence
    error = refused("a,b\né,2\nx,3\n", encoding="ascii")
    assert "not written in ascii" in error.sentence
    assert len(read("a,b\né,2\nx,3\n", **error.remedies[0].options).frame) == 2
    error = refused(workbook(one=[["x"], ["y"]]), "b.xlsx", sheet="two")
    assert "no sheet “two”" in error.sentence
    assert error.remedies[0].options == {"sheet": "one"}


def test_nested_parquet():
    error = refused(parquet(pa.table({"a": [{"c": 1}, {"c": 2}], "b": ["x", "y"]})))
    assert "records inside: a" in error.sentence
    error = refused(parquet(pa.table({"a": [[[1], [2]], [[3]]], "b": ["x", "y"]})))
    assert "records inside: a" in error.sentence


def test_texts_that_fill_the_memory_once_each_row_has_its_own(monkeypatch):
    """1 500 texts of 100 letters, each in ten rows: 1.5 MB, kept once each 0.15."""
    texts = pa.array([f"{i:04}" + "é" * 48 for i in range(1500)])
    cells = pa.DictionaryArray.from_arrays(pa.array(np.tile(np.arange(1500, dtype=np.int32), 10)), texts)
    content = parquet(pa.table({"story": cells, "b": ["x", "y"] * 7500}))
    monkeypatch.setattr(columns, "MAX_TEXT", 1_500_000)
    assert read_file(content, "x.parquet").frame.shape == (15_000, 2)
    monkeypatch.setattr(columns, "MAX_TEXT", 1_499_999)
    assert "“story” holds too much text" in refused(content).sentence


def test_bytes_in_a_parquet_column():
    assert "bytes that are no text" in refused(parquet(pa.table({"a": [b"\xff\xfe", b"x"], "b": ["x", "y"]}))).sentence


def test_an_error_survives_a_worker_process():
    error = pickle.loads(pickle.dumps(refused("a;b\n1;2\n3;4\n", separator=",")))
    assert error.sentence
    assert error.why in str(error)
    assert error.remedies[0].options == {"separator": ";"}


@pytest.mark.parametrize(
    "content",
    [
        json.dumps([{"a": i, "b": "x"} for i in range(9)])[:-1],
        json.dumps({"SEX": {"values": {"1": "male"}}}, indent=2),
        json.dumps([[1, 2], [3, 4]], indent=1),
        json.dumps(list(range(9)), indent=1),
    ],
    ids=["cut off", "dictionary", "rows", "list"],
)
def test_json_is_called_so(content):
    error = refused(content)
    assert "is JSON" in error.sentence
    assert "CSV" in error.why


@pytest.mark.parametrize("cell", ["[18,25)", "{a}", "[a]", "{}x"])
def test_brackets_alone_are_no_json(cell):
    assert len(read(f"{cell}\tx\n{cell}\ty\n" * 3, separator="\t", header=False).frame) == 6


@pytest.mark.parametrize("packed", [False, True])
def test_no_content_is_larger_than_the_bound(packed):
    """However few its rows are, and before anything is unpacked."""
    content = np.random.default_rng(1).bytes(5000)
    content = gzip.compress(content) if packed else content
    with pytest.raises(DataError, match="too large"):
        text.unpack(content, "a.csv", len(content) - 1)
    if not packed:
        assert text.unpack(content, "a.csv", len(content)) == content


@pytest.mark.parametrize("packed", ["parquet", "xlsx"])
def test_a_file_without_lines_is_not_read_as_baskets(packed):
    cells = ["milk bread", "tea"]
    content = parquet(pd.DataFrame({"a": cells})) if packed == "parquet" else workbook(a=[["a"], *([c] for c in cells)])
    assert "has no lines to read as baskets" in refused(content, f"a.{packed}", layout="baskets").sentence
