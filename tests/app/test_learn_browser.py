"""Learn as a teacher uses it: ten slides turned, answered and explained by keys alone, on every size of screen."""

from playwright.sync_api import expect

from ldpapp.views.learn.lessons import LESSONS

from .conftest import PATIENCE, READY, rest
from .overlaps import across
from .test_looks import PAPER, violations

expect.set_options(timeout=PATIENCE)
FINDING = ".sentence.finding"
FITS = """() => {
    const main = document.querySelector('[data-testid="stMain"]');
    return main.scrollHeight <= main.clientHeight + 1 && wide();
    function wide() { return document.documentElement.scrollWidth <= document.documentElement.clientWidth + 1; }
}"""
"""Nothing to scroll, neither down nor aside."""
INSIDE = """() => [...document.querySelectorAll('.st-key-lesson *, .st-key-lesson_foot *')]
    .filter(each => each.checkVisibility() && each.getBoundingClientRect().right > innerWidth + 1)
    .map(each => each.outerHTML.slice(0, 80))"""
"""What reaches beyond the right edge of the screen."""
SMALLEST = """() => Math.min(...[...document.querySelectorAll('.stMain *')]
    .filter(each => [...each.childNodes].some(node => node.nodeType === 3 && node.textContent.trim()))
    .filter(each => each.checkVisibility())
    .map(each => parseFloat(getComputedStyle(each).fontSize))
    .filter(px => px > 0))"""


def test_lessons_are_slides(open_page) -> None:
    page = open_page("/learn")
    rest(page)
    kicker = page.locator(".kicker")
    for place, lesson in enumerate(LESSONS):
        expect(kicker).to_contain_text(f"{place + 1} · {lesson.name()}")
        rest(page)
        if theme := {0: "dark", len(LESSONS) // 2: "light"}.get(place):  # each change draws a slide once more
            page.emulate_media(color_scheme=theme)
            expect(page.locator('[data-testid="stApp"]')).to_have_css("background-color", PAPER[theme])
            rest(page)
        assert page.evaluate(FITS), lesson.key
        assert across(page) == [], lesson.key
        if place % 3 == 0:  # a second of the processor each; all have the same frame
            assert violations(page) == [], lesson.key
        page.keyboard.press("PageDown" if place % 2 else "ArrowRight")
    rest(page)  # a key that is pressed while the script draws can be lost
    page.keyboard.press("ArrowLeft")
    expect(kicker).to_contain_text(f"{len(LESSONS) - 1} · {LESSONS[-2].name()}")

    rest(page)
    page.keyboard.press("1")
    expect(page.locator(".because b")).to_be_visible()
    rest(page)
    with page.context.expect_page() as opening:
        page.keyboard.press("n")
    notes = opening.value
    notes.get_by_role("button", name="Show the notes").click()
    assert notes.evaluate("() => window.name") == "ldpcore-notes", "one window of its own for all lessons"
    expect(notes.locator(".presenter")).to_contain_text(LESSONS[-2].note().ask)
    page.bring_to_front()
    rest(page)
    windows = len(page.context.pages)
    page.keyboard.press("n")  # the same one comes to the front, as it stands
    rest(page)
    assert len(page.context.pages) == windows
    expect(notes.locator(".presenter")).to_contain_text(LESSONS[-2].note().ask)
    page.bring_to_front()
    page.keyboard.press("ArrowLeft")
    expect(kicker).to_contain_text(f"{len(LESSONS) - 2} · {LESSONS[-3].name()}")
    expect(notes.locator(".presenter")).to_contain_text(LESSONS[-3].note().ask)
    page.reload()
    expect(kicker).to_contain_text(f"{len(LESSONS) - 2} · {LESSONS[-3].name()}")
    rest(page)
    page.keyboard.press("ArrowRight")
    expect(notes.locator(".presenter")).to_contain_text(LESSONS[-2].note().ask)
    expect(page.locator(".presenter")).to_have_count(0)
    notes.close()
    rest(page)
    assert page.url.endswith(f"/learn?lesson={LESSONS[-2].key}")
    assert violations(page) == []
    assert page.complaints == []

    said = page.locator(FINDING).inner_text()
    page.set_viewport_size({"width": 1920, "height": 1080})
    rest(page)
    page.keyboard.press("p")
    expect(page.locator('[data-testid="stHeader"]')).to_be_hidden()
    page.wait_for_function("() => parseFloat(getComputedStyle(document.documentElement).fontSize) === 21")
    rest(page)
    assert page.evaluate(FITS)
    assert page.evaluate(SMALLEST) >= 23.9
    page.keyboard.press("p")
    expect(page.locator('[data-testid="stHeader"]')).to_be_visible()

    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    page.wait_for_function(READY, polling=100)
    expect(page.locator(FINDING)).to_have_text(said, use_inner_text=True)
    for lesson in reversed(LESSONS[:-1]):
        expect(kicker).to_contain_text(lesson.name())
        rest(page)
        assert page.evaluate(INSIDE) == [], lesson.key
        page.keyboard.press("ArrowLeft")
