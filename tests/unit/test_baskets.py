"""Baskets: every way in which people keep several items per person, and what is said about each."""

import io
import itertools
import pickle

import numpy as np
import openpyxl
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldpcore.baskets import Baskets
from ldpcore.data import DataError, ReadOptions
from ldpcore.data import baskets as baskets_
from ldpcore.data import read as read_file
from ldpcore.data.baskets import MAX_ITEMS, collect
from ldpcore.data.simulated import reservoir, simulated
from ldpcore.memory import remembered
from ldpcore.rng import stream
from tests.each import for_each
from tests.laws.laws import fits


def read(content: str | bytes, name: str = "x.csv", **options):
    raw = content.encode() if isinstance(content, str) else content
    return read_file(raw, name, ReadOptions(**options))


def named(baskets: Baskets) -> list[list[str]]:
    return [[baskets.labels[code] for code in codes] for codes in baskets.lists()]


LINES = """tea,milk
bread,tea,milk,jam
milk
jam,bread
tea,jam,milk
"""
CONTENT = [["milk", "tea"], ["bread", "jam", "milk", "tea"], ["milk"], ["bread", "jam"], ["jam", "milk", "tea"]]
LONG = "customer,product,department\n" + "".join(
    f"{i},{item},{'drinks' if item in ('tea', 'milk') else 'food'}\n" for i, row in enumerate(CONTENT) for item in row
)
ONE_HOT = "bread,jam,milk,tea,water\n" + "".join(
    ",".join(str(int(item in row)) for item in ("bread", "jam", "milk", "tea", "water")) + "\n" for row in CONTENT
)


@for_each(
    "text",
    [
        LINES,
        LINES.replace(",", ";"),
        LINES.replace(",", "\t"),
        LINES.replace(",", "|"),
        LINES.replace(",", ", "),
        LINES.replace("\n", ",,,\n"),
        LINES.replace("\n", "\r\n"),
        LINES + "\n\n",
        "".join(f"{line.count(',') + 1},{line}\n" for line in LINES.splitlines()),
        "a,b,c,d\n" + LINES,
        "\ufeff" + LINES,
    ],
)
def test_a_transaction_on_every_line(text):
    table = read(text)
    assert list(table.sets) == ["items"]
    baskets = table.baskets("items")
    assert baskets.labels == ("bread", "jam", "milk", "tea")
    assert named(baskets) == CONTENT
    assert (baskets.n, baskets.k, baskets.lengths.tolist()) == (5, 4, [2, 4, 1, 2, 3])
    assert baskets.counts.tolist() == [2, 3, 4, 3]
    assert any("Every line was read as one basket" in note for note in table.notes)
    assert table.frame["basket size"].tolist() == ["2", "4", "1", "2", "3"]


def test_numbers_with_blanks():
    baskets = read("1 10 9\n2 9\n10 2 30\n1\n9 10 2 1\n", "x.dat").baskets("items")
    assert baskets.labels == ("1", "2", "9", "10", "30")
    assert named(baskets)[2] == ["2", "10", "30"]


def test_quoted_items_may_hold_the_separator():
    text = LINES.replace("tea", '"tea, green"')
    assert named(read(text).baskets("items"))[0] == ["milk", "tea, green"]


def test_empty_transactions_and_repeated_items_are_counted():
    table = read("tea,milk\n\nmilk,milk,tea,milk\n,,\njam,tea,milk,tea,bread\nmilk\nmilk,jam\n")
    baskets = table.baskets("items")
    assert baskets.n == 7
    assert baskets.lengths.tolist() == [2, 0, 2, 0, 4, 1, 2]
    assert "2 people without any item kept." in table.notes
    assert "3 repeated items within a basket counted once." in table.notes


def test_one_basket_without_an_item_is_one_person():
    assert "1 person without any item kept." in read("a,b\nb\n\na,b,c\nc\nb,a\n", layout="baskets").notes


def test_a_table_is_no_list_of_transactions():
    """Equal lengths, or words that keep to their columns, or gaps inside: a survey, not baskets."""
    grades = "q1,q2,q3\n" + "".join(f"{1 + i % 5},{1 + i % 3},{1 + i % 4}\n" for i in range(40)) + "1,2,\n"
    assert list(read(grades).sets) == ["all columns"]
    ragged = "name,town,mood\nann,rome,glad\nbob,oslo,sad\ncid,rome,\ndee,oslo,glad\neve,rome,\nfay,oslo,glad\n"
    assert list(read(ragged).sets) == ["all columns"]


def test_a_long_table():
    table = read(LONG)
    assert list(table.sets) == ["product by customer"]
    assert len(table.frame) == 12
    baskets = table.baskets("product by customer")
    assert named(baskets) == CONTENT
    assert dict(baskets.groups) == {"drinks": ("milk", "tea"), "food": ("bread", "jam")}
    assert any("“product” of each “customer”; their categories are in “department”" in note for note in table.notes)
    assert table.baskets("product by customer") is baskets


def test_the_person_is_the_customer_rather_than_the_order():
    rows = "".join(f"{i},{i // 3},{'ab'[i % 2]}\n{i},{i // 3},c\n" for i in range(12))
    assert list(read("order_id,customer_id,item\n" + rows).sets) == ["item by customer_id"]


def test_columns_of_a_long_table_can_be_named():
    table = read(LONG.replace("customer", "who").replace("product", "what"), user="who", item="what")
    assert named(table.baskets("what by who")) == CONTENT
    assert list(read(LONG, layout="table").sets) == ["all columns"]
    other = read(LONG, layout="pairs", user="customer", item="department")
    assert other.baskets("department by customer").labels == ("drinks", "food")


def test_rows_without_a_person_or_an_item():
    text = LONG + ",tea,drinks\n7,,\n"
    table = read(text)
    baskets = table.baskets("product by customer")
    assert baskets.n == 6
    assert baskets.lengths[-1] == 0
    assert baskets.notes == ("1 row without “customer” left out.", "1 person without any item kept.")


def test_descriptions_stand_behind_the_items():
    rows = "".join(f"{i % 4},{i % 3},{['red tea', 'milk', 'jam'][i % 3]}\n" for i in range(24))
    baskets = read("user,item,description\n" + rows).baskets("item by user")
    assert baskets.labels == ("0 red tea", "1 milk", "2 jam")


def test_the_commonest_category_of_an_item_counts():
    rows = LONG + "".join("9,tea,food\n" for _ in range(1))
    assert read(rows).baskets("product by customer").groups["drinks"] == ("milk", "tea")


@pytest.mark.parametrize(("yes", "no"), [("1", "0"), ("true", "false"), ("Yes", "No")])
def test_a_column_per_item(yes, no):
    head, *rows = ONE_HOT.splitlines()
    text = "\n".join([head, *(row.replace("1", yes).replace("0", no) if yes != "1" else row for row in rows)])
    table = read(text)
    assert list(table.sets) == ["items"]
    assert named(table.baskets("items")) == CONTENT
    assert table.baskets("items").counts.tolist() == [2, 3, 4, 3, 0]


def test_any_table_has_its_answers_as_items():
    table = read("town,mood,age\nrome,glad,31\noslo,,40\nrome,sad,31\noslo,glad,40\n")
    baskets = table.baskets("all columns")
    assert baskets.labels == (
        "town = oslo", "town = rome", "mood = glad", "mood = sad", "age = 31", "age = 40",
    )  # fmt: skip
    assert baskets.lengths.tolist() == [3, 2, 3, 3]
    assert baskets.groups["mood"] == ("mood = glad", "mood = sad")
    assert named(baskets)[1] == ["town = oslo", "age = 40"]


def test_categories_and_names_from_elsewhere():
    table = read(LINES).with_groups({"drinks": ["tea", "milk", "gin"], "none": ["rum"]}, {"tea": "green tea"})
    baskets = table.baskets("items")
    assert baskets.groups == {"drinks": ("green tea", "milk")}
    assert named(baskets)[0] == ["milk", "green tea"]
    assert table.digest != read(LINES).digest
    assert read(LINES).with_groups({"drinks": ["tea"]}).digest == read(LINES).digest
    again = table.with_groups({"food": ["jam"]})
    assert again.baskets("items").groups == {"food": ("jam",)}


def test_an_item_file():
    info = read('code,name,genre\ntea,Green tea,"drinks, hot"\nmilk,Milk,drinks\njam,Jam,food\nrum,Rum,drinks\n')
    table = read(LINES).with_items(info)
    baskets = table.baskets("items")
    assert baskets.groups == {"drinks": ("Milk", "Green tea"), "food": ("Jam",), "hot": ("Green tea",)}
    assert set(baskets.labels) == {"bread", "Jam", "Milk", "Green tea"}
    assert any("3 of 4 items are described in “x.csv”" in note for note in table.notes)
    with pytest.raises(DataError, match=r"No column of “x\.csv” names these items"):
        read(LINES).with_items(read("a,b\n1,2\n2,3\n"))
    with pytest.raises(DataError, match="has no baskets to describe"):
        read("only\nrome\noslo\n").with_items(info)


def test_a_part_of_the_items_keeps_everybody():
    baskets = read(LONG).baskets("product by customer")
    few = baskets.onto(baskets.domain.mask(["jam", "tea"]))
    assert named(few) == [["tea"], ["jam", "tea"], [], ["jam"], ["jam", "tea"]]
    assert few.groups == {"drinks": ("tea",), "food": ("jam",)}
    assert few.notes == baskets.notes
    turned = baskets.onto(baskets.domain.encode(["tea", "jam"]))
    assert [set(row) for row in named(turned)] == [set(row) for row in named(few)]
    assert turned.labels == ("tea", "jam")
    with pytest.raises(ValueError, match="items must have one entry for each of the 4 items"):
        baskets.onto([True])


def test_some_people_keep_what_is_known_of_their_items():
    baskets = read(LONG).baskets("product by customer")
    few = baskets.select(baskets.lengths > 1)
    assert named(few) == [row for row in named(baskets) if len(row) > 1]
    assert (few.labels, few.groups) == (baskets.labels, baskets.groups)
    fewer = baskets.keep(baskets.codes > 0)
    assert named(fewer) == [[item for item in row if item != baskets.labels[0]] for row in named(baskets)]


def test_baskets_travel_as_their_fields():
    baskets = read(LONG).baskets("product by customer")
    remembered(baskets, ("a",), lambda: lambda: None)  # cannot be pickled
    assert baskets.counts.sum() == len(baskets.codes)
    there = pickle.loads(pickle.dumps(baskets))
    assert vars(there).keys() == {"labels", "codes", "starts", "columns", "groups", "notes", "weights", "weighted_by"}
    assert (named(there), there.groups) == (named(baskets), baskets.groups)


@given(st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=6), min_size=1, max_size=20))
def test_collect_is_the_set_of_each_person(rows):
    pairs = [(i, "abcdefgh".index(item)) for i, row in enumerate(rows) for item in row]
    people, items = zip(*pairs, strict=True) if pairs else ((), ())
    baskets = collect(people, items, len(rows), "abcdefgh")
    assert named(baskets) == [sorted(set(row)) for row in rows]
    assert baskets.people.tolist() == [i for i, row in enumerate(rows) for _ in set(row)]
    assert baskets.codes.dtype == np.int32
    assert baskets.starts.dtype == np.int64


@given(st.lists(st.lists(st.integers(0, 4), max_size=6), min_size=1, max_size=8), st.integers(1, 9))
def test_people_are_read_a_block_at_a_time(rows, block):
    """One person may have more items than a block has."""
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    codes = np.array([code for row in rows for code in row], np.int32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(baskets_, "BLOCK", block)
        held = baskets_.of_lists(codes, starts, tuple("abcde"))
    assert [sorted(own) for own in held.lists()] == [sorted({*row}) for row in rows]
    assert held.n == len(rows)


def test_a_hundred_thousand_items():
    items = np.arange(100_000)
    text = "user,item\n" + "\n".join(f"{i % 500},thing {i}\n{i % 500},thing 1" for i in items)
    baskets = read(text).baskets("item by user")
    assert baskets.k == 100_000
    assert baskets.labels[:3] == ("thing 0", "thing 1", "thing 2")
    with pytest.raises(DataError, match=r"The baskets hold 200.001 different items. At most 200.000 can be used"):
        collect([0], [0], 1, [str(i) for i in range(MAX_ITEMS + 1)])


def book() -> bytes:
    out = io.BytesIO()
    made = openpyxl.Workbook()
    made.worksheets[0].append(["tea", "milk"])
    made.save(out)
    return out.getvalue()


REFUSED = {
    "one item": ("who,what\n1,tea\n2,tea\n1,tea\n", {"user": "who", "item": "what"}, "hold a single item, “tea”"),
    "no person": ("a,b\n1,2\n1,3\n", {"layout": "pairs"}, "Whose items these are is not known"),
    "no answer": (LONG, {"layout": "answers", "user": "customer"}, "Which column holds what is not known"),
    "no such answer": (LONG, {"layout": "answers", "user": "customer", "item": "x", "answer": "y"}, "no column “x”"),
    "nothing beside": ("q\nage\nsex\n", {"layout": "transposed"}, "Nothing stands beside the questions"),
    "no such column": (LONG, {"user": "customer", "item": "thing"}, "There is no column “thing”"),
    "the same column": (LONG, {"user": "customer", "item": "customer"}, "cannot be both the person and the item"),
    "no yes and no": (LONG, {"layout": "one-hot"}, "These columns are no items"),
    "no baskets": ("only\nrome\noslo\nrome\n", {}, "Nothing in it looks like several items per person"),
    "nothing separates": ("tea\nmilk\n", {"layout": "baskets"}, "cannot be cut into baskets"),
    "nothing in it": (",,\n,,\n", {"layout": "baskets", "separator": ","}, "No line holds an item"),
    "a workbook": (book(), {"layout": "baskets"}, "has no lines to read as baskets"),
    "no layout": (LONG, {"layout": "sideways"}, "“sideways” is no way to read a file"),
}  # fmt: skip


@pytest.mark.parametrize(("content", "options", "message"), REFUSED.values(), ids=REFUSED)
def test_refusals(content, options, message):
    def baskets():
        table = read(content, **options)
        return [table.baskets(name) for name in table.sets or ["items"]]

    with pytest.raises(DataError, match=message):
        baskets()


def test_nobody():
    with pytest.raises(DataError, match="There are no baskets"):
        collect([], [], 0, "ab")


def test_unknown_baskets_are_named():
    with pytest.raises(DataError, match=r"has no baskets called “wishes”\. It has “items”"):
        read(LINES).baskets("wishes")


# --- simulated ---


def test_a_reservoir_is_a_uniform_subset():
    """χ² at 1e-6 over all 20 subsets of 3 among 6; 20 000 draws would show a 5 % error of one of them at 8 %."""
    held = reservoir(100_000, 6, 3, stream(1))
    seen = np.bincount((1 << held).sum(axis=1), minlength=64)
    possible = [mask for mask in range(64) if mask.bit_count() == 3]
    assert seen[possible].sum() == 100_000
    assert fits(seen[possible], np.full(20, 1 / 20))


def test_popular_items_are_drawn_as_often_as_they_should():
    """Two of three items, weights 3^-1, 2^-1, 1: the first and then the second of those left, summed over both orders.
    100 000 sets: each share within 5 standard errors (a false alarm in 10^6).
    """
    weights = np.array([1 / 3, 1 / 2, 1.0])
    chances = weights / weights.sum()
    in_set = np.zeros(3)
    for first, second in itertools.permutations(range(3), 2):
        pair = chances[first] * weights[second] / (weights.sum() - weights[first])
        in_set[[first, second]] += pair
    baskets = simulated(100_000, 3, 2, stream(3), popularity=1)
    assert np.all(baskets.lengths == 2)
    assert np.abs(baskets.counts / 100_000 - in_set).max() < 5 * np.sqrt(0.25 / 100_000)
    even = simulated(100_000, 5, 2, stream(4), popularity=1e-9)
    assert np.abs(even.counts / 100_000 - 2 / 5).max() < 5 * np.sqrt(0.25 / 100_000)
    with pytest.raises(ValueError, match="needs at least 4 of them"):
        simulated(3, 3, 4, stream(3), popularity=1)


def test_a_reservoir_reaches_far_and_takes_all():
    held = reservoir(20_000, 1024, 8, stream(2))
    assert np.all(np.diff(held, axis=1) > 0)
    counts = np.bincount(held.ravel(), minlength=1024)
    assert fits(counts, np.full(1024, 1 / 1024))
    assert reservoir(3, 4, 4, stream(3)).tolist() == [[0, 1, 2, 3]] * 3
    baskets = simulated(10, 20, 3, stream(4))
    assert (baskets.n, baskets.k, baskets.labels[0]) == (10, 20, "item 1")
    with pytest.raises(ValueError, match="a set of m = 5 different items needs at least 5 of them, got k = 4"):
        reservoir(3, 4, 5, stream(3))


def test_a_long_frame_of_any_type():
    frame = pd.DataFrame({"user_id": [1, 1, 2, 2, 3, 3], "movie_id": [10, 20, 10, 30, 20, 30], "rating": [1.0] * 6})
    out = io.BytesIO()
    frame.to_parquet(out)
    baskets = read(out.getvalue(), "x.parquet").baskets("movie_id by user_id")
    assert named(baskets) == [["10", "20"], ["10", "30"], ["20", "30"]]
