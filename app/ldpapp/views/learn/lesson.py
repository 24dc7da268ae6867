"""What a lesson is: one value. The page (`skeleton`) draws any of them; the numbers in it come from the engine."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ldpapp.views.learn.pictures import Bar
from ldpapp.views.papers.live import Live


@dataclass(frozen=True)
class QuizQuestion:
    """Three options in the order of the buttons; `right` is the place of the computed answer."""

    asked: str
    options: tuple[str, str, str]
    right: int
    because: str
    """What is said once somebody has decided."""
    drawn: tuple[Bar, ...] = ()
    """The question as bars: of the chosen one neither number nor length is shown before somebody has decided."""


@dataclass(frozen=True)
class Note:
    """For the teacher: how long, what to ask the class, and what goes wrong."""

    minutes: int
    ask: str
    wrong: str


@dataclass(frozen=True)
class Lesson:
    """key: its name in links. values: what the widget can be set to, as links write them; `usual` at first. say: one of
    them as the widget shows it. found: everything that is computed at a value, once for the process; title, picture,
    question and link are made of that alone. frames: in how many steps the picture can play; 0 where it stands still.
    """

    key: str
    name: Callable[[], str]
    label: Callable[[], str]
    values: tuple[str, ...]
    usual: str
    found: Callable[[str], Any]
    title: Callable[[Any], str]
    picture: Callable[..., None]
    question: Callable[[Any], QuizQuestion]
    note: Callable[[], Note]
    link: Callable[[Any], Live]
    say: Callable[[str], str] = str
    frames: Callable[[Any], int] = lambda found: 0

    def at(self, value: str) -> Any:
        """What is computed at this value of the widget; at the usual one where there is no such value."""
        return _at(self, value if value in self.values else self.usual)


@cache
def _at(lesson: Lesson, value: str) -> Any:
    return lesson.found(value)


def among(right: float, others: Sequence[float], say: Callable[[float], str]) -> tuple[tuple[str, str, str], int]:
    """Three numbers as options, and the place of the right one, by its digits: nobody learns where it usually stands.

    ValueError where two of them would be written alike: then the question has not one right answer.
    """
    place = sum(int(sign) for sign in say(right) if sign.isdecimal()) % 3
    written = [say(number) for number in sorted(others)]
    written.insert(place, say(right))
    one, two, three = written
    if len({one, two, three}) < 3:
        raise ValueError(f"options must differ, got {one!r}, {two!r}, {three!r}")
    return (one, two, three), place
