"""What every card of the Overview is: one number, what it says, a figure, and the way to its view."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass

import streamlit as st

from ldpapp import words
from ldpapp.parts import elements, error_unit, survey_panels
from ldpapp.parts.panels import Chart
from ldpapp.runtime import capture, display
from ldpapp.state import navigation
from ldpapp.words.language import t
from ldpcore.study.simulated_shares import SimulatedShares

HEIGHT = 204
"""px of a card's figure: two rows of cards fit 1280×720."""


@dataclass(frozen=True)
class Card:
    """`big` stands alone; `title` goes on with it; `subtitle` says unit and encoding. HTML, already escaped."""

    key: str
    big: str
    title: str
    subtitle: str
    view: str
    """The page that it opens, e.g. "frequency"."""
    draw: Callable[[], None]
    unit: str = ""
    """Of a curve of errors: the look that says how they are written."""


def show(cards: list[Card]) -> None:
    """Two by two; on the projector one at a time."""
    token = elements.SHARE.set(elements.SHARE.get() / 2)
    for start in range(0, len(cards), 2):
        places = [nullcontext()] * 2 if display.single() else st.columns(2, gap="medium")
        for place, card in zip(places, cards[start : start + 2], strict=False):
            with place:
                if display.stands_here(f"overview_{card.key}"):
                    _show(card)
    elements.SHARE.reset(token)


def _show(card: Card) -> None:
    with st.container(key=f"panel_overview_{card.key}"):
        head = st.container(
            horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom", gap="small", wrap=False
        )
        head.html(
            f'<div class="headline" role="heading" aria-level="2"><span class="number">{card.big}</span> '
            f'<span class="title">{card.title}</span></div>'
        )
        with head.container(width="content", horizontal=True, vertical_alignment="center", gap="small", wrap=False):
            if card.unit:
                error_unit.draw(card.unit, short=True)
            navigation.link(card.view, f":small[{t('open')} →]")
        st.html(f'<div class="sub">{card.subtitle}</div>')
        capture.panel(card.key, f"{card.big} {card.title}", capture.Reach.INTERNAL)
        capture.piece(capture.Words(card.subtitle, "sub", capture.Reach.INTERNAL))
        card.draw()


def gain(times: float, by_level: bool = False) -> tuple[str, str]:
    """How much more exact it is to protect only what is marked: the number, and what it says. by_level: or to protect
    every level by its own ε, against treating all that is marked as secret.
    """
    text = t("more exact, protecting only the marked") if times >= 1 else t("less exact, protecting only the marked")
    if by_level:
        text = (
            t("more exact than treating all as secret") if times >= 1 else t("less exact than treating all as secret")
        )
    return f"{words.ratio(max(times, 1 / times))} ×", text


def beside_rule(epsilon: float, over: str, *known: tuple[str, float]) -> str:
    """What stands beside the rule at ε: mechanisms with their errors, "1: uSS ±0.74, SS ±1.96"; below, `over` what."""
    errors = ", ".join(f"{key} {words.margin(error)}" for key, error in known)
    return f"{words.plain(epsilon)}: {errors}" + (f"<br>{over}" if over else "")


def sizes(*bits: float) -> str:
    """How long the reports of these mechanisms are; one number where they are as long."""
    written = dict.fromkeys(map(words.count, bits))
    return t("1 bit a report.") if list(written) == ["1"] else t("{bits} bits a report.", bits=words.listing(written))


def experiment(view: str, surveys: SimulatedShares) -> Card:
    """Simulated surveys against what theory predicts of them."""
    holes = {"mechanism": surveys.mechanism, "surveys": words.plural(len(surveys.estimates), t("survey"), t("surveys"))}
    if len(surveys.ratios):
        big, title = f"{surveys.ratios.mean():.2f} ×", t("the error² that theory predicts")
        drawn = t("{mechanism}, {surveys}. Left: one, simulated. Right: errors.", **holes)
        if chance := survey_panels.by_chance(surveys):
            drawn = f"{chance}. {drawn}"
    else:
        big, title = "0", t("error in {surveys}, as predicted", surveys=holes["surveys"])
        drawn = t("Simulated. Left: one release. Right: errors, 95 % bands.")

    def draw() -> None:
        figure = survey_panels.figure(surveys, 0, height=HEIGHT, width=484)
        Chart(figure, f"{big} {title}. {drawn}", key="overview_release").draw("release")

    return Card("experiment", big, title, drawn, view, draw)


@dataclass(frozen=True)
class Front:
    """The Overview of the column chosen last, by the task that is about it."""

    sentence: str
    marked: int
    of: int
    """How many answers or items are marked, and how many there are."""
    cards: list[Card]
    fill: Callable[[], None]
    """Simulates behind the cards; last call of the page."""
