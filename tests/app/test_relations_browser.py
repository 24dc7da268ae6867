"""Two questions of people, in a real browser: from the welcome to the answer, to the people it needs, to the report."""

import html
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from .conftest import PATIENCE, rest

expect.set_options(timeout=PATIENCE)


def report(page, key: str) -> str:
    """The report as a file, opened by its menu."""
    page.get_by_role("button", name=re.compile(r"^report")).click()
    with page.expect_download() as file:
        page.locator(f".st-key-{key} button").click()
    page.keyboard.press("Escape")
    return Path(file.value.path()).read_text(encoding="utf-8")


def margin(page) -> float:
    found = re.search(r"± ([\d.]+)", page.locator(".sentence").first.inner_text())
    assert found is not None
    return float(found.group(1))


def needed(page) -> int:
    """The people that the way which is chosen needs."""
    return int(re.sub(r"\D", "", page.locator(".st-key-panel_relations_needed .nowrap b").inner_text()))


@pytest.mark.thorough
def test_is_an_income_rarer_after_a_broken_marriage(open_page) -> None:
    page = open_page("/")
    page.get_by_test_id("stTopNavLink").filter(has_text="Relations").click()
    expect(page.locator(".sentence").first).to_contain_text(
        "points rarer among the 4 marked of marital-status than among"
    )
    rest(page)
    before, people = margin(page), needed(page)
    page.get_by_role("button", name="Join the rest").click()
    expect(page.get_by_role("button", name="Join the rest")).to_have_count(0)
    rest(page)
    assert margin(page) < before, "joining pays"
    assert needed(page) < people

    said = page.locator(".sentence").first.inner_text()
    written = report(page, "report-html")
    assert said.split(":")[0] in html.unescape(re.sub(r"<[^>]*>", "", written))
    assert page.complaints == []
    assert len(page.hosts) == 1


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("size", "theme"),
    [
        pytest.param((1280, 900), "dark", marks=pytest.mark.thorough),  # the story above is told at this size
        pytest.param((1920, 1080), "light", marks=pytest.mark.thorough),
        ((390, 844), "light"),
    ],
)
def test_are_infections_commoner_with_more_partners(open_page, size, theme) -> None:
    asked = "task=relations&data=health&reps=1&column=condition"
    page = open_page(f"/relations?{asked}", size)
    page.emulate_media(color_scheme=theme)
    expect(page.locator(".sentence").first).to_contain_text("with partners")
    rest(page)
    wide = page.evaluate("() => document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert wide, "nothing stands beside the page"
    crosses = page.locator(".st-key-panel_relations_groups")
    expect(crosses).to_contain_text("✕: the raw reports")
    expect(page.locator(".st-key-panel_relations_needed")).to_contain_text("to see 5 points in 4 surveys of 5")
    assert page.locator('[data-testid="stException"]').count() == 0
    assert page.complaints == []
