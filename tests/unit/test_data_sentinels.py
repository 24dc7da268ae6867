"""Values that stand for no answer: found where nothing else explains them, and declared missing by a person only."""

import numpy as np
import pytest

from ldpcore.data import BUNDLED, DataError, load, read
from ldpcore.data.sentinels import far
from ldpcore.study import Marks, Source, Study, from_toml, run, to_toml
from tests import real
from tests.each import for_each

AGES = [*range(18, 90)] * 3


def table(**columns):
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    return read("\n".join(lines).encode(), "people.csv")


@for_each(
    ("numbers", "found"),
    [
        ([*AGES, 999, 999], [999]),
        ([*AGES, -99, -99], [-99]),
        ([*AGES, 777, 777, 888, 888, 999, 999], [777, 888, 999]),
        ([*range(0, 2_000_000, 1000), -99999, -99999], [-99999]),
        ([1, 2, 2, 1, 99, 99], [99]),
        ([160.5, 171, 182.25, 999, 999], [999]),
        ([*range(99), 99, 99], []),  # ages
        ([*range(18, 61), 99, 99], []),  # somebody's grandmother, and her friend
        ([*AGES, 999], []),  # once is a slip of the pen
        ([*AGES, 1000, 1000], []),  # no code
        ([*range(60_000), 99_999, 99_999], []),  # incomes
        ([99, 99, 100, 100, 101, 101], []),
        ([-1, 0, 1, -1, 0, 1], []),
        ([99, 99, 99], []),
        ([], []),
    ],
)
def test_numbers_that_are_none(numbers, found):
    assert [value for value, _ in far(np.array(numbers, float))] == found


def test_words_that_are_none():
    made = table(state=["Unknown", "NY", "TX"] * 9, age=["unknown", 3, 4] * 9, plan=["none", "refused", "N"] * 9)
    assert [(each.column, each.value, each.rows, each.far) for each in made.sentinels()] == [
        ("state", "Unknown", 9, False),
        ("age", "unknown", 9, False),
        ("plan", "refused", 9, False),
    ]


def test_codes_among_words():
    made = table(
        illness=["asthma", "none", "-99"] * 9, group=["18-24", "25+", "99"] * 9, other=["a", "b", "2"] * 9,
        size=["-1", "0", "1"] * 9, once=["a", "b", *"a" * 24, "-9"],
    )  # fmt: skip
    assert [(each.column, each.value, each.far) for each in made.sentinels()] == [
        ("illness", "-99", False),
        ("group", "99", False),
    ]


@pytest.mark.parametrize("name", BUNDLED)
def test_no_false_alarm_on_bundled_data(name):
    assert load(name).sentinels() == ()


@pytest.mark.parametrize(
    "name",
    ["acs2019-nist.csv.gz", "adult.data.gz", "socr-heights-weights.csv.gz", "online_retail.parquet", "retail.dat.gz"],
)
def test_no_false_alarm_on_public_data(name):
    assert real.opened(name).sentinels() == ()


def test_declared_missing_is_as_if_the_cells_were_empty():
    city, grade = ["Rome", "Oslo"] * 109, [1, 2] * 108
    told = table(age=[*AGES, 999, 999], city=city, grade=[99, 99, *grade])
    told = told.with_missing({"age": ["999"], "grade": ["99"]})
    empty = table(age=[*AGES, "", ""], city=city, grade=["", "", *grade])
    assert told.frame.equals(empty.frame)
    assert told.profile() == empty.profile()
    assert told.baskets("all columns").counts.tolist() == empty.baskets("all columns").counts.tolist()
    assert told.sentinels() == ()
    assert told.numbers("age", "column").max() == 89


def test_of_many_numbers_and_words_too():
    """More values than a category has: kept as numbers, or as text."""
    plain, words = list(range(2000)), [*range(1999), "unknown"]
    made = table(a=[*plain, -99999, -99999], b=[*words, 7, 7])
    told = made.with_missing({"a": ["-99999"], "b": ["unknown"]})
    assert told.numbers("a", "column").min() == 0
    assert np.isnan(told.frame["a"]).sum() == 2
    assert told.frame["b"].notna().sum() == 2001
    assert told.numbers("b", "column").size == 2001


def test_it_can_be_taken_back():
    made = table(age=[*AGES, 999, 999], sex=["f", "m"] * 109)
    told = made.with_missing({"age": ["999"]})
    assert told.with_missing({}) is made
    assert told.with_missing({"age": ["999"]}) is told
    again = told.with_missing({"age": ["18"]})
    assert again.missing == {"age": ("18",)}, "it is said anew, not added"
    assert len({made.digest, told.digest, again.digest}) == 3


def test_labels_come_after():
    made = table(sex=[1, 2, 99, 99] * 9, city=["Rome", "Oslo"] * 18).with_missing({"sex": ["99"]})
    told = made.with_labels({"sex": {"1": "male", "2": "female", "99": "refused"}})
    assert told.categorical("sex", "column").domain.labels == ("male", "female")
    assert told.missing == {"sex": ("refused",)}
    assert told.with_missing({}).categorical("sex").domain.labels == ("male", "female", "refused")


@pytest.mark.parametrize(("column", "value"), [("age", "1000"), ("height", "999"), ("age", "nobody")])
def test_only_what_is_there_can_be_declared(column, value):
    with pytest.raises(DataError, match=value if column == "age" else column):
        table(age=[*AGES, 999]).with_missing({column: [value]})


def test_a_study_file_says_it_and_runs_on_the_file_as_it_is():
    made = table(age=[1, 2, 3, 999, 999] * 9, sex=["f", "m", "f"] * 15)
    told = made.with_missing({"age": ["999"]})
    marks = Marks.of(["f"])
    study = Study(Source.of(told), "sex", marks, ("uSS",), missing="any", grid=(), repetitions=2)
    read_back = from_toml(to_toml(study))
    assert read_back == study
    assert run(read_back, made).equals(run(study, told))
    other = Study(Source(made.name, made.digest), "sex", marks, ("uSS",), missing="any", grid=(), repetitions=2)
    assert not run(other, made).equals(run(study, told))
    with pytest.raises(ValueError, match="digest"):
        run(other, told)


def test_what_another_answer_is_the_opposite_of_is_an_answer():
    """Who did not report an injury has answered; where nobody reports anything it may be a gap."""
    both = table(injury=["no"] * 20 + ["reported"] * 9 + ["Not reported"] * 5, sex=["f", "m"] * 17)
    alone = table(injury=["no"] * 20 + ["a cut"] * 9 + ["Not reported"] * 5, sex=["f", "m"] * 17)
    assert [each.value for each in both.sentinels()] == []
    assert [each.value for each in alone.sentinels()] == ["Not reported"]
