"""The pictures of lessons, large enough for the last row: people as squares, and bars with their numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from ldpapp import charts
from ldpapp.charts.icons import Square
from ldpapp.parts import widgets
from ldpapp.runtime import display
from ldpapp.words import language


@dataclass(frozen=True)
class Crowd:
    """A hundred people: what is said above them (HTML of ours), each of them, and the same in words."""

    says: str
    squares: Sequence[Square]
    alt: str


def filled(chance: float, square: Square) -> list[Square]:
    """So many of a hundred in this look, the others empty."""
    number = round(100 * chance)
    return [square] * number + [Square.EMPTY] * (100 - number)


def people(*crowds: Crowd, between: str = "") -> None:
    """Crowds side by side; `between` two of them, how many times as many."""
    drawn = [
        f'<div class="crowd"><p>{crowd.says}</p>'
        f"{charts.squares(crowd.squares, alt=crowd.alt, dark=widgets.is_dark())}</div>"
        for crowd in crowds
    ]
    gap = f'<div class="between">{between}</div>'
    st.html(f'<div class="crowds">{gap.join(drawn)}</div>')


@dataclass(frozen=True)
class Bar:
    """A number with its length, a share of the longest. chosen: the one that the title is about. sensitive: of what is
    marked.
    """

    says: str
    number: str
    length: float
    chosen: bool = False
    sensitive: bool = False


def bars(*rows: Bar, small: bool = False) -> None:
    """Bars below one another, with their numbers written. small: as a part of something else."""
    colors = widgets.colors()
    drawn = []
    for row in rows:
        tone = colors.sensitive if row.sensitive else colors.ink if row.chosen else colors.ink3
        width = 100 * min(1.0, max(0.0, row.length))
        number = f"<b>{row.number}</b>" if row.chosen or row.sensitive else row.number
        drawn.append(
            f'<div class="bar"><p><span>{row.says}</span><span>{number}</span></p>'
            f'<div style="background:{colors.floor}"><i style="width:{width:.4g}%;background:{tone}"></i></div></div>'
        )
    language.notice(*(row.says for row in rows))
    st.html(f'<div class="bars{" small" if small else ""}">{"".join(drawn)}</div>')


def chart(figure, key: str, alt: str) -> None:
    """A chart of ours with type for the last row; on a projector the whole page is not larger than the screen asks."""
    widgets.plot(figure, key, alt, LARGER / display.PROJECTOR if display.projector() else LARGER)


LARGER = 1.45
"""A chart's smallest type, 11 px, is 16 on 1280×720 and 24 on 1920×1080."""


def pairs(*rows: tuple[str, str]) -> None:
    """Of 100 pairs who is told apart (`charts.apart`): what stands above each image, and the image."""
    st.html(f'<div class="pairs">{"".join(f"<p>{says}</p>{image}" for says, image in rows)}</div>')
