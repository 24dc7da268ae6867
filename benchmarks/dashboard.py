"""The dashboard in a browser: started as a person would, and what a page's own clock says of it."""

import math
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.case import NotHere

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
PATIENCE = 180.0
"""Seconds until what a page should show is given up."""
STILL = 1.5
"""Seconds without a running script after which a page is filled: between two slices of work it rests for an instant."""

CLOCK = """() => {
    const sight = each => each.offsetParent !== null;
    window.clock = {from: 0, left: true, first: null, idle: null, filled: null, still: null, rested: null};
    const look = () => {
        const clock = window.clock, now = performance.now();
        const charts = [...document.querySelectorAll('[data-testid="stPlotlyChart"]')].filter(sight);
        const said = [...document.querySelectorAll('.sentence, .story')].some(sight);
        if (!charts.length || clock.page && document.querySelector('.where')?.textContent === clock.page)
            clock.left = true;
        const drawn = charts.length && charts.every(each => each.querySelector('.main-svg'));
        if (clock.left && clock.first === null && said && drawn)
            clock.first = now - clock.from;
        const app = document.querySelector('[data-testid="stApp"]');
        const busy = app?.getAttribute('data-test-script-state') !== 'notRunning';
        if (busy) clock.still = null;
        else clock.still ??= now;
        if (clock.rested === null && clock.still !== null && now - clock.still > STILL)
            clock.rested = clock.still - clock.from;
        if (busy || clock.first === null) clock.idle = null;
        else if (clock.idle === null) clock.idle = now;
        if (clock.filled === null && clock.idle !== null && now - clock.idle > STILL)
            clock.filled = clock.idle - clock.from;
        requestAnimationFrame(look);
    };
    look();
}""".replace("STILL", str(1000 * STILL))
"""Milliseconds since the page was asked for: until its sentence and all charts in sight are drawn, and until nothing
runs any more; `rested` is the latter of a page that may have no chart. Whoever goes on from another page leaves it
first: Streamlit clears it, and says which one is shown.
"""
RESTART = """() => {
    window.clock = {from: performance.now(), left: LEFT, page: "PAGE", first: null, idle: null, filled: null,
                    still: null, rested: null};
}"""


@contextmanager
def served(**how: Any) -> Iterator[tuple[str, subprocess.Popen, float]]:
    """Address and process of a fresh dashboard, and the seconds until it answered; `how` is for the process."""
    with _served([str(Path(sys.executable).with_name("ldpcore")), "dashboard"], **how) as server:
        yield server


@contextmanager
def _served(command: list[str], **how: Any) -> Iterator[tuple[str, subprocess.Popen, float]]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [*command, "--server.headless", "true", "--server.port", str(port)]
    url, silent = f"http://127.0.0.1:{port}", {"stdout": subprocess.DEVNULL, "stderr": subprocess.STDOUT}
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        server = subprocess.Popen(command, cwd=folder, **{**silent, **how})
        try:
            yield url, server, _answered(url, server) - began
        finally:
            server.terminate()
            server.wait(timeout=60)


BARE = """import streamlit as st
from plotly.graph_objects import Figure, Scatter
st.html('<div class="sentence">A sentence.</div>')
st.plotly_chart(Figure(Scatter(x=[1, 2, 3], y=[3, 1, 2])), theme=None)
"""
"""Nothing but a sentence and a chart: what Streamlit and Plotly take for themselves."""


@contextmanager
def bare() -> Iterator[str]:
    """Address of a page of Streamlit's that does nothing."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "bare.py"
        script.write_text(BARE, encoding="utf-8")
        quiet = ["--browser.gatherUsageStats", "false", "--server.address", "127.0.0.1"]
        with _served([sys.executable, "-m", "streamlit", "run", str(script), *quiet]) as (url, _, _):
            yield url


@contextmanager
def started() -> Iterator[tuple[str, float]]:
    """Address of a fresh dashboard, and the seconds until it answered."""
    with served() as (url, _, seconds):
        yield url, seconds


def _answered(url: str, server: subprocess.Popen) -> float:
    while server.poll() is None:
        try:
            urllib.request.urlopen(f"{url}/_stcore/health", timeout=2).close()
            return time.monotonic()
        except OSError:
            time.sleep(0.02)
    raise RuntimeError(f"the dashboard ended with {server.returncode} before it answered")


@contextmanager
def browser() -> Iterator[Any]:
    """Chromium with one profile: what it has loaded and compiled once it keeps, as a person's does."""
    from playwright.sync_api import sync_playwright

    if shutil.which(CHROMIUM) is None:
        raise NotHere(f"{CHROMIUM} is not installed; install Debian's chromium, or set CHROMIUM")
    with tempfile.TemporaryDirectory() as profile, sync_playwright() as play:
        opened = play.chromium.launch_persistent_context(
            profile, executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"], reduced_motion="reduce"
        )
        opened.set_default_timeout(1000 * PATIENCE)
        yield opened
        opened.close()


@contextmanager
def tab(opened: Any) -> Iterator[Any]:
    """A page of a new session, whose clock starts when it is asked for something."""
    page = opened.new_page()
    page.set_viewport_size({"width": 1280, "height": 720})
    page.add_init_script(f"({CLOCK})()")
    try:
        yield page
    finally:
        page.close()


def go(page: Any, title: str) -> None:
    """Another page of the same session, by its link on top; the clock starts with the click."""
    page.evaluate(RESTART.replace("LEFT", "false").replace("PAGE", title))
    page.locator(f'[data-testid="stTopNavLink"][href$="/{title.lower()}"]').click()


def again(page: Any) -> None:
    """The clock starts anew on the page that is there."""
    page.evaluate(RESTART.replace("LEFT", "true").replace("PAGE", ""))


def first(page: Any) -> float:
    """Seconds until there was something to see; inf where PATIENCE ends before."""
    return _when(page, "first")


def filled(page: Any) -> float:
    """Seconds until it was complete; inf where PATIENCE ends before."""
    return _when(page, "filled")


def _when(page: Any, what: str) -> float:
    from playwright.sync_api import TimeoutError as TooLong

    try:
        return page.wait_for_function(f"() => window.clock.{what}", polling=50).json_value() / 1000
    except TooLong:
        return math.inf


def upload(page: Any, path: Path) -> None:
    """On the page Data, as a person does it; until that page is at rest."""
    filled(page)
    page.get_by_role("button", name="Upload").click()
    page.locator('input[type="file"]').first.set_input_files(path)
    page.get_by_text(path.name).first.wait_for()
    again(page)
    _when(page, "rested")  # of a file that is asked about no chart is shown
