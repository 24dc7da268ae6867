"""Two walls around the dashboard, in a real browser: labels are text, and no page asks another host, whatever it says.

And every file that a page offers comes when it is asked for.
"""

import http.server
import io
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator

import pandas as pd
import pytest
from playwright.sync_api import TimeoutError, expect

from ldpapp.views.others import VIEWS
from ldpapp.views.tasks import TASKS
from ldpapp.words import JOINER

from .conftest import PATIENCE, POLICY, rest

expect.set_options(timeout=PATIENCE)
ADDRESSES = [view.address for view in VIEWS] + [task.address for task in TASKS.values()]
HOME = next(view.address for view in VIEWS if view.home)
FILE = 15_000
"""Milliseconds until a file that does not come is asked for once more: a busy browser loses a click, or a file."""
TASK_PAGES = {task.address for task in TASKS.values()}
FILED = ("data",)
"""The page whose every file is asked for in the usual suite; all pages (thorough) take above a minute."""
UNFOLD = """() => {
    const closed = [...document.querySelectorAll('[data-testid="stExpander"] details:not([open]) > summary')];
    closed.forEach(fold => fold.click());
    return closed.length;
}"""
OPEN = """() => {
    const closed = [...document.querySelectorAll('[data-testid="stPopover"] button[aria-expanded="false"]')];
    closed.forEach(button => button.click());
    return closed.length;
}"""
"""Every popover opens, all at once and once only: whatever is pressed outside of those that are open closes them."""
OFFERED = """() => {
    const all = [...document.querySelectorAll('[data-testid="stDownloadButton"]')]
        .map(each => each.querySelector('button[data-testid^="stBaseButton"]'));  // with a help there are two
    const popped = offer => offer.closest('[data-testid="stPopoverBody"]') !== null;
    window.offers = [...all.filter(popped), ...all.filter(offer => !popped(offer))];
    return window.offers.map(offer => {
        const keyed = offer.closest('[data-testid="stElementContainer"]').className.match(/st-key-(\\S+)/);
        return keyed ? keyed[1] : offer.innerText;
    });
}"""
"""The key of each button that downloads, or what it says if it has none; those in popovers first, see above."""


@pytest.fixture
def elsewhere() -> Iterator[tuple[str, list[str]]]:
    """The address of another host, and what it was asked for."""
    asked: list[str] = []

    class Other(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<iframe></iframe>")

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Other)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}", asked
    server.shutdown()
    server.server_close()


def drawn(page) -> None:
    """At rest, and the browser has the scripts of all that stands on it."""
    rest(page)
    page.wait_for_function("() => !document.querySelector('[data-testid=\"stSkeleton\"]')", polling=50)


def address_of(page_of: str) -> str:
    return "/" if page_of == HOME else f"/{page_of}?reps=1"


def offered(page) -> list[str]:
    """The buttons that download, with everything open that opens."""
    drawn(page)
    page.evaluate(UNFOLD)
    drawn(page)
    page.evaluate(OPEN)
    drawn(page)
    return page.evaluate(OFFERED)


def downloaded(page, names: list[str], name: str):
    """The file of one button, asked for up to three times: a popover that closed has taken its buttons with it, and a
    page on a busy machine may have to be opened once more.
    """
    for last in (False, False, True):
        page.wait_for_timeout(110)  # chromium drops, without a word, the eleventh file within a second
        try:
            with page.expect_download(timeout=FILE) as file:
                # The mouse would close what covers it.
                page.evaluate("at => window.offers[at].click()", names.index(name))
            return file.value
        except TimeoutError:
            if last:
                raise
            page.reload()
            names = offered(page)
    raise AssertionError


def within_the_policy(page) -> None:
    assert page.locator('[data-testid="stException"]').count() == 0
    assert page.complaints == []
    assert len(page.hosts) == 1


@pytest.mark.thorough
@pytest.mark.parametrize("page_of", [each for each in ADDRESSES if each not in FILED])
def test_a_page_draws_within_the_policy(open_page, page_of) -> None:
    """As it opens; test_looks.py and test_learn_browser.py hear the same of their pages in every run."""
    page = open_page(address_of(page_of))
    drawn(page)
    within_the_policy(page)


@pytest.mark.parametrize(
    "page_of", [pytest.param(each, marks=() if each in FILED else pytest.mark.thorough) for each in ADDRESSES]
)
def test_a_page_draws_within_the_policy_and_each_of_its_files_comes(open_page, page_of) -> None:
    page = open_page(address_of(page_of))
    names = offered(page)
    assert not page.evaluate(UNFOLD) + page.evaluate(OPEN), "something is not open"
    assert len(set(names)) == len(names)
    for name in names:
        assert downloaded(page, names, name).path().stat().st_size > 20, name
    within_the_policy(page)
    if page_of in TASK_PAGES:
        tables = [name for name in names if name.startswith("download_")]
        assert len(tables) > 1
        assert {"report-html", "report-publishable-html"} < set(names)
        assert len(names) >= len(tables) + 4, "and the Study, and all results"
    if page_of == "data":
        assert "marks_csv" in names


SLIPPED = ("img'", "script'", "style'", "'", "video'", "form?'", "background'", "fetch'")
"""How the addresses end that the browser says it refuses; of a frame it says the host alone."""


def test_a_label_that_slipped_through_asks_no_other_host(open_page, elsewhere) -> None:
    """As an image, a script, a style, a frame, a form, or what a script would say."""
    page = open_page("/data")
    host, asked = elsewhere
    refused: list[str] = []

    def is_last(message) -> bool:
        refused.extend([message.text] * (POLICY in message.text))
        return all(any(f"{host}/{each}" in text for text in refused) for each in SLIPPED)

    with page.expect_console_message(is_last):  # each was tried, and the browser says of each that it is not
        tried = page.evaluate(
            """async host => {
                const made = (tag, told) => document.body.append(Object.assign(document.createElement(tag), told));
                made('img', { src: `${host}/img` });
                made('script', { src: `${host}/script` });
                made('link', { rel: 'stylesheet', href: `${host}/style` });
                made('iframe', { src: `${host}/frame` });
                made('video', { src: `${host}/video` });
                made('form', { action: `${host}/form`, id: 'slipped' });
                document.body.insertAdjacentHTML('beforeend', `<i style="background:url(${host}/background)">x</i>`);
                document.getElementById('slipped').submit();
                const own = await fetch('/_stcore/health');
                return [await fetch(`${host}/fetch`).catch(() => 'refused'), own.ok];
            }""",
            host,
        )
    assert tried == ["refused", True]
    assert asked == []
    assert page.url.split("/")[2] != host.split("/")[2]


def test_no_page_of_another_site_frames_it(chromium, address, elsewhere) -> None:
    """A page of another site, whose frame is to show the dashboard, shows nothing of it."""
    host, _ = elsewhere
    foreign = chromium.new_page()
    foreign.goto(host)
    with foreign.expect_console_message(lambda told: "frame-ancestors" in told.text):
        foreign.evaluate("address => { document.querySelector('iframe').src = address }", f"{address}/_stcore/health")
    foreign.close()


def test_every_answer_has_the_policy_and_metrics_are_closed(address) -> None:
    for path in ("/", "/frequency", "/_stcore/health", "/app/static/report.css", "/nothing/at.all"):
        try:
            answer = urllib.request.urlopen(address + path, timeout=PATIENCE / 1000)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            assert "frame-ancestors 'none'" in (answer.headers["Content-Security-Policy"] or ""), path
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
    for path in ("/_stcore/metrics", "/_stcore/metrics/", "/_stcore/metrics?families=cache_memory_bytes"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(address + path, timeout=PATIENCE / 1000)


def test_a_page_opened_by_its_address_asks_for_nothing_that_is_not_there(chromium, address) -> None:
    """Streamlit looks for its server below the page's address first, and takes messages from hosts of its makers'."""
    page = chromium.new_page()
    missing: list[str] = []
    page.on("response", lambda answer: missing.append(answer.url) if answer.status >= 400 else None)
    page.goto(f"{address}/frequency")
    drawn(page)
    assert not missing
    known = page.evaluate("[window.__streamlit.BACKEND_BASE_URL, ...window.__streamlit.HOST_CONFIG.allowedOrigins]")
    assert known == [f"{address}/", address]
    assert any(cookie["name"] == "_streamlit_xsrf" for cookie in page.context.cookies()), "no file could be uploaded"
    page.close()


def test_names_and_answers_are_text_where_a_browser_draws_them(open_page, elsewhere) -> None:
    """A file whose columns are Markdown, opened on Review: each of its questions says just its name."""
    host, asked = elsewhere
    names = [
        f"![x]({host}/image)", f"{host}/address", "www.x.example", "a@x.example", "**b**", ":red[x]", "$x$", ":smile:",
        ":material/home:", "<b>x</b>", "a -> b", "1. x", "`c`",
    ]  # fmt: skip
    rows = pd.DataFrame({name: [f"{name} {i * step % 3}" for i in range(60)] for step, name in enumerate(names, 1)
                         if step % 3} | {name: [f"{name} {i // (step + 1) % 2}" for i in range(60)]
                         for step, name in enumerate(names, 1) if not step % 3})  # fmt: skip
    table = io.BytesIO()
    rows.to_csv(table, index=False)
    page = open_page("/data")
    rest(page)
    page.get_by_role("button", name="Upload").click()
    rest(page)
    page.locator('input[type="file"]').first.set_input_files(
        files=[{"name": "survey.csv", "mimeType": "text/csv", "buffer": table.getvalue()}]
    )
    expect(page.locator("body")).to_contain_text("survey.csv")
    rest(page)
    page.get_by_role("link", name="Review", exact=True).click()
    page.wait_for_url("**/review*")
    rest(page)
    page.get_by_role("button", name="ask 13 questions").click()
    asked_for = page.locator(".st-key-guide_columns button")
    expect(asked_for.first).to_be_visible()
    rest(page)
    said = [text.replace(JOINER, "") for text in asked_for.all_inner_texts()]
    assert sorted(said) == sorted(rows.columns)
    assert page.locator(".st-key-guide_columns [data-testid=stMarkdownContainer] :not(p)").count() == 0
    assert page.complaints == []
    assert asked == []
