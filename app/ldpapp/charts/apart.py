"""Who is told apart, of 100 pairs: a stroke for the own report, a dot with everything else, as an image in a table."""

import base64
import html

from ldpapp import words
from ldpapp.charts.palette import scheme
from ldpapp.words import directions

WIDTH, HEIGHT, LEFT, RIGHT, MIDDLE = 196, 30, 34, 162, 15
"""px of the image, and where 50 and 100 of 100 stand in it."""
FONT = "font-family='Inter,system-ui,sans-serif' font-size='12.5'"


def apart(own: float, every: float | None, alt: str, dark: bool = False) -> str:
    """own, every: chances between 0.5 and 1. Equal ones, or one alone, are drawn as the dot alone. An HTML <img>."""
    colors = scheme(dark)
    last = own if every is None else every
    there = _place(last)
    parts = [f"<line x1='{LEFT}' x2='{LEFT}' y1='0' y2='{HEIGHT}' stroke='{colors.ink3}' stroke-dasharray='1.5 2.5'/>"]
    if words.of_100(own) != words.of_100(last):
        at = _place(own)
        first, second = sorted((at, there))
        parts += [
            f"<line x1='{first}' x2='{second}' y1='{MIDDLE}' y2='{MIDDLE}' stroke='{colors.sensitive}' "
            "stroke-width='2'/>",
            f"<line x1='{at}' x2='{at}' y1='{MIDDLE - 6}' y2='{MIDDLE + 6}' stroke='{colors.ink}' stroke-width='2'/>",
        ]
        if at <= there:
            parts.append(_text(at - 5, words.of_100(own), colors.ink2, "end"))
    parts.append(f"<circle cx='{there}' cy='{MIDDLE}' r='5' fill='{colors.sensitive}'/>")
    parts.append(_text(there + 9, words.of_100(last), colors.ink, "start", "600"))
    return _image("".join(parts), alt)


def apart_axis(alt: str, dark: bool = False) -> str:
    """The axis below such images."""
    color = scheme(dark).ink2
    return _image("".join(_text(_place(x), f"{100 * x:g}", color, "middle") for x in (0.5, 0.75, 1.0)), alt)


def _place(chance: float) -> float:
    return round(LEFT + (RIGHT - LEFT) * (min(max(chance, 0.5), 1.0) - 0.5) / 0.5, 1)


def _text(x: float, said: str, color: str, anchor: str, weight: str = "400") -> str:
    text = html.escape(directions.isolated(said))
    return (
        f"<text x='{x}' y='{MIDDLE + 4.5}' fill='{color}' text-anchor='{anchor}' font-weight='{weight}' {FONT}>"
        f"{text}</text>"
    )


def _image(inside: str, alt: str) -> str:
    svg = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}'>{inside}</svg>"
    data = base64.b64encode(svg.encode()).decode()
    return f'<img class="apart" src="data:image/svg+xml;base64,{data}" alt="{html.escape(alt)}">'
