"""What a page of numbers begins with: a proposal that somebody holds, and a distance at which reports tell much."""

from dataclasses import replace

import numpy as np
import pytest

from ldpcore import data
from ldpcore.study import Marks, Source, Study, fit, means
from ldpcore.study.means import usual
from ldpcore.study.means.facts import facts as means_facts


def column(numbers: np.ndarray) -> means.NumberColumn:
    table = data.read(("money\n" + "\n".join(map(str, numbers))).encode(), "mine.csv")
    study, _ = fit(Study(Source("mine"), "money", grid=(), task="means"), table)
    return means.prepare(study, table)


def skewed(many: int = 7400) -> np.ndarray:
    """Pocket money: the upper quarter of its round range holds hardly anybody."""
    rng = np.random.default_rng(20261130)
    return np.round(np.clip(rng.lognormal(4, 0.6, many), 0, 900)).astype(int)


def test_the_upper_quarter_is_proposed_where_somebody_is_there() -> None:
    even = column(np.arange(1000) % 101)
    assert usual.proposed(even) == [(75.0, 100.0)]
    assert not usual.is_read_off(even)
    assert usual.people(even, [(75.0, 100.0)]) == sum(each % 101 >= 75 for each in range(1000))


def test_where_hardly_anybody_is_there_the_highest_tenth_is() -> None:
    numbers = skewed()
    known = column(numbers)
    ((low, high),) = usual.proposed(known)
    assert usual.is_read_off(known)
    assert high == known.interval.high
    inside = int((numbers >= low).sum())
    assert usual.people(known, [(low, high)]) == inside
    assert usual.within(known, [(low, high)]) == pytest.approx(inside / len(numbers))
    assert 0.05 < inside / len(numbers) <= 0.1
    assert low == round(low, -1), "a round number"
    assert (numbers >= low - 10).mean() > 0.1, "the least of them"


def test_a_blind_guess_is_that_of_the_best_window() -> None:
    numbers = skewed(300)
    middles = np.arange(0, 600, 0.5)
    for distance in (5.0, 15.0, 60.0):
        best = max((np.abs(numbers - middle) <= distance).mean() for middle in middles)
        assert usual.blind(column(numbers), distance) == pytest.approx(best)


def test_a_distance_is_chosen_at_which_a_report_tells_something() -> None:
    """A tenth of the range won 93 of 100 without any report; where it serves it stays, and where nothing does too."""
    known = column(skewed())
    width = 2 * known.unit
    assert usual.blind(known, width / 10) > 0.9
    assert usual.near(known) == 15.0
    assert 1 / 3 < usual.blind(known, 15.0) < 0.5
    assert width / 1000 <= usual.near(known) <= width / 2, "what the menu offers"
    even = column(np.arange(1000) % 101)
    assert usual.near(even) == 10.0
    lumps = column(np.array([0] * 900 + [*range(100)]))
    assert usual.near(lumps) == pytest.approx(2 * lumps.unit / 10)


def test_bars_hold_equally_many_of_the_whole_numbers_that_can_be() -> None:
    """Bins of 1.375 years over whole years were a comb: every third bar held two of them."""
    for ages, each in (np.arange(1120) % 56 + 15, 1), (np.arange(1120) % 80 + 10, 2):
        known = column(ages)
        bars = usual.bars(known)
        assert bars.step == 1
        counts = np.histogram(known.interval.decode(known.points), bars.edges, weights=known.counts)[0]
        assert counts.sum() == 1120
        inside = np.histogram(np.arange(known.interval.low, known.interval.high + 1), bars.edges)[0]
        assert {*inside[:-1]} == {each}
        assert 0 < inside[-1] <= each
        assert bars.shown((57, 60)) == (56.5, 60.5)
    fine = usual.bars(column(np.random.default_rng(1).random(300)))
    assert fine.step == 0
    assert fine.shown((0.2, 0.3)) == (0.2, 0.3)


def test_of_whole_numbers_a_whole_one_is_proposed() -> None:
    known = column(np.arange(1120) % 56 + 15)
    assert (known.interval.low, known.interval.high) == (15, 70)
    assert usual.proposed(known) == [(57.0, 70.0)], "the quarter begins at 56.25, which nobody can be"


def test_a_distance_within_one_bin_is_chosen_where_wider_ones_win_always() -> None:
    """Savings: of 64 bins the lowest four hold most people."""
    rng = np.random.default_rng(20261128)
    known = column(np.round(np.clip(rng.lognormal(9, 1, 8600), 0, 250000), -2).astype(int))
    distance, width = usual.near(known), 2 * known.unit
    assert usual.blind(known, width / 10) > 0.9
    assert width / known.bins / 2 <= distance < width / known.bins
    asked = Study(Source("mine"), "money", bins=(0, width, known.bins), grid=(), task="means")
    for marks in ((), ("35000..250000",)):
        blind = means_facts(replace(asked, marks=Marks.of(marks)), known, near=distance).blind
        assert 0.2 <= blind["other"] <= 0.5
