"""Levels of items on the pages: links carry them, the sentence says what they buy, and every number is the engine's."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from ldpapp import words
from ldpapp.views.data import rules
from ldpapp.views.sets import by_level
from ldpcore import data, plan
from ldpcore.study import sets
from ldpcore.study.sets import compared, point
from ldpcore.study.sets.plans import HolderPlans
from ldpcore.study.sets.point import ItemFacts

from .opening import (
    charts,
    do,
    go,
    link,
    opened,
    panel,
    plain,
    press,
    sentence,
    study,
    twin,
)

PRIVATE, SECRET = ("liqueur", "vodka", "whisky", "rum"), ("condoms", "pregnancy test")
LINK = {
    "data": "groceries", "column": "items", "eps": "2", "eps2": "0.5", "o.m": "2", "o.attacks": "20",
    "m": ["uPrivSet", "PrivSet", "gHit"], "arm.A": [*PRIVATE, *SECRET], "secret.A": list(SECRET),
}  # fmt: skip


@pytest.fixture(scope="module")
def first() -> AppTest:
    return opened("sets", task="sets", **LINK)


@pytest.fixture
def at(first: AppTest, still: None) -> AppTest:
    return twin(first, "sets")


def facts(at: AppTest) -> dict[str, ItemFacts]:
    asked = study(at, "sets")
    return point.every(asked, sets.prepare(asked, data.load("groceries")))


@pytest.mark.thorough  # test_levels_view.py has the same of answers
def test_a_link_carries_levels_there_and_back(at: AppTest) -> None:
    own = study(at, "sets")
    assert set(own.marks.secret) == set(SECRET)
    assert own.secret_epsilon == 0.5
    assert own.mechanisms == ("PrivSet", "uPrivSet", "gHit")
    said = link(at)
    assert set(said["secret"]) == set(SECRET)
    assert set(said["marks"]) == {*PRIVATE, *SECRET}
    assert said["eps2"] == ["0.5"]


def test_the_headline_says_what_the_third_level_buys(at: AppTest) -> None:
    found, said = facts(at), plain(sentence(at))
    own, alike = found["gHit"], found["uPrivSet"]
    assert alike.mechanism.epsilon == 0.5  # all marked ones as secret
    assert words.margin(own.chance["all"]) in said
    for fact in (own, alike):
        assert words.margin(fact.chance["private"]) in said
        assert words.margin(fact.chance["secret"]) in said


def test_exposure_is_told_for_who_knows_the_level(at: AppTest) -> None:
    said = panel(at, "set_adversary")
    for epsilon in (0.5, 2.0):
        assert words.chance_of_100(plan.of_two(epsilon), most=True) in said
    asked = "".join(note["text"] for note in charts(at)["chart_set_adversary"]["layout"]["annotations"])
    assert asked.count("which of two") == 2


def test_ones_own_is_held_against_the_levels_and_attacked_by_them(at: AppTest) -> None:
    at.session_state["fold_sets_own"] = True
    press(at.run(), "own_begin_suGRR-Sample")
    least = float(np.log((np.exp(2) + 1) / 2))  # of either level: it knows one
    kept = f"speaks for secret items by {words.epsilon(least)}, their ε is 0.5."
    assert f"It does not keep the levels of this Study: some report {kept}" in plain(panel(at, "own_mechanism"))
    press(at, "own_focus")
    assert at.radio(key="sets_focus").value == "Own"
    right = words.chance_of_100(plan.of_two(least), most=True)
    asked = study(at, "sets")
    mine = compared.compared(asked, sets.prepare(asked, data.load("groceries"))).mine
    assert f"two secret items for at most {right}, about two private ones for {right}" in by_level.promised(mine)


def test_the_promise_is_said_by_level_and_one_sided(at: AppTest) -> None:
    at.session_state["fold_sets"] = True
    said = panel(at.run(), "set_promise")
    assert all(words.times(np.exp(epsilon), most=True) in said for epsilon in (0.5, 2.0))
    assert "rule" in said


@pytest.mark.thorough  # test_planner.py has the same of answers, tests/laws/test_plan_levels.py of sets
def test_the_planner_plans_by_the_epsilon_of_the_secret_items(at: AppTest) -> None:
    at.session_state["fold_sets_planner"] = True
    assert "0.5" in panel(at.run(), "planner")
    here = facts(at)["gHit"].here
    for worst in (True, False):
        made = HolderPlans(here, False, worst, "levels-joint")
        assert made.limit() is None
        own, alike = (made.of(key).within(0.5, here.n) for key in ("gHit", "uPrivSet"))
        assert own > 0 < alike
    exact = np.sqrt(facts(at)["gHit"].variance.max()) * plan.quantile(0.95)
    assert HolderPlans(here, False, False, "levels-joint").of("gHit").within(0.5, here.n) == pytest.approx(exact)


def test_the_overview_and_the_data_page_know_the_levels(at: AppTest) -> None:
    own = facts(at)["gHit"]
    assert words.margin(own.error("secret")) in plain(sentence(go(at, "overview")))
    go(at, "data")
    effect = panel(at, "effect")
    assert words.margin(own.error("private")) in effect
    assert not at.exception


def test_a_third_level_is_a_click_away_and_back(still: None) -> None:
    at = opened("data", task="sets", **{**LINK, "m": ["uPrivSet", "PrivSet"], "secret.A": []})
    assert set(rules_levels(at)) == {*PRIVATE, *SECRET}
    press(at, "levels_on")
    do(at, rules.grade, data.load("groceries").baskets("items").labels,
       {**dict.fromkeys(PRIVATE, "sensitive"), **dict.fromkeys(SECRET, "secret")})  # fmt: skip
    assert set(study(at, "sets").marks.secret) == set(SECRET)
    assert study(at, "sets").mechanisms == ("PrivSet", "uPrivSet", "gHit")
    press(at, "levels_off")
    assert not study(at, "sets").marks.secret
    assert study(at, "sets").mechanisms == ("PrivSet", "uPrivSet")


def rules_levels(at: AppTest) -> tuple[str, ...]:
    return study(at, "sets").marks.values
