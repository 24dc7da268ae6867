"""Printed numbers about ranges, each with its source."""

import pytest

from ldpcore.ranges import Identity, Overtaking, Privelet, Tree, accuracy_index, overtakes
from tests.each import for_each


@pytest.mark.parametrize(("h", "value"), [(1, 2 / 3), (2, 3 / 5), (8, 1.3650131522), (10, 1.6954207425)])
def test_average_coefficient_of_privelet(h, value):
    """The paper's (16); theory/ranges#privelet."""
    assert Privelet(h).average_coefficient() == pytest.approx(value, abs=5e-11)


def test_the_papers_example():
    """Range [3, 7] among 8 cells (the paper, Fig. 3)."""
    assert Privelet(3).coefficient(3, 7) == 0.96875


TABLE = {  # (branching, consistent, root): MSE at 256, index, MSE at 1024, index (theory/ranges#comparison)
    (2, False, True): (979.6, 1.05, 1939.3, 1.03),
    (2, False, False): (774.0, 1.32, 1602.7, 1.25),
    (4, False, False): (279.7, 3.66, 584.4, 3.42),
    (8, False, False): (235.9, 4.34, 577.0, 3.47),
    (16, False, False): (151.0, 6.78, 498.9, 4.01),
    (32, False, False): (242.1, 4.23, 320.8, 6.23),
    (2, True, True): (264.8, 3.87, 476.6, 4.20),
    (2, True, False): (220.1, 4.65, 410.6, 4.87),
    (4, True, True): (153.8, 6.66, 275.6, 7.26),
    (4, True, False): (110.7, 9.25, 210.2, 9.51),
    (8, True, True): (154.7, 6.62, 313.5, 6.38),
    (8, True, False): (95.3, 10.75, 206.6, 9.68),
    (16, True, True): (135.4, 7.56, 314.8, 6.35),
    (16, True, False): (79.2, 12.92, 186.0, 10.75),
    (32, True, True): (200.5, 5.11, 279.2, 7.16),
    (32, True, False): (98.4, 10.41, 164.3, 12.17),
}
ROUNDING = 0.06, 0.011
"""One unit of the last printed digit: some entries there were cut, not rounded."""


@for_each("key", TABLE)
def test_average_errors_of_trees(key):
    for h, error, index in ((8, *TABLE[key][:2]), (10, *TABLE[key][2:])):
        p = Tree(h, *key)
        assert p.average_variance(1.0) == pytest.approx(error, abs=ROUNDING[0])
        assert accuracy_index(p) == pytest.approx(index, abs=ROUNDING[1])


@pytest.mark.parametrize(("h", "error", "index"), [(8, 221.1, 4.63), (10, 410.3, 4.87), (12, None, 5.04)])
def test_privelet(h, error, index):
    assert accuracy_index(Privelet(h)) == pytest.approx(index, abs=0.005)
    assert error is None or Privelet(h).average_variance(1.0) == pytest.approx(error, abs=0.05)


@pytest.mark.parametrize(("h", "error", "index"), [(8, 172.0, 5.95), (10, 684.0, 2.92)])
def test_flat(h, error, index):
    assert Identity(h).average_variance(1.0) == pytest.approx(error, abs=0.05)
    assert accuracy_index(Identity(h)) == pytest.approx(index, abs=0.005)


LIMITS = {(2, False): 1, (4, False): 2.67, (8, False): 3.86, (16, False): 4.27, (32, False): 4.03} | {
    (2, True): 6, (4, True): 10.67, (8, True): 13.22, (16, True): 13.65, (32, True): 12.49
}  # fmt: skip


@for_each("key", LIMITS)
@for_each("root", [True, False])
def test_limits_of_the_index_are_the_printed_ones_and_are_approached(key, root):
    """From c̄ itself: its slope per full step of the tree, between the two largest N we may ask for."""
    b, consistent = key
    step = b.bit_length() - 1
    high = 50 - 50 % step
    slope = (Tree(high, b, consistent, root).average_coefficient()
             - Tree(high - 2 * step, b, consistent, root).average_coefficient()) / (2 * step)  # fmt: skip
    limit = Tree(high, b, consistent, root).index_limit
    assert limit == pytest.approx(LIMITS[key], abs=0.006)
    assert step**2 / slope == pytest.approx(limit, rel=1e-3)


def test_limits_of_the_others():
    assert Privelet(3).index_limit == 6
    slope = Privelet(50).average_coefficient() - Privelet(49).average_coefficient()
    assert 1 / slope == pytest.approx(6, rel=1e-6)
    assert Identity(3).index_limit == 0
    assert accuracy_index(Identity(40)) < 1e-6


@pytest.mark.parametrize(
    ("build", "h"),
    [
        (Privelet, (9, 9)),  # theory/ranges#comparison: from N = 512
        (lambda h: Tree(h), (13, 13)),
        (lambda h: Tree(h, 2, True), (10, 10)),
        (lambda h: Tree(h, 2, True, False), (9, 9)),
        (lambda h: Tree(h, 16, False, False), (8, 10)),  # 512 completes badly
        (lambda h: Tree(h, 8, True, False), (6, 6)),
        (Identity, (None, None)),
    ],
)
def test_where_they_overtake_the_flat_histogram(build, h):
    assert overtakes(build) == Overtaking(*h)


def test_privelet_around_its_crossing():
    """305.9 against 342.7 at N = 512."""
    assert Privelet(9).average_variance(1.0) == pytest.approx(305.9, abs=0.05)
    assert Identity(9).average_variance(1.0) == pytest.approx(342.7, abs=0.05)


@pytest.mark.parametrize(
    ("build", "error"), [(Identity, 44.0), (Privelet, 102.3), (lambda h: Tree(h, 8, True, False), 37.1)]
)
def test_sixty_four_cells(build, error):
    assert build(6).average_variance(1.0) == pytest.approx(error, abs=0.06)
