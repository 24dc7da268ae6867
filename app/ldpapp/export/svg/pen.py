"""Numbers, texts and strokes as SVG writes them."""

import html
import math
import re

from ldpapp.export.svg.known import Unknown

DASHES = {"solid": "", "dot": "3,3", "dash": "9,9", "dashdot": "9,3,3,3", "longdash": "15,15"}
ANCHORS = {"left": "start", "center": "middle", "right": "end", "auto": "middle"}
LINE, ASCENT, DESCENT, MIDDLE = 1.3, 0.76, 0.24, 0.36
"""Of Inter, in its size: from line to line, above and below the line, and how far below the middle the line is."""
_TAG = re.compile(r"<[^>]+>")
_LOOKS = {"b": ' font-weight="600"', "i": ' font-style="italic"'}
_SHIFTS = {"sup": -0.45, "sub": 0.3}
_SMALL = 0.7
"""Raised and lowered text: by how much of its own size, and how large it is."""


def number(value: float) -> str:
    """Two decimals are a hundredth of a px."""
    if not math.isfinite(value):
        raise Unknown(f"the number {value}")
    digits = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if digits == "-0" else digits


def escape(text: object) -> str:
    return html.escape(str(text), quote=True)


def stroke(color: str, width: float, dash: str = "solid") -> str:
    dashed = DASHES.get(dash, dash.replace("px", ""))
    pattern = f' stroke-dasharray="{escape(dashed)}"' if dashed else ""
    return f' stroke="{escape(color)}" stroke-width="{number(width)}"{pattern}'


def path(points: str, look: str, fill: str = "none") -> str:
    return f'<path d="{points}" fill="{escape(fill)}"{look}/>'


def rectangle(x0: float, y0: float, x1: float, y1: float, look: str) -> str:
    x, y, w, h = min(x0, x1), min(y0, y1), abs(x1 - x0), abs(y1 - y0)
    return f'<rect x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}"{look}/>'


def text(
    x: float,
    y: float,
    said: str,
    size: float,
    color: str,
    anchor: str = "start",
    side: str = "middle",
    turned: float = 0,
) -> str:
    """Lines of Plotly's HTML. side: which side of the text stands at y, "top", "middle" or "bottom"."""
    lines = re.split(r"<br\s*/?>", str(said))
    height = (len(lines) - 1) * LINE * size
    first = {"top": y + (ASCENT + 0.06) * size, "middle": y - height / 2 + MIDDLE * size}
    first["bottom"] = y - height - DESCENT * size
    spans = "".join(
        f'<tspan x="{number(x)}" y="{number(first[side] + i * LINE * size)}">{_inline(line)}</tspan>'
        for i, line in enumerate(lines)
    )
    turn = f' transform="rotate({number(turned)} {number(x)} {number(y)})"' if turned else ""
    look = f'font-size="{number(size)}" fill="{escape(color)}" text-anchor="{anchor}"{turn}'
    return f"<text {look}>{spans}</text>"


def _inline(said: str) -> str:
    """b, i, sub, sup and span with a colour: what our charts write."""
    out, at, open_, back = [], 0, [], 0.0
    for tag in [*_TAG.finditer(said), None]:
        words = _plain(said[at : tag.start() if tag else len(said)])
        # What follows raised text goes back to the line: not every browser knows baseline-shift.
        out.append(f'<tspan dy="{number(back)}em">{words}</tspan>' if back and words else words)
        back = 0.0 if words else back
        if tag is None:
            break
        at = tag.end()
        if tag[0].startswith("</"):
            name = open_.pop() if open_ else ""
            out.append("</tspan>" if name else "")
            back = -_SHIFTS.get(name, 0.0) * _SMALL
        else:
            open_.append(tag[0].strip("<>").split()[0])
            out.append(f"<tspan{_look(tag[0])}>")
    return "".join([*out, "</tspan>" * len(open_)])


def _look(tag: str) -> str:
    match = re.match(r"<(\w+)", tag)
    name = match[1] if match else tag
    if name in _LOOKS:
        return _LOOKS[name]
    if name in _SHIFTS:
        return f' dy="{number(_SHIFTS[name])}em" font-size="{_SMALL:.0%}"'
    color = re.fullmatch(r"""<span style=["']color:\s*([^;"']+);?["']>""", tag)
    if color is None:
        raise Unknown(f"the tag {tag}")
    return f' fill="{escape(color[1])}"'


def _plain(said: str) -> str:
    return html.escape(html.unescape(said), quote=False)
