"""Class: the question while no room is open, the board while one is."""

from functools import partial

import streamlit as st

from ldpapp.classroom import ROOMS
from ldpapp.parts import widgets
from ldpapp.parts.panels import Panel, row
from ldpapp.state import view_options
from ldpapp.views.classroom import asking, board, expected, opening
from ldpapp.words.language import t
from ldpcore.client import Client


def page() -> None:
    code = view_options.look("room", "")
    room = ROOMS.get(code) if code else None
    opening.remember()
    if room is not None and opening.leads(room):
        board.show(room)
        return
    if code:
        view_options.choose("room", "")
        why = t("Room {code} has ended. Nothing of it is left.", code=opening.written(code))
        if room is not None:
            why = t("Room {code} is led by the browser that opened it, and by no other.", code=opening.written(code))
        widgets.note(why)
    setup()


def setup() -> None:
    draft = asking.draft()
    try:
        client = asking.checked(draft)
    except (TypeError, ValueError) as error:
        client = None
        widgets.sentence(t("This question cannot be asked yet."))
        why = str(error)
    else:
        why = ""
        widgets.sentence(expected.headline(client, draft.pupils))
    row(
        [partial(asking.panel, draft), partial(opening.panel, client, draft.pupils)],
        partial(_beside, client, draft.pupils, why),
        widths=[46, 54],
        gap="large",
    )


def _beside(client: Client | None, pupils: int, why: str) -> list[Panel] | None:
    """What it can tell, or what has to be mended first."""
    if client is None:
        st.html(f'<div role="alert">{asking.sorry(why)}</div>')
        return None
    return [expected.curve(client, pupils), expected.odds(client)]
