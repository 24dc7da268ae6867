"""What only the browser knows: how large the screen is, keys, a chart as a picture, a phone's drawer."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from .conftest import PATIENCE, READY, rest

expect.set_options(timeout=PATIENCE)
LARGE = (1920, 1080)
FREQUENCY = "/frequency?data=census&column=education&reps=2"
TYPE = "() => parseFloat(getComputedStyle(document.documentElement).fontSize)"
TICKS = "() => document.querySelector('.st-key-chart_error .js-plotly-plot')?.layout?.font.size"

LINES = """() => {
    const said = document.querySelector('.sentence');
    return Math.round(said.getBoundingClientRect().height / parseFloat(getComputedStyle(said).lineHeight));
}"""
SCROLLED = "() => (main => main.scrollHeight - main.clientHeight)(document.querySelector('[data-testid=stMain]'))"
SMALLEST = """() => Math.min(...[...document.querySelectorAll('.stMain *')]
    .filter(each => [...each.childNodes].some(node => node.nodeType === 3 && node.textContent.trim()))
    .filter(each => each.checkVisibility())
    .map(each => parseFloat(getComputedStyle(each).fontSize))
    .filter(px => px > 0))"""
"""px of the smallest type in sight."""


def _grown(page, times: float) -> None:
    """Type and charts are so much larger than on 1280×720."""
    page.wait_for_function(f"times => Math.abs(({TYPE})() - 14 * times) < 0.1", arg=times)
    page.wait_for_function(f"times => Math.abs(({TICKS})() - 11 * times) < 0.1", arg=times)


DRAWING = "() => performance.getEntriesByType('resource').filter(each => each.name.includes('/PlotlyChart.')).length"


def test_what_draws_charts_is_loaded_before_one_is_there(keep_page) -> None:
    """On a page without any."""
    page = keep_page("/learn")
    page.wait_for_function(f"() => ({DRAWING})() === 1")
    assert page.locator('[data-testid="stPlotlyChart"]').count() == 0


@pytest.fixture(scope="module")
def opened(keep_page):
    """Opened on a large screen."""
    page = keep_page(FREQUENCY, size=LARGE)
    rest(page)
    assert page.evaluate(DRAWING) == 1  # what was loaded ahead is what the page asks for
    return page


@pytest.fixture
def page(opened):
    """On a small screen, as it is without anything pressed."""
    opened.set_viewport_size({"width": 1280, "height": 720})
    _grown(opened, 1)
    return opened


@pytest.mark.thorough
def test_a_page_grows_with_the_screen_and_for_the_last_row(opened) -> None:
    page = opened
    page.set_viewport_size({"width": LARGE[0], "height": LARGE[1]})
    _grown(page, 1.5)
    assert page.evaluate("() => document.documentElement.scrollWidth <= document.documentElement.clientWidth + 1")

    page.locator(".sentence").click()  # nothing that could be typed into
    page.keyboard.press("p")
    expect(page.locator('[data-testid="stSidebar"]')).to_be_hidden()
    page.wait_for_function(f"() => Math.abs(({TYPE})() - 14 * 2.2) < 0.1")
    page.wait_for_function(f"() => ({TICKS})() >= 11 * 2.2")
    rest(page)
    assert page.evaluate(SMALLEST) >= 24
    assert page.evaluate(LINES) <= 2
    assert page.evaluate(SCROLLED) <= 0, "one screen"
    expect(page.locator("[class*=st-key-panel_]")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".st-key-panel_error")).to_have_count(0)
    expect(page.locator("[class*=st-key-panel_]")).to_have_count(1)
    expect(page.get_by_role("radio", name="Plane")).to_be_hidden()
    assert page.evaluate("() => document.documentElement.scrollWidth <= document.documentElement.clientWidth + 1")
    page.keyboard.press("Escape")
    expect(page.locator('[data-testid="stSidebar"]')).to_be_visible()
    _grown(page, 1.5)

    page.set_viewport_size({"width": 1280, "height": 720})
    _grown(page, 1)


CANVAS = """() => [...document.querySelectorAll('.stDataFrameGlideDataEditor, .stDataFrameGlideDataEditor *')]
    .map(each => getComputedStyle(each).getPropertyValue('--gdg-base-font-style')).find(Boolean)"""


@pytest.mark.thorough
def test_a_table_that_is_a_canvas_grows_with_the_screen(open_page) -> None:
    page = open_page("/data", size=(1280, 720))
    rest(page)
    for size, times in ((LARGE, 1.5), ((1280, 720), 1)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.wait_for_function(f"times => Math.abs(({TYPE})() - 14 * times) < 0.1", arg=times)
        rest(page)
        assert float(page.evaluate(CANVAS).split()[-1].removesuffix("px")) == pytest.approx(0.875 * 14 * times)
    assert page.evaluate("() => document.documentElement.style.fontSize") == "", "the style says it"


LOSE = """() => {
    const { send } = WebSocket.prototype;
    window.lost = 0;
    WebSocket.prototype.send = function () {
        WebSocket.prototype.send = send;
        window.lost += 1;
    };
}"""
"""What the page says next is never heard."""


@pytest.mark.thorough
def test_a_key_that_is_lost_is_said_once_more(page) -> None:
    """As where the script is drawing. It is a wish, not a turn: said twice it is the same."""
    sidebar = expect(page.locator('[data-testid="stSidebar"]'))
    for key, seen in (("p", sidebar.to_be_hidden), ("Escape", sidebar.to_be_visible)):
        rest(page)
        page.evaluate(LOSE)
        page.keyboard.press(key)
        assert page.evaluate("() => window.lost") == 1
        seen()
    rest(page)
    page.keyboard.press("p")
    page.keyboard.press("p")  # before the first is heard
    page.wait_for_function("() => window.ldpcoreWish === null")
    rest(page)
    sidebar.to_be_visible()


def test_one_panel_fills_the_page_and_gives_way(page) -> None:
    page.locator(".st-key-alone_error button").first.click()
    expect(page.locator(".st-key-panel_adversary")).to_have_count(0)
    expect(page.locator(".st-key-panel_error")).to_be_visible()
    page.wait_for_function(f"() => ({TICKS})() > 15")
    page.locator(".sentence").click()
    page.keyboard.press("Escape")
    expect(page.locator(".st-key-panel_adversary")).to_be_visible()


def test_a_chart_is_a_picture(page) -> None:
    page.locator(".st-key-table_error button").first.click()
    for kind, begins in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        with page.expect_download() as download:
            page.locator("a.picture", has_text=kind).first.click()
        assert download.value.suggested_filename == f"error.{kind.lower()}"
        content = Path(download.value.path()).read_bytes()
        assert content.startswith(begins)
        if kind == "SVG":
            assert content.count(b"<path") > 10, "all layers of the chart are in it"
            assert re.search(rb">uSS<", content)
    page.keyboard.press("Escape")
    expect(page.locator("a.picture").first).to_be_hidden()


def test_a_term_is_explained_by_keyboard(page) -> None:
    term = page.locator(".st-key-panel_error .term").first
    term.focus()
    assert term.evaluate("term => getComputedStyle(term, '::after').content").strip('"') == term.get_attribute(
        "data-says"
    )


@pytest.mark.thorough
def test_a_phones_drawer_closes_and_the_page_says_where_one_is(open_page) -> None:
    page = open_page(FREQUENCY, size=(390, 844))
    rest(page)
    expect(page.locator(".where")).to_have_text("Frequency")
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Overview").click()
    expect(page.locator(".where")).to_have_text("Overview")
    expect(page.get_by_test_id("stExpandSidebarButton")).to_be_visible()
    page.wait_for_function(READY, polling=100)


@pytest.mark.thorough
def test_surveys_play_one_after_the_other(page) -> None:
    published = (
        "() => JSON.stringify(document.querySelector('.st-key-chart_release .js-plotly-plot')?.data.map(t => t.x))"
    )
    page.locator(".st-key-release_play button").first.click()
    page.get_by_text("fast").click()
    page.wait_for_function(published)
    seen = page.evaluate(published)
    page.wait_for_function(f"seen => ({published})() !== seen", arg=seen)
    page.get_by_text("stay at one survey").click()
