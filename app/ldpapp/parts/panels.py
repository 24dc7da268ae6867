"""A panel as a value: what a page shows under one title. Made first and drawn after, so that whatever is true of every
panel (its head, its table, its chart in words, what happens when it fails) is written once, here.

>>> Panel("risk", "Who learns the raw answer?", [Html("<p>Nobody.</p>")]).key
'risk'
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from ldpapp import words
from ldpapp.parts import elements, widgets
from ldpapp.parts.elements import Box, Chart, Control, Filling, Html, Line, Menu, Part, RowOfParts, Sheet
from ldpapp.runtime import capture, display
from ldpapp.runtime.capture import Reach
from ldpapp.runtime.errors import guarded
from ldpapp.state import actions, controlled, view_options
from ldpapp.words.language import t

__all__ = [
    "Box",
    "Chart",
    "Control",
    "Filling",
    "Html",
    "Line",
    "Maker",
    "Menu",
    "Panel",
    "Part",
    "Reach",
    "RowOfParts",
    "Sheet",
    "again",
    "axis_menu",
    "fold",
    "row",
    "show",
    "unfolded",
]


def axis_menu(
    task: str,
    names: Mapping[str, str],
    axis: str,
    short: Mapping[str, str] | None = None,
    change: Callable[[str], object] | None = None,
) -> Menu:
    """What a task's curves are drawn against: a switch that says what it stands at, in `short` where names are long.

    change: takes another over, where that is more than the Study's axis.
    """

    def choose() -> None:
        controlled.bound(
            st.radio, t("Against"), list(names), key=f"{task}_axis", value=axis,
            format_func=lambda name: words.literal(names[name]),
            change=change or (lambda chosen: actions.change(task, axis=chosen)),
        )  # fmt: skip

    return Menu(t("x: {axis}", axis=(short or names)[axis]), choose, f"{task}_axis_menu")


def again(label: str, task: str, draws: int = 0) -> Control:
    """The button that asks for another draw on this task's page. draws: how many there are, which come round: one for
    each repetition; then it says which of them is shown.
    """
    if draws > 1:
        label = t("draw {n}/{all}", n=widgets.draws(task) % draws + 1, all=draws)
    return Control(partial(widgets.again, label, task))


@dataclass(frozen=True)
class Panel:
    """key: names it in tests and styles, once a page. title, and below it `subtitle`: a line, or what fills in.

    head: what stands beside the title, menus first and tables last. reach: how far all of it may go.
    """

    key: str
    title: str
    parts: Sequence[Part] = ()
    subtitle: "str | Part" = ""
    head: Sequence[Part] = ()
    reach: Reach = Reach.PUBLISHED

    def draw(self) -> None:
        elements.turn_panel()
        capture.panel(self.key, self.title, self.reach)
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
        if display.projector():  # where nobody opens a menu
            for part in self.head:
                if isinstance(part, Control):
                    part.draw(self.key)
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


def _all(every: Sequence[Part]) -> Iterator[Part]:
    for part in every:
        yield part
        if isinstance(part, RowOfParts):
            yield from itertools.chain.from_iterable(map(_all, part.columns))


def _alone(panel: str) -> None:
    """The button that lets a panel fill the page, and brings the others back."""
    filling = display.alone() == panel
    st.button(
        "",
        icon=":material/close_fullscreen:" if filling else ":material/open_in_full:",
        help=t("Back to the whole page (Esc)") if filling else t("This panel alone, as large as the page"),
        type="tertiary",
        key=f"alone_{panel}",
        on_click=display.show_alone,
        args=("" if filling else panel,),
    )


Maker = Callable[[], Panel | Sequence[Panel] | None]
"""Makes what stands in one place of a page: a panel, several below one another, or nothing."""


def show(*makers: Maker) -> None:
    """Panels below one another; one that fails leaves a sentence in its place."""
    for maker in makers:
        with guarded(t("This part")):
            made = maker()
            for panel in [made] if isinstance(made, Panel) else made or ():
                if display.stands_here(panel.key):
                    panel.draw()


def row(*makers: Maker | Sequence[Maker], widths: Sequence[float] = (), **options: Any) -> None:
    """Panels side by side, as wide as `widths` says; several in one place stand below one another."""
    shares = list(widths) or [1.0] * len(makers)
    options = {"gap": "medium", **options}
    places = [nullcontext()] * len(makers) if display.single() else st.columns(shares, **options)
    for place, maker, share in zip(places, makers, shares, strict=True):
        token = elements.SHARE.set(elements.SHARE.get() * share / sum(shares))
        with place:
            show(*([maker] if callable(maker) else maker))
        elements.SHARE.reset(token)


def fold(key: str, title: str, inside: str, draw: Callable[[], object]) -> None:
    """One line that opens: what is behind a click, made only when it is open. Remembered, and in the link, by its look
    `key` (False, True), which the task's LOOKS name.

    inside: what it holds, in grey, so that nobody must open it to know; "" where the title says it.
    """
    if display.single():  # which may be one of these, where it was opened
        if view_options.look(key):
            draw()
        return
    label = f"**{words.literal(title)}**" + (f" :gray[{words.literal(inside)}]" if inside else "")
    opened = controlled.bound(
        st.expander,
        label,
        key=f"fold_{key}",
        value=bool(view_options.look(key)),
        change=partial(view_options.choose, key),
    )
    with opened:
        if opened.open or capture.wanted():  # closed, a report has it nevertheless
            capture.fold(key, widgets.escape(title))
            draw()


def unfolded(key: str) -> bool:
    """Whether what is in this fold is drawn."""
    return bool(view_options.look(key)) or capture.wanted()
