"""Of 100 people: an array of little squares, as an image that Streamlit lets through."""

import base64
import html

from ldpapp import words
from ldpapp.palette import scheme

CELL, SIZE, RADIUS = 10.0, 8.6, 1.6


def icon_array(
    percent: float,
    dark: bool = False,
    sensitive: bool = True,
    size: int = 76,
    alt: str | None = None,
    columns: int = 10,
) -> str:
    """100 squares in so many columns, `percent` (0 to 100, rounded) of them filled, row by row, as an HTML <img>.

    Vermilion if they speak of something `sensitive`, else grey; `size` in px;
    `alt` defaults to words like "73 of 100". st.html removes <svg>,
    but keeps images in data URIs.
    """
    # Only a certainty fills every square.
    filled = min(100 if percent >= 100 else 99, max(0, round(percent)))
    colors = scheme(dark)
    color = colors.sensitive if sensitive else colors.ink3
    squares = "".join(
        f'<rect x="{i % columns * CELL:g}" y="{i // columns * CELL:g}" width="{SIZE}" height="{SIZE}" rx="{RADIUS}" '
        f'fill="{color if i < filled else colors.floor}"/>'
        for i in range(100)
    )
    end, low = (columns - 1) * CELL + SIZE, (100 // columns - 1) * CELL + SIZE
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {end} {low}">{squares}</svg>'
    data = base64.b64encode(svg.encode()).decode()
    said = html.escape(alt if alt is not None else words.chance_of_100(percent / 100))
    return f'<img src="data:image/svg+xml;base64,{data}" alt="{said}" width="{size}" height="{size * low / end:g}">'
