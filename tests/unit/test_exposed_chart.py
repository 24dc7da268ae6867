"""Who is exposed: the axis holds every mark and interval, whichever way it errs."""

import base64
import html
import re

import numpy as np
import pandas as pd
import pytest

from ldpapp import charts
from ldpapp.charts.apart import WIDTH
from ldpapp.charts.base import text_width
from ldpapp.charts.exposed import ExposedColumn

QUESTIONS = [ExposedColumn("one", "one", "one, low", "one, high"), ExposedColumn("two", "two", "two, low", "two, high")]


def rows(lowest: float) -> pd.DataFrame:
    one = pd.DataFrame({"mechanism": ["Wheel", "suWheel"], "one": [60.0, 70.0], "one, low": 55.0, "one, high": 75.0})
    return one.assign(**{"two": [lowest, np.nan], "two, low": [lowest - 4, np.nan], "two, high": [lowest + 4, np.nan]})


@pytest.mark.parametrize(("lowest", "begin"), [(80.0, 40), (49.0, 40), (38.0, 30), (20.0, 10), (4.0, -10)])
def test_the_axis_begins_below_all_that_it_shows(lowest, begin):
    figure = charts.exposed(rows(lowest), QUESTIONS, focus="Wheel")
    for axis in (figure.layout.xaxis, figure.layout.xaxis2):
        assert axis.range[0] == begin
        assert list(axis.tickvals) == [v for v in (0, 25, 50, 75, 100) if v >= begin]
    interval = next(t for t in figure.data if t.name == "Wheel" and t.xaxis == "x2" and t.mode == "lines")
    assert list(interval.x) == [lowest - 4, lowest + 4]


def test_all_that_is_said_of_who_is_told_apart_stands_inside_the_image() -> None:
    """Also beside the most that can be: an interval right of ">99" was cut in half, on the page that is signed."""
    for own, every in ((0.5, 0.5), (0.94, 0.98), (0.999, 0.9999), (1.0, 1.0)):
        for half in (0.03, 0.2):
            image = base64.b64decode(
                re.findall(r"base64,([^\"]*)", charts.apart(own, every, "", half=half))[0]
            ).decode()
            texts = re.findall(
                r"<text x='([\d.]+)'[^>]*text-anchor='start'[^>]*font-size='([\d.]+)'[^>]*>([^<]*)<", image
            )
            assert len(texts) == 2
            ends = [float(x) + text_width(html.unescape(said), float(size)) for x, size, said in texts]
            assert max(ends) < WIDTH, texts
