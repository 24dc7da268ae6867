"""A dashboard and a browser for the tests that need them; without chromium these tests skip."""

import gc
import logging
import os
import pickle
import shutil
import socket
import subprocess
import sys
import time
import tomllib
import urllib.request
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, cached_property, wraps
from pathlib import Path
from typing import Any

import pytest
from streamlit import config
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.state.session_state import SessionState
from streamlit.testing.v1 import local_script_runner

from ldpcore.study import axis_points

axis_points.POINTS = 7  # before anything draws a line: its limits are programs to be solved, point by point
from ldpapp.compute import memory  # noqa: E402
from ldpapp.runtime import display, errors  # noqa: E402
from ldpcore import limit  # noqa: E402
from ldpcore.questionnaire import attackers  # noqa: E402
from ldpcore.study.means import limit as means_limit  # noqa: E402
from ldpcore.study.sets import curves as set_curves  # noqa: E402

from .opening import MAIN, nothing_behind  # noqa: E402

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
OPENING = 240_000
"""Milliseconds until a page that does not open has failed: many times what it takes on two slow and busy cores."""
PATIENCE = 90_000
"""Milliseconds until what is expected of an open page has failed: less, because a wrong expectation costs all of it."""
FLAGS = [
    "--no-sandbox",
    "--disable-background-networking",
    # Nothing moves and nobody looks: a sixth of the processor's time is that of what would be seen.
    "--disable-gpu",
    "--disable-software-rasterizer",
    # A page is left before its scripts would have earned back what it takes to make them fast: another sixth.
    "--js-flags=--no-opt --min-semi-space-size=32",
]
"""How browsers are started."""
NOTHING = "/_stcore/health"
"""An address of the dashboard that runs no script."""
QUICKER = """
from ldpcore.questionnaire import attackers
from ldpcore.study import axis_points
attackers.TREES, axis_points.POINTS = 10, 7
from ldpcore.cli import main
main()
"""
"""The command `ldpcore`, with lines of as few points and attackers of as few trees as in the tests of this process."""
READY = """() => {
    const charts = [...document.querySelectorAll('[data-testid="stPlotlyChart"]')].filter(chart => chart.offsetParent);
    return document.querySelector('.sentence, .story, [data-testid="stException"]') !== null
        && charts.every(chart => chart.querySelector('.main-svg'));
}"""
"""Its finding is there, and every chart in sight is drawn."""
HEARD = """(() => {
    const now = () => performance.now(), { send } = WebSocket.prototype, known = new WeakSet();
    const [HASH, METADATA, BEGUN, ENDED, FOR_ANOTHER] = [0x0a, 0x12, 0x22, 0x30, 2];  // Streamlit's ForwardMsg
    window.talk = { said: 0, heard: 0, resized: -Infinity, between: false };
    const hear = ({ data }) => {
        const bytes = new Uint8Array(data);
        let at = 0;
        while ([HASH, METADATA].includes(bytes[at])) at += 2 + bytes[at + 1];
        if (bytes[at] === BEGUN) window.talk.between = false;
        if (bytes[at] === ENDED) window.talk.between = bytes[at + 1] === FOR_ANOTHER;
        window.talk.heard = now();
    };
    WebSocket.prototype.send = function (...words) {
        if (!known.has(this)) this.addEventListener('message', hear);
        known.add(this);
        window.talk.said = now();
        return send.apply(this, words);
    };
    window.addEventListener('resize', () => { window.talk.resized = now(); });
})()"""
"""When a page last said something to the dashboard, when it heard of it, and whether it is between a run and another
that this one asked for.
"""
AT_REST = """() => {
    const app = document.querySelector('[data-testid="stApp"]'), { said, heard, resized, between } = window.talk;
    const still = app?.getAttribute('data-test-script-state') === 'notRunning'
        && heard > said && !between
        && performance.now() - resized > 300
        && window.ldpcoreGround === getComputedStyle(app).backgroundColor;
    window.stillFor = still ? (window.stillFor ?? 0) + 1 : 0;
    return window.stillFor > 2;
}"""
"""What was said is answered, a new size and a new theme are told (screen.js), and it stays so for some looks: these
come after whatever draws.
"""


POLICY = "Content Security Policy"
"""What a browser says of whatever the policy of ldpapp.server forbade."""


@pytest.fixture(scope="session", autouse=True)
def limits_at_two_points() -> Iterator[None]:
    """The limit for sets is the engine's, and seconds of work at every point: two of them make a line."""
    limited = set_curves.limited
    with pytest.MonkeyPatch.context() as patch:

        def few(*asked):
            along, points = limited(*asked)
            return along, points[:2]

        patch.setattr(set_curves, "limited", few)
        yield


@pytest.fixture(scope="session", autouse=True)
def limits_solved_once() -> Iterator[None]:
    """A limit depends on its numbers alone, and takes up to seconds: sessions that ask for the same have the same."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (limit, means_limit):
            for name in [each for each in vars(module) if each.startswith("best")]:
                patch.setattr(module, name, _solved_once(getattr(module, name)))
        yield


def _solved_once(solve: Callable[..., Any]) -> Callable[..., Any]:
    known: dict[bytes, Any] = {}

    @wraps(solve)
    def solved(*args: Any, **options: Any) -> Any:
        key = pickle.dumps((args, options))
        if key not in known:
            known[key] = solve(*args, **options)
        return known[key]

    return solved


@pytest.fixture(scope="session", autouse=True)
def few_trees() -> Iterator[None]:
    """Pages show what the engine's attackers find, however well these have learned: half a second each time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(attackers, "TREES", 10)
        yield


STARTED = sys.modules["__main__"]


@pytest.fixture(autouse=True)
def the_same_main() -> Iterator[None]:
    """AppTest leaves the dashboard's script as the main module, which processes spawned by a later test would run."""
    yield
    sys.modules["__main__"] = STARTED


@pytest.fixture
def still() -> Iterator[None]:
    """Pages show what they show at once: nothing more is simulated behind them."""
    with nothing_behind():
        yield


@pytest.fixture(scope="module")
def all_still() -> Iterator[None]:
    """The same for all tests of a module, and what it opens for them."""
    with nothing_behind():
        yield


@pytest.fixture(scope="session", autouse=True)
def settings_of_the_dashboard() -> None:
    """AppTest does not read them: it would look for magic in every script, count every call of Streamlit, and look for
    garbage after every run, which is a sixth of what a page takes; here that is done after every module.
    """
    told = tomllib.loads((MAIN.parent / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    for section, name in (("runner", "magicEnabled"), ("browser", "gatherUsageStats"), ("runner", "postScriptGC")):
        config.set_option(f"{section}.{name}", told[section][name])


@pytest.fixture(scope="session", autouse=True)
def asked_for_no_page() -> Iterator[None]:
    """Whatever a test asks of a session is for no page, and Streamlit warns of each look at it, some hundred times in a
    test; pytest keeps every warning and writes it out.
    """
    log = logging.getLogger(errors.NO_PAGE)
    log.disabled = True
    yield
    log.disabled = False


@pytest.fixture(scope="session", autouse=True)
def installed_components() -> Iterator[None]:
    """Every session of AppTest reads the metadata of all that is installed, a tenth of a second; it stays the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture(scope="session", autouse=True)
def compiled_once() -> Iterator[None]:
    """Every run of AppTest has a store of compiled scripts of its own, and would compile the dashboard's again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_script_runner, "ScriptCache", cache(local_script_runner.ScriptCache))
        yield


class WholeState(Mapping):
    """All that a session has by its keys; gathered only when somebody wants all of it."""

    def __init__(self, state: SessionState) -> None:
        self._state = state

    @cached_property
    def _all(self) -> dict[str, Any]:
        return ALL_OF(self._state)

    def __contains__(self, key: object) -> bool:
        return key in self._state

    def __getitem__(self, key: str) -> Any:
        return self._state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)


ALL_OF = SessionState.filtered_state.fget  # type: ignore[attr-defined]


@pytest.fixture(scope="session", autouse=True)
def state_looked_up_key_by_key() -> Iterator[None]:
    """Streamlit gathers all of a session for each of its widgets, to look up one key: a tenth of drawing a page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SessionState, "filtered_state", property(WholeState))
        yield


PROGRESS = {"simulated", "summaries", "means_limits", "sets_limits", "searched"}
"""What a session may have or not yet have, and pages look different."""


@pytest.fixture(scope="module", autouse=True)
def work_done_once() -> Iterator[None]:
    """What one session of a module has made of the same data for the same question, the others have."""
    own, made = memory.store, defaultdict(OrderedDict)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(memory, "store", lambda name: own(name) if name in PROGRESS else made[name])
        yield
    made.clear()
    gc.collect()  # the sessions of a module


@pytest.fixture(scope="session", autouse=True)
def woken_when_a_page_is_drawn() -> Iterator[None]:
    """AppTest looks a thousand times a second whether a page is drawn, and takes from it what that costs."""
    with pytest.MonkeyPatch.context() as patch:
        look = local_script_runner.require_widgets_deltas

        def wait(runner: local_script_runner.LocalScriptRunner, timeout: float) -> None:
            assert runner._script_thread is not None
            runner._script_thread.join(timeout)
            look(runner, 0.1)

        patch.setattr(local_script_runner, "require_widgets_deltas", wait)
        yield


@pytest.fixture(scope="session", autouse=True)
def registered_in_every_session() -> Iterator[None]:
    """A dashboard registers its component once; every session of AppTest is a server of its own (Streamlit 1.65)."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(display, "_component", display._component.__wrapped__)
        yield


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The dashboard, started as the command does, from a folder that has nothing to do with it."""
    if not Path(CHROMIUM).exists() and shutil.which(CHROMIUM) is None:
        pytest.skip(f"{CHROMIUM} is not installed; browser tests need Debian's chromium (or set CHROMIUM)")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = (tmp_path_factory.mktemp("dashboard") / "log.txt").open("w+")
    command = [
        sys.executable,
        "-c",
        QUICKER,
        "dashboard",
        "--server.headless",
        "true",
        "--server.port",
        str(port),
    ]
    server = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, cwd=tmp_path_factory.mktemp("elsewhere"))
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_for(url + NOTHING, server, log.name)
        yield url
    finally:
        server.terminate()
        server.wait(timeout=20)
        log.close()


def _wait_for(url: str, server: subprocess.Popen, log: str) -> None:
    for _ in range(600):
        if server.poll() is not None:
            raise RuntimeError(f"the dashboard ended: {Path(log).read_text()}")
        try:
            urllib.request.urlopen(url, timeout=2).close()
            return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"the dashboard did not start in two minutes: {Path(log).read_text()}")


@pytest.fixture(scope="session")
def play():
    """What starts browsers: a process can have one."""
    from playwright.sync_api import sync_playwright

    if not Path(CHROMIUM).exists() and shutil.which(CHROMIUM) is None:
        pytest.skip(f"{CHROMIUM} is not installed; browser tests need Debian's chromium (or set CHROMIUM)")
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def chromium(address: str, play, tmp_path_factory: pytest.TempPathFactory):
    """One browser with one profile: scripts it has loaded and compiled once it need not load and compile again."""
    browser = play.chromium.launch_persistent_context(
        tmp_path_factory.mktemp("profile"),
        executable_path=CHROMIUM,
        args=FLAGS,
        reduced_motion="reduce",
        accept_downloads=True,
    )
    browser.set_default_timeout(PATIENCE)
    browser.add_init_script(HEARD)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def browser(play):
    """Another browser, for phones, papers and other people: a context of it has seen nothing yet."""
    started = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    yield started
    started.close()


@pytest.fixture(scope="session")
def forget(chromium, address) -> Callable[[], None]:
    """Nothing is stored in the browser any more; said where no script of the dashboard runs, which would store more."""
    bare = chromium.new_page()
    bare.goto(address + NOTHING)

    def forgotten() -> None:
        chromium.clear_cookies()
        bare.evaluate("() => localStorage.clear()")

    return forgotten


@pytest.fixture(scope="session")
def spare(chromium) -> list:
    """Tabs that nobody looks at: in one that has shown a page the next one opens in half of the time."""
    return []


@contextmanager
def tabs(browser, address: str, forget: Callable[[], None], spare: list) -> Iterator[Callable]:
    """Opens pages, and leaves them in the end. Nobody was here before: nothing is stored, only scripts are at hand."""
    pages, own = [], []

    def opened(path: str = "/", size: tuple[int, int] = (1280, 720), script: str = ""):
        page = spare.pop() if spare and not script else listened(browser.new_page())
        (own if script else pages).append(page)
        if script:  # stays in its tab
            page.add_init_script(script)
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(color_scheme="light")
        page.hosts, page.complaints = set(), []
        page.goto(address + path, timeout=OPENING)
        page.wait_for_function(READY, polling=50, timeout=OPENING)
        return page

    yield opened
    for page in own:
        page.close()
    for page in pages:
        page.goto(address + NOTHING)
        page.evaluate("() => sessionStorage.clear()")
    forget()
    spare.extend(pages)


def listened(page):
    """It knows what it asked for and complained of."""
    page.on("request", lambda request: page.hosts.add(request.url.split("/")[2]) if "://" in request.url else None)
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("console", lambda told: page.complaints.append(told.text) if POLICY in told.text else None)
    return page


@pytest.fixture
def open_page(chromium, address, forget, spare):
    """open_page("/frequency") → a page that shows its finding and its charts, work behind it or not; it knows what it
    asked for and complained of.
    """
    with tabs(chromium, address, forget, spare) as opened:
        yield opened


@pytest.fixture(scope="module")
def keep_page(chromium, address, forget, spare):
    """The same for a page that the tests of a module look at one after the other, and leave as they found it."""
    with tabs(chromium, address, forget, spare) as opened:
        yield opened


def rest(page) -> None:
    """Wait until nothing runs and the charts are drawn. For a small study: a large one is simulated to its end, which
    takes as long as opening a page.
    """
    page.evaluate("() => { window.stillFor = 0 }")
    page.wait_for_function(AT_REST, polling=50, timeout=OPENING)
    page.wait_for_function(READY, polling=50)
