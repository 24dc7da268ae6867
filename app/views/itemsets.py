"""Itemsets: what is bought together, what each miner finds of it, its bill, and whether its promise is kept."""

import itertools
import time
from dataclasses import replace

import streamlit as st

import compute
import filling
import state
import widgets
import words
from itemsets import bill, findings, panels
from itemsets.data import CATALOG, Shown
from ldpcore.data import BUNDLED, DataError
from ldpcore.itemsets import TooManyCandidates
from ldpcore.itemsets.question import Ground
from ldpcore.study import Study
from ldpcore.study import itemsets as task
from studies import itemsets, parts

SAME = {"s": "Same s", "epsilon": "Same total ε"}
MOST_SETS = 60_000
"""More frequent sets nobody compares."""
PATIENCE = 0.6
"""Seconds of counting before the page says how far it is."""


def page() -> None:
    try:
        study = itemsets.shown()
        found = compute.itemsets.baskets(study, state.table())
    except DataError as error:
        _sorry("There is nothing to mine itemsets from.", error.sentence, error.why, error.hint)
        if "groceries" in BUNDLED and st.session_state.data != "groceries":
            st.button("Show the groceries", type="primary", on_click=panels.switch_data)
        return
    except (TypeError, ValueError) as error:
        _sorry("These baskets cannot be mined so.", _plain(error))
        return
    if not itemsets.mechanisms():
        _sorry(
            "Choose at least one miner in the sidebar.",
            "No miner is chosen.",
            "Each is one way to find what is bought together.",
        )
        usual = (itemsets.DEFAULT_MECHANISMS,)
        st.button("Show the usual ones", type="primary", on_click=itemsets.choose_mechanisms, args=usual)
        return
    ground = task.ground(study, found, study.arms[0].name, task.current(study))
    try:
        if not _searched(ground):
            return
        _mined(study, found, ground)
    except TooManyCandidates as error:
        _sorry("Almost every combination is frequent here.", _plain(error))
        higher = min(ground.data.n, 2 * ground.least)
        st.button(
            f"At least {words.count(higher)} baskets",
            type="primary",
            on_click=panels.raise_least,
            args=(study.data.digest, study.column, higher),
        )
    except ValueError as error:
        _sorry("These baskets cannot be mined so.", _plain(error))


def _sorry(sentence: str, what: str, why: str = "", hint: str = "") -> None:
    widgets.sentence(sentence)
    widgets.state_box(widgets.escape(what), widgets.escape(why), widgets.escape(hint))


def _plain(error: Exception) -> str:
    """The engine's sentence with the page's word for its argument."""
    text = str(error).replace("min_count", "the number of baskets")
    return f"{text[:1].upper()}{text[1:]}."


def _searched(ground: Ground) -> bool:
    """Count exactly, with progress and a way to stop where it takes long; False while stopped."""
    session = st.session_state
    if session.pop("itemsets_stopped", False):
        _sorry(
            "Counting was stopped.", "The exact counts are not complete.", "A higher number of baskets needs less work."
        )
        st.button("Count on", type="primary")
        return False
    place, start, said = st.empty(), time.monotonic(), itertools.count()

    def tick(length: int, done: int, total: int) -> None:
        if time.monotonic() - start < PATIENCE:
            return
        if next(said) == 0:
            with place.container():
                st.button("Stop", key="itemsets_stop_search", on_click=bill.stop_search)
                session["_bar"] = st.progress(0.0)
        session["_bar"].progress(
            min(done / max(total, 1), 1.0),
            f"Counting sets of {words.plural(length, 'item')}: {words.count(done)} of {words.count(total)} candidates",
        )

    ground.search(tick, MOST_SETS)
    place.empty()
    session.pop("_bar", None)
    return True


def _mined(study: Study, found: task.Baskets, ground: Ground) -> None:
    draw = widgets.draws("itemsets") % 10_000
    shown = [_one(study, found, key, ground, draw) for key in study.mechanisms]
    head, switch = st.columns([76, 24], gap="medium", vertical_alignment="center")
    with switch:
        st.segmented_control(
            "What is equal", list(SAME), key="itemsets_same", required=True, format_func=lambda same: SAME[same],
            label_visibility="collapsed", width="stretch", persist_state="session",
        )  # fmt: skip
    true = ground.truth.published
    with head:
        if not true:
            most = int(ground.data.counts.max(initial=0))
            widgets.sentence(findings.nothing_frequent(ground.least, ground.data.n, most))
        else:
            widgets.sentence(_sentence(study, found, ground, shown, draw))
    parts.on_phone(f"at least {words.count(ground.least)} baskets", words.plural(len(study.mechanisms), "miner"))
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
        panels.by_length(shown)
    filling.surveys(found, panels.curve_study(study))


def _one(study: Study, found: task.Baskets, key: str, ground: Ground, draw: int) -> Shown:
    return Shown(
        key, compute.itemsets.mined(study, found, key, draw), ground, task.question(study, task.current(study))
    )


def _sentence(study: Study, found: task.Baskets, ground: Ground, shown: list[Shown], draw: int) -> str:
    """The finding at the chosen point, beside what the other comparison says."""
    flipped = replace(study, axis="s" if study.axis == "epsilon" else "epsilon")
    compared = [key for key in ("DFDP", "SmartTrunc") if key in study.mechanisms]
    other = {key: _one(flipped, found, key, ground, draw) for key in compared}
    s = float(dict(study.options)["s"])
    point = f"total ε = {words.epsilon(study.epsilon)}" if study.axis == "epsilon" else f"s = {words.epsilon(s)}"
    by_key = {one.key: one for one in shown}
    if study.axis == "s":  # the others do not take part in this comparison
        by_key = {key: one for key, one in by_key.items() if CATALOG[key].per_count} or by_key
    return findings.sentence(study.axis, point, by_key, other, s, study.epsilon, widgets.named)


page()
