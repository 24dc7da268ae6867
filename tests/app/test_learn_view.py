"""Learn, at every value of every widget: the numbers are the engine's, one answer is right, the link shows the same."""

import logging
import re
from dataclasses import replace
from math import ceil, exp
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from ldpapp import words
from ldpapp.classroom import NOTES, PhoneNotes
from ldpapp.runtime import errors
from ldpapp.views.learn import page, presenter
from ldpapp.views.learn.coin import COIN
from ldpapp.views.learn.lesson import Lesson, among
from ldpapp.views.learn.lessons import LESSONS
from ldpapp.views.learn.messages import MESSAGES
from ldpapp.views.learn.outcomes import OUTCOMES
from ldpapp.views.learn.salary import asked
from ldpcore import data
from ldpcore.papers.check import shown
from ldpcore.study import Study, run

from .opening import MAIN, bodies, charts, go, html, link, opened, panels, plain, press

MOST = 60
WALK = "w" * 22
"""The key of a window of notes that the tests turn."""
CASES = [(lesson, value) for lesson in LESSONS for value in lesson.values]
NAMES = [f"{lesson.key}={value}" for lesson, value in CASES]
SLOW = {("messages", "0.5"), ("messages", "2")}
"""Seconds of surveys each; the value that the lesson begins with is among the usual tests."""
WORD = re.compile(r"[^\W\d_][\w’'-]*")


@pytest.fixture(scope="module")
def at() -> AppTest:
    """The page; every test turns it to what it wants."""
    made = AppTest.from_file(MAIN, default_timeout=200)
    made.query_params["reps"] = "1"
    return go(made.run(), "learn")


def turn(at: AppTest, lesson: str, value: str = "") -> AppTest:
    at.session_state["lesson"], at.session_state["x"] = lesson, value
    return at.run()


def title(at: AppTest) -> str:
    return plain(re.findall(r'class="sentence finding"[^>]*>(.*?)</div>', html(at))[0])


def read(at: AppTest) -> list[str]:
    """The words of a lesson: all but the frame that stands on every page."""
    frame = ('class="where"', "<style>", "<dl")
    texts = [re.sub(r"<[^>]*>", " ", body) for body in bodies(at) if not any(part in body for part in frame)]
    for kind in ("button", "button_group"):
        texts += [getattr(each, "label", "").replace(":gray", "") for each in at.main.get(kind)]
    texts += [option.content for group in at.main.get("button_group") for option in group.proto.options]
    texts += [note["text"] for figure in charts(at).values() for note in figure["layout"].get("annotations", ())]
    return WORD.findall(plain(" ".join(texts)))


def theory(study: Study, metric: str, **where: str) -> float:
    rows = run(replace(study, repetitions=1), data.load(study.data.name))
    for name, value in ({"metric": metric} | where).items():
        rows = rows[rows[name] == value]
    return float(rows["theory"].iloc[0])


def simulated(study: Study, metric: str, **where: str) -> float:
    rows = run(study, data.load(study.data.name))
    for name, value in ({"metric": metric} | where).items():
        rows = rows[rows[name] == value]
    return float(rows["value"].mean())


@pytest.mark.parametrize(
    ("lesson", "value"),
    [pytest.param(*each, marks=pytest.mark.thorough if (each[0].key, each[1]) in SLOW else ()) for each in CASES],
    ids=NAMES,
)
def test_a_lesson_is_short_and_asks_what_has_one_answer(at: AppTest, lesson: Lesson, value: str) -> None:
    """At most 60 words, before and after somebody has decided; the computed option is right, and no other."""
    turn(at, lesson.key, value)
    assert value in link(at).get("x", [])
    question = lesson.question(lesson.at(value))
    assert len(set(question.options)) == 3
    assert len(read(at)) <= MOST
    wrong = (question.right + 1) % 3
    for option, yes in ((wrong, False), (question.right, True)):
        press(at, f"press_{option + 1}")
        (because,) = [body for body in bodies(at) if 'class="because"' in body]
        assert ("<b>Yes.</b>" in because) is yes
        assert [n for n in range(3) if "✓" in at.button(key=f"press_{n + 1}").label] == [question.right]
        assert len(read(at)) <= MOST


@pytest.fixture(scope="module")
def notes() -> AppTest:
    """The window of the notes; every test shows the class what it wants."""
    presenter._shown[WALK] = LESSONS[0].key, LESSONS[0].usual
    return press(opened("learn", notes=WALK), presenter.SHOW)


@pytest.mark.parametrize(
    ("lesson", "value"),
    [pytest.param(*each, marks=pytest.mark.thorough if (each[0].key, each[1]) in SLOW else ()) for each in CASES],
    ids=NAMES,
)
def test_the_notes_of_every_slide_open_and_name_the_next(notes: AppTest, lesson: Lesson, value: str) -> None:
    """Of every state that the class can see: note, answer, and the next slide where there is one."""
    presenter._shown[WALK] = lesson.key, value
    said = plain(html(notes.run()))
    assert not notes.exception
    note, question = lesson.note(), lesson.question(lesson.at(value))
    answer = f"{question.right + 1}: {question.options[question.right]}. {question.because}"
    assert [text in said for text in (note.ask, note.wrong, plain(answer))] == [True] * 3
    after = [name.name() for name in LESSONS[LESSONS.index(lesson) + 1 :][:1]]
    assert re.findall(r"<dt>Next</dt><dd>\d+ · (.*?)</dd>", html(notes)) == after


# what a lesson says of its own draws; all else is derived another way in test_lessons_true -------------------------


def outcomes(value: str, study: Study) -> list[float]:
    rows = run(study, data.load("census"))
    rows = rows[(rows["metric"] == "estimate") & (rows["scope"] == ">50K")]
    margin = 1.959964 * theory(study, "mse", scope="all") ** 0.5
    inside = (rows["value"] - rows["theory"]).abs() <= margin
    return [int(inside.sum()), int(value), float(words.points(margin)[1:])]


def messages(value: str, study: Study) -> list[float]:
    named = simulated(study, "guessed", mechanism="LDPK", scope=study.column)
    most = counts("census", "marital-status").cumsum()
    allowed = max(exp(float(value)) * share / (exp(float(value)) + m) for m, share in enumerate(most))
    return [float(value), ceil(100 * allowed - 1e-9), round(100 * named)]


def counts(name: str, column: str):
    series = data.load(name).frame.dropna()[column].astype(str)
    return series.value_counts(normalize=True)


@pytest.mark.parametrize("value", ["10", "30", "100"])
def test_surveys_end_where_the_terminal_has_them(value: str) -> None:
    found = OUTCOMES.at(value)
    assert [int(n) for n in re.findall(r"\d+", OUTCOMES.title(found))[:2]] == outcomes(value, found.of.study)[:2]


@pytest.mark.parametrize(
    "value", [pytest.param(each, marks=pytest.mark.thorough if n else ()) for n, each in enumerate(MESSAGES.values)]
)
def test_open_messages_name_whom_the_terminal_has_named(value: str) -> None:
    found = MESSAGES.at(value)
    study, question = MESSAGES.link(found).study, MESSAGES.question(found)
    assert [float(n) for n in re.findall(r"\d[\d.]*\d|\d", MESSAGES.title(found)) if n != "100"] == messages(
        value, study
    )
    half = replace(study, epsilon=study.epsilon / 2)
    named = simulated(half, "guessed", mechanism="LDPK", scope=study.column)
    assert question.options[question.right] == words.of_100(named)


# the way from a lesson, and to it -----------------------------------------------------------------------------------

SHOWN = {
    "coin": lambda found: [words.of_100(found.of.kept), words.of_100(found.of.turned)],
    "odds": lambda found: [words.of_100(found.kept), words.of_100(found.turned)],
    "people": lambda found: [words.margin(found.error)],
    "marking": lambda found: [words.margin(found.only.error(scope)) for scope in ("all", "sensitive")],
    "together": lambda found: [f"ε = {words.epsilon(found.study.epsilon)}"],
    "outcomes": lambda found: [words.points(found.margin)],
    "attacker": lambda found: [words.of_100(found.own)],  # the page attacks some people, the lesson says it exactly
    "budgets": lambda found: [words.decimals(found.ledger.total)],
    "messages": lambda found: [words.of_100(found.named), words.of_100(found.known.promised, most=True)],
    "correlated": lambda found: [
        words.decimals(found.wavelet[found.length]), words.decimals(found.flat[found.length])
    ],
    "invented": lambda found: [f"{found.of.margin:.1f}"],
    "claim": lambda found: [shown(found.check.number.value)],
}  # fmt: skip
"""What the page that a lesson's link opens says too."""


@pytest.mark.one_in(2)  # what each lesson says is counted again in test_lessons_true.py
@pytest.mark.parametrize(
    "lesson",
    [pytest.param(each, marks=pytest.mark.thorough if each.key == "messages" else ()) for each in LESSONS],
    ids=lambda lesson: lesson.key,
)
def test_the_page_of_the_task_says_the_same(lesson: Lesson) -> None:
    found = lesson.at(lesson.usual)
    live = lesson.link(found)
    address, _, query = live.link.partition("?")
    there = opened(address, None, **parse_qs(query, keep_blank_values=True))
    said = plain(" ".join(re.sub(r"<[^>]*>", " ", body) for body in bodies(there)))
    for number in SHOWN[lesson.key](found):
        assert re.search(rf"(?<![\d.]){re.escape(number)}(?![\d.]*\d)", said), (number, said[:600])
    assert live.panel in panels(there) or lesson.key == "attacker"


def test_a_link_opens_a_lesson_and_a_reload_keeps_it(at: AppTest) -> None:
    turn(at, "odds", "2")
    said = title(at)
    assert link(at) == {"lesson": ["odds"], "x": ["2"]}
    again = opened("learn", lesson="odds", x="2")
    assert title(again) == said
    assert title(opened("learn", lesson="odds", x="relationship")) == title(turn(at, "odds"))


def test_keys_turn_and_notes_follow_in_a_window_of_their_own(at: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key presses the button that is named after it."""
    first, last = LESSONS[0], LESSONS[-1]
    turn(at, first.key, first.values[-1])
    assert at.button(key="press_arrowleft").disabled
    press(at, "press_arrowright")
    assert at.session_state["lesson"] == LESSONS[1].key
    assert at.session_state["x"] == ""
    (key,) = re.findall(r'href="learn\?notes=([\w-]{22})" target="_blank" data-press="n"', html(at))
    beside = opened("learn", notes=key)
    assert not any(each.note().ask in plain(html(beside)) for each in LESSONS), "it opens before the class"
    press(beside, presenter.SHOW)
    assert LESSONS[1].note().ask in plain(html(beside))
    assert LESSONS[2].name() in plain(html(beside)), "and what comes next"
    phone = NOTES.setdefault(key, PhoneNotes())
    press(at, "press_arrowright")
    said = plain(html(beside.run()))
    assert LESSONS[2].note().ask in said, "they stay open, and follow"
    question = LESSONS[2].question(LESSONS[2].at(LESSONS[2].usual))
    assert f"{question.right + 1}: {question.options[question.right]}." in said
    assert phone.head == f"3 · {LESSONS[2].name()}"
    assert all(text in said for _, text in phone.lines), "a phone is told the same"
    monkeypatch.setattr(presenter, "_lines", lambda *where: [("Ask", "<b>5 &lt; 6</b>")])
    at.run()
    assert phone.lines == (("Ask", "5 < 6"),), "as text"
    del NOTES[key]
    assert not any(each.note().ask in plain(html(at)) for each in LESSONS), "none of it before the class"
    assert "no lesson" in plain(html(opened("learn", notes="x" * 22)))
    assert turn(at, last.key).button(key="press_arrowright").disabled


def test_surveys_play_and_stand_still(at: AppTest) -> None:
    def dots() -> int:
        return sum(
            len(trace["marker"]["size"]) for trace in charts(at)["chart_outcomes"]["data"] if trace["mode"] == "markers"
        )

    turn(at, "outcomes", "30")
    assert dots() == 30, "still: all of them at once"
    press(at, "lesson_play")
    assert dots() < 30
    press(at, "lesson_play")
    assert dots() == 30
    press(at, "lesson_play")
    press(at, "press_arrowleft")
    press(at, "press_arrowright")
    assert dots() == 30, "turning stops it"


def test_another_lesson_is_one_value_in_one_list(at: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    toy = replace(COIN, key="toy", name=lambda: "A toy", title=lambda found: "A toy’s finding")
    monkeypatch.setattr(page, "LESSONS", (*LESSONS, toy))
    assert title(turn(at, "toy")) == "A toy’s finding"
    assert f"Lesson {len(LESSONS) + 1} of {len(LESSONS) + 1}" in html(at)
    assert page.LOOKS["lesson"] == tuple(lesson.key for lesson in LESSONS)


def test_options_that_would_be_written_alike_are_refused() -> None:
    assert among(0.231, (0.1, 0.73), words.percent) == (("10\u00a0%", "73\u00a0%", "23\u00a0%"), 2)
    with pytest.raises(ValueError, match="must differ"):
        among(0.231, (0.229, 0.73), words.percent)


def test_no_report_of_the_coin_proves_anything() -> None:
    """As the first lesson says."""
    assert not asked().cell.groups[0].mechanism.disclosure().any()


def test_what_is_computed_for_no_page_fills_no_log():
    """The lessons that nobody looks at yet: Streamlit would warn in the terminal of each that it has no page."""
    errors.for_no_page("ahead of its page")
    log = logging.getLogger(errors.NO_PAGE)
    record = log.makeRecord(log.name, logging.WARNING, "", 0, "missing ScriptRunContext!", (), None)
    assert log.filter(record), "a page that lost its session still warns"
    record.threadName = "ahead of its page"
    assert not log.filter(record)


def test_the_plan_of_a_lesson_names_lessons_by_the_numbers_they_have() -> None:
    """docs/lesson-plan.md, and the notes of the first slide: numbers follow the order of the list."""
    plan = " ".join((Path(__file__).parents[2] / "docs" / "lesson-plan.md").read_text(encoding="utf-8").split())
    number = {lesson.name().casefold(): at + 1 for at, lesson in enumerate(LESSONS)}
    taught = {int(n): name.casefold() for n, name in re.findall(r"Learn (\d+), ([^|,]*?)(?:, steps[^|]*)? \|", plan)}
    later = {
        int(n): name.casefold() for name, n in re.findall(r"([a-z][a-z ,]*?) \((\d+)\)", plan.partition("hour: ")[2])
    }
    assert {n: name.strip(", ") for n, name in (taught | later).items()} == {n: name for name, n in number.items()}
    assert {LESSONS[n - 1].key for n in taught} == set(presenter.SHORT)
    said = dict(presenter._lines(LESSONS, 0, LESSONS[0].usual))["Minutes"]
    whole = sum(lesson.note().minutes for lesson in LESSONS)
    assert said.startswith(f"{LESSONS[0].note().minutes}: until minute {LESSONS[0].note().minutes} of {whole}.")
    short = sum(LESSONS[n - 1].note().minutes for n in taught)
    lessons = words.listing([str(n) for n in sorted(taught)])
    assert said.endswith(f"In 45: lessons {lessons} take {short}, the vote on Class and talk the rest")
    later_said = dict(presenter._lines(LESSONS, 2, LESSONS[2].usual))["Minutes"]
    assert later_said == f"4: until minute {sum(one.note().minutes for one in LESSONS[:3])} of {whole}"


def test_a_slide_says_of_which_setting_its_numbers_are(at) -> None:
    """ε, mechanism and people of the page behind its link, in its first line."""
    for lesson in LESSONS:
        made = lesson.link(lesson.at(lesson.usual)).study
        head = plain(re.findall(r'class="kicker">(.*?)</div>', html(turn(at, lesson.key)))[0])
        if lesson.key != "budgets":  # which is along s: its title says that
            assert f"ε = {words.epsilon(made.epsilon)}" in head
        if made.n is not None:
            assert words.count(made.n) in head
        if len(made.mechanisms) == 1:
            assert made.mechanisms[0] in head
