"""Who is told apart, of 100 pairs: a stroke for the own report, a dot with everything else, as an image in a table."""

import base64
import html

from ldpapp import words
from ldpapp.charts.palette import Scheme, scheme
from ldpapp.words import directions

WIDTH, HEIGHT, LEFT, RIGHT, MIDDLE = 184, 30, 26, 128, 15
"""px of the image, and where 50 and 100 of 100 stand in it: right of 100 there is room for ">99 ±10"."""
FONT = "font-family='Inter,system-ui,sans-serif'"


def apart(
    own: float, every: float | None, alt: str, dark: bool = False, *, half: float | None = None, alone: bool = False
) -> str:
    """own, every: chances between 0.5 and 1. Equal ones, or one alone, are drawn as the dot alone; alone: as the
    stroke, where nobody was attacked. half: of the interval of `every`; without it the dot is hollow. An HTML <img>.
    """
    colors = scheme(dark)
    if alone:
        return _image(_guessing(colors) + _stroke(_place(own), colors, own, bold=True), alt)
    last = own if every is None else every
    there = _place(last)
    parts = [_guessing(colors)]
    if words.of_100(own) != words.of_100(last):
        at = _place(own)
        first, second = sorted((at, there))
        parts += [
            f"<line x1='{first}' x2='{second}' y1='{MIDDLE}' y2='{MIDDLE}' stroke='{colors.sensitive}' "
            "stroke-width='2'/>",
        ]
    filled = half is not None or every is None
    look = f"fill='{colors.sensitive}'" if filled else f"fill='{colors.page}' stroke='{colors.ink3}' stroke-width='1.5'"
    parts.append(f"<circle cx='{there}' cy='{MIDDLE}' r='5' {look}/>")
    if words.of_100(own) != words.of_100(last):  # over the dot: grey print shows both
        parts.append(_stroke(_place(own), colors, own if _place(own) <= there else None))
    parts.append(_text(there + 9, words.of_100(last), colors.ink, "start", "600"))
    if half is not None and half > 0:
        reach = there + 13 + 7.6 * len(words.of_100(last))
        parts.append(_text(reach, f"±{max(1, round(100 * half))}", colors.ink2, "start", size=11))
    return _image("".join(parts), alt)


def _guessing(colors: Scheme) -> str:
    return f"<line x1='{LEFT}' x2='{LEFT}' y1='0' y2='{HEIGHT}' stroke='{colors.ink3}' stroke-dasharray='1.5 2.5'/>"


def _stroke(at: float, colors: Scheme, said: float | None, bold: bool = False) -> str:
    """The own report, with a rim of the page's colour; said: its number beside it."""
    ends = f"x1='{at}' x2='{at}' y1='{MIDDLE - 6}' y2='{MIDDLE + 6}'"
    drawn = "".join(
        f"<line {ends} stroke='{color}' stroke-width='{width}'/>"
        for color, width in ((colors.page, 5), (colors.ink, 2))
    )
    if said is None:
        return drawn
    text = words.of_100(said)
    return drawn + (
        _text(at + 7, text, colors.ink, "start", "600")
        if bold
        else _text(at - 7, text, colors.ink2, "end", rim=colors.page)
    )


def apart_axis(alt: str, dark: bool = False) -> str:
    """The axis below such images."""
    color = scheme(dark).ink2
    return _image("".join(_text(_place(x), f"{100 * x:g}", color, "middle") for x in (0.5, 0.75, 1.0)), alt)


def _place(chance: float) -> float:
    return round(LEFT + (RIGHT - LEFT) * (min(max(chance, 0.5), 1.0) - 0.5) / 0.5, 1)


def _text(
    x: float, said: str, color: str, anchor: str, weight: str = "400", size: float = 12.5, rim: str = "none"
) -> str:
    """rim: of the page's colour, where a line may run below."""
    text = html.escape(directions.isolated(said))
    return (
        f"<text x='{x}' y='{MIDDLE + 4.5}' fill='{color}' text-anchor='{anchor}' font-weight='{weight}' "
        f"font-size='{size}' stroke='{rim}' stroke-width='5' paint-order='stroke' {FONT}>{text}</text>"
    )


def _image(inside: str, alt: str) -> str:
    svg = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}'>{inside}</svg>"
    data = base64.b64encode(svg.encode()).decode()
    return f'<img class="apart" src="data:image/svg+xml;base64,{data}" alt="{html.escape(alt)}">'
