"""The ring of the wheel mechanisms in whole numbers: arcs, holes and places to the last unit of 2⁻⁶⁴."""

import numpy as np
import pytest

from ldpcore.catalog import SETS
from ldpcore.rng import stream

WHOLE = 1 << 64
MECH = SETS["Wheel"].build(1.0, 40, None, 5)


def rows(some):
    """Random starts; close ones, equal ones, and ones around 0."""
    rng = stream(1, "ring")
    hashes = rng.integers(0, WHOLE, (some, MECH.m), np.uint64, endpoint=False)
    near = np.uint64(MECH.arc)
    hashes[::4, 1] = hashes[::4, 0] + near - np.uint64(1)
    hashes[1::4, 1] = hashes[1::4, 0] + near
    hashes[2::4, 1] = hashes[2::4, 0] + near + np.uint64(1)
    hashes[3::8, 1] = hashes[3::8, 0]
    return hashes, rng.random((some, MECH.m)) < 0.7


def covered(starts, y):
    return any((y - start) % WHOLE < MECH.arc for start in starts)


def test_arcs_and_holes_fill_the_ring_to_the_last_unit():
    hashes, turning = rows(400)
    starts, cover, hole = MECH._cover(hashes, turning)
    for row in range(len(hashes)):
        mine = sorted(map(int, hashes[row][turning[row]]))
        assert [*map(int, starts[row][: len(mine)])] == mine or not mine
        if not mine:
            assert (int(cover[row].sum()), int(hole[row, 0])) == (0, WHOLE - 1)
            continue
        gaps = [(after - start - 1) % WHOLE + 1 for start, after in zip(mine, [*mine[1:], mine[0]], strict=True)]
        if len({*mine}) == len(mine):  # two equal starts have probability 2⁻⁶⁴
            wanted = [min(gap, MECH.arc) for gap in gaps]
            assert [*map(int, cover[row][: len(mine)])] == wanted
            assert [*map(int, hole[row][: len(mine)])] == [g - c for g, c in zip(gaps, wanted, strict=True)]
        assert not cover[row][len(mine) :].any()


@pytest.mark.parametrize("u", [0.0, 0.25, 1 - 2**-53])
@pytest.mark.parametrize("on", [True, False])
def test_places_are_on_an_arc_or_on_none(u, on):
    hashes, turning = rows(400)
    turning[:, 0] = True
    starts, cover, hole = MECH._cover(hashes, turning)
    apart = np.array([len({*map(int, row[mask])}) == mask.sum() > 1 for row, mask in zip(hashes, turning, strict=True)])
    some = np.full(int(apart.sum()), on)
    places = MECH._place(some, starts[apart], cover[apart], hole[apart], np.full(len(some), u))
    for row, mask, y in zip(hashes[apart], turning[apart], places, strict=True):
        assert covered([*map(int, row[mask])], int(y)) == on
