"""The first row of the Means view: where it is sensitive, error against ε with its limit; and the simulation."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
import streamlit as st

from ldpapp import charts, compute, filling, widgets, words
from ldpapp.looks import look
from ldpapp.tasks.means import cached as means_cached
from ldpapp.tasks.means import data as means_data
from ldpapp.tasks.means import exposed as means_exposed
from ldpapp.tasks.means import findings as means_findings
from ldpapp.tasks.means import marks as means_marks
from ldpapp.tasks.means import study as own
from ldpapp.tasks.means.view import DENSE, View
from ldpcore.study import summary

UNITS = {"typical": "typical error (√MSE)", "mse": "MSE in the column’s units", "scaled": "MSE on [−1, 1]"}


# where it is sensitive -----------------------------------------------------------------------------------------------


def histogram(view: View) -> None:
    edges = np.linspace(view.data.interval.low, view.data.interval.high, min(view.data.bins, 40) + 1)
    numbers = view.data.interval.decode(view.data.points)
    counts = np.histogram(numbers, edges, weights=view.data.counts)[0]
    with widgets.panel("means_marks", "Where it is sensitive", None) as slot:
        means_marks.menu(slot, view)
        with slot:
            rows = pd.DataFrame({"from": edges[:-1], "to": edges[1:], "people": counts.astype(int)})
            widgets.as_table("means_histogram", rows, "histogram")
        means_marks.pending(view)
        figure = charts.number_histogram(
            edges, counts, view.marked, brush=True, dark=widgets.is_dark(), height=192, width=434
        )
        # A new key after every brush: the old selection would stay on the new figure.
        key = f"chart_means_{view.study.column}_{look('means_brushes', 0)}"
        widgets.plot(
            figure,
            key,
            f"Histogram of {view.study.column}; drag over it to choose an interval.",
            selection_mode="box",
            on_select=lambda: means_marks.brushed(key, view.data),
        )


# error -------------------------------------------------------------------------------------------------------------


def error(view: View) -> None:
    theory = compute.theory(means_data.curves(view.study, DENSE), view.data)
    lines = means_data.lines(theory, view.pairs, view.unit)
    here = view.at_point.assign(x=view.study.epsilon)
    simulated = pd.concat([compute.kept(view.curves, view.data), here], ignore_index=True)
    wanted = simulated["metric"].isin({f"mse:{how}" for _, how in view.pairs})
    simulated = simulated[wanted & (simulated["arm"] == view.study.arms[0].name)]
    simulated = simulated.drop_duplicates(["mechanism", "metric", "scope", "x", "repetition"])
    marks = means_data.marks(summary(view.curves, view.data, simulated), view.pairs, view.unit)
    lines = pd.concat([lines, means_data.fitted(marks, lines)], ignore_index=True)
    order = {means_data.named(*pair): place for place, pair in enumerate(view.pairs)}
    lines = lines.sort_values(["mechanism", "x"], key=lambda c: c.map(order) if c.name == "mechanism" else c)
    what = {"typical": "Typical error of the mean, in the column’s units.", "mse": "Mean squared error of the mean.",
            "scaled": "Mean squared error, the public range as [−1, 1]."}[view.unit.key]  # fmt: skip
    surveys = words.plural(view.study.repetitions, "survey")
    joined = view.study.repetitions >= means_data.ENOUGH
    what += f" Line: theory, or (EM) {surveys}." if joined else f" Lines: theory alone. Marks: {surveys}."
    with widgets.panel("means_error", "Error against ε", None) as slot:
        with slot.popover(UNITS[view.unit.key].partition(" (")[0], type="tertiary", key="means_unit_menu"):
            st.radio("Error as", list(UNITS), key="means_unit", persist_state="session", format_func=UNITS.get)
        with slot:
            both = lines.merge(marks.rename(columns={"value": "simulated"}), how="outer", on=["mechanism", "x"])
            widgets.as_table("means_error", both.rename(columns={"x": "epsilon", "value": "error"}), "error")
        filling.line(view.data, view.point, view.curves, of="surveys", done=what)
        name = next(means_data.named(*pair) for pair in view.pairs if pair[0] == view.focus)
        below, text = floor(view)
        figure = charts.error_curves(
            lines, marks, limit=below, limit_text=text, focus=name, at=view.study.epsilon, unit=view.unit.name,
            dark=widgets.is_dark(), height=222, width=500,
        )  # fmt: skip
        widgets.plot(figure, "chart_means_error", f"{what} One line for each mechanism and estimate.")


def floor(view: View) -> tuple[pd.DataFrame | None, str]:
    """The limit of the focus's promise where it is computed already, between its points in the logarithm, in words."""
    if not view.marked and view.promise != "LDP":
        return None, ""
    known = {e: means_cached.limit(view.study, view.data, view.promise, e) for e in (*own.GRID, view.study.epsilon)}
    if None in known.values():
        return None, ""
    at = np.array(sorted(known))
    least = np.array([known[e] for e in at], float) * view.data.unit**2 / view.data.n
    here = float(least[at == view.study.epsilon][0]) ** 0.5
    at, least = at[least > 0], least[least > 0]
    if not len(at):
        return None, ""
    x = np.array([e for e in DENSE if at[0] <= e <= at[-1]])
    value = np.exp(np.interp(np.log(x), np.log(at), np.log(least)))
    whom = "every value" if view.promise == "LDP" else "the marked values"
    text = f"limit: no unbiased mean that keeps the promise on {whom} gets below ±{means_findings.quantity(here)} here"
    text = text if here else "limit: too small to compute at so large an ε"
    return pd.DataFrame({"x": x, "value": view.unit(value)}), text


def simulate(view: View) -> None:
    """Surveys at the chosen ε first."""
    filling.steps(_work(view), view.curves)


def _work(view: View) -> Iterator[None]:
    """What is still to be computed, piece by piece: surveys here, the limit, EM where people choose, lines."""
    for _ in compute.surveys(view.point, view.data):
        yield
    for epsilon in (view.study.epsilon, *own.GRID) if view.marked or view.promise == "LDP" else ():
        if means_cached.limit(view.study, view.data, view.promise, epsilon) is None:
            means_cached.limit(view.study, view.data, view.promise, epsilon, wait=True)
            yield
    for _ in compute.surveys(means_exposed.fitted(view), view.data):
        yield
    for _ in compute.surveys(view.curves, view.data):
        yield
