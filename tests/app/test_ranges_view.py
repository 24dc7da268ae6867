"""The Ranges view's logic, without a browser."""

# ruff: noqa: E741 (l and r are the contract's names for the ends of a range)

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from ldpapp import session, words
from ldpapp.tasks.ranges import data as range_data
from ldpapp.tasks.ranges import findings
from ldpapp.tasks.ranges import own as range_own
from ldpapp.tasks.ranges import study as own
from ldpcore import data, ranges
from ldpcore.catalog import RANGES
from ldpcore.domain import Interval
from ldpcore.ranges import Identity, LocalHaar, Privelet, Tree
from ldpcore.study import Source, Study, fitting, run, serial
from ldpcore.study import ranges as ranges_task

from .opening import (
    boxes,
    charts,
    do,
    drawn,
    html,
    kept,
    link,
    opened,
    panel,
    panels,
    plain,
    press,
    sentence,
    study,
    twin,
    upload,
)

USUAL = ["range", "maps", "averages", "index", "own", "local"]
CHARTS = 5
NAMES = range_data.names(RANGES.defaults)


@pytest.fixture(scope="module")
def first() -> AppTest:
    return opened("ranges")


@pytest.fixture(scope="module")
def second(first) -> AppTest:
    at = twin(first, "ranges")
    return at.selectbox(key="column").set_value("education").run()


@pytest.fixture
def ages(first) -> AppTest:
    """On numbers: what the page begins with."""
    return twin(first, "ranges")


@pytest.fixture
def view(second) -> AppTest:
    """On categories."""
    return twin(second, "ranges")


def end(at: AppTest, which: str):
    """The input of one end of the range: a number or a value."""
    return next(box for box in [*at.number_input, *at.selectbox] if box.label == f"Range {which}")


def people(variance: float) -> str:
    return f"±{words.decimals(variance**0.5)}"


def of_numbers(values, low, high, h) -> range_data.Cells:
    """The cells that a Study gets for at most 2^h of them over this public range."""
    whole = bool(np.all(values == np.floor(values))) and max(abs(low), abs(high)) < 2**53
    return range_data.of_bins(values, ranges_task.cells(low, high, 1 << h, whole), Interval(low, high))


def of_ages() -> range_data.Cells:
    """The bundled ages, one by one."""
    return of_numbers(data.load("census").numbers("age"), 10, 90, 7)


def test_the_view_opens_on_the_first_numbers(ages) -> None:
    assert study(ages, "ranges").column == "age"
    assert panels(ages) == USUAL
    assert len(charts(ages)) == CHARTS


def test_categories_have_ranges_too(view) -> None:
    assert panels(view) == USUAL
    assert len(charts(view)) == CHARTS
    cells = range_data.of_categories(*labelled("education"))
    assert cells.said in plain(html(view))
    assert people(Privelet(4).variance(*cells.start(), 1.0)) in sentence(view)


def labelled(column: str) -> tuple[tuple[str, ...], np.ndarray]:
    counted = data.load("census").categorical(column)
    return counted.domain.labels, counted.counts


def test_numbers_of_the_sentence_are_the_engines(ages) -> None:
    cells = of_ages()
    assert (cells.k, cells.size) == (81, 128)
    assert cells.said in plain(html(ages))
    assert study(ages, "ranges").bins == cells.bins
    text = plain(sentence(ages))
    assert "“25 to 44”" in text
    assert f"{people(Privelet(7).variance(16, 35, 1.0))} people" in text
    assert people(Identity(7).variance(16, 35, 1.0)) in text
    l, r = np.array([(l, r) for l in range(1, 82) for r in range(l, 82)]).T  # the padding is nobody's range
    strategies = (Privelet(7), Identity(7), ranges.best_tree(7))
    privelet, flat, tree = (float((s.coefficients(l, r) * s.noise(1.0)).mean()) for s in strategies)
    assert words.count(len(l)) in text
    assert f"{(privelet / flat) ** 0.5:.2f} times" in text
    assert f"{(flat / tree) ** 0.5:.2f} times" in text
    turn = ranges.overtakes(Privelet, 14).always
    assert turn is not None
    assert f"N = {1 << turn}" in text


def test_the_histogram_is_the_columns() -> None:
    x, cells = data.load("census").numbers("age"), of_ages()
    assert cells.counts.sum() == len(x)
    assert len(cells.padded) == 128
    assert cells.truth(16, 35) == ((x >= 25) & (x <= 44)).sum()
    assert cells.name(16, 35) == "25 to 44"
    assert cells.name(3, 3) == "12"


def test_number_inputs_change_the_range(ages) -> None:
    before = drawn(ages)
    end(ages, "from").set_value(30).run()
    assert study(ages, "ranges").option("asked") == ("21:35",)
    assert "“30 to 44”" in sentence(ages)
    assert people(Privelet(7).variance(21, 35, 1.0)) in sentence(ages)
    assert drawn(ages)["chart_averages"] == before["chart_averages"]
    # An end beyond the other one takes it along.
    end(ages, "from").set_value(60).run()
    assert "“60”" in sentence(ages)
    end(ages, "to").set_value(20).run()
    assert "“20”" in sentence(ages)
    assert study(ages, "ranges").option("asked") == ("11:11",)


def test_categories_are_chosen_by_name(view) -> None:
    labels, _ = labelled("education")
    end(view, "from").set_value(labels[0]).run()
    end(view, "to").set_value(labels[3]).run()
    assert study(view, "ranges").option("asked") == ("1:4",)
    assert f"“{labels[0]} to {labels[3]}”" in sentence(view)
    assert people(Privelet(4).variance(1, 4, 1.0)) in sentence(view)


def test_epsilon_and_cells_move_the_numbers(ages) -> None:
    ages.number_input(key="epsilon").set_value(0.5).run()
    assert people(Privelet(7).variance(16, 35, 0.5)) in sentence(ages)
    assert 10 not in ages.radio(key="ranges_h").options, "whole numbers one by one have no finer cells"
    ages.radio(key="ranges_h").set_value(4).run()
    assert study(ages, "ranges").bins == (10.0, 90.0, 16)
    cells = of_numbers(data.load("census").numbers("age"), 10, 90, 4)
    assert cells.said in plain(html(ages))
    assert people(Privelet(4).variance(*cells.start(), 0.5)) in sentence(ages)
    assert study(ages, "ranges").option("asked") is None, "ranges of other cells would be other ranges"


@pytest.mark.parametrize("column", ["age", "hours-per-week", "capital-gain", "race", "sex", "occupation"])
def test_every_kind_of_column_draws(view, column) -> None:
    view.selectbox(key="column").set_value(column).run()
    assert study(view, "ranges").column == column
    assert panels(view) == USUAL
    assert len(charts(view)) == CHARTS
    profile = next(one for one in data.load("census").profile() if one.name == column)
    said = findings.ordered(profile, column in data.load("census").orders)
    assert (said in plain(html(view))) == (column in ("race", "sex", "occupation"))


def test_strategies_of_the_table_equal_closed_forms() -> None:
    cells = range_data.of_categories([f"v{i}" for i in range(100)], np.arange(100))
    rows = range_data.summary(NAMES, cells, 2.0).set_index("strategy")
    # Of 100 values, whatever pads them: a range of n cells has (n + 2)/3 of them on average.
    assert rows.loc["Flat", "average, ± people"] == pytest.approx((2 / 4 * (100 + 2) / 3) ** 0.5)
    assert rows.loc["Privelet", "Δ"] == 8
    assert rows.loc["Flat", "Δ"] == 1
    limits = {"Flat": 0, "Binary tree": 1, "Boost": 6, "Privelet": 6, "Best tree": 3 * 16 * 64 / 225}
    assert rows["its limit"].to_dict() == pytest.approx(limits)
    for name, strategy in {"Privelet": Privelet(7), "Boost": Tree(7, 2, True), "Binary tree": Tree(7)}.items():
        l, r = np.triu_indices(100)
        mean = float(strategy.coefficients(l + 1, r + 1).mean()) * strategy.noise(2.0)
        assert rows.loc[name, "average, ± people"] == pytest.approx(mean**0.5)
        assert rows.loc[name, "index at N = 128"] == pytest.approx(7**3 / (64 * strategy.average_coefficient()))


def test_maps_are_the_standard_errors() -> None:
    cells = of_numbers(np.arange(0.0, 300.0), 0, 300, 10)
    for name in NAMES:
        found, drawn = range_data.errors(name, cells, 0.7)
        assert found.shape == (128, 128)
        assert np.isnan(found[3, 9])
        strategy = range_data.build(name, cells.h)
        l, r = int(drawn[5]), int(drawn[90])
        assert found[90, 5] ** 2 == pytest.approx(strategy.variance(l, r, 0.7))


def test_a_new_release_is_drawn_again_but_not_by_other_choices(ages) -> None:
    cells = of_ages()
    one, same, other = (
        range_data.releases(NAMES, cells, (16, 35), 1.0, key)["value"].to_numpy() for key in ((7, 0), (7, 0), (7, 1))
    )
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)
    exact = [range_data.build(name, 7).variance(16, 35, 1.0) ** 0.5 for name in NAMES]
    rows = range_data.releases(NAMES, cells, (16, 35), 1.0, (7, 0))
    assert list(rows["error"]) == pytest.approx(exact)
    assert list(rows["half"]) == pytest.approx([range_data.WIDTH_95 * error for error in exact])
    before = drawn(ages)
    ages.radio(key="ranges_two").set_value("Boost").run()
    assert drawn(ages)["chart_range_releases"] == before["chart_range_releases"]
    press(ages, "ranges_again")
    assert drawn(ages)["chart_range_releases"] != before["chart_range_releases"]


def test_95_percent_intervals_hold() -> None:
    rng = np.random.default_rng(0)
    for strategy, l, r in ((Identity(5), 4, 4), (Identity(5), 3, 20), (Privelet(5), 3, 20), (Tree(5), 1, 32)):
        half = range_data.WIDTH_95 * strategy.variance(l, r, 1.0) ** 0.5
        inside = np.mean([abs(strategy.release(np.zeros(32), 1.0, rng).range(l, r)) < half for _ in range(4000)])
        assert 0.94 < inside < 0.98


def test_cells_are_round_and_hold_everything() -> None:
    rng = np.random.default_rng(0)
    for low, high, whole in ((0, 100_000, True), (0.5, 3.25, False), (-40, 60, True), (0, 1, False), (1, 2, True)):
        x = rng.uniform(low, high, 500)
        x = np.round(x) if whole else x
        for h in own.HEIGHTS:
            cells = of_numbers(x, low, high, h)
            assert 1 <= cells.k <= 1 << h
            assert cells.counts.sum() == 500
            assert cells.clipped == 0
            assert not whole or cells.step == int(cells.step)
            l, r = cells.start()
            assert 1 <= l <= r <= cells.k
    outside = of_numbers(np.array([-5.0, 1.0, 2000.0]), 0, 10, 4)
    assert outside.clipped == 2
    assert outside.counts[0] == 1
    assert outside.counts[-1] == 1


@pytest.mark.parametrize(
    ("values", "low", "high", "h", "outside"),
    [
        ([0, 100, 101, 130], 0, 100, 7, 2),  # cells of one whole number: the last is 100 alone
        ([0, 100, 130], 0, 100, 4, 1),  # cells of 10: 100 joins "90 to 99"
        ([0, 95, 97, 100, 101], 0, 95, 4, 3),  # the last round cell ends at 100, the public range at 95
        ([-0.1, 0, 9.6, 10, 10.01], 0, 10, 6, 2),
        ([-np.inf, 3, np.inf], 0, 10, 4, 2),
    ],
)
def test_numbers_outside_the_public_range_are_counted_as_such(values, low, high, h, outside) -> None:
    cells = of_numbers(np.array(values, float), low, high, h)
    assert cells.clipped == outside == Interval(low, high).outside(values)
    assert cells.counts.sum() == len(values)


def test_cells_are_the_bins_of_the_study_they_make() -> None:
    """`ldpcore run` counts the same people in the same cells, also where a number stands on an edge (9.6 of 0.2s)."""

    rng = np.random.default_rng(3)
    for low, high, decimals in ((3, 10, 1), (0, 0.5, 2), (-11, -1, 1), (0, 73, 0), (-4, -0.7, 2)):
        values = np.round(rng.uniform(low, high, 400), decimals)
        for h in (4, 6, 8):
            cells = of_numbers(values, low, high, h)
            table = data.Table("t", "", pd.DataFrame({"x": values}))
            assert table.binned("x", *cells.bins).counts.tolist() == cells.counts.tolist()


def test_three_values_have_six_ranges() -> None:
    cells = range_data.of_categories(["a", "b", "c"], np.array([1, 2, 3]))
    said = findings.finding("Privelet", "Flat", cells, (1, 2), 1.0, str, str)
    assert cells.own == 6
    assert "all 6 ranges of the 3 values" in said
    full = range_data.of_categories("abcd", np.arange(4))
    assert "without padding" not in findings.finding("Privelet", "Flat", full, (1, 2), 1.0, str, str)
    for name in NAMES:  # without padding, the closed form and the visit to every range agree
        visited = range_data.every_range(2, 4).variance(range_data.build(name, 2), 1.0)
        assert range_data.average(name, full, 1.0) == pytest.approx(visited**0.5)


def test_a_long_label_is_cut_everywhere() -> None:
    cells = range_data.of_categories(["a" * 20_000, "a" * 20_000 + "b", "c"], np.array([1, 2, 3]))
    assert len(findings.finding("Privelet", "Flat", cells, (1, 2), 1.0, str, str)) < 400
    names, _ = cells.shown
    assert len(set(names)) == 3
    assert max(map(len, names)) < 50


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("2024-01-05\n2023-12-31\n", "stand in order of time"),
        ("2024-01-05\n05/01/2024\n", "not in order of time"),
        ("green\nred\n", "in alphabetical order: their order says nothing"),
        ("1\n2\n", "stand by size"),
    ],
)
def test_the_order_of_values_is_said(rows, said) -> None:
    column = data.read(("x,y\n" + rows.replace("\n", ",u\n") * 4).encode(), "a.csv").profile()[0]
    assert said in findings.ordered(column, known=False)


def test_numbers_without_bound_make_cells() -> None:
    values = np.array([-1e308, 1e308, 0.5, 3.0])
    low, high, _ = fitting.round_range(-1e308, 1e308)
    cells = of_numbers(values, low, high, 7)
    assert cells.counts.sum() == 4
    assert cells.clipped == 2
    tiny = of_numbers(values, 0, 1e-3, 7)
    assert tiny.counts.sum() == 4


def test_the_page_says_how_many_are_outside_the_public_range(ages) -> None:
    do(ages, session.set_range, "age", 20.0, 78.0, 11)
    ages.radio(key="ranges_h").set_value(4).run()
    low, last, _ = study(ages, "ranges").bins
    assert (low, last) == (20.0, 80.0), "cells of a round width"
    outside = Interval(20.0, 78.0).outside(data.load("census").numbers("age"))
    assert f"{words.count(outside)} outside" in plain(html(ages))


def test_strategies_can_be_left_out_and_both_maps_the_same(ages) -> None:
    before = drawn(ages)
    ages.button_group(key="ranges_strategies_shown").set_value(["Boost"]).run()
    assert study(ages, "ranges").mechanisms == ("Boost",)
    assert drawn(ages)["chart_averages"] != before["chart_averages"]
    ages.radio(key="ranges_two").set_value("Privelet").run()
    assert sentence(ages).count("±") == 2, "the same twice, and nothing to compare"
    assert words.count(of_ages().own) not in sentence(ages)
    assert len(charts(ages)) == CHARTS
    ages.button_group(key="ranges_strategies_shown").set_value([]).run()
    assert kept(ages).unchosen == {"ranges"}
    assert panels(ages) == []
    next(button for button in ages.button if button.label == "Show the usual ones").click().run()
    assert study(ages, "ranges").mechanisms == RANGES.defaults
    assert len(charts(ages)) == CHARTS


def test_a_table_without_columns_is_a_state_not_an_error(view) -> None:
    upload(view, data.read(b"a\n1\n", "one.csv"))
    assert study(view, "ranges").column == ""
    assert panels(view) == []
    assert boxes(view)


def test_ranges_of_ones_own_have_the_engines_errors(ages) -> None:
    def typed(text: str) -> None:
        next(area for area in ages.text_area if area.key.startswith("ranges_list")).set_value(text).run()

    typed("18 .. 25\n65")
    flat = Identity(7).noise(1.0)
    assert people((8 * flat + flat) / 2) in panel(ages, "own")
    typed("40 .. 20")
    assert "“40 .. 20”" in boxes(ages)
    assert "own" in panels(ages)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("young .. old", "is no range of numbers"),
        ("1 .. 2 .. 3", "write two ends"),
        ("9 .. 3", "ends before it begins"),
        ("", "No range is given"),
    ],
)
def test_a_line_that_is_no_range_gets_a_sentence(line, said) -> None:
    cells = of_numbers(np.arange(100.0), 0, 99, 7)
    with pytest.raises(ValueError, match=said):
        range_own.parse(line, cells)


def test_a_strategy_of_ones_own_is_read_or_refused() -> None:
    cells = of_numbers(np.arange(4.0), 0, 3, 2)
    own = range_own.read_matrix(b"1,0,0,0\n0,1,0,0\n0,0,1,0\n0,0,0,1\n", cells)
    assert own.variance(2, 3, 1.0) == pytest.approx(Identity(2).variance(2, 3, 1.0))
    refused = {b"a,b\nc,d\n": "no matrix of numbers", b"1,2\n3,4\n": "has 2 columns", b"": "no matrix"}
    for content, said in refused.items():
        with pytest.raises(ValueError, match=said):
            range_own.read_matrix(content, cells)
    with pytest.raises(ValueError, match="singular"):
        range_own.read_matrix(b"1,1,0,0\n1,1,0,0\n0,0,1,0\n0,0,0,1\n", cells)


def test_local_reports_have_their_exact_error(ages) -> None:
    cells = of_ages()
    n = int(cells.counts.sum())
    error = n * LocalHaar(7, 1.0).variance(16, 35, cells.padded / n, n) ** 0.5
    assert f"±{words.decimals(error)}" in panel(ages, "local")


def test_the_study_file_gives_the_release_that_the_page_shows(ages) -> None:
    """The page's release number 0 is the Study's repetition 0, to the last bit; and the link leads back to it."""
    wanted, refused = serial.from_query(link(ages), Study(Source("census"), ""))
    assert refused == []
    assert wanted.task == "ranges"
    rows = run(wanted)
    rows = rows[(rows["metric"] == "estimate") & (rows["scope"] == "16:35") & (rows["repetition"] == 0)]
    shown = range_data.releases(NAMES, of_ages(), (16, 35), 1.0, (7, 0))
    found = dict(zip(rows["mechanism"], rows["value"], strict=True))
    assert [found[range_data.key(name)] for name in shown["mechanism"]] == pytest.approx(list(shown["value"]))


def test_a_phone_has_epsilon_at_hand(ages) -> None:
    ages.select_slider(key="phone_slider").set_value(2.0).run()
    assert {made.epsilon for made in kept(ages).studies.values()} == {2.0}
    assert people(Privelet(7).variance(16, 35, 2.0)) in sentence(ages)


@pytest.mark.parametrize("popover", ["ranges_strategies", "ranges_covariance", "ranges_experiment", "ranges_best"])
def test_what_stands_behind_the_page_opens(view, popover) -> None:
    before = set(charts(view)), html(view)
    view.session_state[popover] = True
    view.run()
    assert (set(charts(view)), html(view)) != before
    if popover == "ranges_best":
        assert any(button.key == "ranges_search" for button in view.button)
