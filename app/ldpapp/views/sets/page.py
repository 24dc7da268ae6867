"""Sets: several items per person, some sensitive; how wrong the shares of holders get, and what the reports tell."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import streamlit as st

from ldpapp import compute, words
from ldpapp.compare import strip
from ldpapp.parts import budget, levels, own_table, panels, planner, widgets
from ldpapp.runtime import background
from ldpapp.state import actions, view_options
from ldpapp.views.sets import data as set_data
from ldpapp.views.sets import headline, items, own, proposal, sidebar
from ldpapp.views.sets import panels as set_panels
from ldpapp.views.sets import sentences as set_findings
from ldpapp.views.task import plain, sorry
from ldpapp.words.language import t
from ldpcore import catalog
from ldpcore.data import Baskets, proposed
from ldpcore.levels import SetLevels
from ldpcore.study import Study
from ldpcore.study.sets import compared as engine
from ldpcore.study.sets import facts as set_facts
from ldpcore.study.sets import point, truncation
from ldpcore.study.sets.plans import HolderPlans
from ldpcore.study.sets.point import ItemFacts


def page(asked: Study, held: Baskets) -> None:
    study = asked.at_point()
    head = st.container()
    try:
        known, refused = set_facts.facts(study, held), point.refused(study, held)
        every, shown = known.every, known.protecting
    except ValueError as error:
        sorry(t("These sets cannot be simulated so."), plain(error))
        return
    if not every:
        with head:
            sorry(
                t("Choose other mechanisms in the sidebar."),
                t("None of these mechanisms exists here."),
                set_findings.refusals(refused),
            )
        st.button(t("Show the usual ones"), type="primary", on_click=actions.usual_mechanisms, args=("sets",))
        return
    sensitive = widgets.sensitive(t("sensitive"))
    if not shown:
        with head:
            widgets.sentence(set_findings.unprotected(every, widgets.named))
        _propose(study, held, sensitive)
        st.button(t("Show the usual ones"), on_click=actions.usual_mechanisms, args=("sets",))
        own.fold(study, held)
        return
    view = set_data.current(asked, held)
    off = [key for key in study.mechanisms if key not in shown and catalog.ITEMS[key].promise != "LDP"]
    every = engine.protecting(study, held)
    main = set_facts.focus(every, view_options.wished("sets_focus"))
    spoken = main if main.key in shown else known.focus()  # the headline is about the Study's ε
    idle = [] if main.here.marked.any() else off
    own_table.dressed(every)
    # Nothing is simulated of what is not shown; along the share marked all of it protects something.
    compared = engine.added(study, held).with_mechanisms(tuple(every))
    along = compared.with_mechanisms((*study.mechanisms, *{*every} - {*shown})) if view.axis == "share" else compared
    detail, attacked = compute.kept(compared, held), set_data.told(compared, held)
    with head:
        filling = background.fills(held, set_facts.spoken(compared, held, spoken))
        sentence = headline.sentence(study, shown, spoken, attacked, widgets.named, widgets.sensitive, filling)
        beyond = headline.larger_epsilon(study, held, spoken, widgets.named)
        sentences = [sentence, *([beyond] if beyond else []), *_proposed(study, held, spoken, sensitive)]
        widgets.sentence(" ".join(sentences))
        marked = int(main.here.marked.sum())
        budget.marks_on_phone(study, marked, len(main.here.marked), by_level=sidebar.leveled(study))
    strip.here()
    if not main.here.marked.any():
        _propose(study, held, sensitive)
    gone = {key: why for key, why in refused.items() if key not in idle}
    _padding_line(compared, held, spoken, set_findings.hidden(gone, widgets.escape))
    panels.row(
        lambda: set_panels.error_panel(view, along, held, main, 280 if idle else 206),
        lambda: set_panels.adversary_panel(compared, held, every, main, attacked, idle),
        widths=[50, 47],
    )
    survey = main.simulated(detail, main.here.shown)
    panels.show(lambda: items.items_panel(every, main, survey))
    set_panels.release_fold(every, main, survey, attacked)
    set_panels.forms_fold(main, survey)
    planner_fold(compared, held, shown, spoken)
    own.fold(engine.added(study, held), held)
    set_panels.simulate(view, compared, along, held, main)


def _proposed(study: Study, held: Baskets, main: ItemFacts, sensitive: str) -> list[str]:
    """What the ticked items would buy, where nothing is marked."""
    if main.here.marked.any() or not proposal.asked(study):
        return []
    ticked = proposal.chosen(study, proposed(held))
    others = set_facts.supposed(study, held, ticked) if ticked else None
    return [] if others is None else [set_findings.proposal(len(ticked), others, sensitive)]


def _propose(study: Study, held: Baskets, sensitive: str) -> None:
    marks = proposed(held)
    if marks.values and proposal.asked(study):
        panels.show(lambda: proposal.panel(study, held, marks, sensitive))


def _padding_line(study: Study, held: Baskets, main: ItemFacts, hidden: list[str]) -> None:
    if study.option("simulated"):
        items = words.plural(main.here.m, t("item"), t("items"))
        sentences = [t("Simulated sets of exactly {items}: nothing is padded or cut.", items=items), *hidden]
        st.html(f'<div class="sub">{" ".join(sentences)}</div>')
        return
    padding = truncation.padding(study, held, main.key)
    sentences = [text for text in (set_findings.padding(padding, main, widgets.escape), *hidden) if text]
    if not sentences:
        return
    line, button = st.columns([86, 14], gap="small", vertical_alignment="center")
    line.html(f'<div class="sub">{" ".join(sentences)}</div>')
    if padding.gain >= set_findings.WORTH:
        with button.container(horizontal=True, horizontal_alignment="right"):
            st.button(t("Use m = {m}", m=words.count(padding.best)), key="use_best_m", type="tertiary",
                      on_click=sidebar.choose_m, args=(padding.best,))  # fmt: skip


# the planner ---------------------------------------------------------------------------------------------------------


def planner_fold(study: Study, held: Baskets, found: Mapping[str, ItemFacts], main: ItemFacts) -> None:
    """found: all that are compared and protect something."""
    planner.fold("sets", lambda: planned(study, held, found, main))


def planned(study: Study, held: Baskets, found: Mapping[str, ItemFacts], main: ItemFacts) -> planner.PlannerSubject:
    setting = main.here
    every = tuple(key for key, entry in catalog.SETS.items() if setting.marked.any() or entry.promise == "LDP")
    every += tuple(key for key in catalog.LEVELED_SETS if setting.leveled or key == main.key)
    able = list(point.every(replace(study, mechanisms=every), held))
    items = words.plural(setting.m, t("item"), t("items"))
    about = t(
        "Two are given, one is answered, for the shares of people who hold an item, with {items} each; ± is noise "
        "alone.",
        items=items,
    )
    return planner.PlannerSubject(
        "sets",
        lambda every, worst: HolderPlans(setting, every, worst, main.promise),
        able,
        tuple(found),
        main.key,
        catalog.ITEMS.name,
        setting.n,
        setting.least_epsilon,
        planner.points(),
        about,
        lambda key: t("With {key} shares are off by at most", key=key),
        _guessed if main.whole else None,
        answers=held.labels,
        label=t("ε of secret items") if setting.leveled else "",
        both=partial(_both, main) if setting.leveled else None,
    )


def _both(main: ItemFacts, epsilon: float) -> str:
    """The ε of either level; of a mechanism that knows one only, that one."""
    if main.promise != SetLevels.name:
        name = catalog.ITEMS.name(main.key)
        return levels.one_epsilon(name, epsilon)
    return levels.both_epsilons(epsilon, main.here.epsilon / main.here.least_epsilon)


def _guessed(**holes: str) -> str:
    """The rest of what a person holds being known."""
    return t(
        "At ε = {eps}, whoever wonders which of two equally likely items that are hidden a person holds guesses right "
        "for at most {won} people; a blind guess gets {blind}.",
        **holes,
    )
