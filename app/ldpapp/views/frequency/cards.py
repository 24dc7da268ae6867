"""The cards beside the error: what one report gives away, and who learns the raw answer."""

import math
from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from ldpapp import charts, words
from ldpapp.parts import levels, widgets
from ldpapp.parts.panels import Control, Html, Line, Menu, Panel, Part, Reach
from ldpapp.state import actions, view_options
from ldpapp.views.frequency import risk
from ldpapp.words.language import t
from ldpcore import policy
from ldpcore.attacks import bayes, naming
from ldpcore.data import Histogram
from ldpcore.study import Study
from ldpcore.study.frequency.facts import ByKey, ShareFacts, epsilon_of


def odds_card(study: Study, counted: Histogram, main: ShareFacts) -> Panel:
    labels = counted.domain.labels
    foremost = main.secret if main.secret.any() else main.marked
    first = int(np.flatnonzero(foremost)[0]) if foremost.any() else 0
    chosen = view_options.wished("odds_value")
    value = labels.index(chosen) if chosen in labels else first
    named = naming.chances(main.mechanism, value, main.freq)
    marked, dark = bool(main.marked[value]), widgets.is_dark()
    holders = t(
        'Of 100 people <b>with</b> “{value}”, <span class="big">{n}</span> send a report that names it.',
        value=widgets.escape(words.shorten(labels[value], 24)),
        n=words.of_100(named.holders),
    )
    others = t(
        'Of 100 <b>without</b>, <span class="big">{n}</span> do, too.',
        n=words.of_100(named.others),
    )
    icons = (charts.icon_array(share * 100, dark, marked) for share in (named.holders, named.others))
    rows = "".join(
        f'<div class="row">{icon}{_BESIDE}{text}</div></div>'
        for icon, text in zip(icons, (holders, others), strict=True)
    )
    parts: list[Part] = [
        Control(partial(_whose, study, main, labels, value)),
        Html(f'<div class="card">{rows}</div>'),
        Control(partial(_belief, main, value)),
    ]
    if study.epsilon > 2 and main.marked.sum() > 1 and epsilon_of(study, main) == study.epsilon:
        parts += _high_epsilon(main, study.epsilon)
    return Panel("odds", t("What one report gives away"), parts)


def _whose(study: Study, main: ShareFacts, labels: Sequence[str], value: int) -> None:
    """The line that says of which mechanism and answer the card speaks."""
    epsilon = float(main.cell.epsilons[value])
    eps = epsilon if main.secret.any() and np.isfinite(epsilon) else epsilon_of(study, main)
    setting = t("{mechanism}, ε = {eps},", mechanism=main.key, eps=words.epsilon(eps))
    with st.container(horizontal=True, vertical_alignment="center", wrap=False, gap="xxsmall"):
        st.html(f'<div class="sub nowrap">{setting}</div>', width="content")
        with st.popover(f"“{words.literal(words.shorten(labels[value], 14))}”", type="tertiary"):
            view_options.wish(st.selectbox, t("An answer"), labels, key="odds_value", shown=labels[value])


def _belief(main: ShareFacts, value: int) -> None:
    """A belief before the report, typed, and after it, computed."""
    after = bayes.believed(view_options.look("belief", 50) / 100, main.lift(value))
    with st.container(horizontal=True, vertical_alignment="center", wrap=False, gap="xsmall"):
        st.html(f'<div class="card">{t("Belief before")}</div>', width="content")
        st.number_input(
            t("Belief before the report, percent"),
            1,
            99,
            50,
            key="belief",
            width=52,
            persist_state="session",
            label_visibility="collapsed",
        )
        st.html(f'<div class="card">{_after(after)}</div>')


_BESIDE = '<div style="min-width:0;overflow-wrap:anywhere">'
"""Beside an icon: a label without spaces breaks rather than run into the next card."""


def _after(belief: float) -> str:
    if belief > 1 - 1e-12:
        return t("%, after: up to <b>certainty</b>")
    share = words.percent(belief, most=True)
    # A bound that is itself "more than 99 %" bounds nothing.
    if share.startswith("more"):
        return t("%, after: <b>{belief}</b>", belief=share)
    return t("%, after: at most <b>{belief}</b>", belief=share)


def _high_epsilon(main: ShareFacts, epsilon: float) -> list[Part]:
    """The only warning there is: a high ε, said in odds, with the way back."""
    text = t(
        "<b>At ε = {eps} a marked answer is guessed in {guessed} tries.</b> A fifty-fifty belief can grow to {belief}; "
        "at ε = 2 to {lower}.",
        eps=words.epsilon(epsilon),
        guessed=words.tries(main.targeted),
        belief=words.percent(bayes.believed(0.5, math.exp(epsilon)), most=True),
        lower=words.percent(bayes.believed(0.5, math.exp(2)), most=True),
    )
    style = f"background:{widgets.colors().tint};border-radius:6px;padding:8px"
    back = partial(
        st.button, t("Go to ε = 2"), type="tertiary", on_click=partial(actions.change, "frequency", epsilon=2.0)
    )
    return [Html(f'<div class="card" style="{style}">{text}</div>'), Control(back)]


def risk_card(counted: Histogram, found: ByKey, main: ShareFacts) -> Panel:
    others = "" if main.marked.all() else t("others") if main.marked.any() else t("any answer")
    heads = (widgets.sensitive(t("marked")) if main.marked.any() else "", others)
    if main.secret.any():
        dark = widgets.is_dark()
        chips = {level: levels.chip(level, name, dark) for level, name in levels.names().items()}
        private = (main.marked & ~main.secret).any()
        heads = (chips["secret"], chips["sensitive"] if private else "", "" if main.marked.all() else chips["public"])
    yes, no = (widgets.escape(text) for text in risk.covered(main, counted.domain.labels))
    covered = t("<b>Covered:</b> {yes}<br><b>Not covered:</b> {no}", yes=yes, no=no)
    if main.secret.any():
        covered += f"<br>{t('Whoever breaks in sees what the collector sees; the public sees shares only.')}"
    if price := risk.price(found, main):
        covered += f'<br><span class="quiet">{price}</span>'
    return Panel(
        "risk",
        t("Who learns the raw answer?"),
        [
            *([Line(t("By the collector, of 100 answers."))] if main.secret.any() else []),
            Html(widgets.pairs_table(risk.who_learns(main), heads)),
            *([Line(knowing, Reach.INTERNAL)] if (knowing := risk.knowing(main)) else []),
            Html(f'<div class="card"><hr>{covered}</div>'),
        ],
        head=[Menu(t("why weaker"), partial(counterexample, main), does=True)] if main.promise == "SDLDP" else [],
    )


def counterexample(main: ShareFacts) -> None:
    """A channel that keeps SDLDP although its low labels all but prove that the answer is marked."""
    epsilon = main.mechanism.epsilon
    channel = policy.counterexample(epsilon)
    kept = {p.name: p.check(channel).holds for p in (policy.SDLDP(epsilon, _TWO), policy.ULDP(epsilon, _TWO))}
    text = t(
        "<b>The definition allows more than it says.</b> In this channel values 1 and 2 are marked, 3 and 4 are not. "
        "A report “3” or “4” comes almost only from marked answers, yet it keeps {kept} at ε = {eps}; {broken} forbids "
        "it.",
        kept=words.listing(name for name, holds in kept.items() if holds),
        eps=words.epsilon(epsilon),
        broken=words.listing(name for name, holds in kept.items() if not holds),
    )
    st.html(f'<div class="card">{text}</div>')
    reports = [t("report {number}", number=number) for number in range(1, 5)]
    rows = pd.DataFrame(channel.matrix, columns=reports).map(lambda p: f"{p:.3g}")
    rows.insert(0, t("answer"), [t("1, marked"), t("2, marked"), "3", "4"])
    st.dataframe(rows, hide_index=True, width=420)


_TWO = np.array([True, True, False, False])
