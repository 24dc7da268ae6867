"""A whole class in browsers: a room with five phones from start to reveal, phones that misbehave, and nothing left."""

import contextlib
import os
import re
import socket
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from ldpapp.classroom import DOOR, ROOMS, door, lan_address
from ldpcore.client import Client

from .conftest import PATIENCE, rest
from .test_looks import violations

expect.set_options(timeout=PATIENCE)
ANSWERS = ["never", "once", "a few times", "often"]
ABOVE = """([parts, height]) =>
    parts.every((part) => document.querySelector(part)?.getBoundingClientRect().bottom <= height)"""
"""Each of these parts ends above this height: the page has taken its size."""
MARKER = "Zwetschgenkuchen"
"""A word that nothing but this class's question has."""


@pytest.fixture(scope="module")
def phones(browser) -> Iterator:
    """phones() → a page of a phone of its own, which knows what it asked for and complained of."""
    contexts = []

    def made(width: int = 390, height: int = 844, dark: bool = False):
        contexts.append(
            browser.new_context(viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light")
        )
        phone = contexts[-1].new_page()
        phone.hosts, phone.complaints = set(), []
        phone.on("request", lambda request: phone.hosts.add(request.url.split("/")[2]))
        phone.on("pageerror", lambda error: phone.complaints.append(str(error)))
        phone.set_default_timeout(PATIENCE)
        return phone

    yield made
    for context in contexts:
        context.close()


def join(phone, url: str):
    phone.goto(url)
    expect(phone.get_by_role("button", name="Draw and send")).to_be_visible()
    return phone


def send(phone, answer: str) -> None:
    phone.get_by_text(answer, exact=True).click()
    phone.get_by_role("button", name="Draw and send").click()
    expect(phone.locator(".drew")).to_be_visible()


def fits(phone) -> bool:
    return phone.evaluate("() => document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def shown(page) -> list[str]:
    return page.locator(".estimates .number").all_inner_texts()


def url_of(page) -> str:
    return "http://" + re.sub(r"\s", "", page.locator(".joining .address").inner_text())


def end(page) -> None:
    page.locator(".st-key-class_leave button").click()
    page.locator(".st-key-class_end button").click()
    expect(page.locator(".st-key-class_start")).to_be_visible()


def refused(url: str) -> bool:
    host, port = url.split("/")[2].split(":")
    with contextlib.closing(socket.socket()) as line:
        return line.connect_ex((host, int(port))) != 0


def written(since: float) -> list[Path]:
    """Files of this user changed since then that hold the question: browsers' own profiles apart."""
    found = []
    for folder, below, names in os.walk(tempfile.gettempdir(), onerror=lambda error: None):
        below[:] = [name for name in below if not re.match(r"playwright|profile|\.?org\.chromium", name)]
        for name in names:
            path = Path(folder) / name
            with contextlib.suppress(OSError):
                status = path.stat()
                if path.is_file() and status.st_mtime >= since and status.st_size < 5e6:
                    found += [path] if MARKER.encode() in path.read_bytes() else []
    return found


def test_five_phones_from_start_to_reveal(open_page, phones, tmp_path_factory) -> None:
    began = time.time()
    page = open_page("/class")
    rest(page)  # what is typed while the page is still being drawn is written over
    page.get_by_label("Question").fill(f"Who likes {MARKER}?")
    page.get_by_label("Question").press("Enter")
    rest(page)
    expect(page.get_by_label("Question")).to_have_value(f"Who likes {MARKER}?")
    expect(page.locator(".st-key-class_start button")).to_be_enabled()
    page.locator(".st-key-class_start button").click()
    expect(page.locator(".asked")).to_contain_text(MARKER)
    expect(page.locator("body")).to_contain_text("0 of 28 phones")
    url = url_of(page)
    code = url.split("/")[-1]
    before = page.locator(".st-key-class_controls").bounding_box()

    # Four phones: the board counts, and says nothing yet.
    first, reloads, loses, late, closed = (phones(dark=number == 1) for number in range(5))
    join(first, url)
    assert violations(first) == []
    send(first, "never")
    assert violations(first) == []
    expect(page.locator("body")).to_contain_text("1 of 28 phones")
    assert shown(page) == [""] * 4

    # A phone that loads the page again has answered; it cannot send another.
    send(join(reloads, url), "often")
    reloads.reload()
    expect(reloads.get_by_text("This phone has answered.")).to_be_visible()
    assert violations(reloads) == []
    told = reloads.evaluate(
        "async base => (await fetch(base + '/report', {method: 'POST', headers: {'Content-Type': 'application/json'},"
        " body: '{\"report\": 4}'})).json()",
        f"/{code}/room",
    )
    assert told == {"why": "twice"}

    # A phone that loses its network sends the very same report again, and is counted once.
    join(loses, url)
    bodies = []
    loses.on("request", lambda request: bodies.append(request.post_data) if request.method == "POST" else None)
    loses.context.set_offline(True)
    loses.get_by_text("a few times", exact=True).click()
    loses.get_by_role("button", name="Draw and send").click()
    again = loses.get_by_role("button", name="Send it again")
    expect(again).to_be_visible()
    assert "same network" in loses.get_by_role("alert").inner_text()
    again.click()
    expect(again).to_be_enabled()
    loses.context.set_offline(False)
    again.click()
    expect(loses.locator(".drew")).to_be_visible()
    assert len(bodies) == 3
    assert len(set(bodies)) == 1, "drawn once"
    expect(page.locator("body")).to_contain_text("3 of 28 phones")

    # A phone that guesses codes learns that there is no room; one without a code is asked for it.
    late.goto(url[: -len(code)])
    late.get_by_label("The code on the board").fill("aaa aaa")
    late.get_by_role("button", name="Join").click()
    expect(late.get_by_text("There is no such room.")).to_be_visible()
    assert violations(late) == []
    late.get_by_role("button", name="Type the code").click()
    late.get_by_label("The code on the board").fill(f"{code[:3]} {code[3:]}".lower())
    late.get_by_label("The code on the board").press("Enter")
    expect(late.get_by_role("button", name="Draw and send")).to_be_visible()
    send(late, "once")
    join(closed, url)
    send(closed, "never")
    expect(page.locator("body")).to_contain_text("5 of 28 phones")
    expect(page.locator(".estimates .number").first).to_contain_text("%")
    assert all(re.fullmatch(r"\d+ % \(\d+–\d+\)", each) for each in shown(page))
    expect(page.locator("body")).to_contain_text("1 report (1 a second time)")
    assert page.locator(".st-key-class_controls").bounding_box() == before, "nothing jumps"
    assert violations(page) == []

    # Closed: whoever comes now is told so. Then the open vote, and both beside each other.
    page.locator(".st-key-class_close button").click()
    expect(page.locator("body")).to_contain_text("Closed: 5 of 28")
    sixth = phones(width=360, height=640)
    sixth.goto(url)
    expect(sixth.get_by_text("The survey is closed.")).to_be_visible()
    page.locator(".st-key-class_vote button").click()
    vote = first.locator("#vote")
    vote.get_by_role("button", name="often").click()
    expect(first.get_by_text("Your vote is counted.")).to_be_in_viewport()
    vote.get_by_role("button", name="Take it back").click()
    expect(vote.get_by_role("heading", name="Now openly, if you like")).to_be_in_viewport()
    vote.get_by_role("button", name="never").click()
    expect(first.get_by_text("Your vote is counted.")).to_be_visible()
    expect(page.locator(".st-key-class_reveal button")).to_contain_text("1 of 5 needed")
    expect(page.locator(".st-key-class_reveal button")).to_be_disabled()
    for other in (reloads, loses, late, closed):
        other.locator("#vote").get_by_role("button", name="never").click()
    expect(page.locator(".st-key-class_reveal button")).to_be_enabled()
    page.locator(".st-key-class_reveal button").click()
    expect(page.locator(".vote-told")).to_contain_text("5 of 5 voted")
    assert shown(page)[0].endswith("◇ 100")
    assert violations(page) == []

    # A reload of the board brings it back; another session too. It needs no scrolling, nor does the projector.
    page.goto(page.url)
    expect(page.locator(".vote-told")).to_contain_text("5 of 5 voted")
    parts = [".st-key-panel_class_told", ".vote-told", ".st-key-class_controls", ".joining"]
    for height in (720, 1080):
        page.set_viewport_size({"width": height * 16 // 9, "height": height})
        page.wait_for_function(ABOVE, arg=[parts, height])
    page.locator("body").press("p")
    expect(page.locator('[data-testid="stHeader"]')).to_be_hidden()
    page.wait_for_function(ABOVE, arg=[parts[1:], 1080])
    page.wait_for_function("() => parseFloat(getComputedStyle(document.documentElement).fontSize) > 30")
    page.wait_for_function(ABOVE, arg=[parts[1:], 1080])
    page.wait_for_function("() => document.querySelector('.joining img')?.getBoundingClientRect().width >= 212")
    page.locator("body").press("p")
    expect(page.locator('[data-testid="stHeader"]')).to_be_visible()

    # The end: the port is closed, nothing went elsewhere, nothing is written or logged.
    end(page)
    assert refused(url)
    for phone in (first, reloads, loses, late, closed, sixth):
        assert phone.complaints == []
        assert phone.hosts == {url.split("/")[2]}
        assert fits(phone)
    assert page.hosts == {page.url.split("/")[2]}
    assert page.complaints == []
    logs = list(tmp_path_factory.getbasetemp().glob("dashboard*/log.txt"))
    assert logs, "the server's output is read"
    for log in logs:
        said = log.read_text()
        assert not any(secret in said for secret in (MARKER, code, '"report"'))
    assert not [path for folder in tmp_path_factory.getbasetemp().glob("elsewhere*") for path in folder.iterdir()]
    assert written(began) == []


@pytest.fixture
def no_room_is_left() -> Iterator[None]:
    yield
    for code in ROOMS.codes():
        ROOMS.close(code)
    DOOR.close()


@pytest.mark.usefixtures("no_room_is_left")
@pytest.mark.skipif(lan_address() is None, reason="this machine is in no network")
def test_a_phone_of_the_network_reaches_the_question_and_nothing_else(phones, monkeypatch) -> None:
    """What `ldpcore dashboard --lan` permits (test_cli.py), without a second dashboard."""
    monkeypatch.setenv(door.LAN, "1")
    monkeypatch.setattr(door, "PORT", 0)  # one that nobody has, on no address
    room = ROOMS.start(Client.of("uSS", 2.0, ANSWERS, [False, False, True, True], MARKER), 3)
    url = f"{DOOR.open(lan=True)}/{room.code}"
    assert url.startswith(f"http://{lan_address()}:")
    phone = join(phones(), url)
    send(phone, "often")
    assert room.seen().tally.n == 1
    assert phone.hosts == {url.split("/")[2]}
    _, port = url.split("/")[2].split(":")
    assert refused(f"http://127.0.0.1:{port}/"), "one address, not all"
    ROOMS.close(room.code)
    DOOR.close()
    assert refused(url)


@pytest.mark.thorough
def test_only_the_browser_that_opened_the_room_leads_it(open_page, phones, address) -> None:
    """After a reload it still does; another browser has none of its buttons, with the code or the whole address."""
    page = open_page("/class")
    rest(page)
    page.locator(".st-key-class_start button").click()
    expect(page.locator(".joining")).to_be_visible()
    page.wait_for_function("() => document.cookie.includes('ldpcore_rooms')")
    link = page.url
    page.reload()
    expect(page.locator(".joining")).to_be_visible()
    for path in (link, f"{address}/class"):
        other = phones(width=1280, height=720)
        other.goto(path)
        expect(other.get_by_role("button", name="Open the room")).to_be_visible()
        assert not [
            said for said in other.locator("button").all_inner_texts() if "Back to room" in said or "End" in said
        ]
        assert other.locator(".joining").count() == 0
    page.goto(f"{address}/class")
    page.get_by_role("button", name="Back to room").click()
    expect(page.locator(".joining")).to_be_visible()
    end(page)
