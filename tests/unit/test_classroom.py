"""The class's server: what it counts, what it refuses, and that nothing stays."""

import contextlib
import http.client
import json
import socket
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from ldpapp import classroom
from ldpapp.classroom import door, guard, notes, rooms, routes
from ldpcore.client import Client

ASKED = Client.of(
    "uSS", 2.0, ["never", "once", "a few times", "often"], [False, False, True, True], "Have you copied </script>?"
)


@pytest.fixture(scope="module")
def address():
    """A room that keeps the server there for all tests."""
    room = classroom.ROOMS.start(ASKED, 5)
    yield classroom.DOOR.open().removeprefix("http://")
    classroom.ROOMS.close(room.code)
    classroom.DOOR.close()
    assert not classroom.DOOR.is_open


@pytest.fixture
def room(address):
    made = classroom.ROOMS.start(ASKED, 30)
    yield made
    classroom.ROOMS.close(made.code)


class Phone:
    """As a browser would: its cookies, JSON, its own site."""

    def __init__(self, address: str, code: str, source: str = "127.0.0.1") -> None:
        self.address, self.base, self.cookie, self.source = address, f"/{code}/room", "", source

    def call(self, path="", body=None, method=None, **headers):
        """Status and what was said."""
        line = http.client.HTTPConnection(self.address, timeout=10, source_address=(self.source, 0))
        told = {"Cookie": self.cookie} if self.cookie else {}
        sent = None
        if body is not None:
            sent = body if isinstance(body, bytes) else json.dumps(body).encode()
            told |= {"Content-Type": "application/json", "Origin": f"http://{self.address}"}
        told |= {name.replace("_", "-"): value for name, value in headers.items()}
        line.request(method or ("GET" if body is None else "POST"), self.base + path, sent, told)
        answer = line.getresponse()
        text = answer.read()
        if found := answer.getheader("Set-Cookie"):
            self.cookie = found.partition(";")[0]
            self.attributes = found
        line.close()
        return answer.status, json.loads(text) if text.startswith(b"{") else text.decode()

    def report(self, value=0, **headers):
        return self.call("/report", {"report": value}, **headers)


def test_a_report_is_counted_once_and_nothing_is_kept_beside_it(address, room):
    phone = Phone(address, room.code)
    status, told = phone.call()
    assert (status, told["question"], told["answers"], told["sent"]) == (
        200,
        ASKED.question,
        list(ASKED.answers),
        False,
    )
    assert told["law"] == json.loads(json.dumps(ASKED.law.written()))
    assert "HttpOnly" in phone.attributes
    assert f"Path=/{room.code}/room" in phone.attributes
    assert phone.report(4) == (200, {"why": "ok"})
    assert phone.report(8) == (409, {"why": "twice"})
    assert phone.call()[1]["sent"]
    seen = room.seen()
    assert (seen.tally.n, seen.tally.total.tolist(), seen.joined) == (1, [0, 0, 1, 0], 1)
    kept = {name: value for name, value in vars(room).items() if name.startswith("_") and name != "_lock"}
    assert "127.0.0.1" not in str(kept)
    assert phone.cookie.partition("=")[2] not in str(kept)


@pytest.mark.parametrize("report", [0, 3, 12, 16, -1, 1.0, "4", True, None, [4], {"a": 4}, 2**53, 1e300])
def test_impossible_reports_are_refused(address, room, report):
    phone = Phone(address, room.code)
    phone.call()
    assert phone.report(report) == (409, {"why": "impossible"})
    assert room.seen().tally.n == 0
    assert phone.report(4)[1] == {"why": "ok"}, "and cost nothing"


@pytest.mark.parametrize(
    "body", [b"", b"{", b"4", b"[]", b"null", b"[" * 200, b'{"report": NaN}', "{é".encode("latin-1")]
)
def test_bodies_that_are_no_report_are_refused(address, room, body):
    phone = Phone(address, room.code)
    phone.call()
    assert phone.call("/report", body) == (409, {"why": "impossible"})


def test_strangers_are_refused(address, room):
    phone = Phone(address, room.code)
    assert phone.report(4) == (409, {"why": "ticket"})
    other = classroom.ROOMS.start(ASKED, 5)
    away = Phone(address, other.code)
    away.call()
    phone.cookie = away.cookie
    assert phone.report(4) == (409, {"why": "ticket"}), "a ticket of another room"
    phone.cookie = "ticket=" + "0" * 48
    assert phone.report(4) == (409, {"why": "ticket"})
    classroom.ROOMS.close(other.code)
    assert away.report(4) == (404, {"why": "room"})
    assert Phone(address, "AAAAAA").call()[0] == 404
    assert room.seen().tally.n == 0


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Type": "application/x-www-form-urlencoded"}, 415),
    ],
)
def test_foreign_pages_are_refused(address, room, headers, status):
    phone = Phone(address, room.code)
    phone.call()
    assert phone.report(4, **headers)[0] == status
    assert room.seen().tally.n == 0


def test_long_bodies_are_refused_unread(address, room):
    phone = Phone(address, room.code)
    phone.call()
    assert phone.call("/report", b'{"report": 4, "more": "' + b"x" * 300 + b'"}')[0] == 413
    with socket.create_connection(address.split(":"), 5) as line:
        line.sendall(
            f"POST {phone.base}/report HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n"
            f"Content-Length: 999999999\r\n\r\n".encode()
        )
        assert b" 413 " in line.recv(200)
    with socket.create_connection(address.split(":"), 5) as line:
        line.sendall(
            f"POST {phone.base}/report HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n"
            f"Transfer-Encoding: chunked\r\n\r\n".encode()
        )
        assert b" 413 " in line.recv(200), "a length must be told"


def test_the_page_is_small_the_same_for_all_and_asks_nobody_else(address, room):
    line = http.client.HTTPConnection(address)
    pages = []
    for code in (room.code, "AAAAAA"):
        line.request("GET", f"/{code}")
        answer = line.getresponse()
        assert answer.getheader("Set-Cookie") is None
        assert answer.getheader("Server") is None
        pages.append(answer.read())
    line.close()
    assert pages[0] == pages[1] == routes.page().encode()
    assert len(pages[0]) < 20_000
    text = pages[0].decode()
    assert "default-src 'none'" in text
    assert "http://" not in text
    assert "https://" not in text


def test_closed_full_and_one_for_each_address(address):
    room = classroom.ROOMS.start(ASKED, 2, one_each=True)
    first, second = Phone(address, room.code), Phone(address, room.code)
    first.call(), second.call()
    assert first.report(4)[1]["why"] == "ok"
    assert second.report(4)[1]["why"] == "address"
    room.one_each, room.seats = False, 1
    assert second.report(4)[1]["why"] == "full"
    room.open = False
    assert second.report(4)[1]["why"] == "closed"
    assert dict(room.seen().refused) == {"address": 1, "closed": 1, "full": 1}
    classroom.ROOMS.close(room.code)


def test_votes_come_after_a_report_and_once(address, room):
    phone = Phone(address, room.code)
    phone.call()
    assert phone.call("/vote", {"answer": 1})[1]["why"] == "closed"
    room.voting = True
    assert phone.call("/vote", {"answer": 1})[1]["why"] == "ticket", "nobody votes who has not sent a report"
    phone.report(4)
    for wrong in (-1, 4, 1.0, "1", None, True):
        assert phone.call("/vote", {"answer": wrong})[1]["why"] == "impossible"
    assert phone.call("/vote", {"answer": 1})[1]["why"] == "ok"
    assert phone.call("/vote", {"answer": 2})[1]["why"] == "twice"
    assert room.seen().openly == (0, 1, 0, 0)


def test_a_vote_is_taken_back_by_its_own_phone_once_and_while_the_vote_is_open(address, room):
    phone, other = Phone(address, room.code), Phone(address, room.code)
    room.voting = True
    for each in (phone, other):
        each.call()
        each.report(4)
    first = phone.call("/vote", {"answer": 1})[1]["receipt"]
    theirs = other.call("/vote", {"answer": 1})[1]["receipt"]

    def back(who, answer, receipt):
        return who.call("/vote", {"answer": answer, "back": receipt})[1]["why"]

    for answer, receipt in (
        (1, theirs),
        (2, first),
        (1, ""),
        (1, None),
        (1, 7),
        ("1", first),
        (True, first),
        (9, first),
    ):
        assert back(phone, answer, receipt) == "ticket"
    assert room.seen().openly == (0, 2, 0, 0)
    assert back(phone, 1, first) == "ok"
    assert room.seen().openly == (0, 1, 0, 0)
    assert back(phone, 1, first) == "ticket", "it has no vote any more"
    second = phone.call("/vote", {"answer": 3})[1]["receipt"]
    assert room.seen().openly == (0, 1, 0, 1)
    assert back(phone, 1, first) == "ticket", "nobody else's vote for it goes"
    room.voting = False
    assert back(phone, 3, second) == "closed"
    assert room.seen().openly == (0, 1, 0, 1)
    kept = repr(vars(room))
    assert second not in kept, "the room does not keep who voted what"


def test_what_the_board_has_shown_changes_no_more(address, room):
    """The difference between two boards is one vote: after the first nobody votes, or takes a vote back."""
    *phones, late = (Phone(address, room.code) for _ in range(6))
    room.voting = True
    for each in (*phones, late):
        each.call()
        each.report(4)
    phone, *_ = phones
    receipt = phone.call("/vote", {"answer": 1})[1]["receipt"]
    room.reveal(True)
    assert (room.revealed, room.over) == (False, False), "one vote would be read off the board"
    for each in phones[1:]:
        assert each.call("/vote", {"answer": 3})[1]["why"] == "ok"
    room.reveal(True)
    assert (room.revealed, room.over) == (True, True)
    assert phone.call()[1]["voting"] is False
    for _ in range(2):
        assert phone.call("/vote", {"answer": 1, "back": receipt})[1]["why"] == "closed"
        assert late.call("/vote", {"answer": 2})[1]["why"] == "closed"
        room.reveal(False)
        room.voting = True  # whoever asks for another vote
    assert room.seen().openly == (0, 1, 0, 4)


def test_a_whole_class_at_once_loses_nobody(address, room):
    """Thirty phones from one address: every report is counted, once."""

    def answers(number: int) -> str:
        phone = Phone(address, room.code)
        phone.call()
        return phone.report(4 if number % 2 else 8)[1]["why"]

    with ThreadPoolExecutor(30) as pool:
        assert Counter(pool.map(answers, range(30))) == {"ok": 30}
    assert room.seen().tally.total.tolist() == [0, 0, 15, 15]


def test_too_many_requests_are_slowed_and_nobody_elses():
    buckets = guard.Buckets()
    assert [buckets.allow("a", 0.0) for _ in range(int(guard.BURST) + 9)].count(True) == guard.BURST
    assert buckets.allow("b", 0.0), "others are not"
    assert [buckets.allow("a", 1.0) for _ in range(int(guard.RATE) + 9)].count(True) == guard.RATE
    for number in range(2 * guard.ADDRESSES):
        buckets.allow(str(number), 2.0)
    assert len(buckets._left) == guard.ADDRESSES


def test_a_lecture_behind_one_address_is_served():
    """400 phones join within half a minute, and then look for a vote every four seconds."""
    buckets = guard.Buckets()
    joins = [30 * phone / rooms.MOST_SEATS for phone in range(rooms.MOST_SEATS) for _ in range(4)]
    looks = [30 * phone / rooms.MOST_SEATS + 4 * time for phone in range(rooms.MOST_SEATS) for time in range(1, 30)]
    assert all(buckets.allow("school", now) for now in sorted(joins + looks))
    assert door.PER_ADDRESS >= 35 * 6
    assert 2 * door.PER_ADDRESS <= door.CONNECTIONS


def test_the_rate_is_kept_at_the_door(address, room, monkeypatch):
    """Of each address of its own."""
    monkeypatch.setattr(guard, "RATE", 0.001)
    monkeypatch.setattr(guard, "BURST", 5.0)
    greedy, other = Phone(address, room.code, "127.0.0.2"), Phone(address, room.code, "127.0.0.3")
    assert [greedy.call()[0] for _ in range(7)] == [200] * 5 + [429] * 2
    assert other.call()[0] == 200


def test_idle_sockets_are_closed_and_shut_nobody_out(address, room, monkeypatch):
    monkeypatch.setattr(door, "REQUEST", 0.3)
    idle = [socket.create_connection(address.split(":"), 5) for _ in range(200)]
    phone = Phone(address, room.code)
    assert phone.call()[0] == 200
    for line in idle:
        with line:
            assert line.recv(1) == b"", "closed by the other side"
    assert phone.report(4)[1]["why"] == "ok"


SLOW = {
    "its first head": ("", "GET / HTTP/1.1\r\nX: "),
    "its second head": ("GET /{code}/room HTTP/1.1\r\nHost: {address}\r\n\r\n", "GET / HTTP/1.1\r\nX: "),
    "a body": (
        "", "POST /{code}/room/report HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n"
        "Content-Length: 99\r\n\r\n{{",
    ),
    "a body that is refused": (
        "", "POST /{code}/room/report HTTP/1.1\r\nHost: {address}\r\nContent-Type: text/plain\r\n"
        "Content-Length: 99\r\n\r\n{{",
    ),
    "a request behind another": (
        "", "GET /{code}/room HTTP/1.1\r\nHost: {address}\r\n\r\nPOST /{code}/room/report HTTP/1.1\r\n"
        "Host: {address}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n",
    ),
}  # fmt: skip


SOON = 8.0
"""Seconds: many times what these tests allow a request, and less than the door does without them."""


def _cut_off(line: socket.socket, more: bytes, every: float = 0.0) -> float:
    """Seconds until the other side cuts a line on which this is sent without end."""
    began = time.monotonic()
    while time.monotonic() - began < SOON:
        try:
            line.sendall(more)
        except TimeoutError:
            continue
        except OSError:
            break
        time.sleep(every)
    return time.monotonic() - began


@pytest.mark.parametrize("slow", SLOW)
def test_whoever_dribbles_is_cut_off(address, room, monkeypatch, slow):
    """Each byte in time, the whole never."""
    monkeypatch.setattr(door, "REQUEST", 0.4)
    before, dribbled = (text.format(code=room.code, address=address).encode() for text in SLOW[slow])
    with socket.create_connection(address.split(":"), 5) as line:
        line.settimeout(5)
        if before:
            line.sendall(before)
            assert b" 200 " in line.recv(9999)
        line.sendall(dribbled)
        assert _cut_off(line, b"x", 0.02) < SOON


def test_whoever_does_not_read_is_cut_off(address, room, monkeypatch):
    """Answers that nobody takes are not kept for ever."""
    monkeypatch.setattr(door, "REQUEST", 0.4)
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        line.bind(("127.0.0.4", 0))
        line.connect((address.split(":")[0], int(address.split(":")[1])))
        line.settimeout(0.5)
        assert _cut_off(line, f"GET / HTTP/1.1\r\nHost: {address}\r\n\r\n".encode() * 50) < SOON


def test_a_phone_that_is_not_slow_keeps_its_connection(address, room, monkeypatch):
    """Its time, in which a busy machine answers, runs within a request, and not between two."""
    monkeypatch.setattr(door, "REQUEST", 1.5)
    line = http.client.HTTPConnection(address, timeout=5)
    for _ in range(3):
        line.request("GET", f"/{room.code}/room")
        assert line.getresponse().read()
        kept = line.sock
        time.sleep(1.6)
        assert line.sock is kept
    line.close()


def test_one_laptop_shuts_nobody_out(address, room, monkeypatch):
    """It holds as many connections as it likes, each kept alive and in the middle of a second request; others come in,
    and so does a phone behind the same address.
    """
    monkeypatch.setattr(door, "CONNECTIONS", 60)
    monkeypatch.setattr(door, "PER_ADDRESS", 40)
    asked = f"GET /{room.code}/room HTTP/1.1\r\nHost: {address}\r\n\r\n".encode()
    with contextlib.ExitStack() as held:
        for source in ("127.0.0.5", "127.0.0.6"):
            for _ in range(90):
                line = held.enter_context(socket.create_connection(address.split(":"), 5, (source, 0)))
                line.sendall(asked)
                assert b" 200 " in line.recv(9999)
                line.sendall(b"GET / HTTP/1.1\r\nX: ")
            assert len(door.Connection.crowd._of[source]) <= 40
        for source in ("127.0.0.7", "127.0.0.5"):
            phone = Phone(address, room.code, source)
            assert phone.call()[0] == 200
            assert phone.report(4) == (200, {"why": "ok"})
        lines = door.Connection.crowd._of
        assert sum(map(len, lines.values())) <= 60
    deadline = time.monotonic() + 60
    while lines and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not lines, "who has gone is forgotten"


def test_without_permission_no_phone_of_the_network_comes_in(monkeypatch):
    monkeypatch.delenv(door.LAN, raising=False)
    with pytest.raises(classroom.NoDoor, match="--lan"):
        classroom.DOOR.open(lan=True)


def test_the_oldest_room_gives_way_and_forgotten_ones_go(monkeypatch):
    many = rooms.Rooms()
    made = [many.start(ASKED, 3) for _ in range(rooms.MOST_ROOMS + 1)]
    assert many.get(made[0].code) is None
    assert many.get(made[1].code.lower()) is made[1]
    monkeypatch.setattr(rooms, "LIFE", 0.0)
    assert many.get(made[1].code) is None
    assert made[1].add(made[1].ticket(), "a", 4) == "closed"
    many.sweep()
    assert len(many) == 0


def test_after_the_last_room_the_port_is_closed():
    own = door.Door()
    before = threading.active_count()
    url = own.open().removeprefix("http://").split(":")
    assert own.open().endswith(url[1]), "it is there already"
    socket.create_connection(url, 5).close()
    own._stop()
    assert threading.active_count() <= before
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(url, 1)


def test_notes_are_of_the_phone_that_opens_them_first_and_follow_the_lesson(address, monkeypatch):
    lines = (("Ask", "Who <i>is</i> it?"),)
    shared = classroom.NOTES["teacher"] = classroom.PhoneNotes(head="1 · <b>", lines=lines)
    classroom.NOTES["another"] = classroom.PhoneNotes(head="another's")
    mine, pupils = (Phone(address, "") for _ in range(2))
    mine.base = pupils.base = f"/notes/{shared.key}"
    status, sent = pupils.call()
    assert (status, "<b>" in sent, shared.reader) == (200, False, ""), "whoever loads the page alone has not taken them"
    assert mine.call("/now") == (200, {"head": "1 · <b>", "lines": [["Ask", "Who <i>is</i> it?"]]})
    assert "HttpOnly" in mine.attributes
    assert f"Path=/notes/{shared.key};" in mine.attributes
    for pupils.cookie in ("", "reader=", "reader=é"):
        assert pupils.call("/now") == (403, {"why": "taken"})
    shared.head, shared.lines = "2", ()
    assert mine.call("/now") == (200, {"head": "2", "lines": []})
    mine.base = "/notes/teacher"
    assert mine.call("/now") == (404, {"why": "notes"})
    mine.base = pupils.base
    monkeypatch.setattr(notes, "LIFE", 0)
    assert mine.call("/now") == (404, {"why": "notes"})
    assert not classroom.NOTES


def test_the_port_stays_open_for_notes_alone(monkeypatch):
    monkeypatch.setattr(door, "ROOMS", rooms.Rooms())
    own = door.Door()
    classroom.NOTES["teacher"] = classroom.PhoneNotes()
    own.open()
    own.close()
    assert own.is_open
    del classroom.NOTES["teacher"]
    own.close()
    assert not own.is_open
