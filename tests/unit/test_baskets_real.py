"""Baskets people have published, where they are at hand."""

import zipfile

import numpy as np
import pytest

from ldpcore.data import read
from ldpcore.study import Marks, Source, Study, sets
from tests.real import need, opened


@pytest.mark.parametrize(
    ("name", "n", "k", "mean", "most"),
    [
        ("groceries.csv.gz", 9835, 169, 4.409, 2513),
        ("mushroom.dat.gz", 8124, 119, 23.0, 8124),
        ("chess.dat.gz", 3196, 75, 37.0, 3195),
        ("bms-webview-1.dat.gz", 59602, 497, 2.511, 3658),
        ("retail.dat.gz", 88162, 16470, 10.306, 50675),
    ],
)
def test_transactions(name, n, k, mean, most):
    baskets = opened(name).baskets("items")
    assert (baskets.n, baskets.k, baskets.counts.max()) == (n, k, most)
    assert baskets.lengths.mean() == pytest.approx(mean, abs=5e-4)


def test_groceries_with_their_categories():
    table = opened("groceries.csv.gz").with_items(opened("groceries-items.csv"))
    baskets = table.baskets("items")
    assert any("169 of 169 items are described" in note for note in table.notes)
    assert len(baskets.groups) == 65
    marked = [item for name in ("beer", "hard drinks", "wine", "baby food") for item in baskets.groups[name]]
    assert {"canned beer", "liquor", "red/blush wine"} <= set(marked)


def test_online_retail_by_customer():
    table = opened("online_retail.parquet")
    assert list(table.sets) == ["StockCode by CustomerID"]
    baskets = table.baskets("StockCode by CustomerID")
    assert (baskets.n, baskets.k) == (4372, 3684)
    assert any("CHILDREN" in label for label in baskets.labels)
    assert any("without “CustomerID” left out" in note for note in baskets.notes)


def test_anime_by_user():
    with zipfile.ZipFile(need("anime_caserec5000.zip")) as archive:
        content = {name.split("/")[1]: archive.read(name) for name in archive.namelist()}
    table = read(content["anime_history.dat"], "history.dat")
    info = read(content["anime_info.dat"], "info.dat")
    baskets = table.with_items(info).baskets("Anime_ID by User_ID")
    assert (baskets.n, baskets.k) == (5000, 7390)
    assert {"Hentai", "Thriller", "Horror"} < set(baskets.groups)
    assert "Elfen Lied" in baskets.groups["Horror"]


def test_any_table():
    table = opened("adult.data.gz")
    baskets = table.baskets("all columns")
    assert baskets.n == 32561
    assert "education = Preschool" in baskets.groups["education"]
    assert baskets.counts[baskets.domain.encode(["sex = Female"])[0]] == 10771


def test_suwheel_beats_what_the_paper_compares_on_groceries():
    """Marked: drinks with alcohol and baby food, ε = 1. By the closed forms, averaged over all items."""
    table = opened("groceries.csv.gz").with_items(opened("groceries-items.csv"))
    baskets = table.baskets("items")
    marked = [item for name in ("beer", "hard drinks", "wine", "baby food") for item in baskets.groups[name]]
    chosen = Study(
        Source(table.name), "items", Marks.of(marked), tuple(sets.CATALOG), task="sets", grid=(),
        options=(("m", 8),),
    )  # fmt: skip
    frame = sets.theory(chosen, baskets)
    error = frame[(frame["metric"] == "mse") & (frame["scope"] == "all")].set_index("mechanism")["theory"]
    paper = ["suWheel", "suRAP", "suRAP-Sample", "suGRR-Sample", "suGRR"]
    assert error[paper].idxmin() == "suWheel"
    assert error["uPrivSet"] < 0.6 * error["suWheel"]
    assert error["suWheel-J"] < 1.1 * error["suWheel"]
    assert np.all(error[["GRR", "GRR-Sample", "RAPPOR", "Wheel", "PrivSet"]] > error["uPrivSet"])
