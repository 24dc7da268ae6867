"""Results in a browser: both files in, the headline, weights, the report; and a whole survey of three questions."""

import re
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from playwright.sync_api import expect

from ldpcore import data
from ldpcore.cli import main
from ldpcore.client import Questionnaire
from ldpcore.collection.phones import mechanism_reports
from ldpcore.rng import stream
from ldpcore.study import Marks, Source, Study, to_toml

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


def by_phone(chromium, survey: Path, people: list[list[str]]) -> list[str]:
    """What these people hand in, who tap one answer to each question of the survey's page: it works from a file and
    asks for nothing.
    """
    page, asked, codes = chromium.new_page(), [], []
    page.set_viewport_size({"width": 390, "height": 844})
    page.on("request", lambda request: asked.append(request.url))
    page.goto((survey / "index.html").as_uri())
    for answers in people:
        page.get_by_role("button", name="Begin").click()
        for place, answer in enumerate(answers, 1):
            page.locator("label", has=page.get_by_text(answer, exact=True)).click()
            page.get_by_role("button", name="Next" if place < len(answers) else "Draw my reports").click()
        codes.append(page.locator("code").inner_text())
        page.get_by_role("button", name="The next person").click()
    assert asked == [(survey / "index.html").as_uri()]
    page.close()
    return codes


def test_a_survey_from_review_to_phones_to_results_and_report(open_page, chromium, tmp_path, address, capsys) -> None:
    """A Review of three questions → `ldpcore client` → two people tap on its page, 600 more by the same file's Python
    → both files on Results, weighted → the report. Each answer of the two can be that of another person's draw, so what
    they handed in is read as they handed it in.
    """
    clock, began = [], time.monotonic()
    asked = ("condition", "smoking", "partners")
    marks = Marks.of(["condition = HIV", "condition = depression", "smoking = every day", "partners = 5 or more"])
    study = Study(Source("health"), "condition", marks, ("uSS",), epsilon=6.0, grid=(), task="review",
                  options={"columns": (*asked, "sex")})  # fmt: skip
    (tmp_path / "review.toml").write_text(to_toml(study), encoding="utf-8")
    done = CliRunner().invoke(main, ["client", str(tmp_path / "review.toml"), "-o", str(tmp_path / "survey")])
    assert done.exit_code == 0, done.output
    survey = Questionnaire.from_json((tmp_path / "survey" / "questionnaire.json").read_text(encoding="utf-8"))
    assert list(survey.questions) == list(asked)
    clock.append(("a Review → its page for phones", time.monotonic()))
    people = [["HIV", "every day", "5 or more"], ["none", "never", "1"]]
    codes = by_phone(chromium, tmp_path / "survey", people)
    clock.append(("two people tap", time.monotonic()))
    frame = data.load("health").frame
    rng = stream(3, "phones")
    some = (
        frame[list(asked)].dropna().iloc[rng.choice(len(frame[list(asked)].dropna()), 600, replace=False)].astype(str)
    )
    codes += [survey.code(survey.draw(row)) for row in some.to_dict("records")]
    weights = [1.0, 1.0, *np.where(some["condition"] == "none", 1.0, 2.0)]
    pd.DataFrame({"report": codes, "w": weights}).to_csv(tmp_path / "handed-in.csv", index=False)
    clock.append(("600 more, each three reports", time.monotonic()))
    page = open_page("/results?fold_weights=True")
    page.wait_for_function(f"() => ({SEEN})().length === 14")
    links = dict(page.evaluate(SEEN))
    assert list(links)[-4:] == ["Class", "Results", "Learn", "Papers"]
    assert links["Results"] == "Collect the reports"
    give(page, tmp_path / "survey" / "questionnaire.json")
    expect(page.locator(".st-key-results_here_client")).to_contain_text("questionnaire.json")
    give(page, tmp_path / "handed-in.csv")
    expect(page.locator(".sentence")).to_contain_text("of 602 reports")
    page.wait_for_function(READY)
    clock.append(("both files → headline and picture", time.monotonic()))
    choose(page, "results_question", "smoking")
    expect(page.locator(".st-key-study")).to_contain_text("“smoking”")
    choose(page, "results_fold_weights", "w")
    expect(page.locator(".sentence")).to_contain_text("weighted by w")
    page.wait_for_function(READY)
    clock.append(("another question, weights", time.monotonic()))
    report = saved(page)
    clock.append(("the report", time.monotonic()))
    # Hájek's share of whoever smokes every day, from what was handed in, by hand.
    client = survey.questions["smoking"]
    sent = np.array([survey.handed(code.split(","))["smoking"] for code in codes])
    scores = client.mechanism.scores(mechanism_reports(client, sent))[:, client.answers.index("every day")]
    share = float(np.array(weights) @ scores / np.sum(weights))
    assert f"{100 * share:.1f}" in page.locator(".st-key-chart_results").inner_text()
    for text in ("Results: smoking", "Korn and Graubard", f"{100 * share:.1f}"):
        assert text in report
    assert survey.epsilon == pytest.approx(18)
    assert re.search(r"ε of one person</dt><dd>18", report)
    assert page.complaints == []
    assert page.hosts == {address.removeprefix("http://")}
    with capsys.disabled():
        last = began
        for what, when in clock:
            print(f"\n{when - last:6.2f} s  {what}", end="")
            last = when
        print(f"\n{last - began:6.2f} s  in all")


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
