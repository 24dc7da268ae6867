"""The charts of two questions: every row is where its numbers are, and what is internal can be left out."""

import json

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from ldpapp import charts
from ldpapp.charts import ForestRow, SettingLine, palette
from ldpapp.charts.base import LABEL, text_width
from ldpapp.export import svg

SCHEMES = pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
ROWS = [
    ForestRow("first", True, 12.0, 4.0, 31.0, 9.0, 70.0, text="12 ± 13", more="−28 ± 9", sure=True, hover="first"),
    ForestRow("a group with a very long name that fits nowhere", raw=66.0, truth=8.0, instead="too few"),
    ForestRow("both", value=40.0, low=-np.inf, high=np.inf, bold=True, apart=True, text="40 ± 50"),
]
X = np.array([0.25, 1.0, 4.0])
LINES = [
    SettingLine("separate", pd.DataFrame({"x": X, "value": 12 / X}), 0, focus=True),
    SettingLine("as one", pd.DataFrame({"x": X, "value": 14 / X}), 1),
    SettingLine("open", pd.DataFrame({"x": X, "value": 2 / X}), 2),
]
MARKS = pd.DataFrame({"x": [1.0], "value": [11.0], "low": [6.0], "high": [20.0]})


def built(dark: bool = False) -> dict[str, go.Figure]:
    below = pd.DataFrame({"x": X, "value": 4 / X})
    return {
        "forest": charts.forest(ROWS, key="uSS", ends=(0, 100), unit="%", heads=("share", "− others"), dark=dark),
        "difference": charts.forest(ROWS[:2], key="uSS", ends=(-20, 40), zero=True, dark=dark),
        "settings": charts.setting_curves(
            LINES, MARKS, key="uSS", at=1.0, limit=below, limit_text="limit: none below", dark=dark
        ),
    }


@SCHEMES
@pytest.mark.parametrize("kind", built())
def test_they_are_valid_quiet_and_can_be_printed(kind: str, dark: bool) -> None:
    figure = built(dark)[kind]
    go.Figure(json.loads(figure.to_json()))  # validates every property
    assert "undefined" not in figure.to_json()
    assert figure.layout.dragmode is False
    assert "<path" in svg.render(figure, 400, "f", kind)


def notes(figure: go.Figure) -> list[str]:
    return [note.text for note in figure.layout.annotations]


def test_a_row_stands_where_its_numbers_are() -> None:
    figure = built()["forest"]
    traces = {trace.name: trace for trace in figure.data if trace.name not in ("truth", "raw reports")}
    assert list(traces["first interval"].x) == [4.0, 31.0]
    assert list(traces["first"].x) == [12.0]
    assert list(traces["both interval"].x) == [0.0, 100.0], "an end that is nowhere is that of the axis"
    truth = [trace for trace in figure.data if trace.name == "truth"]
    assert [(trace.x[0], trace.y[0]) for trace in truth] == [(9.0, 0), (8.0, 1)]
    raw = [trace for trace in figure.data if trace.name == "raw reports"]
    assert [(trace.x[0], trace.y[0]) for trace in raw] == [(70.0, 0), (66.0, 1)]
    assert "too few" in notes(figure)
    first = next(note for note in figure.layout.annotations if note.text == "first")
    assert first.font.color == palette.LIGHT.sensitive
    assert any(text.endswith("…") for text in notes(figure))
    assert len(figure.layout.shapes) == 1


def test_both_columns_of_numbers_stand_beside_one_another() -> None:
    texts = {note.text: note for note in built()["forest"].layout.annotations}
    assert {"share", "− others", "12 ± 13", "<b>−28 ± 9</b>", "<b>40 ± 50</b>"} <= set(texts)
    first, second = texts["12 ± 13"], texts["<b>−28 ± 9</b>"]
    assert second.xshift - first.xshift >= text_width("−28 ± 9", LABEL), "neither runs into the other"
    assert (texts["share"].xshift, texts["− others"].xshift) == (first.xshift, second.xshift)


def test_what_is_published_of_it_has_no_truth() -> None:
    public = charts.published(built()["forest"])
    assert "truth" not in {trace.name for trace in public.data}
    assert {"12 ± 13", "share"} <= set(notes(public)), "what a survey says is published"
    both = [ForestRow("estimate", text="−33"), ForestRow("truth", truth=-32.0, text="−32", internal=True)]
    drawn = charts.forest(both, key="uSS", ends=(-50, 0))
    assert set(notes(charts.published(drawn))) == {"estimate", "−33"}
    places = {note.text: note.x for note in built()["forest"].layout.annotations}
    moved = [ROWS[0], ForestRow("b", raw=66.0, truth=55.0, instead="too few", text="12")]
    other = {note.text: note.x for note in charts.forest(moved, key="uSS", ends=(0, 100)).layout.annotations}
    assert places["too few"] == other["too few"], "no place tells the truth"
    simulated = charts.published(built()["settings"])
    assert "simulated" not in {trace.name for trace in simulated.data}


def test_words_at_the_right_stand_beside_the_plot_however_narrow() -> None:
    row = ForestRow("estimate", value=-33.0, low=-45.0, high=-20.0, text="−33 ± 12", hover="x")
    figure = charts.forest([row], key="uSS", ends=(-50, 10), zero=True, width=300)
    assert figure.layout.margin.r >= text_width(row.text, LABEL)
    text = next(note for note in figure.layout.annotations if note.text == row.text)
    assert (text.x, text.xanchor, text.xref) == (1, "right", "paper")
    assert next(trace for trace in figure.data if trace.name == "zero").x == (0, 0)


def test_lines_of_settings_differ_and_the_marks_belong_to_the_one_in_focus() -> None:
    figure = built()["settings"]
    drawn = {trace.name: trace for trace in figure.data}
    assert len({drawn[each.name].line.dash for each in LINES}) == 3
    assert drawn["open"].line.color == palette.LIGHT.ink
    assert drawn["separate"].line.width > drawn["as one"].line.width
    assert list(drawn["simulated"].y) == [11.0]
    assert list(drawn["simulated"].error_y.array) == [9.0]
    assert {each.name for each in LINES} <= {text.replace("<b>", "").replace("</b>", "") for text in notes(figure)}


def test_an_axis_of_half_a_decade_has_more_than_two_ticks() -> None:
    points = pd.DataFrame({"x": [0.5, 1.0, 2.0], "value": [9.0, 7.0, 5.0]})
    line = charts.SettingLine("separate", points, 0, False, True, "± 7")
    none = pd.DataFrame({"x": [], "value": [], "low": [], "high": []})
    drawn = charts.setting_curves([line], none, key="uSS", at=1.0)
    assert len(drawn.layout.yaxis.tickvals) >= 3
