"""What a page shows, kept as values while it is drawn: its report is made of these, and of nothing else of the page.

Whatever draws a piece of a page (`parts`, `panels`, `widgets`) also says it here, so that a new panel is in the report
by existing. Nothing is kept unless a report was asked for (`begin`).

What compares with the truth is *internal*: the report that may be published leaves it out, and may say something else
instead. Traces and notes of a figure are internal by their own mark (`charts.internal`), columns of a table by the end
of their names. What shows the answers of one person stays on the screen.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import pandas as pd
from plotly.graph_objects import Figure

INTERNAL_COLUMN = "(internal)"
"""What the names of internal columns end in."""


class Reach(IntEnum):
    """How far a piece of a page may go."""

    SCREEN = 0
    """It shows somebody's answers, or asks for a click: no report has it."""
    INTERNAL = 1
    """It compares with the truth: a report that is published has not."""
    PUBLISHED = 2


@dataclass(frozen=True)
class Words:
    """Markup of ours. look: its class, "sub" for a quiet line. instead: what is published where this is not."""

    html: str
    look: str = "text"
    reach: Reach = Reach.PUBLISHED
    instead: str = ""


@dataclass(frozen=True)
class Picture:
    """A figure, and what it says; `instead`, where what is published says something else."""

    figure: Figure
    alt: str
    reach: Reach = Reach.PUBLISHED
    instead: str = ""


@dataclass(frozen=True)
class PanelTable:
    """A table behind a panel. label: what it is called, where that is not just "table". internal: columns that are,
    besides those whose names say so.
    """

    rows: pd.DataFrame
    label: str = ""
    internal: tuple[str, ...] = ()


Piece = Words | Picture | PanelTable


@dataclass
class Section:
    """A panel, and all that was drawn in it. A fold is one without pieces, and begins what was behind it."""

    key: str
    title: str
    reach: Reach = Reach.PUBLISHED
    fold: bool = False
    pieces: list[Piece] = field(default_factory=list)


@dataclass
class Record:
    """What one run of a page has shown."""

    headlines: list[Words] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    place: Any = None
    """Where the page has a button of its own that saves the report."""
    title: str = ""
    """What the report is called, where it is not called as the page is."""
    front: tuple[tuple[str, str], ...] = ()
    """What the first page says of what is signed, title and markup, where the page is about no Study."""
    sign: tuple[str, ...] = ()
    """The lines below it: what is signed, and by whom."""


_RECORD: ContextVar[Record | None] = ContextVar("what the page that is being drawn has shown", default=None)


def begin(wanted: bool) -> None:
    """A page begins. Kept is what it shows only if a report is `wanted`."""
    _RECORD.set(Record() if wanted else None)


def wanted() -> bool:
    """Whether what is drawn is kept: then folds are drawn though they are closed."""
    return _RECORD.get() is not None


def headline(said: Words) -> None:
    if (record := _RECORD.get()) is not None:
        record.headlines.append(said)


def save_here(place: Any, title: str = "") -> None:
    """The button that saves the report stands here, a container of the page, as soon as the page is drawn."""
    if (record := _RECORD.get()) is not None:
        record.place, record.title = place, title


def signed(boxes: Sequence[tuple[str, str]], lines: Sequence[str]) -> None:
    """The report's first page says this, title and markup, above these lines to sign on."""
    if (record := _RECORD.get()) is not None:
        record.front, record.sign = tuple(boxes), tuple(lines)


def panel(key: str, title: str, reach: Reach = Reach.PUBLISHED) -> None:
    """A panel begins."""
    if (record := _RECORD.get()) is not None:
        record.sections.append(Section(key, title, reach))


def fold(key: str, title: str) -> None:
    """What was behind a click begins."""
    if (record := _RECORD.get()) is not None:
        record.sections.append(Section(key, title, fold=True))


def piece(shown: Piece) -> None:
    """Drawn now, in the panel that began last; what stands before all panels has none."""
    if (record := _RECORD.get()) is None:
        return
    if not record.sections:
        record.sections.append(Section("", ""))
    record.sections[-1].pieces.append(shown)


@contextmanager
def unsaid() -> Iterator[None]:
    """What is drawn here is for the hand: a menu, of which the report has what was chosen."""
    token = _RECORD.set(None)
    try:
        yield
    finally:
        _RECORD.reset(token)


def shown() -> Record | None:
    """What the page has shown so far; None where nothing is kept."""
    return _RECORD.get()
