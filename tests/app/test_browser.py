"""What a person does in a real browser: follow links, move ε, download, upload, stop. How it looks is test_looks.py."""

import io
import re
from urllib.parse import parse_qs, urlsplit

import pandas as pd
import pytest
from playwright.sync_api import expect

from ldpcore import data
from ldpcore.collection import in_r
from ldpcore.study import from_toml, run, script
from ldpcore.study.label import label, written

from .conftest import PATIENCE, rest

expect.set_options(timeout=PATIENCE)


def sentence(page) -> str:
    return page.locator(".sentence").first.inner_text()


def test_one_viewport_a_table_and_a_moved_epsilon(open_page) -> None:
    """Cards and panels stand in one viewport; a chart can be read as a table and downloaded; ε redraws it."""
    page = open_page("/frequency?reps=1")
    rest(page)  # while surveys fill in, their bar takes a line more
    for key in ("error", "odds", "risk", "release", "theory", "adversary"):
        box = page.locator(f".st-key-panel_{key}").first.bounding_box()
        assert box is not None
        assert box["y"] + min(box["height"], 180) <= 720, key
    for key in ("chart_release", "chart_adversary"):
        chart = page.locator(f".st-key-{key}").first.bounding_box()
        assert chart is not None
        assert chart["y"] + chart["height"] <= 720, key

    page.locator(".st-key-panel_error").get_by_role("button", name="table").click()
    with page.expect_download() as file:
        page.locator(".st-key-download_error").get_by_role("button").click()
    table = pd.read_csv(file.value.path())
    assert {"mechanism", "x", "theory", "simulated"} <= set(table.columns)
    assert table["theory"].gt(0).any()
    page.keyboard.press("Escape")

    before = re.search(r"At ε = ([\d.]+)", sentence(page))
    assert before is not None
    page.locator(".st-key-slider input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".sentence")).not_to_contain_text(re.compile(rf"{re.escape(before.group())} "))
    after = re.search(r"At ε = ([\d.]+)", sentence(page))
    assert after is not None
    assert float(after.group(1)) > float(before.group(1))
    page.wait_for_url(re.compile(rf"[?&]eps={re.escape(after.group(1))}(&|$)"))
    drawn = page.locator(".st-key-panel_error .annotation-text")
    expect(drawn.filter(has_text=f"ε = {after.group(1)}")).to_have_count(1)


def test_the_overview_stands_in_one_viewport_and_leads_on(open_page) -> None:
    page = open_page("/overview?reps=1")
    for key in ("error", "experiment", "adversary", "itemsets"):
        box = page.locator(f".st-key-panel_overview_{key}").first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 720, key
    page.locator(".st-key-panel_overview_error").get_by_role("link", name="open").click()
    page.wait_for_url("**/frequency?*")
    expect(page.locator("body")).to_contain_text("How far off a share is")
    words, opened = page.locator(".st-key-fold_terms summary"), page.locator(".st-key-fold_terms details[open]")
    words.click()
    expect(opened).to_have_count(1)
    page.get_by_test_id("stTopNavLink").filter(has_text="Class").click()
    expect(page.locator("body")).to_contain_text("What pupils are asked")
    expect(opened).to_have_count(0)  # of another page
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()  # nothing is in it


@pytest.mark.thorough
def test_a_link_restores_two_settings_side_by_side(open_page) -> None:
    arms = "arm.A=every+day&arm.A=some+days&arm.B=every+day&arm.B=some+days&arm.B=former"
    page = open_page(f"/frequency?data=health&column=smoking&eps=0.5&m=SS&m=uSS&reps=1&seed=11&{arms}")
    text = sentence(page)
    assert text.startswith("From A to B")
    expect(page.locator("body")).to_contain_text("B: error against ε")
    assert page.locator(".st-key-slider input[type=range]").get_attribute("aria-valuetext") == "0.5"
    expect(page.locator('[data-testid="stSidebar"]')).to_contain_text("3 values marked")  # those of B, which is present
    rest(page)  # its address is the last that a page says
    link = page.url
    said = parse_qs(urlsplit(link).query)
    assert said["marks"] == ["every day", "some days", "former"]
    assert said["a.marks"] == ["every day", "some days"]
    assert (said["eps"], said["seed"], said["m"], said["column"]) == (["0.5"], ["11"], ["SS", "uSS"], ["smoking"])
    page.goto(link)
    expect(page.locator(".sentence")).to_have_text(text)
    rest(page)
    assert page.url == link


def test_a_link_of_nonsense_opens_something_sensible(open_page) -> None:
    """Everything wrong at once; one thing at a time is test_session's."""
    page = open_page("/frequency?eps=-3&m=XYZ&data=nowhere&column=nothing&reps=-1&seed=x&arm.A=nobody&%ff=%00")
    assert page.locator('[data-testid="stException"]').count() == 0
    assert "ε" in sentence(page)
    assert page.complaints == []


def test_the_downloaded_study_gives_the_downloaded_results(open_page) -> None:
    page = open_page("/frequency?data=census&column=marital-status&m=GRR&m=uRR&reps=2&arm.A=Divorced")
    rest(page)  # a redraw would take the results away before the browser has fetched them
    page.get_by_role("button", name="link · file").click()
    with page.expect_download() as study_file:
        page.get_by_role("button", name="Download the Study").click()
    study = from_toml(study_file.value.path().read_text(encoding="utf-8"))  # there before another is asked for
    with page.expect_download() as results_file:
        page.get_by_role("button", name="All results").click()
    here = pd.read_csv(results_file.value.path())
    there = pd.read_csv(io.StringIO(run(study).to_csv(index=False)))
    pd.testing.assert_frame_equal(here, there)
    assert set(here["mechanism"]) == {"GRR", "uRR"}
    page.keyboard.press("Escape")
    page.get_by_role("button", name="code", exact=True).click()
    for name, form in (("Download the script", "py"), ("Download the notebook", "ipynb")):
        with page.expect_download() as file:
            page.get_by_role("button", name=name).click()
        assert file.value.path().read_text(encoding="utf-8") == script(study, form)
    expect(page.get_by_role("combobox", name="Of one mechanism")).to_have_value("uRR")  # of which the headline speaks
    one = {"Download R for its reports": in_r.of_study, "Download the label": lambda *of: written(label(*of))}
    for name, made in one.items():
        with page.expect_download() as file:
            page.get_by_role("button", name=name).click()
        assert file.value.path().read_text(encoding="utf-8") == made(study, None, "uRR")


def test_bundled_data_have_cards_and_an_upload_is_never_named_in_the_link(open_page) -> None:
    page = open_page("/data")
    page.get_by_role("button", name="About").click()
    expect(page.locator("body")).to_contain_text(data.BUNDLED["census"].licence)
    expect(page.locator("body")).to_contain_text(re.compile("synthetic", re.IGNORECASE))
    page.keyboard.press("Escape")

    rows = "\n".join(["answer;age"] + ["yes;30", "no;40", "maybe;50", "secret;60"] * 30)
    page.get_by_role("button", name="Upload").click()
    rest(page)  # a redraw would take the field away with the file in it
    page.locator('input[type="file"]').first.set_input_files(
        files=[{"name": "survey.csv", "mimeType": "text/csv", "buffer": rows.encode()}]
    )
    # Its values are there: the page is about it, and at rest has said in the address what it will ever say.
    expect(page.locator(".st-key-chart_marks, [data-testid=stMain]").first).to_contain_text("maybe")
    expect(page.locator("body")).to_contain_text("survey.csv")
    rest(page)
    for word in ("answer", "survey", "maybe", "secret"):
        assert word not in page.url


def test_stop_and_resume(open_page) -> None:
    page = open_page("/frequency?data=census&column=education&reps=1000")
    panel = page.locator(".st-key-panel_error")
    panel.get_by_role("button", name="Stop", exact=True).click()
    expect(panel).to_contain_text("stopped at")
    expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0)
    stopped = re.search(r"stopped at (\d+) of 1000", panel.inner_text())
    assert stopped is not None
    panel.get_by_role("button", name="Resume").click()
    expect(panel).not_to_contain_text("stopped at")
    expect(panel).to_contain_text(re.compile(r"simulated surveys|Mark: 1000"))
    panel.get_by_role("button", name="Stop", exact=True).click()  # or the server goes on behind the next test
