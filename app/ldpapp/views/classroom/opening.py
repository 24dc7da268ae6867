"""Opening a room, who can reach it, and what it does not do."""

import hmac
from functools import partial

import streamlit as st

from ldpapp import words
from ldpapp.classroom import DOOR, LIFE, ROOMS, NoDoor, Room, lan_address, may_leave_this_machine
from ldpapp.parts.panels import Control, Html, Panel
from ldpapp.parts.widgets import escape
from ldpapp.runtime import display
from ldpapp.state import view_options
from ldpapp.words.language import t
from ldpcore.client import Client

REFUSED = "class_refused"
KEYS, COOKIE = "class_keys", "ldpcore_rooms"
"""Of the rooms that this session opened, and where its browser keeps them: after a reload it still leads them."""


def written(code: str) -> str:
    """A code as it is read out: in two halves."""
    return f"{code[:3]} {code[3:]}"


def leads(room: Room) -> bool:
    """Whether this browser opened the room: no other has its buttons, whoever knows the code."""
    return any(hmac.compare_digest(key, room.key) for key in _keys())


def _keys() -> list[str]:
    return list(dict.fromkeys((*view_options.look(KEYS, ()), *display.cookie(COOKIE).split("."))))


def remember() -> None:
    """The browser keeps the keys of the rooms that there are."""
    living = {room.key for room in map(ROOMS.get, ROOMS.codes()) if room}
    if view_options.look(KEYS):
        display.keep_cookie(COOKIE, ".".join(key for key in _keys() if key in living), int(LIFE))


def start(client: Client, pupils: int) -> None:
    """Open a room and its door; where there is no door, the page says why."""
    room = ROOMS.start(client, pupils)
    try:
        DOOR.open(may_leave_this_machine())
    except NoDoor as error:
        ROOMS.close(room.code)
        view_options.choose(REFUSED, str(error))
        return
    view_options.choose(REFUSED, "")
    view_options.choose(KEYS, (*view_options.look(KEYS, ()), room.key))
    view_options.choose("room", room.code)


def end(code: str) -> None:
    """Forget the room and all that was in it; with the last one the port closes."""
    ROOMS.close(code)
    DOOR.close()


def reach() -> str:
    """Who can join, and what to do if that is not enough."""
    if not may_leave_this_machine():
        return t(
            "Only this machine can join: good to try it. For phones, end the dashboard and start it with {command}.",
            command="<code>ldpcore dashboard --lan</code>",
        )
    address = lan_address()
    if address is None:
        return t("This machine is in no network: connect it to the one that the phones are in.")
    return t(
        "Phones in the network of {address} can join, and reach nothing else: the dashboard itself stays on this "
        "machine.",
        address=escape(address),
    )


def limits() -> str:
    return t(
        "It knows nobody: whoever has the code can answer, and from two phones twice. Nothing is encrypted on the way: "
        "whoever runs the network sees which phones connect, what each report says, and open votes. Hidden answers "
        "stay hidden from them too."
    )


def panel(client: Client | None, pupils: int) -> Panel:
    """client: None while the question cannot be asked."""
    return Panel(
        "class_open", t("Who can join"), [Html(f'<div class="reach">{reach()}</div><div class="sub">{limits()}</div>'),
        Control(partial(_buttons, client, pupils))],
    )  # fmt: skip


def _buttons(client: Client | None, pupils: int) -> None:
    refused = view_options.look(REFUSED, "")
    if refused:
        st.html(f'<div class="box note" role="alert">{escape(refused[:1].upper() + refused[1:])}.</div>')
    with st.container(horizontal=True, gap="small"):
        st.button(
            t("Open the room"), type="primary", key="class_start", disabled=client is None, on_click=start,
            args=(client, pupils),
        )  # fmt: skip
        for code in (each for each in ROOMS.codes() if (room := ROOMS.get(each)) and leads(room)):
            label = t("Back to room {code}", code=words.literal(written(code)))
            st.button(label, key=f"class_back_{code}", on_click=view_options.choose, args=("room", code))
