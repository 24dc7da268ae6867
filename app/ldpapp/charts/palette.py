"""Colours, dashes, markers and glyphs: how everything looks on every page, in both schemes.

Hue and dash say how much is promised, the marker says how a mechanism is built. Both follow from the catalogue's entry:
no mechanism is named here. Vermilion belongs to what is marked sensitive and to nothing else.
"""

from collections.abc import Iterable
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import lru_cache

from ldpapp.words.language import t
from ldpcore import catalog
from ldpcore.catalog import Catalog, Construction, Coverage


def promises() -> dict[Coverage, str]:
    """Whom a promise covers → the heading of its group, in the order in which groups are shown."""
    return {
        Coverage.EVERY: t("Protect every value"),
        Coverage.MARKED: t("Protect the marked values"),
        Coverage.WEAKER: t("A weaker promise"),
        Coverage.NONE: t("No promise"),
    }


DASHES = {
    Coverage.EVERY: "5px,3px",
    Coverage.MARKED: "solid",
    Coverage.WEAKER: "7px,2px,1.5px,2px",
    Coverage.NONE: "solid",
}
"""Whom a promise covers → Plotly dash."""

STROKES = {Coverage.EVERY: "╌╌╌", Coverage.MARKED: "───", Coverage.WEAKER: "─·─", Coverage.NONE: "───"}
"""The same dashes in text."""

_CIRCLE, _SQUARE, _OPEN_SQUARE = ("circle", "●"), ("square", "■"), ("square-open", "□")
_DIAMOND, _UP, _DOWN, _PENTAGON = ("diamond", "◆"), ("triangle-up", "▲"), ("triangle-down", "▼"), ("pentagon", "⬟")

CONSTRUCTIONS = {
    Construction.SYMBOL: (*_CIRCLE, 0),
    Construction.BITS: (*_SQUARE, 1),
    Construction.OPTIMISED_BITS: (*_OPEN_SQUARE, 2),
    Construction.HASH: (*_DIAMOND, 3),
    Construction.SUBSET: (*_UP, 4),
    Construction.PAIR: (*_PENTAGON, 3),
    Construction.RING: (*_PENTAGON, 3),
    Construction.TRANSFORM: (*_DOWN, 5),
    Construction.NOISE: (*_SQUARE, 1),
    Construction.ONE_BIT: (*_CIRCLE, 0),
    Construction.WINDOW: (*_OPEN_SQUARE, 2),
    Construction.SQUARE_WAVE: (*_UP, 4),
    Construction.MIXTURE: (*_DIAMOND, 3),
    Construction.THREE_VALUES: (*_UP, 4),
    Construction.COUNTS: (*_CIRCLE, 0),
    Construction.CUT_BASKETS: (*_UP, 4),
    Construction.WEIGHED_BASKETS: (*_PENTAGON, 5),
    Construction.FITTED_TABLES: (*_DOWN, 2),
    Construction.CELLS: (*_CIRCLE, 0),
    Construction.TREE: (*_OPEN_SQUARE, 2),
    Construction.CONSISTENT_TREE: (*_SQUARE, 1),
    Construction.WAVELET: (*_UP, 4),
    Construction.SEARCHED: (*_DOWN, 5),
}
"""Construction → (Plotly marker symbol, glyph of the same shape in text, which hue of its promise)."""

LINE, VARIANT_LINE, FOCUS_LINE, QUIET_LINE = 1.6, 1.0, 2.6, 1.2
"""Line widths in px: usual, a lesser form of another mechanism, the mechanism in focus, the others beside that one."""


@dataclass(frozen=True)
class Mark:
    """How one mechanism looks. Colours are hex strings; `dash` and `symbol` are Plotly's names."""

    key: str
    light: str
    dark: str
    dash: str
    symbol: str
    glyph: str
    promise: Coverage
    width: float = LINE

    def color(self, dark: bool) -> str:
        """The colour of lines, markers and the glyph."""
        return self.dark if dark else self.light


@dataclass(frozen=True)
class Scheme:
    """The colours of everything that is not a mechanism."""

    page: str
    sensitive: str
    ink: str
    ink2: str
    ink3: str
    floor: str
    other: str
    grid: str
    axis: str
    tint: str


LIGHT = Scheme(
    page="#FFFFFF",
    sensitive="#D1390B",
    ink="#1D1F23",
    ink2="#5B6068",
    ink3="#8A8F98",
    floor="#E6E7E4",
    other="#B9BCC2",
    grid="#ECECE9",
    axis="#C9CAC6",
    tint="#F7F7F5",
)
DARK = Scheme(
    page="#16181C",
    sensitive="#FF7A45",
    ink="#E8EAED",
    ink2="#A4AAB3",
    ink3="#767D88",
    floor="#2C3037",
    other="#565C66",
    grid="#25292F",
    axis="#41474F",
    tint="#1B1E23",
)


def scheme(dark: bool) -> Scheme:
    """The chrome colours of the light or the dark theme."""
    return DARK if dark else LIGHT


# Six hues of a promise, one for each marker; after them, hues between those, for those of one construction.
_INK = (LIGHT.ink, DARK.ink)
_PLUM, _WINE, _FOREST = ("#8E4171", "#F599C2"), ("#5A0D41", "#B4588B"), ("#003F1A", "#73FBEF")
_HUES = {
    Coverage.EVERY: (
        ("#230E8F", "#868CE5"),
        ("#958BC5", "#96DDFF"),
        ("#6573FB", "#676FCE"),
        ("#676EA4", "#408DAA"),
        ("#1F44C1", "#97B3FF"),
        ("#2F7FB8", "#5BC0EB"),
    ),
    Coverage.MARKED: (
        ("#3C7A4E", "#B5F5B0"),
        ("#709D6E", "#93C28D"),
        ("#005D47", "#348569"),
        _FOREST,
        ("#009486", "#1FB096"),
        _FOREST,
    ),
    Coverage.WEAKER: (_PLUM, _PLUM, _PLUM, _WINE, _WINE, _WINE),
    Coverage.NONE: (_INK,) * 6,
}
_SPARE = {
    Coverage.EVERY: (("#3E5C9A", "#7FA6F0"), ("#4A3FB0", "#B3A8FF"), ("#3A6EA5", "#6FB6E0")),
    Coverage.MARKED: (("#4F7F2A", "#C6E88A"), ("#0F7F5F", "#4FD3A5"), ("#2D6A6A", "#6FC7C7")),
    Coverage.WEAKER: (("#A0568F", "#E58FD5"), ("#74305A", "#CF7FA8"), ("#9A5A7A", "#D9A3BF")),
    Coverage.NONE: (("#4A4E55", "#C3C7CD"), ("#6B7078", "#9BA1AA"), ("#33363B", "#DDDFE3")),
}

ESTIMATES = {"EM": ("x", "✕", 1.6), "MLE": ("cross", "+", 1.1), "EMS": ("star", "✱", 1.1)}
"""Suffix "(EM)" of a mechanism's name → marker, glyph and width of that estimate; it has no closed form: dotted."""


def _estimate(parent: Mark, key: str, how: str) -> Mark:
    """A mechanism together with how the mean is estimated from its reports."""
    if how not in ESTIMATES:
        return replace(parent, key=key)
    symbol, glyph, width = ESTIMATES[how]
    return replace(parent, key=key, symbol=symbol, glyph=glyph, width=width, dash="1.5px,2px")


def face(key: str, coverage: Coverage, construction: Construction, shift: int = 0) -> Mark:
    """The look of what is built and promised so; `shift` tells apart those that are alike in both."""
    symbol, glyph, tone = CONSTRUCTIONS[construction]
    hues = [_HUES[coverage][tone], *_SPARE[coverage]]
    light, dark = hues[shift % len(hues)]
    return Mark(key, light, dark, DASHES[coverage], symbol, glyph, coverage)


def _variant(parent: Mark, key: str) -> Mark:
    """A lesser form looks like its parent, thinner and with an open marker."""
    symbol = parent.symbol if parent.symbol.endswith("-open") else f"{parent.symbol}-open"
    return replace(parent, key=key, symbol=symbol, width=VARIANT_LINE)


def faces(entries: Catalog) -> dict[str, Mark]:
    """Every entry of a catalogue by its key."""
    looks: dict[str, Mark] = {}
    for key, entry in entries.items():
        if entry.variant:
            looks[key] = _variant(looks[entry.variant], key)
            continue
        covered = catalog.coverage(entry.promise)
        drawn = {(mark.light, mark.symbol) for mark in looks.values()}
        free = (face(key, covered, entry.construction, shift) for shift in range(1 + len(_SPARE[covered])))
        looks[key] = next((m for m in free if (m.light, m.symbol) not in drawn), face(key, covered, entry.construction))
    return looks


@lru_cache(1)
def _known(listed: tuple[tuple[str, ...], ...]) -> dict[str, Mark]:
    """Key or name → look, of everything listed in these catalogues now."""
    looks: dict[str, Mark] = {}
    for entries in catalog.ALL:
        for key, mark in faces(entries).items():
            looks.setdefault(key, mark)
            looks.setdefault(entries.name(key), mark)
    return looks


def marks() -> dict[str, Mark]:
    """The look of everything that is listed, by key and by name."""
    return _known(tuple(tuple(entries) for entries in catalog.ALL))


OWN = "Own"
"""A mechanism of one's own, which is in no catalogue."""
_KEPT: ContextVar[Coverage] = ContextVar("whom one's own mechanism protects, on this page", default=Coverage.NONE)


def own_keeps(promise: str) -> None:
    """What one's own mechanism keeps under the marks of the page that is being drawn: it looks like those that do."""
    _KEPT.set(catalog.coverage(promise))


def _own() -> Mark:
    """The dash of its promise and the last of its hues, and a star."""
    covered = _KEPT.get()
    return replace(face(OWN, covered, Construction.SYMBOL, len(_SPARE[covered])), symbol="star", glyph="★")


def mark(name: str) -> Mark:
    """The look of a mechanism by its key or name, "SDPM (EM)" included; of anything else, ink."""
    known = marks()
    if name == OWN:
        return _own()
    if name in known:
        return known[name]
    if name.endswith(")") and " (" in name:
        parent, _, how = name[:-1].partition(" (")
        return _estimate(mark(parent), name, how)
    return face(name, Coverage.NONE, Construction.SYMBOL)


def groups(entries: Catalog) -> Iterable[tuple[str, list[str]]]:
    """(heading with the stroke of its lines, keys) of every promise that a catalogue has."""
    names = promises()
    return [(f"{names[c]} {STROKES[c]}", keys) for c, keys in entries.by_coverage().items() if keys]
