"""How large everything is drawn: as on 1280×720, grown to the screen, or for the last row of a classroom.

A page is laid out once, for 1280×720. A larger screen shows the same page larger: type in rem, charts by their factor.
On a projector (key p, or `projector=True` in a link) the sidebar goes and the rest grows; `alone` names the one panel
that fills the page.
"""

from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2 import component

from ldpapp import looks
from ldpapp.language import t

STATIC = Path(__file__).parent / "static"
PROJECTOR = 2.2 / 1.5
"""How much larger than what fills the screen: the smallest type, 11 px, is then 24 px of 1920×1080."""
MOST = 4
"""Panels of a page on the projector: its first ones."""
_SCALE, _LAST, _DRAWN = "screen_scale", "screen_last", "screen_drawn"
_BARE, _FIRST, _GUIDED = "screen_bare", "screen_first", "screen_guided"
LOOKS: looks.Looks = {"projector": (False, True)}
"""Looks of every page."""


@cache
def _component() -> Any:
    return component("ldpcore.screen", js=(STATIC / "screen.js").read_text(encoding="utf-8"))


def stands(page: str) -> None:
    """Which page this is: on a phone the navigation is behind the drawer, and nothing else says so.

    Until the page's finding stands (style.css), its place says that it is made.
    """
    working = t("{page}: working …", page=page)
    st.html(f'<div class="where">{page}</div><div class="working" role="status">{working}</div>')


def watch(page: str) -> None:
    """Ask the browser how large it is, and listen to its keys. Once on every page; `page` is its address.

    The script may take a while to leave a page for another: until then the browser hides the old one by itself.
    """
    with st.container(key="screen"):
        _component()(
            key="screen_asked",
            data={
                "scale": fits(),
                "leave": bool(alone()) or projector(),
                "page": page,
                "working": t("{page}: working …", page="{page}"),
                "first": _bare(page),
                "guided": looks.look(_GUIDED, ""),
            },
            default={"scale": fits()},
            on_scale_change=_resized,
            on_key_change=_pressed,
            on_last_change=lambda: looks.choose(_LAST, st.session_state["screen_asked"]["last"]),
            on_first_change=lambda: _first(st.session_state["screen_asked"]["first"]),
            on_ground_change=lambda: None,  # a redraw is all that another theme needs
        )


def _resized() -> None:
    st.session_state[_SCALE] = float(st.session_state["screen_asked"]["scale"])


def _pressed() -> None:
    key = st.session_state["screen_asked"]["key"]
    if key == "Escape" and alone():
        show_alone("")
    elif key == "p" or (key == "Escape" and projector()):
        looks.choose("projector", not projector())


def last() -> str:
    """The page that somebody who is back at the bare address was on, said once; "" for who never saw the welcome."""
    return st.session_state.pop(_LAST, "")


def _bare(page: str) -> bool:
    """Whether to ask the browser if nobody was guided on this page yet: once, and not of who came by a link."""
    return st.session_state.setdefault(f"{_BARE}_{page}", not st.query_params)


def _first(page: str) -> None:
    """The browser's answer: nobody was."""
    looks.choose(f"{_BARE}_{page}", False)
    looks.choose(_FIRST, page)


def first_visit(page: str) -> bool:
    """Whether somebody is on this page for the first time, said once."""
    return st.session_state.get(_FIRST) == page and bool(st.session_state.pop(_FIRST))


def guided(page: str) -> None:
    """Somebody has finished or skipped this page's guide: the browser remembers its name."""
    looks.choose(_GUIDED, page)


def came_from(page: str, state: Any) -> None:
    """A session of AppTest begins on this page, not on the welcome."""
    state[_LAST] = page


def fits() -> float:
    """How many times 1280×720 the window holds, at least 1."""
    return st.session_state.get(_SCALE, 1.0)


def projector() -> bool:
    return bool(looks.look("projector", False))


def factor() -> float:
    """What every px of the page is multiplied by."""
    return fits() * (PROJECTOR if projector() else 1.0)


def alone() -> str:
    """The key of the panel that fills the page; "" where all of them stand."""
    return looks.look("alone", "")


def show_alone(panel: str) -> None:
    looks.choose("alone", panel)


def leave() -> None:
    """On the projector, below the page: the way back for those who have no key p."""
    if projector():
        st.button(
            t("leave the projector"), type="tertiary", key="projector_off", on_click=looks.choose,
            args=("projector", False),
        )  # fmt: skip


def found(panel: str) -> None:
    """A panel was drawn; "" begins a page."""
    looks.choose("alone_found", panel)
    looks.choose(_DRAWN, looks.look(_DRAWN, 0) + 1 if panel else 0)


def room(panels: int = 1) -> bool:
    """Whether so many more panels may stand on the page: nobody in the last row finds their way among many."""
    return not projector() or bool(alone()) or looks.look(_DRAWN, 0) + panels <= MOST


def lost() -> bool:
    """Whether the one panel that should fill the page is none of this page: then the whole page stands again."""
    if alone() and looks.look("alone_found") != alone():
        show_alone("")
        return True
    return False
