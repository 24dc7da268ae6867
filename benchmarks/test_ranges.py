"""Speed of the range room: one range of 2⁴⁰ cells, without a matrix."""

import time

from ldpcore.ranges import Identity, Privelet, Tree
from ldpcore.ranges.privelet import pair_counting


def test_a_trillion_cells_in_a_tenth_of_a_second() -> None:
    start = time.perf_counter()
    for p in (Identity(40), Privelet(40), Tree(40), Tree(40, 16), Tree(40, 2, True), Tree(40, 16, True, False)):
        p.coefficient(123_456_789, 987_654_321_012)
        p.average_coefficient()
        p.accuracy_index()
    pair_counting(123_456_789, 987_654_321_012, 40)
    seconds = time.perf_counter() - start
    print(f"\none range, average and index of six strategies at h = 40, seconds: {seconds:.3f} (target under 0.1)")
    assert seconds < 0.1
