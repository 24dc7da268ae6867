"""Charts of the Ranges view: valid, with the data they are given, the chosen range in ink, names as text."""

import json
from functools import cache

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from ldpapp import charts
from ldpapp.charts import palette
from tests.each import told

SCHEMES = pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
NAMES = ["Privelet", "Flat", "Boost", "Binary tree", "Best tree"]
LABELS = [f"v{i}" for i in range(12)]
COUNTS = np.arange(12.0)


def lines(x):
    parts = [pd.DataFrame({"mechanism": n, "x": x, "value": np.sqrt(x) + i}) for i, n in enumerate(NAMES)]
    return pd.concat(parts, ignore_index=True)


def rows():
    value = 100 + np.arange(5.0)
    return pd.DataFrame({"mechanism": NAMES, "value": value, "half": 6.4})


def maps():
    z = np.where(np.tri(12, dtype=bool), np.arange(144.0).reshape(12, 12), np.nan)
    return {"Privelet": z, "Flat": 2 * z}


def error_maps(dark=False, labels=LABELS):
    ticks = [(0, labels[0]), (11, labels[11])]
    said = {"Privelet": "±1", "Flat": "±2"}
    return charts.error_maps(maps(), labels, labels, chosen=(2, 5), said=said, ticks=ticks, dark=dark)


def experiment():
    value = np.linspace(0.8, 1.2, 50)
    table = {"length": np.arange(50) + 1, "value": value, "low": value - 0.3, "high": value + 0.4}
    return pd.DataFrame(table | {"name": [f"cells 1 to {i}" for i in range(50)]})


@cache
def builders(dark):
    n = 2.0 ** np.arange(15)
    limits = {"Privelet": 6.0, "Flat": 0.0}
    return {
        "histogram": charts.range_histogram(COUNTS, LABELS, LABELS, (3, 6), dark=dark),
        "ticks": charts.range_histogram(COUNTS, LABELS, LABELS, (3, 3), ticks=[(0.5, "10")], dark=dark),
        "releases": charts.range_releases(rows(), 101.0, dark=dark),
        "maps": error_maps(dark),
        "averages": charts.average_errors(
            lines(n), focus="Privelet", at=128.0, crossings={"Privelet": 512.0}, dark=dark
        ),
        "indices": charts.accuracy_indices(lines(np.arange(1.0, 41)), limits, focus="Privelet", at=7.0, dark=dark),
        "experiment": charts.experiment_ratios(experiment(), focus="Privelet", dark=dark),
    }


@SCHEMES
def test_figures_are_valid_quiet_and_without_vermilion(dark):
    for kind, figure in builders(dark).items():
        with told(f"kind = {kind!r}"):
            text = figure.to_json()
            layout = go.Figure(json.loads(text)).layout  # validates every property
            assert "undefined" not in text
            assert layout.height
            assert layout.showlegend is False
            assert layout.paper_bgcolor == layout.plot_bgcolor == "rgba(0,0,0,0)"
            assert layout.dragmode == ("select" if kind in ("histogram", "ticks") else False)
            assert palette.scheme(dark).sensitive not in text


@SCHEMES
def test_the_chosen_range_is_in_ink(dark):
    figure = builders(dark)["histogram"]
    chosen = next(t for t in figure.data if t.name == "chosen")
    assert chosen.marker.color == palette.scheme(dark).ink
    assert list(chosen.x) == [2.5, 3.5, 4.5, 5.5]
    assert list(chosen.y) == [2, 3, 4, 5]
    assert sum(len(t.x) for t in figure.data) == 12


def test_maps_share_one_scale_and_mark_the_range():
    figure = error_maps()
    heat = [t for t in figure.data if t.type == "heatmap"]
    assert len(heat) == 2
    assert {(t.zmin, t.zmax) for t in heat} == {(0, 286.0)}
    ring = next(t for t in figure.data if t.name == "chosen")
    assert (ring.x[0], ring.y[0]) == ("v2", "v5")


def test_names_are_text_not_markup():
    labels = ["<b>x</b>", *LABELS[1:]]
    assert "<b>x</b>" not in error_maps(labels=labels).to_json()
    assert "<b>x</b>" not in charts.range_histogram(COUNTS, labels, labels, (1, 2)).to_json()


def test_lines_rings_and_limits():
    figures = builders(False)
    ring = next(t for t in figures["averages"].data if t.name == "Privelet overtakes")
    assert ring.x[0] == 512
    assert ring.y[0] == pytest.approx(np.sqrt(512) + 1)  # on the line of the flat histogram
    notes = [a.text for a in figures["averages"].layout.annotations]
    assert "512" in notes
    assert "N = 128" in notes
    assert "Flat → 0" in [a.text for a in figures["indices"].layout.annotations]
    assert {t.name for t in figures["indices"].data} >= {"limit 0", "limit 6", *NAMES}


def test_releases_show_value_margin_and_truth():
    figure = builders(False)["releases"]
    texts = [a.text for a in figure.layout.annotations]
    assert "true 101" in texts
    assert "104 ±6.40" in texts
    interval = next(t for t in figure.data if t.name == "Flat interval")
    assert list(interval.x) == pytest.approx([101 - 6.4, 101 + 6.4])
