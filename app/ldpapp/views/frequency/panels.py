"""The panels of the Frequency view: error, one release, theory against experiment, adversary."""

import time
from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from ldpapp import charts, compute, words
from ldpapp.compute.memory import remember
from ldpapp.parts import curve_words, error_unit, panels, released_forms, survey_panels, widgets
from ldpapp.parts.cards import beside_rule
from ldpapp.parts.panels import Box, Chart, Filling, Line, Menu, Panel, Part, Reach, Sheet
from ldpapp.runtime import background
from ldpapp.runtime.errors import guarded
from ldpapp.views.frequency import captions, cards, looking, unmarked
from ldpapp.words.language import t
from ldpcore.data import Histogram
from ldpcore.estimators.likelihood import is_exact
from ldpcore.study import Study, curves, frequency, published
from ldpcore.study.frequency import curves as frequency_curves
from ldpcore.study.frequency import facts
from ldpcore.study.frequency.curves import FrequencyCurveOptions, parts
from ldpcore.study.frequency.facts import ByKey, ShareFacts
from ldpcore.study.simulated_shares import SimulatedShares

SIMULATED = ("simulated", "low", "high")
"""Columns of a table of curves that compare with the truth."""


def first_row(
    view: FrequencyCurveOptions,
    study: Study,
    counted: Histogram,
    found: ByKey,
    main: ShareFacts,
    idle: Sequence[str] = (),
) -> None:
    """ε, error and risk stand together. idle: those that protect nothing here, which are named and not drawn."""
    panels.row(
        lambda: error_panel(view, study, counted, main, idle),
        lambda: cards.odds_card(study, counted, main),
        lambda: cards.risk_card(counted, found, main),
        widths=[50, 23, 24],
    )


def error_panel(
    view: FrequencyCurveOptions, study: Study, counted: Histogram, main: ShareFacts, idle: Sequence[str] = ()
) -> Panel:
    lines, marks = looking.errors(view, study, counted)
    below, text = looking.floor(view, study, counted, main)
    what = captions.error_drawn(view, study, main)
    rows = lines.merge(marks.rename(columns={"value": "simulated"}), how="outer", on=["mechanism", "x"])
    rows = looking.sized(rows, view, study, counted)
    table = curves.beside_floor(view, rows.rename(columns={"value": "theory"}), below)
    drawn: list[Part] = [
        Box(
            t("Surveys are being simulated."),
            t("The largest error has no closed form; it appears with the first surveys."),
            height=218,
        )
    ]
    if not lines.empty:
        at, axis = view.at(study, counted), looking.axes()[view.axis]
        now = ""
        if view.quantity == "points" and view.axis == "epsilon":
            every, of = view.scope == "all", int(dict(main.cell.scopes)[view.scope].sum())
            over = curve_words.over(of, t("values") if every else curve_words.scopes()[view.scope], every)
            now = beside_rule(at, over, (main.key, main.error(view.scope)))
        figure = error_unit.curves(
            view, lines, marks, main.key, at, (below, text), x_name=axis, height=164 if idle else 224, rule_text=now
        )
        alt = t(
            "{what} {error} points for {mechanism} at ε = {eps}.",
            what=what,
            error=curve_words.written(view.quantity, main.error(view.scope)),
            mechanism=main.key,
            eps=words.epsilon(facts.epsilon_of(study, main)),
        )
        drawn = [Chart(figure, alt, text, instead=captions.ERRORS[view.quantity]())]
        if text and (known := looking.floor_for_shares(view, counted, main)):
            drawn.append(Line(known))
    if idle:
        drawn.append(unmarked.idle(idle))
    return Panel(
        "error",
        t("How far off a share is"),
        drawn,
        Filling(counted, [view.simulated(study)], t("simulated surveys"), what, captions.ERRORS[view.quantity]()),
        [
            looking.axis_menu(view),
            error_unit.control("view_quantity"),
            Menu(curve_words.scopes()[view.scope], partial(looking.error_menu, parts(study, counted))),
            Sheet(table, "error", internal=SIMULATED),
        ],
    )


def second_row(view: FrequencyCurveOptions, study: Study, counted: Histogram, found: ByKey, main: ShareFacts) -> None:
    left, right = st.columns([66, 34], gap="medium")
    with left, guarded(t("This part")):
        survey_panels.show(
            "frequency", surveys(study, counted, main), list(found), "focus", t("value"), lambda: paper_formula(main),
            height=204,
        )  # fmt: skip
    with right:
        panels.show(lambda: adversary_panel(view, study, counted, main))


def surveys(study: Study, counted: Histogram, main: ShareFacts) -> SimulatedShares:
    """Those of the mechanism in focus, at the chosen point, so far."""
    return main.simulated(counted.domain.labels, details(study, counted, main.key))


def details(study: Study, counted: Histogram, mechanism: str, seconds: float = 0.1) -> pd.DataFrame:
    """Every value's estimate in the surveys simulated so far: at least one, more as long as the time allows."""
    point, end = frequency_curves.detailed(study, mechanism), time.monotonic() + seconds
    for _ in compute.surveys(point, counted):
        if time.monotonic() > end:
            break
    return compute.kept(point, counted)


def forms(study: Study, cell: frequency.FrequencyDesignPoint) -> dict[str, published.Form]:
    """Every form of this cell's release, over surveys of their own."""
    return remember(
        "forms", 16, frequency_curves.detailed(study, cell.mechanism), lambda: published.of_cell(cell, study.seed)
    )


def forms_fold(study: Study, counted: Histogram, main: ShareFacts) -> None:
    """What one would publish of the mechanism in focus."""

    def make() -> released_forms.Released:
        made = forms(study, main.cell)
        return released_forms.Released(
            main.key, counted.domain.labels, main.marked, made, exact=is_exact(main.mechanism)
        )

    released_forms.fold("frequency", make)


def paper_formula(main: ShareFacts) -> None:
    """Where a paper states another variance, both numbers."""
    paper = getattr(main.mechanism, "paper_variance", None)
    if paper is None:
        return
    stated = paper(main.cell.noise, main.cell.effective)
    low = ~main.marked
    if low.any():
        formula = t(
            "The paper's formula (12) promises {paper} points on unmarked values; exact are {exact}. It takes the "
            "share of marked answers as known; it is estimated.",
            paper=words.margin(np.sqrt(stated[low].mean())),
            exact=words.margin(np.sqrt(main.variance[low].mean())),
        )
        st.html(f'<div class="card">{formula}</div>')


def adversary_panel(view: FrequencyCurveOptions, study: Study, counted: Histogram, main: ShareFacts) -> Panel:
    lines = curves.success_lines(view, compute.theory(view.theoretical(study), counted))
    simulated = view.simulated(study)
    marks = curves.success_marks(view, compute.summary(simulated, counted, f"success:{view.prior}"))
    whose = "sensitive" if view.prior == "targeted" else view.attacked
    blind = main.blind_to(view.prior, whose)
    rows = lines.merge(marks.rename(columns={"value": "attacked"}), how="outer", on=["mechanism", "x"])
    rows = looking.sized(rows, view, study, counted)
    figure = charts.success_curves(
        lines,
        marks,
        focus=main.key,
        at=view.at(study, counted),
        blind=blind * 100,
        x_name=looking.axes()[view.axis],
        log_x=view.log_x,
        dark=widgets.is_dark(),
        height=204,
    )
    text = captions.guessed(whose)
    alt = t(
        "{guessed} Against {axis}; blind guessing gets {blind}.",
        guessed=text,
        axis=looking.axes()[view.axis],
        blind=words.of_100(blind),
    )
    return Panel(
        "adversary",
        t("Who is guessed?"),
        # Of one marked value it would be a line at 100, whatever is sent.
        [_alone(main) if view.prior == "targeted" and main.marked.sum() == 1 else Chart(figure, alt)],
        text,
        [
            Menu(looking.priors()[view.prior], partial(looking.adversary_menu, parts(study, counted))),
            Sheet(rows.rename(columns={"value": "exact"}), "adversary", internal=("attacked", *SIMULATED[1:])),
        ],
        # The blind guess of whoever knows the shares is the largest of them.
        reach=Reach.INTERNAL if view.prior == "population" else Reach.PUBLISHED,
    )


def _alone(main: ShareFacts) -> Box:
    """In the place of the curve of guesses where one value is marked."""
    why = t(
        "Its reports tell it from the others in {told} tries (blind 50).",
        told=words.tries(main.told(int(main.marked.argmax()))),
    )
    return Box(t("One value is marked: that it is marked says which."), why, height=204)


def simulate(view: FrequencyCurveOptions, study: Study, counted: Histogram, main: ShareFacts) -> None:
    """The mechanism in focus first, then the marks on the curves."""
    background.surveys(counted, frequency_curves.detailed(study, main.key), view.simulated(study))
