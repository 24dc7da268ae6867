"""The real public files, where they are at hand; and what fetching says where they are not."""

import gzip
import socket
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pooch
import pytest

from ldpcore.data import DataError, fetch, labels, load, public, read
from ldpcore.data.order import EDUCATION
from tests.real import need, opened


def test_adult():
    table = opened("adult.data.gz")
    assert list(table.frame.columns)[:4] == ["age", "workclass", "fnlwgt", "education"]
    assert table.frame.shape == (32561, 15)
    assert table.digest == "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d"
    assert table.card is not None
    assert not table.card.synthetic
    histogram = table.categorical("education")
    assert histogram.domain.labels == EDUCATION
    assert histogram.n == 30162
    assert histogram.dropped == 2399
    assert table.categorical("education", "column").counts.tolist()[:4] == [51, 168, 333, 646]
    assert any("published names" in note for note in table.notes)
    assert any("“?”" in note for note in table.notes)
    unpacked = read(gzip.decompress(need("adult.data.gz").read_bytes()), "adult.data")
    assert unpacked.digest == table.digest
    assert unpacked.frame.equals(table.frame)


def test_acs_with_its_dictionary():
    table = opened("acs2019-nist.csv.gz")
    assert len(table.frame) == 27253
    assert not table.frame["EDU"].isna().any()
    assert table.categorical("EDU").domain.labels == (*map(str, range(1, 13)), "N")
    labelled = table.with_labels(labels(need("acs-nist-dictionary.json").read_bytes()))
    education, marriage = labelled.categorical("EDU"), labelled.categorical("MSP")
    assert (education.domain.k, marriage.domain.k, education.n) == (13, 7, 27253)
    assert education.domain.labels[0] == "N/A (less than 3 years old)"
    assert education.domain.labels[-1] == "Doctorate degree"
    assert education.counts[:2].tolist() == [759, 765]
    assert marriage.domain.labels[-1] == "Never married"
    assert table.profile()[table.frame.columns.get_loc("PINCP")].role == "number"  # type: ignore[index]
    assert len(table.numbers("PINCP")) == 27253 - 4247


def test_online_retail():
    table = opened("online_retail.parquet")
    assert len(table.frame) == 541909
    roles = {column.name: column.role for column in table.profile()}
    assert roles["StockCode"] == "identifier"
    assert roles["Quantity"] == "number"
    with pytest.raises(DataError, match="identifier"):
        table.categorical("StockCode")


def test_socr_heights():
    table = read(need("socr-heights-weights.csv.gz").read_bytes(), "socr.csv.gz")
    assert list(table.frame.columns) == ["Index", "Height(Inches)", "Weight"]
    heights = table.numbers("Height(Inches)")
    found = [heights.min(), heights.max(), heights.mean(), heights.std()]
    assert np.allclose(found, [60.278, 75.153, 67.993, 1.902], atol=1e-3)
    assert table.binned("Height(Inches)", 60, 76, 16).clipped == 0


def test_a_fetched_file_is_taken_from_the_cache(monkeypatch, tmp_path):
    monkeypatch.setattr(pooch, "os_cache", lambda name: tmp_path)
    (tmp_path / "adult.data").write_bytes(gzip.decompress(need("adult.data.gz").read_bytes()))
    assert fetch("adult") == tmp_path / "adult.data"
    table = load("adult")
    assert table.name == "adult"
    assert table.card is public.FETCHED["adult"]
    assert set(table.card.default_marks) < set(table.categorical(table.card.default_column).domain.labels)


@pytest.mark.parametrize("name", ["retail", "mushroom", "chess"])
def test_fetched_baskets(monkeypatch, tmp_path, name):
    monkeypatch.setattr(pooch, "os_cache", lambda name: tmp_path)
    (tmp_path / f"{name}.dat").write_bytes(gzip.decompress(need(f"{name}.dat.gz").read_bytes()))
    table = load(name)
    assert table.card is public.FETCHED[name]
    assert table.baskets(table.card.default_column).n == table.card.rows


def test_no_network(monkeypatch, tmp_path):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    monkeypatch.setattr(pooch, "os_cache", lambda name: tmp_path)
    for name, home in list(public._HOMES.items()):
        monkeypatch.setitem(public._HOMES, name, replace(home, url=f"http://127.0.0.1:{port}/{home.file}"))
        with pytest.raises(DataError, match=r"could not be downloaded.*upload or a local path works as well"):
            fetch(name)


def archive(folder: Path, content: bytes):
    """A retrieve that finds a zip of this content at its home."""

    def retrieve(url, known_hash, fname, path, processor=None):
        with zipfile.ZipFile(folder / fname, "w") as packed:
            packed.writestr("USCensus1990.data.txt", content)
        return processor(str(folder / fname), "download", None)

    return retrieve


def test_a_changed_file_is_not_used(monkeypatch, tmp_path):
    monkeypatch.setattr(pooch, "os_cache", lambda name: tmp_path)
    monkeypatch.setattr(pooch, "retrieve", archive(tmp_path, b"caseid,iYearsch\n1,2\n"))
    with pytest.raises(DataError, match="has changed at its home"):
        fetch("census1990")
    assert list(tmp_path.glob("**/*.*")) == []


def test_the_archive_is_unpacked_and_checked(monkeypatch, tmp_path):
    content = b"caseid,iYearsch,iMarital\n" + b"".join(b"%d,%d,%d\n" % (i, i % 18, i % 5) for i in range(100))
    monkeypatch.setattr(pooch, "os_cache", lambda name: tmp_path)
    monkeypatch.setattr(pooch, "retrieve", archive(tmp_path, content))
    (tmp_path / "c").write_bytes(content)
    home = replace(public._HOMES["census1990"], sha256=pooch.file_hash(str(tmp_path / "c")))
    monkeypatch.setitem(public._HOMES, "census1990", home)
    table = load("census1990")
    assert table.categorical("iYearsch").domain.labels == tuple(map(str, range(18)))
    assert table.categorical("iMarital").domain.k == 5


def test_an_unknown_file():
    with pytest.raises(DataError, match="There are adult, census1990"):
        fetch("iris")
