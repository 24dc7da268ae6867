"""The first row of the Means view: where it is sensitive, the error with its limit; and the simulation."""

from functools import partial
from itertools import chain

import numpy as np
import pandas as pd
import streamlit as st

from ldpapp import bind, charts, compute, filling, looks, session, widgets
from ldpapp.language import t
from ldpapp.panels import Chart, Control, Filling, Menu, Panel, Sheet
from ldpapp.tasks.means import axes, exposed, findings, floors
from ldpapp.tasks.means import data as means_data
from ldpapp.tasks.means import marks as means_marks
from ldpapp.tasks.means.view import View
from ldpcore.study import summary

# where it is sensitive -----------------------------------------------------------------------------------------------


def histogram(view: View) -> Panel:
    edges = np.linspace(view.data.interval.low, view.data.interval.high, min(view.data.bins, 40) + 1)
    numbers = view.data.interval.decode(view.data.points)
    counts = np.histogram(numbers, edges, weights=view.data.counts)[0]
    rows = pd.DataFrame({"from": edges[:-1], "to": edges[1:], "people": counts.astype(int)})
    figure = charts.number_histogram(
        edges, counts, view.marked, brush=True, dark=widgets.is_dark(), height=192, width=434
    )
    # A new key after every brush: the old selection would stay on the new figure.
    key = f"chart_means_{view.study.column}_{looks.look('means_brushes', 0)}"
    brush = {"selection_mode": "box", "on_select": partial(means_marks.brushed, key, view.data)}
    alt = t("Histogram of {column}; drag over it to choose an interval.", column=view.study.column)
    return Panel(
        "means_marks",
        t("Where it is sensitive"),
        [Control(partial(means_marks.pending, view)), Chart(figure, alt, key=key, options=brush)],
        head=[
            Menu(t("intervals"), partial(means_marks.menu, view), "means_intervals"),
            Sheet(rows, "histogram", key="means_histogram"),
        ],
    )


# error -------------------------------------------------------------------------------------------------------------


def error(view: View) -> Panel:
    lines, marks = drawn(view)
    at = axes.scale(view.axis) * view.at
    what = findings.error_drawn(view.unit.key, view.study.repetitions, view.axis, at)
    below, text = floors.floor(view)
    name = next(means_data.named(*pair) for pair in view.pairs if pair[0] == view.focus)
    axis = axes.names()[view.axis]
    figure = charts.error_curves(
        lines, marks, limit=below, limit_text=text, focus=name, at=at, unit=view.unit.name,
        x_name=axis, log_x=view.axis != "share", dark=widgets.is_dark(), height=222, width=500,
    )  # fmt: skip
    alt = t("{what} One line for each mechanism and estimate.", what=what)
    both = lines.merge(marks.rename(columns={"value": "simulated"}), how="outer", on=["mechanism", "x"])
    return Panel(
        "means_error",
        t("Error against {axis}", axis=axis),
        [Chart(figure, alt, text)],
        Filling(view.data, [view.point, view.curves], t("surveys"), what),
        [
            Menu(findings.units()[view.unit.key].partition(" (")[0], partial(_error_menu, view), "means_unit_menu"),
            Sheet(both.rename(columns={"x": axes.COLUMNS[view.axis], "value": "error"}), "error"),
        ],
    )


def drawn(view: View) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Lines [mechanism, x, value], and marks of simulated surveys beside them; those of the chosen point come first."""
    lines = means_data.lines(view.lines[view.lines["x"] > 0], view.pairs, view.unit)
    simulated = pd.concat([view.at_point, compute.kept(view.curves, view.data)], ignore_index=True)
    simulated = simulated.drop_duplicates(["mechanism", "metric", "scope", "x", "repetition"])
    wanted = simulated["metric"].isin({f"mse:{how}" for _, how in view.pairs}) & (simulated["x"] > 0)
    own = simulated[wanted & (simulated["arm"] == view.study.arms[0].name)]
    marks = means_data.marks(summary(view.curves, view.data, own), view.pairs, view.unit)
    lines = pd.concat([lines, means_data.fitted(marks, lines)], ignore_index=True)
    order = {means_data.named(*pair): place for place, pair in enumerate(view.pairs)}
    lines = lines.sort_values(["mechanism", "x"], key=lambda c: c.map(order) if c.name == "mechanism" else c)
    scale = axes.scale(view.axis)
    return lines.assign(x=scale * lines["x"]), marks.assign(x=scale * marks["x"])


def _error_menu(view: View) -> None:
    looks.radio(t("Error as"), findings.units(), "means_unit")
    names = axes.names()
    bind.bound(
        st.radio, t("Against"), list(names), key="means_axis", value=view.axis, format_func=names.get,
        change=lambda axis: session.change("means", axis=axis),
    )  # fmt: skip


# simulation ----------------------------------------------------------------------------------------------------------


def simulate(view: View) -> None:
    """What is still to be computed: surveys at the chosen point, the limit, EM where people choose, lines."""
    here, chosen, along = (compute.surveys(s, view.data) for s in (view.point, exposed.fitted(view), view.curves))
    filling.steps(chain(here, floors.work(view), chosen, along), view.curves)
