"""`ldpcore mine`: a folder of baskets in parts gives the very sets, counts and order that they give in memory."""

from functools import partial

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from ldpcore import data, itemsets
from ldpcore.cli import main
from ldpcore.collection import mining
from ldpcore.data.partitions import partitions
from ldpcore.itemsets import TooManyCandidates, apriori, apriori_of, parted
from ldpcore.rng import stream

lists = st.lists(st.lists(st.integers(0, 6), max_size=7), min_size=1, max_size=40)


def same(one: itemsets.MiningResult, other: itemsets.MiningResult) -> None:
    assert one.labels == other.labels
    assert one.min_count == other.min_count
    pd.testing.assert_frame_equal(one.itemsets, other.itemsets)
    assert one.ledger == other.ledger


def cut(baskets, sizes):
    """Parts of so many baskets, which they give in twos; the last has the rest."""
    ends = [*np.minimum(np.cumsum(sizes), len(baskets)), len(baskets)]
    each = [baskets[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    return [partial(lambda own: [own[i : i + 2] for i in range(0, len(own), 2)], own) for own in each]


@settings(max_examples=25)
@given(lists, st.lists(st.integers(0, 9), max_size=5), st.integers(1, 6), st.sampled_from([None, 2, 3]), st.booleans())
def test_parts_give_what_the_whole_gives(baskets, sizes, least, longest, apart):
    least, before = min(least, len(baskets)), parted.TOGETHER
    parted.TOGETHER = 0 if apart else before
    try:
        found, n = apriori_of(cut(baskets, sizes), least, max_length=longest)
    finally:
        parted.TOGETHER = before
    assert n == len(baskets)
    pd.testing.assert_frame_equal(found.itemsets, apriori(baskets, least, max_length=longest).itemsets)


def test_long_sets_are_counted_together_and_few_passes_read_the_parts():
    """One set of twelve items: ten levels after the pairs, in one pass; level by level it would be ten."""
    read = []

    def part():
        read.append(1)
        return [[list(range(12))] * 5]

    found, _ = apriori_of([part], 5)
    assert len(found.itemsets) == 2**12 - 1
    assert len(read) == 3


def test_each_pass_over_the_parts_is_told():
    told = []
    apriori_of([lambda: [[["a", "b", "c"]] * 2]] * 2, 2, tick=lambda *said: told.append(said))
    assert told == [(length, done, 2) for length in (1, 2, 3) for done in (1, 2)]


def test_what_would_take_too_long_is_refused_before():
    part = [[list(range(60))] * 3]
    with pytest.raises(TooManyCandidates, match="choose a higher min_count"):
        apriori_of([lambda: part], 3, max_candidates=1000)
    with pytest.raises(TooManyCandidates, match="1,770 candidates of 2 items"):  # 60·59/2
        apriori_of([lambda: part], 3, max_candidates=1769, max_length=2)
    assert len(apriori_of([lambda: part], 3, max_candidates=1770, max_length=2)[0].itemsets) == 60 + 1770
    with pytest.raises(ValueError, match="no baskets"):
        apriori_of([lambda: []], 1)
    with pytest.raises(ValueError, match="min_count"):
        apriori_of([lambda: part], 4)


ROWS = [
    ["bread", *(f"item {j}" for j in np.flatnonzero(row < 0.35 - 0.02 * np.arange(12)))]
    for row in stream(3, "baskets").random((900, 12))
]


@pytest.fixture
def folder(tmp_path):
    """Text in two files, of which one has spaces, repeated items and empty cells."""
    there = tmp_path / "baskets"
    there.mkdir()
    (there / "a.csv").write_text("".join(",".join(row) + "\n" for row in ROWS[:500]))
    (there / "b.csv").write_text("".join(" " + " , ".join([*row, row[-1], ""]) + "\n" for row in ROWS[500:]))
    return there


def test_a_folder_of_text_gives_what_one_file_gives(folder, tmp_path):
    whole = tmp_path / "whole.csv"
    whole.write_text("".join(",".join(row) + "\n" for row in ROWS))
    table = data.load(whole, data.ReadOptions(header=False))
    expected = apriori(table.baskets(next(iter(table.sets))), 60)
    parts = partitions(folder, size=5000, lines=True)
    assert len(parts) > 5
    found, n = apriori_of(
        [partial(mining.ItemLocation(separator=","), part) for part in parts], 60, order=mining.ordered
    )
    same(found, expected)
    assert n == len(ROWS)


def run(*arguments):
    return CliRunner().invoke(main, ["mine", *map(str, arguments)])


def test_lists_in_parquet_give_the_same(folder, tmp_path):
    lists = tmp_path / "lists"
    lists.mkdir()
    rows = [*ROWS, None]  # nobody
    pq.write_table(pa.table({"who": range(len(rows)), "held": rows}), lists / "a.parquet", row_group_size=200)
    result = run(lists, "--column", "held", "--min-count", "0.07", "-o", tmp_path / "p.csv")
    assert result.exit_code == 0, result.output
    assert "or more of 900 baskets" in result.output
    assert run(folder, "--min-count", 63, "-o", tmp_path / "t.csv").exit_code == 0
    assert (tmp_path / "p.csv").read_bytes() == (tmp_path / "t.csv").read_bytes()
    assert run(folder, "--min-count", 63, "-o", tmp_path / "t.parquet").exit_code == 0
    kept, text = pd.read_parquet(tmp_path / "t.parquet"), pd.read_csv(tmp_path / "t.csv")
    assert [" + ".join(items) for items in kept["itemset"]] == text["itemset"].tolist()
    assert (kept["items"] == kept["itemset"].map(len)).all()
    assert text["share"].tolist() == pytest.approx((text["count"] / 900).tolist())


def test_the_terminal_shows_the_first_sets_and_refuses_in_sentences(folder, tmp_path):
    shown = run(folder, "--min-count", 60, "--max-length", 1)
    assert shown.stdout.splitlines()[1].split() == ["bread", "1", "900", "1.000000"]
    assert "at least min_count of the 900 baskets" in run(folder, "--min-count", 5000).output
    assert "ends in .csv or .parquet" in run(folder, "--min-count", 5, "-o", tmp_path / "x.xls").output
    pq.write_table(pa.table({"held": ["a", "b"]}), tmp_path / "flat.parquet")
    assert "holds no lists" in run(tmp_path / "flat.parquet", "--min-count", 1).output
    pq.write_table(pa.table({"a": [["x"]], "b": [["y"]]}), tmp_path / "two.parquet")
    assert "has no column" in run(tmp_path / "two.parquet", "--min-count", 1).output
