"""The panels of the Frequency view: error, odds, risk, one release, theory against experiment, adversary."""

import time

import numpy as np
import pandas as pd
import streamlit as st

import charts
import compute
import controls
import findings
import state
import widgets
import words
from controls import View
from findings import Facts
from ldpcore import policy
from ldpcore.data import Histogram
from ldpcore.estimators import intervals
from ldpcore.study import Study
from ldpcore.study import floor as lowest

PLOT = {"displayModeBar": False}
SLICE = 0.7
"""Seconds of simulation between two redraws."""
LIMITED = {
    "LDP": "keeps the promise on every value",
    "ULDP": "keeps the promise on the marked values",
    "guarded SDLDP": "keeps the guarded promise",
}


def plot(figure: object, key: str, alt: str) -> None:
    st.plotly_chart(figure, theme=None, config=PLOT, key=key, alt=alt)


# data for the curves ---------------------------------------------------------------------------------------------


def error_lines(view: View, theory: pd.DataFrame, arm: str) -> pd.DataFrame:
    """Theory as drawn: [mechanism, x, value]."""
    rows = theory[(theory["arm"] == arm) & (theory["metric"] == "mse") & (theory["scope"] == view.scope)]
    value = rows["theory"] if view.quantity == "mse" else np.sqrt(rows["theory"]) * 100
    return pd.DataFrame({"mechanism": rows["mechanism"], "x": view.shown_x(rows["x"]), "value": value})


def error_marks(view: View, simulated: pd.DataFrame, arm: str) -> pd.DataFrame:
    """Simulated means with 95 % intervals: [mechanism, x, value, low, high]."""
    rows = simulated[
        (simulated["arm"] == arm) & (simulated["metric"] == view.metric) & (simulated["scope"] == view.scope)
    ]
    out = []
    for (mechanism, x), values in rows.groupby(["mechanism", "x"], sort=False)["value"]:
        low, high = intervals.mean_interval(values.to_numpy())
        out.append((mechanism, x, values.mean(), max(low, 0.0), high))
    marks = pd.DataFrame(out, columns=["mechanism", "x", "value", "low", "high"])
    marks["x"] = view.shown_x(marks["x"])
    if view.quantity != "mse":
        drawn = ["value", "low", "high"]
        marks[drawn] = (np.sqrt(marks[drawn]) if view.quantity == "points" else marks[drawn]) * 100
    return marks


def success_lines(view: View, theory: pd.DataFrame, arm: str) -> pd.DataFrame:
    rows = theory[
        (theory["arm"] == arm) & (theory["metric"] == f"success:{view.prior}") & (theory["scope"] == view.attacked)
    ]
    return pd.DataFrame({"mechanism": rows["mechanism"], "x": view.shown_x(rows["x"]), "value": rows["theory"] * 100})


def success_marks(view: View, simulated: pd.DataFrame, arm: str, attacks: int) -> pd.DataFrame:
    """Simulated attacks with Clopper-Pearson intervals; over all values, a t interval of the weighted means."""
    metric = f"success:{view.prior}"
    rows = simulated[
        (simulated["arm"] == arm) & (simulated["metric"] == metric) & (simulated["scope"] == view.attacked)
    ]
    out = []
    for (mechanism, x), values in rows.groupby(["mechanism", "x"], sort=False)["value"]:
        if view.attacked == "all":
            low, high = intervals.mean_interval(values.to_numpy())
        else:
            low, high = intervals.clopper_pearson(round(float(values.sum()) * attacks), len(values) * attacks)
        out.append((mechanism, x, values.mean() * 100, low * 100, high * 100))
    marks = pd.DataFrame(out, columns=["mechanism", "x", "value", "low", "high"])
    marks["x"] = view.shown_x(marks["x"])
    return marks


def floor(view: View, study: Study, main: Facts) -> tuple[pd.DataFrame | None, str]:
    """The limit under the curves for the promise of the mechanism in focus, and its words."""
    if view.axis != "epsilon" or view.quantity == "largest":
        return None, ""
    marked, k = int(main.marked.sum()), len(main.marked)
    if marked == 0 and main.promise != "LDP":
        return None, ""
    promise = lowest.policy(main.key)
    share = float(main.freq[main.marked].sum())
    limits = compute.limits(promise, view.dense, k, marked, round(share, 12), view.scope)
    n = int(main.cell.counts.sum())
    value = np.array(limits) / n
    frame = pd.DataFrame({"x": view.dense, "value": value if view.quantity == "mse" else np.sqrt(value) * 100})
    least = lowest.of_cell(main.cell, view.scope)
    times = main.error(view.scope) ** 2 / least if least > 0 else 1.0
    return frame, (
        f"limit: no mechanism that {LIMITED[promise]} gets below {words.points(np.sqrt(least))} at ε = "
        f"{words.epsilon(study.epsilon)}; {main.key}’s squared error is {times:.2f} times the least"
    )


# panels ----------------------------------------------------------------------------------------------------------


def first_row(view: View, study: Study, counted: Histogram, main: Facts) -> None:
    """ε, error and risk stand together."""
    left, middle, right = st.columns([50, 23, 24], gap="medium")
    with left:
        error_panel(view, study, counted, main)
    with middle:
        odds_card(study, counted, main)
    with right:
        risk_card(counted, main)


def error_panel(view: View, study: Study, counted: Histogram, main: Facts) -> None:
    lines = error_lines(view, compute.theory(view.theoretical(study), counted), study.arms[0].name)
    marks = error_marks(view, compute.kept(view.simulated(study), counted), study.arms[0].name)
    if view.quantity == "largest":
        lines = marks[["mechanism", "x", "value"]]
    below, text = floor(view, study, main)
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


def odds_card(study: Study, counted: Histogram, main: Facts) -> None:
    labels = counted.domain.labels
    first = int(np.flatnonzero(main.marked)[0]) if main.marked.any() else 0
    chosen = st.session_state.get("odds_value")
    value = labels.index(chosen) if chosen in labels else first
    yes, no = main.odds(value)
    name = widgets.escape(words.shorten(labels[value], 24))
    with widgets.panel("odds", "What one report gives away", None):
        with st.container(horizontal=True, vertical_alignment="center", wrap=False, gap="xxsmall"):
            st.html(f'<div class="sub nowrap">{main.key}, ε = {words.epsilon(study.epsilon)},</div>', width="content")
            with st.popover(f"“{words.shorten(labels[value], 14)}”", type="tertiary"):
                st.selectbox("An answer", labels, index=value, key="odds_value", persist_state="session")
        dark = widgets.is_dark()
        st.html(
            f'<div class="card"><div class="row">{charts.icon_array(yes * 100, dark)}<div>Of 100 people whose answer '
            f'<b>is</b> {name}, <span class="big">{words.of_100(yes)}</span> send a report that names it.</div></div>'
            f'<div class="row">{charts.icon_array(no * 100, dark)}<div>Of 100 whose answer is <b>not</b>, '
            f'<span class="big">{words.of_100(no)}</span> do.</div></div></div>'
        )
        before = st.session_state.get("belief", 50)
        after = findings.believed(before / 100, main.lift(value))
        with st.container(horizontal=True, vertical_alignment="center", wrap=False, gap="xsmall"):
            st.html('<div class="card">Belief before</div>', width="content")
            st.number_input(
                "Belief before the report, percent",
                1,
                99,
                50,
                key="belief",
                width=52,
                persist_state="session",
                label_visibility="collapsed",
            )
            sure = "up to <b>certainty</b>" if after > 1 - 1e-9 else f"at most <b>{words.of_100(after)}&nbsp;%</b>"
            st.html(f'<div class="card">%, after: {sure}</div>')
        if study.epsilon > 2 and main.marked.any():
            widgets.high_epsilon(main, study.epsilon, lambda: state.choose_epsilon(2.0))


def risk_card(counted: Histogram, main: Facts) -> None:
    with widgets.panel("risk", "Who learns the raw answer?", None) as slot:
        if main.promise == "SDLDP":
            with slot.popover("why weaker", type="tertiary"):
                counterexample(main)
        st.html(widgets.pairs_table(findings.who_learns(main), (widgets.sensitive("marked"), "others")))
        yes, no = (widgets.escape(text) for text in findings.covered(main, counted.domain.labels))
        st.html(
            f'<div class="card"><hr><b>Covered:</b> {yes}<br><b>Not covered:</b> {no}<br>'
            '<span class="quiet">At equal ε a more exact mechanism is free accuracy, not less privacy.</span></div>'
        )


def counterexample(main: Facts) -> None:
    """A channel that keeps SDLDP although its low labels all but prove that the answer is marked."""
    epsilon = main.mechanism.epsilon
    channel = policy.counterexample(epsilon)
    kept = {p.name: p.check(channel).holds for p in (policy.SDLDP(epsilon, _TWO), policy.ULDP(epsilon, _TWO))}
    st.html(
        '<div class="card"><b>The definition allows more than it says.</b> In this channel values 1 and 2 are marked, '
        "3 and 4 are not. A report “3” or “4” comes almost only from marked answers, yet it keeps "
        f"{words.listing(name for name, holds in kept.items() if holds)} at ε = {words.epsilon(epsilon)}; "
        f"{words.listing(name for name, holds in kept.items() if not holds)} forbids it.</div>"
    )
    rows = pd.DataFrame(channel.matrix, columns=[f"report {y}" for y in range(1, 5)]).map(lambda p: f"{p:.3g}")
    rows.insert(0, "answer", ["1, marked", "2, marked", "3", "4"])
    st.dataframe(rows, hide_index=True, width=420)


_TWO = np.array([True, True, False, False])


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
    lines = success_lines(view, compute.theory(view.theoretical(study), counted), arm)
    simulated = view.simulated(study)
    marks = success_marks(view, compute.kept(simulated, counted), arm, compute.attacks(simulated))
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
    for wanted in (compute.detailed(study, main.key), simulated):
        for _ in compute.surveys(wanted, counted):
            new = True
            if time.monotonic() > end:
                st.rerun()
    if new:
        st.rerun()
