"""The cards beside the error: what one report gives away, and who learns the raw answer."""

import math
from collections.abc import Callable

import numpy as np
import pandas as pd
import streamlit as st

from ldpapp import charts, looks, session, widgets, words
from ldpapp.tasks.frequency import findings
from ldpapp.tasks.frequency.findings import Facts
from ldpcore import policy
from ldpcore.attacks import bayes, naming
from ldpcore.data import Histogram
from ldpcore.study import Study


def odds_card(study: Study, counted: Histogram, main: Facts) -> None:
    labels = counted.domain.labels
    first = int(np.flatnonzero(main.marked)[0]) if main.marked.any() else 0
    chosen = looks.wished("odds_value")
    value = labels.index(chosen) if chosen in labels else first
    named = naming.chances(main.mechanism, value, main.freq)
    yes, no = named.holders, named.others
    name = widgets.escape(words.shorten(labels[value], 24))
    marked = bool(main.marked[value])
    with widgets.panel("odds", "What one report gives away", None):
        with st.container(horizontal=True, vertical_alignment="center", wrap=False, gap="xxsmall"):
            st.html(f'<div class="sub nowrap">{main.key}, ε = {words.epsilon(study.epsilon)},</div>', width="content")
            with st.popover(f"“{words.shorten(labels[value], 14)}”", type="tertiary"):
                looks.wish(st.selectbox, "An answer", labels, key="odds_value", shown=labels[value])
        dark = widgets.is_dark()
        st.html(
            f'<div class="card"><div class="row">{charts.icon_array(yes * 100, dark, marked)}{_BESIDE}'
            f"Of 100 people whose answer <b>is</b> {name}, "
            f'<span class="big">{words.of_100(yes)}</span> send a report that names it.</div></div>'
            f'<div class="row">{charts.icon_array(no * 100, dark, marked)}{_BESIDE}Of 100 whose answer is <b>not</b>, '
            f'<span class="big">{words.of_100(no)}</span> do.</div></div></div>'
        )
        before = looks.look("belief", 50)
        after = bayes.believed(before / 100, main.lift(value))
        with st.container(horizontal=True, vertical_alignment="center", wrap=False, gap="xsmall"):
            st.html('<div class="card">Belief before</div>', width="content")
            st.number_input(
                "Belief before the report, percent",
                1,
                99,
                50,
                key="belief",
                width=52,
                persist_state="session",
                label_visibility="collapsed",
            )
            st.html(f'<div class="card">%, after: {_after(after)}</div>')
        if study.epsilon > 2 and main.marked.any():
            _high_epsilon(main, study.epsilon, lambda: session.change("frequency", epsilon=2.0))


_BESIDE = '<div style="min-width:0;overflow-wrap:anywhere">'
"""Beside an icon: a label without spaces breaks rather than run into the next card."""


def _after(belief: float) -> str:
    if belief > 1 - 1e-12:
        return "up to <b>certainty</b>"
    said = words.percent(belief)
    # A bound that is itself "more than 99 %" bounds nothing.
    return f"<b>{said}</b>" if said.startswith("more") else f"at most <b>{said}</b>"


def _high_epsilon(main: Facts, epsilon: float, lower: Callable[[], None]) -> None:
    """The only warning there is: a high ε, said in odds, with the way back."""
    st.html(
        f'<div class="card" style="background:{widgets.colors().tint};border-radius:6px;padding:8px"><b>At ε = '
        f"{words.epsilon(epsilon)} a marked answer is guessed in {words.tries(main.targeted)} tries.</b> "
        f"A fifty-fifty belief can grow to {words.percent(bayes.believed(0.5, math.exp(epsilon)))}; at ε = 2 to "
        f"{words.percent(bayes.believed(0.5, math.exp(2)))}.</div>"
    )
    st.button("Go to ε = 2", type="tertiary", on_click=lower)


def risk_card(counted: Histogram, main: Facts) -> None:
    with widgets.panel("risk", "Who learns the raw answer?", None) as slot:
        if main.promise == "SDLDP":
            with slot.popover("why weaker", type="tertiary"):
                counterexample(main)
        others = "" if main.marked.all() else "others" if main.marked.any() else "any answer"
        heads = (widgets.sensitive("marked") if main.marked.any() else "", others)
        st.html(widgets.pairs_table(findings.who_learns(main), heads))
        yes, no = (widgets.escape(text) for text in findings.covered(main, counted.domain.labels))
        st.html(
            f'<div class="card"><hr><b>Covered:</b> {yes}<br><b>Not covered:</b> {no}<br>'
            '<span class="quiet">At equal ε a more exact mechanism is free accuracy, not less privacy.</span></div>'
        )


def counterexample(main: Facts) -> None:
    """A channel that keeps SDLDP although its low labels all but prove that the answer is marked."""
    epsilon = main.mechanism.epsilon
    channel = policy.counterexample(epsilon)
    kept = {p.name: p.check(channel).holds for p in (policy.SDLDP(epsilon, _TWO), policy.ULDP(epsilon, _TWO))}
    st.html(
        '<div class="card"><b>The definition allows more than it says.</b> In this channel values 1 and 2 are marked, '
        "3 and 4 are not. A report “3” or “4” comes almost only from marked answers, yet it keeps "
        f"{words.listing(name for name, holds in kept.items() if holds)} at ε = {words.epsilon(epsilon)}; "
        f"{words.listing(name for name, holds in kept.items() if not holds)} forbids it.</div>"
    )
    rows = pd.DataFrame(channel.matrix, columns=[f"report {y}" for y in range(1, 5)]).map(lambda p: f"{p:.3g}")
    rows.insert(0, "answer", ["1, marked", "2, marked", "3", "4"])
    st.dataframe(rows, hide_index=True, width=420)


_TWO = np.array([True, True, False, False])
