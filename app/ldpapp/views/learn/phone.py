"""The teacher's notes on her own phone: of use to whoever mirrors the laptop's only screen onto the projector."""

import streamlit as st

from ldpapp.classroom import DOOR, NOTES, NoDoor, PhoneNotes, lan_address, may_leave_this_machine
from ldpapp.parts import widgets
from ldpapp.state import view_options
from ldpapp.words.language import t

EVERY = 1.0
"""Seconds between two looks whether a phone has opened the address."""
REFUSED = "lesson_phone_refused"


def offer(teacher: str) -> None:
    """The way there, behind one press: nothing of the address stands on the lesson, and none of it after its first use.

    teacher: the key by which this browser's notes follow its lesson; who has another one gets an address of their own.
    """
    with st.popover(t("on my phone"), key="lesson_phone", type="tertiary"):
        notes = NOTES.get(teacher)
        if notes is None:
            _begin(teacher)
        elif notes.reader:
            st.write(t("A phone has these notes, and follows the lesson. No other can open them."))
            _ways(teacher, t("Not yours? A new address"))
        else:
            _waiting(teacher)


def _begin(teacher: str) -> None:
    """What it does, or what it needs first."""
    if not may_leave_this_machine():
        st.write(t("For phones, end the dashboard and start it with {command}.", command="`ldpcore dashboard --lan`"))
        return
    if lan_address() is None:
        st.write(t("This machine is in no network: connect it to the one that your phone is in."))
        return
    st.write(t("Notes that follow the lesson, on the first phone that opens the address. Every other is refused."))
    if refused := view_options.look(REFUSED, ""):
        st.html(f'<div class="box note" role="alert">{widgets.escape(refused[:1].upper() + refused[1:])}.</div>')
    st.button(t("Show the address"), type="primary", key="lesson_phone_start", on_click=_start, args=(teacher,))


def _start(teacher: str) -> None:
    NOTES[teacher] = PhoneNotes()
    view_options.choose(REFUSED, "")
    try:
        DOOR.open(lan=True)
    except NoDoor as error:
        _end(teacher)
        view_options.choose(REFUSED, str(error))


def _end(teacher: str) -> None:
    NOTES.pop(teacher, None)
    DOOR.close()


@st.fragment(run_every=EVERY)
def _waiting(teacher: str) -> None:
    """The address, until a phone has it."""
    notes = NOTES.get(teacher)
    if notes is None or notes.reader:
        st.rerun(scope="app")
        return
    url = f"http://{DOOR.host}:{DOOR.port}/notes/{notes.key}"
    alt, text = t("QR code of {address}", address=url), t("Scan it with your phone, before a pupil does.")
    st.html(
        f'<div class="handed"><p><b>{text}</b></p><img src="{widgets.qr(url)}" alt="{alt}">'
        f"<code>{widgets.escape(url.removeprefix('http://'))}</code></div>"
    )
    _ways(teacher, t("Another address"))


def _ways(teacher: str, anew: str) -> None:
    with st.container(horizontal=True, gap="small"):
        st.button(anew, key="lesson_phone_anew", on_click=_start, args=(teacher,))
        st.button(t("End"), key="lesson_phone_end", on_click=_end, args=(teacher,))
