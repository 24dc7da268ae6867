"""Ranges: how wrong is the count of "how many people are between 25 and 44?", and who sees the raw data."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from ldpapp import words
from ldpapp.compare import strip
from ldpapp.compare.measures import Measure, Offer
from ldpapp.parts import budget, panels, planner, widgets
from ldpapp.runtime import display
from ldpapp.state.model import table
from ldpapp.views.ranges import local, one, own, published, sentences, tools
from ldpapp.views.ranges import panels as every
from ldpapp.views.ranges import view as views
from ldpapp.views.ranges.cells import Cells
from ldpapp.views.ranges.sidebar import ordered
from ldpapp.views.ranges.view import RangesView
from ldpapp.words.language import t
from ldpcore import catalog
from ldpcore.study import Study
from ldpcore.study.ranges import strategies as engine
from ldpcore.study.ranges.plans import RangePlans

WIDTHS = (50, 47)
EVERY, OTHER = "fold_every_range", "fold_other_ranges"
"""What is behind a click."""


def page(study: Study, cells: Cells) -> None:
    view = views.current(study, cells)
    widgets.sentence(sentences.headline(view))
    strip.here()
    budget.on_phone(
        study,
        t("N = {n}", n=words.count(cells.size)),
        words.plural(len(view.names), t("strategy"), t("strategies")),
    )
    panels.row(partial(one.panel, view, _order(view)), partial(published.release, view), widths=(58, 39))
    panels.row(partial(published.margins, view), partial(published.who, view), widths=(58, 39))
    panels.fold(
        EVERY,
        t("Every range"),
        t("error maps · average error against N · accuracy index · covariance · experiment · best possible"),
        partial(_every, view),
    )
    panels.fold(
        OTHER,
        t("Other ways"),
        t("ranges of your own · a strategy matrix of your own · without a curator"),
        partial(_other, view),
    )
    planner_fold(view)


def _order(view: views.RangesView) -> str:
    """In which order the values of a category stand."""
    if view.cells.low is not None:
        return ""
    source, name = table(), view.study.column
    profile = source.profiles[name]
    return sentences.ordered(profile, name in ordered(source), name in source.orders)


def _every(view: views.RangesView) -> None:
    if not display.single():
        line, place = st.columns([58, 42], gap="small", vertical_alignment="center")
        line.html(f'<div class="sub">{sentences.overall(view)}</div>')
        with place.container(horizontal=True, horizontal_alignment="right", gap="small", key="ranges_tools"):
            tools.tools(view)
    averages = [partial(every.averages, view), partial(every.index, view)]
    panels.row(partial(every.every_range, view), averages, widths=WIDTHS)


def _other(view: views.RangesView) -> None:
    panels.row(partial(own.panel, view), partial(local.panel, view), widths=WIDTHS)


# the planner ---------------------------------------------------------------------------------------------------------


def planner_fold(view: RangesView) -> None:
    planner.fold("ranges", lambda: planned(view))


def planned(view: RangesView) -> planner.PlannerSubject:
    counted = RangePlans(view.cells.size, view.chosen)
    return planner.PlannerSubject(
        "ranges",
        lambda every, worst: counted,
        tuple(catalog.RANGES),
        tuple(map(engine.key_of, view.names)),
        engine.key_of(view.best[0]),
        catalog.RANGES.name,
        int(view.cells.counts.sum()),
        view.study.epsilon,
        planner.points(),
        t(
            "Two are given, one is answered, for the share of people in “{range}”; ± is noise alone.",
            range=widgets.escape(view.short),
        ),
        lambda key: t("With {key} the share is off by at most", key=key),
        _guessed,
        worst=False,
    )


def _guessed(**holes: str) -> str:
    """A curator's ε is about who is in the data: between two answers of somebody it allows 2ε."""
    return t(
        "At ε = {eps}, whoever wonders whether a person is among these people, as likely as not, is right about at "
        "most {won} people by all that is published; a blind guess gets {blind}.",
        **holes,
    )


# two settings --------------------------------------------------------------------------------------------------------


def measures(study: Study, cells: Cells) -> Sequence[Measure]:
    """The margin of the range asked and the error of all, by the best strategy chosen, and what a reader believes."""
    view = views.current(study, cells)
    one, off = view.best[0], view.of(view.best[0]).margin
    every = min(view.names, key=lambda name: view.of(name).average)
    known = t("“{range}” known to", range=widgets.escape(view.short))
    average, belief = view.of(every).average, view.facts.belief
    return [
        Measure(
            "one", known, off, f"±{words.decimals(off)}", t("people"),
            note=t("95 %, by {strategy}.", strategy=widgets.named(one)),
        ),
        Measure(
            "all", t("Typical error of every range"), average, words.decimals(average), t("people"),
            note=t("by {strategy}.", strategy=widgets.named(every)),
        ),
        Measure(
            "belief", t("How sure a reader can be that somebody is in it"), belief, words.percent(belief, most=True),
            exposed=True, note=t("from 50 %, at most."),
        ),
    ]  # fmt: skip


def option(study: Study, name: str) -> str:
    if name != "asked":
        return ""
    asked = study.option("asked") or ()
    if not asked:
        return t("the usual range")
    first, last = asked[0].split(":")
    return t("cells {first} to {last} asked", first=first, last=last)


OFFER = Offer(measures, option)
