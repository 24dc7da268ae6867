"""The planner's chart of a survey: every question's line, the worst thick; marks where the people are enough."""

import html
from typing import Any

import pandas as pd
import pytest
from plotly.graph_objects import Figure

from ldpapp import charts
from ldpapp.charts.palette import FOCUS_LINE
from ldpapp.export import svg

CURVES = pd.DataFrame(
    [(name, x, n * 1000 / x**2) for name, n in (("HIV <b>", 4), ("income", 2)) for x in (0.2, 1.0, 4.0, 8.0)],
    columns=["mechanism", "x", "value"],
)


@pytest.mark.parametrize("dark", [False, True])
def test_lines_marks_and_people(dark: bool) -> None:
    enough = {"HIV <b>": 1.2, "income": 0.8}
    figure = charts.needs(
        CURVES, worst="HIV <b>", people=3000, enough=enough, key="uSS", apart=lambda x: f"{50 + x:.0f}", dark=dark
    )
    Figure(figure.to_plotly_json())  # every property is one of Plotly's
    traces: Any = figure.data
    drawn = {trace.name: trace for trace in traces}
    assert drawn["HIV &lt;b&gt;"].line.width == FOCUS_LINE > drawn["income"].line.width
    for name, epsilon in enough.items():
        mark = drawn[f"{html.escape(name)}: enough"]
        assert (mark.x[0], mark.y[0]) == (epsilon, 3000)
        assert "<b>" not in mark.hovertext[0]
    assert list(drawn["rule"].x) == [1.2, 1.2]
    assert list(drawn["people"].y) == [3000, 3000]
    layout: Any = figure.layout
    ticks = dict(zip(layout.xaxis.tickvals, layout.xaxis.ticktext, strict=True))
    assert all(f">{50 + x:.0f}<" in text for x, text in ticks.items())
    assert "3" in svg.render(figure, 300, "f", "needs")


def test_where_no_epsilon_is_enough_there_is_no_rule() -> None:
    figure = charts.needs(CURVES, worst="income", people=3000, enough={}, key="uSS")
    traces: Any = figure.data
    assert {trace.name for trace in traces} == {"HIV &lt;b&gt;", "income", "people"}
