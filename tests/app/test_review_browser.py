"""The guide of the page Review in a browser: one bar, which a link does not open, and a cell opens and closes."""

from playwright.sync_api import expect

from .conftest import PATIENCE

expect.set_options(timeout=PATIENCE)
GUIDE = ".st-key-panel_guide"
BAR = ".st-key-guide_bar"
LOW = 44
"""px that the bar is high at most."""


def test_the_guide_is_one_bar_and_a_cell_opens_its_question(open_page) -> None:
    page = open_page("/papers")
    page.get_by_test_id("stTopNavLink").filter(has_text="Review").click()
    expect(page.locator(BAR)).to_be_visible()
    expect(page.locator(GUIDE)).to_have_count(0)
    assert page.locator(BAR).bounding_box()["height"] <= LOW
    page.locator(".st-key-guide_2 button").focus()
    page.keyboard.press("Enter")
    expect(page.locator(f"{GUIDE} .title")).to_contain_text("delicate")
    page.wait_for_function("() => new URLSearchParams(location.search).get('review_guide') === '2'")
    page.locator(".st-key-guide_2 button").click()
    expect(page.locator(GUIDE)).to_have_count(0)
    assert page.complaints == []
