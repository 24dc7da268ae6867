"""What only a browser shows: real charts, links, downloads, dark mode, no other host, no accessibility violation."""

import io
import re

import pandas as pd
import pytest
from axe_playwright_python.sync_playwright import Axe

from ldpcore import data
from ldpcore.study import from_toml, run

from .conftest import rest

PAGES = {
    "/": "How common each answer is",
    "/overview": "predicted error",
    "/frequency": "Error against ε",
    "/sets?data=groceries": "What a report tells",
    "/means?reps=1": "Each marks their own",
    "/itemsets?data=groceries&reps=1": "The same sets, side by side",
    "/clusters?reps=1": "Modes side by side",
    "/ranges": "Error of every range",
    "/papers": "How a claim is checked",
}
"""Path → words that only this view has."""
SIZES = {"desktop": (1280, 720), "phone": (390, 844)}


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("look", ["desktop light", "desktop dark", "phone light"])
def test_every_view_stands_without_complaint(open_page, path, look) -> None:
    """Its own words, the packaged theme, no other host, nothing too wide, and (desktop) no WCAG A or AA violation."""
    size, theme = look.split()
    page = open_page(path, theme == "dark", SIZES[size])
    assert PAGES[path] in page.inner_text("body")
    assert page.locator('[data-testid="stException"]').count() == 0
    assert page.hosts == {page.url.split("/")[2]}, "a request left this machine"
    assert page.complaints == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= document.documentElement.clientWidth + 1")
    background = page.evaluate(
        "() => getComputedStyle(document.querySelector('[data-testid=\"stApp\"]')).backgroundColor"
    )
    expected = "rgb(22, 24, 28)" if theme == "dark" else "rgb(255, 255, 255)"
    assert background == expected, "the packaged theme was not read"
    if size == "desktop":
        assert violations(page) == []


def violations(page) -> list[str]:
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}).response["violations"]
    return [f"{v['id']}: {v['nodes'][0]['html'][:160]} {v['nodes'][0].get('failureSummary', '')[:200]}" for v in found]


def test_the_cards_and_panels_stand_in_one_viewport(open_page) -> None:
    page = open_page("/frequency")
    for key in ("error", "odds", "risk", "release", "theory", "adversary"):
        box = page.locator(f".st-key-panel_{key}").first.bounding_box()
        assert box is not None
        assert box["y"] + min(box["height"], 180) <= 720, key
    chart = page.locator(".st-key-chart_adversary").first.bounding_box()
    assert chart is not None
    assert chart["y"] + chart["height"] <= 735


def test_the_overview_stands_in_one_viewport_and_leads_on(open_page) -> None:
    page = open_page("/overview")
    for key in ("error", "experiment", "adversary", "itemsets"):
        box = page.locator(f".st-key-panel_overview_{key}").first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 720, key
    page.locator(".st-key-panel_overview_error").get_by_role("link", name="open").click()
    rest(page)
    assert "Error against ε" in page.inner_text("body")


def test_moving_epsilon_redraws(open_page) -> None:
    page = open_page("/frequency")
    before = page.locator(".sentence").inner_text()
    page.locator(".st-key-slider input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    rest(page)
    after = page.locator(".sentence").inner_text()
    assert before != after
    epsilon = re.search(r"At ε = ([\d.]+)", after)
    assert epsilon is not None
    assert f"eps={epsilon.group(1)}" in page.url
    drawn = page.locator(".st-key-panel_error .annotation-text").all_text_contents()
    assert f"ε = {epsilon.group(1)}" in drawn


def test_a_link_restores_the_view(open_page) -> None:
    link = "/frequency?data=health&column=smoking&eps=0.5&m=SS&m=uSS&reps=3&seed=11&arm.A=every+day&arm.A=some+days"
    page = open_page(link)
    text = page.locator(".sentence").inner_text()
    assert "At ε = 0.5" in text
    assert "2 values" in text
    again = open_page(page.url.split("/", 3)[3].join(["/", ""]))
    assert again.locator(".sentence").inner_text() == text


@pytest.mark.parametrize(
    "link",
    [
        "/sets?task=sets&data=groceries&reps=1&eps=2&sets_scope=other",
        "/means?task=means&data=census&column=age&reps=1&eps=0.7",
        "/itemsets?task=itemsets&data=groceries&reps=1&eps=2",
        "/clusters?task=clusters&data=census&reps=1&eps=2",
        "/ranges?task=ranges&data=census&column=age&eps=0.4&ranges_two=Boost",
    ],
)
def test_the_address_of_every_task_is_a_link_to_it(open_page, link) -> None:
    page = open_page(link)
    text = page.locator(".sentence").first.inner_text()
    epsilon = re.search(r"&eps=([\d.]+)", link)
    assert epsilon is not None
    assert f"ε = {epsilon.group(1)}" in text
    again = open_page(page.url.split("/", 3)[3].join(["/", ""]))
    assert again.locator(".sentence").first.inner_text() == text
    assert again.url == page.url


@pytest.mark.parametrize(
    "query", ["eps=-3&m=XYZ", "eps=abc", "data=nowhere", "column=nothing", "reps=-1&seed=x", "arm.A=nobody"]
)
def test_a_link_of_nonsense_opens_something_sensible(open_page, query) -> None:
    page = open_page(f"/frequency?{query}")
    assert page.locator('[data-testid="stException"]').count() == 0
    assert "ε" in page.locator(".sentence").inner_text()


def test_the_downloaded_study_gives_the_downloaded_results(open_page, tmp_path) -> None:
    page = open_page("/frequency?data=census&column=marital-status&m=GRR&m=uRR&reps=2&arm.A=Divorced")
    page.get_by_role("button", name="link · file").click()
    with page.expect_download() as study_file:
        page.get_by_role("button", name="Download the Study").click()
    with page.expect_download() as results_file:
        page.get_by_role("button", name="All results").click()
    study = from_toml(study_file.value.path().read_text(encoding="utf-8"))
    here = pd.read_csv(results_file.value.path())
    there = pd.read_csv(io.StringIO(run(study).to_csv(index=False)))
    pd.testing.assert_frame_equal(here, there)
    assert set(here["mechanism"]) == {"GRR", "uRR"}


def test_a_chart_can_be_read_as_a_table_and_downloaded(open_page) -> None:
    page = open_page("/frequency")
    page.locator(".st-key-panel_error").get_by_role("button", name="table").click()
    with page.expect_download() as file:
        page.locator(".st-key-download_error").get_by_role("button").click()
    table = pd.read_csv(file.value.path())
    assert {"mechanism", "x", "theory", "simulated"} <= set(table.columns)
    assert table["theory"].gt(0).any()


def test_an_upload_is_read_marked_and_never_named_in_the_link(open_page) -> None:
    page = open_page("/")
    rows = "\n".join(["answer;age"] + ["yes;30", "no;40", "maybe;50", "secret;60"] * 30)
    page.get_by_role("button", name="Upload").click()
    page.locator('input[type="file"]').first.set_input_files(
        files=[{"name": "survey.csv", "mimeType": "text/csv", "buffer": rows.encode()}]
    )
    rest(page)
    assert "survey.csv" in page.inner_text("body")
    assert "answer" not in page.url
    assert "survey" not in page.url


def test_two_settings_side_by_side(open_page) -> None:
    link = "/frequency?data=census&column=education&arm.A=Preschool&arm.A=9th&arm.B=Preschool&arm.B=9th&arm.B=10th"
    page = open_page(link)
    text = page.locator(".sentence").inner_text()
    assert text.startswith("Going from A to B")
    assert "B: error against ε" in page.inner_text("body")


def test_stop_and_resume(open_page) -> None:
    page = open_page("/frequency?data=census&column=education&reps=1")
    page.goto(page.url.replace("reps=1", "reps=100"))
    stop = page.get_by_role("button", name="Stop", exact=True)
    page.locator(".st-key-panel_error").get_by_role("button", name="Stop").click(timeout=30_000)
    rest(page)
    assert "stopped at" in page.locator(".st-key-panel_error").inner_text()
    assert stop.count() == 0
    page.locator(".st-key-panel_error").get_by_role("button", name="Resume").click()
    page.wait_for_function(
        "() => /simulated surveys|Mark: 100/.test(document.querySelector('.st-key-panel_error').innerText)"
    )


def test_bundled_data_have_cards(open_page) -> None:
    page = open_page("/")
    page.get_by_role("button", name="About").click()
    rest(page)
    body = page.inner_text("body")
    assert "synthetic" in body.lower()
    assert data.BUNDLED["census"].licence in body
