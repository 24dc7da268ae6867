"""The marks of points, in Plotly's proportions."""

import math

from ldpapp.export.svg import pen
from ldpapp.export.svg.known import Unknown

_CROSS = ((1.2, 0.4), (0.4, 0.4), (0.4, 1.2), (-0.4, 1.2), (-0.4, 0.4), (-1.2, 0.4))
_HALF = math.sqrt(0.5)


def _around(*angles: float, radius: float = 1.0) -> tuple[tuple[float, float], ...]:
    return tuple((radius * math.cos(math.radians(a)), radius * math.sin(math.radians(a))) for a in angles)


_PLUS = (*_CROSS, *((-x, -y) for x, y in _CROSS))
_STAR = tuple(
    point for i in range(5) for point in (*_around(72 * i - 90, radius=1.4), *_around(72 * i - 54, radius=1.4 * 0.382))
)
SHAPES = {
    "square": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "diamond": ((1.3, 0), (0, 1.3), (-1.3, 0), (0, -1.3)),
    "triangle-up": ((-2 / math.sqrt(3), 0.5), (2 / math.sqrt(3), 0.5), (0, -1)),
    "triangle-down": ((-2 / math.sqrt(3), -0.5), (2 / math.sqrt(3), -0.5), (0, 1)),
    "pentagon": _around(-90, -18, 54, 126, 198),
    "cross": _PLUS,
    "x": tuple(((x - y) * _HALF, (x + y) * _HALF) for x, y in _PLUS),
    "star": _STAR,
}
"""Symbol → its corners about 0, for a radius of 1."""
STROKES = {"line-ns": (0, 1.4), "line-ew": (1.4, 0)}
"""Symbol → the end of a stroke from −end to end."""


def symbol(name: str, x: float, y: float, size: float, color: str, rim: float, rim_color: str | None) -> str:
    """One mark of this size in px; `-open` ones have a rim of their colour and nothing inside."""
    open_, radius, n = name.endswith("-open"), size / 2, pen.number
    name = name.removesuffix("-open")
    if open_:
        rim, rim_color = rim or 1.0, color
    look = pen.stroke(rim_color, rim) if rim and rim_color else ""
    if name in STROKES:
        dx, dy = (radius * end for end in STROKES[name])
        points = f"M{n(x - dx)},{n(y - dy)}L{n(x + dx)},{n(y + dy)}"
        return pen.path(points, look or pen.stroke(rim_color or color, rim or 1.0))
    fill = "none" if open_ else color
    if name == "circle":
        return f'<circle cx="{n(x)}" cy="{n(y)}" r="{n(radius)}" fill="{pen.escape(fill)}"{look}/>'
    if name not in SHAPES:
        raise Unknown(f"the symbol {name}")
    corners = "L".join(f"{n(x + radius * dx)},{n(y + radius * dy)}" for dx, dy in SHAPES[name])
    return pen.path(f"M{corners}Z", look, fill)
