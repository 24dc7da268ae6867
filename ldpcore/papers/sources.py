"""The data a claim is measured on: a user's copy of what the paper used, else a stand-in, and which of them it was.

Real data are looked for in a folder (the option --data-folder, or LDPCORE_DATA), under their published names, and
where `ldpcore data fetch` puts them. Nothing is downloaded here. A stand-in is never called a reproduction.
"""

import gzip
import hashlib
import os
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pooch
from numpy.typing import NDArray

from ldpcore import data
from ldpcore.baskets import Baskets
from ldpcore.data import of_table
from ldpcore.itemsets import baskets_of

VARIABLE = "LDPCORE_DATA"
NAMES: Mapping[str, tuple[str, ...]] = {
    "Adult": ("adult.data", "adult.data.gz"),
    "US Census 1990": ("USCensus1990.data.txt", "USCensus1990.data.txt.gz"),
    "SOCR heights and weights": ("socr-heights-weights.csv", "socr-heights-weights.csv.gz"),
    "groceries (arules)": ("groceries.csv", "groceries.csv.gz"),
    "online sales": ("online_retail.parquet",),
    "anime ratings": ("anime_caserec5000.zip",),
    "movie ratings": ("ml-latest-small.zip",),
    "IPUMS USA": ("ipums-usa.csv", "ipums-usa.csv.gz"),
    "supermarket (datatang 44163)": ("datatang-44163.csv", "datatang-44163.csv.gz"),
}
DIGESTS: Mapping[str, str] = {
    "Adult": "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d",
    "US Census 1990": "38e99f50855ddc03167b715b36519ef40b77295ae4e85dfef0c6429ac79ed799",
    "SOCR heights and weights": "45dc64c40cc3d6fe5c190f6bfb407a45113c596d0e681045cffc207ec0e935d3",
    "groceries (arules)": "5e7ac49b81bcca14025e8b0d1e34ddce41ea32851364913c0754927725f2ec87",
    "online sales": "a0132b5d16fcd062d8bfe9641180d178e3607da0db31cb95e7cb468c21e6c3cb",
    "anime ratings": "99882032ba25342e7e15e9669f93d596ae1ce1d95ed40dd6199b27e943f9a925",
    "movie ratings": "696d65a3dfceac7c45750ad32df2c259311949efec81f0f144fdfb91ebc9e436",
}
"""SHA-256 of the unpacked published files."""
CHILDREN = r"\b(?:child|children|childrens|child's|kid|kids|baby|girl|girls|boy|boys|toy|toys|doll|dolly|nursery)\b"
HEIGHTS = (60.278, 75.153)
"""The range of the published heights, in inches."""
GENRES = {"anime ratings": ("Hentai", "Thriller", "Horror"), "movie ratings": ("Adult", "Thriller", "Horror")}


class Absent(Exception):
    """The data of a claim are not here, and nothing can stand in for them."""

    def __init__(self, name: str) -> None:
        self.data = f"{name}: absent"
        super().__init__(
            f"{name} is not here and nothing else can stand in for it; put {NAMES[name][0]} into a folder and pass it "
            f"as --data-folder, or set {VARIABLE}"
        )


@dataclass(frozen=True, eq=False)
class Sets:
    """Sets of items of n people, which items are marked, and where they come from."""

    name: str
    baskets: Baskets
    sensitive: NDArray[np.bool_]
    said: str


@dataclass(frozen=True, eq=False)
class Counts:
    """How many people gave each answer."""

    name: str
    counts: NDArray[np.int64]
    said: str


def find(name: str, folder: Path | None) -> Path | None:
    """Where the named real data are, None: nowhere."""
    set_ = os.environ.get(VARIABLE)
    places = [folder, Path(set_) if set_ else None, Path(pooch.os_cache("ldpcore"))]
    paths = (place / file for place in places if place is not None for file in NAMES[name])
    return next((path for path in paths if path.is_file()), None)


def need(name: str, folder: Path | None) -> Path:
    """The same, or Absent."""
    path = find(name, folder)
    if path is None:
        raise Absent(name)
    return path


def real(name: str, path: Path, note: str = "") -> str:
    """What to call real data: the published file, or somebody's file of that name."""
    content = path.read_bytes()
    digest = hashlib.sha256(gzip.decompress(content) if path.suffix == ".gz" else content).hexdigest()
    kind = "real" if digest == DIGESTS[name] else "a user's copy, not the published file"
    return f"{name}, {kind}{note}"


def stand_in(what: str, absent: str) -> str:
    return f"{what}, standing in for {absent} (absent): not a reproduction"


@cache
def _table(path: Path | str) -> data.Table:
    return data.load(path)


def adult(folder: Path | None) -> tuple[data.Table, str]:
    """Adult, else the bundled synthetic census with its columns."""
    path = find("Adult", folder)
    if path is not None:
        return _table(path), real("Adult", path)
    return _table("census"), stand_in("bundled synthetic census", "Adult")


def records(folder: Path | None) -> tuple[NDArray[np.intp], tuple[int, ...], str]:
    """The six attributes of Adult that the paper clusters, complete rows only: codes (n, 6), levels, and what it is."""
    table, source = adult(folder)
    frame = table.frame.dropna()
    columns = ("workclass", "education", "marital-status", "occupation", "relationship", "race")
    values = [frame[name].cat.remove_unused_categories().cat for name in columns]
    codes = np.stack([column.codes.to_numpy(np.intp) for column in values], axis=1)
    return codes.astype(np.intp), tuple(len(column.categories) for column in values), source


def answers(column: str, folder: Path | None) -> Counts:
    """ "education" or "marital-status": the counts in US Census 1990, else in Adult, else in the bundled census."""
    path = find("US Census 1990", folder)
    if path is not None:
        counts = _table(path).categorical({"education": "iYearsch", "marital-status": "iMarital"}[column]).counts
        return Counts(column, np.asarray(counts), real("US Census 1990", path))
    table, source = adult(folder)
    source = stand_in(source.split(", standing in")[0], "US Census 1990")
    return Counts(column, np.asarray(table.categorical(column).counts), source)


def heights(folder: Path | None, weight: bool = False) -> tuple[NDArray[np.float64], str]:
    """25 000 heights (or weights) on [-1, 1] over the data's own range, as the paper scales them; else the bundled
    ones, drawn from the normal law with the published mean, deviation and range.
    """
    column, (low, high) = ("Weight", (78.015, 170.924)) if weight else ("Height(Inches)", HEIGHTS)
    path = find("SOCR heights and weights", folder)
    if path is not None:
        values = pd.read_csv(path, encoding="utf-8-sig")[column].to_numpy(float)
        low, high, source = values.min(), values.max(), real("SOCR heights and weights", path)
    else:
        values = _table("children").numbers("weight" if weight else "height")
        source = stand_in(
            "25 000 normal numbers with the published mean, deviation and range", "SOCR heights and weights"
        )
    return np.clip(2 * (values - low) / (high - low) - 1, -1, 1), source


def sets(folder: Path | None) -> tuple[list[Sets], list[str]]:
    """The three data sets of suldp that are here, else the bundled baskets; and the names of those that are not."""
    readers = {"online sales": _sales, "anime ratings": _anime, "movie ratings": _movies}
    paths = {name: find(name, folder) for name in readers}
    data_sets = [readers[name](path) for name, path in paths.items() if path is not None]
    absent = [name for name, path in paths.items() if path is None]
    if not data_sets:
        table = _table("groceries")
        baskets = table.baskets("items")
        card = table.card
        marks = baskets.domain.mask(card.default_marks) if card else np.zeros(baskets.k, bool)
        data_sets = [
            Sets("bundled groceries", baskets, marks, stand_in("bundled synthetic groceries", ", ".join(absent)))
        ]
    return data_sets, absent


def supermarket(folder: Path | None) -> tuple[Baskets, str]:
    """The 300 baskets of dfdp, a line each; else the bundled 300, drawn as it describes them: 50 products, 3 each."""
    path = find("supermarket (datatang 44163)", folder)
    if path is not None:
        lines = path.read_text(encoding="utf-8").split("\n")
        return baskets_of([line.split(",") for line in lines if line]), "supermarket (datatang 44163), a user's copy"
    source = stand_in("300 baskets drawn as the paper describes them", "its supermarket data")
    return _table("supermarket").baskets("items"), source


def groceries(folder: Path | None) -> tuple[Baskets, str]:
    """The 9 835 baskets of arules, else the bundled ones."""
    path = find("groceries (arules)", folder)
    if path is not None:
        table = _table(path)
        return table.baskets("items"), real("groceries (arules)", path)
    return _table("groceries").baskets("items"), stand_in("bundled synthetic groceries", "the groceries of arules")


@cache
def _sales(path: Path) -> Sets:
    frame = pd.read_parquet(path, columns=["CustomerID", "StockCode", "Description"])
    frame = frame.dropna(subset=["CustomerID", "StockCode"])
    baskets = of_table.of_pairs(frame, "CustomerID", "StockCode")
    named = frame["Description"].astype("str").str.contains(CHILDREN, case=False)
    marked = set(frame["StockCode"].astype("str")[named])
    return Sets("online sales", baskets, np.isin(baskets.labels, list(marked)), real("online sales", path))


@cache
def _anime(path: Path) -> Sets:
    with zipfile.ZipFile(path) as archive:
        ratings = pd.read_csv(archive.open("anime/anime_history.dat"), sep="\t")
        titles = pd.read_csv(archive.open("anime/anime_info.dat"), sep="\t")
    source = real("anime ratings", path, ", a subsample of 5 000 users")
    return _rated("anime ratings", ratings, "User_ID", "Anime_ID", titles, "anime_ids", "genre", source)


@cache
def _movies(path: Path) -> Sets:
    with zipfile.ZipFile(path) as archive:
        ratings = pd.read_csv(archive.open("ml-latest-small/ratings.csv"))
        titles = pd.read_csv(archive.open("ml-latest-small/movies.csv"))
    source = real("movie ratings", path, ", MovieLens small: not the paper's edition")
    return _rated("movie ratings", ratings, "userId", "movieId", titles, "movieId", "genres", source)


def _rated(
    name: str, ratings: pd.DataFrame, user: str, item: str, titles: pd.DataFrame, key: str, genre: str, said: str
) -> Sets:
    baskets = of_table.of_pairs(ratings.dropna(subset=[user]), user, item)
    named = titles[genre].astype("str").str.contains("|".join(GENRES[name]), case=False)
    return Sets(name, baskets, np.isin(baskets.labels, titles[key][named].astype("str").tolist()), said)
