"""The page Class without a browser: what a room can tell before it opens, and what the board makes of its reports."""

import gc
import re
import weakref

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from ldpapp.classroom import DOOR, ROOMS, door
from ldpapp.state import actions
from ldpapp.state.model import ClassDraft
from ldpapp.views.classroom import board, expected, opening, pieces
from ldpapp.words import glossary
from ldpcore import limit
from ldpcore.attacks import manipulation
from ldpcore.client import Client

from . import reading
from .opening import MAIN, alerts, charts, do, go, html, link, opened, panels, plain, press, sentence, state, study

ANSWERS, HIDDEN = ["never", "once", "a few times", "often"], [False, False, True, True]
ASKED = Client.of("uSS", 2.0, ANSWERS, HIDDEN, "How often have you copied <b>homework</b>?")


@pytest.fixture(autouse=True)
def no_room_is_left():
    yield
    for code in ROOMS.codes():
        ROOMS.close(code)
    DOOR.close()


@pytest.fixture
def room():
    return ROOMS.start(ASKED, 28)


def send(room, *reports: int) -> None:
    for report in reports:
        assert room.add(room.ticket(), "127.0.0.1", report) == "ok"


def vote(room, *answers: int) -> None:
    """Openly, each by another who has sent a report."""
    for number, answer in enumerate(answers):
        ticket = room.ticket()
        room._spent.add(room._hash(ticket))
        assert room.vote(ticket, answer) == "ok", number


def led(room, asked: bool = True) -> AppTest:
    """The page in another tab of the browser that opened the room, by its address or not."""
    at = AppTest.from_file(MAIN, default_timeout=200)
    at.session_state[opening.KEYS] = (room.key,)
    if asked:
        at.query_params["room"] = room.code
    return go(at, "class")


def shown(room) -> list[tuple[str, str]]:
    """The rows of the board: answer, and what is written beside it."""
    seen = room.seen()
    drawn = pieces.estimates(board.estimate(room, seen), room, seen.openly if room.revealed else ())
    row = r'<span class="name".*?>(.*?)</span>.*?<span class="number">(.*?)</span></div>'
    return [(plain(name), plain(said)) for name, said in re.findall(row, drawn)]


# before ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def setup():
    return opened("class")


def test_what_to_expect_is_the_engines(setup):
    """±, people, ε and the limit are those of the client; the curve passes where the headline says."""
    sample = Client.of("uSS", 2.0, ANSWERS, HIDDEN)
    said = plain(sentence(setup))
    assert f"±{100 * sample.margin(28):.0f}" in said
    people = sample.plan().people(sample.kept, 0.1)
    assert people is not None
    assert str(people) in said
    needed = sample.plan().epsilon(28, 0.1)
    assert needed is not None
    assert f"{needed:.3g}" in said
    assert Client.of("uSS", needed, ANSWERS, HIDDEN).margin(28) == pytest.approx(0.1, rel=1e-3)
    assert sample.least(28) == pytest.approx(
        1.959964 * np.sqrt(limit.best("ULDP", 4, 2, sample.kept, 0.5, weight="sensitive").sensitive / 28)
    )
    lines = {trace["name"]: trace for trace in charts(setup)["chart_arriving"]["data"]}
    assert lines["at"]["x"] == [28]
    assert lines["at"]["y"][0] == pytest.approx(100 * sample.margin(28))
    assert panels(setup) == ["ask", "class_open", "arriving", "class_odds"]


@pytest.mark.parametrize("key", ["GRR", "RAPPOR", "OUE", "SS", "uRR", "uRAP", "uOUE", "uSS"])
@pytest.mark.parametrize("answers", [2, 7, 20])
def test_every_mechanism_has_its_expectation(key, answers):
    asked = Client.of(key, 1.0, [str(v) for v in range(answers)], [v % 2 == 1 for v in range(answers)], "?")
    found = expected.margins(asked)
    assert 0 < found.least <= found.alone * (1 + 1e-9)
    assert found.alone / 30**0.5 == pytest.approx(asked.margin(30))
    answer, own, other = expected.told(asked)
    assert 0 < other < own <= 1
    named = asked.answers.index(answer)
    assert own == pytest.approx(float(asked.law.supports()[named][named]))
    assert asked.hidden[named]


@pytest.mark.parametrize(
    ("client", "why"),
    [
        (Client("uSS", 2.0, ("a", "b"), (False, False), "?"), "stay hidden"),
        (Client("SS", 2.0, ("a", "a"), (False, False), "?"), "name of its own"),
        (Client("SS", 2.0, ("a",), (False,), "?"), "between 2 and 20"),
        (Client("SS", 2.0, tuple(map(str, range(21))), (False,) * 21, "?"), "between 2 and 20"),
        (Client("SS", 2.0, ("a", "b"), (False, False), " "), "question"),
        (Client("SS", 2.0, ("a", "b" * 400), (False, False), "?"), "characters"),
    ],
)
def test_what_cannot_be_asked_is_a_sentence_and_no_room(setup, client, why):
    at = do(setup, actions.ask, ClassDraft(client, 28))
    assert why in alerts(at)
    assert at.button(key="class_start").disabled
    assert "arriving" not in panels(at)


def test_a_question_is_typed_and_hidden_answers_stay_hidden(setup):
    at = press(do(setup, actions.ask, None), "class_sample")
    at.text_area(key="class_answers").set_value(" often \n\nnever\nalways").run()
    made = state(at).draft.client
    assert made.answers == ("often", "never", "always")
    assert made.sensitive == (True, False, False)
    at.selectbox(key="class_mechanism").set_value("SS").run()
    at.number_input(key="class_pupils").set_value(100).run()
    assert f"±{100 * Client.of('SS', 2.0, made.answers, made.sensitive).margin(100):.0f}" in plain(sentence(at))
    press(at, "class_column")
    column = study(at, "frequency").column
    assert f"“{column}”" in at.text_input(key="class_question").value


def test_a_room_is_opened_from_the_page_found_again_and_forgotten(setup):
    at = press(press(setup, "class_sample"), "class_start")
    (code,) = ROOMS.codes()
    assert link(at)["room"] == [code]
    assert f"{DOOR.host}:{DOOR.port}" in plain(html(at))
    again = led(ROOMS.get(code))
    assert code[:3] in plain(html(again)), "a reload of the tab"
    other = led(ROOMS.get(code), asked=False)
    assert press(other, f"class_back_{code}")
    assert 'class="joining"' in html(other)
    gone = weakref.ref(ROOMS.get(code))
    send(gone(), 4)
    for page in (at, again, other):
        page.run()
    press(at, "class_end")
    assert not DOOR.is_open
    assert sentence(at)
    assert "room" not in link(at)
    gc.collect()
    assert gone() is None, "nothing remembers its reports"
    assert sentence(again.run()), "nor any other tab"
    assert opened("class", room="AAAAAA")
    assert opened("class", room="<script>")


def test_whoever_knows_the_code_has_none_of_the_boards_buttons(room):
    for query in ({}, {"room": room.code}):
        other = opened("class", **query)
        keys = {button.key for button in other.button}
        assert "class_start" in keys
        assert not [key for key in keys if key.startswith(("class_back", "class_end", "class_close", "class_vote"))]
        assert ("no other" in plain(html(other))) == bool(query)
        assert "room" not in link(other)
    assert room.key not in str(room), "nor in what a log would say"


def test_why_no_room_opened_is_said(setup, monkeypatch):
    def refuse(lan: bool = False) -> str:
        raise door.NoDoor("no port is free")

    monkeypatch.setattr(DOOR, "open", refuse)
    at = press(press(setup, "class_sample"), "class_start")
    assert "No port is free" in plain(html(at))
    assert not ROOMS.codes()


def test_who_can_join_is_said(monkeypatch):
    monkeypatch.delenv(door.LAN, raising=False)
    assert "--lan" in opening.reach()
    monkeypatch.setenv(door.LAN, "1")
    monkeypatch.setattr(opening, "lan_address", lambda: "192.0.2.7")
    assert "192.0.2.7" in opening.reach()
    monkeypatch.setattr(opening, "lan_address", lambda: None)
    assert "no network" in opening.reach()


# the board -------------------------------------------------------------------------------------------------------


def test_nothing_is_said_before_it_can_be(room):
    """With 0 to 4 reports there is no estimate: one report would be read off the board."""
    for report in (1, 4, 4, 8):
        assert all(said == "" for _, said in shown(room))
        send(room, report)
    assert all(said == "" for _, said in shown(room))
    send(room, 4)
    assert all(re.fullmatch(r"\d+ % \(\d+–\d+\)", said) for _, said in shown(room))
    assert [name for name, _ in shown(room)] == ANSWERS


def test_few_reports_of_a_closed_room_show_how_little_they_tell():
    room = ROOMS.start(Client.of("GRR", 0.5, ["no", "yes"], [True, True], "?"), 3)
    send(room, 2)
    assert all(said == "" for _, said in shown(room))
    room.open = False
    assert [said for _, said in shown(room)] == ["anything (0–100)"] * 2, "100 % of one report says nothing"


def test_an_answer_that_nobody_gave_is_no_negative_share(room):
    send(room, *[1] * 23, 8)
    found = dict(shown(room))
    raw = room.client.estimate(room.seen().tally)["share"].tolist()
    assert min(raw) < 0 < max(raw), "unbiased: outside of what is possible"
    low, share, high = pieces._shown(room.client.estimate(room.seen().tally), 2)
    assert found["a few times"] == f"{100 * share:.0f} % ({100 * low:.0f}–{100 * high:.0f})"
    for said in found.values():
        share, low, high = map(int, re.findall(r"\d+", said))
        assert 0 <= low <= share <= high <= 100


def test_the_board_counts_and_says_what_it_refused(room):
    send(room, *[1, 2, 4, 8] * 6)
    ticket = room.ticket()
    assert room.add(ticket, "127.0.0.1", 3) == "impossible"
    assert room.add(ticket, "127.0.0.1", 4) == "ok"
    assert room.add(ticket, "127.0.0.1", 4) == "twice"
    at = led(room)
    said = plain(html(at))
    assert "25 of 28" in said
    assert "2 reports (1 drawn by no phone, 1 a second time)" in said
    assert "homework" in said
    assert "<b>homework" not in html(at), "what a teacher writes is text"
    found = room.client.estimate(room.seen().tally)
    for v, answer in enumerate(ANSWERS):
        low, share, high = pieces._shown(found, v)
        assert dict(shown(room))[answer] == f"{100 * share:.0f} % ({100 * low:.0f}–{100 * high:.0f})"
    lines = {trace["name"]: trace for trace in charts(at)["chart_arriving"]["data"]}
    assert lines["at"]["x"] == [25]


def test_every_term_on_the_board_is_explained_there(room):
    send(room, *[1, 2, 4, 8] * 6)
    seen = reading.read(led(room))
    used = {term: said for piece in seen.pieces for term, said in glossary.uses(piece).items()}
    assert {"ε", "±", "reports"} <= set(used)
    assert not {term for term, said in used.items() if said not in seen.explained and said not in seen.helps}


def test_buttons_close_ask_reveal_and_give_a_seat(room):
    send(room, *[1] * 27)
    ticket = room.ticket()
    room.add(ticket, "127.0.0.1", 8)
    assert room.add(room.ticket(), "127.0.0.1", 4) == "full"
    at = press(led(room), "class_seat")
    assert room.seats == 29
    press(at, "class_close")
    assert not room.open
    press(at, "class_vote")
    assert room.voting
    assert at.button(key="class_reveal").disabled
    assert room.vote(ticket, 3) == "ok"
    assert at.run().button(key="class_reveal").disabled, "one vote would be read off the board"
    assert "(1 of 5 needed)" in at.button(key="class_reveal").label
    room.revealed = True
    assert "◇" not in plain(html(at.run())).replace("◇ the open vote", "")
    assert "from 5 votes on" in plain(html(at))
    room.revealed = False
    vote(room, 3, 3, 3)
    assert at.run().button(key="class_reveal").disabled
    vote(room, 3)
    press(at.run(), "class_reveal")
    assert room.revealed
    assert at.button(key="class_vote").disabled
    press(press(at, "class_reveal"), "class_reveal")
    assert room.revealed, "it is hidden and shown again"
    said = plain(html(at))
    assert "◇ 100" in said
    assert "inside 2 of 4" in said or "inside 1 of 4" in said or "inside 0 of 4" in said


@pytest.mark.parametrize(("votes", "inside"), [((12, 6, 4, 2), True), ((0, 0, 0, 24), False)])
def test_the_words_follow_from_the_intervals(room, votes, inside):
    send(room, *[1] * 10, *[2] * 5, *[4] * 6, *[8] * 3)
    found = room.client.estimate(room.seen().tally)
    cast = np.array(votes) / sum(votes)
    assert bool(((found["low"] <= cast) & (cast <= found["high"])).all()) is inside
    said = plain(board.told(found, votes, 24))
    assert ("every interval" in said) is inside


@pytest.mark.parametrize("answers", [2, 4, 9, 20])
@pytest.mark.parametrize("seats", [2, 60, 400])
def test_the_board_has_one_height(answers, seats):
    """As many rows, dots and ticks with a report as without: nothing jumps."""
    asked = Client.of("SS", 1.0, [f"answer {v}" for v in range(answers)], [True] * answers, "?")
    room = ROOMS.start(asked, seats)
    before = pieces.estimates(None, room, ())
    send(room, asked.law.reports()[0])
    room.open = False
    after = pieces.estimates(board.estimate(room, room.seen()), room, ())
    assert before.count('class="row"') == after.count('class="row"') == answers
    assert re.findall(r"--rows:\d+", before) == re.findall(r"--rows:\d+", after)
    marks = [pieces.arrived(n, room).count("<i") for n in (0, 1)]
    assert marks == ([seats, seats] if seats <= 120 else [1, 1])


def test_pupils_who_lie_move_the_bars_and_no_interval(room):
    """(b/n)(U − f) up, the engine's; only on Reveal; the sentence before a room opens stays."""
    send(room, *[1] * 10, *[2] * 5, *[4] * 6, *[8] * 3)
    room.open, room.voting = False, True
    ticket = room.ticket()
    room.open = True
    room.add(ticket, "127.0.0.1", 8)
    room.vote(ticket, 3)
    vote(room, 3, 3, 3, 3)
    at = led(room)
    assert not [each for each in at.slider if each.key == "class_liars_slider"], "nothing before the vote is shown"
    found, n = room.client.estimate(room.seen().tally), 25
    before = dict(shown(room))
    at = press(at, "class_reveal")
    assert pieces.estimates(found, room, room.seen().openly) in html(at), "with none lying nothing moves"
    at.slider(key="class_liars_slider").set_value(3).run()
    f = found["share"].clip(0, 1).to_numpy()
    _, high = manipulation.extremes(room.client.mechanism)
    assert high.max() == pytest.approx(room.client.liar(), rel=1e-6), "one liar counts as is said before"
    moved = f + 3 / n * (high - f)
    drawn = html(at)
    for v, answer in enumerate(ANSWERS):
        ends = re.search(r"\((\d+–\d+)\)", before[answer])
        assert ends is not None
        assert f"<b>{100 * min(moved[v], 1):.0f}</b> <span>% ({ends[1]})</span>" in drawn, "the interval stands still"
        assert f'<i class="bar" style="width:{100 * min(moved[v], 1):.1f}%"></i>' in drawn
    assert f"If 3 of 25 lie, a share can read up to {100 * (moved - f).max():.0f} points more." in plain(drawn)
    low, high = (each[2:] for each in manipulation.extremes(room.client.mechanism))
    assert f"{high.max():.2f} honest pupils" in expected.liar(room.client)
    assert f"opposite report as {(high - low).max():.2f}" in expected.liar(room.client)
    at = press(at, "class_reveal")
    assert pieces.estimates(found, room, ()) in html(at), "with the vote hidden again nobody lies"
