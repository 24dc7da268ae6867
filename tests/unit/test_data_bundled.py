"""The bundled data sets: made by their script, described by their cards."""

import gzip
import runpy
import sys

import numpy as np
import pytest

from ldpcore.data import BUNDLED, FETCHED, DataError, bundled, load
from ldpcore.data.order import EDUCATION
from tests.each import for_each

PUBLISHED = [51, 168, 333, 646, 514, 933, 1175, 433, 10501, 7291, 1382, 1067, 5355, 1723, 576, 413]


def test_the_script_makes_the_committed_files(tmp_path, monkeypatch):
    """Unpacked bytes: another zlib may pack the same text differently. It runs as `python datasets/make.py` does, but
    in this process, which has NumPy and pandas already.
    """
    monkeypatch.syspath_prepend(bundled.folder())
    monkeypatch.setattr(sys, "argv", ["make.py", str(tmp_path)])
    runpy.run_path(str(bundled.folder() / "make.py"), run_name="__main__")
    for script in bundled.folder().glob("*.py"):
        sys.modules.pop(script.stem, None)
    assert {path.name for path in tmp_path.iterdir()} == {f"{name}.csv.gz" for name in BUNDLED}
    for name in BUNDLED:
        made = gzip.decompress((tmp_path / f"{name}.csv.gz").read_bytes())
        assert made == gzip.decompress(bundled.bundled(name)[0].read_bytes())


@pytest.mark.parametrize("name", BUNDLED)
def test_the_card_fits_its_file(name):
    card, table = BUNDLED[name], load(name)
    path, _, orders = bundled.bundled(name)
    assert path.stat().st_size < 500_000
    assert card.synthetic
    assert "synthetic" in card.title
    assert card.licence
    assert card.origin
    assert card.how_made
    assert table.card is card
    assert table.name == name
    assert len(table.frame) == card.rows
    counted = table.baskets if card.default_column in table.sets else table.categorical
    assert set(card.default_marks) < set(counted(card.default_column).domain.labels)
    for column, order in orders.items():
        assert table.categorical(column, "column").domain.labels == order
    assert all(column.role != "identifier" for column in table.profile())


def test_the_census_has_the_published_counts():
    table = load("census")
    histogram = table.categorical("education", "column")
    assert histogram.domain.labels == EDUCATION
    assert histogram.counts.tolist() == PUBLISHED
    assert table.categorical("marital-status", "column").domain.k == 7
    assert table.categorical("occupation", "column").domain.k == 14
    assert 300 < table.categorical("occupation", "column").dropped < 900
    assert table.categorical("income", "column").counts.tolist() == [24720, 7841]


def test_the_census_has_plausible_dependence():
    frame = load("census").frame
    rich = frame["income"] == ">50K"
    assert rich[frame["education"] == "Masters"].mean() > 2 * rich[frame["education"] == "HS-grad"].mean()
    age = frame["age"].astype(int)
    status = frame["marital-status"]
    assert age[status == "Widowed"].mean() > age[status == "Never-married"].mean() + 15


def test_the_health_survey_is_sensitive():
    assert {"HIV", "schizophrenia", "drug dependence"} <= set(BUNDLED["health"].default_marks)
    counts = load("health").categorical("condition", "column")
    assert counts.domain.labels[0] == "none"
    assert counts.counts.min() > 20


def test_the_groceries_have_the_published_shape():
    """arules, summary(Groceries): 9 835 baskets, 169 items, 43 367 in all, the first in 2 513, 2 159 baskets of one."""
    baskets = load("groceries").baskets("items")
    assert (baskets.n, baskets.k, len(baskets.codes)) == (9835, 169, 43367)
    assert np.bincount(baskets.lengths)[[0, 1, 2, 32]].tolist() == [0, 2159, 1643, 1]
    assert abs(baskets.counts.max() - 2513) < 25
    assert baskets.counts.min() > 0
    assert {"alcoholic drinks", "baby", "hygiene"} < set(baskets.groups)
    assert sum(map(len, baskets.groups.values())) == 169


def test_some_groceries_go_together():
    """Held together at least so many times as often as independent ones; the largest standard error is 15 %."""
    baskets = load("groceries").baskets("items")
    held = np.zeros((baskets.n, baskets.k), bool)
    held[baskets.people, baskets.codes] = True

    def lift(*pair: str) -> float:
        one, other = (held[:, code] for code in baskets.domain.encode(pair))
        return (one & other).mean() / (one.mean() * other.mean())

    assert lift("cat food", "cat litter") > 5
    assert lift("bottled beer", "tonic water") > 2
    assert lift("pasta", "minced meat") > 2
    assert lift("nappies", "canned beer") < 1.5


def test_unknown_names():
    with pytest.raises(DataError, match="There are census, children, health, supermarket, groceries"):
        bundled.bundled("iris")
    with pytest.raises(
        DataError, match=r"no data called “iris”.*census, children, health, supermarket, groceries, adult, census1990"
    ):
        load("iris")


def test_a_path(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\nx,1\ny,2\n")
    assert load(tmp_path / "a.csv").name == "a.csv"
    assert len(load(str(tmp_path / "a.csv")).frame) == 2


def test_a_broken_installation_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr(bundled, "__file__", str(tmp_path / "ldpcore" / "data" / "bundled.py"))
    with pytest.raises(FileNotFoundError, match="install ldpcore again"):
        bundled.folder()
    installed = tmp_path / "ldpcore" / "_datasets"
    installed.mkdir(parents=True)
    (installed / "a.toml").touch()
    assert bundled.folder() == installed


def test_what_ships_says_that_it_is_synthetic_and_what_others_published_is_not():
    assert all(card.synthetic for card in BUNDLED.values())
    assert not any(card.synthetic for card in FETCHED.values())


@for_each("name", [*BUNDLED, *FETCHED])
def test_each_field_of_a_card_says_what_it_is_for(name):
    """Ten fields in a row, most of them text: two that are exchanged would be read as well."""
    card = {**BUNDLED, **FETCHED}[name]
    assert card.name == name
    assert card.title[0].isupper()
    assert len(card.title) < 40
    assert card.what.endswith(".")
    assert len(card.what) > len(card.title)
    assert card.rows >= 300
    assert not card.licence.endswith(".")
    assert len(card.licence) < len(card.origin)
    assert card.how_made.endswith(".")
    assert card.origin not in (card.licence, card.what, card.how_made)
    assert " " not in card.default_column
    assert card.default_column not in card.default_marks
