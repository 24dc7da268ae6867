"""What miners found and what they made up, as bars on both sides of the number that is true."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from ldpapp import words
from ldpapp.charts.palette import mark, scheme
from ldpapp.words.language import t

from .base import LABEL, TICK, Frame, axis, bars, escape, figure, line, note, text_width
from .remarks import PHONE


@dataclass(frozen=True)
class Mined:
    """One miner in one comparison: sets found of the truly frequent, and false ones."""

    group: str
    name: str
    found: float
    false: float


def mined_bars(
    rows: Sequence[Mined], truth: int, *, dark: bool = False, height: int = 204, width: int = 470
) -> go.Figure:
    """Colour: found, of `truth` frequent sets. Hatched: false ones, on the same scale as far as there is room."""
    colors = scheme(dark)
    groups = list(dict.fromkeys(row.group for row in rows))
    left = math.ceil(max(text_width(row.name, LABEL) for row in rows)) + 32
    frame = Frame(width, height, left=left, right=96, top=4, bottom=6)
    # Places from the top: a line of words for every group, then its bars.
    places, heads, at = [], {}, 0.0
    for group in groups:
        heads[group] = at
        at += 1
        for row in (row for row in rows if row.group == group):
            places.append((row, at + 0.5))
            at += 1
    reach, on_phone = truth * 2.1, PHONE - frame.left - frame.right
    data, notes = [], []
    for row, y in places:
        look = mark(row.name)
        color = look.color(dark)
        texts = [
            t(
                "<b>{name}</b><br>found {found} of {truth}<br>{false} false",
                name=escape(row.name),
                found=words.count(row.found),
                truth=words.count(truth),
                false=words.count(row.false),
            )
        ]
        data.append(bars("true", [truth], [y], colors.floor, 0.72, texts, orientation="h"))
        data.append(bars(row.name, [row.found], [y], color, 0.72, texts, orientation="h"))
        shown = min(row.false, reach - truth * 1.02)
        hatch = {"color": colors.page, "pattern": {"shape": "/", "fgcolor": colors.ink3, "size": 5, "solidity": 0.25}}
        rim = {"line": {"width": 0.8, "color": colors.ink3}}
        data.append(
            bars(f"{row.name} false", [shown], [y], color, 0.72, texts, orientation="h", base=truth * 1.02)
            | {"marker": hatch | rim}
        )
        y_paper = 1 - y / at
        # A numeral that leaves its bar on a phone stands beside it.
        number = words.count(row.found)
        inside = row.found / reach * on_phone > text_width(number, LABEL)
        text = {"color": "#FFFFFF" if inside and not dark else colors.page if inside else colors.ink, "size": LABEL}
        place = {"xref": "x", "xanchor": "left", "xshift": 4}
        notes.append(note(f"<b>{number}</b>", 0 if inside else row.found, y_paper, font=text, **place))
        false = words.count(row.false)
        said_false = t("{n} false →", n=false) if row.false > shown else t("{n} false", n=false)
        notes.append(
            note(said_false, truth * 1.02 + shown, y_paper, font={"size": TICK, "color": colors.ink2}, **place)
        )
        notes.append(note(look.glyph, 0, y_paper, xshift=10 - left, font={"size": LABEL, "color": color}))
        notes.append(note(escape(row.name), 0, y_paper, xshift=22 - left, font={"size": LABEL, "color": colors.ink}))
    for group, y in heads.items():
        font = {"size": TICK, "color": colors.ink2}
        notes.append(note(f"<b>{escape(group)}</b>", 0, 1 - (y + 0.55) / at, xshift=4 - left, font=font))
    font = {"size": TICK, "color": colors.ink2}
    notes.append(
        note(t("← {n} truly frequent", n=words.count(truth)), truth * 1.03, 1 - 0.55 / at, xref="x", font=font)
    )
    data.append(line("truth", [truth * 1.01] * 2, [0, at], colors.ink3, 1.4))
    xaxis = axis(dark, range=[0, reach], visible=False)
    yaxis = axis(dark, range=[at, 0], visible=False)
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis, annotations=notes, barmode="overlay")
