"""Where recognition draws its lines: transactions or table, pairs or not, from files just on either side."""

import pandas as pd
import pytest

from ldpcore.data import layout, set_sources, transactions
from ldpcore.data import pairs as long_pairs
from ldpcore.data.options import ReadOptions

NONE = ReadOptions()


def text(*rows, separator=","):
    return "\n".join(separator.join(row) for row in rows).encode()


def wandering(lengths):
    """Lines of these lengths; each begins one letter further on, so every item turns up at every place."""
    return [["abcdefgh"[(start + place) % 8] for place in range(length)] for start, length in enumerate(lengths)]


def held(found):
    return [{found.labels[code] for code in basket} for basket in found.lists()]


# --- transactions or a table ---


@pytest.mark.parametrize(("regular", "found"), [(16, ","), (17, None)])
def test_four_lines_in_five_of_one_length_are_still_transactions(regular, found):
    """16 of 20 lines are 80 %; with one more it is a table."""
    content = text(*wandering([3] * regular + [4, 2, 5, 6][: 20 - regular]))
    assert transactions.looks_like(content, NONE) == found


@pytest.mark.parametrize(("lines", "found"), [(5, ","), (4, None)])
def test_five_lines_are_enough(lines, found):
    assert transactions.looks_like(text(*wandering([3, 4, 2, 5, 3][:lines])), NONE) == found


@pytest.mark.parametrize(("single", "found"), [(5, ","), (6, None)])
def test_lines_have_one_and_a_half_items_on_average_at_least(single, found):
    """Ten lines of 1 and 2 items: five and five are 1.5 on average."""
    content = text(*wandering([1] * single + [2] * (10 - single)))
    assert transactions.looks_like(content, NONE) == found


@pytest.mark.parametrize(("gaps", "found"), [(1, ","), (2, None)])
def test_an_empty_field_between_items_is_a_table_s_but_for_two_in_a_hundred(gaps, found):
    rows = wandering([2, 3, 4, 5] * 15)[:60]
    for row in rows[1 : 1 + gaps]:
        row.insert(1, "")
    assert transactions.looks_like(text(*rows), NONE) == found  # 1 of 60 is below 2 %, 2 of 60 are not
    for mark in ("", "NULL"):  # what is empty at the end is no gap
        padded = [[*row, *[mark] * (6 - len(row))] for row in rows]
        assert transactions.looks_like(text(*padded), NONE) == found


def test_items_turn_up_at_any_place_and_a_column_s_words_do_not():
    """Half of what occurs twice must wander; here two words stay, and two or one wander."""
    stays = [["red", "tall"], ["red", "tall", "x1"], ["red", "tall"], ["red", "tall", "x2", "x3"]]
    two = [["a", "b"], ["b", "a"]]
    one = [["a", "y1"], ["y2", "a", "y3"]]
    assert transactions.looks_like(text(*stays, *two), NONE) == ","
    assert transactions.looks_like(text(*stays, *one), NONE) is None


@pytest.mark.parametrize(("whole", "found"), [(18, ","), (19, None)])
def test_another_separator_that_cuts_nearly_all_lines_alike_makes_a_table(whole, found):
    """19 of 20 lines with one semicolon are 95 %; every line must have it more often than it is missing."""
    rows = [",".join(row) for row in wandering([2, 3, 4, 5] * 5)]
    content = "\n".join(row + (";x" if i < whole else "") for i, row in enumerate(rows)).encode()
    assert transactions.looks_like(content, NONE) == found


def test_the_separator_with_more_items_wins_and_a_given_one_is_obeyed():
    rows = wandering([2, 3, 4, 5] * 3)
    content = text(*rows, separator=" | ").replace(b"a", b"a,z")
    assert transactions.looks_like(content, NONE) == "|"
    assert transactions.looks_like(content, ReadOptions(separator=";")) is None


@pytest.mark.parametrize(("several", "separator"), [(1, None), (2, ",")])
def test_where_it_is_asked_for_the_commonest_separator_does(several, separator):
    """One line of twenty with a second item makes 1.05 on average; that is not yet a separator."""
    content = "\n".join(["milk"] * (20 - several) + ["milk,bread"] * several).encode()
    if separator:
        assert transactions.separator_of(content, "x.txt", NONE) == separator
    else:
        with pytest.raises(ValueError, match="No comma, semicolon, tab, bar or blank separates several items"):
            transactions.separator_of(content, "x.txt", NONE)


@pytest.mark.parametrize("block", [1, 7, 1 << 22])
def test_blocks_of_lines_change_nothing(block, monkeypatch):
    monkeypatch.setattr(transactions, "BLOCK_BYTES", block)
    content = b'a, b ,"c\nd"\nb\n\n"e,f",a,,\nc  d,x'
    found, notes = transactions.read(content, "x.txt", ",", ReadOptions(header=False), 1 << 20)
    assert held(found) == [{"a", "b", "c d"}, {"b"}, set(), {"e,f", "a"}, {"c d", "x"}]
    assert len(notes) == 1
    assert notes[0].startswith("Every line was read as one basket, its items separated by a comma.")


@pytest.mark.parametrize(("content", "lead"), [
    (b"2 7 9\n3 1 2 4\n1 5\n", True), (b"2 7 9\n1 5\n2 1 2\n", True),
    (b"2 7 9\n3 1 2 4\n2 5\n", False), (b"1 7\n1 9\n1 8\n", False),
])  # fmt: skip
def test_first_fields_that_count_the_others_are_left_out(content, lead):
    """All of them must, and on some line there must be more than one item to count."""
    found, notes = transactions.read(content, "x.dat", " ", ReadOptions(header=False), 1 << 20)
    rows = [set(line.split()[lead:]) for line in content.decode().splitlines()]
    assert held(found) == rows
    assert ("The first field of every line counts its items, and was left out." in notes) == lead


def test_a_first_line_of_names_is_no_basket():
    rows = b"apples,pears\nmilk,bread\nbread\nmilk,tea,bread"
    assert len(transactions.read(rows, "x", ",", NONE, 1 << 20)[0].lists()) == 3
    assert len(transactions.read(rows.replace(b"pears", b"milk"), "x", ",", NONE, 1 << 20)[0].lists()) == 4
    assert len(transactions.read(b"7,8\n1,2\n1\n2,1,3", "x", ",", NONE, 1 << 20)[0].lists()) == 4


# --- a row for every item of a person ---


def pairs(rows, **columns):
    return pd.DataFrame({name: pd.Series(values[:rows], dtype="category") for name, values in columns.items()})


@pytest.mark.parametrize(("rows", "found"), [(12, True), (11, False)])
def test_persons_and_items_come_back(rows, found):
    """Twelve rows of ten persons are 1.2 for each; of eleven rows and ten persons nothing is proposed."""
    frame = pairs(rows, user_id=[*map(str, range(10)), "0", "1"], product=["a", "b"] * 6)
    assert (long_pairs.recognised(frame) == set_sources.Pairs("user_id", "product")) == found


def test_the_nearest_word_for_a_person_is_the_person():
    frame = pairs(12, order=["1", "2", "3"] * 4, customer=["x", "y"] * 6, item=["a", "b", "c", "d"] * 3)
    assert long_pairs.recognised(frame) == set_sources.Pairs("customer", "item")
    assert long_pairs.recognised(frame.drop(columns="customer")) == set_sources.Pairs("order", "item")
    assert long_pairs.recognised(frame.assign(item="a").astype("category")) is None  # one item alone is no list


@pytest.mark.parametrize(("odd", "found"), [(1, "genre"), (2, None)])
def test_a_category_says_the_same_of_an_item_in_nine_rows_of_ten(odd, found):
    genre = ["drama", "drama", "comedy", "comedy"] * 3
    for place in range(odd):
        genre[5 * place] = "horror"  # of another item each
    frame = pairs(12, user=["x", "y", "z"] * 4, film=["a", "b", "c", "d"] * 3, genre=genre)
    assert long_pairs.recognised(frame) == set_sources.Pairs("user", "film", found)


@pytest.mark.parametrize(("columns", "others", "found"), [(5, 0, True), (5, 1, True), (5, 2, False), (4, 0, False)])
def test_five_columns_of_yes_and_no_and_at_most_one_other_are_a_basket(columns, others, found):
    answers = {f"item{i}": ["0", "1", "1", "0"] for i in range(columns)}
    rest = {f"town{i}": ["u", "v", "w", "u"] for i in range(others)}
    frame = pairs(4, **answers, **rest)
    sets = layout.recognise(frame, tuple(frame.columns), NONE)
    assert (sets.get(set_sources.ITEMS) == set_sources.OneHot(tuple(answers))) == found
    assert (set_sources.ALL_COLUMNS in sets) != found


@pytest.mark.parametrize("values", [["yes", "no", "2"], ["0", "1", "maybe"], ["0", "no", "1"]])
def test_a_third_answer_is_no_yes_or_no(values):
    assert layout.one_hot_columns(pairs(3, good=["1", "0", "1"], bad=values)) == ("good",)
