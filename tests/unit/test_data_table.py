"""Histograms, missing answers, numbers, profiles and labels."""

import json

import numpy as np
import pytest

from ldpcore.data import MISSING_LABEL, DataError, labels, read

PEOPLE = b"""age,mood,town
30,good,Rome
41,?,Oslo
52,bad,
63,good,Rome
74,?,?
85,awful,Oslo
"""


@pytest.fixture(scope="module")
def table():
    return read(PEOPLE, "people.csv")


def refused(call, *arguments, **options) -> DataError:
    with pytest.raises(DataError) as caught:
        call(*arguments, **options)
    return caught.value


@pytest.mark.parametrize(
    ("missing", "counts", "dropped"),
    [("any", [1, 0, 2], 3), ("column", [1, 1, 2], 2), ("category", [1, 1, 2, 2], 0)],
)
def test_missing_answers_of_a_category(table, missing, counts, dropped):
    histogram = table.categorical("mood", missing)
    assert histogram.domain.labels[:3] == ("awful", "bad", "good")
    assert (histogram.domain.labels[-1] == MISSING_LABEL) == (missing == "category")
    assert histogram.counts.tolist() == counts
    assert histogram.dropped == dropped
    assert histogram.n == sum(counts)
    assert histogram.clipped == 0
    assert histogram.counts.dtype == np.int64


def test_nothing_missing_adds_no_category(table):
    assert table.categorical("age", "category").domain.k == 6


def test_a_value_called_missing_stays_apart():
    table = read(b"x,y\n(missing),1\n?,2\nb,3\n(missing),4\n", "a.csv")
    assert table.categorical("x", "category").domain.labels == (MISSING_LABEL, "b", MISSING_LABEL + "*")


def test_bins_count_the_clipped(table):
    histogram = table.binned("age", 40, 80, 2, "column")
    assert histogram.domain.labels == ("40 to 60", "60 to 80")
    assert histogram.counts.tolist() == [3, 3]
    assert histogram.clipped == 2
    some = read(b"x,y\n1,u\n?,v\n3,w\n", "a.csv").binned("x", 0, 4, 2, "category")
    assert some.counts.tolist() == [1, 1, 1]
    assert some.domain.labels[-1] == MISSING_LABEL


def test_numbers_leave_out_the_incomplete(table):
    assert table.numbers("age", "column").tolist() == [30, 41, 52, 63, 74, 85]
    assert table.numbers("age", "any").tolist() == [30, 63, 85]


def test_refusals(table):
    assert "has no column “height”" in refused(table.categorical, "height").sentence
    assert "age, mood, town" in refused(table.numbers, "height").why
    assert "no way to treat missing" in refused(table.categorical, "mood", "drop").sentence
    assert "holds text, not numbers" in refused(table.numbers, "mood").sentence
    assert "holds text, not numbers" in refused(table.binned, "mood", 0, 1, 2).sentence
    assert "low < high" in refused(table.binned, "age", 9, 3, 2).why
    assert "number of bins" in refused(table.binned, "age", 0, 9, 1).why
    assert "number of bins" in refused(table.binned, "age", 0, 9, 2.5).why


def test_a_single_value():
    table = read(b"a,b\nx,1\nx,2\nx,3\n", "a.csv")
    assert "single value, “x”" in refused(table.categorical, "a").sentence
    assert table.profile()[0].role == "constant"


def test_nobody_left():
    table = read(b"a,b\nx,?\n?,1\ny,?\n", "a.csv")
    assert "Nobody is left in “a”" in refused(table.categorical, "a", "any").sentence
    assert "Nobody is left in “b”" in refused(table.numbers, "b", "any").sentence
    assert table.categorical("a", "column").n == 2


def test_too_many_values():
    rows = "".join(f"u{i},{i / 7}\n" for i in range(1200))
    table = read(f"id,x\n{rows}".encode(), "a.csv")
    assert "1\u2009200 different values and looks like an identifier" in refused(table.categorical, "id").sentence
    assert "bins" in refused(table.categorical, "x").why


def test_ten_to_the_five_distinct_values():
    table = read(("id,x\n" + "".join(f"u{i},{i % 3}\n" for i in range(100_000))).encode(), "a.csv")
    assert "100\u2009000" in refused(table.categorical, "id").sentence
    assert table.categorical("x").n == 100_000


def test_the_profile_is_computed_once(table):
    assert table.profile() is table.profile()
    age, mood, town = table.profile()
    assert (age.role, age.numeric, age.low, age.high) == ("category", True, 30, 85)
    assert (mood.role, mood.distinct, mood.missing, mood.examples[0]) == ("category", 3, 2, "good")
    assert town.low is None
    assert not town.numeric


def test_roles():
    rows = "".join(f"{i},{20 + i % 60},{i % 3},{i / 8},name{i},k\n" for i in range(100))
    table = read(f"id,age,grade,x,name,c\n{rows}".encode(), "a.csv")
    assert [c.role for c in table.profile()] == ["identifier", "number", "category", "number", "identifier", "constant"]


@pytest.mark.parametrize(("different", "role"), [(1000, "category"), (1001, "identifier")])
def test_a_column_of_too_many_different_texts_to_count_names_people(different, role):
    """Each twice, so that none is anybody's own."""
    rows = "".join(f"town {i}\n" for i in range(different)) * 2
    assert read(f"town\n{rows}".encode(), "a.csv").profile()[0].role == role


CODES = b"SEX,EDU,AGE,x\n1,N,30,u\n2,10,41,v\n1,2,52,w\n2,11,52,w\n"


def test_labels_replace_codes_in_the_order_of_the_dictionary():
    table = read(CODES, "acs.csv")
    document = {
        "SEX": {"description": "sex", "values": {"2": "Female", "1": "Male"}},
        "EDU": {"values": {"N": "too young", "2": "school", "10": "same", "11": "same"}},
        "AGE": {"description": "age", "values": {"min": 0, "max": 99}},
        "INDP": {"description": "industry", "link": "https://example.org"},
    }
    dictionary = labels(json.dumps(document).encode())
    assert list(dictionary) == ["SEX", "EDU"]
    labelled = table.with_labels(dictionary)
    assert labelled.categorical("SEX").domain.labels == ("Female", "Male")
    assert labelled.categorical("EDU").domain.labels == ("too young", "school", "same (10)", "same (11)")
    assert labelled.orders["SEX"] == ("Female", "Male")
    assert "2 columns: SEX, EDU" in labelled.notes[-1]
    assert labelled.digest != table.digest
    assert labelled.digest == table.with_labels(dictionary).digest
    assert table.categorical("SEX").domain.labels == ("1", "2")


def test_codes_without_a_label_stay_and_come_last():
    labelled = read(CODES, "acs.csv").with_labels(labels(b'{"SEX": {"2": "Female"}}'))
    assert labelled.categorical("SEX").domain.labels == ("Female", "1")


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"a,b", "not JSON"), (b"\xff\xfe", "not JSON"), (b"[1]", "not an object"), (b'{"a": 3}', "entry “a”"),
     (b'{"a": {"values": {"1": {"b": 2}}}}', "entry “a”")],
)  # fmt: skip
def test_no_dictionary(content, words):
    assert words in refused(labels, content).why


def test_a_dictionary_of_another_table():
    error = refused(read(CODES, "acs.csv").with_labels, {"RACE": {"1": "a"}})
    assert "fits no column" in error.sentence
    assert "RACE" in error.why
