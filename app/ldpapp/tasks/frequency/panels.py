"""The panels of the Frequency view: error, one release, theory against experiment, adversary."""

import numpy as np
import pandas as pd
import streamlit as st

from ldpapp import charts, compute, controls, curves, filling, release, widgets, words
from ldpapp.tasks.frequency import cached as frequency_cached
from ldpapp.tasks.frequency import cards, findings, floors, looking
from ldpapp.tasks.frequency.findings import Facts
from ldpapp.tasks.frequency.looking import View
from ldpcore.data import Histogram
from ldpcore.estimators.released import score_interval
from ldpcore.study import Study


def first_row(view: View, study: Study, counted: Histogram, main: Facts) -> None:
    """ε, error and risk stand together."""
    left, middle, right = st.columns([50, 23, 24], gap="medium")
    with left:
        error_panel(view, study, counted, main)
    with middle:
        cards.odds_card(study, counted, main)
    with right:
        cards.risk_card(counted, main)


def error_panel(view: View, study: Study, counted: Histogram, main: Facts) -> None:
    lines = curves.error_lines(view, compute.theory(view.theoretical(study), counted), study.arms[0].name)
    marks = curves.error_marks(view, view.simulated(study), counted, study.arms[0].name)
    if view.quantity == "largest":
        lines = marks[["mechanism", "x", "value"]]
    below, text = floors.floor(view, study, main)
    what = {
        "points": "Typical error of a share, points.",
        "mse": "Mean squared error of a share.",
        "largest": "Largest error of any share, points; no closed form, lines join the marks.",
    }[view.quantity]
    if view.quantity != "largest":
        what += " Line: theory." if view.estimator == "raw" else " Line: theory, unbiased."
        what += f" Mark: {words.plural(study.repetitions, 'survey')}"
        what += "." if view.estimator == "raw" else f", {controls.ESTIMATORS[view.estimator]}."
    with widgets.panel("error", f"Error against {looking.AXES[view.axis]}", None) as slot:
        with slot.popover(controls.SCOPES[view.scope], type="tertiary"):
            looking.error_menu(view)
        with slot:
            rows = lines.merge(marks.rename(columns={"value": "simulated"}), how="outer", on=["mechanism", "x"])
            widgets.as_table("error", beside_limit(view, rows.rename(columns={"value": "theory"}), below), "error")
        if view.quantity == "points" and view.scope == "all" and main.error() > main.unasked:
            what += f" Above {words.points(main.unasked)} equal shares for all would be closer."
        filling.line(counted, view.simulated(study), of="simulated surveys", done=what)
        if lines.empty:
            widgets.state_box(
                "Surveys are being simulated.",
                "The largest error has no closed form; it appears with the first surveys.",
                height=218,
            )
        else:
            figure = charts.error_curves(
                lines,
                marks,
                focus=main.key,
                at=view.at(study, counted),
                limit=below,
                limit_text=text,
                unit="mse" if view.quantity == "mse" else "points",
                x_name=looking.AXES[view.axis],
                log_x=view.log_x,
                dark=widgets.is_dark(),
                height=224,
            )
            widgets.plot(
                figure,
                "chart_error",
                f"{what} {words.points(main.error())} points for {main.key} at ε = {words.epsilon(study.epsilon)}.",
            )
            widgets.below_chart(figure, text)
            if text and (known := floors.floor_for_shares(view, main)):
                st.html(f'<div class="sub">{words.unbroken(known)}</div>')


def beside_limit(view: View, rows: pd.DataFrame, below: pd.DataFrame | None) -> pd.DataFrame:
    """The table of errors with the limit of the promise in focus, and the squared error over it."""
    if below is None:
        return rows
    joined = rows.merge(below.rename(columns={"value": "limit"}), how="left", on="x")
    ratio = joined["theory"] / joined["limit"]
    return joined.assign(**{"MSE, times the limit": ratio if view.quantity == "mse" else ratio**2})


def second_row(view: View, study: Study, counted: Histogram, found: dict[str, Facts], main: Facts) -> None:
    left, right = st.columns([66, 34], gap="medium")
    with left:
        release.panel(
            "frequency", surveys(study, counted, main), list(found), "focus", "value", lambda: paper_formula(main)
        )
    with right:
        adversary_panel(view, study, counted, main)


def surveys(study: Study, counted: Histogram, main: Facts) -> release.Surveys:
    """Those of the mechanism in focus, at the chosen point."""
    labels, people = counted.domain.labels, int(main.cell.counts.sum())
    return release.Surveys(
        main.key,
        labels,
        main.marked,
        main.freq,
        release.estimates(frequency_cached.details(study, counted, main.key), main.key, labels),
        main.variance,
        main.variance,
        lambda drawn: score_interval(main.mechanism, drawn, people),
        people=people,
    )


def paper_formula(main: Facts) -> None:
    """Where a paper states another variance, both numbers."""
    paper = getattr(main.mechanism, "paper_variance", None)
    if paper is None:
        return
    said = paper(main.freq, int(main.cell.counts.sum()))
    low = ~main.marked
    if low.any():
        st.html(
            f'<div class="card">The paper\'s formula (12) promises ±{100 * np.sqrt(said[low].mean()):.3g} points on '
            f"unmarked values; exact are ±{100 * np.sqrt(main.variance[low].mean()):.3g}. It takes the share of "
            "marked answers as known; it is estimated.</div>"
        )


def adversary_panel(view: View, study: Study, counted: Histogram, main: Facts) -> None:
    arm = study.arms[0].name
    lines = floors.success_lines(view, compute.theory(view.theoretical(study), counted), arm)
    marks = floors.success_marks(view, view.simulated(study), counted, arm)
    if view.prior == "targeted":
        blind, whose = main.blind, "Marked answers"
    else:
        blind = findings.blind(main, view.prior, view.attacked)
        whose = {"all": "Answers", "sensitive": "Marked answers", "other": "Other answers"}[view.attacked]
    with widgets.panel("adversary", "Adversary", f"{whose} guessed, of 100.") as slot:
        with slot.popover(looking.PRIORS[view.prior], type="tertiary"):
            looking.adversary_menu()
        rows = lines.merge(marks.rename(columns={"value": "attacked"}), how="outer", on=["mechanism", "x"])
        with slot:
            widgets.as_table("adversary", rows.rename(columns={"value": "exact"}), "adversary")
        figure = charts.success_curves(
            lines,
            marks,
            focus=main.key,
            at=view.at(study, counted),
            blind=blind * 100,
            x_name=looking.AXES[view.axis],
            log_x=view.log_x,
            dark=widgets.is_dark(),
        )
        widgets.plot(
            figure,
            "chart_adversary",
            f"{whose} guessed of 100, against {looking.AXES[view.axis]}; blind guessing gets {words.of_100(blind)}.",
        )


def simulate(view: View, study: Study, counted: Histogram, main: Facts) -> None:
    """The mechanism in focus first, then the marks on the curves."""
    filling.surveys(counted, frequency_cached.detailed(study, main.key), view.simulated(study))
