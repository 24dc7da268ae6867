# ruff: noqa: E741 (l and r are the contract's names for the ends of a range)
"""Averages, maps and comparisons of strategies, against every range visited one by one and against releases."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from ldpcore import ranges
from ldpcore.catalog import RANGES
from ldpcore.data import Histogram
from ldpcore.domain import Categorical
from ldpcore.ranges import Identity, Matrix, NestedTree, Privelet, Tree, best_tree
from ldpcore.rng import stream
from ldpcore.study import Source, Study
from ldpcore.study import ranges as task
from ldpcore.study.ranges.comparison import compared
from tests.each import for_each

BUILDS = {key: entry.build for key, entry in RANGES.items()}


@for_each("key", BUILDS)
@for_each("cells", [1, 5, 8, 11, 16])
def test_the_average_over_the_first_cells_is_that_of_their_ranges(key, cells):
    strategy = BUILDS[key](4)
    one_by_one = [strategy.coefficient(l, r) for l in range(1, cells + 1) for r in range(l, cells + 1)]
    assert ranges.average_coefficient(strategy, cells) == pytest.approx(np.mean(one_by_one))
    if cells == 16:
        assert ranges.average_coefficient(strategy) == pytest.approx(np.mean(one_by_one))


def test_a_typical_error_is_the_root_of_a_mean_square():
    """5000 releases, each the mean over 15 ranges: 5 % of their root are six standard errors."""
    strategy, cells, rng = Privelet(3), 5, stream(7, "typical")
    l, r = ranges.every_range(cells)
    squares = [np.mean(strategy.release(np.zeros(8), 0.5, rng).ranges(l, r) ** 2) for _ in range(5000)]
    assert np.mean(squares) ** 0.5 == pytest.approx(ranges.typical_error(strategy, 0.5, cells), rel=0.05)


def test_many_cells_are_visited_in_pieces():
    assert ranges.average_coefficient(Identity(11), 1500) == pytest.approx((1500 + 2) / 3)
    with pytest.raises(ValueError, match="5000 cells is too large"):
        ranges.average_coefficient(Identity(13), 5000)
    with pytest.raises(ValueError, match=r"cells .* must be between 1 and 8, got 9"):
        ranges.average_coefficient(Identity(3), 9)


@for_each("key", BUILDS)
def test_a_limit_is_that_of_the_family_and_is_approached(key):
    limit = ranges.index_limit(BUILDS[key])
    if key == "Best tree":
        assert limit == max(Tree(4, 1 << step, True).index_limit for step in range(1, 9))
    else:
        assert limit == BUILDS[key](4).index_limit
    # Where the top step of every tree of the catalogue is a whole one.
    late = ranges.curve(BUILDS[key], (12, 24, 36, 48))["index"].to_numpy()
    assert np.all(np.diff(np.abs(late - limit)) < 0)


def test_a_curve_has_the_error_and_the_index_of_every_size():
    found = ranges.curve(Privelet, (0, 3, 9), epsilon=0.5)
    assert found["N"].tolist() == [1, 8, 512]
    assert found["error"].tolist() == pytest.approx([Privelet(h).average_variance(0.5) ** 0.5 for h in (0, 3, 9)])
    assert found["index"].tolist() == [Privelet(h).accuracy_index() for h in (0, 3, 9)]


def test_any_two_families_are_compared():
    build = RANGES["Boost16"].build
    first, always = ranges.overtakes(build, 20, Privelet)
    assert first is not None
    assert always is not None
    for h in range(21):
        better = build(h).average_variance(1.0) < Privelet(h).average_variance(1.0) * (1 - 1e-9)
        assert better or h < always
        assert not better or h >= first
    assert ranges.overtakes(Privelet, 20, Privelet) == (None, None)
    assert ranges.overtakes(best_tree, 20, Privelet).always is not None


def test_a_map_is_every_standard_error():
    for build in (Identity, Privelet, best_tree):
        found, drawn = ranges.error_map(build(9), 0.7, 300)
        assert found.shape == (128, 128)
        assert (drawn[0], drawn[-1]) == (1, 300)
        first, last = np.meshgrid(drawn, drawn)
        assert np.array_equal(np.isnan(found), first > last)
        assert found[90, 5] ** 2 == pytest.approx(build(9).variance(int(drawn[5]), int(drawn[90]), 0.7))
    assert ranges.error_map(Identity(2), 1.0)[0].shape == (4, 4)


@pytest.mark.parametrize(("strategy", "l", "r"), [
    (Identity(5), 4, 4), (Privelet(5), 3, 20), (best_tree(5), 7, 9),
    (NestedTree(5, (1, 4), (1.0, 0.5), consistent=False), 2, 9), (Matrix(Privelet(5).matrix()), 3, 20),
])  # fmt: skip
def test_margins_hold_exactly_as_often_as_they_say(strategy, l, r):
    """6000 releases: 95 ± 0.85 % of them is three standard errors."""
    rng = stream(7, "width", l, r)
    errors = np.abs([strategy.release(np.zeros(32), 0.5, rng).range(l, r) for _ in range(6000)])
    for level in (0.8, 0.95):
        inside = np.mean(errors < ranges.margin(strategy, l, r, 0.5, level))
        assert inside == pytest.approx(level, abs=3 * (level * (1 - level) / 6000) ** 0.5), level


@pytest.mark.parametrize("level", [0.01, 0.5, 0.95, 0.999])
def test_the_margin_of_one_and_of_two_equal_noises_is_their_closed_form(level):
    one = ranges.margin(Identity(3), 4, 4, 2.0, level)
    assert one == pytest.approx(-np.log(1 - level) / 2, rel=1e-6 if level > 0.1 else 1e-3)
    two = ranges.margin(Identity(3), 4, 5, 2.0, level) * 2
    assert np.exp(-two) * (1 + two / 2) == pytest.approx(1 - level)
    far = ranges.margin(Identity(14), 1, 1 << 14, 2.0, level) / Identity(14).variance(1, 1 << 14, 2.0) ** 0.5
    assert far == pytest.approx(norm.ppf((1 + level) / 2), rel=1e-3)


@for_each("key", BUILDS)
def test_loads_are_those_of_the_matrix(key):
    """Their squares are the coefficient; a consistent strategy's are the row of its pseudo-inverse."""
    strategy = BUILDS[key](4)
    inverse = np.linalg.pinv(strategy.matrix())
    for l, r in ((1, 1), (3, 11), (1, 16), (8, 9)):
        found = strategy.loads(l, r)
        assert (found**2).sum() == pytest.approx(strategy.coefficient(l, r))
        if len(found) == len(inverse.T) and strategy.matrix().shape[0] > 16:
            assert np.sort(found) == pytest.approx(np.sort(inverse[l - 1 : r].sum(axis=0)))


@pytest.mark.parametrize(("level", "l", "r"), [(0, 1, 2), (1, 1, 2), (float("nan"), 1, 2), (0.95, 3, 2), (0.95, 1, 9)])
def test_a_margin_of_nothing_is_refused(level, l, r):
    with pytest.raises(ValueError, match=r"level|range"):
        ranges.margin(Identity(2), l, r, 1.0, level)


def test_strategies_side_by_side_equal_closed_forms():
    """Of 100 values, whatever pads them: a range of n cells has (n + 2)/3 of them on average."""
    data = Histogram(Categorical([f"v{i}" for i in range(100)]), np.arange(100), 4950, 0)
    rows = compared(Study(Source("t"), "x", task="ranges", epsilon=2.0), data).set_index("mechanism")
    assert tuple(rows.index) == RANGES.defaults
    assert rows["sensitivity"][["Identity", "Privelet"]].tolist() == [1, 8]
    assert rows["error"]["Identity"] == pytest.approx((2 / 4 * (100 + 2) / 3) ** 0.5)
    limits = {"Identity": 0, "Tree": 1, "Boost": 6, "Privelet": 6, "Best tree": 3 * 16 * 64 / 225}
    assert rows["limit"].to_dict() == pytest.approx(limits)
    l, r = ranges.every_range(100)
    for key in RANGES.defaults:
        strategy = BUILDS[key](7)
        mean = float(strategy.coefficients(l, r).mean()) * strategy.noise(2.0)
        assert rows["error"][key] == pytest.approx(mean**0.5)
        assert rows["index"][key] == pytest.approx(strategy.accuracy_index())
        turn = ranges.overtakes(BUILDS[key], 14).always
        assert (pd.isna(rows["overtakes"][key]) and turn is None) or rows["overtakes"][key] == 1 << (turn or 0)


def test_the_own_average_of_a_study_is_the_engines():
    data = Histogram(Categorical([f"v{i}" for i in range(11)]), np.arange(11), 55, 0)
    study = Study(Source("t"), "x", task="ranges", epsilon=0.5, grid=(), mechanisms=tuple(RANGES))
    rows = task.theory(study, data)
    for key in RANGES:
        found = rows[(rows["mechanism"] == key) & (rows["metric"] == "average error") & (rows["scope"] == "own")]
        assert found["theory"].tolist() == pytest.approx([ranges.typical_error(BUILDS[key](4), 0.5, 11) ** 2])
