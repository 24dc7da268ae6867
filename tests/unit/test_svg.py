"""The renderer: places in px, marks, and that it refuses what it would have to leave out."""

import xml.etree.ElementTree as ET

import numpy as np
import plotly.graph_objects as go
import pytest

from ldpapp import charts
from ldpapp.export import svg
from tests.each import for_each

NS = "{http://www.w3.org/2000/svg}"
LAYOUT = {
    "height": 120,
    "margin": {"l": 20, "r": 10, "t": 10, "b": 10},
    "xaxis": {"range": [0, 10], "tickvals": [0, 10], "ticktext": ["0", "ten"]},
    "yaxis": {"range": [0, 4], "tickvals": [2], "ticktext": ["two <b>&lt;</b>"]},
}


def drawn(*traces: dict, width: float = 130, **layout) -> ET.Element:
    figure = go.Figure({"data": list(traces), "layout": LAYOUT | layout}, _validate=False)
    return ET.fromstring(svg.render(figure, width, "f", "what it says"))


def test_a_mark_stands_where_its_numbers_say():
    found = drawn({"type": "scatter", "mode": "markers", "x": [5.0], "y": [1.0], "marker": {"size": 6, "color": "red"}})
    circle = next(found.iter(f"{NS}circle"))
    # 20 + 5/10 of 100 px across; 110 − 1/4 of 100 px up.
    assert (circle.get("cx"), circle.get("cy"), circle.get("r"), circle.get("fill")) == ("70", "85", "3", "red")
    assert found.get("aria-label") == "what it says"


def test_a_log_axis_and_gaps():
    line = {"type": "scatter", "mode": "lines", "x": [1, 10, None, 100], "y": [1, 2, 3, 0], "line": {"width": 1}}
    found = drawn(line, xaxis={"range": [0, 2], "type": "log", "tickvals": [10]})
    ways = [path.get("d") for group in found.iter(f"{NS}g") for path in group]
    assert ways == ["M20,85L70,60M120,110"]


def test_bars_lie_stack_and_stand_on_their_base():
    bar = {"type": "bar", "orientation": "h", "x": [4.0], "y": [2.0], "width": 1, "marker": {"color": "#123456"}}
    found = [rect for rect in drawn(bar | {"base": 1.0}).iter(f"{NS}rect") if rect.get("fill") == "#123456"]
    assert [found[0].get(name) for name in ("x", "y", "width", "height")] == ["30", "47.5", "40", "25"]
    upright = {"type": "bar", "x": [5.0], "y": [1.0], "width": 2, "marker": {"color": "#123456"}}
    found = [rect for rect in drawn(upright, upright, barmode="stack").iter(f"{NS}rect") if rect.get("fill")]
    assert [rect.get("y") for rect in found] == ["85", "60"]


def test_a_heatmap_has_its_scale_s_colours():
    scale = [[0, "#000000"], [1, "#FFFFFF"]]
    cells = {"type": "heatmap", "z": np.array([[0.0, 1.0], [np.nan, 1.0]]), "x": [2.5, 7.5], "y": [1, 3]}
    found = drawn(cells | {"colorscale": scale, "showscale": False})
    colors = {
        path.get("fill"): path.get("d").count("M") for path in found.iter(f"{NS}path") if path.get("fill") != "none"
    }
    assert colors == {"#000000": 1, "#ffffff": 2}


def test_texts_are_written_once_and_escaped():
    note = {"text": "a<br>b<sup>2</sup> &amp; <span style=\"color:#D1390B\">c</span>", "x": 0.5, "y": 0.5,
            "xref": "paper", "yref": "paper", "showarrow": False}  # fmt: skip
    found = drawn(annotations=[note])
    texts = ["".join(text.itertext()) for text in found.iter(f"{NS}text")]
    assert texts == ["0", "ten", "two <", "ab2 & c"]


@for_each(
    ("trace", "layout"),
    [
        ({"type": "pie", "values": [1]}, {}),
        ({"type": "scatter", "mode": "lines+text", "x": [1], "y": [1]}, {}),
        ({"type": "scatter", "mode": "markers", "x": [1], "y": [1], "marker": {"symbol": "hourglass"}}, {}),
        ({"type": "scatter", "mode": "lines", "x": [1, 2], "y": [1, 2], "line": {"shape": "spline"}}, {}),
        ({"type": "scatter", "x": [1], "y": [1], "stackgroup": "one"}, {}),
        ({"type": "heatmap", "z": [[1.0]], "x": [1], "y": [1], "colorscale": [[0, "#000000"], [1, "#FFFFFF"]]}, {}),
        ({"type": "scatter", "x": [1], "y": [1]}, {"showlegend": True}),
        ({"type": "scatter", "x": [1], "y": [1]}, {"title": {"text": "a title"}}),
        ({"type": "scatter", "x": [1], "y": [1]}, {"shapes": [{"type": "circle", "x0": 0, "x1": 1, "y0": 0, "y1": 1}]}),
        ({"type": "scatter", "x": [1], "y": [1]}, {"annotations": [{"text": "an arrow", "x": 1, "y": 1}]}),
        ({"type": "scatter", "x": [1], "y": [1]}, {"xaxis": {"range": [0, 1], "rangeslider": {"visible": True}}}),
    ],
)
def test_what_it_does_not_know_it_refuses(trace: dict, layout: dict):
    with pytest.raises(svg.Unknown):
        drawn(trace, **layout)


def test_what_is_published_has_no_internal_trace_or_note():
    shares = np.array([0.6, 0.3, 0.1])
    figure = charts.release(
        ["a", "b", "c"], np.array([True, False, False]), shares, shares + 0.01, (shares - 0.05, shares + 0.05),
        np.zeros((2, 3)), np.full(3, 0.05),
    )  # fmt: skip
    before, after = ({trace.name for trace in each.data} for each in (figure, charts.published(figure)))
    assert before - after == {"truth", "errors", "errors, sensitive"}
    assert {"interval", "band"} <= after
