"""Of 100 people: an array of little squares, as an image that Streamlit lets through."""

import base64
import html
from collections.abc import Sequence
from enum import Enum

from ldpapp import words
from ldpapp.charts.palette import scheme

CELL, SIZE, RADIUS = 10.0, 8.6, 1.6


class Square(Enum):
    """One person of a hundred, by how the square is drawn."""

    SENSITIVE = "filled, vermilion"
    SHOWN = "filled, ink"
    TURNED = "ring"
    EMPTY = "floor"


WIDE = 76
"""px of an icon array."""


def icon_array(
    percent: float,
    dark: bool = False,
    sensitive: bool = True,
    alt: str | None = None,
    columns: int = 10,
) -> str:
    """100 squares in so many columns, `percent` (0 to 100, rounded) of them filled, row by row, as an HTML <img>.

    Vermilion if they speak of something `sensitive`, else grey;
    `alt` defaults to words like "73 of 100". st.html removes <svg>,
    but keeps images in data URIs.
    """
    # Only a certainty fills every square.
    filled = min(100 if percent >= 100 else 99, max(0, round(percent)))
    colors = scheme(dark)
    color = colors.sensitive if sensitive else colors.ink3
    drawn = "".join(_filled(i, color if i < filled else colors.floor, columns) for i in range(100))
    end, low = _end(columns), _end(100 // columns)
    described = html.escape(alt if alt is not None else words.chance_of_100(percent / 100))
    return f'<img src="{_source(drawn, columns)}" alt="{described}" width="{WIDE}" height="{WIDE * low / end:g}">'


def squares(kinds: Sequence[Square], *, alt: str, dark: bool = False) -> str:
    """Up to 100 people, ten in a row, each drawn as its kind, as an HTML <img> that is as wide as its place."""
    colors = scheme(dark)
    tones = {Square.SENSITIVE: colors.sensitive, Square.SHOWN: colors.ink2, Square.EMPTY: colors.floor}
    drawn = "".join(
        _ring(i, colors.sensitive, colors.floor) if kind is Square.TURNED else _filled(i, tones[kind])
        for i, kind in enumerate(kinds)
    )
    return f'<img src="{_source(drawn)}" alt="{html.escape(alt)}">'


def _filled(i: int, color: str, columns: int = 10) -> str:
    return (
        f'<rect x="{i % columns * CELL:g}" y="{i // columns * CELL:g}" width="{SIZE}" height="{SIZE}" rx="{RADIUS}" '
        f'fill="{color}"/>'
    )


def _ring(i: int, color: str, ground: str) -> str:
    return (
        f'<rect x="{i % 10 * CELL + 0.8:g}" y="{i // 10 * CELL + 0.8:g}" width="{SIZE - 1.6:g}" '
        f'height="{SIZE - 1.6:g}" rx="{RADIUS - 0.5}" fill="{ground}" stroke="{color}" stroke-width="1.6"/>'
    )


def _end(cells: int) -> float:
    """Where the last of so many squares beside one another ends."""
    return (cells - 1) * CELL + SIZE


def _source(drawn: str, columns: int = 10) -> str:
    box = f"0 0 {_end(columns):g} {_end(100 // columns):g}"
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{drawn}</svg>'
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"
