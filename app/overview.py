"""What every card of the Overview is: one number, what it says, a figure, and the way to its view."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

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


def show(cards: list[Card]) -> None:
    """Two by two."""
    for start in range(0, len(cards), 2):
        for place, card in zip(st.columns(2, gap="medium"), cards[start : start + 2], strict=False):
            with place:
                _show(card)


def _show(card: Card) -> None:
    with st.container(key=f"panel_overview_{card.key}"):
        head = st.container(
            horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom", gap="small", wrap=False
        )
        head.html(
            f'<div class="headline" role="heading" aria-level="2"><span class="number">{card.big}</span> '
            f'<span class="title">{card.title}</span></div>'
        )
        with head.container(width="content"):
            st.page_link(f"views/{card.view}.py", label=":small[open →]", width="content")
        st.html(f'<div class="sub">{card.subtitle}</div>')
        card.draw()
