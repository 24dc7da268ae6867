"""Whoever is on the page Review for the first time is guided, once: the browser keeps the name of the page."""

from playwright.sync_api import expect

from .conftest import PATIENCE, READY

expect.set_options(timeout=PATIENCE)
GUIDE = ".st-key-panel_guide"
ARRIVED = "() => window.ldpcoreDeaf"
"""What asks whether somebody was guided is there, and has asked."""


def test_the_first_visit_is_guided_and_the_second_is_not(open_page, address) -> None:
    page = open_page("/papers")
    page.get_by_test_id("stTopNavLink").filter(has_text="Review").click()
    expect(page.locator(f"{GUIDE} .title")).to_contain_text("1")
    page.locator(".st-key-guide_next button").focus()
    page.keyboard.press("Enter")
    expect(page.locator(f"{GUIDE} .title")).to_contain_text("2")
    page.wait_for_function("() => new URLSearchParams(location.search).get('review_guide') === '2'")
    page.locator(".st-key-guide_skip button").click()
    expect(page.locator(GUIDE)).to_have_count(0)
    page.wait_for_function("() => localStorage.getItem('ldpcore.guided') === 'review'")

    page.goto(address + "/review")
    page.wait_for_function(READY, polling=100)
    page.wait_for_function(ARRIVED)
    expect(page.locator(".st-key-guide_open")).to_be_visible()
    page.wait_for_timeout(500)
    expect(page.locator(GUIDE)).to_have_count(0)
    assert page.complaints == []
