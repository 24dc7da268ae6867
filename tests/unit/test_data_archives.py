"""Zip archives: the only table opens, of several one is chosen by name, and nothing unpacks beyond the bound."""

import gzip
import io
import struct
import tracemalloc
import zipfile

import pandas as pd
import pytest
from test_data_reading import has_note, parquet, workbook

from ldpcore.data import DataError, ReadOptions, read, reading
from tests import real

CSV = b"age,city\n34,Rome\n51,Oslo\n29,Rome\n"


def packed(compression=zipfile.ZIP_DEFLATED, **files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def refused(content: bytes, **options) -> DataError:
    with pytest.raises(DataError) as caught:
        read(content, "data.zip", ReadOptions(**options))
    return caught.value


@pytest.mark.parametrize(
    "files",
    [
        {"people.csv": CSV},
        {"a/b/people.tsv": CSV.replace(b",", b"\t")},
        {"people.csv.gz": gzip.compress(CSV)},
        {"people.parquet": parquet(pd.read_csv(io.BytesIO(CSV)))},
        {"people.xlsx": workbook(a=[["age", "city"], [34, "Rome"], [51, "Oslo"], [29, "Rome"]])},
        {"people": CSV},  # no ending, but alone
        {"people.csv": CSV, "README.txt": b"what it is", "LICENSE": b"free"},
        {"people.csv": CSV, "__MACOSX/._people.csv": b"\0\0", ".DS_Store": b"\0", "picture.png": b"\x89PNG"},
    ],
    ids=lambda files: next(iter(files)) + f" of {len(files)}",
)
def test_the_only_table_opens(files):
    table, plain = read(packed(**files), "data.zip"), read(CSV, "people.csv")
    assert table.frame.astype(str).equals(plain.frame.astype(str))
    assert has_note(table, next(iter(files)))


def test_the_digest_is_that_of_the_file_inside():
    assert read(packed(**{"people.csv": CSV}), "data.zip").digest == read(CSV, "people.csv").digest


def test_of_several_one_is_chosen_by_name():
    content = packed(**{"people.csv": CSV, "towns.csv": b"town\n" + b"Rome\nOslo\n" * 3})
    error = refused(content)
    assert "people.csv" in error.why
    assert "towns.csv" in error.why
    assert [dict(remedy.options) for remedy in error.remedies] == [{"member": "towns.csv"}, {"member": "people.csv"}]
    assert list(read(content, "data.zip", ReadOptions(**error.remedies[0].options)).frame.columns) == ["town"]
    stranger = refused(content, member="cars.csv")
    assert "cars.csv" in stranger.sentence
    assert len(stranger.remedies) == 2


def test_folders_are_named_where_they_tell_files_apart():
    alike = refused(packed(**{"2023/people.csv": CSV, "2024/people.csv": CSV * 2}))
    assert ["2024" in remedy.label for remedy in alike.remedies] == [True, False], "the largest first"
    differ = refused(packed(**{"all/people.csv": CSV, "all/towns.csv": CSV}))
    assert not any("all/" in remedy.label for remedy in differ.remedies)
    assert all("all/" in remedy.options["member"] for remedy in differ.remedies)


def test_many_are_named_in_part():
    error = refused(packed(**{f"part {i}.csv": CSV for i in range(50)}))
    assert len(error.remedies) < 10
    assert "44 more" in error.why


@pytest.mark.parametrize(
    "files",
    [{}, {"a.png": b"\x89PNG", "b.png": b"\x89PNG"}, {"README.txt": b"x", "LICENSE": b"y"}],
    ids=["empty", "pictures", "words"],
)
def test_no_table_inside(files):
    error = refused(packed(**files))
    assert "No file" in error.sentence
    assert all(name in error.why for name in files)


def test_a_picture_alone_is_refused_as_one():
    assert "picture" in refused(packed(**{"a.png": b"\x89PNG\r\n"})).sentence


def test_an_office_document_is_called_so():
    assert (
        "office document" in refused(packed(**{"[Content_Types].xml": b"<x/>", "word/document.xml": b"<x/>"})).sentence
    )


def test_an_archive_in_an_archive():
    assert "zip archive" in refused(packed(**{"inner.zip": packed(**{"people.csv": CSV})})).sentence


def test_a_damaged_archive_in_an_archive():
    error = refused(packed(**{"people.csv": b"PK\x03\x04 and no list of files"}))
    assert str(error).startswith("“data.zip” is damaged. It begins as a zip archive")


def test_encrypted():
    content = bytearray(packed(**{"people.csv": CSV}))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + offset] |= 1
    error = refused(bytes(content))
    assert "encrypted" in error.sentence
    assert "password" in error.why


@pytest.mark.parametrize("lie", [False, True], ids=["said", "hidden"])
def test_a_bomb_is_refused_before_it_fills_the_memory(monkeypatch, lie):
    monkeypatch.setattr(reading, "UPLOAD_LIMIT", 1_000_000)
    content = bytearray(packed(**{"bomb.csv": b"0" * 100_000_000}))
    if lie:  # it claims to hold a thousand bytes
        for mark, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
            struct.pack_into("<I", content, content.index(mark) + offset, 1000)
    tracemalloc.start()
    error = refused(bytes(content))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "too large" in error.sentence or (lie and "damaged" in error.sentence)
    assert peak < 10_000_000


def test_a_list_of_a_million_files_is_not_read():
    content = bytearray(packed(**{"people.csv": CSV}))
    struct.pack_into("<I", content, content.index(b"PK\x05\x06") + 12, 50_000_000)
    assert "too large" in refused(bytes(content)).sentence


@pytest.mark.parametrize("cut", [30, 80, -10])
def test_damaged(cut):
    assert "damaged" in refused(packed(**{"people.csv": CSV * 20})[:cut]).sentence


def test_movielens():
    path = real.need("ml-latest-small.zip")
    with pytest.raises(DataError) as caught:
        read(path, path.name)
    offered = [remedy.options["member"] for remedy in caught.value.remedies]
    assert sorted(offered) == [f"ml-latest-small/{name}.csv" for name in ("links", "movies", "ratings", "tags")]
    table = read(path, path.name, ReadOptions(member="ml-latest-small/ratings.csv"))
    assert len(table.frame) == 100_836
    roles = {profile.name: profile.role for profile in table.profile()}
    assert roles["userId"] == roles["movieId"] == "identifier"
    assert roles["rating"] != "identifier"
