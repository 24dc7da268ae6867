"""What holds for every file: nothing is assumed without a word, and hardly anything where nothing is."""

import pytest

from ldpcore.data import BUNDLED, DataError, ReadOptions, Table, load, read
from ldpcore.data.options import CHOICES
from ldpcore.data.recognisers import decided
from tests.cases import clean
from tests.cases.test_cases import of_each_kind
from tests.real import need

OFF = {
    "lines": "keep", "spelling": "apart", "blank": "missing", "numbers": "strict", "first": "item", "escape": "",
    "format": "table", "merged": "empty", "described": 0,
}  # fmt: skip
"""What leaves out a step of the reader. Its other options say how, not whether."""


def numbers_of(table: Table) -> tuple:
    """All that a result can come from: people, histograms, means, items."""
    frame = table.frame
    held = [(name, str(frame[name].tolist()), str(table.values(name))) for name in frame.columns]
    sets = [(name, table.baskets(name).labels, table.baskets(name).counts.tolist()) for name in table.sets]
    return len(frame), held, sets


def measured(content: bytes, file: str, options: ReadOptions) -> tuple[Table, tuple] | None:
    try:
        table = read(content, file, options)
        return table, numbers_of(table)
    except DataError:  # it is refused in a sentence, which is no silent number
        return None


@pytest.mark.parametrize("case", of_each_kind(30), ids=str)  # one of each
def test_no_step_changes_a_number_without_a_word(case):
    """Where leaving a step out changes anything, the reading with the step said what it does."""
    first = measured(case.content, case.file, ReadOptions())
    assert first is not None
    said = {each.kind for each in first[0].assumptions}
    for name, value in OFF.items():
        other = measured(case.content, case.file, ReadOptions(**{name: value}))
        if other is not None and other[1] != first[1]:
            assert decided.OF_THE_FILE[name] in said, name


@pytest.mark.parametrize("place", [0, *(pytest.param(place, marks=pytest.mark.thorough) for place in (6, 12, 18, 24))])
def test_no_step_does_anything_to_a_clean_survey(place):
    first = measured(clean.surveys()[place], "clean.csv", ReadOptions())
    assert first is not None
    for name, value in OFF.items():
        other = measured(clean.surveys()[place], "clean.csv", ReadOptions(**{name: value}))
        assert other is not None
        assert other[1] == first[1], name


def test_every_option_decides_a_kind():
    fields = set(ReadOptions.__dataclass_fields__) - {"columns", "settled"}
    assert set(decided.OF_THE_FILE) == fields
    assert set(CHOICES) <= fields
    own = set(type(ReadOptions().of("x")).__dataclass_fields__)
    assert set(decided.OF_A_COLUMN) | {"role"} == own


def test_hardly_anything_is_asked_of_clean_surveys():
    """At most one file in ten; what is only said is no question, but may not be much either."""
    tables = [read(content, "clean.csv") for content in clean.surveys()]
    asked = [
        (i, each.key, each.sentence) for i, table in enumerate(tables) for each in table.assumptions if each.is_open
    ]
    assert len({i for i, *_ in asked}) <= 3, asked
    told = [(i, each.key) for i, table in enumerate(tables) for each in table.assumptions]
    assert len({i for i, _ in told}) <= 6, told


def test_what_is_asked_of_the_bundled_data():
    """99 999 dollars of gain, 7 people in the census, are where the published file was cut; nothing else."""
    found = {name: [each.key for each in load(name).assumptions if each.is_open] for name in BUNDLED}
    assert {name: keys for name, keys in found.items() if keys} == {"census": ["missing:capital-gain"]}


@pytest.mark.parametrize(
    ("file", "asked"),
    [
        ("groceries-dataset-long.csv.gz", {"layout:"}),
        ("acs2019-nist.csv.gz", {"weights:PWGTP", "weights:WGTP"}),
        ("adult.data.gz", {"missing:capital-gain", "weights:fnlwgt"}),
        ("socr-heights-weights.csv.gz", set()),
        ("groceries.csv.gz", set()),
        ("bms-webview-1.dat.gz", set()),
        ("chess.dat.gz", set()),
        ("mushroom.dat.gz", set()),
        ("groceries-items.csv", set()),
        ("anime-titles.csv.gz", {"missing:episodes", "cells:genre"}),
    ],
)
def test_what_is_asked_of_real_data(file, asked):
    table = read(need(file), file)
    assert {each.key for each in table.assumptions if each.is_open} == asked
    if file.startswith("groceries-dataset"):
        held = table.baskets(next(iter(table.sets)))
        assert (held.n, held.k) == (3898, 167)
