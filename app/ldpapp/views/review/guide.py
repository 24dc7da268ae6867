"""The first visit: five questions in plain words, each answered in the very Study that the page shows.

Nothing waits for the end: who leaves at any step leaves true settings. The browser remembers that somebody was guided.
"""

from functools import partial

import streamlit as st

from ldpapp.parts.panels import Control, Panel, Reach
from ldpapp.runtime import capture, display
from ldpapp.state import view_options
from ldpapp.views.review import study as own
from ldpapp.views.review.guided import GuideState
from ldpapp.views.review.steps import STEPS
from ldpapp.words.language import t

PAGE = "review"
DELICATE = 2
"""The step that marks."""
END = own.LOOKS[own.GUIDE][-1]


def arrive() -> None:
    """Somebody who is here for the first time is guided."""
    if display.first_visit(PAGE):
        _go(1)


def ended() -> bool:
    """Whether it says what is signed, and saves it."""
    return view_options.look(own.GUIDE) == END and not display.projector()


def reopen() -> None:
    """The way back to it."""
    if view_options.look(own.GUIDE) or display.projector():
        return
    st.button(t("five questions"), key="guide_open", type="tertiary", on_click=_go, args=(1,),
              help=t("The survey's settings, asked one after the other in plain words."))  # fmt: skip


def _go(step: int) -> None:
    view_options.choose(own.GUIDE, step)


def _leave() -> None:
    _go(0)
    display.guided(PAGE)


def panel(asked: GuideState) -> Panel | None:
    """The question that is asked now; None where nobody is guided."""
    step = view_options.look(own.GUIDE)
    if not step or display.projector():
        return None
    title, about, parts = STEPS[step](asked)
    if step < END:
        title = t("Question {n} of {all}: {title}", n=step, all=END - 1, title=title)
    return Panel("guide", title, [*parts, Control(partial(_buttons, step))], about, reach=Reach.SCREEN)


def _buttons(step: int) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="guide_buttons"):
        if step < END:
            st.button(t("Next"), type="primary", key="guide_next", on_click=_go, args=(step + 1,))
        else:
            capture.save_here(st.container(key="report_here", width="content"))
            st.button(t("Close"), key="guide_next", on_click=_leave)
        st.button(t("Back"), key="guide_back", on_click=_go, args=(step - 1,), disabled=step == 1)
        if step < END:
            st.button(t("Skip the questions"), type="tertiary", key="guide_skip", on_click=_leave)
