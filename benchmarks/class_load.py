"""200 phones in a minute on loopback, with the board open in a browser: how long they wait, and that none is lost.

    python benchmarks/class_load.py [phones] [seconds]

Needs chromium and playwright (the extra `test`). Every phone has an address of its own, draws by its own law, thinks
for a while and sends once. Exits with 1 if a report is lost, or 1 of 20 requests takes half a second or longer.
"""

import http.client
import json
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections import defaultdict
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from ldpcore.client import Client

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
THINKING = 3.0
"""Seconds at most between the question and the tap."""
WORST = 0.5


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


def dashboard(folder: str) -> tuple[subprocess.Popen, str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(Path(sys.executable).with_name("ldpcore")), "dashboard", "--server.headless", "true"]
    server = subprocess.Popen([*command, "--server.port", str(port)], stdout=subprocess.DEVNULL, cwd=folder)
    url = f"http://127.0.0.1:{port}"
    for _ in range(300):
        try:
            urllib.request.urlopen(f"{url}/_stcore/health", timeout=2).close()
            return server, url
        except OSError:
            time.sleep(0.2)
    raise RuntimeError("the dashboard did not start")


def main(phones: int = 200, seconds: float = 60.0) -> int:
    waited: dict[str, list[float]] = defaultdict(list)
    told: list[str] = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        server, url = dashboard(folder)
        try:
            page = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"]).new_page()
            page.set_default_timeout(120_000)
            page.goto(f"{url}/class")
            page.get_by_label("Pupils", exact=True).fill(str(phones))
            page.get_by_label("Pupils", exact=True).press("Enter")
            page.get_by_text(f"With {phones} pupils").wait_for()
            page.locator(".st-key-class_start button").click()
            address = page.locator(".joining .address")
            room = "http://" + re.sub(r"\s", "", address.inner_text())
            all_of_them = [Phone(i, room, random.random() * seconds, waited, told) for i in range(phones)]
            for phone in all_of_them:
                phone.start()
            for phone in all_of_them:
                phone.join()
            page.get_by_text(f"{phones} of {phones} phones have sent").wait_for()
        finally:
            server.terminate()
            server.wait(timeout=60)
    for kind, times in waited.items():
        p50, p95, most = np.percentile(times, [50, 95, 100])
        print(f"{kind:9} n = {len(times)}: half within {p50:.3f} s, 95 % within {p95:.3f} s, all within {most:.3f} s")
    lost = phones - told.count("ok")
    print(f"{phones} phones in {seconds:g} s, the board open: {lost} lost")
    return int(lost > 0 or max(np.percentile(times, 95) for times in waited.values()) >= WORST)


if __name__ == "__main__":
    sys.exit(main(*(int(each) for each in sys.argv[1:])))
