"""Round ranges and cells, against a search through all round steps; numbers that are given out, from both sides."""

import numpy as np
import pytest

from ldpcore.data import profile
from ldpcore.rng import stream
from ldpcore.study import fitting, ranges
from tests.each import for_each

STEPS = [float(f"{factor}e{power}") for power in range(-8, 8) for factor in (1, 2, 2.5, 5)]
DRAWN = stream(1, "ends")
ENDS = [(0.0, 1.0), (0.0, 120.0), (17.0, 90.0), (-3.0, 3.0), (18.0, 98.0), (0.0, 12.0), (0.0, 12.1), (1.0, 1.001)]
ENDS += [
    (float(low), float(low + 10**size))
    for low, size in zip(DRAWN.normal(0, 50, 20), DRAWN.uniform(-1, 4, 20), strict=True)
]


@for_each(("low", "high"), ENDS)
def test_a_round_range_holds_the_data_in_the_least_round_step_of_twelve_or_fewer(low, high):
    first, last, bins = fitting.round_range(low, high)
    step = min(step for step in STEPS if (high - low) / step <= 12)
    assert (last - first) / bins == pytest.approx(step)
    assert first == pytest.approx(np.floor(low / step) * step)
    assert last == pytest.approx(np.ceil(high / step) * step)
    assert first <= low < high <= last


def test_a_range_of_one_number_has_bins_around_it():
    first, last, bins = fitting.round_range(7.0, 7.0)
    assert first <= 7.0 < last
    assert bins >= 2


@for_each(("low", "high"), ENDS)
@for_each("most", [2, 16, 64, 1000])
def test_cells_have_the_least_round_width_that_is_few_enough(low, high, most):
    begin, end, count = ranges.cells(low, high, most, False)
    wanted = min(step for step in STEPS if np.ceil((high - low) / step - 1e-9) <= most)
    assert begin == low
    assert 2 <= count <= most
    assert (end - begin) / count == pytest.approx(wanted)
    assert end >= high - 1e-9 * (high - low)
    assert end - wanted < high or count == 2


@pytest.mark.parametrize(("low", "high", "most"), [(0, 99, 100), (0, 99, 99), (17, 90, 74), (17, 90, 73), (0, 7, 3)])
def test_cells_of_whole_numbers_hold_whole_numbers(low, high, most):
    """One by one they end behind the last; else in steps of 1, 2, 5, 10, 20, 25 …"""
    begin, end, count = ranges.cells(low, high, most, True)
    whole = [step for step in STEPS if step >= 1 and step == int(step)]
    wanted = min(s for s in whole if (high - low + 1 if s == 1 else np.ceil((high - low) / s)) <= most)
    assert ((end - begin) / count, begin) == (wanted, low)
    assert end >= high + (wanted == 1)


NUMBERS = 1000


@pytest.mark.parametrize(("last", "given_out"), [(2 * NUMBERS - 1, True), (2 * NUMBERS, False)])
def test_whole_numbers_with_hardly_a_gap_are_given_out(last, given_out):
    """1000 of them among fewer than 2000; in no order, and of several lengths."""
    values = np.r_[0, np.sort(stream(2).choice(np.arange(1, last), NUMBERS - 2, replace=False)), last]
    assert profile._numbered(stream(3).permutation(values).astype(float)) == given_out


@pytest.mark.parametrize(("digits", "given_out"), [(profile._LONG_ID, True), (profile._LONG_ID - 1, False)])
def test_long_numbers_of_one_length_are_given_out(digits, given_out):
    values = np.sort(stream(4).choice(9 * 10 ** (digits - 1) - 2, NUMBERS, replace=False)) + 10.0 ** (digits - 1)
    values[0], values[-1] = 10 ** (digits - 1), 10**digits - 1
    shuffled = stream(5).permutation(values)
    assert profile._numbered(shuffled) == given_out
    assert profile._numbered(values)  # in the order of the rows
    shuffled[3] = 10 ** (digits - 1) - 1  # one of another length
    assert not profile._numbered(shuffled)
