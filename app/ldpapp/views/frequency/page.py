"""Frequency: the shares of one column, how wrong they get, and who is still exposed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from ldpapp.compare import strip
from ldpapp.parts import budget, levels, own_table, planner, widgets
from ldpapp.state import controlled, view_options
from ldpapp.state.model import state
from ldpapp.views.frequency import comparison, exposure, looking, own, panels, personal, sentences, unmarked
from ldpapp.words.language import t
from ldpcore import catalog
from ldpcore.data import Histogram
from ldpcore.study import Study, frequency
from ldpcore.study.frequency import facts
from ldpcore.study.frequency import own as engine_own
from ldpcore.study.frequency.facts import ShareFacts
from ldpcore.study.frequency.floor import policy
from ldpcore.study.frequency.plans import SharePlans


def settings() -> tuple[str, str, str]:
    return t("One setting"), t("A | B"), t("Plane")


def _switch(setting: str) -> None:
    _, both, plane = settings()
    if setting == both and "frequency" not in state().compared:
        strip.begin_comparing("frequency")
    view_options.choose(strip.SHOWN, setting == both)
    view_options.choose("plane", setting == plane)


def page(asked: Study, counted: Histogram) -> None:
    plane = view_options.look("plane", False)
    comparing = "frequency" in state().compared and view_options.look(strip.SHOWN, True) and not plane
    asked = engine_own.added(asked, counted.domain.labels)
    study = asked.at_point()
    head, switch = st.columns([79, 21], gap="medium", vertical_alignment="center")
    controlled.bound(
        switch.segmented_control,
        t("Settings"),
        settings(),
        key="compare_choice",
        value=settings()[2 if plane else comparing],
        change=_switch,
        required=True,
        label_visibility="collapsed",
        width="stretch",
    )
    known = facts.facts(study, counted)
    own_table.dressed(known.every)
    view = looking.current(asked, counted)
    both = strip.two() if comparing else None
    if both is not None and comparison.page(head, view, study, counted, known, both):
        return
    compared, usual = known.protecting, known.listed
    if not usual:
        with head:
            unmarked.alone(study, counted, tuple(facts.listed(known.every)))
        return
    study, main = study.with_mechanisms(tuple(compared)), facts.focus(compared, view_options.wished("focus"))
    if plane:
        exposure.page(head, view, study, counted, compared, main)
        return
    idle = [key for key in known.every if key not in compared]
    spoken = main if main.key in usual else facts.focus(usual, None)  # the headline is about the Study's ε
    with head:
        sensitive = widgets.sensitive(levels.word(study))
        sentence = sentences.frequency_sentence(study, usual, spoken, widgets.named, sensitive, counted.domain.labels)
        beyond = sentences.larger_epsilon(study, counted, spoken, widgets.named, sensitive)
        widgets.sentence(f"{sentence} {beyond}".strip())
        secret = bool(study.marks.secret)
        budget.marks_on_phone(study, len(study.marks), counted.domain.k, by_level=secret)
    strip.here()
    if not main.marked.any():
        unmarked.propose(study, counted)
    panels.first_row(view, study, counted, compared, main, idle)
    panels.second_row(view, study, counted, compared, main)
    panels.forms_fold(study, counted, main)
    planner_fold(study, usual, spoken, counted.domain.labels)
    personal.fold(study, counted)
    own.fold(study, counted, compared)
    panels.simulate(view, study, counted, main)


# the planner ---------------------------------------------------------------------------------------------------------


def planner_fold(study: Study, found: Mapping[str, ShareFacts], main: ShareFacts, answers: Sequence[str]) -> None:
    """found: all that are compared and protect something."""
    planner.fold("frequency", lambda: planned(study, found, main, answers))


def planned(
    study: Study, found: Mapping[str, ShareFacts], main: ShareFacts, answers: Sequence[str]
) -> planner.PlannerSubject:
    cell, guess = main.cell, frequency.options(study).guess
    shares = SharePlans.of_levels(policy(main.key), cell.epsilons, main.freq, guess=guess)
    shares = replace(shares, noise=tuple(map(float, cell.noise)), design_effect=cell.people / cell.effective)
    able = [key for key, entry in catalog.FREQUENCY.items() if any(shares.marked) or entry.promise == "LDP"]
    able += [key for key in catalog.LEVELS if shares.levels or key == main.key]
    return planner.of_values(
        shares,
        able,
        tuple(found),
        main.key,
        cell.people,
        float(main.cell.epsilons.min(initial=study.epsilon)),
        t(
            "Two are given, one is answered, for the shares of <b>{column}</b>; ± is noise alone.",
            column=widgets.escape(study.column),
        ),
        answers,
        shares.design_effect,
    )
