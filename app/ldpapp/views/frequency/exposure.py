"""Error against exposure: one curve per mechanism with ε along it, and the limit as the lower edge."""

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ldpapp import charts, compute, words
from ldpapp.parts import curve_words, levels, widgets
from ldpapp.parts import panels as drawn
from ldpapp.parts.panels import Chart, Menu, Panel, Sheet
from ldpapp.state import navigation, view_options
from ldpapp.state.model import state
from ldpapp.views.frequency import captions, frontier, looking, panels, rigging, sentences, unmarked
from ldpapp.words.language import t
from ldpcore.data import Histogram
from ldpcore.study import Study
from ldpcore.study.curves import MARGIN
from ldpcore.study.frequency import facts
from ldpcore.study.frequency.curves import FrequencyCurveOptions, of_one_level
from ldpcore.study.frequency.facts import ShareFacts, limits, plane
from ldpcore.study.frequency.facts.limits import ExposedError


def page(
    head: DeltaGenerator,
    looked: FrequencyCurveOptions,
    study: Study,
    counted: Histogram,
    found: dict[str, ShareFacts],
    main: ShareFacts,
) -> None:
    if main.marked.sum() == 1 and np.isfinite(main.apart):
        with head:
            widgets.sentence(captions.placed_apart(study, main, widgets.named, widgets.sensitive(levels.word(study))))
        drawn.show(lambda: apart_panel(replace(looked, axis="epsilon"), study, counted, found, main))
        frontier.fold(study, counted)
        return
    if main.marked.sum() < 2:
        with head:
            widgets.sentence(t("The plane shows how marked answers are guessed. Mark at least two values to see it."))
        widgets.state_box(
            t("Fewer than two values are marked."),
            t("Whoever knows that an answer is the only marked one needs no report to know it."),
        )
        if not main.marked.any():
            unmarked.propose(study, counted)
        elif st.button(t("Mark values"), type="primary"):
            navigation.go("data")
        drawn.show(lambda: frontier.panel(study, counted))
        return
    whose = of_one_level(study)
    view = replace(
        looked,
        axis="epsilon",
        prior="level" if whose else "targeted",
        attacked=whose or "sensitive",
        scope=view_options.look("plane_scope", "sensitive"),
        quantity="points",
        estimator="raw",
    )
    if view_options.look("plane_against") == "liars":
        with head:
            widgets.sentence(rigging.finding(study, main, view.scope, widgets.named(main.key)))
        drawn.show(lambda: rigging.panel(view, study, counted, found, main, second(study, counted)))
        return
    standing = plane.standing(found, view)
    gap = None if main.secret.any() else limits.exposed(study, counted, {main.key: main}, view.scope)
    with head:
        sensitive = widgets.sensitive(levels.word(study))
        if whose:
            blind = main.blind_to("level", whose)
            least = main.least_error("sensitive")
            word = widgets.sensitive(levels.names()["secret" if whose == "secret" else "sensitive"])
            sentence = captions.placed_by_level(study, whose, main, blind, least, widgets.named, word)
        else:
            even = limits.at_equal_risk(study, counted, found, main, view.scope)
            sentence = captions.placed(study, main, gap, even, view.scope, widgets.named, sensitive)
        beyond = sentences.larger_epsilon(study, counted, main, widgets.named, sensitive)
        widgets.sentence(f"{sentence} {beyond}".strip())
    drawn.show(lambda: plane_panel(view, study, counted, main, standing, gap, second(study, counted)))
    frontier.fold(study, counted)
    if view_options.look("plane_simulated"):
        panels.simulate(view, study, counted, main)


def plane_panel(
    view: FrequencyCurveOptions,
    study: Study,
    counted: Histogram,
    main: ShareFacts,
    standing: pd.DataFrame,
    gap: ExposedError | None,
    other: dict[str, ShareFacts] | None,
) -> Panel:
    """other: what the mechanisms are under the second setting of marks, where there is one."""
    lines, edge = _curves(view, study, counted), plane.edge(study, counted, main, view)
    blind = main.blind_to(view.prior, view.attacked)
    eps, names = words.epsilon(study.epsilon), curve_words.scopes()
    figure = charts.plane(
        lines,
        _simulated(view, study, counted) if view_options.look("plane_simulated") else None,
        standing,
        edge,
        at=study.epsilon,
        blind=blind * 100,
        focus=main.key,
        second=None if other is None else plane.standing(other, view),
        second_blind=None if other is None else next(iter(other.values())).blind_to(view.prior, view.attacked) * 100,
        second_text=_blind_text(next(iter(other.values())).blind_to(view.prior, view.attacked), "B") if other else "",
        gap=None if gap is None else (100 * gap.exposure, MARGIN * gap.error, MARGIN * gap.least),
        dark=widgets.is_dark(),
        limit_text=t("limit at ε = {eps}", eps=eps),
        blind_text=_blind_text(blind, "A" if other else ""),
        x_text=_x_text(view),
        corner_text=t("better on both sides: down and to the left ↙"),
    )
    scopes = {scope: names[scope] for scope in ("sensitive", "all")}
    return Panel(
        "plane",
        t("Error against exposure"),
        [Chart(figure, t("Error against exposure of every mechanism, with the limit as the lower edge."))],
        captions.plane_of_levels(view.scope)
        if main.secret.any()
        else captions.plane_drawn(study.epsilon, view.scope, other is not None),
        [
            Menu(main.key, partial(widgets.mechanism, list(standing["mechanism"]), "focus", main.key)),
            Menu(scopes[view.scope], partial(_menu, scopes, bool(main.secret.any()))),
            rigging.against(),
            Sheet(_table(lines, view, study, counted), "plane"),
            Sheet(edge if main.secret.any() else _limits(edge, study, main), "limit", t("limit"), "edge"),
        ],
    )


def apart_panel(
    view: FrequencyCurveOptions, study: Study, counted: Histogram, found: dict[str, ShareFacts], main: ShareFacts
) -> Panel:
    """Of a single marked answer error against the pairs that its report tells apart, both exact."""
    view = replace(view, scope=view_options.look("plane_scope", "sensitive"), quantity="points", estimator="raw")
    standing = plane.apart(found, view.scope)
    lines = plane.apart_curves(study, counted, tuple(standing["mechanism"]), view)
    figure = charts.plane(
        lines,
        None,
        standing,
        None,
        at=study.epsilon,
        blind=50,
        focus=main.key,
        dark=widgets.is_dark(),
        blind_text=t("guessing"),
        x_text=t("pairs told apart, of 100"),
        corner_text=t("better on both sides: down and to the left ↙"),
        said=captions.told_apart,
    )
    scopes = {scope: curve_words.scopes()[scope] for scope in ("sensitive", "all")}
    absent = words.listing(widgets.escape(key) for key in found if key not in set(standing["mechanism"]))
    text = captions.plane_apart(study.epsilon, view.scope)
    return Panel(
        "plane",
        t("Error against pairs told apart"),
        [Chart(figure, t("Error of every mechanism against the pairs that one report tells apart."))],
        t("{text} Not exact, so not drawn: {mechanisms}.", text=text, mechanisms=absent) if absent else text,
        [
            Menu(main.key, partial(widgets.mechanism, list(standing["mechanism"]), "focus", main.key)),
            Menu(scopes[view.scope], partial(view_options.radio, t("Error over"), scopes, "plane_scope")),
            Sheet(lines, "plane"),
        ],
    )


def _menu(scopes: dict[str, str], by_level: bool) -> None:
    view_options.radio(t("Error over"), scopes, "plane_scope")
    if by_level:
        text = t(
            "With levels the limit is that of the chosen ε, at every exposure: how much more error a smaller exposure "
            "costs is not computed for them."
        )
        st.html(f'<div class="sub">{text}</div>')
    view_options.radio(t("Simulated attacks"), {False: t("left out"), True: t("small marks")}, "plane_simulated")


def second(study: Study, counted: Histogram) -> dict[str, ShareFacts] | None:
    """Every mechanism of the present Study under the kept setting's marks; None without one, where it is about another
    column, or where it leaves nothing to guess.
    """
    compared = state().compared.get("frequency")
    if compared is None or (compared.study.data.digest, compared.study.column) != (study.data.digest, study.column):
        return None
    marked = replace(study, marks=compared.study.marks.within(counted.domain.labels))
    other = facts.facts(marked, counted).every
    same = not of_one_level(study) or of_one_level(marked)
    return other if next(iter(other.values())).marked.sum() > 1 and same else None


def _x_text(view: FrequencyCurveOptions) -> str:
    if view.attacked == "secret":
        return t("secret answers guessed, of 100")
    if view.attacked == "private":
        return t("private answers guessed, of 100")
    return t("marked answers guessed, of 100")


def _blind_text(blind: float, setting: str) -> str:
    chance = words.one_in(blind)
    if not setting:
        return t("blind guess, {chance}", chance=chance)
    return t("blind guess {setting}, {chance}", setting=setting, chance=chance)


def _curves(view: FrequencyCurveOptions, study: Study, counted: Histogram) -> pd.DataFrame:
    return plane.curves_of(view, compute.theory(view.theoretical(study), counted))


def _table(lines: pd.DataFrame, view: FrequencyCurveOptions, study: Study, counted: Histogram) -> pd.DataFrame:
    """The lines as numbers, with the bits of a report."""
    rows = lines.rename(columns={"x": "guessed, of 100", "value": "± 95 %, points", "epsilon": "x"})
    return looking.sized(rows, view, study, counted).rename(columns={"x": "epsilon"})


def _simulated(view: FrequencyCurveOptions, study: Study, counted: Histogram) -> pd.DataFrame:
    """Simulated error against simulated attack, at the grid's ε up to the chosen one."""
    rows = compute.summary(view.simulated(study), counted, view.metric, f"success:{view.prior}")
    return plane.simulated(view, rows, study.epsilon)


def _limits(edge: pd.DataFrame, study: Study, main: ShareFacts) -> pd.DataFrame:
    names = {"x": "guessed, of 100", "value": "least ± 95 %, points", "many": "closed form for many marked values"}
    return plane.with_closed_form(edge, study, main).rename(columns=names)
