"""How any lesson is drawn: its finding, its picture and widget, a question to decide first, and the way on."""

import html
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import streamlit as st

from ldpapp import words
from ldpapp.charts.base import text_width
from ldpapp.parts import widgets
from ldpapp.runtime import display
from ldpapp.state import controlled, view_options
from ldpapp.views.learn import phone, pictures, presenter
from ldpapp.views.learn.lesson import Lesson, QuizQuestion
from ldpapp.views.learn.pictures import Bar
from ldpapp.words import language
from ldpapp.words.language import t
from ldpcore.data import BUNDLED
from ldpcore.study import Study
from ldpcore.study.definition import KINDS

ANSWERED, FRAME, TURNED = "lesson_answered", "lesson_frame", "lesson_turned"
"""Keys of the session: (lesson, value, option) that was chosen; where the picture plays, None where it stands still;
since when.
"""
PACE = 0.5
"""Seconds that a step of a playing picture is shown."""


LINE, LARGEST, SMALLEST = 1190, 42, 30
"""px of a finding's line on 1280×720, and of its type: as large as one line holds it."""


PROJECTED = ".st-key-lesson{min-height:480px!important} .st-key-projector_off button p{font-size:16px}"
"""Without a navigation there is more room, and nothing may be smaller than the last row can read."""


@cache
def _style() -> str:
    return widgets.rem((Path(__file__).parents[2] / "static" / "learn.css").read_text(encoding="utf-8"))


def draw(lessons: Sequence[Lesson], key: str) -> None:
    """The lesson of this key."""
    place = next((at for at, lesson in enumerate(lessons) if lesson.key == key), 0)
    lesson = lessons[place]
    value = view_options.look("x") if view_options.look("x") in lesson.values else lesson.usual
    result = lesson.at(value)
    _head(lesson, place, result)
    with st.container(key="lesson"):
        left, right = st.columns([54, 46], gap="large")
        with left:
            _picture(lesson, result)
            _widget(lesson, value, result)
        with right:
            _question(lesson, value, lesson.question(result))
    _foot(lessons, place, result, presenter.shows(lessons, place, value))


def dress() -> None:
    """How lessons look."""
    # A lesson is as large as a projector's page is anyway: there it fills the screen, and grows no further.
    grown = f"html{{font-size:{widgets.ROOT * display.fits():g}px!important}}" if display.projector() else ""
    grown += widgets.rem(PROJECTED) if display.projector() else ""
    colors = f".stApp{{--sensitive:{widgets.colors().sensitive}}}"
    st.html(f"<style>{_style()}{colors}{grown}</style>")


def _head(lesson: Lesson, place: int, found: Any) -> None:
    dress()
    title = lesson.title(found)
    em = text_width(html.unescape(title), 1.0)
    size = min(LARGEST, max(SMALLEST, LINE / max(em, 1.0))) / widgets.ROOT
    name = t("{n} · {name}", n=place + 1, name=lesson.name())
    if setting := _setting(lesson.link(found).study):
        name = t("{name} · {setting}", name=name, setting=setting)
    st.html(
        f'<div class="lesson-head"><div class="kicker">{name}</div>'
        f'<div class="sentence finding" role="heading" aria-level="1" style="--size:{size:.4g}rem">'
        f"{words.unbroken(title)}</div></div>"
    )


def _setting(study: Study) -> str:
    """Of what the numbers of the slide are, as the page behind its link has it."""
    parts = [*study.mechanisms] if len(study.mechanisms) == 1 else []
    if study.axis == KINDS[study.task].axes[0]:  # along another, ε is what the lesson counts
        parts.append(t("ε = {eps}", eps=words.epsilon(study.epsilon)))
    if study.n is not None:
        parts.append(words.plural(study.n, t("person"), t("people")))
    if study.data.name in BUNDLED and BUNDLED[study.data.name].synthetic:
        parts.append(t("synthetic"))
    return " · ".join(parts)


def _picture(lesson: Lesson, found: Any) -> None:
    frames = lesson.frames(found)
    if not frames:
        lesson.picture(found)
        return
    playing = view_options.look(FRAME) is not None

    @st.fragment(run_every=PACE if playing else None)
    def film() -> None:
        frame = view_options.look(FRAME)
        if frame is None:
            lesson.picture(found, frames)
            return
        if time.monotonic() - view_options.look(TURNED, 0.0) > 0.8 * PACE:
            view_options.choose(TURNED, time.monotonic())
            view_options.choose(FRAME, frame + 1)
        lesson.picture(found, min(frame, frames))
        if frame > frames:
            _stop()
            st.rerun(scope="app")

    film()


def _play() -> None:
    view_options.choose(FRAME, 1)


def _stop() -> None:
    view_options.choose(FRAME, None)


def _widget(lesson: Lesson, value: str, found: Any) -> None:
    language.notice(*map(lesson.say, lesson.values))
    with st.container(key="lesson_widget", horizontal=True, vertical_alignment="bottom", gap="medium"):
        controlled.bound(
            st.segmented_control,
            words.literal(lesson.label()),
            lesson.values,
            key="lesson_value",
            value=value,
            change=_set,
            format_func=lambda value: words.literal(lesson.say(value)),
            required=True,
        )
        if lesson.frames(found):
            playing = view_options.look(FRAME) is not None
            st.button(t("Pause") if playing else t("Play"), key="lesson_play", on_click=_stop if playing else _play)


def _set(value: str) -> None:
    _stop()
    view_options.choose("x", value)


# the question --------------------------------------------------------------------------------------------------------


def _question(lesson: Lesson, value: str, question: QuizQuestion) -> None:
    asked = view_options.look(ANSWERED)
    chosen = asked[2] if asked is not None and asked[:2] == (lesson.key, value) else None
    st.html(f'<div class="ask" role="heading" aria-level="2">{question.asked}</div>')
    if question.drawn:
        pictures.bars(*(_sought(bar) if bar.chosen and chosen is None else bar for bar in question.drawn), small=True)
    with st.container(key="lesson_options"):
        places = st.columns(3, gap="small")
        for at, (place, option) in enumerate(zip(places, question.options, strict=True)):
            shown = chosen is not None and at == question.right
            language.notice(option)
            place.button(
                t(":gray[{n}]\u2003**{option}** ✓", n=at + 1, option=words.literal(option))
                if shown
                else t(":gray[{n}]\u2003**{option}**", n=at + 1, option=words.literal(option)),
                key=f"press_{at + 1}",
                type="primary" if shown else "secondary",
                width="stretch",
                on_click=view_options.choose,
                args=(ANSWERED, (lesson.key, value, at)),
            )
    if chosen is None:
        text = t("Decide: press 1, 2, 3.")
    elif chosen == question.right:
        text = t("<b>Yes.</b> {because}", because=question.because)
    else:
        text = t("<b>No.</b> {because}", because=question.because)
    st.html(f'<div class="because" role="status">{text}</div>')


def _sought(bar: Bar) -> Bar:
    return replace(bar, number="?", length=0)


# the way on ----------------------------------------------------------------------------------------------------------


def _foot(lessons: Sequence[Lesson], place: int, found: Any, notes: str) -> None:
    with st.container(key="lesson_foot", horizontal=True, vertical_alignment="center", gap="small"):
        dots = "".join(f'<i class="{"here" if at == place else ""}"></i>' for at in range(len(lessons)))
        said = t("Lesson {n} of {all}", n=place + 1, all=len(lessons))
        st.html(f'<div class="dots" role="img" aria-label="{said}">{dots}</div>', width="stretch")
        lesson = lessons[place]
        _turn("←", "arrowleft", t("The lesson before"), lessons, place - 1)
        _turn("→", "arrowright", t("The next lesson"), lessons, place + 1)
        # A window of the teacher's own: what stands there is not for the projector.
        tip = t("Teacher’s notes, in a window of their own: not for the screen that the class sees")
        st.html(
            f'<a class="same" href="learn?notes={notes}" target="_blank" data-press="n" title="{tip}">'
            f"{t('private notes')}</a>",
            width="content",
        )
        phone.offer(notes)
        live = lesson.link(found)
        label = t("Open in {page}", page=live.page)
        # Another tab: the lesson stays where it is.
        st.html(f'<a class="same" href="{widgets.escape(live.link)}" target="_blank">{label}</a>', width="content")


def _turn(sign: str, key: str, says: str, lessons: Sequence[Lesson], to: int) -> None:
    keys = tuple(lesson.key for lesson in lessons)
    st.button(
        sign,
        key=f"press_{key}",
        type="tertiary",
        help=says,
        disabled=not 0 <= to < len(lessons),
        on_click=partial(_go, keys, 1 if key == "arrowright" else -1),
    )


def _go(keys: tuple[str, ...], step: int) -> None:
    """From where one is now: two quick presses are two steps."""
    now = keys.index(view_options.look("lesson")) if view_options.look("lesson") in keys else 0
    view_options.choose("lesson", keys[min(max(now + step, 0), len(keys) - 1)])
    view_options.choose("x", "")
    _stop()
