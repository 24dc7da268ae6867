"""Itemsets: which sets each miner would publish, how many are false or missed, and whether its promise is kept."""

import itertools
import math
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from ldpapp import words
from ldpapp.compare import strip
from ldpapp.compare.measures import Measure, Offer
from ldpapp.parts import budget, widgets
from ldpapp.parts import panels as drawn
from ldpapp.runtime import background
from ldpapp.runtime.capture import Reach
from ldpapp.state import controlled, view_options
from ldpapp.views.itemsets import bill, panels, scoring, sentences, sidebar, terms
from ldpapp.views.itemsets.sentences import Runs
from ldpapp.views.task import plain, sorry
from ldpapp.words.language import t
from ldpcore.data import Baskets
from ldpcore.itemsets import TooManyCandidates, propose
from ldpcore.itemsets.question import GroundTruth
from ldpcore.study import Study
from ldpcore.study import itemsets as task
from ldpcore.study.itemsets import curves
from ldpcore.study.itemsets.compare import given_up
from ldpcore.study.itemsets.facts import ItemsetsFacts, facts

MOST_SETS = 60_000
"""More frequent sets nobody compares."""
PATIENCE = 0.6
"""Seconds of counting before the page says how far it is."""
STOPPED = "itemsets_stopped"
"""The look that says: counting was stopped."""


def page(study: Study, found: Baskets) -> None:
    asked, study = study, curves.alike(study)
    refused = task.refused(study, found)
    without = [t("{miner} is left out here: {why}.", miner=key, why=why) for key, why in refused.items()]
    if set(refused) == set(study.mechanisms):
        sorry(t("These data cannot be mined so."), " ".join(without))
        return
    if refused:
        able = tuple(key for key in study.mechanisms if key not in refused)
        asked, study = replace(asked, mechanisms=able), replace(study, mechanisms=able)
    ground = task.ground(study, found, task.current(study))
    nouns = terms.of(study.column)
    try:
        if not _searched(ground, nouns):
            return
        draw = widgets.draws("itemsets") % 10_000
        known = facts(study, found, repetition=draw)
        runs = known.runs
    except TooManyCandidates:
        _too_many(found, ground, nouns)
        return
    except ValueError as error:
        sorry(t("These data cannot be mined so."), plain(error))
        return
    _head(study, ground, runs, nouns)
    for each in without:
        widgets.note(each)
    strip.here()
    miners = words.plural(len(study.mechanisms), t("miner"), t("miners"))
    budget.on_phone(study, nouns.at_least(ground.least), miners)
    if ground.truth.published:
        _found(asked, study, found, ground, known, nouns)
    else:
        panels.cards(runs, ground, nouns)


def _too_many(found: Baskets, ground: GroundTruth, said: terms.Terms) -> None:
    """What cannot be counted, and one click to the nearest question that can."""
    can = propose(found, ground.least, ground.max_length)
    sorry(
        t("Almost every combination is frequent here."),
        said.crowd(ground.least),
        t("Shorter sets, or a higher number beside the data, leave fewer."),
    )
    label = said.search(can.max_length or 1, can.min_count)
    st.button(label, type="primary", on_click=sidebar.search, args=(can,))


def _searched(ground: GroundTruth, said: terms.Terms) -> bool:
    """Count exactly, with progress and a way to stop where it takes long; False while stopped."""
    if view_options.look(STOPPED):
        view_options.choose(STOPPED, False)
        sorry(
            t("Counting was stopped."),
            t("The exact counts are not complete."),
            t("A higher number beside the data needs less work."),
        )
        st.button(t("Count on"), type="primary")
        return False
    place, start, looks, bar = st.empty(), time.monotonic(), itertools.count(), []

    def tick(length: int, done: int, total: int) -> None:
        if time.monotonic() - start < PATIENCE:
            return
        if next(looks) == 0:
            with place.container():
                st.button(t("Stop"), key="itemsets_stop_search", on_click=partial(view_options.choose, STOPPED, True))
                bar.append(st.progress(0.0))
        counting = t(
            "Counting sets of {items}: {done} of {total} candidates",
            items=said.items(length),
            done=words.count(done),
            total=words.count(total),
        )
        bar[0].progress(min(done / max(total, 1), 1.0), counting)

    ground.search(tick, MOST_SETS)
    place.empty()
    return True


def _head(study: Study, ground: GroundTruth, runs: Runs, said: terms.Terms) -> None:
    """The finding, and the switch between the two comparisons; that the question was proposed, if it was."""
    head, switch = st.columns([78, 22], gap="medium", vertical_alignment="center")
    same = {"s": t("Same s"), "epsilon": t("Same total ε")}
    with switch:
        controlled.bound(
            st.segmented_control, t("What is equal"), list(same), key="itemsets_same", value=task.same(study),
            change=sidebar.equal, required=True,
            format_func=same.get, label_visibility="collapsed", width="stretch",
        )  # fmt: skip
    with head:
        if ground.truth.published:
            s = float(task.options(study).s)
            sentence = sentences.headline(study.axis, runs, ground, s, study.epsilon, widgets.named, said)
            widgets.sentence(sentence, sentences.published(runs, study.epsilon, widgets.named))
        else:
            most = int(ground.data.counts.max(initial=0))
            widgets.sentence(said.nothing(ground.least, ground.data.n, most), t("Nothing is published here."))
    if first := sidebar.first(study):
        widgets.note(said.first(first.max_length or 1, first.min_count))


def _found(
    asked: Study, study: Study, found: Baskets, ground: GroundTruth, known: ItemsetsFacts, said: terms.Terms
) -> None:
    """asked: along its axis, which may be the threshold; study: along what is equal for all miners."""
    runs = known.runs
    values = study.marks.values
    if values:
        marked = widgets.sensitive(said.marked(len(set(values)), start=True))
        widgets.note(said.withheld(marked, given_up(ground), ground.truth.published))
    panels.cards(runs, ground, said)
    drawn.row(
        lambda: panels.side_by_side(study, known.table, runs, ground, said),
        lambda: scoring.scores(asked, found, said),
        widths=[60, 40],
    )
    _behind(study, found, ground, runs, known.elsewhere, said)
    background.surveys(found, curves.over(asked, found))


def _behind(study: Study, found: Baskets, ground: GroundTruth, runs: Runs, other: Runs, said: terms.Terms) -> None:
    """What experts want."""
    there = ""
    if (dfdp := other.get("DFDP")) is not None and dfdp.question.clip is None:
        there = sentences.elsewhere(study.axis, dfdp, float(task.options(study).s), study.epsilon)
    drawn.fold(
        "fold_itemsets_bill",
        t("The bill"),
        t("spend by spend, in three ways · F by length"),
        lambda: drawn.row(
            lambda: bill.ledger(runs, there, said),
            lambda: scoring.by_length(runs),
            widths=[60, 40],
        ),
    )
    asked = task.question(study, task.current(study))
    s = ground.each(study.epsilon) if asked.s is None else asked.s
    drawn.fold(
        "fold_itemsets_leak",
        t("What DFDP’s candidates give away"),
        t("two data sets that differ by one, and a set that only one of them can publish · the repair"),
        lambda: drawn.show(lambda: bill.leak(study, found, runs, s, said)),
    )


# two settings --------------------------------------------------------------------------------------------------------


def measures(study: Study, found: Baskets) -> Sequence[Measure]:
    """F, false sets and bill of the best miner whose promise holds, else of the best."""
    study = curves.alike(study)
    ground = task.ground(study, found, task.current(study))
    try:
        ground.search(lambda length, done, total: None, MOST_SETS)
    except TooManyCandidates as error:
        raise ValueError(t("almost every combination is frequent there.")) from error
    if set(task.refused(study, found)) == set(study.mechanisms):
        raise ValueError(t("no miner that is chosen can run on these baskets."))
    known = facts(study, found, repetition=widgets.draws("itemsets") % 10_000)
    one = known.runs[known.best or max(known.runs, key=lambda key: known.runs[key].f)]
    by, bill = t("by {miner}.", miner=widgets.named(one.key)), one.mined.ledger.total
    false, wrong = one.scores.false, t("False sets published")
    return [
        Measure("f", "F", one.f, f"{one.f:.2f}", "", Reach.INTERNAL, more=True, note=by),
        Measure("false", wrong, float(false), words.count(false), t("sets"), Reach.INTERNAL, note=by),
        Measure(
            "bill", t("Privacy bill"), bill, words.decimals(bill) if math.isfinite(bill) else t("none"), "ε",
            exposed=True, note=by,
        ),
    ]  # fmt: skip


def option(study: Study, name: str) -> str:
    if name == "axis" and study.axis == curves.THRESHOLD:
        return t("against the threshold")
    if name == "axis":
        return t("the same s for all") if study.axis == "s" else t("the same total ε for all")
    value: Any = task.options(study).least if name == "min_count" else study.option(name)
    if name == "min_count":
        return terms.of(study.column).at_least(value) if value >= 1 else t("{share} make a set frequent",
                                                                           share=words.share(value))  # fmt: skip
    if name == "s":
        return t("s = {s}", s=words.epsilon(value))
    if name == "clip":
        return t("noise within ±{clip}", clip=f"{value:g}") if value is not None else t("noise without limit")
    if name == "same":
        return t("the same s for all") if value == "s" else t("the same total ε for all")
    if name == "length":
        return t("SmartTrunc cuts to {items}", items=words.plural(value, t("item"), t("items")))
    if name == "levels":
        return t("SmartTrunc looks for sets of up to {items}", items=words.plural(value, t("item"), t("items")))
    if name == "candidate_count":
        return t("SmartTrunc’s candidates from {count}", count=f"{value:g}") if value else t("candidates as usual")
    if name == "max_length":
        return t("sets of at most {n} items", n=value) if value else t("sets of any length")
    return ""


OFFER = Offer(measures, option)
