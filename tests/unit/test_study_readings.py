"""Separate values as intervals: half way to the neighbours, and as far out at both ends."""

import pytest

from ldpcore.study import readings

VALUES = ["10", "20", "40", "n/a", "50"]


@pytest.mark.parametrize(
    ("labels", "written"),
    [
        (["10"], ["5..15"]),
        (["50"], ["45..55"]),
        (["20"], ["15..30"]),
        (["10", "20"], ["5..30"]),
        (["10", "40", "n/a"], ["5..15", "30..45", "n/a"]),
    ],
)
def test_intervals_end_half_way_to_the_neighbours(labels, written):
    assert readings.from_values(labels, VALUES) == written
    assert readings.to_values(written, VALUES) == labels


def test_bins_become_the_intervals_they_make_together_and_other_words_stay():
    bins = (0.0, 100.0, 4)
    assert readings.from_bins(["25 to 50", "n/a", "50 to 75"], bins) == ["25..75", "n/a"]
    assert readings.to_bins(["25..75", "n/a"], bins) == ["25 to 50", "50 to 75", "n/a"]
    assert readings.to_bins(["20..25", "60..61"], bins) == ["0 to 25", "50 to 75"]  # an end alone is not in a bin
