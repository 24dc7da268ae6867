"""Learn: lessons as slides, whose address is a link. Arrows turn them, 1, 2 and 3 answer, N opens the notes."""

import threading
from functools import cache

from ldpapp.runtime import errors
from ldpapp.state import view_options
from ldpapp.views.learn import presenter, skeleton
from ldpapp.views.learn.lesson import Lesson
from ldpapp.views.learn.lessons import LESSONS

LOOKS: view_options.Looks = {
    "lesson": tuple(lesson.key for lesson in LESSONS),
    "x": ("", *dict.fromkeys(value for lesson in LESSONS for value in lesson.values)),
}
"""Which lesson, and what its widget is set to; "" is what it usually is."""


def page() -> None:
    """The lesson that is looked at; what the others show at first is computed behind it."""
    if key := view_options.look("notes"):
        skeleton.dress()
        presenter.follow(LESSONS, key)
        return
    _ready(LESSONS)
    skeleton.draw(LESSONS, view_options.look("lesson"))


@cache
def _ready(lessons: tuple[Lesson, ...]) -> None:
    """Nobody waits in front of a class for what a later lesson must read and compute. Once for the process."""
    errors.for_no_page("lessons")
    threading.Thread(target=_compute, args=(lessons,), name="lessons", daemon=True).start()


def _compute(lessons: tuple[Lesson, ...]) -> None:
    for lesson in lessons:
        lesson.at(lesson.usual)
