"""The Clusters page's tables and figures."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from ldpapp import charts
from ldpapp.parts import curve_words
from ldpcore import data
from ldpcore.catalog import CLUSTERINGS
from ldpcore.study import Source, Study, curves, summary
from ldpcore.study.skeleton import CELL

POINTS = pd.DataFrame(
    [
        (name, x, value, value - 3, value + 3)
        for name, values in (("LDPK", (60, 80, 90)), ("Fresh", (55, 75, 85)))
        for x, value in zip((0.2, 1.0, 4.0), values, strict=True)
    ],
    columns=["mechanism", "x", "value", "low", "high"],
)


def valid(figure: go.Figure) -> go.Figure:
    """The figure, once Plotly's own validation has passed, which the builders skip for speed."""
    go.Figure(figure.to_dict())
    return figure


def texts(figure: go.Figure) -> str:
    return " ".join(note.text for note in figure.layout.annotations)


@pytest.mark.parametrize("dark", [False, True])
def test_scores(dark):
    figure = valid(
        charts.score_curves(
            POINTS,
            focus="LDPK",
            at=1.0,
            best=100,
            say=lambda v: f"{v:.0f} of 100",
            reference=(62, "start 62"),
            dark=dark,
        )
    )
    assert "start 62" in texts(figure)
    assert "ε = 1" in texts(figure)
    low, high = figure.layout.yaxis.range
    assert low < 52 < 100 <= high
    line = next(trace for trace in figure.data if trace.name == "LDPK")
    assert list(line.y) == [60, 80, 90]
    assert "80 of 100" in line.hovertext[1]
    bars = next(trace for trace in figure.data if trace.name == "Fresh interval")
    assert list(bars.error_y.array) == list(bars.error_y.arrayminus) == [3, 3, 3]


def test_scores_while_nothing_is_simulated():
    assert valid(charts.score_curves(POINTS[:0], focus="LDPK", at=1.0, best=0, say=str)).layout.yaxis.range


def test_leaks():
    rows = [("LDPK", np.array([80.0, 60.0])), ("Pairs", None), ("Fresh", np.array([48.0, 47.0]))]
    figure = valid(charts.trace_leaks(rows, blind=47, promised=70, epsilon="1"))
    assert "blind guess 47" in texts(figure)
    assert "ε = 1 allows 70" in texts(figure)
    assert "≤ 70" in texts(figure)
    mean = next(trace for trace in figure.data if trace.name == "LDPK mean")
    assert list(mean.x) == [70]
    band = next(trace for trace in figure.data if trace.name == "band")
    assert (list(band.base), list(band.x)) == ([47] * len(rows), [23] * len(rows))
    said = " ".join(str(trace.hovertext) for trace in figure.data if trace.hovertext)
    assert "covered: at most 70 of 100" in said
    assert "60 to 80 of 100" in said
    covered = {"LDPK": "first report protected", "Fresh": "all protected"}
    named = charts.trace_leaks(rows, blind=47, promised=70, epsilon="1", covered=covered)
    below = {note.text: note.y for note in named.layout.annotations if note.text in (*covered, *covered.values())}
    assert [below[name] for name in covered] == [below[what] for what in covered.values()], "each beside its name"
    assert named.layout.xaxis.ticktext[-1].endswith(" %")


def test_a_method_that_leaves_columns_open_has_bounds_of_its_own():
    rows = [("LDPK", np.array([80.0])), ("Graded", np.array([77.0])), ("LDPK-open", np.array([82.0]))]
    apart = dict.fromkeys(("Graded", "LDPK-open"), (76, 89))
    figure = valid(charts.trace_leaks(rows, blind=47, promised=70, epsilon="1", apart=apart))
    band, most = (next(trace for trace in figure.data if trace.name == name) for name in ("band", "promise"))
    assert (list(band.base), list(band.x)) == ([47, 76, 76], [23, 13, 13])
    assert [x for x in most.x if x is not None] == [70, 70, 89, 89, 89, 89]
    assert [note.text for note in figure.layout.annotations if "allows" in note.text] == [
        "ε = 1 allows 70",
        "allows 89",
    ]
    alone = charts.trace_leaks(rows[1:], blind=47, promised=70, epsilon="1", apart=apart)
    assert "blind guess 47" not in texts(alone), "nobody is bounded so"


def test_where_no_report_names_more_than_a_blind_guess_one_text_says_so():
    """Of many answers and a small ε no report is better; two texts at one place could not be read."""
    figure = valid(charts.trace_leaks([("Fresh", np.array([45.0]))], blind=45, promised=45, epsilon="1"))
    assert "blind guess 45, and ε = 1 allows no more" in texts(figure)
    above = charts.trace_leaks([("Fresh", np.array([44.0, 45.0]))], blind=45, promised=45.3, epsilon="1")
    assert "blind guess 45, ε = 1 allows 46" in texts(above), "as in the headline: a bound is never rounded down"
    close = charts.trace_leaks([("LDPK", np.array([90.0]))], blind=45, promised=47, epsilon="1").layout.annotations
    ends = {each.text: each.xanchor for each in close if "blind" in each.text or "allows" in each.text}
    assert ends == {"blind guess 45": "right", "ε = 1 allows 47": "left"}


def test_names_are_plain_text():
    figure = charts.trace_leaks([("<b>x</b>", np.array([50.0]))], blind=40, promised=60, epsilon="1")
    assert "&lt;b&gt;" in texts(figure)


@pytest.mark.parametrize("runs", [2, 3, 4])
def test_few_repetitions_have_no_interval(runs):
    """Two starts 5 points apart would have one of ±32; and where there is one, it is within the possible."""
    values = (0.90, 0.95, 0.93, 0.91)[:runs]
    rows = pd.DataFrame([("LDPK", 1.0, "ac", "all", v) for v in values], columns=[*CELL, "value"])
    summed = summary(Study(Source("health"), "sex", task="clusters"), None, rows)
    (found,) = curves.means(summed, "ac", enough=curve_words.ENOUGH, factor=100).itertuples()
    assert found.value == pytest.approx(100 * np.mean(values))
    assert 0 <= found.low <= found.value <= found.high <= 100
    assert (found.low < found.value < found.high) == (runs >= curve_words.ENOUGH)
    assert ("95" in curve_words.said(runs, "start")) == (runs >= curve_words.ENOUGH)


def test_every_method_has_a_look_and_a_group():
    from ldpapp.charts import palette
    from ldpcore.study.clusters import curves

    assert {key for keys in curves.groups().values() for key in keys} == set(CLUSTERINGS)
    assert set(CLUSTERINGS) <= set(palette.marks())


def test_the_usual_columns_are_the_first_six_with_more_than_two_values():
    from ldpcore.study import clusters

    found = clusters.usual(data.load("census"))
    assert found == ("workclass", "education", "marital-status", "occupation", "relationship", "race")
