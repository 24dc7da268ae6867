"""How large everything is drawn: as on 1280×720, grown to the screen, or for the last row of a classroom.

A page is laid out once, for 1280×720. A larger screen shows the same page larger: type in rem, charts by their factor.
On a projector (key p, or `projector=True` in a link) the sidebar goes, the rest grows, and one panel of the page stands
at a time: arrow keys turn to the next. `alone` names the one panel that fills the page.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import streamlit as st
from streamlit.components.v2 import component

from ldpapp.state import view_options
from ldpapp.words.language import t

STATIC = Path(__file__).parents[1] / "static"
PROJECTOR = 2.2 / 1.5
"""How much larger than what fills the screen: the smallest type, 11 px, is then 24 px of 1920×1080."""
_SCALE, _NARROW, _LAST, _OFFERED = "screen_scale", "screen_narrow", "screen_last", "screen_offered"
QUERY = "address_query"
"""The session's key of what the address says."""
LOOKS: view_options.Looks = {"projector": (False, True)}
"""Looks of every page."""


@cache
def _component(name: str = "screen") -> Any:
    return component(f"ldpcore.{name}", js=(STATIC / f"{name}.js").read_text(encoding="utf-8"))


@cache
def _charts() -> str:
    """The file with which the browser draws charts, beside Streamlit's others; "" where there is none of this name."""
    folder = Path(st.__file__).parent / "static" / "static" / "js"
    return next((file.name for file in folder.glob("PlotlyChart.*.js")), "")


def stands(page: str) -> None:
    """Which page this is: on a phone the navigation is behind the drawer, and nothing else says so.

    Until the page's finding stands (style.css), its place says that it is made.
    """
    working = t("{page}: working …", page=page)
    st.html(f'<div class="where">{page}</div><div class="working" role="status">{working}</div>')


def watch(page: str, groups: Mapping[str, str]) -> None:
    """Ask the browser how large it is, and listen to its keys. Once on every page; `page` is its address, groups: of
    every page of the navigation what its group is called.

    The script may take a while to leave a page for another: until then the browser hides the old one by itself.
    """
    with st.container(key="screen"):
        _component()(
            key="screen_asked",
            data={
                "scale": fits(),
                "narrow": narrow(),
                "stands": "projector" if projector() else "panel" if alone() else "whole",
                "page": page,
                "groups": dict(groups),
                "working": t("{page}: working …", page="{page}"),
                "charts": _charts(),
            },
            default={"scale": fits(), "narrow": narrow()},
            on_scale_change=_resized,
            on_narrow_change=_resized,
            on_wish_change=lambda: project(st.session_state["screen_asked"]["wish"] == "projector"),
            on_last_change=lambda: view_options.choose(_LAST, st.session_state["screen_asked"]["last"]),
            on_ground_change=lambda: None,  # a redraw is all that another theme needs
        )


def write(page: str, query: Mapping[str, Sequence[str]]) -> None:
    """Keep the address of this page in step with what it shows. It takes the place of the one before: Streamlit's
    `st.query_params` would add an entry to the browser's history with every change, and Back would be many presses.
    """
    view_options.choose(QUERY, query)
    with st.container(key="address"):
        _component("address")(key="address_written", data={"page": page, "query": urlencode(query, doseq=True)})


def keep_cookie(name: str, value: str, seconds: int) -> None:
    """This browser, and no other, brings it along for so long (`cookie`)."""
    with st.container(key="cookie"):
        _component("cookie")(key=f"cookie_{name}", data={"name": name, "value": value, "seconds": seconds})


def cookie(name: str) -> str:
    """What this browser brought along; "" for nothing, and for what no dashboard kept."""
    brought = st.context.cookies.get(name)
    return brought if isinstance(brought, str) and re.fullmatch(r"[\w.-]{1,400}", brought, re.ASCII) else ""


def written() -> bool:
    """Whether a page of this session has stood: what the address said before is followed, or was none of ours."""
    return view_options.look(QUERY) is not None


def _resized() -> None:
    st.session_state[_SCALE] = float(st.session_state["screen_asked"]["scale"])
    st.session_state[_NARROW] = bool(st.session_state["screen_asked"]["narrow"])


def last() -> str:
    """The page that somebody who is back at the bare address was on, said once; "" for who never saw the welcome."""
    return st.session_state.pop(_LAST, "")


def came_from(page: str, state: Any) -> None:
    """A session of AppTest begins on this page, not on the welcome."""
    state[_LAST] = page


def fits() -> float:
    """How many times 1280×720 the window holds, at least 1."""
    return st.session_state.get(_SCALE, 1.0)


def narrow() -> bool:
    """Whether the window is a phone's: what style.css cannot lay out anew, a table that is a picture, has less then."""
    return st.session_state.get(_NARROW, False)


def projector() -> bool:
    return bool(view_options.look("projector", False))


def factor() -> float:
    """What every px of the page is multiplied by."""
    return fits() * (PROJECTOR if projector() else 1.0)


def grown(px: int) -> int:
    """px of 1280×720 here: rows of a table are given in px while their text grows."""
    return round(px * factor())


def sized(key: str) -> str:
    """The key of a table that the browser draws as a picture. It reads once, when it is made, how large its type is:
    on another size the page has another table.
    """
    return f"{key}_{factor():g}{'_narrow' if narrow() else ''}"


def project(on: bool) -> None:
    """On the projector, or back from it: the page stands as it usually does."""
    view_options.choose("projector", on)
    show_alone("")


def alone() -> str:
    """The key of the panel that was chosen to fill the page; "" for none."""
    return view_options.look("alone", "")


def single() -> bool:
    """Whether one panel of the page stands: the chosen one, or on the projector the first."""
    return bool(alone()) or projector()


def show_alone(panel: str) -> None:
    view_options.choose("alone", panel)


def foot() -> Any:
    """On the projector, below the page: the way back for those who have no key p, and a place for `turns`."""
    if not projector():
        return None
    place = st.container(horizontal=True, horizontal_alignment="distribute", key="projector_foot")
    place.button(t("leave the projector"), type="tertiary", key="projector_off", on_click=project, args=(False,))
    return place


def turns(place: Any) -> None:
    """Which of the page's panels stands on the projector, and the ways to its neighbours, in the `foot`."""
    keys = _offered()
    if place is None or len(keys) < 2:
        return
    at = keys.index(alone()) if alone() in keys else 0
    with place.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center", width="content"):
        _turn("press_arrowleft", ":material/chevron_left:", t("The panel before (←)"), keys[at - 1], at == 0)
        st.html(f'<span class="turn">{at + 1} / {len(keys)}</span>', width="content")
        last = at == len(keys) - 1
        _turn("press_arrowright", ":material/chevron_right:", t("The next panel (→)"), keys[(at + 1) % len(keys)], last)


def _turn(key: str, icon: str, said: str, panel: str, last: bool) -> None:
    st.button(
        "", icon=icon, help=said, type="tertiary", key=key, on_click=show_alone, args=(panel,), disabled=last
    )  # fmt: skip


def begin() -> None:
    """A page begins: none of its panels is known."""
    view_options.choose(_OFFERED, ())


def stands_here(panel: str) -> bool:
    """Whether this panel of the page stands, now that it is made: all do, or the one that fills the page."""
    first = not _offered()
    view_options.choose(_OFFERED, (*_offered(), panel))
    return panel == alone() if alone() else first or not projector()


def shown() -> str:
    """The key of the one panel that stands, where one does (`single`); "" for none yet."""
    return alone() or next(iter(_offered()), "")


def _offered() -> tuple[str, ...]:
    """The keys of the panels that the page has made."""
    return view_options.look(_OFFERED, ())


def lost() -> bool:
    """Whether the one panel that should fill the page is none of this page: then the whole page stands again."""
    if alone() and alone() not in _offered():
        show_alone("")
        return True
    return False
