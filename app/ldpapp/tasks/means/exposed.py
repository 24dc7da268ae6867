"""What the Means view says of people: how near an adversary gets, and those who each mark as much as they like."""

import pandas as pd
import streamlit as st

from ldpapp import charts, compute, looks, widgets, words
from ldpapp.compute.memory import once
from ldpapp.looks import look
from ldpapp.tasks.means import cached as means_cached
from ldpapp.tasks.means import choosing
from ldpapp.tasks.means import data as means_data
from ldpapp.tasks.means import findings as means_findings
from ldpapp.tasks.means.view import BEYOND, DENSE, View
from ldpcore.study import Study
from ldpcore.study.means import personal as means_personal
from ldpcore.study.means.personal import Choice

SPARSE = tuple(e for e in DENSE if e not in BEYOND)[::2]
"""Where the lines of people who choose are drawn: three mechanisms at each."""
WHOSE = {"sensitive": "Marked answers", "other": "Other answers", "all": "Answers"}


def adversary(view: View) -> None:
    data, epsilon = view.data, view.study.epsilon
    low, high = data.interval.low, data.interval.high
    key = f"means_delta_{view.study.column}_{low:g}_{high:g}"
    delta = float(look(key, (high - low) / 10))
    near = f"±{means_findings.quantity(delta)}"
    guess, blind = means_cached.blind(view.study, data, delta)
    with widgets.panel(
        "means_adversary", "Adversary", f"Answers guessed to within {near}, of 100. Exact; dotted: blind."
    ) as slot:
        with slot.popover(f"δ = {means_findings.quantity(delta)}", type="tertiary", key="means_delta_menu"):
            st.number_input(
                "A guess wins within ± δ, in the column’s units",
                min_value=(high - low) / 1000,
                max_value=(high - low) / 2,
                value=delta,
                step=(high - low) / 40,
                format="%g",
                key=key,
            )
            st.html(
                '<div class="sub">Whoever guesses knows how the column is distributed, and the mechanism. Without a '
                f"report there is one best guess for everybody: {means_findings.quantity(guess)}, near enough for "
                f"{words.of_100(blind['all'])} of 100.</div>"
            )
        grid = tuple(sorted({*DENSE, epsilon}))
        theory = means_cached.guesses(view.study, data, grid, delta)
        with slot:
            rows = theory[["mechanism", "x", "scope", "theory"]]
            rows = rows.rename(columns={"x": "epsilon", "theory": "guessed"})
            widgets.as_table("means_adversary", rows.assign(blind=rows["scope"].map(blind)), "adversary")
        scopes = [scope for scope in ("sensitive", "other") if scope in blind]
        for scope, place in zip(scopes, st.columns(len(scopes), gap="small"), strict=True):
            with place:
                _guesses(view, theory[theory["scope"] == scope], scope, blind[scope], near)
        st.html(f'<div class="card">{_guessed(view, theory, scopes, blind)} {_switch(view, theory)}</div>')


def _guesses(view: View, theory: pd.DataFrame, scope: str, blind: float, near: str) -> None:
    name = WHOSE[scope]
    st.html(f'<div class="card"><b>{widgets.sensitive(name) if scope == "sensitive" else name}</b></div>')
    lines = pd.DataFrame(
        {"mechanism": theory["mechanism"], "x": theory["x"], "value": 100 * theory["theory"].astype(float)}
    )
    figure = charts.success_curves(
        lines, None, focus=view.focus, at=view.study.epsilon, blind=100 * blind, blind_text="blind",
        dark=widgets.is_dark(), height=172, width=286,
    )  # fmt: skip
    widgets.plot(
        figure, f"chart_means_guessed_{scope}", f"{name} guessed within {near}, of 100, one line for each mechanism."
    )


def _guessed(view: View, theory: pd.DataFrame, scopes: list[str], blind: dict[str, float]) -> str:
    """What the report of the mechanism in focus gives away at the chosen ε, beside the blind guess."""
    here = theory[(theory["mechanism"] == view.focus) & (theory["x"] == view.study.epsilon)]
    won = here.set_index("scope")["theory"]
    parts = [
        f"{WHOSE[scope].lower()} in <b>{words.of_100(float(won[scope]))}</b> of 100 "
        f"(blind {words.of_100(blind[scope])})"
        for scope in scopes
    ]
    return (
        f"At ε = {words.epsilon(view.study.epsilon)} a report of {widgets.named(view.focus)} lets one guess "
        f"{words.listing(parts)}."
    )


def _switch(view: View, theory: pd.DataFrame) -> str:
    """The jump of uTernary's curves, here and in the error, where they are shown."""
    if "uTernary" not in view.study.mechanisms:
        return ""
    guessed = theory[(theory["mechanism"] == "uTernary") & (theory["scope"] == "all")].set_index("x")["theory"]
    error = compute.theory(means_data.curves(view.study, DENSE), view.data)
    error = error[(error["mechanism"] == "uTernary") & (error["metric"] == "mse:mean")].set_index("x")["theory"]
    below, above = BEYOND
    return means_findings.switch(
        "uTernary", below, (error[below] ** 0.5, error[above] ** 0.5), (guessed[below], guessed[above])
    )


# people who choose -------------------------------------------------------------------------------------------------


def choice() -> Choice:
    return Choice(*(look(f"means_choice_{name}") or getattr(Choice(), name) for name in ("place", "mix", "who")))


def personalised(view: View) -> None:
    chosen, epsilon = choice(), view.study.epsilon
    table = means_cached.personal(view.study, view.data, chosen, tuple(sorted({*SPARSE, epsilon})))
    by_em = means_personal.simulated(compute.kept(fitted(view), view.data))
    lines = (*means_personal.ALIKE, *means_personal.COMBINED)
    with widgets.panel(
        "means_personal", "Each marks their own", "Squared error of SDPM’s unbiased mean; 1: all mark 50\u00a0%."
    ) as slot:
        with slot.popover(f"{choosing.written(chosen)} %", type="tertiary", key="means_choice_menu"):
            _menu()
        with slot:
            rows = table.rename(columns={"x": "epsilon", "value": "MSE (exact)"})
            widgets.as_table("means_personal", rows, "personalised")
        base = table[table["line"] == means_personal.ALIKE[1]].set_index("x")["value"]
        shown = table.assign(value=table["value"] / table["x"].map(base))
        figure = charts.personal_errors(
            shown, combined=("by share", "min. variance"), at=epsilon, dark=widgets.is_dark(), height=178, width=400
        )
        widgets.plot(
            figure,
            "chart_means_personal",
            "Squared error where each person chooses their marks, and where all mark 25, 50 or 75 % of the range.",
        )
        here = table[table["x"] == epsilon].set_index("line")["value"]
        head = "".join(f"<th>{line.removeprefix('SDPM-')}{' %' if '-' in line else ''}</th>" for line in lines)
        exact = "".join(f"<td>±{means_findings.quantity(here[line] ** 0.5)}</td>" for line in lines)
        seen = "".join(f"<td>±{means_findings.seen(*by_em[line])}</td>" if line in by_em else "<td>…</td>"
                       for line in lines)  # fmt: skip
        surveys = fitted(view).repetitions
        rough = "" if surveys >= means_data.ENOUGH else ": a rough guide"
        seen_in = f" * In {words.plural(surveys, 'simulated survey')}{rough}." if chosen.who == "any" else ""
        em = f'<tr><td class="quiet">EM*</td>{seen}</tr>' if chosen.who == "any" else ""
        st.html(
            f'<div class="card"><table><tr><th></th>{head}</tr><tr><td class="quiet">unbiased</td>{exact}</tr>{em}'
            f"</table>{choosing.finding(table, epsilon, chosen)}{seen_in}</div>"
        )


def fitted(view: View) -> Study:
    """The surveys behind EM's row of the table."""
    return _fitted(view.study, choice(), view.data.interval)


_fitted = once(64)(means_personal.study)


def _menu() -> None:
    looks.radio("People mark 25, 50 or 75 % of the range", choosing.PLACES, "means_choice_place")
    mixes = {mix: choosing.written(Choice(mix=mix)) for mix in means_personal.MIXES}
    looks.radio("How many of them mark 25 / 50 / 75 %, of 100", mixes, "means_choice_mix")
    looks.radio("They choose", choosing.WHO, "means_choice_who")
