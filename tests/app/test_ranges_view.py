"""The Ranges view's logic, without a browser."""

# ruff: noqa: E741 (l and r are the contract's names for the ends of a range)

import base64

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from ldpapp import words
from ldpapp.state import actions, column_actions
from ldpapp.views.ranges import own as range_own
from ldpapp.views.ranges import page, sentences, sidebar, tools
from ldpapp.views.ranges.cells import Cells
from ldpapp.views.ranges.view import RangesView
from ldpcore import catalog, data, ranges
from ldpcore.catalog import LOCAL_RANGES, RANGES
from ldpcore.data import Histogram
from ldpcore.domain import Categorical, Interval
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.ranges import Identity, LocalHaar, Privelet
from ldpcore.study import Source, Study, fitting, run
from ldpcore.study import ranges as ranges_task
from ldpcore.study.query import from_query
from ldpcore.study.ranges import release, strategies

from .opening import (
    boxes,
    charts,
    do,
    drawn,
    emptied,
    html,
    link,
    opened,
    panel,
    panels,
    plain,
    press,
    sentence,
    state,
    studies,
    study,
    twin,
    upload,
)

USUAL = ["range", "range_release", "range_margins", "ranges_who"]
CHARTS = 3
EVERY, OTHER = ["maps", "averages", "index"], ["own", "local"]
NAMES = strategies.names(RANGES.defaults)


def built(name: str, h: int):
    return strategies.built(strategies.build_of(name), h)


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
def unfolded(ages) -> AppTest:
    """With both folds open."""
    ages.session_state[page.EVERY] = ages.session_state[page.OTHER] = True
    return ages.run()


@pytest.fixture
def view(second) -> AppTest:
    """On categories."""
    return twin(second, "ranges")


def end(at: AppTest, which: str):
    """The input of one end of the range: a number or a value."""
    return next(box for box in [*at.number_input, *at.selectbox] if box.label == f"Range {which}")


def people(strategy, l: int, r: int, epsilon: float = 1.0) -> str:
    """The engine's 95 % margin of a range as the page writes it."""
    return f"±{words.decimals(ranges.margin(strategy, l, r, epsilon))} people"


def typical(variance: float) -> str:
    return words.decimals(variance**0.5)


def of_numbers(values, low, high, h) -> Cells:
    """The cells that a Study gets for at most 2^h of them over this public range."""
    values = np.asarray(values, float)
    whole = bool(np.all(values == np.floor(values))) and max(abs(low), abs(high)) < 2**53
    bins = ranges_task.cells(low, high, 1 << h, whole)
    counted = data.Table("t", "", pd.DataFrame({"x": values})).binned("x", *bins)
    return Cells.of_bins(counted, bins, whole, Interval(low, high).outside(values))


def of_categories(labels, counts) -> Cells:
    return Cells(Histogram(Categorical(tuple(labels)), np.asarray(counts), int(np.sum(counts)), 0))


def looked_at(cells: Cells, study: Study | None = None, pair=("Privelet", "Flat"), chosen=(1, 2)) -> RangesView:
    """What a page shows of these cells."""
    study = study or Study(Source("t"), "x", task="ranges", mechanisms=("Identity", "Privelet"))
    return RangesView(study, cells, chosen, cells.proposed(), NAMES, pair, "key")


def of_ages() -> Cells:
    """The bundled ages, one by one."""
    return of_numbers(data.load("census").numbers("age"), 10, 90, 7)


def test_the_view_opens_on_the_first_numbers(ages) -> None:
    assert study(ages, "ranges").column == "age"
    assert panels(ages) == USUAL
    assert len(charts(ages)) == CHARTS


def test_categories_have_ranges_too(view) -> None:
    assert panels(view) == USUAL
    assert len(charts(view)) == CHARTS
    cells = of_categories(*labelled("education"))
    assert cells.said in plain(html(view))
    assert people(Identity(4), *usual(cells)) in sentence(view)


def usual(cells: Cells) -> tuple[int, int]:
    return ranges_task.asked(Study(Source("t"), "x", task="ranges"), cells.counted)[0]


def labelled(column: str) -> tuple[tuple[str, ...], np.ndarray]:
    counted = data.load("census").categorical(column)
    return counted.domain.labels, counted.counts


def test_numbers_of_the_sentence_are_the_engines(ages) -> None:
    cells = of_ages()
    assert (cells.k, cells.size) == (81, 128)
    assert cells.said in plain(html(ages))
    assert study(ages, "ranges").bins == (10.0, 91.0, 81)
    text = plain(sentence(ages))
    assert "“25 to 44”" in text
    best = sorted(NAMES, key=lambda name: ranges.margin(built(name, 7), 16, 35, 1.0))
    assert best[:2] == ["Best tree", "Flat"]
    assert people(ranges.best_tree(7), 16, 35) in text
    assert people(Identity(7), 16, 35).removesuffix(" people") in text
    assert "curator" in text, "who sees the raw data"
    assert "50 → 73.2 %" in panel(ages, "ranges_who"), "what ε = 1 tells the others at most: e/(1 + e) = 73.1 %"


def test_the_margins_drawn_are_the_engines(ages) -> None:
    def lines() -> dict[str, tuple[list[float], list[float]]]:
        figure = charts(ages)["chart_range_margins"]
        drawn = {trace["name"]: trace for trace in figure["data"] if trace.get("mode") == "lines"}
        return {name: (numbers(drawn[name]["x"]), numbers(drawn[name]["y"])) for name in NAMES}

    for name, (x, y) in lines().items():
        assert 1.0 in x
        assert y == pytest.approx([ranges.margin(built(name, 7), 16, 35, epsilon) for epsilon in x])
    ages.radio(key="ranges_axis").set_value("N").run()
    for name, (x, y) in lines().items():
        assert x == [2.0**h for h in range(6, 15)], "from the least N that has the cells"
        heights = [int(n).bit_length() - 1 for n in x]
        assert y == pytest.approx([ranges.margin(built(name, h), 16, 35, 1.0) for h in heights])


def numbers(values) -> list[float]:
    """What a figure's JSON has of an array."""
    if isinstance(values, dict):
        return np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"]).tolist()
    return values


def test_all_ranges_are_compared_behind_their_fold(unfolded) -> None:
    assert panels(unfolded) == [*USUAL, *EVERY, *OTHER]
    text = plain(html(unfolded))
    l, r = np.array([(l, r) for l in range(1, 82) for r in range(l, 82)]).T  # the padding is nobody's range
    built = (Privelet(7), Identity(7), ranges.best_tree(7))
    privelet, flat, tree = (float((s.coefficients(l, r) * s.noise(1.0)).mean()) for s in built)
    assert words.count(len(l)) in text
    assert f"{(privelet / flat) ** 0.5:.2f} times" in text
    assert f"{(flat / tree) ** 0.5:.2f} times" in text
    turn = ranges.overtakes(Privelet, 14).always
    assert turn is not None
    assert f"N = {1 << turn}" in text


def test_what_is_in_a_closed_fold_is_not_computed(ages, monkeypatch) -> None:
    def never(*args, **options):
        raise AssertionError

    monkeypatch.setattr("ldpcore.study.ranges.local.each", never)
    monkeypatch.setattr("ldpcore.ranges.error_map", never)
    monkeypatch.setattr("ldpapp.compute.theory", never)
    ages.number_input(key="epsilon").set_value(0.6).run()
    assert panels(ages) == USUAL


def test_folds_go_with_the_link(unfolded) -> None:
    again = opened("ranges", **link(unfolded))
    assert panels(again) == [*USUAL, *EVERY, *OTHER]


def test_the_histogram_is_the_columns() -> None:
    x, cells = data.load("census").numbers("age"), of_ages()
    assert cells.counts.sum() == len(x)
    assert cells.truth(16, 35) == ((x >= 25) & (x <= 44)).sum()
    assert cells.name(16, 35) == "25 to 44"
    assert cells.name(3, 3) == "12"


def test_number_inputs_change_the_range(unfolded) -> None:
    ages, before = unfolded, drawn(unfolded)
    end(ages, "from").set_value(30).run()
    assert study(ages, "ranges").option("asked") == ("21:35",)
    assert "“30 to 44”" in sentence(ages)
    assert people(Identity(7), 21, 35) in sentence(ages)
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
    assert people(Identity(4), 1, 4) in sentence(view)


def test_epsilon_and_cells_move_the_numbers(ages) -> None:
    ages.number_input(key="epsilon").set_value(0.5).run()
    assert people(ranges.best_tree(7), 16, 35, 0.5) in sentence(ages)
    assert 10 not in ages.radio(key="ranges_h").options, "whole numbers one by one have no finer cells"
    ages.radio(key="ranges_h").set_value(4).run()
    assert study(ages, "ranges").bins == (10.0, 90.0, 16)
    cells = of_numbers(data.load("census").numbers("age"), 10, 90, 4)
    assert cells.said in plain(html(ages))
    assert people(Identity(4), *usual(cells), 0.5) in sentence(ages)
    assert study(ages, "ranges").option("asked") == (), "ranges of other cells would be other ranges"


@pytest.mark.one_in(2)  # usual: a number, one with a tail, a nominal one; the others are of these kinds
@pytest.mark.parametrize("column", ["age", "hours-per-week", "capital-gain", "race", "sex", "occupation"])
def test_every_kind_of_column_draws(view, column) -> None:
    do(view, actions.choose_column, column, "ranges")
    assert study(view, "ranges").column == column
    assert panels(view) == USUAL
    assert len(charts(view)) == CHARTS
    profile = next(one for one in data.load("census").profile() if one.name == column)
    said = sentences.ordered(profile, plain=False, listed=False)
    assert (said in plain(html(view))) == (column in ("race", "sex", "occupation"))


def test_the_table_of_strategies_is_the_engines(unfolded) -> None:
    ages = unfolded
    ages.session_state["ranges_strategies"] = True
    rows = html(ages.run())
    for name in NAMES:
        strategy = built(name, 7)
        error = words.decimals(ranges.typical_error(strategy, 1.0, 81))
        assert f">{error}</td>" in rows
        assert f">{words.decimals(strategy.accuracy_index())}</td>" in rows
    assert tools.summary(looked_at(of_ages(), study(ages, "ranges")))["beats flat from N"].tolist() == [
        "", "8\u202f192", "1\u202f024", "512", "64",
    ]  # fmt: skip


def test_a_new_release_is_drawn_again_but_not_by_other_choices(unfolded) -> None:
    ages = unfolded
    before = drawn(ages)
    ages.radio(key="ranges_two").set_value("Boost").run()
    assert drawn(ages)["chart_range_releases"] == before["chart_range_releases"]
    press(ages, "ranges_again")
    assert drawn(ages)["chart_range_releases"] != before["chart_range_releases"]


def test_cells_are_round_and_hold_everything() -> None:
    rng = np.random.default_rng(0)
    for low, high, whole in ((0, 100_000, True), (0.5, 3.25, False), (-40, 60, True), (0, 1, False), (1, 2, True)):
        x = rng.uniform(low, high, 500)
        x = np.round(x) if whole else x
        for h in sidebar.HEIGHTS:
            cells = of_numbers(x, low, high, h)
            assert 1 <= cells.k <= 1 << h
            assert cells.counts.sum() == 500
            assert cells.clipped == 0
            assert not whole or cells.step == int(cells.step)
            l, r = usual(cells)
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


def test_the_ends_of_cells_are_written_out() -> None:
    """Up to where floats are whole: "9.5e+10 to 2.15e+11" is no range that somebody asks for."""
    said = [words.plain(value) for value in (0.1 + 0.2, -4.5, 1999, 9.5e10, 214_999_999_999)]
    assert said == ["0.3", "−4.5", "1\u202f999", "95\u202f000\u202f000\u202f000", "214\u202f999\u202f999\u202f999"]


def test_three_values_have_six_ranges() -> None:
    cells = of_categories("abc", [1, 2, 3])
    assert cells.own == 6
    assert "all 6 ranges of the 3 values" in sentences.overall(looked_at(cells))
    full = looked_at(of_categories("abcd", [0, 1, 2, 3]))
    flat, wavelet = (built(name, 2) for name in ("Flat", "Privelet"))
    visited = ranges.every_range(4)
    fewer = (flat.noise(1.0) * flat.coefficients(*visited) < wavelet.noise(1.0) * wavelet.coefficients(*visited)).sum()
    assert 0 < fewer <= 10
    assert f"In {fewer} of 10 ranges the flat histogram is the more exact." in sentences.overall(full)
    assert "without padding" not in sentences.overall(full)
    for name in NAMES:  # without padding, the closed form and the visit to every range agree
        strategy = built(name, 2)
        visited = strategy.noise(1.0) * strategy.coefficients(*ranges.every_range(4)).mean()
        assert full.of(name).average == pytest.approx(visited**0.5)


def test_a_long_label_is_cut_everywhere() -> None:
    cells = of_categories(["a" * 20_000, "a" * 20_000 + "b", "c"], [1, 2, 3])
    assert len(plain(sentences.headline(looked_at(cells)))) < 400
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
    assert said in sentences.ordered(column, plain=False, listed=False)


def test_numbers_without_bound_make_cells() -> None:
    values = np.array([-1e308, 1e308, 0.5, 3.0])
    low, high, _ = fitting.round_range(-1e308, 1e308)
    cells = of_numbers(values, low, high, 7)
    assert cells.counts.sum() == 4
    assert cells.clipped == 2
    tiny = of_numbers(values, 0, 1e-3, 7)
    assert tiny.counts.sum() == 4


def test_the_page_says_how_many_are_outside_the_public_range(ages) -> None:
    do(ages, column_actions.set_range, "age", 20.0, 78.0, 11)
    ages.radio(key="ranges_h").set_value(4).run()
    low, last, _ = study(ages, "ranges").bins
    assert (low, last) == (20.0, 80.0), "cells of a round width"
    outside = Interval(20.0, 78.0).outside(data.load("census").numbers("age"))
    assert f"{words.count(outside)} outside" in plain(html(ages))


def test_strategies_can_be_left_out_and_both_maps_the_same(unfolded) -> None:
    ages, before = unfolded, drawn(unfolded)
    ages.button_group(key="ranges_strategies_shown").set_value(["Boost"]).run()
    assert study(ages, "ranges").mechanisms == ("Boost",)
    assert drawn(ages)["chart_averages"] != before["chart_averages"]
    assert sentence(ages).count("±") == 1, "nothing to compare"
    ages.radio(key="ranges_two").set_value("Privelet").run()
    assert words.count(of_ages().own) not in plain(html(ages)), "the same twice"
    assert len(charts(ages)) == len(before)
    ages.button_group(key="ranges_strategies_shown").set_value([]).run()
    assert emptied(ages) == {"ranges"}
    assert panels(ages) == []
    next(button for button in ages.button if button.label == "Show the usual ones").click().run()
    assert study(ages, "ranges").mechanisms == RANGES.defaults
    assert len(charts(ages)) == len(before)


def test_a_table_without_columns_is_a_state_not_an_error(view) -> None:
    upload(view, data.read(b"a\n1\n", "one.csv"))
    assert study(view, "ranges").column == ""
    assert panels(view) == []
    assert boxes(view)


def test_ranges_of_ones_own_have_the_engines_errors(unfolded) -> None:
    ages = unfolded

    def typed(text: str) -> None:
        next(area for area in ages.text_area if area.key.startswith("ranges_list")).set_value(text).run()

    typed("18 .. 25\n65")
    flat = Identity(7).noise(1.0)
    assert typical((8 * flat + flat) / 2) in panel(ages, "own")
    assert study(ages, "ranges").option("asked") == ("16:35", "9:16", "56:56")
    typed("40 .. 20")
    assert "“40 .. 20”" in boxes(ages)
    assert study(ages, "ranges").option("asked") == ("16:35", "9:16", "56:56")
    assert "own" in panels(ages)
    typed("")
    assert study(ages, "ranges").option("asked") == ()


def test_ranges_of_ones_own_go_with_the_link(unfolded) -> None:
    ages = unfolded
    do(ages, sidebar.keep_list, of_ages(), ((9, 16), (9, 16), (16, 35)))
    again = opened("ranges", **link(ages))
    assert study(again, "ranges") == study(ages, "ranges")
    flat = Identity(7).noise(1.0)
    assert typical(flat * (8 + 8 + 20) / 3) in panel(again, "own")
    end(again, "from").set_value(30).run()
    assert study(again, "ranges").option("asked") == ("21:35", "9:16", "9:16", "16:35")


@pytest.mark.parametrize(("low", "high", "h"), [(0.0, 99.0, 7), (0.0, 99.0, 4), (-3.25, 7.5, 6), (0.0, 1.0, 5)])
def test_a_list_is_read_as_it_is_written(low, high, h) -> None:
    """The last end of measured numbers is an edge, where the next cell begins."""
    for cells in (of_numbers(np.linspace(low, high, 50), low, high, h), of_numbers([low, high], low, high, h)):
        pairs = [(1, 1), (1, 2), (2, cells.k), (cells.k // 2, cells.k // 2 + 1), *cells.proposed()]
        written = range_own.written(tuple(pair for pair in pairs if pair[0] != pair[1]), cells)
        assert range_own.parse(written, cells) == [pair for pair in pairs if pair[0] != pair[1]]
        starts = [cells.firsts[at - 1] for at in (1, 2, cells.k)]
        assert range_own.parse("\n".join(starts), cells) == [(at, at) for at in (1, 2, cells.k)]


def test_a_label_that_reads_like_a_range_is_a_value() -> None:
    cells = of_categories(["1 to 2", "3 to 4", "5…", "a"], [1, 2, 3, 4])
    for pair in ((1, 1), (1, 2), (2, 4), (3, 4)):
        assert range_own.parse(range_own.written((pair,), cells), cells) == [pair]
    with pytest.raises(ValueError, match="no value of this column"):
        range_own.parse("1 to 3", cells)


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


def test_local_reports_have_their_exact_margin(unfolded) -> None:
    ages = unfolded
    cells = of_ages()
    n = int(cells.counts.sum())
    error = n * LocalHaar(7, 1.0).variance(16, 35, ranges.pad(cells.counts) / n, n) ** 0.5
    assert f"±{words.decimals(NORMAL_95 * error)}" in panel(ages, "local")
    assert people(ranges.best_tree(7), 16, 35).removesuffix(" people") in panel(ages, "local"), "with a curator"


def test_every_local_strategy_of_the_catalogue_is_on_the_page(unfolded) -> None:
    """A new one is one entry, and nothing else."""
    toy = catalog.ranges.LocalRangeEntry(
        "Toy", lambda h, epsilon: ranges.LocalTree(h, epsilon, 4), "Somebody's own", "nobody", "LDP",
        catalog.Construction.TREE,
    )  # fmt: skip
    LOCAL_RANGES.add(toy)
    try:
        said, cells = panel(unfolded.run(), "local"), of_ages()
        assert all(entry.label in said for entry in LOCAL_RANGES.values())
        n, padded = int(cells.counts.sum()), ranges.pad(cells.counts)
        error = n * ranges.LocalTree(7, 1.0, 4).variance(16, 35, padded / n, n) ** 0.5
        assert f"±{words.decimals(NORMAL_95 * error)}" in said
    finally:
        LOCAL_RANGES.remove("Toy")


def test_the_studys_rows_are_the_pages_numbers(unfolded) -> None:
    """What `ldpcore run` makes of the page's link: the averages, and the very release."""
    ages = unfolded
    wanted, refused = from_query(link(ages), Study(Source("census"), ""))
    assert refused == []
    assert wanted.task == "ranges"
    rows = run(wanted)
    here = rows[(rows["x"] == 1.0) & (rows["repetition"] == 0)].set_index(["mechanism", "metric", "scope"])
    text, own_average = plain(html(unfolded)), {}
    for key in ("Privelet", "Identity"):
        own_average[key] = here.loc[(key, "average error", "own"), "theory"] ** 0.5
    assert f"{own_average['Privelet'] / own_average['Identity']:.2f} times" in text
    view = looked_at(of_ages(), study(ages, "ranges"), chosen=(16, 35))
    shown = release.releases(view.facts, view.alone, 0).set_index("mechanism")
    for name in NAMES:
        row = here.loc[(strategies.key_of(name), "estimate", "16:35")]
        assert shown["value"][name] == row["value"]
        assert row["theory"] == of_ages().truth(16, 35)
        strategy = built(name, 7)
        assert shown["half"][name] == pytest.approx(ranges.margin(strategy, 16, 35, 1.0))
        squared = here.loc[(strategies.key_of(name), "squared error", "16:35"), "theory"]
        assert 1.95 < shown["half"][name] / squared**0.5 < 2.12, "between a normal and a single Laplace noise"
    figure = charts(ages)["chart_range_releases"]
    points = {trace["name"]: trace["x"] for trace in figure["data"] if trace["name"] in NAMES}
    assert {name: points[name][0] for name in NAMES} == pytest.approx(shown["value"].to_dict())


def test_a_link_names_no_range_that_nobody_chose(ages) -> None:
    assert "o.asked" not in link(ages)
    again = opened(**link(ages))
    assert study(again, "ranges") == study(ages, "ranges")
    end(ages, "from").set_value(30).run()
    assert link(ages)["o.asked"] == ['["21:35"]']
    end(ages, "from").set_value(25).run()
    assert "o.asked" not in link(ages), "back to what is asked anyway"


def test_missing_answers_that_count_are_the_studys_last_cell() -> None:
    rows = "x,y\n" + "\n".join([f"{i % 40}.5,u" for i in range(400)] + [",u"] * 30)
    at = opened("ranges", data.read(rows.encode(), "gaps.csv"))
    do(at, actions.change, "ranges", missing="category")
    held = ranges_task.prepare(study(at, "ranges"), state(at).uploads["gaps.csv"])
    assert held.counts[-1] == 30
    assert "and one for missing answers" in plain(html(at))
    do(at, sidebar.choose, Cells.of_bins(held, study(at, "ranges").bins, False, 0), (2, held.domain.k))
    assert "to (missing)”" in sentence(at)
    assert len(charts(at)) == CHARTS


def test_more_cells_than_can_be_visited_are_refused_in_a_sentence() -> None:
    rows = "x\n" + "\n".join(f"{i % 40}.5" for i in range(400))
    at = opened("ranges", data.read(rows.encode(), "halves.csv"))
    do(at, actions.change, "ranges", bins=(0.0, 40.0, 5000))
    assert "at most 4096 cells" in boxes(at)
    assert panels(at) == []


def test_a_phone_has_epsilon_at_hand(ages) -> None:
    ages.select_slider(key="phone_slider").set_value(2.0).run()
    assert {made.epsilon for made in studies(ages).values()} == {2.0}
    assert people(ranges.best_tree(7), 16, 35, 2.0) in sentence(ages)


@pytest.mark.parametrize("popover", ["ranges_strategies", "ranges_covariance", "ranges_experiment", "ranges_best"])
def test_what_stands_behind_the_page_opens(view, popover) -> None:
    view.session_state[page.EVERY] = True
    view.run()
    before = set(charts(view)), html(view)
    view.session_state[popover] = True
    view.run()
    assert (set(charts(view)), html(view)) != before
    if popover == "ranges_best":
        assert any(button.key == "ranges_search" for button in view.button)


# ordered columns -------------------------------------------------------------------------------------------------


def test_ordered_columns_are_offered_and_others_on_request(ages) -> None:
    census = data.load("census")
    offered = ranges_task.ordered(census)
    assert ages.selectbox(key="column").options == offered
    assert {"age", "education"} <= set(offered)
    assert not {"race", "sex", "occupation"} & set(offered)
    assert set(ages.radio(key="ranges_as_ordered").options) == {
        words.literal(name) for name in set(ranges_task.columns(census)) - set(offered)
    }
    ages.radio(key="ranges_as_ordered").set_value("race").run()
    assert study(ages, "ranges").column == "race"
    assert panels(ages) == USUAL
    assert "race" in ages.selectbox(key="column").options
    again = opened("ranges", **link(ages))
    assert study(again, "ranges").column == "race", "links to nominal columns still open"
    assert panels(again) == USUAL


def test_a_nominal_column_of_another_page_stays_there(ages) -> None:
    do(ages, actions.choose_column, "race")
    assert study(ages, "frequency").column == "race"
    assert study(ages, "ranges").column == "age"
    do(ages, actions.choose_column, "education")
    assert study(ages, "ranges").column == "education"


def test_without_an_ordered_column_the_page_says_how_to_treat_one_so(ages) -> None:
    rows = "x,y\n" + "red,oak\ngreen,elm\nblue,ash\n" * 20
    upload(ages, data.read(rows.encode(), "colours.csv"))
    assert study(ages, "ranges").column == ""
    assert panels(ages) == []
    assert "treat another as ordered" in boxes(ages)
    ages.radio(key="ranges_as_ordered").set_value("x").run()
    assert panels(ages) == USUAL
