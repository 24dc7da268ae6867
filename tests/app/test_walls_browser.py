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
from playwright.sync_api import expect

from ldpapp.pages.tasks import TASKS
from ldpapp.pages.views import VIEWS
from ldpapp.words import JOINER

from .conftest import PATIENCE, POLICY, rest

expect.set_options(timeout=PATIENCE)
ADDRESSES = [view.address for view in VIEWS] + [task.address for task in TASKS.values()]
HOME = next(view.address for view in VIEWS if view.home)
OPENED = """() => {
    const closed = [...document.querySelectorAll('[data-testid="stPopover"] button[aria-expanded="false"]')];
    closed.forEach(button => button.click());
    return closed.length;
}"""
"""Everything that opens is open, all at once: the mouse would close one where it opens another."""
OFFERED = """([pressed, press]) => {
    for (const offer of document.querySelectorAll('[data-testid="stDownloadButton"]')) {
        const name = `${offer.closest('[class*="st-key-"]')?.className.match(/st-key-\\S+/)} ${offer.textContent}`;
        if (pressed.includes(name)) continue;
        if (press) offer.querySelector('button[data-testid^="stBaseButton"]').click();
        return name;
    }
    return null;
}"""
"""The next file that is offered, and asked for if it is pressed; null where there is no other."""


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


@pytest.mark.parametrize("page_of", ADDRESSES)
def test_a_page_draws_within_the_policy_and_each_of_its_files_comes(open_page, page_of) -> None:
    page = open_page("/" if page_of == HOME else f"/{page_of}?reps=1")
    drawn(page)
    pressed: list[str] = []
    while True:
        for _ in range(3):  # what stands in one that opens may open, too; a page that is drawn again closes some
            if not page.evaluate(OPENED):
                break
            drawn(page)
        name = page.evaluate(OFFERED, [pressed, False])
        if name is None:
            break
        with page.expect_download() as file:
            page.evaluate(OFFERED, [pressed, True])
        assert file.value.path().stat().st_size > 20, name
        pressed.append(name)
    assert page.locator('[data-testid="stException"]').count() == 0
    assert page.complaints == []
    assert len(page.hosts) == 1
    if page_of in {task.address for task in TASKS.values()}:
        assert len(pressed) > 2, "the Study, all results, and a table"
    if page_of == "data":
        assert any("marks_csv" in name for name in pressed), pressed


def test_a_label_that_slipped_through_asks_no_other_host(open_page, elsewhere) -> None:
    """As an image, a script, a style, a frame, a form, or what a script would say."""
    page = open_page("/data")
    host, asked = elsewhere
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
    page.wait_for_timeout(300)
    assert asked == []
    assert sum(POLICY in complaint for complaint in page.complaints) >= 8
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
    asked_for = page.locator(".st-key-guide_columns button")
    expect(asked_for.first).to_be_visible()
    rest(page)
    said = [text.replace(JOINER, "") for text in asked_for.all_inner_texts()]
    assert sorted(said) == sorted(rows.columns)
    assert page.locator(".st-key-guide_columns [data-testid=stMarkdownContainer] :not(p)").count() == 0
    assert page.complaints == []
    assert asked == []
