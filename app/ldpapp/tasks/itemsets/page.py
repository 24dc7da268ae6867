"""Itemsets: what is bought together, what each miner finds of it, its bill, and whether its promise is kept."""

import itertools
import time

import streamlit as st

from ldpapp import bind, filling, looks, session, sidebar, widgets, words
from ldpapp.task import sorry
from ldpapp.tasks.itemsets import bill, cached, findings, panels
from ldpapp.tasks.itemsets import study as own
from ldpapp.tasks.itemsets.data import CATALOG, Shown
from ldpcore.itemsets import TooManyCandidates, Transactions
from ldpcore.itemsets.question import Ground
from ldpcore.study import Study
from ldpcore.study import itemsets as task

SAME = {"s": "Same s", "epsilon": "Same total ε"}
MOST_SETS = 60_000
"""More frequent sets nobody compares."""
PATIENCE = 0.6
"""Seconds of counting before the page says how far it is."""


def page(study: Study, found: Transactions) -> None:
    ground = task.ground(study, found, study.arms[0].name, task.current(study))
    try:
        if not _searched(ground):
            return
        _mined(study, found, ground)
    except TooManyCandidates as error:
        sorry("Almost every combination is frequent here.", _plain(error))
        higher = min(ground.data.n, 2 * ground.least)
        st.button(f"At least {words.count(higher)} baskets", type="primary", on_click=own.choose_least, args=(higher,))
    except ValueError as error:
        sorry("These baskets cannot be mined so.", _plain(error))


def _plain(error: Exception) -> str:
    """The engine's sentence with the page's word for its argument."""
    text = str(error).replace("min_count", "the number of baskets")
    return f"{text[:1].upper()}{text[1:]}."


def _searched(ground: Ground) -> bool:
    """Count exactly, with progress and a way to stop where it takes long; False while stopped."""
    if looks.look(bill.STOPPED):
        looks.choose(bill.STOPPED, False)
        sorry(
            "Counting was stopped.", "The exact counts are not complete.", "A higher number of baskets needs less work."
        )
        st.button("Count on", type="primary")
        return False
    place, start, said, bar = st.empty(), time.monotonic(), itertools.count(), []

    def tick(length: int, done: int, total: int) -> None:
        if time.monotonic() - start < PATIENCE:
            return
        if next(said) == 0:
            with place.container():
                st.button("Stop", key="itemsets_stop_search", on_click=bill.stop_search)
                bar.append(st.progress(0.0))
        bar[0].progress(
            min(done / max(total, 1), 1.0),
            f"Counting sets of {words.plural(length, 'item')}: {words.count(done)} of {words.count(total)} candidates",
        )

    ground.search(tick, MOST_SETS)
    place.empty()
    return True


def _mined(study: Study, found: Transactions, ground: Ground) -> None:
    draw = widgets.draws("itemsets") % 10_000
    shown = [_one(study, found, key, ground, draw) for key in study.mechanisms]
    head, switch = st.columns([76, 24], gap="medium", vertical_alignment="center")
    with switch:
        bind.bound(
            st.segmented_control, "What is equal", list(SAME), key="itemsets_same", value=task.same(study),
            change=lambda same: session.change("itemsets", axis=same), required=True,
            format_func=lambda same: SAME[same], label_visibility="collapsed", width="stretch",
        )  # fmt: skip
    true = ground.truth.published
    with head:
        if not true:
            most = int(ground.data.counts.max(initial=0))
            widgets.sentence(findings.nothing_frequent(ground.least, ground.data.n, most))
        else:
            widgets.sentence(_sentence(study, found, ground, shown, draw))
    sidebar.on_phone(
        study, f"at least {words.count(ground.least)} baskets", words.plural(len(study.mechanisms), "miner")
    )
    if not true:
        panels.cards(shown, ground.truth)
        return
    values = study.arms[0].values
    if values:
        bill.withheld(shown, values)
    panels.cards(shown, ground.truth)
    left, right = st.columns([60, 40], gap="medium")
    with left:
        panels.side_by_side(shown, ground.truth, ground.least)
    with right:
        panels.scores(study, found)
    left, middle, right = st.columns([38, 35, 27], gap="medium")
    with left:
        asked = task.question(study, task.current(study))
        s = ground.each(study.epsilon) if asked.s is None else asked.s
        bill.leak(study, found, shown, s)
    with middle:
        bill.ledger(shown)
    with right:
        panels.by_length(study, shown)
    filling.surveys(found, own.curves(study))


def _one(study: Study, found: Transactions, key: str, ground: Ground, draw: int) -> Shown:
    return Shown(key, cached.mined(study, found, key, draw), ground, task.question(study, task.current(study)))


def _sentence(study: Study, found: Transactions, ground: Ground, shown: list[Shown], draw: int) -> str:
    """The finding at the chosen point, beside what the other comparison says."""
    flipped = own.along(study, "s" if study.axis == "epsilon" else "epsilon")
    compared = [key for key in ("DFDP", "SmartTrunc") if key in study.mechanisms]
    other = {key: _one(flipped, found, key, ground, draw) for key in compared}
    s = float(study.chosen(task.OPTIONS)["s"])
    point = f"total ε = {words.epsilon(study.epsilon)}" if study.axis == "epsilon" else f"s = {words.epsilon(s)}"
    by_key = {one.key: one for one in shown}
    if study.axis == "s":  # the others do not take part in this comparison
        by_key = {key: one for key, one in by_key.items() if CATALOG[key].per_count} or by_key
    return findings.sentence(study.axis, point, by_key, other, s, study.epsilon, widgets.named)
