"""Error against exposure: one curve per mechanism with ε along it, and the limit as the lower edge."""

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ldpapp import charts, compute, curves, looks, nav, widgets, words
from ldpapp.tasks.frequency import cached as frequency_cached
from ldpapp.tasks.frequency import floors, panels
from ldpapp.tasks.frequency.findings import Facts
from ldpapp.tasks.frequency.looking import View
from ldpcore.data import Histogram
from ldpcore.limit import uldp_curve
from ldpcore.study import Study

_LIMITED = f"no mechanism that protects the marked values (ULDP) and {words.BEFOREHAND}"
SCOPES = {"sensitive": "marked values", "all": "all values"}


def page(
    head: DeltaGenerator, looked: View, study: Study, counted: Histogram, found: dict[str, Facts], main: Facts
) -> None:
    marked = int(main.marked.sum())
    if marked < 2:
        with head:
            widgets.sentence("The plane shows how marked answers are guessed. Mark at least two values to see it.")
        widgets.state_box(
            "Fewer than two values are marked.",
            "Whoever knows that an answer is the only marked one needs no report to know it.",
        )
        if st.button("Mark values", type="primary"):
            nav.go("data")
        return
    view = replace(
        looked,
        axis="epsilon",
        prior="targeted",
        attacked="sensitive",
        scope=looks.look("plane_scope", "sensitive"),
        quantity="points",
        estimator="raw",
    )
    standing = _standing(found, view.scope)
    edge = _edge(study, main, view.scope)
    gap = _gap(standing, main, study, view.scope)
    with head:
        widgets.sentence(_sentence(study, standing, gap, view.scope))
    subtitle = (
        f"Up: typical error on the {SCOPES[view.scope]}, percentage points. Right: marked answers guessed, of 100. "
        f"Solid: up to your ε = {words.epsilon(study.epsilon)} (the large mark). Dotted: beyond. Grey: {_LIMITED} gets "
        f"there, {words.ON_AVERAGE}."
    )
    with widgets.panel("plane", "Error against exposure", subtitle) as slot:
        with slot.popover(SCOPES[view.scope], type="tertiary"):
            st.radio("Error over", list(SCOPES), key="plane_scope", format_func=SCOPES.get, persist_state="session")
        lines, marks = _curves(view, study, counted), _simulated(view, study, counted)
        with slot:
            widgets.as_table("plane", lines, "plane")
            widgets.as_table("edge", _with_closed_form(edge, study, main), "limit", "limit")
        figure = charts.plane(
            lines,
            marks,
            standing[["mechanism", "x", "value"]],
            edge,
            at=study.epsilon,
            blind=main.blind * 100,
            focus=main.key,
            gap=gap and (gap[1], gap[2], gap[3]),
            dark=widgets.is_dark(),
            limit_text=f"limit at ε = {words.epsilon(study.epsilon)}: none that {words.BEFOREHAND} gets below",
            blind_text=f"blind guess, {words.one_in(main.blind)}",
            x_text="marked answers guessed, of 100",
            corner_text="better on both sides: down and to the left ↙",
        )
        widgets.plot(
            figure, "chart_plane", "Error against exposure of every mechanism, with the limit as the lower edge."
        )
    panels.simulate(view, study, counted, main)


def _standing(found: dict[str, Facts], scope: str) -> pd.DataFrame:
    """Where each mechanism is at the chosen ε: exposure of 100, error in points."""
    rows = [(key, fact.targeted * 100, fact.error(scope) * 100) for key, fact in found.items()]
    return pd.DataFrame(rows, columns=["mechanism", "x", "value"])


def _curves(view: View, study: Study, counted: Histogram) -> pd.DataFrame:
    theory = compute.theory(view.theoretical(study), counted)
    arm = study.arms[0].name
    error, success = curves.error_lines(view, theory, arm), floors.success_lines(view, theory, arm)
    both = success.rename(columns={"value": "exposure"}).merge(error, on=["mechanism", "x"])
    return both.rename(columns={"x": "epsilon", "exposure": "x"})[["mechanism", "epsilon", "x", "value"]]


def _simulated(view: View, study: Study, counted: Histogram) -> pd.DataFrame:
    """Simulated error against simulated attack, at the grid's ε up to the chosen one."""
    simulated, arm = view.simulated(study), study.arms[0].name
    error = curves.error_marks(view, simulated, counted, arm)[["mechanism", "x", "value"]]
    success = floors.success_marks(view, simulated, counted, arm)[["mechanism", "x", "value"]]
    both = success.rename(columns={"value": "exposure"}).merge(error, on=["mechanism", "x"])
    both = both[both["x"] <= study.epsilon * 1.001]
    return both.rename(columns={"x": "epsilon", "exposure": "x"})[["mechanism", "x", "value"]]


def _edge(study: Study, main: Facts, scope: str) -> pd.DataFrame:
    """The least error at every exposure, under ULDP at the chosen ε."""
    bounds = tuple(
        float(x) for x in np.unique(np.r_[np.geomspace(1.004, 1.3, 14), np.geomspace(1.3, 1 / main.blind, 18)])
    )
    values = _limits(study, main, scope, tuple(min(b * main.blind, 1.0) for b in bounds))
    return pd.DataFrame({"x": [min(b * main.blind, 1.0) * 100 for b in bounds], "value": values})


def _with_closed_form(edge: pd.DataFrame, study: Study, main: Facts) -> pd.DataFrame:
    """Beside the program, the closed form of the error on marked values where they are many
    (theory/limits#error-against-exposure).
    """
    share, people = float(main.freq[main.marked].sum()), main.cell.counts.sum()
    lifts = edge["x"] / 100 / main.blind
    many = [100 * np.sqrt(uldp_curve(study.epsilon, share, lift) / people) for lift in lifts]
    names = {"x": "guessed, of 100", "value": "least error, points"}
    return edge.rename(columns=names).assign(**{"closed form for many marked values": many})


def _limits(study: Study, main: Facts, scope: str, exposures: tuple[float, ...]) -> list[float]:
    """Typical error in points at these bounds on the exposure."""
    k, marked = len(main.marked), int(main.marked.sum())
    share = round(float(main.freq[main.marked].sum()), 12)
    found = frequency_cached.exposed_limits(study.epsilon, k, marked, share, scope, exposures)
    return [float(np.sqrt(value / main.cell.counts.sum())) * 100 for value in found]


def _gap(standing: pd.DataFrame, main: Facts, study: Study, scope: str) -> tuple[str, float, float, float] | None:
    """The mechanism that is worst for its exposure: (key, exposure, its error, the least error there)."""
    exposures = tuple(float(x) / 100 for x in standing["x"])
    least = _limits(study, main, scope, tuple(max(x, main.blind) for x in exposures))
    ratio = np.array(standing["value"]) / np.array(least)
    worst = int(np.argmax(np.where(np.isfinite(ratio), ratio, 0)))
    if ratio[worst] < 1.05:
        return None
    return str(standing["mechanism"][worst]), float(standing["x"][worst]), float(standing["value"][worst]), least[worst]


def _sentence(study: Study, standing: pd.DataFrame, gap: tuple[str, float, float, float] | None, scope: str) -> str:
    word = widgets.sensitive("sensitive")
    if gap is None:
        return (
            f"At ε = {words.epsilon(study.epsilon)} every chosen mechanism is within 5 % of the least error that its "
            f"exposure of {word} answers allows."
        )
    key, exposure, error, least = gap
    on = "on them" if scope == "sensitive" else "of a share"
    return (
        f"At ε = {words.epsilon(study.epsilon)}, {widgets.named(key)} lets {words.of_100(exposure / 100)} of 100 "
        f"{word} answers be guessed, with an error of {words.points(error / 100)} points {on}. At the same exposure "
        f"{words.points(least / 100)} is possible: {round(100 * (1 - least / error))}&nbsp;% less error "
        "for the same risk."
    )
