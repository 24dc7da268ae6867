"""Results in a browser: both files in, the headline, weights, the report; and a whole survey of three questions."""

import re
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect

from ldpcore import data
from ldpcore.client import Questionnaire
from ldpcore.collection import of_study
from ldpcore.collection.example import simulated
from ldpcore.rng import stream
from ldpcore.study import Marks, Source, Study

from .conftest import PATIENCE, READY, rest

expect.set_options(timeout=PATIENCE)
UPLOADERS = '.st-key-results_files input[type="file"]'
SEEN = """() => [...document.querySelectorAll('[data-testid=stTopNavLink]')]
    .filter(link => link.getBoundingClientRect().right < innerWidth && link.title)
    .map(link => [link.innerText, link.title])"""
"""The links of the navigation that are in sight, and the groups that they say they belong to."""


def give(page, *files: Path) -> None:
    """Into the first uploader, whichever of the two kinds a file is."""
    page.locator(UPLOADERS).first.set_input_files([str(file) for file in files])


def saved(page) -> str:
    """The report of the page at rest, downloaded."""
    rest(page)
    with page.expect_download() as started:
        page.locator(".st-key-report_save button").click()
    return Path(started.value.path()).read_text(encoding="utf-8")


def choose(page, key: str, option: str) -> None:
    rest(page)  # a run that begins closes what is open, and so does scrolling
    field = page.locator(f".st-key-{key} input")
    field.evaluate("field => field.scrollIntoView({ block: 'center', behavior: 'instant' })")
    rest(page)
    field.click()
    page.get_by_role("option", name=option, exact=True).click()


def test_two_files_become_a_headline_and_a_report(open_page, tmp_path, address) -> None:
    rows, client = simulated()
    (tmp_path / "answers-2027.csv").write_bytes(rows)
    (tmp_path / "client.json").write_text(client, encoding="utf-8")
    page = open_page("/results?fold_weights=True")
    page.wait_for_function(f"() => ({SEEN})().length === 14")
    links = dict(page.evaluate(SEEN))
    assert list(links)[-4:] == ["Class", "Results", "Learn", "Papers"]
    assert links["Results"] == "Collect the reports"
    give(page, tmp_path / "client.json")
    expect(page.locator(".st-key-results_here_client")).to_contain_text("client.json")
    give(page, tmp_path / "answers-2027.csv")
    expect(page.locator(".sentence")).to_contain_text("of 5 000 reports; 3 more refused")
    page.wait_for_function(READY)
    choose(page, "results_fold_weights", "finalwt")
    expect(page.locator(".sentence")).to_contain_text("weighted by finalwt")
    report = saved(page)
    assert "Results: Which condition do you have?" in report
    assert "Korn and Graubard" in report
    assert page.complaints == []
    assert page.hosts == {address.removeprefix("http://")}


@pytest.mark.thorough
def test_another_tools_rappor_counts(open_page, tmp_path) -> None:
    (tmp_path / "counts.csv").write_text("answer,count\nflu,640\nHIV,580\nhepatitis,570\nnone,565\n", encoding="utf-8")
    page = open_page("/results")
    page.locator(".st-key-results_no_client button").click()
    page.locator('.st-key-panel_results_tool input[type="file"]').first.set_input_files(str(tmp_path / "counts.csv"))
    expect(page.locator(".sentence")).to_contain_text("58.0 % answer flu")
    expect(page.locator(".sentence")).to_contain_text("ε = 0.813")
    page.wait_for_function(READY)
    for share in ("58.0", "26.0", "20.7", "18.0"):
        expect(page.locator(".st-key-chart_results")).to_contain_text(share)
    page.locator(".st-key-results_back button").click()
    expect(page.locator(".sentence")).to_contain_text("Two files")


@pytest.mark.thorough
def test_a_survey_of_three_questions_from_study_to_report(open_page, tmp_path, capsys) -> None:
    """Studies → clients → one questionnaire → everybody's phone → Results of each question, weighted → report."""
    clock, began = [], time.monotonic()
    health = data.load("health")
    asked = {"condition": ("HIV", "depression"), "smoking": ("every day",), "partners": ("5 or more",)}
    clients = {}
    for name, marked in asked.items():
        study = Study(Source("health"), name, Marks.of(marked), ("uSS",), epsilon=2.0, grid=())
        clients[name] = of_study(study, None, None, f"Your {name}?")
    survey = Questionnaire(clients)
    (tmp_path / "questionnaire.json").write_text(survey.to_json(), encoding="utf-8")
    clock.append(("three Studies → questionnaire.json", time.monotonic()))
    rng = stream(3, "phones")
    people = health.frame.iloc[rng.choice(len(health.frame), 600, replace=False)]
    given = people[list(asked)].astype(object).where(people[list(asked)].notna(), None)  # some leave one out
    sent = [survey.draw(row) for row in given.to_dict("records")]
    table = pd.DataFrame(sent).astype("Int64").assign(w=np.where(people["sex"].astype(str) == "female", 1.0, 2.0))
    table.to_csv(tmp_path / "reports.csv", index=False)
    clock.append(("600 phones draw three reports each", time.monotonic()))
    page = open_page("/results?fold_weights=True")
    clock.append(("the page opens", time.monotonic()))
    give(page, tmp_path / "reports.csv", tmp_path / "questionnaire.json")
    expect(page.locator(".sentence")).to_contain_text("600 reports")
    page.wait_for_function(READY)
    clock.append(("both files → headline and picture", time.monotonic()))
    for name in ("smoking", "partners"):
        choose(page, "results_question", name)
        expect(page.locator(".st-key-study")).to_contain_text(f"Your {name}?")
        page.wait_for_function(READY)
        clock.append((f"the question {name}", time.monotonic()))
    choose(page, "results_fold_weights", "w")
    expect(page.locator(".sentence")).to_contain_text("weighted by w")
    clock.append(("weights", time.monotonic()))
    report = saved(page)
    clock.append(("the report", time.monotonic()))
    assert "Results: Your partners?" in report
    assert re.search(r"ε of one person</dt><dd>6", report)
    with capsys.disabled():
        last = began
        for what, when in clock:
            print(f"\n{when - last:6.2f} s  {what}", end="")
            last = when
        print(f"\n{last - began:6.2f} s  in all")
