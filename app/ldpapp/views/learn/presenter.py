"""The teacher's notes in a window of their own, which follows the lesson that the class sees: nothing of them stands on
the projector, and they stay open while one turns. A phone that has them (`phone`) is told the same.
"""

import html
import re
import secrets
import threading
from collections import OrderedDict
from collections.abc import Sequence

import streamlit as st

from ldpapp import words
from ldpapp.classroom import NOTES
from ldpapp.parts import widgets
from ldpapp.runtime import display
from ldpapp.state import view_options
from ldpapp.views.learn.lesson import Lesson
from ldpapp.words.language import t

EVERY = 1.0
"""Seconds between two looks at what the class sees."""
SHORT = ("coin", "odds", "people", "marking", "attacker")
"""The lessons of 45 minutes, in which the class votes after the third (docs/lesson-plan.md)."""
MOST, SECONDS = 64, 24 * 3600
KEY, COOKIE = "lesson_key", "ldpcore_lesson"
"""Which lesson the notes are of; the browser keeps it, so that they still follow after a reload."""
SHOW, SHOWN = "lesson_notes_show", "lesson_notes_shown"
"""A window opens where the lesson is, before the class: it shows nothing until somebody asks it to."""
_lock = threading.Lock()
_shown: OrderedDict[str, tuple[str, str]] = OrderedDict()
"""Key → (lesson, value) that the class sees; those shown last, of this process."""


def shows(lessons: Sequence[Lesson], place: int, value: str) -> str:
    """The class sees this; the key by which the notes follow it."""
    key = view_options.look(KEY) or display.cookie(COOKIE) or secrets.token_urlsafe(16)
    view_options.choose(KEY, key)
    display.keep_cookie(COOKIE, key, SECONDS)
    with _lock:
        _shown[key] = lessons[place].key, value
        _shown.move_to_end(key)
        while len(_shown) > MOST:
            _shown.popitem(last=False)
    if phone := NOTES.get(key):
        phone.head = _head(lessons, place)
        phone.lines = tuple(
            (what, html.unescape(re.sub(r"<[^>]*>", "", text))) for what, text in _lines(lessons, place, value)
        )
    return key


@st.fragment(run_every=EVERY)
def follow(lessons: Sequence[Lesson], key: str) -> None:
    """The notes of what the class sees now."""
    lesson, value = _shown.get(key, ("", ""))
    place = next((at for at, each in enumerate(lessons) if each.key == lesson), None)
    if place is None:
        widgets.sentence(t("These notes follow no lesson any more."))
        widgets.note(t("Open the lesson, and press N there."))
        return
    if not view_options.look(SHOWN, False):
        widgets.sentence(t("Move this window to the screen that only you see."))
        st.button(t("Show the notes"), key=SHOW, type="primary", on_click=view_options.choose, args=(SHOWN, True))
        return
    widgets.sentence(_head(lessons, place))
    rows = "".join(f"<dt>{what}</dt><dd>{text}</dd>" for what, text in _lines(lessons, place, value))
    st.html(f'<dl class="presenter">{rows}</dl>')


def _head(lessons: Sequence[Lesson], place: int) -> str:
    return t("{n} · {name}", n=place + 1, name=lessons[place].name())


def _lines(lessons: Sequence[Lesson], place: int, value: str) -> list[tuple[str, str]]:
    """What each note says, and its text (HTML of ours)."""
    shown, note = lessons[place], lessons[place].note()
    question = shown.question(shown.at(value))
    answer = f"{question.right + 1}: {widgets.escape(question.options[question.right])}. {question.because}"
    minutes = [lesson.note().minutes for lesson in lessons]
    spent = t("{n}: until minute {so_far} of {all}", n=note.minutes, so_far=sum(minutes[: place + 1]), all=sum(minutes))
    if place == 0:
        short = {at + 1: minutes[at] for at, lesson in enumerate(lessons) if lesson.key in SHORT}
        spent = t(
            "{spent}. In 45: lessons {short} take {sum}, the vote on Class and talk the rest",
            spent=spent, short=words.listing(map(str, short)), sum=sum(short.values()),
        )  # fmt: skip
    lines = [
        (t("Minutes"), spent),
        (t("Ask"), note.ask),
        (t("What goes wrong"), note.wrong),
        (t("The answer"), answer),
    ]
    return [*lines, (t("Next"), _head(lessons, place + 1))] if place + 1 < len(lessons) else lines
