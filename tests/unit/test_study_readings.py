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
