"""Levels on the pages: a third level is a click away, links carry it, and every number is the engine's."""

from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from ldpapp import words
from ldpapp.parts import curve_words
from ldpapp.state import actions, column_actions, column_settings, comparisons
from ldpapp.views.data import rules
from ldpcore import catalog, data, plan
from ldpcore.study import Marks, Source, Study, means
from ldpcore.study.frequency import facts as frequency
from ldpcore.study.frequency import floor
from ldpcore.study.means.plans import MeanPlans

from .opening import (
    ask,
    do,
    drawn,
    go,
    link,
    of_columns,
    opened,
    panel,
    plain,
    press,
    sentence,
    state,
    studies,
    study,
    twin,
)

PRIVATE, SECRET = ("hepatitis B", "hepatitis C", "depression"), ("HIV", "chlamydia")
LINK = {
    "data": "health", "column": "condition", "eps": "2", "eps2": "0.5", "m": ["SS", "uSS", "gSub", "gTable"],
    "arm.A": [*PRIVATE, *SECRET], "secret.A": list(SECRET),
}  # fmt: skip


@pytest.fixture(scope="module")
def first() -> AppTest:
    return opened("frequency", **LINK)


@pytest.fixture
def at(first: AppTest, still: None) -> AppTest:
    return twin(first, "frequency")


def facts(at: AppTest) -> dict[str, frequency.ShareFacts]:
    here = replace(study(at, "frequency"), grid=())
    return frequency.facts(here, data.load("health").categorical("condition", "any")).every


def test_a_link_carries_levels_there_and_back(at: AppTest) -> None:
    own = study(at, "frequency")
    assert set(own.marks.secret) == set(SECRET)
    assert own.secret_epsilon == 0.5
    said = link(at)
    assert set(said["secret"]) == set(SECRET)
    assert said["eps2"] == ["0.5"]


def test_the_headline_says_what_the_third_level_buys(at: AppTest) -> None:
    found, said = facts(at), plain(sentence(at))
    levels, alike = frequency.leveled(found)
    assert alike.key == "uSS"
    assert alike.mechanism.epsilon == 0.5  # all marked ones as secret
    assert levels.error() == min(found[key].error() for key in ("gSub", "gTable"))
    for text in (levels.key, words.margin(levels.error()), words.margin(alike.error()),
                 words.margin(levels.error("secret")), words.tries(levels.guessed("secret"))):  # fmt: skip
        assert text in said


def test_the_card_says_every_level_and_what_is_one_sided(at: AppTest) -> None:
    main = facts(at)["gTable"]
    risk = panel(at, "risk")
    guessed = [words.of_100(main.guessed(scope)) for scope in ("secret", "private")]
    assert "Guessed" + "".join(guessed) in risk
    assert all(words.times(np.exp(epsilon), most=True) in risk for epsilon in (0.5, 2.0))
    assert words.of_100(main.shown) in risk


def test_the_limit_is_that_of_the_levels(at: AppTest) -> None:
    main = facts(at)["gTable"]
    least = curve_words.least("points", float(np.sqrt(floor.of_cell(main.cell, "all"))))
    assert f" below {least} at" in plain(panel(at, "error"))


def test_secret_is_never_protected_less_than_private(at: AppTest) -> None:
    secret = at.select_slider(key="secret_slider")
    assert float(secret.options[-1]) == 2
    do(at, actions.change, "frequency", epsilon=0.3)
    assert study(at, "frequency").secret_epsilon == 0.3
    at.number_input(key="secret_epsilon").set_value(5.0).run()
    assert study(at, "frequency").secret_epsilon == 0.3
    assert "0.3" in plain(" ".join(h.proto.body for h in at.get("html") if "alert" in h.proto.body))


@pytest.mark.parametrize("page", ["overview", "plane", "both"])
def test_other_views_know_the_levels(at: AppTest, page: str) -> None:
    if page == "overview":
        assert words.margin(facts(at)["gTable"].error("secret")) in plain(sentence(go(at, "overview")))
        return
    if page == "plane":
        at.session_state["plane"] = True
        main = facts(at)["gTable"]
        assert words.of_100(main.guessed("secret")) in plain(sentence(at.run()))
        assert not at.exception
        return
    do(at, comparisons.keep, "frequency")
    do(at, column_actions.set_levels, "condition", dict.fromkeys((*PRIVATE, *SECRET), "sensitive"))
    assert set(state(at).compared["frequency"].study.marks.secret) == set(SECRET)
    assert not study(at, "frequency").marks.secret
    assert words.ratio(np.exp(2.0), most=True) in panel(at, "change_graded")
    assert not at.exception


def test_a_third_level_is_a_click_away_and_back(still: None) -> None:
    at = opened("data", data="health", column="condition", eps="2", **{"arm.A": [*PRIVATE, *SECRET]})
    levels = set(catalog.LEVELS)
    assert not {*study(at, "frequency").mechanisms} & levels
    press(at, "levels_on")
    do(at, rules.grade, data.load("health").categorical("condition").domain.labels,
       {**dict.fromkeys(PRIVATE, "sensitive"), **dict.fromkeys(SECRET, "secret")})  # fmt: skip
    own = study(at, "frequency")
    assert own.secret_epsilon == 1  # half of the others', until somebody chooses
    added = {*own.mechanisms} & levels
    exact = frequency.facts(replace(own, mechanisms=tuple(levels), grid=()),
                            data.load("health").categorical("condition", "any")).every  # fmt: skip
    assert added == {min(exact, key=lambda key: exact[key].error())}
    assert set(ask(at, of_columns(column_settings.label_marks), "condition").secret) == set(SECRET)
    # Buttons never lower a level.
    press(at, "mark_rare")
    assert set(ask(at, of_columns(column_settings.label_marks), "condition").secret) == set(SECRET)
    press(at, "levels_off")
    assert state(at).workspace.columns
    assert not study(at, "frequency").marks.secret
    assert not {*study(at, "frequency").mechanisms} & levels


def test_intervals_keep_their_levels(still: None) -> None:
    at = opened("data", data="health")
    do(at, column_actions.describe, "age", binned=True, marks=Marks((("20..30", "sensitive"), ("80..90", "secret"))))
    do(at, column_actions.set_intervals, "age", [(80.0, 90.0), (40.0, 50.0)])
    marks = ask(at, of_columns(column_settings.of), "age").marks
    assert dict(marks.levels) == {"80..90": "secret", "40..50": "sensitive"}


def test_mechanisms_for_levels_come_and_go_with_secret_marks(at: AppTest) -> None:
    """Whatever changes the marks: another column, and back; other data. Those that were chosen come back."""
    two, chosen = ("SS", "uSS"), study(at, "frequency").mechanisms
    assert {*chosen} & {*catalog.ANSWERS.by_level()}
    do(at, actions.choose_column, "alcohol")
    assert study(at, "frequency").mechanisms == two
    do(at, actions.choose_column, "condition")
    assert study(at, "frequency").mechanisms == chosen
    do(at, actions.open_data, "census")
    assert study(at, "frequency").mechanisms == two
    do(at, actions.open_data, "health")
    assert study(at, "frequency").mechanisms == chosen
    # Who switched them off is not asked again while anything is secret.
    do(at, actions.choose_mechanisms, "frequency", two)
    do(at, column_actions.set_levels, "condition", dict.fromkeys(SECRET, "secret"))
    assert study(at, "frequency").mechanisms == two


def test_the_epsilon_of_secret_answers_comes_back(at: AppTest) -> None:
    do(at, actions.change, "frequency", epsilon=0.3)
    assert study(at, "frequency").secret_epsilon == 0.3
    assert "0.5" in plain(" ".join(h.proto.body for h in at.sidebar.get("html") if "goes up" in h.proto.body))
    do(at, actions.change, "frequency", epsilon=4.0)
    assert study(at, "frequency").secret_epsilon == 0.5
    assert all(each.secret_epsilon == 0.5 for each in studies(at).values())
    assert not any("goes up" in h.proto.body for h in at.sidebar.get("html"))
    do(at, actions.change, "frequency", secret_epsilon=1.5)
    do(at, actions.change, "frequency", epsilon=1.0)
    do(at, actions.change, "frequency", epsilon=2.0)
    assert study(at, "frequency").secret_epsilon == 1.5


def test_the_planner_has_the_limit_of_the_levels(at: AppTest) -> None:
    at.session_state["fold_frequency_planner"] = True
    assert "0.5" in panel(at.run(), "planner")
    assert "limit" in drawn(at)["chart_planner"]


def test_means_plans_by_level() -> None:
    """The plans that its page asks: by the ε of the secret part, beside the limit of the levels."""
    asked = Study(
        Source("health"), "age", Marks((("50..80", "sensitive"), ("80..98", "secret"))), ("PM", "gPM"), 2.0,
        bins=(18, 98, 64), task="means", secret_epsilon=0.5,
    )  # fmt: skip
    numbers = means.prepare(asked, data.load("health"))
    parts = means.parts(asked, numbers, 2.0).pieces
    made = MeanPlans(numbers, ((-1.0, -0.2),), 0.1, True, "levels", tuple((a, b, e / 0.5) for a, b, e in parts))
    assert made.of("gPM").within(0.5, 100) == plan.leveled_means("gPM", parts).within(0.5, 100)
    assert made.of("uTernary").within(0.5, 100) == plan.means("uTernary", made.low).within(0.5, 100)
    least = made.limit()
    assert least is not None
    assert 0 < least.within(0.5, 100) < made.of("gPM").within(0.5, 100)
    one = MeanPlans(numbers, made.low, 0.1, True, "levels")
    assert one.limit() is None
    assert one.of("gPM").within(1.0, 100) < made.of("PM").within(1.0, 100)
