"""What of a page goes into which report, and how it looks on white paper."""

import base64
import dataclasses
import re
from collections.abc import Iterator, Mapping
from functools import cache

import pandas as pd

from ldpapp import charts
from ldpapp.charts import palette
from ldpapp.runtime.capture import INTERNAL_COLUMN, PanelTable, Picture, Reach, Record, Section, Words


def allowed(reach: Reach, publishable: bool) -> bool:
    return reach >= (Reach.PUBLISHED if publishable else Reach.INTERNAL)


def words(said: Words, publishable: bool) -> str:
    """What this report says of them; "" for nothing."""
    return said.html if allowed(said.reach, publishable) else said.instead if said.reach > Reach.SCREEN else ""


def sections(shown: Record, publishable: bool) -> Iterator[Section]:
    """Those that this report has, with the pieces that it has of them."""
    for section in shown.sections:
        if allowed(section.reach, publishable):
            pieces = [made for piece in section.pieces if (made := _piece(piece, publishable)) is not None]
            yield dataclasses.replace(section, pieces=pieces)


def left_out(shown: Record, publishable: bool) -> list[str]:
    """The titles of the panels that this report has not; what only asks for a click is none that anybody misses."""
    hidden = (section for section in shown.sections if not allowed(section.reach, publishable))
    return [section.title for section in hidden if any(_says(piece) for piece in section.pieces)]


def _says(piece: Words | Picture | PanelTable) -> bool:
    return not isinstance(piece, Words) or piece.look not in ("sub", "chosen")


def _piece(piece: Words | Picture | PanelTable, publishable: bool) -> Words | Picture | PanelTable | None:
    if isinstance(piece, Words):
        text = words(piece, publishable)
        return Words(text, piece.look) if text else None
    if isinstance(piece, PanelTable):
        return PanelTable(_columns(piece), piece.label) if publishable else piece
    if not allowed(piece.reach, publishable):
        return None
    if not publishable:
        return piece
    return Picture(charts.published(piece.figure), piece.instead or piece.alt)


def _columns(piece: PanelTable) -> pd.DataFrame:
    """Without internal columns, and without rows that had nothing else."""
    kept = [c for c in piece.rows.columns if not str(c).endswith(INTERNAL_COLUMN) and c not in piece.internal]
    rows = piece.rows[kept]
    measured = [c for c in kept if pd.api.types.is_float_dtype(rows[c])]
    return rows.dropna(how="all", subset=measured[1:]) if piece.internal and len(measured) > 1 else rows


# colours --------------------------------------------------------------------------------------------------------------


@cache
def _light(count: int) -> Mapping[str, str]:
    """Colour of the dark scheme → the same of the light one; `count` mechanisms are listed."""
    names = [field.name for field in dataclasses.fields(palette.Scheme)]
    light = {getattr(palette.DARK, name).lower(): getattr(palette.LIGHT, name) for name in names}
    light |= {mark.dark.lower(): mark.light for mark in palette.marks().values()}
    return {**light, **charts.light_hues()}


_HEX = re.compile(r"#[0-9A-Fa-f]{6}\b")
_IMAGE = re.compile(r"(data:image/svg\+xml;base64,)([A-Za-z0-9+/=]+)")
_RGBA = re.compile(r"rgba\((\d+),(\d+),(\d+),")


def on_white(markup: str) -> str:
    """Markup of the dark theme as the light one has it."""
    known = _light(len(palette.marks()))

    def hex_(found: re.Match[str]) -> str:
        return known.get(found[0].lower(), found[0])

    def rgba(found: re.Match[str]) -> str:
        light = known.get("#" + "".join(f"{int(part):02x}" for part in found.groups()))
        return f"rgba({','.join(str(int(light[i : i + 2], 16)) for i in (1, 3, 5))}," if light else found[0]

    return _IMAGE.sub(_image, _RGBA.sub(rgba, _HEX.sub(hex_, markup)))


def _image(found: re.Match[str]) -> str:
    """A picture within a page's markup is SVG of ours, too."""
    drawn = on_white(base64.b64decode(found[2]).decode())
    return f"{found[1]}{base64.b64encode(drawn.encode()).decode()}"
