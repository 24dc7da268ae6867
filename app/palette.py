"""One table of colours, dashes, markers and glyphs: how each mechanism looks on every page, in both schemes.

Hue and dash say how much is promised, the marker says how the mechanism is built. Vermilion belongs to what is marked
sensitive and to nothing else.
"""

import zlib
from dataclasses import dataclass, replace

PROMISES = {
    "every": "Protect every value",
    "marked": "Protect the marked values",
    "weaker": "A weaker promise",
    "none": "No promise",
}
"""Promise group → its heading, in the order in which groups are shown."""

DASHES = {"every": "5px,3px", "marked": "solid", "weaker": "7px,2px,1.5px,2px", "none": "solid"}
"""Promise group → Plotly dash."""

CONSTRUCTIONS = {
    "symbol": ("circle", "●"),
    "bits": ("square", "■"),
    "open bits": ("square-open", "□"),
    "hashed": ("diamond", "◆"),
    "subset": ("triangle-up", "▲"),
    "ring": ("pentagon", "⬟"),
    "transform": ("triangle-down", "▼"),
}
"""Construction → (Plotly marker symbol, glyph of the same shape in text)."""

LINE, SAMPLE_LINE, FOCUS_LINE = 1.6, 1.0, 2.6
"""Line widths in px: usual, a -Sample variant, the mechanism in focus."""


@dataclass(frozen=True)
class Mark:
    """How one mechanism looks. Colours are hex strings; `dash` and `symbol` are Plotly's names."""

    key: str
    light: str
    dark: str
    dash: str
    symbol: str
    glyph: str
    promise: str
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


# Hues are shared by mechanisms that never meet in one chart (frequency, sets, means, miners).
_COLORS = {
    "indigo": ("#230E8F", "#868CE5"),
    "lavender": ("#958BC5", "#96DDFF"),
    "azure": ("#6573FB", "#676FCE"),
    "slate": ("#676EA4", "#408DAA"),
    "blue": ("#1F44C1", "#97B3FF"),
    "sky": ("#2F7FB8", "#5BC0EB"),
    "leaf": ("#3C7A4E", "#B5F5B0"),
    "sage": ("#709D6E", "#93C28D"),
    "pine": ("#005D47", "#348569"),
    "teal": ("#009486", "#1FB096"),
    "forest": ("#003F1A", "#73FBEF"),
    "plum": ("#8E4171", "#F599C2"),
    "wine": ("#5A0D41", "#B4588B"),
    "ink": (LIGHT.ink, DARK.ink),
}

# key: (colour, promise, construction)
_TABLE = {
    # frequency
    "GRR": ("indigo", "every", "symbol"),
    "RAPPOR": ("lavender", "every", "bits"),
    "OUE": ("azure", "every", "open bits"),
    "OLH": ("slate", "every", "hashed"),
    "SS": ("blue", "every", "subset"),
    "HR": ("sky", "every", "transform"),
    "uRR": ("leaf", "marked", "symbol"),
    "uRAP": ("sage", "marked", "bits"),
    "uOUE": ("pine", "marked", "open bits"),
    "uSS": ("teal", "marked", "subset"),
    "uHR": ("forest", "marked", "transform"),
    "SDGRR": ("plum", "weaker", "symbol"),
    "SDSS": ("wine", "weaker", "subset"),
    # sets
    "Wheel": ("slate", "every", "ring"),
    "PrivSet": ("blue", "every", "subset"),
    "suGRR": ("leaf", "marked", "symbol"),
    "suRAP": ("sage", "marked", "bits"),
    "suWheel": ("wine", "weaker", "ring"),
    "suWheel-J": ("forest", "marked", "ring"),
    "uPrivSet": ("teal", "marked", "subset"),
    # means
    "Laplace": ("lavender", "every", "bits"),
    "Duchi": ("indigo", "every", "symbol"),
    "PM": ("azure", "every", "open bits"),
    "HM": ("slate", "every", "hashed"),
    "SW": ("blue", "every", "subset"),
    "SDPM": ("plum", "weaker", "symbol"),
    "uTernary": ("teal", "marked", "subset"),
    # itemsets
    "Apriori": ("ink", "none", "symbol"),
    "DFDP": ("plum", "weaker", "symbol"),
    "SmartTrunc": ("blue", "every", "subset"),
    "Laplace Apriori": ("lavender", "every", "bits"),
    "PrivBasis": ("indigo", "every", "symbol"),
    "Local": ("azure", "every", "open bits"),
    "Capped": ("teal", "marked", "subset"),
    # clusters
    "k-modes": ("ink", "none", "symbol"),
    "LDPK": ("plum", "weaker", "symbol"),
    "LDPK-split": ("wine", "weaker", "bits"),
    "DPK": ("slate", "every", "transform"),
    "LDPK-GRR": ("indigo", "every", "symbol"),
    "LDPK-GRR1": ("azure", "every", "symbol"),
    "Marginals": ("lavender", "every", "hashed"),
    "Pairs": ("sky", "every", "open bits"),
    "Fresh": ("blue", "every", "subset"),
    "Fresh-2": ("azure", "every", "ring"),
    # ranges
    "Identity": ("indigo", "every", "symbol"),
    "Tree": ("azure", "every", "open bits"),
    "Matrix": ("slate", "every", "hashed"),
    "Privelet": ("blue", "every", "subset"),
    "Flat": ("indigo", "every", "symbol"),
    "Binary tree": ("azure", "every", "open bits"),
    "Boost": ("lavender", "every", "bits"),
    "Best tree": ("sky", "every", "transform"),
    "Local flat": ("indigo", "every", "symbol"),
    "Local tree": ("azure", "every", "open bits"),
    "Local Haar": ("blue", "every", "subset"),
    "Optimised": ("slate", "every", "hashed"),
    "Own matrix": ("ink", "none", "symbol"),
}

SAMPLE = "-Sample"
"""Suffix of the variants that spend the whole budget on one sampled item."""


ESTIMATES = {"EM": ("x", "✕", 1.6), "MLE": ("cross", "+", 1.1), "EMS": ("star", "✱", 1.1)}
"""Suffix "(EM)" of a mechanism's name → marker, glyph and width of that estimate; it has no closed form: dotted."""


def _estimate(parent: Mark, key: str, how: str) -> Mark:
    """A mechanism together with how the mean is estimated from its reports."""
    if how not in ESTIMATES:
        return replace(parent, key=key)
    symbol, glyph, width = ESTIMATES[how]
    return replace(parent, key=key, symbol=symbol, glyph=glyph, width=width, dash="1.5px,2px")


def _build(key: str, color: str, promise: str, construction: str) -> Mark:
    light, dark = _COLORS[color]
    symbol, glyph = CONSTRUCTIONS[construction]
    return Mark(key, light, dark, DASHES[promise], symbol, glyph, promise)


MARKS = {key: _build(key, *row) for key, row in _TABLE.items()}
"""Every mechanism with a place of its own in the design."""

# For mechanisms the design does not know: hues between the ones above, at least 3:1 on their page.
_SPARE = {
    "every": (("#3E5C9A", "#7FA6F0"), ("#4A3FB0", "#B3A8FF"), ("#3A6EA5", "#6FB6E0")),
    "marked": (("#4F7F2A", "#C6E88A"), ("#0F7F5F", "#4FD3A5"), ("#2D6A6A", "#6FC7C7")),
    "weaker": (("#A0568F", "#E58FD5"), ("#74305A", "#CF7FA8"), ("#9A5A7A", "#D9A3BF")),
    "none": (("#4A4E55", "#C3C7CD"), ("#6B7078", "#9BA1AA"), ("#33363B", "#DDDFE3")),
}
_SPARE_SYMBOLS = (("hexagon", "⬟"), ("star", "◆"), ("triangle-down", "▲"), ("cross", "■"))


def mark(key: str, promise: str = "every", construction: str | None = None) -> Mark:
    """The look of a mechanism; for keys the design does not know, a deterministic one.

    `promise` (a key of PROMISES) and `construction` (a key of CONSTRUCTIONS) matter only for unknown keys.
    A "-Sample" variant looks like its parent, thinner and with an open marker.
    """
    if key in MARKS:
        return MARKS[key]
    if key.endswith(")") and " (" in key:
        name, _, how = key[:-1].partition(" (")
        return _estimate(mark(name, promise, construction), key, how)
    if key.endswith(SAMPLE):
        parent = mark(key.removesuffix(SAMPLE), promise, construction)
        symbol = parent.symbol if parent.symbol.endswith("-open") else f"{parent.symbol}-open"
        return replace(parent, key=key, symbol=symbol, width=SAMPLE_LINE)
    # crc32, not hash(): the same key must look the same after every restart.
    code = zlib.crc32(key.encode())
    light, dark = _SPARE[promise][code % 3]
    symbol, glyph = CONSTRUCTIONS[construction] if construction else _SPARE_SYMBOLS[code // 3 % 4]
    return Mark(key, light, dark, DASHES[promise], symbol, glyph, promise)
