"""The page Relations: what it says is what the engine computes of the two questions, and it says so where it cannot."""

import math
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from ldpapp import words
from ldpapp.export import terminal
from ldpapp.export.svg import known as known_svg
from ldpapp.state import actions, column_actions, column_settings
from ldpapp.state.model import study_of, table
from ldpapp.views.relations import error, headline, names, sentences, sidebar
from ldpapp.views.relations import view as views
from ldpapp.views.tasks import TASKS
from ldpcore import catalog, data, plan, relations
from ldpcore.plan.answers import rounded_down, rounded_up
from ldpcore.study import Marks, Source, Study, fit, mark_kinds
from ldpcore.study import relations as task
from ldpcore.study.relations import curves
from ldpcore.study.relations.facts import PairFacts, facts

from . import opening
from .opening import (
    ask,
    boxes,
    charts,
    do,
    go,
    html,
    link,
    of_columns,
    opened,
    panel,
    panels,
    plain,
    press,
    sentence,
    state,
    twin,
)

pytestmark = pytest.mark.usefixtures("all_still")
BROKEN = ("Divorced", "Separated", "Widowed", "Married-spouse-absent")
FOLDS = {"fold_relations_others": "True", "fold_relations_words": "True", "fold_relations_planner": "True"}


@pytest.fixture(scope="module")
def first() -> AppTest:
    return opened("relations", task="relations", reps="3", **FOLDS)


@pytest.fixture
def at(first) -> AppTest:
    return twin(first, "relations")


def asked(at: AppTest) -> Study:
    return opening.study(at, "relations")


def known(at: AppTest, drawn: int = 0) -> PairFacts:
    """The facts of the page's Study, computed apart from the page."""
    study_, source = asked(at), ask(at, table)
    return facts(study_, task.prepare(study_, source), drawn=drawn)


def figure(at: AppTest, key: str) -> dict:
    """A chart with its arrays unpacked."""
    return known_svg.plain(charts(at)[key])


def numbers(text: str) -> list[float]:
    return [float(n) for n in re.findall(r"\d+(?:\.\d+)?", text.replace(words.THIN, ""))]


# levels --------------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_a_secret_answer_has_its_own_epsilon_here_too(at) -> None:
    """Its slider stands in the sidebar, a mechanism that knows levels is compared, and what is promised is said."""
    levels = {label: "secret" if label == "Widowed" else "sensitive" for label in BROKEN}
    at = do(at, column_actions.set_levels, "marital-status", levels)
    do(at, actions.change, "relations", epsilon=2.0, secret_epsilon=0.5)
    do(at, actions.option, "relations", setting="as one")
    made = asked(at)
    assert (made.marks.secret, made.epsilon, made.secret_epsilon) == (("marital-status = Widowed",), 2.0, 0.5)
    assert at.select_slider(key="secret_slider").value == 0.5
    side = " ".join(html.proto.body for html in at.sidebar.get("html"))
    assert "count as marked" not in side
    assert "1 secret" in plain(side)
    whole = known(at)
    assert {"gRR", "gSub"} & set(made.mechanisms)
    assert whole.best.key in ("gRR", "gSub")
    assert whole.best.margin < whole.parts["uSS"].margin
    assert sentences.margin(whole.best.margin) in plain(sentence(at))
    told = plain(panel(at, "relations_exposed"))
    assert "A secret answer: ε = 0.5 in place of 2." in told
    alone = words.of_100(whole.best.secret_exposures[0].all_reports)
    assert re.search(rf"secret answers alone\D*{alone}", told)
    assert told.count("secret answers alone") == 1
    assert not at.exception


# as it opens ---------------------------------------------------------------------------------------------------------


def test_it_opens_with_the_census_and_says_the_difference(at) -> None:
    """The golden numbers of marital status and income, from the specification of the page."""
    made = asked(at)
    assert (made.option("groups"), made.column) == ("marital-status", "income")
    assert made.marks.values == (*(f"marital-status = {each}" for each in BROKEN), "income = >50K")
    one = known(at).best
    assert one.key == "uSS"
    said = plain(sentence(at))
    said, _, test = said.partition(" All 7 ")
    assert test == "× 2 answers together show a relation, too (p < 0.001, true answers p < 0.001)."
    gap, margin, raw = numbers(said.partition("” is ")[2].replace("50K", "").replace(f"the {len(BROKEN)} marked", ""))
    assert (gap, margin, raw) == (round(-one.difference), 10, round(-one.raw)), "one question"
    assert "points rarer" in said
    assert said.endswith("rarer.")
    ends = [note["text"] for note in figure(at, "chart_relations_error")["layout"]["annotations"]]
    assert {"<b>separate, ± 10</b>", "as one, joined, ± 6.9"} <= set(ends), ends
    both = [sum(mark.startswith(f"{name} = ") for mark in made.marks.values) for name in ("marital-status", "income")]
    among = f"the {both[0]} marked of marital-status than among “Married-civ-spouse”"
    assert said.startswith(f"In one simulated survey (ε = 1) “>50K” is 32 points rarer among {among}"), said
    side = plain(" ".join(each.proto.body for each in at.sidebar.get("html")))
    assert f"{sum(both)} answers marked sensitive{both[0]} of marital-status and {both[1]} of income" in side
    assert said.count("±") == 1, "that of any such survey; its own interval stands where it is called that"
    assert "This survey’s 95 %: −42 to −22" in panel(at, "relations_compared")
    assert one.margin == pytest.approx(10.18, abs=0.01)


def test_every_panel_is_there_and_nothing_else_is_waited_for(at) -> None:
    names = ("groups", "compared", "pairs", "error", "exposed", "needed", "others", "words")
    assert {f"relations_{name}" for name in names} | {"planner"} == set(panels(at))


def test_groups_are_drawn_where_they_are_estimated(at) -> None:
    one, drawing = known(at).best, figure(at, "chart_relations_groups")
    drawn = {trace["name"]: trace for trace in drawing["data"] if trace["name"] not in ("truth", "raw reports")}
    for row in one.groups:
        if row.share.told:
            assert drawn[row.label]["x"] == pytest.approx([100 * row.share.value])
            assert drawn[f"{row.label} interval"]["x"] == pytest.approx([100 * row.share.low, 100 * row.share.high])
        else:
            assert row.label not in drawn
    few = [note for note in drawing["layout"]["annotations"] if note["text"] == "too few"]
    assert len(few) == sum(not row.share.told for row in one.groups) >= 1
    true = sorted(trace["x"][0] for trace in drawing["data"] if trace["name"] == "truth")
    rows = [*one.groups, one.together(0)]
    assert true == pytest.approx(sorted(100 * row.truth for row in rows))
    raw = sorted(trace["x"][0] for trace in drawing["data"] if trace["name"] == "raw reports")
    assert raw == pytest.approx(sorted(100 * row.raw for row in rows))
    texts = [note["text"] for note in drawing["layout"]["annotations"]]
    for row in (row for row in one.groups if row.share.told):
        half = 50 * (row.share.high - row.share.low)
        assert f"{sentences.points(100 * row.share.value, half)} {sentences.margin(half)}" in texts
    for gap in (gap for gap in one.against_others if gap.told):
        half = 50 * (gap.high - gap.low)
        text = f"{sentences.signed(100 * gap.value, half)} {sentences.margin(half)}"
        assert (text if gap.low <= 0 <= gap.high else f"<b>{text}</b>") in texts


def test_raw_and_right_are_the_facts(at) -> None:
    whole = known(at)
    one, drawing, said = whole.best, figure(at, "chart_relations_compared"), panel(at, "relations_compared")
    drawn = {trace["name"]: trace["x"] for trace in drawing["data"]}
    assert drawn["estimate"] == pytest.approx([one.difference])
    assert drawn["estimate interval"] == pytest.approx([one.low, one.high])
    assert drawn["truth"] == pytest.approx([whole.truth])
    assert drawn["raw reports"] == pytest.approx([one.raw])
    assert f"{sentences.interval(one.low, one.high, one.margin)}" in said
    texts = [note["text"] for note in drawing["layout"]["annotations"] if note.get("name") != "internal"]
    assert {sentences.signed(one.raw, 12), f"<b>{sentences.signed(one.difference, 12)}</b>"} <= set(texts)
    assert not any("truth" in text or sentences.signed(whole.truth, 12) == text for text in texts)
    assert "7 × 2 test: 6 degrees of freedom." in said
    assert "p < 0.001" in plain(sentence(at))
    assert one.test.df == 6
    ratio = one.odds
    assert f"{ratio['estimate']:.2f} ({ratio['low']:.2f} to {ratio['high']:.2f})" in said
    assert f"Raw: {ratio['raw']:.2f}." in said
    assert not one.strength.told
    assert "too few people in some groups" in said
    gain = (one.margins["apart, joined"] / one.margin) ** 2
    assert f"{round(100 * gain)} of 100 people suffice" in said
    assert gain == pytest.approx(69.06 / 88.95, abs=0.03), "the specification's joined one, and its other at w = 3"


CELL = re.compile(r"<td style=\"background:rgba\(\d+,\d+,\d+,([\d.]+)\)\"><b>(.*?)</b> ±((?:&lt;)?[\d.]+)</td>")


def test_all_pairs_are_the_joint_shares(at) -> None:
    one = known(at).best
    low, high = one.survey.interval()
    cells = CELL.findall(html(at))
    assert len(cells) == 14
    places = [(x, y) for y in range(2) for x in range(7)]
    for (depth, share, margin), place in zip(cells, places, strict=True):
        assert float(share.replace(words.MINUS, "-")) == pytest.approx(100 * one.survey.shares[place], abs=0.51)
        assert margin == ("&lt;0.1" if (off := 50 * (high - low)[place]) < 0.05 else f"{off:.1f}")
        assert (float(depth) > 0.05) == (low[place] > 0), "pale where it is not told from none"


def test_every_way_to_ask_has_its_line(at) -> None:
    one, drawing = known(at).best, figure(at, "chart_relations_error")
    drawn = {trace["name"]: dict(zip(trace["x"], trace["y"], strict=True)) for trace in drawing["data"]}
    ways = {"separate": ("apart", False), "as one": ("as one", False), "open": ("open", False),
            "as one, joined": ("as one", True)}  # fmt: skip
    assert set(ways) <= set(drawn)
    for name, (setting, joined) in ways.items():
        for epsilon in curves.GRIDS["epsilon"]:
            expected = 100 * one.half_width(setting, epsilon, joined)
            assert drawn[name][epsilon] == pytest.approx(expected), (name, epsilon)


def test_along_people_it_falls_as_their_root(at) -> None:
    at.radio(key="relations_axis").set_value("n").run()
    one, drawing = known(at).best, figure(at, "chart_relations_error")
    drawn = next(trace for trace in drawing["data"] if trace["name"] == "open")
    for n, off in zip(drawn["x"], drawn["y"], strict=True):
        assert off == pytest.approx(100 * one.half_width("open", 1.0, n=round(n)), rel=1e-3)
    assert "At ε = 1" in panel(at, "relations_error")


def filled_behind() -> None:
    """What the page computes behind itself is there."""
    view = views.current(study_of("relations"), task.prepare(study_of("relations"), table()))
    for _ in error.behind(view):
        pass


@pytest.mark.thorough  # test_planner.py says it of answers
def test_where_a_smaller_epsilon_errs_less_it_is_said(at) -> None:
    assert "made for shares" not in panel(at, "relations_error")
    do(at, actions.change, "relations", epsilon=1.8, mechanisms=("uSS",))
    assert known(at).best.smaller_margin is None, "its subsets are made for this difference"
    do(at, actions.change, "relations", epsilon=3.0, mechanisms=("uHR",))
    assert "made for shares" not in panel(at, "relations_error"), "nobody waits for it"
    do(at, filled_behind)
    best = known(at).best
    assert best.smaller_margin is not None
    assert f"at ε = {best.smaller_epsilon:g} it is ± {best.smaller_margin:.1f} points" in plain(
        panel(at, "relations_error")
    )


def test_who_is_told_apart_is_exact(at) -> None:
    """Of 100 pairs, own report and all reports; open groups as in the specification's table."""
    said = panel(at, "relations_exposed")
    assert "68 → 70" in said
    assert "70 → 77" in said
    assert "82 → 90" in said
    one = known(at).best
    for setting in ("apart", "as one", "open"):
        for side in (0, 1):
            exposed = one.exposure(setting, side)
            if exposed.own_report < 1:
                assert words.of_100(exposed.all_reports) in said
    assert "everybody sees it" in said
    assert "ε = 0.5 for an answer if the other is known, ε = 1 for both" in said


@pytest.mark.parametrize(("delta", "power"), [(5.0, 0.8), (10.0, 0.95)])
def test_the_people_needed_are_the_plan_s(at, delta, power) -> None:
    at.session_state[sidebar.DELTA], at.session_state[sidebar.POWER] = delta, power
    at.run()
    compared = known(at).compared
    said = panel(at, "relations_needed")
    for setting in ("apart", "as one", "open"):
        design = compared.design("uSS", setting, 1.0)
        groups = compared.freq, compared.answers, compared.one, compared.other
        assert words.count(rounded_up(plan.difference(design, *groups, delta=-delta / 100, power=power))) in said
    assert f"{delta:g} points" in said


def test_what_is_rarer_than_the_difference_is_looked_for_above_it() -> None:
    """Nothing is 5 points rarer than 3 %: where the true difference points there, the other direction is planned."""
    mine = frame(team=["a"] * 1000 + ["b"] * 20, taken=(["yes"] * 30 + ["no"] * 970) + ["no"] * 20)
    at = opened("relations", mine)
    do(at, column_actions.set_marks, "taken", ["yes"])
    at = go(at, "relations")
    one, said = known(at).best, panel(at, "relations_needed")
    assert one.compared.truth < 0
    expected = plan.difference(one.design, one.compared.freq, [1], [1], [0], delta=0.05)
    assert words.count(rounded_up(expected)) in said
    assert said.count(words.count(rounded_up(expected))) == 1, "asked apart and with groups open are one way here"
    assert "to see 5 points commoner in 4 surveys of 5" in plain(said)
    assert "failed" not in said


def test_every_group_against_all_others_at_once(at) -> None:
    one, drawing = known(at).best, figure(at, "chart_relations_others")
    drawn = {trace["name"]: trace["x"] for trace in drawing["data"]}
    alone = one.survey.difference(one.compared.answers, [0], [1, 2, 3, 4, 5, 6])
    label = one.compared.people.labels[0][0]
    assert drawn[label] == pytest.approx([100 * alone.value])
    low, high = drawn[f"{label} interval"]
    assert high - low > 100 * (alone.high - alone.low), "wider, since all hold at once"
    counts = one.compared.people.counts
    others = counts[1:].sum(axis=0)
    true = 100 * (counts[0, 1] / counts[0].sum() - others[1] / others.sum())
    assert any(trace["x"] == pytest.approx([true]) for trace in drawing["data"] if trace["name"] == "truth")


def test_the_planner_is_about_the_difference(at) -> None:
    at.radio(key="relations_answered").set_value("people").run()
    at.number_input(key="plan_epsilon").set_value(0.8)
    at.number_input(key="plan_within").set_value(4.0).run()
    made = known(at).compared.planned("uSS", "apart")
    assert f"{words.count(made.people(0.8, 0.04))}" in panel(at, "planner")
    half = known(at).compared.half_width(known(at).compared.design("uSS", "apart", 0.8), made.people(0.8, 0.04))
    assert half == pytest.approx(0.04, rel=1e-3)
    at.radio(key="relations_answered").set_value("epsilon").run()
    press(at, "plan_use")
    found, n = known(at).study.epsilon, known(at).best.n
    assert made.within(found, n) <= 0.04 < made.within(0.98 * found, n)


@pytest.mark.thorough
def test_another_draw_is_the_study_s_next_survey(at) -> None:
    press(at, "relations_again")
    again = known(at, drawn=1).best
    assert again.difference != known(at).best.difference
    drawn = {trace["name"]: trace["x"] for trace in figure(at, "chart_relations_compared")["data"]}
    assert drawn["estimate"] == pytest.approx([again.difference])
    press(press(at, "relations_again"), "relations_again")
    drawn = {trace["name"]: trace["x"] for trace in figure(at, "chart_relations_compared")["data"]}
    assert drawn["estimate"] == pytest.approx([known(at).best.difference]), "three surveys, and the first again"


# what is told --------------------------------------------------------------------------------------------------------


def test_who_would_tell_is_about_the_true_difference() -> None:
    """41 of 400 and 60 of 600 say yes: 0.25 points. What the survey shows is another number, and stands in no bold."""
    rows = ["a,yes"] * 41 + ["a,no"] * 359 + ["b,yes"] * 60 + ["b,no"] * 540
    source = data.read("\n".join(["site,answer", *rows]).encode(), "sites.csv")
    for epsilon, ending in ((1.0, "take about {n} people."), (0.001, "would take more people than exist.")):
        asked_ = Study(Source("sites"), "answer", mechanisms=("GRR",), epsilon=epsilon, task="relations")
        asked_ = asked_.with_options(groups="site")
        people = task.prepare(asked_, source)
        view = views.RelationsView(asked_, people, facts(asked_, people))
        said, published = headline.headline(view)
        who = words.count(rounded_up(view.best.people)) if view.best.people else ""
        other = view.best.estimate.told and view.best.difference * view.best.compared.truth < 0
        sign = " the other way" if other and who else ""
        assert f"The true 0.25 points{sign} {ending.format(n=who)}" in said
        assert "0.25" not in published
        if view.best.estimate.told:
            assert re.findall("<b>(.*?)</b>", said) == ["cannot be told apart"]
            seen = sentences.points(view.best.difference, view.best.margin)
            assert f"{seen} points seen, {sentences.margin(view.best.margin)}." in said
    assert plain(sentences.relation(view.best.test, 2, 2)) == "2 × 2 test: 1 degree of freedom."


@pytest.mark.parametrize("is_related", [True, False])
@pytest.mark.parametrize(
    ("ends", "said", "unsaid"),
    [
        ((-0.03, 0.01), "1.0 points seen, ± 5.0.", "own interval"),
        ((-0.17, 0.01), "its own interval, −17.0 to +1.0, holds 0", "seen"),
        ((-0.05, -0.01), "± 5.0. This survey’s own interval: −5.0 to −1.0.", "apart"),
        ((-0.29, -0.11), "20.0 points rarer", "interval"),
    ],
)
def test_each_test_says_what_it_is_of_and_an_interval_is_named_where_it_decides(
    monkeypatch, ends, said, unsaid, is_related
) -> None:
    """Two tests may differ: that of all groups and answers, and that of two sides, by this survey's own interval."""
    source = data.read("\n".join(["site,answer", *["a,yes", "a,no", "b,no"] * 40]).encode(), "sites.csv")
    made = Study(Source("sites"), "answer", mechanisms=("GRR",), task="relations").with_options(groups="site")
    view = views.RelationsView(made, task.prepare(made, source), facts(made, task.prepare(made, source)))
    value, (low, high) = sum(ends) / 2, ends
    estimate = relations.RelationEstimate(np.array(value), np.array(low), np.array(high), np.array(True), 9.0)
    vars(view.best).update(estimate=estimate, margin=5.0)
    test = relations.IndependenceTest(9.0, 1, 0.001 if is_related else 0.3, "")
    monkeypatch.setattr(headline.cached, "independence", lambda one: test)
    text, published = map(plain, headline.headline(view))
    all_of, p = "2 × 2 answers together", f"p = {test.p:.3f}" if is_related else f"p = {test.p:.2f}"
    last = {
        (True, True): f"All {all_of} show a relation, too", (True, False): f"All {all_of}: a relation cannot be told",
        (False, True): f"All {all_of} show a relation", (False, False): f"Nor do all {all_of} show a relation",
    }[not low <= 0 <= high, is_related]  # fmt: skip
    assert text.startswith("In one simulated survey (ε = 1) ")
    true = "true answers p < 0.001"  # by hand: χ² = 120·(40·40)²/(80·40·40·80) = 30
    assert f" {last} ({p}, {true})." in text, "what it is of, and whether the two sides say so, too"
    assert f" {last} ({p})." in published
    assert said in text
    assert unsaid not in text


def schools(shares: dict[str, float], each: int = 4000) -> data.Table:
    """As many pupils of each school, of whom this share said yes."""
    rows = [f"{name},{'yes' if i < share * each else 'no'}" for name, share in shares.items() for i in range(each)]
    return data.read("\n".join(["school,taken", *rows]).encode(), "schools.csv")


@pytest.mark.parametrize(
    ("told", "ends", "said"),
    [
        ([1], (0.03, 0.15), "one of 4 groups of school differs. “d” and “a” differ, too, by 9.0 ± 5.0 points."),
        ([1, 0], (0.03, 0.15), "2 of 4 groups of school differ. “d” and “a” differ, too, by 9.0 ± 5.0 points."),
        ([], (-0.15, -0.03), "from all others. “d” and “a” differ by 9.0 ± 5.0 points."),
        ([1], (0.01, 0.05), "“d” and “a” differ, too, by +1.0 to +5.0 points."),
    ],
)
def test_a_difference_is_said_with_its_size(told, ends, said) -> None:
    """Where its own interval decides otherwise than the ± of any such survey, that interval."""
    source = schools({"a": 0.3, "b": 0.6, "c": 0.3, "d": 0.3}, 500)
    made = Study(Source("schools"), "taken", Marks.of(["taken = yes"]), ("uSS",), epsilon=2.0, task="relations")
    made, _ = fit(made.with_options(groups="school"), source)
    view = views.RelationsView(made, task.prepare(made, source), facts(made, task.prepare(made, source)))
    value, (low, high) = sum(ends) / 2, ends
    estimate = relations.RelationEstimate(np.array(value), np.array(low), np.array(high), np.array(True), 9.0)
    vars(view.best).update(estimate=estimate, margin=5.0, told_from_others=told)
    assert said in plain(headline.headline(view)[0])


@pytest.mark.parametrize("is_clear", [True, False])
def test_where_nobody_chose_two_groups_the_first_words_are_of_all(is_clear) -> None:
    """The last and the largest group differ by nothing, and “b” by much: that stands first, all intervals at once. The
    two that differ most are read off the true answers: a click, no default, and not published."""
    source = schools({"a": 0.3, "b": 0.6 if is_clear else 0.305, "c": 0.3, "d": 0.3})
    made = Study(Source("schools"), "taken", Marks.of(["taken = yes"]), ("uSS",), epsilon=2.0, task="relations")
    made, _ = fit(made.with_options(groups="school"), source)
    people = task.prepare(made, source)
    whole = facts(made, people)
    one, view = whole.best, views.RelationsView(made, people, whole)
    gaps = [(abs(gap.value), x) for x, gap in enumerate(one.against_others) if not gap.low <= 0 <= gap.high]
    assert one.told_from_others == ([x for _, x in sorted(gaps, reverse=True)] if is_clear else [])
    text, published = map(plain, headline.headline(view))
    gap = one.against_others[1]
    if is_clear:
        said = f"“yes” is {sentences.way(100 * gap.value, 50 * (gap.high - gap.low))} among “b” than among all others"
        assert f": {len(one.told_from_others)} of 4 groups of school differ." in text
        assert whole.clearest[0] == "b" or whole.clearest[1] == "b"
    else:
        said = "“yes” tells none of the 4 groups of school from all others."
    for each in (text, published):
        assert each.startswith(f"In one simulated survey (ε = 2) {said}")
        assert "“d” and “a” cannot be told apart: ± " in each
    chosen = made.with_options(compare=("b",), versus=("a",))
    assert not facts(chosen, people).is_unchosen
    assert facts(chosen, people).compared.labels(0) == ["b"]


def test_the_two_groups_that_differ_most_are_a_click() -> None:
    at = opened("relations", schools({"a": 0.3, "b": 0.6, "c": 0.3, "d": 0.5}))
    do(at, actions.choose_column, "taken", "relations")
    do(at, column_actions.set_marks, "taken", ["yes"])
    do(at, actions.option, "relations", groups="school")
    assert known(at).is_unchosen
    pair = known(at).clearest
    assert set(pair) == {"a", "b"}
    assert re.search("In these data “[ab]” and “[ab]” differ most.", plain(panel(at, "relations_groups")))
    press(at, "relations_clearest")
    assert (asked(at).option("compare"), asked(at).option("versus")) == (pair[:1], pair[1:])
    assert "In these data" not in panel(at, "relations_groups")
    paper = terminal.paper(
        replace(asked(at).with_options(compare=(), versus=()), grid=(), repetitions=1), ask(at, table)
    )
    assert "differ most" in paper[0].html(False)
    assert "differ most" not in paper[0].html(True)


# what is published ---------------------------------------------------------------------------------------------------


def test_the_published_sentence_has_no_number_of_the_truth(at) -> None:
    do(at, column_actions.set_marks, "income", ["<=50K", ">50K"])
    at = do(at, actions.change, "relations", epsilon=0.2)
    whole = known(at)
    view = ask(at, views.current, asked(at), whole.counted)
    said, published = (plain(text) for text in ask(at, headline.headline, view))
    people, truth = words.count(rounded_up(whole.best.people)), words.decimals(abs(whole.truth))
    assert f"The true {truth} points take about {people} people." in said
    assert truth not in published
    assert "cannot be told apart" in said or "Too few" in said
    assert people not in published
    assert published


def test_the_published_report_has_no_tick_of_the_truth(at) -> None:
    one = replace(asked(at), grid=(), repetitions=1)
    paper = terminal.paper(one, ask(at, table))[0]
    largest = f">{words.count(int(known(at).counted.counts.sum(axis=1).max()))}<"
    for is_public in (False, True):
        said = paper.html(is_public)
        assert "too few" in said
        assert ("Tick: truth" in said) is not is_public
        assert largest not in said, "how many people are in a group is a table's"
        assert ("truth, internal" in said) is not is_public


# how it is asked -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("setting", ["as one", "open"])
def test_another_way_to_ask(at, setting) -> None:
    at.button_group(key="relations_setting").set_value(setting).run()
    assert asked(at).option("setting") == setting
    one = known(at).best
    assert sentences.margin(one.margin) in plain(sentence(at))
    built = catalog.FREQUENCY["uSS"].build(1.0, 2, np.array([False, True]))
    if setting == "open":
        assert one.margin == pytest.approx(
            100 * plan.half_width(relations.apart(7, built), one.compared.freq, [1], one.compared.one,
                                  one.compared.other, one.n)
        )  # fmt: skip
        assert "everybody sees the groups" in panel(at, "relations_exposed")
    else:
        assert one.margin == pytest.approx(13.81, abs=0.01)
        assert "for either answer, and for both" in panel(at, "relations_exposed")


@pytest.mark.thorough  # a table is searched for at every ε; what is drawn is tests/laws/test_pairs.py's
def test_half_open_is_chosen_where_a_pair_is_asked_as_one(at) -> None:
    """It is offered there alone; the sentence has its margin, and the limit drawn is that of all that hides both."""

    def offered() -> set[str]:
        texts = " ".join(text for pills in at.get("button_group") for text in pills.options).replace("\\", "")
        return {key for key in catalog.PAIRS if key in texts}

    assert not offered()
    do(at, actions.option, "relations", setting="as one")
    assert offered() == {*catalog.PAIRS}
    do(at, actions.choose_mechanisms, "relations", ["uSS", "half-open"])
    one = known(at).best
    assert one.key == "half-open"
    assert sentences.margin(one.margin) in plain(sentence(at))
    seen = ask(at, views.current, asked(at), known(at).counted)
    assert curves.floor_of(seen.best) == task.HOWEVER
    assert [each.points["x"].tolist() for each in ask(at, error.lines, seen)] == [[*curves.GRIDS["epsilon"]]] * 2
    assert "one that is not marked may be shown" in panel(at, "relations_exposed")
    do(at, actions.option, "relations", setting="apart")
    assert known(at).best.key == "uSS"
    assert not at.exception


def test_joining_is_one_click_and_it_pays(at) -> None:
    before = known(at).best.margin
    press(at, "relations_join_now")
    assert asked(at).option("join") is True
    after = known(at).best
    assert after.margin < before
    assert sentences.margin(after.margin) in plain(sentence(at))
    assert "suffice" not in panel(at, "relations_compared"), "it is not proposed twice"
    assert at.checkbox(key="relations_join").value
    labels = {trace["name"] for trace in figure(at, "chart_relations_groups")["data"]}
    assert {"Married-civ-spouse", "2 others", "the 4 marked"} <= labels


def test_groups_and_answers_are_chosen_and_swapped(at) -> None:
    at.multiselect(key="relations_compare").set_value(["Never-married"]).run()
    at.multiselect(key="relations_versus").set_value(["Widowed", "Divorced"]).run()
    compared = known(at).compared
    labels = np.array(compared.people.labels[0])
    assert set(labels[compared.one]) == {"Never-married"}
    assert set(labels[compared.other]) == {"Widowed", "Divorced"}
    assert "“Never-married” and among “Divorced” or “Widowed”" in plain(sentence(at))
    focus = state(at).current_column[ask(at, table).digest]
    at.selectbox(key="column").set_value("marital-status").run()
    made = asked(at)
    assert (made.option("groups"), made.column) == ("income", "marital-status"), "one is the other now: they swap"
    assert made.option("compare") == ()
    at.selectbox(key="relations_groups").set_value("sex").run()
    assert (asked(at).option("groups"), asked(at).column) == ("sex", "marital-status")
    assert state(at).current_column[ask(at, table).digest] == focus, "a pair is of this page: no other turns to it"
    assert opening.study(at, "frequency").column == focus
    again = opened("relations", **link(at))
    assert asked(again) == asked(at)
    assert opening.study(again, "frequency").column == focus, "nor where a link opens it"


STI = ("HIV", "chlamydia", "hepatitis B", "hepatitis C")


def test_more_partners_and_infections() -> None:
    """The second question of the specification: of open groups, with answers of which one side may have none."""
    at = opened("relations", data="health", task="relations", reps="3")
    do(at, actions.option, "relations", answer=STI, compare=("2-4", "5 or more"), versus=("0", "1"))
    one = known(at).best
    said = plain(sentence(at))
    assert one.low > 0
    assert "commoner among “2-4” or “5 or more” than among “0” or “1”" in said
    assert len(re.findall(r"All 4 × 20 answers together show a relation, too", said)) == 1
    assert sentences.margin(one.margin) in said
    assert not math.isfinite(one.odds["high"])
    assert "The odds ratio cannot be told." in panel(at, "relations_compared")
    assert "Only one of the two is hidden" in panel(at, "relations_exposed")
    assert one.exposure("apart", 0) is None, "nothing is marked there"


@pytest.mark.thorough  # test_session.py, and test_review_view.py for marks of several columns
def test_marks_are_those_of_every_page(at) -> None:
    at.multiselect(key="relations_marks_0").set_value(["Widowed"]).run()
    assert set(ask(at, of_columns(column_settings.label_marks), "marital-status").values) == {"Widowed"}
    assert asked(at).marks.values == ("marital-status = Widowed", "income = >50K")
    do(at, column_actions.set_marks, "income", [])
    assert asked(at).marks.values == ("marital-status = Widowed",)
    assert "Only one of the two is hidden, with ε = 1" in panel(at, "relations_exposed")
    assert "Nothing of income is marked sensitive." in panel(at, "relations_exposed")


def test_with_nothing_marked_every_answer_is_protected(at) -> None:
    for name in ("marital-status", "income"):
        do(at, column_actions.set_marks, name, [])
    one = known(at).best
    assert catalog.FREQUENCY[one.key].promise == "LDP"
    assert one.margin > 100
    assert "over ± 100" in plain(sentence(at))
    text = sentence(at)
    assert "<b>cannot be told apart</b>" in text
    assert set(re.findall("<b>(.*?)</b>", text)) <= {"none", "cannot be told apart"}
    assert "Nothing of marital-status or income is marked sensitive." in plain(
        " ".join(h.proto.body for h in at.sidebar.get("html"))
    )
    assert "Then every answer is protected" in plain(html(at))


def test_these_people_alone_leave_out_who_was_asked(at) -> None:
    at.button_group(key="relations_setting").set_value("open").run()
    like = known(at).best.margin
    at.button_group(key="relations_about").set_value("these").run()
    assert known(at).best.margin < like
    assert sentences.margin(known(at).best.margin) in plain(sentence(at))


# where there is nothing to relate ------------------------------------------------------------------------------------


def frame(**columns) -> data.Table:
    return data.read(pd.DataFrame(columns).to_csv(index=False).encode(), "mine.csv")


YES = ["yes", "no", "no", "no"]
SENTENCES = {
    "one question": ({"a": YES * 30}, {}, "has no two questions"),
    "nobody": ({"a": YES * 10 + [None] * 40, "b": [None] * 40 + ["u", "v"] * 20}, {}, "No one answered both questions"),
    "one answer left": (
        {"a": YES * 20, "b": (["u"] * 4 + [None] * 4) * 5 + [None] * 40, "c": [None] * 40 + ["v"] * 20 + ["w"] * 20},
        {"groups": "a", "column": "c"}, "",
    ),
    "both sides": ({"a": ["x", "y", "z"] * 40, "b": YES * 30}, {"column": "b", "compare": ("x",), "versus": ("x",)},
                   "A group stands on one side only; each side needs one."),
    "one is unmarked": ({"a": ["x", "y", "z"] * 40, "b": YES * 30}, {"setting": "as one", "marked": "b"},
                        "“a” is not marked; asking it with the other hides it for nothing."),
    "too many pairs": (
        {"a": [f"g{i % 11}" for i in range(220)], "b": [f"h{i % 10}" for i in range(220)]},
        {"setting": "as one", "marked": "ab"}, "The pair has 110 answers, more than 64; join some, or ask separately.",
    ),
    "no table of chances": ({"a": ["x", "y", "z"] * 40, "b": YES * 30}, {"mechanisms": ("OLH",)},
                            "OLH has no table of chances; choose GRR, SS, uRR or uSS."),
}  # fmt: skip


@pytest.mark.parametrize("case", SENTENCES)
def test_what_cannot_be_related_says_so_in_a_sentence(case: str) -> None:
    columns, change, said = SENTENCES[case]
    at = opened("relations", frame(**columns))
    for name in change.get("marked", ""):
        label = ask(at, lambda name=name: column_settings.values(table(), name)[0])
        do(at, column_actions.set_marks, name, [label])
    if "mechanisms" in change:
        do(at, actions.choose_mechanisms, "relations", change["mechanisms"])
    options = {key: value for key, value in change.items() if key in task.OPTIONS.names()}
    if "column" in change:
        do(at, actions.choose_column, change["column"], "relations")
    if options:
        do(at, actions.option, "relations", **options)
    assert not at.exception
    assert sentence(at)
    if said:
        assert said in boxes(at)
        assert ".." not in boxes(at)
    at.button_group(key="relations_setting") if case != "one question" else None


def test_who_left_one_out_is_counted_and_not_named() -> None:
    at = opened("relations", frame(a=["x", "y"] * 60, b=["u", None] * 30 + ["u", "v"] * 30))
    assert known(at).left_out == 30
    assert "30 people who left one out are not counted" in panel(at, "relations_groups")


def test_too_many_groups_are_left_to_the_table() -> None:
    rng = np.random.default_rng(3)
    at = opened("relations", frame(a=[f"g{i:02d}" for i in rng.integers(0, 20, 900)], b=rng.choice(YES, 900)))
    do(at, actions.choose_column, "b", "relations")
    assert "The 12 largest groups; the table has all 20." in panel(at, "relations_groups")
    assert "40 pairs are too many to draw" in panel(at, "relations_pairs")


# beyond the page -----------------------------------------------------------------------------------------------------


def test_link_and_overview_know_a_pair_that_somebody_chose(at) -> None:
    assert "overview_relation" not in panels(go(at, "overview"))
    go(at, "relations")
    at.selectbox(key="relations_groups").set_value("sex").run()
    again = opened("relations", **link(at))
    assert asked(again) == asked(at)
    assert sentence(again) == sentence(at)
    assert "overview_relation" not in panels(go(at, "overview")), "of a pair without its column"
    do(at, actions.choose_column, "income")
    assert "overview_relation" in panels(at)
    assert f"{sentences.margin(known(at).best.margin)}" in panel(at, "overview_relation")
    do(at, actions.choose_column, "race")
    assert "overview_relation" not in panels(at), "the pair was not chosen last"


def test_who_signs_its_report_signs_what_is_asked(at) -> None:
    signed = ask(at, TASKS["relations"].signed, asked(at), known(at).counted)
    rows = dict(signed.rows)
    assert rows["questions"] == "marital-status and income"
    assert "ε = 0.5 for an answer if the other is known, ε = 1 for both" in rows["promised"]
    assert all(label in rows["marked sensitive"] for label in BROKEN)
    assert sentences.margin(known(at).best.margin) in rows["difference off by"]
    assert list(signed.mechanisms) == ["uSS"]


def test_its_marks_are_of_the_two_questions_alone(at) -> None:
    assert task.MARKS is mark_kinds.PAIRS
    do(at, column_actions.set_marks, "race", ["Black"])
    assert not any("race" in value for value in asked(at).marks.values)


def test_the_limit_and_the_test_fill_in_behind_it() -> None:
    """A pair asked as one: its test draws surveys below 3 000 people, its limit is a program."""
    rng = np.random.default_rng(5)
    mine = frame(a=rng.choice(["x", "y", "z"], 900), b=rng.choice(YES, 900))
    at = opened("relations", mine)
    for name, label in (("a", "x"), ("b", "yes")):
        do(at, column_actions.set_marks, name, [label])
    do(at, actions.option, "relations", setting="as one")
    assert "surveys for the test are being drawn" in panel(at, "relations_compared")
    assert not [trace for trace in figure(at, "chart_relations_error")["data"] if trace["name"] == "limit"]
    assert "Limits:" not in panel(at, "relations_error")

    do(at, filled_behind)
    test = known(at).best.test
    assert test.how == "drawn"
    said = panel(at, "relations_compared")
    assert "About: by drawn surveys." in said
    assert f"{test.p:.2f}" in plain(sentence(at)) or f"{test.p:.3f}" in plain(sentence(at))
    floor = next(trace for trace in figure(at, "chart_relations_error")["data"] if trace["name"] == "limit")
    assert max(floor["y"]) == pytest.approx(100 * known(at).floor(curves.GRIDS["epsilon"][0]), rel=0.02)
    ways = ("as one", "apart", "open", task.HOWEVER)
    least = [f"± {words.plain(rounded_down(known(at)._least(asked)))}" for asked in ways]
    assert (
        f"Limits: {least[0]} as one, {least[1]} separate, {least[2]} open, {least[3]} however both are hidden."
        in plain(panel(at, "relations_error"))
    )


@pytest.mark.parametrize("marked", ["answers", "both"])
def test_the_limit_drawn_is_that_of_the_line_in_focus_and_nothing_lies_in_what_is_filled(marked) -> None:
    """Asked in every way that there is: a limit of another way stood above the line."""
    rng = np.random.default_rng(5)
    mine = frame(a=rng.choice(["x", "y", "z"], 900), b=rng.choice(YES, 900))
    at = opened("relations", mine)
    for name, label in (("a", "x"), ("b", "yes"))[marked == "answers" :]:
        do(at, column_actions.set_marks, name, [label])
    do(at, actions.change, "relations", column="b")
    for setting in ("apart", "open", *(["as one"] if marked == "both" else [])):
        do(at, actions.option, "relations", setting=setting, groups="a")
        do(at, filled_behind)
        drawn = {trace["name"]: trace for trace in figure(at, "chart_relations_error")["data"]}
        limit, is_filled = drawn["limit"], drawn["limit"].get("fill") == "toself"
        corners = len(limit["x"]) // 2 if is_filled else len(limit["x"])  # an area comes back along its lower edge
        x, edge = np.array(limit["x"][:corners], float), np.array(limit["y"][:corners], float)
        one, focus = known(at), drawn[names.setting(setting)]
        floors = [100 * one.floor(point, asked=setting) for point in curves.GRIDS["epsilon"]]
        seen = np.interp(np.log(curves.GRIDS["epsilon"]), np.log(x), edge)
        assert seen[2] == pytest.approx(floors[2], rel=0.02)
        assert (np.interp(curves.GRIDS["epsilon"], focus["x"], focus["y"]) >= 0.999 * np.array(floors)).all()
        lines = [drawn[name] for name in map(names.setting, ("apart", "as one", "open")) if name in drawn]
        below = [line for line in lines if (line["y"] < 0.99 * np.interp(line["x"], x, edge)).any()]
        assert not below or not is_filled
        assert is_filled or below, "what nothing undercuts is filled"
        said, least = plain(panel(at, "relations_error")), words.plain(rounded_down(one._least(setting)))
        assert (
            f"Limits: ± {least}" if marked == "both" else f"No mechanism asked so gets below ± {least} here."
        ) in said


def test_sizes_below_which_a_group_says_nothing_are_said() -> None:
    assert "only 4.0 times its own error" in sentences.care(relations.RelationEstimate(0.1, 0.0, 0.2, True, 4.0))
    assert not sentences.care(relations.RelationEstimate(0.1, 0.0, 0.2, True, 6.0))
    assert sentences.interval(-math.inf, 3.0, 5.0) == "any difference"


@pytest.mark.parametrize(
    ("value", "margin", "written"),
    [(-32.06, 12.2, "32 points rarer"), (4.23, 2.2, "4.2 points commoner"), (0.2, 24.0, ""),
     (0.42, 0.31, "0.42 points commoner")],
)  # fmt: skip
def test_a_difference_is_written_with_the_digits_that_its_margin_leaves(value, margin, written) -> None:
    assert sentences.way(value, margin) == written
