"""What the Means view says of people: how near an adversary gets, and those who each mark as much as they like."""

from functools import partial

import pandas as pd
import streamlit as st

from ldpapp import charts, compute, looks, widgets, words
from ldpapp.compute.memory import once
from ldpapp.language import t
from ldpapp.looks import look
from ldpapp.panels import Beside, Chart, Html, Menu, Panel, Part, Sheet
from ldpapp.tasks.means import axes, cached, choosing, findings
from ldpapp.tasks.means.findings import quantity
from ldpapp.tasks.means.view import View
from ldpcore.study import Study
from ldpcore.study.means import personal
from ldpcore.study.means.personal import Choice

DENSE = axes.DENSE["epsilon"]
SPARSE = tuple(e for e in DENSE if e not in axes.BEYOND)[::2]
"""Where the lines of people who choose are drawn: three mechanisms at each."""


def adversary(view: View) -> Panel:
    data, epsilon = view.data, view.study.epsilon
    low, high = data.interval.low, data.interval.high
    key = f"means_delta_{view.study.column}_{low:g}_{high:g}"
    delta = float(look(key, (high - low) / 10))
    near = f"±{quantity(delta)}"
    guess, blind = cached.blind(view.study, data, delta)
    theory = cached.guesses(view.study, data, tuple(sorted({*DENSE, epsilon})), delta)
    rows = theory.rename(columns={"x": "epsilon", "theory": "guessed"})
    here = theory[(theory["mechanism"] == view.focus) & (theory["x"] == epsilon)].set_index("scope")["theory"]
    won = {scope: float(here[scope]) for scope in ("sensitive", "other") if scope in blind}
    said = [findings.guessed(epsilon, widgets.named(view.focus), won, blind), *_switch(view, theory)]
    return Panel(
        "means_adversary",
        t("Adversary"),
        [
            Beside([_guesses(view, theory[theory["scope"] == scope], scope, blind[scope], near) for scope in won]),
            Html(f'<div class="card">{" ".join(said)}</div>'),
        ],
        t("Answers guessed to within {near}, of 100. Exact; dotted: blind.", near=near),
        [
            Menu(
                t("δ = {delta}", delta=quantity(delta)),
                partial(_delta, key, delta, high - low, guess, blind["all"]),
                "means_delta_menu",
            ),
            Sheet(rows.assign(blind=rows["scope"].map(blind)), "adversary"),
        ],
    )


def _delta(key: str, delta: float, width: float, guess: float, blind: float) -> None:
    """How near a guess must be, and what it is without a report."""
    st.number_input(
        t("A guess wins within ± δ, in the column’s units"),
        min_value=width / 1000,
        max_value=width / 2,
        value=delta,
        step=width / 40,
        format="%g",
        key=key,
    )
    said = t(
        "Whoever guesses knows how the column is distributed, and the mechanism. Without a report there is one best "
        "guess for everybody: {guess}, near enough for {n} of 100.",
        guess=quantity(guess),
        n=words.of_100(blind),
    )
    st.html(f'<div class="sub">{said}</div>')


def _guesses(view: View, theory: pd.DataFrame, scope: str, blind: float, near: str) -> list[Part]:
    marked = scope == "sensitive"
    head = widgets.sensitive(t("Marked answers")) if marked else t("Other answers")
    lines = pd.DataFrame(
        {"mechanism": theory["mechanism"], "x": theory["x"], "value": 100 * theory["theory"].astype(float)}
    )
    figure = charts.success_curves(
        lines, None, focus=view.focus, at=view.study.epsilon, blind=100 * blind, blind_text=t("blind"),
        dark=widgets.is_dark(), height=172, width=286,
    )  # fmt: skip
    if marked:
        alt = t("Marked answers guessed within {near}, of 100, one line for each mechanism.", near=near)
    else:
        alt = t("Other answers guessed within {near}, of 100, one line for each mechanism.", near=near)
    return [Html(f'<div class="card"><b>{head}</b></div>'), Chart(figure, alt, key=f"chart_means_guessed_{scope}")]


def _switch(view: View, theory: pd.DataFrame) -> list[str]:
    """The jump of uTernary's curves, here and in the error against ε, where they are shown."""
    if "uTernary" not in view.study.mechanisms:
        return []
    guessed = theory[(theory["mechanism"] == "uTernary") & (theory["scope"] == "all")].set_index("x")["theory"]
    error = compute.theory(axes.curves(view.study, "epsilon", DENSE), view.data)
    error = error[(error["mechanism"] == "uTernary") & (error["metric"] == "mse:mean")].set_index("x")["theory"]
    below, above = axes.BEYOND
    steps = (error[below] ** 0.5, error[above] ** 0.5), (guessed[below], guessed[above])
    return [findings.switch("uTernary", below, *steps)]


# people who choose -------------------------------------------------------------------------------------------------


def choice() -> Choice:
    return Choice(*(look(f"means_choice_{name}") or getattr(Choice(), name) for name in ("place", "mix", "who")))


def personalised(view: View) -> Panel:
    chosen, epsilon = choice(), view.study.epsilon
    table = cached.personal(view.study, view.data, chosen, tuple(sorted({*SPARSE, epsilon})))
    base = table[table["line"] == personal.ALIKE[1]].set_index("x")["value"]
    shown = table.assign(value=table["value"] / table["x"].map(base))
    figure = charts.personal_errors(
        shown, combined=("by share", "min. variance"), at=epsilon, dark=widgets.is_dark(), height=178, width=400
    )
    alt = t("Squared error where each person chooses their marks, and where all mark 25, 50 or 75 % of the range.")
    said = [choosing.finding(table, epsilon, chosen)]
    if chosen.who == "any":
        said.append(choosing.surveyed(fitted(view).repetitions))
    return Panel(
        "means_personal",
        t("Each marks their own"),
        [Chart(figure, alt), Html(f'<div class="card">{_errors(view, table, chosen)}{" ".join(said)}</div>')],
        t("Squared error of SDPM’s unbiased mean; 1: all mark 50\u00a0%."),
        [
            Menu(t("{mix} %", mix=choosing.written(chosen)), _menu, "means_choice_menu"),
            Sheet(table.rename(columns={"x": "epsilon", "value": "MSE (exact)"}), "personalised"),
        ],
    )


def _errors(view: View, table: pd.DataFrame, chosen: Choice) -> str:
    """Typical errors at the chosen ε: one row exact, one of EM in the surveys so far."""
    lines = (*personal.ALIKE, *personal.COMBINED)
    here = table[table["x"] == view.study.epsilon].set_index("line")["value"]
    rows = {t("unbiased"): [f"±{quantity(here[line] ** 0.5)}" for line in lines]}
    if chosen.who == "any":
        by_em = personal.simulated(compute.kept(fitted(view), view.data))
        rows[t("EM*")] = [f"±{findings.seen(*by_em[line])}" if line in by_em else "…" for line in lines]
    heads = "".join(f"<th>{line.removeprefix('SDPM-')}{' %' if '-' in line else ''}</th>" for line in lines)
    body = "".join(
        f'<tr><td class="quiet">{name}</td>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'
        for name, cells in rows.items()
    )
    return f"<table><tr><th></th>{heads}</tr>{body}</table>"


def fitted(view: View) -> Study:
    """The surveys behind EM's row of the table."""
    return _fitted(view.study, choice(), view.data.interval)


_fitted = once(64)(personal.study)


def _menu() -> None:
    looks.radio(t("People mark 25, 50 or 75 % of the range"), choosing.places(), "means_choice_place")
    mixes = {mix: choosing.written(Choice(mix=mix)) for mix in personal.MIXES}
    looks.radio(t("How many of them mark 25 / 50 / 75 %, of 100"), mixes, "means_choice_mix")
    looks.radio(t("They choose"), choosing.who(), "means_choice_who")
