"""Work that fills in behind what a page shows at once: a slice at a time, with its progress and a button to stop it.

A Study names the work. Stopping it keeps what is done; a Study changed in any way is other work, and begins.
"""

import itertools
import math
import time
from collections.abc import Iterable
from typing import Any

import streamlit as st

from ldpapp import compute
from ldpapp.runtime import capture, scheduler
from ldpapp.runtime.capture import Reach
from ldpapp.state import actions
from ldpapp.state.model import state
from ldpapp.words.language import t
from ldpcore.study import Study

SLICE = 0.7
"""Seconds of work between two redraws at least."""
REDRAWS = 8
"""Work takes so many times as long as the redraw before it: large tables are not drawn anew most of the time."""
LONGEST = 4.0
"""But not longer than so many seconds: what is shown is to be seen growing."""
AGAIN = "filling_again"
"""Key of the session: nobody asked for this redraw but the work behind it."""
_BEGAN = "filling_began"
"""Key of the session: when such a redraw began."""


def again() -> bool:
    """A run of the page begins: whether only the work behind it asked for that."""
    asked = st.session_state.pop(AGAIN, False)
    st.session_state[_BEGAN] = time.monotonic() if asked else math.inf
    return asked


def _slice() -> float:
    """Seconds of work until the next redraw, by how long this one took."""
    redraw = time.monotonic() - st.session_state.get(_BEGAN, math.inf)
    return max(SLICE, min(REDRAWS * redraw, LONGEST))


def line(data: Any, *studies: Study, of: str, done: str, instead: str = "", pieces: bool = False) -> None:
    """The line under a panel's title: `done` once all is simulated; until then how far it is, of "surveys", say.

    The last of the studies names the work. pieces: what is counted are the pieces of work, not repetitions.
    """
    counts = [compute.progress(study, data) for study in studies]
    so_far, total = (sum(column) for column in zip(*counts, strict=True))
    capture.piece(capture.Words(done, "sub", Reach.INTERNAL if instead else Reach.PUBLISHED, instead))
    if so_far == total:
        st.html(f'<div class="sub">{done}</div>')
        return
    study = studies[-1]
    stopped = state().stopped == study
    whole = total if pieces else study.repetitions
    holes = {"done": so_far * whole // total, "all": whole, "of": of}
    progress = t("stopped at {done} of {all} {of}", **holes) if stopped else t("{done} of {all} {of}", **holes)
    capture.piece(capture.Words(progress, "sub"))
    with st.container(key="filling"):
        # Unseen, it keeps the place that it will take: nothing below moves when the work is done (style.css).
        st.html(f'<div class="sub unseen">{done}</div>')
        with st.container(horizontal=True, vertical_alignment="center", wrap=False, gap="small", key="filling_line"):
            st.html(f'<div class="sub nowrap">{progress}</div>', width="content")
            st.progress(so_far / total)
            st.button(
                t("Resume") if stopped else t("Stop"),
                type="tertiary",
                key="stop",
                on_click=actions.stop,
                args=(None if stopped else study,),
            )


def fills(data: Any, study: Study) -> bool:
    """Whether more of this work may come: what a headline says of it, it says "so far"."""
    return len(set(compute.progress(study, data))) > 1


def surveys(data: Any, *studies: Study) -> None:
    """Simulate these studies one after the other; the last of them names the work. Last call of a page."""
    steps(itertools.chain.from_iterable(compute.surveys(study, data) for study in studies), studies[-1])


def steps(work: Iterable[object], study: Study) -> None:
    """Do the work of this name step by step, and redraw after every slice of it. Last call of a page."""
    if state().stopped == study:
        return
    pulse, new, most = st.empty(), False, _slice()
    # A call to Streamlit is where a newer slider position can take over.
    with scheduler.behind(pulse.empty) as others_first:
        end = time.monotonic() + most
        for _ in work:
            new = True
            pulse.empty()
            if time.monotonic() > end:
                break
            others_first()
    if new:
        st.session_state[AGAIN] = True
        st.rerun()
