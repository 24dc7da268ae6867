"""A larger picture is the same picture: every length is larger, and nothing else."""

import numpy as np
import pandas as pd
import pytest

from ldpapp import charts


def _figures():
    x = np.array([0.1, 1.0, 4.0])
    lines = pd.DataFrame(
        {"mechanism": np.repeat(["GRR", "uSS"], 3), "x": np.tile(x, 2), "value": [9.0, 3, 1, 5, 2, 0.5]}
    )
    marks = lines.assign(low=lines["value"] * 0.8, high=lines["value"] * 1.2)
    limit = pd.DataFrame({"x": x, "value": [4.0, 1.5, 0.4]})
    yield charts.error_curves(
        lines, marks, focus="uSS", at=1.0, limit=limit, limit_text="limit: none below", dark=False
    )
    yield charts.histogram(["a", "b"], np.array([0.7, 0.3]), np.array([True, False]), dark=True)
    yield charts.number_histogram(
        np.array([0.0, 1, 2]), np.array([3, 4]), [(0.0, 1.0)], dark=False, height=100, width=300
    )


def _paths(part, at=()):
    if isinstance(part, dict):
        for key, value in part.items():
            yield from _paths(value, (*at, key))
    elif isinstance(part, (list, tuple)) and part and isinstance(part[0], dict):
        for place, value in enumerate(part):
            yield from _paths(value, (*at, place))
    else:
        yield at, part


LENGTHS = {"size", "height", "l", "r", "t", "b", "xshift", "yshift", "thickness", "ticklen", "borderpad"}


@pytest.mark.parametrize("figure", list(_figures()))
def test_lengths_grow_and_data_stay(figure):
    before, after = (dict(_paths(each.to_plotly_json())) for each in (figure, charts.scaled(figure, 2.0)))
    assert set(before) <= set(after)
    for path, value in before.items():
        name = path[-1]
        if name in LENGTHS and isinstance(value, (int, float)):
            assert after[path] == 2 * value, path
        elif name in ("x", "y") and path[0] == "data":
            assert np.array_equal(np.asarray(after[path]), np.asarray(value)), path
        elif name == "width" and path[-2] in ("line", "error_y"):
            assert after[path] == 2 * value, path
        elif name == "width" and path[0] == "data":  # of a bar: in the units of its axis
            assert np.array_equal(np.asarray(after[path]), np.asarray(value)), path
        elif name == "ticklabelstandoff":
            assert isinstance(after[path], int), "Plotly forgets a broken number"


def test_as_large_as_it_is_it_stays():
    figure = next(_figures())
    assert charts.scaled(figure, 1.0) is figure
