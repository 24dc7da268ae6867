"""A panel as a value: what a page shows under one title. Made first and drawn after, so that whatever is true of every
panel (its head, its table, its chart in words, what happens when it fails) is written once, here.

>>> Panel("risk", "Who learns the raw answer?", [Html("<p>Nobody.</p>")]).key
'risk'
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol, cast

import pandas as pd
import streamlit as st
from plotly.graph_objects import Figure

from ldpapp import bind, charts, filling, glossary, language, looks, screen, widgets, words
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

    def named(self, panel: str) -> str:
        return self.key or f"chart_{panel}"

    def draw(self, panel: str) -> None:
        larger = 1.0
        if screen.alone():
            height = float(cast(float, self.figure.layout["height"]))
            larger = max(1.0, min(1 / _SHARE.get(), TALLEST / height))
        widgets.plot(self.figure, self.named(panel), self.alt, larger, **self.options)
        if self.limit and not charts.says_limit(self.figure, self.limit):
            Line(f"{self.limit[:1].upper()}{self.limit[1:]}.").draw(panel)


@dataclass(frozen=True)
class Html:
    """Markup of ours, in which whatever a person gave is escaped."""

    text: str

    def draw(self, panel: str) -> None:
        language.notice(self.text)
        st.html(_explained(self.text))


@dataclass(frozen=True)
class Line:
    """A quiet line: unit and encoding, or what a chart leaves out."""

    text: str

    def draw(self, panel: str) -> None:
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
    simulated; until then how far they are, with a button to stop. The last of the studies names the work. pieces: what
    is counted, not repetitions.
    """

    data: Any
    studies: Sequence[Study]
    of: str
    done: str
    pieces: bool = False

    def draw(self, panel: str) -> None:
        filling.line(self.data, *self.studies, of=self.of, done=_explained(self.done), pieces=self.pieces)


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

    def draw(self, panel: str, pictured: Sequence[str] = ()) -> None:
        widgets.as_table(self.key or panel, self.rows, self.file, self.label, pictured)


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
        _SEEN.set(set())
        screen.found(self.key)
        with st.container(key=f"panel_{self.key}"):
            head = st.container(
                horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="small"
            )
            head.html(f'<div class="title" role="heading" aria-level="2">{self.title}</div>', width="content")
            with head.container(
                horizontal=True, horizontal_alignment="right", wrap=False, gap="small", width="content"
            ):
                self._beside_title()
            if self.subtitle:
                (Line(self.subtitle) if isinstance(self.subtitle, str) else self.subtitle).draw(self.key)
            for part in self.parts:
                part.draw(self.key)

    def _beside_title(self) -> None:
        charts = [part.named(self.key) for part in _all(self.parts) if isinstance(part, Chart)]
        if screen.projector():  # where nobody opens a menu
            for part in self.head:
                if isinstance(part, Control):
                    part.draw(self.key)
            if charts:
                _alone(self.key)
            return
        first = next((part for part in self.head if isinstance(part, Sheet)), None)
        for part in self.head:
            if isinstance(part, Sheet) and part is first:  # the pictures are offered with the first table
                part.draw(self.key, charts)
            else:
                part.draw(self.key)
        if charts and first is None:
            with st.popover(t("picture"), type="tertiary", key=f"picture_{self.key}"):
                for chart in charts:
                    widgets.picture(chart, self.key)
        if charts:
            _alone(self.key)


def _all(parts: Sequence[Part]) -> Iterator[Part]:
    for part in parts:
        yield part
        if isinstance(part, Beside):
            yield from itertools.chain.from_iterable(map(_all, part.columns))


def _alone(panel: str) -> None:
    """The button that lets a panel fill the page, and brings the others back."""
    filling = screen.alone() == panel
    st.button(
        "",
        icon=":material/close_fullscreen:" if filling else ":material/open_in_full:",
        help=t("Back to the whole page (Esc)") if filling else t("This panel alone, as large as the page"),
        type="tertiary",
        key=f"alone_{panel}",
        on_click=screen.show_alone,
        args=("" if filling else panel,),
    )


_SEEN: ContextVar[set[str]] = ContextVar("terms that this panel has explained")


def _explained(text: str) -> str:
    return glossary.explained(text, _SEEN.get(set()))


TALLEST = 500
"""px of a chart that fills the page, on 1280×720."""
_SHARE: ContextVar[float] = ContextVar("share of the page's width", default=1.0)

Maker = Callable[[], Panel | Sequence[Panel] | None]
"""Makes what stands in one place of a page: a panel, several below one another, or nothing."""


def show(*makers: Maker) -> None:
    """Panels below one another; one that fails leaves a sentence in its place."""
    for maker in makers:
        with guarded(t("This part")):
            made = maker()
            for panel in [made] if isinstance(made, Panel) else made or ():
                if screen.alone() in ("", panel.key) and screen.room():
                    panel.draw()


def row(*makers: Maker | Sequence[Maker], widths: Sequence[float] = (), **options: Any) -> None:
    """Panels side by side, as wide as `widths` says; several in one place stand below one another."""
    shares = list(widths) or [1.0] * len(makers)
    places = [nullcontext()] * len(makers) if screen.alone() else st.columns(shares, **{"gap": "medium", **options})
    for place, maker, share in zip(places, makers, shares, strict=True):
        token = _SHARE.set(_SHARE.get() * share / sum(shares))
        with place:
            show(*([maker] if callable(maker) else maker))
        _SHARE.reset(token)


def fold(key: str, title: str, inside: str, draw: Callable[[], object]) -> None:
    """One line that opens: what is behind a click, made only when it is open. Remembered, and in the link, by its look
    `key` (False, True), which the task's LOOKS name.

    inside: what it holds, in grey, so that nobody must open it to know.
    """
    if screen.alone():  # which may be one of these, where it was opened
        if looks.look(key):
            draw()
        return
    if screen.projector() and not looks.look(key):
        return
    label = f"**{title}** :gray[{inside}]"
    opened = bind.bound(
        st.expander, label, key=f"fold_{key}", value=bool(looks.look(key)), change=partial(looks.choose, key)
    )
    with opened:
        if opened.open:
            draw()
