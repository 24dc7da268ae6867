"""What a panel is made of: figures, words, tables, widgets, each a value that draws itself and says so (`record`)."""

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

import pandas as pd
import streamlit as st
from plotly.graph_objects import Figure

from ldpapp import charts, words
from ldpapp.parts import widgets
from ldpapp.runtime import background, capture, display
from ldpapp.runtime.capture import Reach
from ldpapp.words import glossary, language
from ldpcore.study import Study


class Part(Protocol):
    """Something in a panel, from top to bottom."""

    def draw(self, panel: str) -> None:
        """`panel` is the key of the panel it stands in."""
        ...


@dataclass(frozen=True)
class Chart:
    """A figure of ours, and what it says to those who do not see it.

    limit: the words about the limit, written below where the figure has no room for them. options: what
    `st.plotly_chart` takes besides, such as `on_select`. key: "chart_" and the panel's, where a panel has one chart.
    instead: what it says where its internal traces are left out.
    """

    figure: Figure
    alt: str
    limit: str = ""
    key: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    reach: Reach = Reach.PUBLISHED
    instead: str = ""

    def named(self, panel: str) -> str:
        return self.key or f"chart_{panel}"

    def draw(self, panel: str) -> None:
        capture.piece(capture.Picture(self.figure, self.alt, self.reach, self.instead))
        larger, below = 1.0, charts.unsaid_limit(self.figure, self.limit)
        if display.single():
            height = float(cast(float, self.figure.layout["height"]))
            tallest, least = (PROJECTED - SAID * bool(below), SMALLER) if display.projector() else (TALLEST, 1.0)
            larger = max(least, min(1 / SHARE.get(), tallest / height))
        widgets.plot(self.figure, self.named(panel), self.alt, larger, **self.options)
        if below:
            Line(f"{below[:1].upper()}{below[1:]}.").draw(panel)


@dataclass(frozen=True)
class Html:
    """Markup of ours, in which whatever a person gave is escaped."""

    text: str
    reach: Reach = Reach.PUBLISHED
    instead: str = ""

    def draw(self, panel: str) -> None:
        language.notice(self.text)
        capture.piece(capture.Words(self.text, "text", self.reach, self.instead))
        st.html(_explained(self.text))


@dataclass(frozen=True)
class Line:
    """A quiet line: unit and encoding, or what a chart leaves out."""

    text: str
    reach: Reach = Reach.PUBLISHED
    instead: str = ""

    def draw(self, panel: str) -> None:
        capture.piece(capture.Words(self.text, "sub", self.reach, self.instead))
        st.html(f'<div class="sub">{_explained(words.unbroken(self.text))}</div>')


@dataclass(frozen=True)
class Box:
    """What stands where there is nothing to draw: what happened, why, what to do."""

    what: str
    why: str = ""
    hint: str = ""
    height: int = 176

    def draw(self, panel: str) -> None:
        widgets.state_box(self.what, self.why, self.hint, self.height)


@dataclass(frozen=True)
class Control:
    """Widgets in the panel: whatever this function draws."""

    widgets: Callable[[], object]

    def draw(self, panel: str) -> None:
        self.widgets()


@dataclass(frozen=True)
class RowOfParts:
    """Parts side by side: columns of parts, as wide as `widths` says (equal, if it says nothing)."""

    columns: Sequence[Sequence[Part]]
    widths: Sequence[float] = ()
    options: Mapping[str, Any] = field(default_factory=lambda: {"gap": "small"})

    def draw(self, panel: str) -> None:
        places = st.columns(list(self.widths) or len(self.columns), **self.options)
        for place, parts in zip(places, self.columns, strict=True):
            with place:
                for part in parts:
                    part.draw(panel)


@dataclass(frozen=True)
class Filling:
    """The line under the title of a panel that fills in: `done` once all of the studies' `of` ("surveys", say) are
    simulated; until then how far they are, with a button to stop. The last of the studies names the work. pieces: what
    is counted, not repetitions.
    """

    data: Any
    studies: Sequence[Study]
    of: str
    done: str
    instead: str = ""
    """What is published where `done` is internal."""
    pieces: bool = False

    def draw(self, panel: str) -> None:
        done = _explained(self.done)
        background.line(self.data, *self.studies, of=self.of, done=done, instead=self.instead, pieces=self.pieces)


@dataclass(frozen=True)
class Menu:
    """A popover beside the title. label: what is chosen now. widgets: draws what can be chosen. does: the label is what
    it does, which paper does not say.
    """

    label: str
    widgets: Callable[[], object]
    key: str | None = None
    does: bool = False

    def draw(self, panel: str) -> None:
        if not self.does:
            capture.piece(capture.Words(widgets.escape(self.label), "chosen"))
        with capture.unsaid(), st.popover(words.literal(self.label), type="tertiary", key=self.key):
            self.widgets()


@dataclass(frozen=True)
class Sheet:
    """The numbers behind a panel, as a table and as a file of this name.

    label: what the button says, where it is not just "table". key: the panel's, where a panel has one sheet. internal:
    columns that compare with the truth, besides those whose names say so.
    """

    rows: pd.DataFrame
    file: str
    label: str = ""
    key: str = ""
    internal: Sequence[str] = ()

    def draw(self, panel: str, pictured: Sequence[str] = ()) -> None:
        capture.piece(capture.PanelTable(self.rows, self.label, tuple(self.internal)))
        widgets.as_table(self.key or panel, self.rows, self.file, self.label, pictured)


_SEEN: ContextVar[set[str]] = ContextVar("terms that this panel has explained")


def _explained(text: str) -> str:
    return glossary.explained(text, _SEEN.get(set()))


def turn_panel() -> None:
    """A panel begins: no term is explained in it yet."""
    _SEEN.set(set())


TALLEST = 500
"""px of a chart that fills the page, on 1280×720."""
PROJECTED, SAID, SMALLER = 255, 25, 0.9
"""The same on the projector, where the headline stands above it; less for words about the limit below it; and how much
smaller a taller one may get."""
SHARE: ContextVar[float] = ContextVar("share of the page's width", default=1.0)
