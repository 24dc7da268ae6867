"""How numbers are written."""

import math

import numpy as np
import pytest

from ldpapp import words
from tests.each import for_each

THIN, SHARE = words.THIN, "\u00a0%"


@for_each(
    ("error", "text"),
    [
        (0.00371, "±0.37"),
        (0.0099, "±0.99"),
        (0.0138, "±1.38"),
        (0.0999, "±9.99"),
        (0.09996, "±10.0"),
        (0.1234, "±12.3"),
        (0.9996, "±100"),
        (12.34, f"±1{THIN}234"),
        (0.00002, "<0.01"),
        (0.00005, "±0.01"),
        (-0.00371, "±0.37"),
        (0.0, "±0"),
        (math.inf, "without bound"),
    ],
)
def test_errors_are_points_with_two_digits_below_ten_and_one_below_hundred(error, text):
    assert words.points(error) == text


@pytest.mark.parametrize(
    ("fraction", "text"),
    [(0.0368, "3.7"), (0.322, "32.2"), (0.0, "0"), (1.0, "100"), (0.0001, "<0.1"), (-0.012, "−1.2"), (0.0005, "0.1")],
)
def test_shares_are_percent(fraction, text):
    assert words.share(fraction) == text + SHARE


@for_each(
    ("probability", "text"),
    [
        (0.373, "37 of 100"),
        (0.125, "13 of 100"),
        (0.0769, "1 in 13"),
        (1 / 1024, f"1 in 1{THIN}000"),
        (0.004, "1 in 250"),
        (0.0, "0 of 100"),
        (1.0, "100 of 100"),
        (0.9999, "more than 99 of 100"),
    ],
)
def test_chances_are_of_100_and_small_ones_one_in(probability, text):
    assert words.chance(probability) == text


def test_one_in_and_of_100_on_their_own():
    assert words.one_in(0.125) == "1 in 8"
    assert words.one_in(0.25) == "1 in 4"
    assert words.one_in(0) == "never"
    assert words.of_100(0.003) == "<1"
    assert words.chance_of_100(0.003) == "fewer than 1 of 100"


@for_each(
    ("number", "text"),
    [
        (2.68, "2.7 times"),
        (1.0, "1.0 times"),
        (12.6, "13 times"),
        (9.96, "10 times"),
        (428, "430 times"),
        (12345, f"12{THIN}000 times"),
        (0.41, "0.41 times"),
        (math.inf, "without bound"),
    ],
)
def test_ratios(number, text):
    assert words.times(number) == text


def test_thousands_minus_signs_and_epsilon():
    assert words.count(32561) == f"32{THIN}561"
    assert words.count(-1500) == f"−1{THIN}500"
    assert words.decimals(-0.371) == "−0.37"
    assert words.decimals(0.001) == "<0.01"
    assert [words.signed(v) for v in (1, -2, 0.5, 0)] == ["+1", "−2", "+0.5", "0"]
    assert [words.epsilon(v) for v in (1.0, 0.35, 2.5, 40, 0.00001)] == ["1", "0.35", "2.5", "40", "0.00001"]


def test_scientific_notation_is_for_squared_errors():
    assert words.scientific(3.2e-6) == "3.2×10⁻⁶"
    assert words.scientific(1e-6) == "10⁻⁶"
    assert words.scientific(0) == "0"


def test_lists_numbers_as_words_and_plurals():
    assert [words.listing("abc"[:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert words.cardinal(4, start=True) == "Four"
    assert words.cardinal(12, start=True) == "Twelve"
    assert words.cardinal(13, start=True) == "13"
    assert words.cardinal(4) == "4"
    assert words.plural(1, "value") == "1 value"
    assert words.plural(4, "value", start=True) == "Four values"
    assert words.plural(2, "category", "categories") == "2 categories"
    assert words.shorten("Some-college", 6) == "Some-…"
    assert words.shorten("9th", 6) == "9th"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "1 second"),
        (4.4, "4 seconds"),
        (37, "40 seconds"),
        (94, "90 seconds"),
        (95, "2 minutes"),
        (400, "7 minutes"),
    ],
)
def test_a_wait_is_a_rough_number(seconds, text):
    assert words.duration(seconds) == text


def test_certainty_is_never_claimed_by_rounding():
    assert words.percent(1 / (1 + 2e-9)) == "more than 99\u00a0%"
    assert words.percent(np.e / (1 + np.e), most=True) == "73.2\u00a0%", "0.73106: never below, and near it"
    assert words.percent(0.75, most=True) == "75\u00a0%"
    assert words.percent(0.989, most=True) == "98.9\u00a0%"
    assert words.percent(0.9999, most=True) == "more than 99\u00a0%"
    assert words.percent(0.001) == "less than 1\u00a0%"
    assert words.percent(1.0) == "100\u00a0%"
    assert words.tries(0.9999) == "more than 99 of 100"


def test_tiny_differences_are_written_out():
    assert words.signed(-5e-5) == "−0.00005"


@pytest.mark.parametrize("text", ["At ε = 1, ", "ε = 1:", "s = 0.2", "ε = 1\u202f124", "F = 0.49"])
def test_settings_stay_on_one_line(text):
    assert words.unbroken(f"so: {text}<b>it</b>") == f'so: <span class="nowrap">{text}</span><b>it</b>'
    assert words.unbroken('<b style="x">race = White</b>') == '<b style="x">race = White</b>'


@pytest.mark.parametrize(
    ("file", "called"),
    [("ward_2026.csv", "ward 2026"), ("Health survey", "Health survey"), ("a.b.parquet", "a.b"), ("v1.5", "v1.5")],
)
def test_what_nobody_has_named_is_called_as_its_file(file: str, called: str) -> None:
    assert words.untitled(file) == called
