"""Itemsets: what is bought together, what each miner finds of it, its bill, and whether its promise is kept."""

import itertools
import time
from functools import partial

import streamlit as st

from ldpapp import bind, filling, looks, session, sidebar, widgets, words
from ldpapp import panels as drawn
from ldpapp.language import t
from ldpapp.task import plain, sorry
from ldpapp.tasks.itemsets import bill, cached, findings, panels
from ldpapp.tasks.itemsets import study as own
from ldpapp.tasks.itemsets.findings import PAIR, Runs
from ldpcore.itemsets import TooManyCandidates, Transactions
from ldpcore.itemsets.question import Ground
from ldpcore.study import Study
from ldpcore.study import itemsets as task
from ldpcore.study.itemsets.compare import Outcome, given_up

MOST_SETS = 60_000
"""More frequent sets nobody compares."""
PATIENCE = 0.6
"""Seconds of counting before the page says how far it is."""
STOPPED = "itemsets_stopped"
"""The look that says: counting was stopped."""


def page(study: Study, found: Transactions) -> None:
    ground = task.ground(study, found, study.arms[0].name, task.current(study))
    least = t("at least {n} baskets", n=words.count(ground.least))
    try:
        if not _searched(ground):
            return
        draw = widgets.draws("itemsets") % 10_000
        runs = {key: _run(study, found, key, ground, draw) for key in study.mechanisms}
    except TooManyCandidates:
        higher = min(ground.data.n, 2 * ground.least)
        sorry(
            t("Almost every combination is frequent here."),
            t("More sets are in {least} than can be counted and compared.", least=least),
            t("A higher number of baskets leaves fewer."),
        )
        label = t("At least {n} baskets", n=words.count(higher))
        st.button(label, type="primary", on_click=own.choose_least, args=(higher,))
        return
    except ValueError as error:
        sorry(t("These baskets cannot be mined so."), plain(error))
        return
    other = _other(study, found, ground, draw)
    _head(study, ground, runs, other)
    miners = words.plural(len(study.mechanisms), t("miner"), t("miners"))
    sidebar.on_phone(study, least, miners)
    if ground.truth.published:
        _found(study, found, ground, runs, other)
    else:
        panels.cards(runs, ground)


def _searched(ground: Ground) -> bool:
    """Count exactly, with progress and a way to stop where it takes long; False while stopped."""
    if looks.look(STOPPED):
        looks.choose(STOPPED, False)
        sorry(
            t("Counting was stopped."),
            t("The exact counts are not complete."),
            t("A higher number of baskets needs less work."),
        )
        st.button(t("Count on"), type="primary")
        return False
    place, start, said, bar = st.empty(), time.monotonic(), itertools.count(), []

    def tick(length: int, done: int, total: int) -> None:
        if time.monotonic() - start < PATIENCE:
            return
        if next(said) == 0:
            with place.container():
                st.button(t("Stop"), key="itemsets_stop_search", on_click=partial(looks.choose, STOPPED, True))
                bar.append(st.progress(0.0))
        counting = t(
            "Counting sets of {items}: {done} of {total} candidates",
            items=words.plural(length, t("item"), t("items")),
            done=words.count(done),
            total=words.count(total),
        )
        bar[0].progress(min(done / max(total, 1), 1.0), counting)

    ground.search(tick, MOST_SETS)
    place.empty()
    return True


def _run(study: Study, found: Transactions, key: str, ground: Ground, draw: int) -> Outcome:
    return Outcome(key, cached.mined(study, found, key, draw), ground, task.question(study, task.current(study)))


def _other(study: Study, found: Transactions, ground: Ground, draw: int) -> Runs:
    """The pair that both comparisons are about, in the one that is not shown."""
    flipped = own.along(study, "s" if study.axis == "epsilon" else "epsilon")
    return {key: _run(flipped, found, key, ground, draw) for key in PAIR if key in study.mechanisms}


def _s(study: Study) -> float:
    return float(study.chosen(task.OPTIONS)["s"])


def _head(study: Study, ground: Ground, runs: Runs, other: Runs) -> None:
    """The finding, and the switch between the two comparisons."""
    head, switch = st.columns([76, 24], gap="medium", vertical_alignment="center")
    said = {"s": t("Same s"), "epsilon": t("Same total ε")}
    with switch:
        bind.bound(
            st.segmented_control, t("What is equal"), list(said), key="itemsets_same", value=task.same(study),
            change=lambda same: session.change("itemsets", axis=same), required=True,
            format_func=said.get, label_visibility="collapsed", width="stretch",
        )  # fmt: skip
    with head:
        if ground.truth.published:
            widgets.sentence(findings.headline(study.axis, runs, other, _s(study), study.epsilon, widgets.named))
        else:
            most = int(ground.data.counts.max(initial=0))
            widgets.sentence(findings.nothing_frequent(ground.least, ground.data.n, most))


def _found(study: Study, found: Transactions, ground: Ground, runs: Runs, other: Runs) -> None:
    values = study.arms[0].values
    if values:
        count = words.plural(len(set(values)), t("marked item"), t("marked items"), start=True)
        said = findings.withheld(widgets.sensitive(count), given_up(ground), ground.truth.published)
        widgets.note(said)
    panels.cards(runs, ground)
    there = ""
    if (dfdp := other.get("DFDP")) is not None and dfdp.question.clip is None:
        there = findings.elsewhere(study.axis, dfdp, _s(study), study.epsilon)
    asked = task.question(study, task.current(study))
    s = ground.each(study.epsilon) if asked.s is None else asked.s
    drawn.row(
        lambda: panels.side_by_side(runs, ground),
        lambda: panels.scores(study, found),
        widths=[60, 40],
    )
    drawn.row(
        lambda: bill.leak(study, found, runs, s),
        lambda: bill.ledger(runs, there),
        lambda: panels.by_length(study, runs),
        widths=[38, 35, 27],
    )
    filling.surveys(found, own.curves(study))
