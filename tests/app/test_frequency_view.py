"""The Frequency view's logic, without a browser."""

import base64
import json
import re
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from ldpapp import words
from ldpapp.charts import palette
from ldpapp.parts import curve_words
from ldpapp.state import actions, column_actions, comparisons
from ldpapp.views.frequency import captions, risk
from ldpcore import Source, catalog, data, policy, questionnaire
from ldpcore.attacks import bayes, labels
from ldpcore.plan.answers import rounded_down
from ldpcore.study import Marks, Study
from ldpcore.study import frequency as frequency_study
from ldpcore.study.frequency import facts as frequency
from ldpcore.study.frequency.facts import ShareFacts, limits

from .opening import (
    ask,
    boxes,
    charts,
    do,
    drawn,
    emptied,
    go,
    html,
    link,
    opened,
    panel,
    panels,
    plain,
    press,
    sentence,
    state,
    studies,
    study,
    twin,
)

MARKS = data.BUNDLED["census"].default_marks
USUAL = ["error", "odds", "risk", "release", "theory", "adversary"]


@pytest.fixture(scope="module")
def first() -> AppTest:
    """One of each promise, and who is compared with them: every page draws as many lines."""
    return opened("frequency", m=["SS", "uRR", "uSS", "SDGRR"])


@pytest.fixture
def view(first, still) -> AppTest:
    """Its twin, in which nothing more is simulated."""
    return twin(first, "frequency")


def counted() -> data.Histogram:
    return data.load("census").categorical("education")


def facts(at: AppTest, setting: str = "A") -> dict[str, ShareFacts]:
    """What the engine says of the Study of the page, or of the one that is kept beside it."""
    own = state(at).compared["frequency"].study if setting == "A" and state(at).compared else study(at, "frequency")
    return frequency.facts(replace(own, grid=()), counted()).every


def compare(at: AppTest, a: Marks, b: Marks) -> AppTest:
    """The page that holds these settings against each other."""
    ask(at, lambda: column_actions.describe("education", marks=a))
    at.button_group(key="compare_choice").set_value("A | B").run()
    return do(at, column_actions.describe, "education", marks=b)


def mark(at: AppTest, *values: str) -> AppTest:
    return do(at, column_actions.set_marks, "education", values)


def test_the_view_opens_on_bundled_data(view) -> None:
    assert panels(view) == USUAL
    assert set(charts(view)) == {"chart_error", "chart_release", "chart_adversary"}
    assert "ε = 1" in plain(sentence(view))


CHOICES = {
    "view_scope": (["sensitive", "other", "all"], "chart_error"),
    "view_quantity": (["mse", "points"], "chart_error"),
    "frequency_axis": (["n", "share", "k", "epsilon"], "chart_error"),
    "view_prior": (["uniform", "population", "targeted"], "chart_adversary"),
}


def each_draws(at: AppTest, key: str, choices: list[str], chart: str) -> None:
    """Every choice draws something else, and the last is what was there at first."""
    seen = {drawn(at)[chart]: choices[-1]}
    for choice in choices:
        at.radio(key=key).set_value(choice).run()
        assert panels(at) == USUAL, choice
        seen.setdefault(drawn(at)[chart], choice)
    assert sorted(seen.values()) == sorted(choices)


@pytest.mark.parametrize("key", CHOICES)
def test_every_choice_of_the_menus_draws(view, key) -> None:
    each_draws(view, key, *CHOICES[key])


def test_what_has_no_closed_form_is_simulated(first) -> None:
    at = twin(first, "frequency")
    do(at, actions.choose_mechanisms, "frequency", ["GRR", "uRR"])
    each_draws(at, "view_estimator", ["clip", "norm-sub", "em", "raw"], "chart_error")
    each_draws(at, "view_quantity", ["largest", "points"], "chart_error")


def test_the_axis_is_the_studys(view) -> None:
    view.radio(key="frequency_axis").set_value("share").run()
    assert study(view, "frequency").axis == "share"
    assert link(view)["axis"] == ["share"]


def test_no_mechanism_is_a_state_not_an_error(still) -> None:
    view = opened("frequency")
    before = study(view, "frequency").mechanisms
    for group in ("every", "marked", "weaker"):
        view.button_group(key=f"frequency_{group}").set_value([])
    view.run()
    assert "frequency" in emptied(view)
    assert panels(view) == []
    assert boxes(view)
    assert all(view.button_group(key=f"frequency_{group}").value == [] for group in ("every", "marked", "weaker"))
    next(button for button in view.button if button.label == "Show the usual ones").click().run()
    assert panels(view) == USUAL
    assert study(view, "frequency").mechanisms == before == catalog.FREQUENCY.defaults


def test_a_mechanism_is_switched_on_and_off(view) -> None:
    before = study(view, "frequency").mechanisms
    shown = view.button_group(key="frequency_marked").value
    view.button_group(key="frequency_marked").set_value(shown[1:]).run()
    assert study(view, "frequency").mechanisms == tuple(key for key in before if key != shown[0])
    view.button_group(key="frequency_marked").set_value(shown).run()
    assert study(view, "frequency").mechanisms == before, "in the catalogue's order"


def test_two_clicks_that_arrive_together_both_count(view) -> None:
    before = study(view, "frequency").mechanisms
    gone = [view.button_group(key=f"frequency_{group}").value[0] for group in ("every", "marked")]
    for group, key in zip(("every", "marked"), gone, strict=True):
        left = [name for name in view.button_group(key=f"frequency_{group}").value if name != key]
        view.button_group(key=f"frequency_{group}").set_value(left)
    view.run()
    assert study(view, "frequency").mechanisms == tuple(key for key in before if key not in gone)


def text(figure: dict) -> str:
    """A figure without its numbers, whose code can hold any letters."""
    return re.sub(r'"bdata": "[^"]*"', "", json.dumps(figure))


def nothing_marked_is_told(at: AppTest) -> None:
    main = frequency.focus(facts(at), None)
    assert main.promise == "LDP", "nothing else promises anything"
    assert words.margin(main.error()) in sentence(at)
    assert "tries" not in sentence(at), "there is nothing to guess"
    assert panels(at) == ["frequency_proposal", *USUAL]
    off = [key for key in study(at, "frequency").mechanisms if catalog.FREQUENCY[key].promise != "LDP"]
    assert off
    for figure in charts(at).values():
        assert not any(key in text(figure) for key in off), "it would be drawn as if it beat the limit"
    assert all(key in panel(at, "error") for key in off)
    assert "off" in plain(html(at)).casefold()


def test_nothing_marked(first) -> None:
    nothing_marked_is_told(go(mark(twin(first)), "frequency"))


def test_what_is_proposed_is_marked_in_one_click(view) -> None:
    found = data.proposed(counted(), "education").values
    mark(view)
    assert all(value in panel(view, "frequency_proposal") for value in found)
    assert set(study(press(view, "frequency_propose"), "frequency").marks.values) == set(found)
    assert panels(view) == USUAL


def test_nothing_marked_and_nothing_that_protects_every_value(view) -> None:
    for page, first in (("frequency", ["frequency_proposal"]), ("overview", [])):
        go(mark(do(view, actions.choose_mechanisms, "frequency", ["uSS"])), page)
        assert panels(view) == first
        assert charts(view) == {}
        assert "uSS" in plain(html(view))
    press(go(view, "frequency"), "frequency_usual")
    assert set(study(view, "frequency").mechanisms) == set(catalog.FREQUENCY.defaults)


def test_the_overview_of_nothing_marked_draws_what_protects(view) -> None:
    go(mark(view), "overview")
    said = " ".join(text(figure) for figure in charts(view).values())
    assert "SS" in said
    assert "uSS" not in said


def test_nothing_marked_any_more(view) -> None:
    nothing_marked_is_told(mark(view))


def test_everything_marked(view) -> None:
    mark(view, *counted().domain.labels)
    main = frequency.focus(facts(view), None)
    assert words.margin(main.error()) in sentence(view)
    assert words.tries(main.targeted) in plain(sentence(view))
    assert panels(view) == USUAL


def test_one_marked_value_has_nothing_to_guess(view) -> None:
    mark(view, "Preschool")
    main = frequency.focus(facts(view), None)
    assert main.blind == 1
    assert f"share is known to {words.margin(main.error('sensitive'))} points" in plain(sentence(view))
    assert f"others to {words.margin(main.error('other'))}." in plain(sentence(view))
    assert "tries" not in sentence(view)
    told = words.tries(1 - np.exp(-1.0) / 2)  # uSS of one marked value: all holders send it, e^−ε of the others
    assert f"told from the others in {told}" in plain(panel(view, "risk"))
    assert "blind 100" not in plain(panel(view, "risk"))
    assert "chart_adversary" not in charts(view)
    assert f"from the others in {told} tries" in boxes(view)


def test_who_knows_nothing_is_named_and_who_knows_the_shares_where_that_guess_is_worse() -> None:
    """Of two answers, 19 in 20 the same: who knows nothing is right e^ε/(1 + e^ε), who knows the shares in 95."""
    share = np.array([0.95, 0.05])
    source = data.read(("a,b\n" + "no,1\n" * 95 + "yes,2\n" * 5).encode(), "few.csv")
    here = Study(Source("few.csv"), "a", mechanisms=("GRR",), epsilon=1.0, grid=())
    (main,) = frequency.facts(here, source.categorical("a")).every.values()
    right = np.exp(1) / (1 + np.exp(1))
    collector = plain(next(text for who, _, text in risk.who_learns(main) if who == "Collector"))
    assert collector == f"never for sure; guesses {words.tries(right)} (knowing no shares; blind 50)"
    won = sum(max(share * np.where(np.arange(2) == report, right, 1 - right)) for report in range(2))
    assert f"guesses {words.of_100(won)} of 100, without a report 95." in risk.knowing(main)


def test_two_settings_are_compared(view) -> None:
    first, then = Marks.of(["Preschool"]), Marks.of(["Preschool", "9th", "10th"])
    compare(view, first, then)
    assert state(view).compared["frequency"].study.marks == first
    assert study(view, "frequency").marks == then
    a, b = facts(view), facts(view, "B")
    main = frequency.focus(a, None).key
    part = np.isin(counted().domain.labels, ["Preschool", "9th", "10th"])
    said = plain(sentence(view))
    for each in (a[main], b[main]):
        error = words.margin(np.sqrt(each.variance[part].mean()))
        assert error in said, "over the same answers, whichever setting marks them"
        assert error in panel(view, "change_error")
        assert words.of_100(each.shown) in panel(view, "change_open") or each is a[main]
    new = np.isin(counted().domain.labels, ["9th", "10th"])
    before, after = (each.named(new) for each in (a[main], b[main]))
    assert f"9th and 10th are newly hidden: guessed in {words.tries(after)}, not {words.of_100(before)}" in said
    assert f"{words.of_100(before)} → {words.of_100(after)}" in panel(view, "change_hidden")
    shown = [key for key in panels(view) if key.startswith("change_")]
    assert shown == ["change_hidden", "change_error", "change_open"], "the best first, what stays exposed last"
    assert {"head_○", "head_●", "curves_A", "curves_B"} <= set(panels(view))
    assert "chart_dumbbells" not in charts(view)
    view.session_state["fold_measures"] = view.session_state["fold_choosing"] = True
    view.run()
    assert "choosing" in panels(view)
    assert "dumbbells" in "".join(charts(view))
    assert link(view)["fold_choosing"] == ["True"]
    view.button_group(key="compare_choice").set_value("One setting").run()
    assert study(view, "frequency").marks == then
    assert panels(view) == [*USUAL[:0], "beside", *USUAL]


SETTINGS = {"none": (), "some": MARKS, "all": data.load("census").categorical("education").domain.labels}


@pytest.mark.one_in(3)  # each is usual on either side, beside a third of the others
@pytest.mark.parametrize("second_marks", SETTINGS)
@pytest.mark.parametrize("first_marks", SETTINGS)
def test_any_two_settings_are_compared(view, first_marks, second_marks) -> None:
    view.session_state["fold_measures"] = view.session_state["fold_choosing"] = True
    compare(view, Marks.of(SETTINGS[first_marks]), Marks.of(SETTINGS[second_marks]))
    if first_marks == second_marks:
        assert "are the same so far" in panel(view, "beside")
        return
    assert {"head_○", "head_●", "curves_A", "curves_B", "choosing"} <= set(panels(view))


def test_who_is_newly_exposed_is_named(view) -> None:
    compare(view, Marks.of(MARKS), Marks.of([*MARKS[1:], "9th"]))
    b = facts(view, "B")[frequency.focus(facts(view), None).key]
    gone = np.isin(counted().domain.labels, MARKS[:1])
    seen = b.over(b.mechanism.disclosure(), gone)
    assert f"{MARKS[0]} is newly exposed: seen openly in {words.tries(seen)}" in plain(sentence(view))
    assert f"→ {words.of_100(seen)}" in panel(view, "change_exposed")


def test_hidden_is_not_called_better_where_it_is_guessed_more_often(view) -> None:
    """With two marked values a report that names one is mostly right: more guesses, none of them sure."""
    compare(view, Marks.of(MARKS[:2]), Marks.of([MARKS[1], "9th"]))
    key, new = frequency.focus(facts(view), None).key, np.isin(counted().domain.labels, ["9th"])
    a, b = facts(view)[key], facts(view, "B")[key]
    assert b.named(new) > a.named(new)
    assert b.over(b.mechanism.disclosure(), new) == 0
    assert f"never seen for sure, yet guessed in {words.tries(b.named(new))}" in plain(sentence(view))
    seen = words.of_100(a.over(a.mechanism.disclosure(), new))
    assert f"{seen} → 0." in panel(view, "change_hidden")


def test_two_settings_draw_what_is_chosen(first) -> None:
    """The largest error has no theory: no line of another quantity stands beside its marks, and no word of it."""
    at = twin(first, "frequency")
    do(at, actions.choose_mechanisms, "frequency", ["GRR", "uRR"])
    compare(at, Marks.of(["Preschool", "9th"]), Marks.of(MARKS))
    typical = panel(at, "curves_A")
    at.radio(key="view_quantity").set_value("largest").run()
    assert panel(at, "curves_A") != typical
    for letter in "AB":
        drawn_of = {trace["name"]: trace for trace in charts(at)[f"chart_curves_{letter}"]["data"]}
        assert drawn_of["uRR"]["y"] == drawn_of["uRR simulated"]["y"]
    at.radio(key="frequency_axis").set_value("k").run()
    assert "limit" not in panel(at, "curves_A"), "there is none against k"


@pytest.mark.parametrize(("epsilon", "more"), [(1.0, False), (2.0, True)])
def test_a_smaller_error_says_what_it_costs(view, epsilon, more) -> None:
    """Being more exact is free at one ε and paid for at another: the card has the guesses, not a promise."""
    view.number_input(key="epsilon").set_value(epsilon).run()
    uss, ss = (facts(view)[key] for key in ("uSS", "SS"))
    assert uss.error() < ss.error()
    assert (uss.targeted > ss.targeted) is more
    costs = panel(view, "risk").split("Not covered")[1]
    assert f"Without marks (SS): {words.tries(ss.targeted)} guessed." in costs
    assert words.tries(uss.targeted) in panel(view, "risk")
    view.radio(key="focus").set_value("SS").run()
    assert "uSS" not in panel(view, "risk"), "SS has no original to be held against"


@pytest.mark.parametrize("turned", [False, True])
def test_where_a_setting_marks_nothing_what_protects_everything_stands_in(view, turned) -> None:
    """With nothing marked uSS shows every answer and errs by nothing: what protects these answers is SS."""
    compare(view, *((Marks.of(MARKS), Marks()) if turned else (Marks(), Marks.of(MARKS))))
    part = counted().domain.mask(MARKS)
    least = {name: facts(view, name)[key] for name, key in (("B", "SS"), ("A", "uSS"))}
    if not turned:
        least = {name: facts(view, name)[key] for name, key in (("A", "SS"), ("B", "uSS"))}
    a, b = (words.margin(float(np.sqrt(least[name].variance[part].mean()))) for name in "AB")
    assert f"from {a} to {b} points" in plain(sentence(view))
    both = {key: text(figure) for key, figure in charts(view).items()}
    bare, marked = ("B", "A") if turned else ("A", "B")
    assert "uSS" not in both[f"chart_curves_{bare}"] or turned  # dotted in B stands A, where it protects
    assert "uSS" in both[f"chart_curves_{marked}"]
    assert "uSS" in panel(view, f"head_{'●' if turned else '○'}"), "which are off"


def test_the_card_follows_the_marks_until_a_value_is_chosen(view) -> None:
    assert view.selectbox(key="odds_value").value == "Preschool"
    mark(view, "Doctorate")
    assert view.selectbox(key="odds_value").value == "Doctorate"
    view.selectbox(key="odds_value").set_value("9th").run()
    mark(view, "Masters")
    assert view.selectbox(key="odds_value").value == "9th"


def test_a_second_setting_begins_as_a_copy(view) -> None:
    view.button_group(key="compare_choice").set_value("A | B").run()
    assert "curves_A" not in panels(view)
    assert "are the same so far" in panel(view, "beside")
    assert state(view).compared["frequency"].study.marks.values == study(view, "frequency").marks.values == MARKS
    mark(view, *MARKS, "9th")
    assert "curves_B" in panels(view)


def test_the_kept_setting_is_named_swapped_and_dropped_on_the_page(view) -> None:
    compare(view, Marks.of(MARKS), Marks.of([*MARKS, "9th"]))
    view.text_input(key="beside_name").set_value("strict").run()
    assert "strict" in panel(view, "head_○")
    view.button(key="beside_swap").click().run()
    assert study(view, "frequency").marks.values == MARKS
    view.button(key="beside_drop").click().run()
    assert not state(view).compared
    assert "curves_A" not in panels(view)


def test_settings_differ_in_more_than_marks(view) -> None:
    """ε, mechanisms and people: each setting has its own, in its panel and in its curves."""
    view.button_group(key="compare_choice").set_value("A | B").run()
    do(view, actions.change, "frequency", epsilon=2.0)
    a, b = facts(view), facts(view, "B")
    assert (a["uSS"].mechanism.epsilon, b["uSS"].mechanism.epsilon) == (1.0, 2.0)
    said = panel(view, "change_error")
    part = a["uSS"].marked
    for each in (a, b):
        assert words.margin(float(np.sqrt(each["uSS"].variance[part].mean()))) in said
    assert "ε = 1" in panel(view, "head_○")
    assert "ε = 2" in panel(view, "head_●")
    do(view, actions.choose_mechanisms, "frequency", ["SS", "uSS"])
    drawn_of = {letter: {trace["name"] for trace in charts(view)[f"chart_curves_{letter}"]["data"]} for letter in "AB"}
    assert "uRR" in drawn_of["A"]
    do(view, actions.change, "frequency", n=1000)
    few = facts(view, "B")["uSS"]
    assert few.cell.counts.sum() == 1000
    assert words.margin(float(np.sqrt(few.variance[part].mean()))) in panel(view, "change_error")


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 2.0])
def test_the_page_shows_the_numbers_of_the_engine(view, epsilon) -> None:
    """The sentence's errors are the exact ones, to the printed digits, and so is what an attack gets."""
    view.number_input(key="epsilon").set_value(epsilon).run()
    here = counted()
    marked = here.domain.mask(MARKS)
    share = here.counts / here.n
    one, other = (catalog.FREQUENCY[key].build(epsilon, here.domain.k, marked) for key in ("uSS", "SS"))
    mine, theirs = (made.variance(share, here.n) for made in (one, other))
    said = plain(sentence(view))
    assert f"sensitive shares are known to {words.margin(np.sqrt(mine[marked].mean()))} points" in said
    assert f", others to {words.margin(np.sqrt(mine[~marked].mean()))}." in said
    without = [words.margin(np.sqrt(part.mean())) for part in (theirs[marked], theirs[~marked])]
    assert f"SS: {without[0]}, {without[1]}." in said, "the marked shares gain less: by how much"
    rare = int((share < 1.96 * np.sqrt(mine))[marked].sum())
    many = f"all {rare}" if rare == marked.sum() else f"{'one' if rare == 1 else rare} of {marked.sum()}"
    assert f" ({many} too rare), others" in said
    chance = bayes.success(one, bayes.targeted_prior(marked))
    assert words.tries(float(chance[marked] @ share[marked] / share[marked].sum())) in said


def test_one_other_answer_is_named_and_a_limit_of_other_digits_is_not_reached(still) -> None:
    """ "others to ±2.08" were one; "gets below ±1.61, uSS gets there" stood beside ±1.62."""
    answers = "answer\n" + "yes\n" * 131 + "no\n" * 869
    mine = data.read(answers.encode(), "one.csv")
    at = opened("frequency", mine)
    do(at, column_actions.set_marks, "answer", ("yes",))
    main = frequency.facts(study(at, "frequency").at_point(), mine.categorical("answer")).every["uSS"]
    assert f"“no” to {words.margin(main.error('other'))}." in plain(sentence(at))
    for error, reached in (("±1.61", "uSS gets there"), ("±1.62", "uSS within 1\u00a0%")):
        assert captions.limited("ULDP", 1.0, "±1.61", error, "uSS", 1.0).endswith(reached)


def test_what_the_error_at_the_rule_is_over(view) -> None:
    main, marked = facts(view)["uSS"], counted().domain.mask(MARKS)
    for scope, part, of in (
        ("all", marked | True, f"over all {len(marked)}"),
        ("sensitive", marked, f"over {marked.sum()} marked values"),
        ("other", ~marked, f"over {(~marked).sum()} other values"),
    ):
        view.session_state["view_scope"] = scope
        texts = [note["text"] for note in charts(view.run())["chart_error"]["layout"]["annotations"]]
        assert f"ε = 1: uSS {words.margin(np.sqrt(main.variance[part].mean()))}<br>{of}" in texts


def test_the_plane_speaks_of_the_mechanism_chosen_and_of_what_is_possible(view) -> None:
    """Of whichever is in focus: its error, its exposure, and by how much less is possible at that exposure."""
    view.button_group(key="compare_choice").set_value("Plane").run()
    assert panels(view) == ["plane"]
    assert set(charts(view)) == {"chart_plane"}
    every, here = facts(view), study(view, "frequency")
    for key, scope in (("uSS", "sensitive"), ("SS", "sensitive"), ("SS", "all")):
        one, said = every[key], _placed(view, key, scope)
        assert f" shares are known to {words.margin(one.error(scope))} points, and " in said
        assert f": by {palette.mark(key).glyph} {key}." in said
        assert f"{words.of_100(one.targeted)} of 100 marked answers guessed" in said
        assert f"blind {words.tries(one.blind, short=True)}" in said, "against what"
        (least,) = limits.at_exposure(here, counted(), one, scope, [one.targeted])
        possible = f"{words.margin(least)} is possible: {round(100 * (1 - least / one.error(scope)))} % less"
        assert (possible in said.replace("\xa0", " ")) == (one.error(scope) >= 1.05 * least) == (key == "SS")
        assert ("None with that ε, promise and risk errs 5 % less" in said) == (key == "uSS")
        even = limits.at_equal_risk(here, counted(), every, one, scope)
        assert ("At equal risk" in said) == (even is not None) == (key == "SS")
        if even is not None:
            finding = f"At equal risk ({words.of_100(even.exposure)} of 100) {palette.mark(even.key).glyph} {even.key}"
            assert finding in said
            assert f"{words.margin(even.error)}, not {words.margin(even.others_error)}" in said
    one, even = every["SS"], limits.EqualRisk("uSS", 0.5, here.epsilon, 0.0126, 0.763, 0.0138)
    said = captions._beaten("", here, one, even, str)
    assert "uSS errs less: ±2.47, not ±2.70, SS with ε = 0.763." in said, "whose ε"


def _placed(view, key: str, scope: str) -> str:
    view.radio(key="plane_scope").set_value(scope).run()
    view.radio(key="focus").set_value(key).run()
    return plain(sentence(view))


def test_of_one_marked_value_the_page_says_how_often_its_report_tells_it(view) -> None:
    """In place of guesses, which say nothing of it: the likelihood ratio's pairs, from the channel."""
    mark(view, "Preschool")
    here, one = counted(), facts(view)["uSS"]
    mask = here.domain.mask(("Preschool",))
    pairs = questionnaire.best(catalog.FREQUENCY["uSS"].build(1.0, here.domain.k, mask), mask, here.counts / here.n)
    assert f"tells it from any other in {words.of_100(pairs)} of 100 pairs (guessing: 50)" in plain(sentence(view))
    assert f"told from the others in {words.tries(pairs)}" in plain(panel(view, "risk"))
    assert one.told(int(mask.argmax())) == pairs
    do(view, actions.choose_column, "sex")
    do(view, column_actions.set_marks, "sex", ("Female",))
    assert "tells it from “Male” in 82 of 100 pairs" in plain(sentence(view)), "e/(1 + e) and the other's own coin"


def test_the_plane_of_one_marked_value_is_of_pairs_told_apart(view) -> None:
    """In place of guesses: where every mechanism stands is the likelihood ratio's, from its channel."""
    mark(view, "Preschool")
    view.button_group(key="compare_choice").set_value("Plane").run()
    assert panels(view) == ["plane"]
    here, every = counted(), facts(view)
    mask = here.domain.mask(("Preschool",))
    traces = {trace["name"]: trace for trace in charts(view)["chart_plane"]["data"] if "marker" in trace}
    for key in ("SS", "uSS"):
        built = catalog.FREQUENCY[key].build(1.0, here.domain.k, mask)
        pairs = questionnaire.best(built, mask, here.counts / here.n)
        assert every[key].apart == pairs
        place = traces[f"{key} here"]
        at = [*_numbers(place["x"]), *_numbers(place["y"])]
        assert at == pytest.approx([100 * pairs, 196 * every[key].error("sensitive")], rel=1e-3)
        view.radio(key="focus").set_value(key).run()
        assert f"tells it from others in {words.of_100(pairs)} of 100 pairs (guessing: 50)" in plain(sentence(view))
        assert f"is known to {words.margin(every[key].error('sensitive'))} points" in plain(sentence(view))
    absent = [key for key, one in every.items() if not np.isfinite(one.apart)]
    assert ("Not exact, so not drawn" in panel(view, "plane")) == bool(absent)


def _numbers(drawn: object) -> list[float]:
    """Numbers of a figure, which may be packed."""
    if isinstance(drawn, dict):
        return np.frombuffer(base64.b64decode(drawn["bdata"]), drawn["dtype"]).tolist()
    return list(drawn)  # type: ignore[call-overload]


def test_the_plane_needs_two_marked_values(view, monkeypatch) -> None:
    """Or one whose pairs are known exactly."""
    monkeypatch.setattr(ShareFacts, "apart", np.nan)
    mark(view, "Preschool")
    view.button_group(key="compare_choice").set_value("Plane").run()
    assert panels(view) == ["families"]  # which need no marks
    assert boxes(view)
    assert any(button.label == "Mark values" for button in view.button)


def test_the_weaker_promise_is_explained_with_its_numbers(view) -> None:
    """With SDGRR in focus: the counterexample, and the rarest label of these data, as the engine computes it."""
    assert not any("report 1" in frame.value for frame in view.dataframe)
    view.radio(key="focus").set_value("SDGRR").run()
    here = counted()
    marked = here.domain.mask(MARKS)
    odds = labels.odds(catalog.FREQUENCY["SDGRR"].build(1.0, here.domain.k, marked), marked, here.counts / here.n)
    assert words.times(float(np.nanmax(odds))) in panel(view, "risk")
    (shown,) = [frame.value for frame in view.dataframe if "report 1" in frame.value]
    channel = policy.counterexample(1.0).matrix
    assert np.allclose(shown.drop(columns="answer").to_numpy(float), channel, rtol=5e-3)


def test_an_error_worse_than_not_asking_is_called_so(view) -> None:
    unasked = words.margin(facts(view)["uSS"].unasked)
    assert "worse than not asking" not in sentence(view)
    assert unasked not in panel(view, "error")
    view.number_input(key="epsilon").set_value(0.01).run()
    assert min(fact.error() for fact in facts(view).values()) > facts(view)["uSS"].unasked
    assert "worse than not asking" in sentence(view)
    assert unasked in panel(view, "error")


def test_a_high_epsilon_says_one_thing(view) -> None:
    view.number_input(key="epsilon").set_value(20.0).run()
    said = html(view)
    assert "100\u00a0%" not in said
    assert "at most <b>more" not in said
    assert "more than 99 of 100" in plain(said)
    assert "never for sure; guesses <b>more than 99" not in said
    next(button for button in view.button if button.label.startswith("Go to ε")).click().run()
    assert {made.epsilon for made in studies(view).values()} == {2.0}
    assert "more than 99 of 100" not in plain(html(view))


def test_work_is_stopped_and_goes_on(first, monkeypatch) -> None:
    at = twin(first, "frequency")
    with monkeypatch.context() as still:
        still.setattr("ldpapp.runtime.background.steps", lambda work, study: None)
        do(at, actions.change, "frequency", repetitions=2, mechanisms=("GRR", "uRR"))
        press(at, "stop")
    nothing = drawn(at.run())["chart_error"]
    assert state(at).stopped is not None
    assert drawn(at.run())["chart_error"] == nothing, "no survey is simulated"
    press(at, "stop")  # it says Resume now
    assert state(at).stopped is None
    assert drawn(at)["chart_error"] != nothing
    assert not any(button.key == "stop" for button in at.button), "all is done"


def test_another_release_is_drawn_where_there_are_several() -> None:
    at = opened("frequency", reps="3", m=["GRR"])
    before = drawn(at)
    assert at.button(key="frequency_again").label == "draw 1/3"
    press(at, "frequency_again")
    assert at.button(key="frequency_again").label == "draw 2/3", "the draws are the repetitions, and come round"
    assert drawn(at)["chart_release"] != before["chart_release"]
    assert drawn(at)["chart_error"] == before["chart_error"]


def test_the_best_of_each_promise_is_one_click_away(view) -> None:
    here = counted()
    marked = here.domain.mask(MARKS)

    def error(key: str) -> float:
        made = catalog.FREQUENCY[key].build(1.0, here.domain.k, marked)
        return float(made.variance(here.counts / here.n, here.n).mean())

    best = [
        min((key for key in catalog.FREQUENCY if catalog.FREQUENCY[key].promise == promise), key=error)
        for promise in ("LDP", "ULDP")
    ]
    press(view, "frequency_best_two")
    assert set(study(view, "frequency").mechanisms) == set(best)
    assert view.button(key="frequency_best_two").disabled
    view.button_group(key="frequency_best").set_value(best[:1]).run()
    assert study(view, "frequency").mechanisms == (best[0],)
    view.button_group(key="frequency_every").set_value(["GRR", "SS"]).run()
    assert view.button_group(key="frequency_best").value == []
    mark(view)
    assert len(view.button_group(key="frequency_best").options) == 1, "nothing is marked, and nothing protects it"


def numbers(drawn) -> np.ndarray:
    """What plotly writes as base64."""
    if isinstance(drawn, dict):
        return np.frombuffer(base64.b64decode(drawn["bdata"]), drawn["dtype"])
    return np.array(drawn, float)


def test_a_link_with_points_shows_the_margin(view) -> None:
    """Old links say view_quantity=points: it is the 95 % margin now; the typical error is another choice."""

    def focus(at: AppTest) -> list[float]:
        return next(trace["y"] for trace in charts(at)["chart_error"]["data"] if trace["name"] == "uSS")

    margins = np.array(numbers(focus(view)))
    view.radio(key="view_quantity").set_value("typical").run()
    assert np.allclose(margins, 1.96 * np.array(numbers(focus(view))), rtol=1e-4)
    least = facts(view)["uSS"].least_error("all")
    assert f"gets below {curve_words.least('typical', least)} at" in plain(panel(view, "error"))
    view.radio(key="view_quantity").set_value("points").run()
    assert f"gets below {curve_words.least('points', least)} at" in plain(panel(view, "error"))


def test_the_second_setting_stands_on_the_plane(view) -> None:
    view.button_group(key="compare_choice").set_value("Plane").run()
    assert not any(trace["name"].endswith(" B") for trace in charts(view)["chart_plane"]["data"])
    do(view, column_actions.describe, "education", marks=Marks.of([*MARKS, "9th"]))
    do(view, comparisons.keep, "frequency")
    do(view, column_actions.describe, "education", marks=Marks.of(MARKS))
    traces = {trace["name"]: trace for trace in charts(view)["chart_plane"]["data"]}
    b = frequency.facts(replace(study(view, "frequency"), marks=Marks.of([*MARKS, "9th"]), grid=()), counted()).every
    for key, fact in b.items():
        assert numbers(traces[f"{key} B"]["x"])[0] == pytest.approx(100 * fact.targeted)
        assert numbers(traces[f"{key} B"]["y"])[0] == pytest.approx(196 * fact.error("sensitive"), rel=1e-4)
    assert not any(name.endswith("simulated") for name in traces)
    view.radio(key="plane_simulated").set_value(True).run()
    assert any(trace["name"].endswith("simulated") for trace in charts(view)["chart_plane"]["data"])


def test_where_a_smaller_epsilon_is_more_exact_the_page_says_so_and_what_the_larger_gives_away(still) -> None:
    """uSS chooses its size by even shares, and at ε = 1.36 on these data too early: at 1.34 it errs less."""
    at = opened("frequency", m=["SS", "uSS"], eps="1.36")
    here, found = study(at, "frequency"), frequency_study.dominated(study(at, "frequency"), counted(), "uSS")
    assert found is not None
    less = frequency.ShareFacts("uSS", frequency_study.cell(here, counted(), "uSS", found.better))
    more = facts(at)["uSS"]
    assert less.error() < 0.97 * more.error()
    said = plain(sentence(at)).split("is made for other shares")[1]
    assert said == (
        f", and less exact at ε = 1.36 ({words.margin(more.error())}) than at {words.epsilon(found.better)} "
        f"({words.margin(less.error())}). For that, {words.of_100(more.targeted)} of 100 sensitive answers are "
        f"guessed, not {words.of_100(less.targeted)}."
    )
    go(at, "overview")
    assert said in plain(sentence(at))
    assert "less exact at" not in plain(sentence(opened("frequency", m=["SS", "uSS"], eps="1.3")))


def test_what_is_so_as_published_is_called_that(still) -> None:
    """OLH with three answers that are held alike: ε = 1.26 rounds up to five buckets."""
    told = data.read(("answer\n" + "red\ngreen\nblue\n" * 200).encode(), "three.csv")
    at = opened("frequency", told, m=["OLH"], eps="1.26")
    assert "OLH as published is less exact at ε = 1.26" in plain(sentence(at))


def test_the_plane_has_a_second_axis_for_false_reports(view) -> None:
    """One headline, the facts' numbers; in the link; the limit stands as a line and no mark left of it."""
    view.button_group(key="compare_choice").set_value("Plane").run()
    view.radio(key="plane_against").set_value("liars").run()
    said, every = plain(sentence(view)), facts(view)
    key = next(key for key in every if f"{palette.mark(key).glyph} {key}:" in said)
    one = every[key]
    assert f"counts as up to {words.decimals(one.liar['sensitive'])} honest people" in said
    assert f"a range of {words.decimals(one.liar_range['sensitive'])};" in said
    assert f"none with this promise can be below {words.plain(rounded_down(one.least_range['sensitive']))}." in said
    traces = {trace["name"]: trace for trace in charts(view)["chart_plane"]["data"]}
    least = float(numbers(traces["blind"]["x"])[0])
    assert least == pytest.approx(one.least_range["sensitive"])
    for name, fact in every.items():
        if np.isfinite(fact.liar_range["sensitive"]):
            (stands,) = numbers(traces[f"{name} here"]["x"])
            assert stands == pytest.approx(fact.liar_range["sensitive"])
            assert stands >= least - 1e-9
    assert link(view)["plane_against"] == ["liars"]
    again = opened("frequency", **link(view))
    assert plain(sentence(again)) == said
    view.radio(key="plane_scope").set_value("all").run()
    assert f"below {words.plain(rounded_down(every[key].least_range['all']))}." in plain(sentence(view))
