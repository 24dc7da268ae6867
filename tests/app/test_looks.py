"""How every page looks in a real browser: by light, in the dark, and opened again on a phone by its own address."""

import re

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from .conftest import NOTHING, PATIENCE, rest
from .overlaps import across

expect.set_options(timeout=PATIENCE)
PAGES = {
    "/": "Protect every answer, and each share is off by",
    "/data?data=census&reps=1": "How common each answer is",
    "/overview?reps=1": "predicted error², of one survey",
    "/frequency?data=census&column=education&eps=0.7&reps=1": "How far off a share is",
    "/sets?task=sets&data=groceries&m=suWheel&eps=2&reps=1&sets_scope=other": "What a report tells",
    "/means?task=means&data=census&column=age&m=PM&eps=0.7&reps=1&fold_means_planner=True&a.eps=2": "People needed for",
    "/itemsets?task=itemsets&data=groceries&eps=2&reps=1": "Set by set",
    "/clusters?task=clusters&data=census&eps=2&reps=1": "Modes side by side",
    "/ranges?task=ranges&data=census&column=age&eps=0.4&ranges_two=Boost&fold_every_range=True": "Error of every range",
    "/class": "What pupils are asked",
    "/review?task=review&data=health&column=condition&eps=0.7&reps=1&arm.A=condition+%3D+HIV&review_guide=2"
    "&o.columns=%5B%22condition%22%2C+%22partners%22%2C+%22sex%22%5D": "Question by question",
    "/relations?task=relations&data=census&eps=0.7&reps=1&fold_relations_others=True": "Every group against all others",
    "/papers": "The rules",
}
"""Path → words that only this view has. The studies are small: the page is the question, not how long it simulates."""
BEFORE_A_RELEASE = (
    "/sets",
    "/means",
    "/itemsets",
    "/clusters",
    "/ranges",
    "/relations",
    "/overview",
    "/papers",
    "/data",
    "/review",
)
"""Pages that are made of the same panels as Frequency: all take above a minute."""
FINDING = ".sentence, .story"
PAPER = {"light": "rgb(255, 255, 255)", "dark": "rgb(22, 24, 28)"}
INK = "() => [...document.querySelectorAll('.js-plotly-plot')].map(chart => chart.layout.font.color)"
DRAWN = (
    "() => [...document.querySelectorAll('.js-plotly-plot')].every(chart => chart.querySelector('.plot, .pielayer'))"
)


TWICE = """() => [...document.querySelectorAll('.stButton')].filter(one => [...one.querySelectorAll('button')].filter(
    each => each.getClientRects().length > 0).length > 1).map(one => one.textContent)"""
"""A button with a tooltip is there twice, for a desk and for a phone: one of them is to be hidden."""


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=pytest.mark.thorough if path.split("?")[0] in BEFORE_A_RELEASE else ())
        for path in PAGES
    ],
    ids=lambda path: path.split("?")[0],
)
def test_every_page_stands_without_complaint(open_page, address, path) -> None:
    """Its own words, the packaged theme, no other host, nothing too wide or across something else, no WCAG A or AA
    violation: by light, and in the dark on a phone, where its address is a link to it and its words are explained.
    """
    page = open_page(path)
    rest(page)
    stands(page, PAGES[path], "light")
    if path != "/papers":
        page.wait_for_function(f"() => ({INK})().length > 0")
    ink = page.evaluate(INK)
    assert violations(page) == []

    link, said = page.url, page.locator(FINDING).first.inner_text()
    epsilon = re.search(r"&eps=([\d.]+)", path)
    assert epsilon is None or f"ε = {epsilon.group(1)}" in said
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 844})
    if path == "/":  # who has seen the welcome is led on from it
        page.goto(address + NOTHING)  # where no script stores anything any more
        page.evaluate("() => localStorage.clear()")
    page.goto(link)
    rest(page)  # looks more often than `expect` does
    expect(page.locator(FINDING).first).to_have_text(said, use_inner_text=True)
    stands(page, PAGES[path], "dark")
    assert set(page.evaluate(INK)).isdisjoint(ink), "charts are drawn for the dark"
    assert page.url == link
    page.locator(".st-key-fold_terms summary").click()
    expect(page.locator(".terms")).to_be_visible()
    assert violations(page) == []


@pytest.mark.thorough
def test_charts_follow_the_light(open_page) -> None:
    """Whoever turns to the dark sees the same charts, drawn anew."""
    path = next(path for path in PAGES if path.startswith("/frequency"))
    page = open_page(path)
    rest(page)
    page.wait_for_function(f"() => ({INK})().length > 0")
    ink = page.evaluate(INK)
    page.emulate_media(color_scheme="dark")
    expect(page.locator('[data-testid="stApp"]')).to_have_css("background-color", PAPER["dark"])
    page.wait_for_function(f"ink => ({INK})().every((each, i) => each !== ink[i])", arg=ink)
    rest(page)
    stands(page, PAGES[path], "dark")
    assert len(page.evaluate(INK)) == len(ink), "the charts that were there are there"


def stands(page, words: str, theme: str) -> None:
    expect(page.locator("body")).to_contain_text(words)
    assert page.locator('[data-testid="stException"]').count() == 0
    assert page.evaluate(DRAWN)
    assert page.hosts == {page.url.split("/")[2]}, "a request left this machine"
    assert page.complaints == []
    assert across(page) == []
    assert page.evaluate(TWICE) == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= document.documentElement.clientWidth + 1")
    expect(page.locator('[data-testid="stApp"]')).to_have_css("background-color", PAPER[theme])


def violations(page) -> list[str]:
    rules = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"], "resultTypes": ["violations"]}
    script = "" if page.evaluate("() => 'axe' in window") else AXE_SCRIPT  # half a megabyte, once for every document
    found = Axe(script).run(page, options=rules).response["violations"]
    return [f"{v['id']}: {v['nodes'][0]['html'][:160]} {v['nodes'][0].get('failureSummary', '')[:200]}" for v in found]
