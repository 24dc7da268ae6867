"""Which columns can be asked for ranges without being told that they are ordered."""

import pytest

from ldpcore import data
from ldpcore.data import order
from ldpcore.study import ranges
from tests.each import for_each


@for_each("labels", [
    order.EDUCATION,
    order.EDUCATION[3:9],
    ["under 15 000", "15 000-34 999", "35\u202f000–49\u202f999", "50 000 or more"],
    ["0-9 years", "10-19 years", "20 years and over"],
    ["< 0.5", "0.5-1.5", "1.5+"],
    ["-10 to -5", "-5 to 0", "0 to 5"],
    ["1.000 - 1.999", "2.000 - 2.999"],
    ["<=50K", ">50K"],
])  # fmt: skip
def test_steps_of_a_scale_are_ordered(labels):
    assert order.plain(labels)


@for_each("labels", [
    [], ["1"], ["a", "b"], ["none", "asthma", "cancer"], ["no", "not asked", "yes"], ["1 male", "2 female"],
    ["Ward 1", "Ward 2"], ["2-4", "0", "1"], ["0", "1", "other"], ["12 Oak Street", "14 Elm Street"],
    tuple(reversed(order.EDUCATION)),
])  # fmt: skip
def test_names_and_codes_are_not(labels):
    assert not order.plain(labels)


def test_of_the_health_survey_numbers_and_intervals_are_offered():
    table = data.load("health")
    assert ranges.ordered(table) == ["age", "weight", "partners", "income"]
    assert set(ranges.ordered(table)) < set(ranges.columns(table))


@pytest.mark.parametrize(
    ("values", "offered"),
    [
        (["2024-01-05", "2023-12-31"], True),
        (["05/01/2024", "31/12/2023"], False),
        (["red", "green"], False),
        (["1", "2"], True),
        (["0-4", "5-9", ""], True),
    ],
)
def test_dates_need_an_order_of_time_and_missing_answers_do_not_matter(values, offered):
    rows = "x,y\n" + "\n".join(f"{value},{i % 2}" for i, value in enumerate(values * 9)) + "\n"
    table = data.read(rows.encode(), "t.csv")
    assert ("x" in ranges.ordered(table)) == offered
    assert ranges.default_column(table) == ("x" if offered else "y")
