"""A panel as a value: what a page shows under one title. Made first and drawn after, so that whatever is true of every
panel (its head, its table, its chart in words, what happens when it fails) is written once, here.

>>> Panel("risk", "Who learns the raw answer?", [Html("<p>Nobody.</p>")]).key
'risk'
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

import pandas as pd
import streamlit as st
from plotly.graph_objects import Figure

from ldpapp import charts, filling, widgets, words
from ldpapp.failing import guarded
from ldpapp.language import t
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
    """

    figure: Figure
    alt: str
    limit: str = ""
    key: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)

    def draw(self, panel: str) -> None:
        widgets.plot(self.figure, self.key or f"chart_{panel}", self.alt, **self.options)
        if self.limit and not charts.says_limit(self.figure, self.limit):
            Line(f"{self.limit[:1].upper()}{self.limit[1:]}.").draw(panel)


@dataclass(frozen=True)
class Html:
    """Markup of ours, in which whatever a person gave is escaped."""

    text: str

    def draw(self, panel: str) -> None:
        st.html(self.text)


@dataclass(frozen=True)
class Line:
    """A quiet line: unit and encoding, or what a chart leaves out."""

    text: str

    def draw(self, panel: str) -> None:
        st.html(f'<div class="sub">{words.unbroken(self.text)}</div>')


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
class Beside:
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
    simulated; until then how far they are, with a button to stop. The last of the studies names the work.
    """

    data: Any
    studies: Sequence[Study]
    of: str
    done: str

    def draw(self, panel: str) -> None:
        filling.line(self.data, *self.studies, of=self.of, done=self.done)


@dataclass(frozen=True)
class Menu:
    """A popover beside the title. label: what is chosen now. widgets: draws what can be chosen."""

    label: str
    widgets: Callable[[], object]
    key: str | None = None

    def draw(self, panel: str) -> None:
        with st.popover(self.label, type="tertiary", key=self.key):
            self.widgets()


@dataclass(frozen=True)
class Sheet:
    """The numbers behind a panel, as a table and as a file of this name.

    label: what the button says, where it is not just "table". key: the panel's, where a panel has one sheet.
    """

    rows: pd.DataFrame
    file: str
    label: str = ""
    key: str = ""

    def draw(self, panel: str) -> None:
        widgets.as_table(self.key or panel, self.rows, self.file, self.label)


def again(label: str, task: str) -> Control:
    """The button that asks for another draw on this task's page."""
    return Control(partial(widgets.again, label, task))


@dataclass(frozen=True)
class Panel:
    """key: names it in tests and styles, once a page. title, and below it `subtitle`: a line, or what fills in.

    head: what stands beside the title, menus first and tables last.
    """

    key: str
    title: str
    parts: Sequence[Part] = ()
    subtitle: "str | Part" = ""
    head: Sequence[Part] = ()

    def draw(self) -> None:
        with st.container(key=f"panel_{self.key}"):
            head = st.container(
                horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="small"
            )
            head.html(f'<div class="title" role="heading" aria-level="2">{self.title}</div>', width="content")
            if self.head:
                with head.container(
                    horizontal=True, horizontal_alignment="right", wrap=False, gap="small", width="content"
                ):
                    for part in self.head:
                        part.draw(self.key)
            if self.subtitle:
                (Line(self.subtitle) if isinstance(self.subtitle, str) else self.subtitle).draw(self.key)
            for part in self.parts:
                part.draw(self.key)


Maker = Callable[[], Panel | Sequence[Panel] | None]
"""Makes what stands in one place of a page: a panel, several below one another, or nothing."""


def show(*makers: Maker) -> None:
    """Panels below one another; one that fails leaves a sentence in its place."""
    for maker in makers:
        with guarded(t("This part")):
            made = maker()
            for panel in [made] if isinstance(made, Panel) else made or ():
                panel.draw()


def row(*makers: Maker | Sequence[Maker], widths: Sequence[float] = (), **options: Any) -> None:
    """Panels side by side, as wide as `widths` says; several in one place stand below one another."""
    places = st.columns(list(widths) or len(makers), **{"gap": "medium", **options})
    for place, maker in zip(places, makers, strict=True):
        with place:
            show(*([maker] if callable(maker) else maker))
