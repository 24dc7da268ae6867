"""Who is exposed: how often the collector guesses an answer to within ± δ, marked ones and others apart."""

from functools import partial
from math import isfinite

import pandas as pd
import streamlit as st

from ldpapp import charts, compute, words
from ldpapp.parts import widgets
from ldpapp.parts.panels import Box, Chart, Html, Line, Menu, Panel, Part, Reach, RowOfParts, Sheet
from ldpapp.views.means import sentences
from ldpapp.views.means.sentences import quantity
from ldpapp.views.means.view import MeansView, near_key
from ldpapp.words.language import t
from ldpcore.scope import Scope
from ldpcore.study import invented
from ldpcore.study.means import curves
from ldpcore.study.means import lines as mean_lines
from ldpcore.study.means.reports import windows_begin

SCOPES = (Scope.SENSITIVE, Scope.OTHER)


def adversary(view: MeansView) -> Panel:
    near, guess, blind = quantity(view.facts.near), view.facts.blind_guess, view.facts.blind
    shown = [scope for scope in SCOPES if scope in blind]
    columns = [_guesses(view, scope, blind[scope], scope == shown[-1]) for scope in shown]
    if view.facts.off:
        columns.insert(0, [switched_off(view.facts.off)])
    rows = view.guesses.rename(columns={"x": "epsilon", "theory": "guessed"})
    sizes = {key: one.bits for key, one in view.facts.parts.items()}
    rows = rows.assign(blind=rows["scope"].map(blind), bits=rows["mechanism"].map(sizes))
    return Panel(
        "means_adversary",
        t("Who is exposed? Answers guessed to within {near}, of 100", near=near),
        [RowOfParts(columns, [1, 1.25] if len(columns) > 1 else ()), *map(Line, _switch(view))],
        t("By the collector, from one report, knowing the distribution. Dotted: the blind guess."),
        [
            Menu(t("± {near}", near=near), partial(_near, view, guess, blind["all"]), "means_delta_menu"),
            Sheet(rows, "adversary"),
        ],
        reach=Reach.INTERNAL,  # who knows the distribution guesses: the blind guess tells how it is
    )


def switched_off(off: tuple[str, ...]) -> Box:
    """What stands where their curves would: greyed, and why."""
    color = widgets.colors().ink3
    look = f"color:{color};border:1px dashed;border-radius:12px;padding:1px 9px;margin-right:6px;"
    pills = "".join(f'<span style="{look}">{widgets.glyph(key)} {widgets.escape(key)}</span>' for key in off)
    why = t("Nothing is marked, so they promise nothing: error and exposure are not compared.")
    return Box(f"{pills}<br>{t('Made for marked values only.')}", why, height=150)


def _near(view: MeansView, guess: float, blind: float) -> None:
    """How near a guess must be, and what it is without a report."""
    width = 2 * view.data.unit
    st.number_input(
        t("A guess wins within ± δ, in the column’s units"),
        min_value=width / 1000,
        max_value=width / 2,
        value=view.facts.near,
        step=width / 40,
        format="%g",
        key=near_key(view.study, view.data.interval),
    )
    text = t(
        "Whoever guesses knows how the column is distributed, and the mechanism. Without a report there is one best "
        "guess for everybody: {guess}, near enough for {n} of 100.",
        guess=quantity(guess),
        n=words.of_100(blind),
    )
    bins = t("Numbers count as the middle of their bin, {width} wide.", width=quantity(width / view.data.bins))
    st.html(f'<div class="sub">{text} {bins}</div>')


def _guesses(view: MeansView, scope: str, blind: float, named: bool) -> list[Part]:
    """The curves of one scope, and above them what they are at the chosen ε."""
    theory, near = view.guesses[view.guesses["scope"] == scope], quantity(view.facts.near)
    lines = pd.DataFrame(
        {"mechanism": theory["mechanism"], "x": theory["x"], "value": 100 * theory["theory"].astype(float)}
    )
    figure = charts.success_curves(
        lines, None, focus=view.focus, at=view.study.epsilon, blind=100 * blind, blind_text=t("blind"), labels=named,
        dark=widgets.is_dark(), height=150, width=320 if named else 250,
    )  # fmt: skip
    marks = sentences.names(view.facts.marked, view.data.interval)
    head, alt = t("of the other answers"), t("Other answers guessed within {near}, of 100, by ε.", near=near)
    if scope == "sensitive":
        head = widgets.sensitive(t("of {marks}", marks=marks))
        alt = t("Marked answers guessed within {near}, of 100, by ε.", near=near)
    elif not view.facts.marked:
        head = t("of all answers")
    chances = {key: view.facts.parts[key].guessed[scope] for key in view.drawn.study.mechanisms}
    won = " · ".join(_won(view, key, chance) for key, chance in chances.items())
    text = t("{won}, blind {n}", won=won, n=words.of_100(blind))
    if not blind and not any(chances.values()):  # which is no safety: whoever is after these alone guesses otherwise
        text = t("too few to be guessed, blind or not")
    card = f'<div class="card"><b>{head}</b><br>{text}</div>'
    return [Html(card), Chart(figure, alt, key=f"chart_means_guessed_{scope}")]


def _won(view: MeansView, key: str, chance: float) -> str:
    """One's own mechanism stands at its own ε."""
    holes = {"mechanism": widgets.named(key), "n": f"<b>{words.of_100(chance)}</b>"}
    epsilon = view.facts.parts[key].mechanism.epsilon if key == invented.KEY else view.study.epsilon
    if abs(epsilon - view.study.epsilon) < 1e-9 or not isfinite(epsilon):
        return t("{mechanism} {n}", **holes)
    return t("{mechanism} {n} (ε = {eps})", **holes, eps=words.epsilon(epsilon))


def _switch(view: MeansView) -> list[str]:
    """Where uTernary's report is another one, and what its error and the guesses are on either side."""
    key = "uTernary"
    if key not in view.drawn.study.mechanisms:
        return []
    between = windows_begin(view.drawn.study, view.data, key, curves.DENSE["epsilon"])
    if between is None:
        return []
    rows = view.guesses
    guessed = rows[(rows["mechanism"] == key) & (rows["scope"] == "all")].set_index("x")["theory"]
    error = compute.theory(
        curves.along(view.drawn.study, "epsilon", curves.DENSE["epsilon"], ("mean", "unbiased")), view.data
    )
    error = error[(error["mechanism"] == key) & (error["metric"] == "mse:mean")].set_index("x")["theory"]
    factor = mean_lines.ROOTS["margin"]
    before, after = ((factor * error[x] ** 0.5, guessed[x]) for x in between)
    return [sentences.switch(key, between, (before[0], after[0]), (before[1], after[1]))]
