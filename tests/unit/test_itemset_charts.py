"""The figures of the Itemsets view hold what they are given, and Plotly accepts them."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from ldpapp import charts
from ldpapp.charts import itemsets
from tests.each import for_each


def ranked(n):
    return pd.DataFrame({"itemset": [(f"item {i}", "<b>milk</b>") for i in range(n)], "count": np.arange(n, 0, -1)})


@for_each("dark", [False, True])
@for_each("n", [0, 1, 326, 4031])
def test_a_strip_is_valid(n, dark):
    figure = charts.mined_strip(ranked(n), [float("nan")] * n, 3 * n + 5, "DFDP", dark=dark)
    go.Figure(figure.to_dict())


def test_every_set_has_its_stripe():
    published = [np.nan, 7.0, np.nan, 3.0]
    figure = charts.mined_strip(ranked(4), published, 0, "Capped")
    (stripes,) = figure.data
    assert list(stripes.z[0]) == [0, 1, 0, 1]
    assert "missed" in stripes.hovertext[0][0]
    assert "published: 7" in stripes.hovertext[0][1]
    assert "&lt;b&gt;" in stripes.hovertext[0][0], "labels are the user's data, never markup"


def test_many_sets_become_bars_as_high_as_the_share_found():
    found = stream = np.zeros(4031)
    stream[:1000] = 5.0
    published = np.where(found > 0, found, np.nan)
    figure = charts.mined_strip(ranked(4031), published, 0, "Capped")
    whole, share = figure.data
    assert sum(np.asarray(share.y) / itemsets.STRIPE * np.asarray(share.width)) == pytest.approx(1000)
    assert sum(whole.width) == 4031


def test_false_sets_stand_below_at_the_same_scale():
    figure = charts.mined_strip(ranked(100), [1.0] * 100, 250, "DFDP")
    rows = [trace.x for trace in figure.data if trace.name == "false"]
    assert [row[1] for row in rows] == [100, 100, 50]
    many = charts.mined_strip(ranked(100), [1.0] * 100, 10_000, "DFDP")
    rows = [trace for trace in many.data if trace.name == "false"]
    assert len(rows) == itemsets.ROWS
    assert rows[-1].line.dash != "solid", "the last row says that there are more"


def test_scores_by_length_leave_out_what_is_undefined():
    rows = pd.DataFrame(
        {
            "mechanism": ["DFDP", "DFDP", "Capped", "Capped", "Capped"],
            "length": [1, 2, 1, 2, 3],
            "f": [0.5, 0.2, 0.9, np.nan, np.nan],
            "true": [10, 20, 10, 20, 0],
        }
    )
    figure = charts.scores_by_length(rows)
    go.Figure(figure.to_dict())
    dots = {trace.name: list(trace.y) for trace in figure.data if trace.mode == "markers"}
    assert dots == {"DFDP": [0.5, 0.2], "Capped": [0.9]}
    assert list(figure.layout.xaxis.ticktext) == ["1", "2"], "short enough for any number of lengths"
    assert "10 are true" in next(trace for trace in figure.data if trace.name == "DFDP").hovertext[0]


def test_numerals_stand_inside_their_bars_only_where_a_phone_has_room():
    rows = [charts.Mined("same total", "DFDP", 900, 12), charts.Mined("same total", "Capped", 130, 3)]
    figure = charts.mined_bars(rows, 1000)
    place = {note.text: note.x for note in figure.layout.annotations}
    assert (place["<b>900</b>"], place["<b>130</b>"]) == (0, 130)


def test_strips_beside_one_another_are_as_high():
    """Room for the false sets of the fullest, and no more."""
    few, many = (charts.mined_strip(ranked(4), [np.nan] * 4, false, "DFDP", most=9) for false in (0, 9))
    assert few.layout.height == many.layout.height == 36 + 4 + 3 * 6, "three rows of four hold nine"
    assert charts.mined_strip(ranked(4), [np.nan] * 4, 0, "DFDP").layout.height == 36 + 4
