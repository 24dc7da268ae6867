"""The panels of the Frequency view: error, one release, theory against experiment, adversary."""

import time

import numpy as np
import pandas as pd
import streamlit as st

import cards
import charts
import compute
import controls
import curves
import findings
import state
import widgets
import words
from controls import View
from findings import Facts
from ldpcore.data import Histogram
from ldpcore.estimators import intervals
from ldpcore.study import Study

PLOT = {"displayModeBar": False}
SLICE = 0.7
"""Seconds of simulation between two redraws."""


def plot(figure: object, key: str, alt: str) -> None:
    st.plotly_chart(figure, theme=None, config=PLOT, key=key, alt=alt)


def phone_study(study: Study, counted: Histogram) -> None:
    """On a phone the sidebar is folded away: what the Study says, and ε at hand. Hidden on wide screens by CSS."""
    marked = f"{len(study.arms[0].marks)} of {counted.domain.k} marked"
    what = f"ε = {words.epsilon(study.epsilon)} · {marked} · {words.plural(len(study.mechanisms), 'mechanism')}"
    with st.container(key="phone"), st.popover(what, width="stretch"):
        st.session_state.phone_slider = st.session_state.slider
        st.select_slider(
            "Privacy budget ε",
            state.EPSILONS,
            key="phone_slider",
            format_func=words.epsilon,
            on_change=state.slid_on_phone,
        )
        st.html('<div class="sub">Data, mechanisms, repetitions and seed stand in the side bar, behind ».</div>')


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
    marks = curves.error_marks(view, compute.kept(view.simulated(study), counted), study.arms[0].name)
    if view.quantity == "largest":
        lines = marks[["mechanism", "x", "value"]]
    below, text = curves.floor(view, study, main)
    what = {
        "points": "Typical error of a share, points.",
        "mse": "Mean squared error of a share.",
        "largest": "Largest error of any share, points; no closed form, lines join the marks.",
    }[view.quantity]
    if view.quantity != "largest":
        what += " Line: theory." if view.estimator == "raw" else " Line: theory, unbiased."
        what += f" Mark: {words.plural(study.repetitions, 'survey')}"
        what += "." if view.estimator == "raw" else f", {controls.ESTIMATORS[view.estimator]}."
    with widgets.panel("error", f"Error against {controls.AXES[view.axis]}", None) as slot:
        with slot.popover(controls.SCOPES[view.scope], type="tertiary"):
            controls.error_menu(study, counted)
        with slot:
            rows = lines.merge(marks.rename(columns={"value": "simulated"}), how="outer", on=["mechanism", "x"])
            widgets.as_table("error", beside_limit(view, rows.rename(columns={"value": "theory"}), below), "error")
        progress_line(view, study, counted, what)
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
                x_name=controls.AXES[view.axis],
                log_x=view.log_x,
                dark=widgets.is_dark(),
            )
            plot(
                figure,
                "chart_error",
                f"{what} {words.points(main.error())} points for {main.key} at ε = {words.epsilon(study.epsilon)}.",
            )


def beside_limit(view: View, rows: pd.DataFrame, below: pd.DataFrame | None) -> pd.DataFrame:
    """The table of errors with the limit of the promise in focus, and the squared error over it."""
    if below is None:
        return rows
    joined = rows.merge(below.rename(columns={"value": "limit"}), how="left", on="x")
    ratio = joined["theory"] / joined["limit"]
    return joined.assign(**{"MSE, times the limit": ratio if view.quantity == "mse" else ratio**2})


def progress_line(view: View, study: Study, counted: Histogram, what: str) -> None:
    """The line under the title: unit and encoding, or while surveys are missing, how far they are."""
    simulated = view.simulated(study)
    done, total = compute.progress(simulated, counted)
    if done == total:
        st.html(f'<div class="sub">{what}</div>')
        return
    surveys = f"{done * study.repetitions // total} of {study.repetitions} simulated surveys"
    stopped = st.session_state.stopped == simulated
    with st.container(horizontal=True, vertical_alignment="center", wrap=False, gap="small"):
        st.html(f'<div class="sub nowrap">{"stopped at " if stopped else ""}{surveys}</div>', width="content")
        st.progress(done / total)
        st.button(
            "Resume" if stopped else "Stop",
            type="tertiary",
            on_click=st.session_state.update,
            kwargs={"stopped": None if stopped else simulated},
        )


def second_row(view: View, study: Study, counted: Histogram, found: dict[str, Facts], main: Facts) -> None:
    left, right = st.columns([66, 34], gap="medium")
    with left:
        release_panel(study, counted, found, main)
    with right:
        adversary_panel(view, study, counted, main)


def release_panel(study: Study, counted: Histogram, found: dict[str, Facts], main: Facts) -> None:
    """One figure under two headings: its rows are shared."""
    detail = compute.details(study, counted, main.key)
    estimates = detail[detail["metric"] == "estimate"].pivot(index="repetition", columns="scope", values="value")
    estimates = estimates.reindex(columns=list(counted.domain.labels)).to_numpy()
    errors = estimates - main.freq
    drawn = estimates[st.session_state.get("draws", 0) % len(estimates)]
    half = intervals.half_width(main.mechanism, drawn, int(main.cell.counts.sum()))
    band = 1.959964 * np.sqrt(main.variance)
    left, right = st.columns(2, gap="medium", wrap=False)
    with left, widgets.panel("release", "One release", "Published, ±95 %. Tick: truth, <i>internal</i>.") as slot:
        slot.button("draw again", type="tertiary", on_click=_draw_again)
    with right, widgets.panel("theory", "Theory against experiment", _ratio(errors, main)) as slot:
        with slot.popover(main.key, type="tertiary"):
            st.radio(
                "Mechanism",
                list(found),
                index=list(found).index(main.key),
                key="focus",
                persist_state="session",
                format_func=lambda key: f"{widgets.glyph(key)} {key}",
            )
            paper_formula(main)
        rows = pd.DataFrame(
            {
                "value": counted.domain.labels,
                "marked": main.marked,
                "true share (internal)": main.freq,
                "published": drawn,
                "± 95 %": half,
                "standard error": np.sqrt(main.variance),
            }
        )
        with slot:
            widgets.as_table("release", rows, "release")
    figure = charts.release(
        counted.domain.labels, main.marked, main.freq, drawn, half, errors, band, dark=widgets.is_dark()
    )
    plot(
        figure,
        "chart_release",
        f"Estimated shares of {len(drawn)} values with 95 % intervals beside the true shares, "
        f"and the errors of {len(errors)} simulated surveys within their 95 % bands.",
    )


def _draw_again() -> None:
    st.session_state.draws = st.session_state.get("draws", 0) + 1


def _ratio(errors: np.ndarray, main: Facts) -> str:
    """Measured squared error over the predicted one, with the interval of its mean over the surveys."""
    if main.variance.sum() == 0:
        return "Band: 95 %. No error at all."
    ratios = (errors**2).mean(axis=1) / main.variance.mean()
    if len(ratios) < 2:
        return f"Band: 95 %. Dots: one survey, {ratios[0]:.2f} of theory."
    low, high = intervals.mean_interval(ratios)
    return f"Band: 95 %. {len(ratios)} surveys: {ratios.mean():.2f} of theory ({max(low, 0):.2f}–{high:.2f})."


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
    lines = curves.success_lines(view, compute.theory(view.theoretical(study), counted), arm)
    simulated = view.simulated(study)
    marks = curves.success_marks(view, compute.kept(simulated, counted), arm, compute.attacks(simulated))
    if view.prior == "targeted":
        blind, whose = main.blind, "Marked answers"
    else:
        blind = findings.blind(main, view.prior, view.attacked)
        whose = {"all": "Answers", "sensitive": "Marked answers", "other": "Other answers"}[view.attacked]
    with widgets.panel("adversary", "Adversary", f"{whose} guessed, of 100.") as slot:
        with slot.popover(controls.PRIORS[view.prior], type="tertiary"):
            controls.adversary_menu()
        rows = lines.merge(marks.rename(columns={"value": "attacked"}), how="outer", on=["mechanism", "x"])
        with slot:
            widgets.as_table("adversary", rows.rename(columns={"value": "exact"}), "adversary")
        figure = charts.success_curves(
            lines,
            marks,
            focus=main.key,
            at=view.at(study, counted),
            blind=blind * 100,
            x_name=controls.AXES[view.axis],
            log_x=view.log_x,
            dark=widgets.is_dark(),
        )
        plot(
            figure,
            "chart_adversary",
            f"{whose} guessed of 100, against {controls.AXES[view.axis]}; blind guessing gets {words.of_100(blind)}.",
        )


def simulate(view: View, study: Study, counted: Histogram, main: Facts) -> None:
    """Fill in simulated surveys behind the theory, a slice at a time; every redraw can be interrupted or stopped."""
    simulated = view.simulated(study)
    if st.session_state.stopped == simulated:
        return
    end = time.monotonic() + SLICE
    new = False
    pulse = st.empty()
    for wanted in (compute.detailed(study, main.key), simulated):
        for _ in compute.surveys(wanted, counted):
            new = True
            # A call to Streamlit is where a newer slider position can take over.
            pulse.empty()
            if time.monotonic() > end:
                st.rerun()
    if new:
        st.rerun()
