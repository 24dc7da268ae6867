"""The welcome opens once; after that the bare address leads to where somebody was. A link never shows it."""

import pytest
from playwright.sync_api import expect

from .conftest import NOTHING, PATIENCE, READY, rest

expect.set_options(timeout=PATIENCE)
KEPT = "() => ({...localStorage})"


def again(page, address: str) -> None:
    """Come back in a new tab of the same browser."""
    page.goto("about:blank")
    page.goto(address)


def test_the_welcome_is_shown_once_and_on_demand(open_page, address) -> None:
    page = open_page("/")
    expect(page.locator(".question")).to_be_visible()
    page.wait_for_function(f"() => ({KEPT})()['ldpcore.last'] === 'overview'")

    again(page, address)
    page.wait_for_url("**/overview*")
    expect(page.locator(".question")).to_have_count(0)

    page.get_by_test_id("stTopNavLink").filter(has_text="Papers").click()
    page.wait_for_url("**/papers*")
    page.wait_for_function(f"() => ({KEPT})()['ldpcore.last'] === 'papers'")
    again(page, address)
    page.wait_for_url("**/papers*")

    page.get_by_role("link", name="the welcome").click()
    expect(page.locator(".question")).to_be_visible()
    rest(page)
    expect(page.locator(".question")).to_be_visible()
    assert page.complaints == []


@pytest.mark.thorough
def test_a_link_shows_what_it_names_and_only_a_pages_name_is_kept(open_page, address) -> None:
    page = open_page("/papers")
    expect(page.locator(".question")).to_have_count(0)
    assert page.evaluate(KEPT).get("ldpcore.last") is None, "who came by a link has not seen the welcome"
    again(page, address)
    expect(page.locator(".question")).to_be_visible()
    page.wait_for_function(f"() => ({KEPT})()['ldpcore.last'] === 'overview'")

    again(page, address + "/data?data=census&column=education&arm.A=Doctorate&reps=1")
    page.wait_for_function(READY, polling=100)
    page.wait_for_function(f"() => ({KEPT})()['ldpcore.last'] === 'data'")
    kept = page.evaluate(KEPT)
    assert "Doctorate" not in str(kept)
    assert "education" not in str(kept)
    assert not any("ldpcore" in str(each) for each in page.context.cookies())

    again(page, address + NOTHING)  # where nothing runs that would store the name of its own page after it
    page.evaluate("() => localStorage.setItem('ldpcore.last', 'no_such_page')")
    again(page, address)
    expect(page.locator(".question")).to_be_visible()
    rest(page)
    expect(page.locator(".question")).to_be_visible()
    assert page.locator('[data-testid="stException"]').count() == 0
