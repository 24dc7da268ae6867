"""Weights on the pages: chosen on Data, said in the sidebar, and every number that a page shows is the engine's."""

import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from ldpapp import words
from ldpapp.export import terminal
from ldpapp.state import actions, column_actions
from ldpapp.state.model import workspace
from ldpapp.views.data import kept_files
from ldpcore import data
from ldpcore.data import ReadOptions, Table
from ldpcore.data.readings import SourceFile
from ldpcore.study import Comparison, frequency, from_toml, to_toml
from ldpcore.study.execute import prepare
from ldpcore.study.frequency import facts
from ldpcore.study.weights import notes

from .opening import ask, bodies, charts, do, go, html, link, nothing_behind, opened, plain, press, sentence, study

WEIGHED = ReadOptions().with_column("finalwt", role="weight")
COLUMN = "condition"


def read(options: ReadOptions = WEIGHED) -> Table:
    """The health survey, with a weight of 0.5 below 30 years, 1 below 60, else 2."""
    health = data.load("health")
    age = health.values("age")
    w = np.where(age < 30, 0.5, np.where(age < 60, 1.0, 2.0))
    frame = health.frame[["sex", COLUMN]].assign(finalwt=w)
    return data.read(frame.to_csv(index=False).encode(), "h.csv", options)


def marked(at: AppTest, *values: str) -> AppTest:
    at = do(at, actions.choose_column, COLUMN)
    return do(at, column_actions.set_marks, COLUMN, values)


@pytest.fixture(scope="module")
def frequency_page():
    with nothing_behind():
        yield go(marked(opened(table=read(), m=["SS", "uSS"]), "HIV", "depression"), "frequency")


def said(at: AppTest) -> list[str]:
    return [plain(body) for body in bodies(at) if "sub" in body and "<style" not in body and "eight" in body]


def test_the_published_example(frequency_page):
    """health: 14.3 % unweighted, 18.3 weighted; n 20 000 counts as 16 433; the sidebar says the engine's numbers."""
    at = frequency_page
    asked, table = study(at, "frequency"), read()
    known = facts.facts(asked, prepare(asked, table))
    (line,) = [each for each in said(at) if "weighted by finalwt" in each]
    assert f"weighted by finalwt (n {words.count(20_000)} counts as {words.count(16_433)})" in line
    assert round(known.effective) == 16_433
    at_place = known.data.domain.labels.index("hypertension")
    shares = known.data.counts[at_place] / known.data.n, known.data.freq[at_place]
    assert tuple(round(100 * share, 1) for share in shares) == (14.3, 18.3)
    before, after = (words.share(each).replace("\u00a0", " ") for each in (known.unweighted, known.weighted))
    assert f"Without them {known.ignored.label} is {before}, not {after}; the noise" in line
    key = re.search(r"the noise of (\S+) is (\S+) points", line)
    assert key is not None
    assert key[2] == words.points(known.ignored_margins[key[1]])
    (note,) = notes([asked], table)
    assert note.replace("\u2009", words.THIN) in line.replace("\u2009", words.THIN)


def test_the_headline_and_the_drawn_shares_are_weighted(frequency_page):
    at = frequency_page
    asked = study(at, "frequency")
    here = frequency.cell(asked, prepare(asked, read()), "uSS", asked.epsilon)
    for part in (here.marked, ~here.marked):
        assert words.margin(float(np.sqrt(here.squared_error()[part].mean()))) in plain(sentence(at))
    shares = here.freq, here.counts / here.counts.sum()
    share, unweighted = (words.share(float(each[here.marked].sum())).replace("\u00a0", " ") for each in shares)
    assert f"{share} of the people" in plain(html(at))
    assert share != unweighted


def test_the_planner_starts_from_the_weights_design_effect(frequency_page):
    at = frequency_page
    at.session_state["fold_frequency_planner"] = True
    at.run()
    assert at.number_input(key="plan_design").value == pytest.approx(20_000 / 16_432.58782798)
    at.radio(key="frequency_answered").set_value("people").run()
    before = people(at)
    at.number_input(key="plan_design").set_value(2 * at.number_input(key="plan_design").value).run()
    assert people(at) == pytest.approx(2 * before, rel=1e-3)


def people(at: AppTest) -> int:
    """The planner's large number."""
    return int(re.sub(r"\D", "", re.findall(r'<b class="big">([^<]*)<', html(at))[0]))


def test_pages_that_use_no_weights_say_so(still):
    at = opened(table=read())
    assert any("Data, Frequency, Means and Sets use weights." in each for each in said(at))
    for address in ("itemsets", "ranges", "relations"):
        at = go(at, address)
        assert any("Weights (finalwt) are not used here" in each for each in said(at)), address
    at = opened(table=read(ReadOptions()))
    assert not any("eights" in each and "used here" in each for each in said(at))


def test_means_and_sets_are_weighted_and_say_so(still):
    """The sidebar's line is the terminal's; the truth that a page of means draws is Hájek's mean."""
    health = data.load("health")
    w = np.where((age := health.values("age")) < 30, 0.5, np.where(age < 60, 1.0, 2.0))
    lists = np.where(
        w > 1, "tea;gin", np.where(age % 3 == 0, "tea;milk;rum", np.where(age % 2 == 0, "milk", "rum;gin;ale"))
    )
    frame = health.frame[["sex"]].assign(age=age, items=lists, finalwt=w).iloc[:3000]
    table = data.read(frame.to_csv(index=False).encode(), "h.csv", WEIGHED)
    at = go(opened(table=table), "means")
    mine = table.weights[1]
    effective = words.count(round(mine.sum() ** 2 / (mine @ mine)))
    line = f"weighted by finalwt (n {words.count(3000)} counts as {effective})"
    assert [each for each in said(at) if line in each], said(at)
    mean = float(mine @ table.values("age") / mine.sum())
    assert f"true mean {mean:.1f}" in plain(repr([charts(at)[key] for key in charts(at)]))
    at = go(at, "sets")
    assert [each for each in said(at) if line in each], said(at)
    assert not any("not used here" in each for each in said(at))


def test_the_check_on_data_takes_it_and_asks_what_nobody_sees_in_a_file(still):
    at = opened(table=read(ReadOptions()))
    health = read(ReadOptions())
    content = health.frame.to_csv(index=False).encode()
    ask(at, lambda: kept_files._keep("h.csv", SourceFile("h.csv", content)))
    at.session_state["upload_kept"] = {"h.csv": SourceFile("h.csv", content)}
    at.run()
    assert "Were these weights fixed before the answer was known?" in plain(html(at))
    assert "people with none" in plain(html(at)), "what changes most"
    labels = {button.label for button in at.button}
    assert {"use it", "it is an answer"} <= labels
    press(at, "check_take_weights")
    assert any("weighted by finalwt" in each for each in said(at))
    assert ask(at, lambda: workspace().table.options.of("finalwt").role) == "weight"
    assert "finalwt" not in at.selectbox(key="column").options
    at.session_state["columns_open"] = True
    at.run()
    next(box for box in at.selectbox if (box.key or "").startswith("by_hand_column")).set_value("finalwt").run()
    at.session_state["columns_open"] = True
    at.run()
    at.number_input(key="by_hand_classes").set_value(2)
    press(at, "by_hand_read")
    assert ask(at, lambda: workspace().table.options.of("finalwt").classes) == 2
    assert len(np.unique(ask(at, lambda: workspace().table.weights[1]))) == 2
    assert any("weighted by finalwt" in each for each in said(at))


def test_file_link_and_report_carry_it(frequency_page):
    at = frequency_page
    asked = study(at, "frequency")
    assert from_toml(to_toml(asked)).data.read.of("finalwt").role == "weight"
    assert "finalwt" not in str(link(at)), "an upload's columns stand in no link"
    report, refused = terminal.html(from_toml(to_toml(asked)), read(), False)
    assert not refused
    text = plain(report).replace("\u2009", " ").replace(words.THIN, " ")
    assert "weighted by finalwt (n 20 000 counts as 16 433)" in text


@pytest.mark.thorough  # how bundled data are read, in a link: test_checks_ways.py
def test_a_link_of_bundled_data_carries_a_weight(still):
    at = opened("data", data="health", column=COLUMN)
    options = ReadOptions().with_column("weight", role="weight")
    ask(at, lambda: kept_files.decide(options))
    at = go(at.run(), "frequency")
    again = opened("frequency", **{name: value for name, value in link(at).items() if name != "reps"})
    assert study(again, "frequency").data.read.of("weight").role == "weight"
    assert any("weighted by weight" in each for each in said(again))
    assert not isinstance(study(again, "frequency"), Comparison)
