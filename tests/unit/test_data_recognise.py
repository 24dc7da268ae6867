"""The separator and header recogniser against files written by the csv module."""

import csv
import io

import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from ldpcore.data import DataError, ReadOptions, columns, order, read, recognise

WORDS = st.text("abcdefgh XYZäß'", min_size=1, max_size=6).map(str.strip).filter(bool)
NUMBERS = st.integers(-999, 999).map(str)
CELLS = st.one_of(WORDS, NUMBERS)


@st.composite
def tables(draw, cell=CELLS):
    """Rows of at least two columns and two rows, every one of the same width."""
    width = draw(st.integers(2, 5))
    return draw(st.lists(st.lists(cell, min_size=width, max_size=width), min_size=2, max_size=12))


def written(rows, separator: str) -> bytes:
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator="\n").writerows(rows)
    return out.getvalue().encode()


@given(tables(), st.sampled_from(list(recognise.SEPARATORS)))
def test_the_separator_is_found(rows, separator):
    cut, _ = recognise.separate(written(rows, separator), "x.csv", None)
    assert cut.separator == separator
    assert [list(record) for record in cut.records] == rows


@given(st.lists(WORDS, min_size=2, max_size=2, unique=True), st.lists(NUMBERS, min_size=2, max_size=9))
def test_a_text_above_numbers_is_a_header(names, values):
    rows = [names, *[[value, value] for value in values]]
    assert recognise.has_header(rows)
    assert not recognise.has_header(rows[1:])


@given(tables(st.sampled_from(["yes", "no"])))
def test_values_that_recur_are_no_header(rows):
    recurring = sum(cell in [row[j] for row in rows[1:]] for j, cell in enumerate(rows[0]))
    assert recognise.has_header(rows) == (recurring == 0)


@settings(max_examples=60)
@given(tables(), st.sampled_from(list(recognise.SEPARATORS)), st.booleans())
def test_what_is_written_is_read(rows, separator, header):
    """Every cell comes back as its stripped text, whatever holds it."""
    names = [f"name {j}" for j in range(len(rows[0]))]
    content = written([names, *rows] if header else rows, separator)
    table = read(content, "x.csv", ReadOptions(separator=separator, header=header))
    assert table.frame.shape == (len(rows), len(names))
    assert table.frame.astype(object).to_numpy().tolist() == rows


@given(st.lists(st.text(max_size=5), min_size=1, max_size=8))
def test_tidy_names_are_there_and_differ(names):
    out, _ = recognise.tidy_names(names)
    assert len(set(out)) == len(names)
    assert all(out)


@given(st.lists(st.text(min_size=1, max_size=6), unique=True, max_size=20))
def test_natural_order_is_a_permutation(labels):
    assert sorted(order.natural(labels).tolist()) == list(range(len(labels)))


def test_numbers_are_ordered_by_size_and_equal_ones_by_their_text():
    labels = ["10", "2.0", "9", "02", "2"]
    sizes = np.array([float(label) for label in labels])
    assert [labels[i] for i in order.natural(labels, sizes)] == ["02", "2", "2.0", "9", "10"]
    beside = np.where(sizes == 9, np.nan, sizes)
    assert [labels[i] for i in order.natural(labels, beside)] == ["02", "2", "2.0", "10", "9"]


def test_natural_order():
    labels = ["grade 10", "Grade 2", "b", "10", "9", "a²"]
    assert [labels[i] for i in order.natural(labels)] == ["9", "10", "a²", "b", "Grade 2", "grade 10"]


@pytest.mark.parametrize(
    "labels",
    [
        ("under 18", "18-24", "25-34", "35-44", "45-54", "55-64", "65+"),
        ("< 10,000", "10,000 - 19,999", "20,000 - 49,999", "50,000 - 99,999", ">= 100,000"),
        ("Less than $500", "$500 to $1,000", "$1,000 to $2,000", "More than $2,000"),
        ("up to 1 h", "1 to 2 h", "over 2 h"),
        ("poniżej 1000 zł", "1000–1999 zł", "2000–4999 zł", "5000 zł i więcej"),
        ("under 18 år", "18-29 år", "30-64 år", "65 år och över"),
    ],
)
def test_open_intervals_stand_at_their_ends(labels):
    """So that a histogram rises with its column, and Ranges offers it."""
    assert [sorted(labels)[i] for i in order.natural(sorted(labels))] == list(labels)
    assert order.plain(labels)


def table_or_sentence(content: bytes) -> None:
    try:
        table = read(content, "x.csv")
    except DataError:
        return
    assert len(table.frame) >= 1
    assert len(table.profile()) == table.frame.shape[1]


@given(st.binary(max_size=200))
def test_any_bytes_give_a_table_or_a_sentence(content):
    table_or_sentence(content)


@given(st.text(st.sampled_from('ab1 ,;|\t\n\r"?.-%'), max_size=60))
def test_any_text_gives_a_table_or_a_sentence(content):
    table_or_sentence(content.encode())


def test_a_record_that_is_cut_in_the_middle_is_none():
    """Whether it is the second of the sample or a later one; the only one there is stays, cut as it is."""
    long = "x" * (recognise.SAMPLE_BYTES // 4 - 50)  # a field; the csv module takes none that is twice as long
    whole, cut = f"{long},{long},c", f"{long},{long}" + ",word" * 100
    only = ",".join([long] * 6)
    for lines, shape in (([whole, cut, whole], (1, 3)), (["a,b,c", whole, cut], (2, 3)), ([only], (1, 5))):
        found = recognise.sample("\n".join(lines).encode(), ",")
        assert (len(found.records), found.width) == shape


def test_columns_are_small():
    table = read(b"a,b\n" + b"yes,1\nno,2\n" * 50_000, "x.csv")
    assert table.frame.memory_usage(deep=True).sum() < 3 * 2 * 100_000
    assert isinstance(table.frame["a"].dtype, pd.CategoricalDtype)
    assert columns.MAX_VALUES == 1000
