"""Figures: what they show, in which colours, and that nothing overlaps or leaves its axis."""

import base64
import itertools
import json
import re
from functools import cache

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from ldpapp import charts
from ldpapp.charts import palette
from ldpapp.charts.base import Frame, linear_ticks, log_ticks, text_width
from ldpapp.charts.curves import x_scale
from ldpapp.charts.labels import GAP, spread
from ldpapp.charts.lines import tick
from ldpapp.charts.remarks import limit_note
from ldpcore import catalog, frontier
from ldpcore.catalog import Construction, Coverage
from tests.each import for_each, told

NAMES = ["GRR", "OUE", "SS", "uRR", "uOUE", "uSS", "SDGRR"]
SCHEMES = pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])


def theory(names=NAMES):
    x = np.geomspace(0.1, 5, 30)
    parts = [pd.DataFrame({"mechanism": m, "x": x, "value": (i + 1) / x}) for i, m in enumerate(names)]
    return pd.concat(parts, ignore_index=True)


def points(names=NAMES):
    table = theory(names).iloc[::5].copy()
    return table.assign(low=table["value"] * 0.8, high=table["value"] * 1.2)


def limit():
    x = np.geomspace(0.1, 5, 30)
    return pd.DataFrame({"x": x, "value": 0.9 / x**3})


def survey(k, repeats=10):
    rng = np.random.default_rng(1)
    truth = 1 / np.arange(1, k + 1)
    truth /= truth.sum()
    errors = rng.normal(0, 0.01, (repeats, k))
    marked = rng.random(k) < 0.3
    half = np.full(k, 0.02)
    estimate = truth + errors[0]
    return [f"v{i}" for i in range(k)], marked, truth, estimate, (estimate - half, estimate + half), errors, half


def loss(k, marked):
    table = np.where(marked[:, None], 1.0, np.inf) * np.ones((k, k))
    np.fill_diagonal(table, 0)
    return table


def curves_on_plane():
    epsilon = np.geomspace(0.1, 5, 20)
    parts = [
        pd.DataFrame({"mechanism": m, "epsilon": epsilon, "x": 25 + 10 * epsilon + i, "value": (i + 1) / epsilon})
        for i, m in enumerate(NAMES)
    ]
    here = pd.DataFrame({"mechanism": NAMES, "x": 35.0 + np.arange(7), "value": 1.0 + np.arange(7)})
    return pd.concat(parts, ignore_index=True), here


ROWS = pd.DataFrame({"mechanism": NAMES, "a": np.arange(1, 8) / 5, "b": np.arange(1, 8) / 4})
MARKED = np.array([True] * 4 + [False] * 12)


@cache
def builders(dark):
    """One figure of every kind, by name."""
    on_plane, here = curves_on_plane()
    options = {"focus": "uSS", "at": 1.0, "dark": dark}
    panels = [charts.DumbbellColumn("a", "b", log=True), charts.DumbbellColumn("a", "b", reference=(1.0, "blind"))]
    return {
        "error": charts.error_curves(theory(), points(), limit=limit(), limit_text="limit: below it none", **options),
        "loading": charts.error_curves(theory(), None, **options),
        "reference": charts.error_curves(theory(), points(), reference=theory(), **options),
        "success": charts.success_curves(theory(), points(), blind=25, **options),
        "plane": charts.plane(on_plane, None, here, limit().assign(x=np.linspace(25, 90, 30)), blind=25, **options),
        "release": charts.release(*survey(16), dark=dark),
        "ranks": charts.release(*survey(1000), dark=dark),
        "histogram": charts.histogram(*survey(16)[:1], survey(16)[2], MARKED, dark=dark),
        "numbers": charts.number_histogram(np.arange(11), np.arange(10), [(2.5, 4)], dark=dark),
        "pairs": charts.loss_heatmap(loss(16, MARKED), MARKED, dark=dark),
        "dumbbells": charts.dumbbells(ROWS, panels, dark=dark),
        "arriving": charts.arriving(83.0, 70.0, 24, (10.0, 69), last=28, said="now ±17", dark=dark),
    }


def trace(figure, name):
    found = [t for t in figure.data if t.name == name]
    assert len(found) == 1, f"{name}: {[t.name for t in figure.data]}"
    return found[0]


def contrast(a, b):
    def luminance(color):
        parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted([luminance(a), luminance(b)], reverse=True)
    return (high + 0.05) / (low + 0.05)


# Every figure


@SCHEMES
def test_figures_are_valid_quiet_and_without_leftovers(dark):
    for kind, figure in builders(dark).items():
        with told(f"kind = {kind!r}"):
            checked = go.Figure(json.loads(figure.to_json()))  # validates every property
            layout = checked.layout
            assert "undefined" not in figure.to_json()
            assert layout.height
            assert layout.paper_bgcolor == layout.plot_bgcolor == "rgba(0,0,0,0)"
            assert layout.showlegend is False
            assert layout.uirevision == "fixed"
            assert layout.title.text is None
            assert layout.dragmode == ("select" if kind == "numbers" else False)
            assert not figure.to_dict()["layout"].get("template")
            axes = [a for a in layout.to_plotly_json() if a[1:5] == "axis"]
            assert all(layout[a].fixedrange for a in axes if (kind, a) != ("numbers", "xaxis"))


@for_each("alone", [20.0, 83.0, 400.0, 5000.0])
@for_each("now", [0, 1, 5, 24, 69, 400])
def test_the_curve_of_reports_passes_where_it_says(alone, now):
    """It falls with the root of their number, stays on the axis, and is solid as far as reports are there."""
    needed = int(np.ceil((alone / 10) ** 2))
    figure = charts.arriving(alone, alone / 2, now, (10.0, needed), last=400, said="now")
    top = figure.layout.yaxis.range[1]
    for name, inside in (("now", lambda x: x <= now), ("to come", lambda x: x >= now)):
        x, y = np.array(trace(figure, name).x), np.array(trace(figure, name).y)
        np.testing.assert_allclose(y * np.sqrt(x), alone)
        assert inside(x).all()
        assert (y <= top).all()
    assert (np.array(trace(figure, "limit").y) <= top).all()
    assert ("at" in [t.name for t in figure.data]) == (now >= 5)
    ticks = figure.layout.xaxis.tickvals
    assert (now in ticks) == (now >= 5)
    assert all(b / a > 1.1 for a, b in itertools.pairwise(ticks)), "none over another"


# Palette


def test_every_line_is_readable_on_its_page():
    possible = [palette.face("new", c, how, i) for i in range(4) for c in Coverage for how in Construction]
    for mark in [*palette.marks().values(), *possible]:
        assert contrast(mark.light, palette.LIGHT.page) >= 3, mark
        assert contrast(mark.dark, palette.DARK.page) >= 3, mark
    for scheme in (palette.LIGHT, palette.DARK):
        assert contrast(scheme.sensitive, scheme.page) >= 4.5
        assert contrast(scheme.ink2, scheme.page) >= 4.5
        assert contrast(scheme.ink2, scheme.floor) >= 4.5
        assert contrast(scheme.ink3, scheme.page) >= 3


@pytest.mark.parametrize("entries", catalog.ALL, ids=lambda entries: next(iter(entries)))
def test_looks_follow_from_the_entries_and_tell_them_apart(entries):
    """Dash from the promise, marker from the construction; no two entries of a catalogue look the same."""
    found = palette.faces(entries)
    assert len({(mark.light, mark.symbol, mark.width) for mark in found.values()}) == len(entries)
    for key, entry in entries.items():
        assert found[key].dash == palette.DASHES[catalog.coverage(entry.promise)]
        if not entry.variant:
            assert (found[key].symbol, found[key].glyph) == palette.CONSTRUCTIONS[entry.construction][:2]
        assert found[key].color(True) == palette.mark(key).color(True), "the same look wherever it is named"
        assert palette.mark(entries.name(key)) == palette.mark(key)


def test_what_is_no_mechanism_is_drawn_in_ink():
    assert palette.mark("k-modes").color(False) == palette.LIGHT.ink
    assert palette.mark("k-modes").promise is Coverage.NONE


def test_a_lesser_form_looks_like_its_parent():
    sample, parent = palette.mark("suGRR-Sample"), palette.mark("suGRR")
    assert (sample.light, sample.dark) == (parent.light, parent.dark)
    assert sample.symbol == "circle-open"
    assert sample.width == 1


@pytest.mark.parametrize("group", ["GRR RAPPOR OUE OLH SS uRR uRAP uOUE uSS SDGRR SDSS", "Laplace Duchi PM HM SW SDPM"])
def test_mechanisms_of_one_chart_differ_in_more_than_colour(group):
    looks = {(m.dash, m.symbol) for m in map(palette.mark, group.split())}
    assert len(looks) >= len(group.split()) - 1  # Laplace … SW and GRR … SS fill all markers of their promise


@SCHEMES
def test_mechanisms_have_their_colour_in_every_chart(dark):
    figures = builders(dark)
    for kind in ("error", "success", "plane", "dumbbells"):
        for name in NAMES:
            color = palette.mark(name).color(dark)
            lines = [t for t in figures[kind].data if t.name == name]
            assert lines
            assert {t.line.color for t in lines} == {color}
    for name in NAMES:
        assert trace(figures["error"], f"{name} simulated").marker.color == palette.mark(name).color(dark)
        assert trace(figures["error"], name).line.dash == palette.mark(name).dash


# Curves


def test_lines_and_marks_carry_the_data():
    figure = charts.error_curves(theory(), points(), focus="uSS", at=1.0)
    mine = theory().query("mechanism == 'OUE'")
    np.testing.assert_array_equal(trace(figure, "OUE").x, mine["x"])
    np.testing.assert_array_equal(trace(figure, "OUE").y, mine["value"])
    np.testing.assert_array_equal(trace(figure, "OUE simulated").y, points().query("mechanism == 'OUE'")["value"])
    assert trace(figure, "uSS").line.width > trace(figure, "OUE").line.width
    assert [t.name for t in figure.data if t.type == "scatter" and t.error_y.array is not None] == ["uSS simulated"]
    assert "<b>OUE</b>" in trace(figure, "OUE").hovertext[0]
    assert "points" in trace(figure, "OUE").hovertext[0]
    assert list(trace(figure, "rule").x) == [1.0, 1.0]
    assert "ε = 1" in [a.text for a in figure.layout.annotations]


def test_while_loading_there_are_lines_and_no_marks():
    for empty in (None, points().iloc[:0]):
        figure = charts.error_curves(theory(), empty, focus="uSS", at=1.0)
        assert {t.mode for t in figure.data} == {"lines"}


def test_the_limit_is_clipped_at_the_axis():
    figure = charts.error_curves(theory(), points(), focus="uSS", at=1.0, limit=limit())
    low, high = (10**v for v in figure.layout.yaxis.range)
    y = np.asarray(trace(figure, "limit").y)
    assert limit()["value"].max() > high
    assert y.min() >= low * (1 - 1e-9)
    assert y.max() <= high * (1 + 1e-9)


def test_a_limit_keeps_its_words_inside_the_floor():
    text = "limit: no mechanism that keeps the promise on the marked values gets below"
    low = theory().query("mechanism == 'GRR'")[["x", "value"]]
    figure = charts.error_curves(theory(), None, focus="GRR", at=1.0, limit=low, limit_text=text)
    (note,) = [a for a in figure.layout.annotations if a.name == "limit"]
    assert note.text.startswith("<b>limit</b>")
    # No room at all: no words rather than words on the lines.
    nothing = low.assign(value=low["value"] * 1e-9)
    figure = charts.error_curves(theory(), None, focus="GRR", at=1.0, limit=nothing, limit_text=text)
    assert not [a for a in figure.layout.annotations if a.name == "limit"]


def test_the_words_about_the_limit_stand_on_no_curve():
    """Beside a bar, above no line, and not at all where a curve runs through the whole floor."""
    limit = pd.DataFrame({"x": [0.1, 5.0], "value": [150.0, 150.0]})
    frame, text = Frame(484, 236), "limit: no mechanism gets below ±0.34"

    def said(*drawn):
        return limit_note(text, limit, (0.1, 5.0), None, True, np.asarray, frame, False, drawn)

    (free,) = said()
    (beside,) = said((np.array([0.1, 0.1]), np.array([5.0, 60.0])))
    assert free["x"] == 0
    assert beside["x"] * frame.plot_width + beside["xshift"] > 0.1 * frame.plot_width + 4
    assert not said((np.array([0.0, 1.0]), np.array([20.0, 20.0])))
    assert said((np.array([0.0, 1.0]), np.array([120.0, 120.0]))) == [free]


def test_words_without_room_are_known_to_be_missing():
    figure = charts.error_curves(theory(), None, focus="GRR", at=1.0)
    assert not charts.unsaid_limit(figure, "")
    assert charts.unsaid_limit(figure, "limit: of errors") == "limit: of errors"
    low = theory().query("mechanism == 'GRR'")[["x", "value"]]
    figure = charts.error_curves(theory(), None, focus="GRR", at=1.0, limit=low, limit_text="limit: <b>")
    assert not charts.unsaid_limit(figure, "limit: <b>")
    assert charts.unsaid_limit(figure, "limit: <b> and more") == "limit: <b> and more"
    assert charts.unsaid_limit(figure, "limit: <b>; and more") == "and more"


def test_errors_below_what_is_written_have_short_ticks():
    labels, marked, truth, estimate, interval, errors, band = survey(16)
    figure = charts.release(labels, marked, truth, estimate, interval, errors * 1e-6, band * 1e-6)
    assert figure.layout.xaxis2.tickangle == 0
    assert all("e" not in text for text in figure.layout.xaxis2.ticktext)
    assert figure.layout.xaxis2.ticktext[-1].endswith(" pts")


def test_an_axis_of_large_numbers_is_written_as_people_write_it_and_stands_inside():
    """Cut off at its left, "30 000 million" was "0 million"; a turnover of 1e+11 is no number of a spreadsheet."""
    assert [tick(v) for v in (0, 0.25, 1992.5, 2500, 1.5e6, -4e10, 2.5e11, 1234567, 1e16, 1e-5)] == [
        "0", "0.25", "1\u202f992.5", "2\u202f500", "1.5 million", "−40 billion", "250 billion",
        "1\u202f234\u202f567", "10¹⁶", "10⁻⁵",
    ]  # fmt: skip
    large = theory().assign(value=lambda rows: rows["value"] * 1e10)
    figure = charts.error_curves(large, None, focus="uSS", at=1.0, unit="")
    assert max(map(text_width, figure.layout.yaxis.ticktext)) < figure.layout.margin.l
    bars = charts.number_histogram(np.linspace(0, 5e11, 11), np.arange(10), [])
    assert bars.layout.xaxis.ticktext[-1] == "500 billion"


def test_two_charts_can_share_their_axis():
    both = charts.error_range([theory(), theory().assign(value=lambda t: t["value"] * 9)], 184)
    figures = [charts.error_curves(theory(), None, focus="uSS", at=1.0, y_range=both, height=184) for _ in "AB"]
    assert figures[0].layout.yaxis.range == figures[1].layout.yaxis.range
    np.testing.assert_allclose(figures[0].layout.yaxis.range, np.log10(both))


def test_one_lucky_survey_presses_no_lines_together():
    """An error of 1e-14 is drawn at the edge, a hundredth of the lowest line at most."""
    lines, least = theory(), float(theory()["value"].min())
    marks = lines.groupby("mechanism").head(2).assign(low=lambda rows: rows["value"] / 2, high=lines["value"])
    lucky = marks.assign(value=[1e-14, *marks["value"][1:]], low=[0.0, *marks["low"][1:]])
    first = str(lucky["mechanism"].iloc[0])
    figure = charts.error_curves(lines, lucky, focus=first, at=1.0)
    low = 10 ** figure.layout.yaxis.range[0]
    assert least / 300 < low <= least / 100
    assert min(trace(figure, f"{first} simulated").y) == pytest.approx(low, rel=1e-6)
    usual = charts.error_curves(lines, marks, focus="uSS", at=1.0)
    assert 10 ** usual.layout.yaxis.range[0] > least / 4, "where no survey is lucky nothing changes"


def test_errors_a_log_axis_cannot_show_are_left_out():
    broken = pd.concat([theory(["GRR"]), theory(["uRR"]).assign(value=0.0)])
    broken.iloc[3, 2] = np.inf
    figure = charts.error_curves(broken, None, focus="GRR", at=1.0)
    assert np.isfinite(figure.layout.yaxis.range).all()
    assert len(trace(figure, "GRR").y) == 29


def test_at_most_eight_lines_have_colours_and_names():
    names = [*NAMES, "RAPPOR", "OLH", "uRAP"]
    figure = charts.error_curves(theory(names), points(names), focus="uRAP", at=1.0)
    named = [a.name for a in figure.layout.annotations if (a.name or "").startswith("end ")]
    assert len(named) == 8
    assert "end uRAP" in named
    assert trace(figure, "OLH").line.color == palette.LIGHT.ink3


@pytest.mark.parametrize("names", [NAMES, NAMES[:2], [*NAMES, "RAPPOR"]])
@pytest.mark.parametrize("height", [184, 236])
def test_labels_at_line_ends_keep_their_distance(names, height):
    crowded = theory(names).assign(value=lambda t: 1 / t["x"])  # all end in one point
    figure = charts.error_curves(crowded, None, focus="uSS", at=1.0, height=height)
    ends = [a for a in figure.layout.annotations if (a.name or "").startswith("end ")]
    px = np.sort([a.y * (height - 32) for a in ends])
    assert len(px) == len(names)
    assert np.diff(px).min() >= 13 - 1e-6


def test_spread_moves_as_little_as_it_must():
    np.testing.assert_allclose(spread([50, 50, 50], GAP, 0, 200), [37, 50, 63])
    np.testing.assert_allclose(spread([100, 10, 60], GAP, 0, 200), [100, 10, 60])
    assert spread([199, 198], GAP, 0, 200).max() <= 200
    rng = np.random.default_rng(0)
    for _ in range(50):
        wanted = rng.uniform(0, 200, 9)
        placed = spread(wanted, GAP, 0, 200)
        assert np.diff(np.sort(placed)).min() >= GAP - 1e-9
        assert (np.argsort(placed) == np.argsort(wanted)).all()


def test_the_blind_guess_is_a_line_with_its_words():
    figure = charts.success_curves(theory(), None, focus="uSS", at=1.0, blind=25)
    assert list(trace(figure, "blind").y) == [25, 25]
    assert any("blind" in a.text for a in figure.layout.annotations)
    # Too near to the axis for words under the line: they go to the margin.
    figure = charts.success_curves(theory(), None, focus="uSS", at=1.0, blind=0.6)
    assert any(a.name == "end blind 0.6" for a in figure.layout.annotations)
    assert figure.layout.yaxis.range[0] == 0
    assert figure.layout.yaxis.range[1] >= 100


def test_ticks_are_round_and_not_too_many():
    assert log_ticks(0.1, 5, 8) == [0.1, 0.2, 0.5, 1, 2, 5]
    assert log_ticks(0.02, 20, 12, ((1, 3), (1,))) == [0.03, 0.1, 0.3, 1, 3, 10]
    assert len(log_ticks(1e-9, 1e9, 6)) <= 6


def test_the_ends_of_a_curve_have_numbers_where_there_is_room() -> None:
    """A line that ended at ε = 4 once had 2 as its last number."""
    frame = Frame(440, 216)
    assert x_scale((0.2, 4.0), True, frame).text == ["0.2", "0.5", "1", "2", "4"]
    assert x_scale((0.1, 5.0), True, frame).ticks == [0.1, 0.2, 0.5, 1, 2, 5]
    assert 2.1 not in x_scale((0.1, 2.1), True, frame).ticks, "it would run into 2"
    assert 32_561 not in x_scale((300, 32_561), True, frame).ticks, "no round number"
    assert x_scale((2, 13), False, frame).ticks[-1] == 13
    assert linear_ticks(0, 32, 4) == [0, 10, 20, 30]
    assert linear_ticks(-1.4, 1.4, 5) == [-1, -0.5, 0, 0.5, 1]


# The plane


def test_of_several_mechanisms_at_one_point_of_the_plane_each_shows():
    """The last one hid the others: only its colour was there."""
    none = pd.DataFrame(columns=["mechanism", "epsilon", "x", "value"], dtype=float)
    at = pd.DataFrame(
        [("GRR", 68.2, 2.64), ("SS", 68.2, 2.64), ("SDGRR", 68.2, 2.64), ("uRR", 73.1, 2.19)],
        columns=["mechanism", "x", "value"],
    )
    drawn = charts.plane(none, None, at, None, at=1.0, blind=50.0, focus="GRR")
    sizes = {
        trace.name.removesuffix(" here"): trace.marker.size for trace in drawn.data if trace.name.endswith(" here")
    }
    assert sizes["SS"] > sizes["SDGRR"] > sizes["GRR"], "what is drawn later is smaller"
    assert sizes["uRR"] == sizes["GRR"]


def test_a_line_of_the_plane_ends_at_the_chosen_epsilon():
    """Nothing is drawn where no mechanism gets at this ε."""
    on_plane, here = curves_on_plane()
    figure = charts.plane(on_plane, None, here, None, at=1.0, blind=25, focus="uSS")
    solid, mark = trace(figure, "uRR"), trace(figure, "uRR here")
    assert solid.line.dash == "solid"
    assert (solid.x[-1], solid.y[-1]) == (mark.x[0], mark.y[0])
    assert not any("beyond" in drawn.name for drawn in figure.data)
    assert len(solid.x) < len(on_plane) / len(NAMES)


def test_marks_in_one_place_share_a_name():
    on_plane, here = curves_on_plane()
    here.loc[here["mechanism"] == "SDGRR", ["x", "value"]] = here.loc[0, ["x", "value"]].to_numpy()
    figure = charts.plane(on_plane, None, here, None, at=1.0, blind=25, focus="uSS")
    assert any("GRR and" in a.text and "SDGRR" in a.text for a in figure.layout.annotations)


def called_out(figure, width):
    """The boxes (left, bottom, right, top) of all names, where the figure is so wide, and the width of its plot."""
    margin, height = figure.layout.margin, figure.layout.height
    plot, high = width - margin.l - margin.r, height - margin.t - margin.b
    found = []
    for note in figure.layout.annotations:
        if note.showarrow and note.text:
            rows = [re.sub("<[^>]*>", "", row) for row in note.text.split("<br>")]
            wide, half = max(text_width(row, note.font.size) for row in rows), 6 * len(rows)
            x, y = note.x * plot + note.ax, note.y * high - note.ay
            left = x if note.xanchor == "left" else x - wide
            found.append((left, y - half, left + wide, y + half))
    return found, plot


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0])
def test_names_hide_one_another_neither_on_a_large_screen_nor_on_a_phone(epsilon):
    members, named = frontier.families(16, epsilon), frontier.known(16, epsilon)
    chosen = frontier.adaptive(16, epsilon).rename(columns={"protocol": "mechanism"})
    named = pd.concat([named, chosen[["mechanism", "mse", "exposure"]]])
    drawn = [part.assign(x=100 * part["exposure"], value=2 * np.sqrt(part["mse"])) for part in (members, named)]
    edge = pd.DataFrame({"x": drawn[1]["x"], "value": 2 * np.sqrt(frontier.edge(16, epsilon, named["exposure"]))})
    figure = charts.families(drawn[0].assign(said=""), drawn[1], edge.sort_values("x"), blind=100 / 16)
    for width in (968, 328):
        boxes, plot = called_out(figure, width)
        assert len(boxes) > 6
        for place, (left, bottom, right, top) in enumerate(boxes):
            assert 0 <= left <= right <= plot + 1, width
            for a, b, c, d in boxes[:place]:
                assert min(right, c) - max(left, a) <= 1 or min(top, d) - max(bottom, b) <= 1, width


# Release, histograms, pairs, dumbbells


def test_rows_show_what_was_published_the_truth_and_every_error():
    labels, marked, truth, estimate, interval, errors, band = survey(16)
    figure = charts.release(labels, marked, truth, estimate, interval, errors, band)
    np.testing.assert_allclose(np.sort(trace(figure, "sensitive").x), np.sort(estimate[marked] * 100))
    np.testing.assert_allclose(trace(figure, "truth").x, truth * 100)
    assert len(trace(figure, "errors").x) + len(trace(figure, "errors, sensitive").x) == errors.size
    assert trace(figure, "sensitive").marker.color == palette.LIGHT.sensitive
    assert len(figure.layout.yaxis.tickvals) == 16
    again = charts.release(labels, marked, truth, estimate, interval, errors, band)
    assert again.to_json() == figure.to_json()


def test_without_truth_there_is_nothing_internal():
    labels, marked, _, estimate, interval, _, band = survey(16)
    figure = charts.release(labels, marked, None, estimate, interval, None, band)
    assert "truth" not in figure.to_json()


def test_thousand_values_are_few_traces_without_marks():
    labels, marked, truth, estimate, interval, errors, band = survey(1000)
    figures = [
        charts.release(labels, marked, truth, estimate, interval, errors, band),
        charts.histogram(labels, truth, marked),
        charts.loss_heatmap(loss(1000, marked), marked),
    ]
    for figure in figures:
        assert len(figure.data) <= 8
        assert not [t for t in figure.data if "markers" in str(getattr(t, "mode", ""))]
    assert not figures[1].layout.xaxis.showticklabels
    assert np.shape(figures[2].data[0].z) == (2, 2)


def test_histogram_turns_names_only_when_it_must():
    few = charts.histogram(["yes", "no"], np.array([0.6, 0.4]), np.array([False, True]))
    many = charts.histogram(["a long enough name"] * 16, np.full(16, 1 / 16), MARKED)
    assert few.layout.xaxis.tickangle == 0
    assert many.layout.xaxis.tickangle == -50
    assert list(trace(few, "other").text) == ["60.0"]
    assert trace(few, "sensitive").marker.color == palette.LIGHT.sensitive


def test_names_from_data_are_text_not_markup():
    for figure in (
        charts.histogram(["<b>x</b>", "y"], np.array([0.6, 0.4]), np.array([False, True])),
        charts.release(
            ["<a href='x'>x</a>", "y"],
            np.array([True, False]),
            None,
            np.full(2, 0.5),
            (np.full(2, 0.4), np.full(2, 0.6)),
            None,
            np.full(2, 0.1),
        ),
    ):
        assert "<b>x</b>" not in figure.to_json()
        assert "<a href" not in figure.to_json()


def test_an_interval_splits_the_bars_at_its_ends():
    figure = charts.number_histogram(np.arange(5.0), np.array([4, 3, 2, 1]), [(0.5, 2)])
    marked = trace(figure, "sensitive")
    np.testing.assert_allclose(marked.x, [0.75, 1.5])
    np.testing.assert_allclose(marked.width, [0.5, 1])
    np.testing.assert_allclose(marked.y, [4, 3])
    assert charts.number_histogram(np.arange(5.0), np.ones(4)).layout.selectdirection == "h"


def test_pairs_have_three_tones_and_the_marked_rows_come_first():
    marked = np.array([False, True, False, True])
    figure = charts.loss_heatmap(loss(4, marked), marked, ["a", "b", "c", "d"])
    tones = np.asarray(figure.data[0].z, float)
    assert np.isnan(np.diag(tones)).all()
    assert (tones[0, 1:] == 0).all()  # b against all: bounded
    assert (tones[2, :2] == 1).all()  # a against b, d: may rule them out
    assert tones[2, 3] == tones[3, 2] == 2  # a and c: told apart
    assert figure.layout.shapes[0].y1 == 2
    assert "2.72 times" in figure.data[0].hovertext[0][1]
    assert "without bound" in figure.data[0].hovertext[2][3]


@pytest.mark.parametrize("marked", [np.zeros(80, bool), np.ones(80, bool)])
def test_pairs_with_nothing_or_everything_marked(marked):
    figure = charts.loss_heatmap(loss(80, marked), marked)
    assert np.shape(figure.data[0].z) == (1, 1)
    assert len(figure.layout.shapes) == int(marked.any())


def test_dumbbells_go_from_an_open_a_to_a_filled_b():
    figure = charts.dumbbells(
        ROWS.assign(b=lambda t: t["b"].where(t["mechanism"] != "GRR", t["a"])), [charts.DumbbellColumn("a", "b")]
    )
    line = trace(figure, "uSS")
    assert list(line.x) == [1.2, 1.5]
    assert list(line.marker.color) == [palette.LIGHT.page, palette.mark("uSS").light]
    assert set(trace(figure, "GRR").marker.color) == {palette.mark("GRR").light}
    texts = [a.text for a in figure.layout.annotations]
    assert "1.20" in texts
    assert "1.50" in texts


@SCHEMES
def test_icon_array_is_an_image_of_100_squares(dark):
    image = charts.icon_array(73, dark)
    svg = base64.b64decode(image.split("base64,")[1].split('"')[0]).decode()
    scheme = palette.scheme(dark)
    assert image.startswith("<img ")
    assert 'alt="73 of 100"' in image
    assert (svg.count(scheme.sensitive), svg.count(scheme.floor)) == (73, 27)
    quiet = base64.b64decode(charts.icon_array(73, dark, sensitive=False).split("base64,")[1].split('"')[0]).decode()
    assert scheme.sensitive not in quiet, "vermilion is for what is sensitive"
    almost = base64.b64decode(charts.icon_array(99.8, dark).split("base64,")[1].split('"')[0]).decode()
    assert almost.count(scheme.floor) == 1
