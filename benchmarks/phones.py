"""A class at once: phones on loopback, each with an address of its own, that draw by their own law and send once."""

import http.client
import json
import random
import re
import threading
import time
from collections import defaultdict
from typing import Any

from ldpcore.client import Client

THINKING = 3.0
"""Seconds at most between the question and the tap."""


class Phone(threading.Thread):
    """Page, question, report: each on one connection that is kept, as a browser would."""

    def __init__(self, number: int, url: str, delay: float, waited: dict[str, list[float]], told: list[str]) -> None:
        super().__init__(daemon=True)
        self.number, self.delay, self.waited, self.told = number, delay, waited, told
        self.address, self.code = url.removeprefix("http://").split("/")
        self.cookie = ""

    def run(self) -> None:
        time.sleep(self.delay)
        own = f"127.0.{1 + self.number // 250}.{1 + self.number % 250}"
        line = http.client.HTTPConnection(self.address, timeout=30, source_address=(own, 0))
        try:
            self.call(line, "page", f"/{self.code}")
            asked = json.loads(self.call(line, "question", f"/{self.code}/room"))
            fields = ("mechanism", "epsilon", "answers", "sensitive", "question")
            survey = Client.of(*(asked[name] for name in fields))
            time.sleep(random.random() * THINKING)
            report = {"report": survey.draw(random.choice(survey.answers))}
            self.told.append(json.loads(self.call(line, "report", f"/{self.code}/room/report", report))["why"])
        except OSError as error:
            self.told.append(type(error).__name__)

    def call(self, line: http.client.HTTPConnection, kind: str, path: str, body: object = None) -> bytes:
        headers = {"Cookie": self.cookie} if self.cookie else {}
        if body is not None:
            headers |= {"Content-Type": "application/json", "Origin": f"http://{self.address}"}
        began = time.perf_counter()
        line.request("GET" if body is None else "POST", path, None if body is None else json.dumps(body), headers)
        answer = line.getresponse()
        text = answer.read()
        self.waited[kind].append(time.perf_counter() - began)
        if cookie := answer.getheader("Set-Cookie"):
            self.cookie = cookie.partition(";")[0]
        return text


def rush(page: Any, url: str, phones: int, seconds: float) -> dict[str, list[float]]:
    """How long each phone waited for the page, the question and its report, while the board is open in `page`.

    RuntimeError if a report is lost.
    """
    waited: dict[str, list[float]] = defaultdict(list)
    told: list[str] = []
    page.goto(f"{url}/class")
    page.get_by_label("Pupils", exact=True).fill(str(phones))
    page.get_by_label("Pupils", exact=True).press("Enter")
    page.get_by_text(f"With {phones} pupils").wait_for()
    page.locator(".st-key-class_start button").click()
    room = "http://" + re.sub(r"\s", "", page.locator(".joining .address").inner_text())
    everybody = [Phone(i, room, random.random() * seconds, waited, told) for i in range(phones)]
    for phone in everybody:
        phone.start()
    for phone in everybody:
        phone.join()
    if lost := phones - told.count("ok"):
        raise RuntimeError(f"{lost} of {phones} reports are lost")
    page.get_by_text(f"{phones} of {phones} phones have sent").wait_for()
    return waited
