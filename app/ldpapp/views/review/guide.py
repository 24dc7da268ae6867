"""Five questions in plain words, as one bar with their answers: a cell opens its question below, and closes it again.

Each is answered in the very Study that the page shows; nothing waits for the end: who leaves at any step leaves true
settings.
"""

from functools import partial

import streamlit as st

from ldpapp import words
from ldpapp.parts.panels import Control, Panel, Reach
from ldpapp.runtime import capture, display
from ldpapp.state import view_options
from ldpapp.views.review import exactness, sidebar
from ldpapp.views.review.guided import GuideState
from ldpapp.views.review.steps import STEPS
from ldpapp.words.language import t

END = max(sidebar.STEPS)


def ended() -> bool:
    """Whether it says what is signed, and saves it."""
    return view_options.look(sidebar.GUIDE) == END and not display.projector()


def _go(step: int) -> None:
    view_options.choose(sidebar.GUIDE, step)


def bar(asked: GuideState) -> None:
    """The questions and their answers, a cell each."""
    if display.projector():
        return
    opened = view_options.look(sidebar.GUIDE)
    with capture.unsaid(), st.container(horizontal=True, gap=None, key="guide_bar"):
        for step, (word, answer) in enumerate(_cells(asked), 1):
            number = f":gray[{word}] " if step < END else ""
            st.button(
                f"{number}**{words.literal(answer)}**",
                key=f"guide_{step}",
                type="secondary" if step == opened else "tertiary",
                on_click=_go,
                args=(0 if step == opened else step,),
            )


def _cells(asked: GuideState) -> list[tuple[str, str]]:
    marked = int(0 if asked.known is None else asked.known.asked.protected)
    within = "…" if asked.known is None else exactness.reached(asked.known)
    sees = {"every": t("sees all"), "own": t("sees one report")}
    return [
        (t("ask"), words.plural(len(asked.people.separate), t("question"), t("questions"))),
        (t("delicate"), words.plural(marked, t("answer"), t("answers"))),
        (t("people"), words.count(asked.study.n or asked.people.n)),
        (t("within"), within),
        (t("attacker"), sees[asked.study.option("attacker")]),
        ("", t("What you sign")),
    ]


def panel(asked: GuideState) -> Panel | None:
    """The question that is open; None where none is."""
    step = view_options.look(sidebar.GUIDE)
    if not step or display.projector():
        return None
    title, about, parts = STEPS[step](asked)
    return Panel("guide", title, [*parts, Control(partial(_buttons, step))], about, reach=Reach.SCREEN)


def _buttons(step: int) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="guide_buttons"):
        if step < END:
            st.button(t("Next"), key="guide_next", on_click=_go, args=(step + 1,))
        st.button(t("Close"), key="guide_close", type="tertiary", on_click=_go, args=(0,))
