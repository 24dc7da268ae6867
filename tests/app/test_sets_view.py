"""The Sets view's logic, without a browser."""

import base64
import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from ldpapp import words
from ldpapp.export import links
from ldpapp.state import actions, column_actions, column_settings, view_options
from ldpapp.views.sets import data as set_data
from ldpapp.views.sets import headline, sidebar
from ldpapp.views.sets import items as set_items
from ldpapp.views.tasks import TASKS
from ldpcore import data
from ldpcore.estimators.intervals import clopper_pearson
from ldpcore.study import Marks, Source, Study, run, summary
from ldpcore.study.execute import prepare
from ldpcore.study.sets import compared, point, tables, truncation, undisclosed
from ldpcore.study.sets import facts as set_facts

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
    of_columns,
    opened,
    panel,
    panels,
    plain,
    press,
    sentence,
    study,
    twin,
)

USUAL = ["set_error", "set_adversary", "set_items"]
FOLD = ["release", "theory", "set_promise"]


@pytest.fixture(scope="module")
def first() -> AppTest:
    """On bundled baskets."""
    return opened("sets", data="groceries")


@pytest.fixture
def view(first, still) -> AppTest:
    """Its twin, in which nothing more is simulated."""
    return twin(first, "sets")


@pytest.fixture
def items(first, still) -> AppTest:
    """The same on the Data page."""
    return twin(first)


def baskets() -> data.Baskets:
    return data.load("groceries").baskets("items")


def facts(at: AppTest) -> dict[str, point.ItemFacts]:
    """What the engine says of the Study of the page."""
    return point.every(study(at, "sets"), baskets())


def at_the_rule(at: AppTest) -> str:
    """What stands beside the rule at the chosen ε."""
    (text,) = [
        note["text"] for note in charts(at)["chart_set_error"]["layout"]["annotations"] if note["text"][:4] == "ε = "
    ]
    return text


def test_the_error_of_the_focus_stands_at_the_rule(view) -> None:
    """Its ±, as the line has it there (with what cut sets take off), where the axis is ε and the unit that of ±."""
    main = set_facts.focus(facts(view), None)
    margin = words.margin(main.error("sensitive"))
    sensitive, other = (int(part.sum()) for part in (main.here.marked, ~main.here.marked))
    assert at_the_rule(view) == f"ε = 1: {main.key} {margin}<br>over {sensitive} marked items"
    (line,) = [
        trace for trace in charts(view)["chart_set_error"]["data"]
        if main.key in str(trace.get("name")) + str(trace.get("hovertext")) and trace["mode"] == "lines"
    ]  # fmt: skip
    between = np.interp(0, np.log(_numbers(line["x"])), np.log(_numbers(line["y"])))
    assert float(margin[1:]) == pytest.approx(np.exp(between), rel=0.02), "between points of the line"
    view.session_state["sets_scope"] = "other"
    assert (
        at_the_rule(view.run()) == f"ε = 1: {main.key} {words.margin(main.error('other'))}<br>over {other} other items"
    )
    view.session_state["sets_scope"] = "all"
    assert at_the_rule(view.run()).endswith(f"{words.margin(main.error('all'))}<br>over all {sensitive + other}")
    view.session_state["sets_quantity"] = "typical"
    assert at_the_rule(view.run()) == "ε = 1"


def marked(at: AppTest) -> set[str]:
    return set(ask(at, of_columns(column_settings.label_marks), "items").values)


def test_the_view_opens_with_the_numbers_of_the_engine(view) -> None:
    assert panels(view) == USUAL
    assert set(charts(view)) == {"chart_set_error", "chart_set_adversary"}
    said, found = plain(sentence(view)), facts(view)
    main = set_facts.focus(found, None)
    marked = np.isin(main.here.baskets.labels, study(view, "sets").marks.values)
    for fact, part in ((main, marked), (main, ~marked), (found["PrivSet"], marked)):
        assert words.margin(np.sqrt(fact.variance[part].mean())) in said
    assert "At ε = 1, 25 sensitive items of 169 are known to" in said
    assert len(study(view, "sets").marks.levels) == 25


def test_what_experts_ask_is_behind_one_fold(first, still) -> None:
    """Claim, leak and repair, and the bits of every report; the link says that it is open."""
    view = twin(first, "sets")
    assert not set(FOLD) & set(panels(view))
    view.session_state["fold_sets"] = True
    view.run()
    assert panels(view) == [*USUAL, *FOLD]
    assert link(view)["fold_sets"] == ["True"]
    found = facts(view)
    leak = undisclosed.leak(found["suWheel"].mechanism)
    assert leak is not None
    assert words.times(leak.times) in panel(view, "set_promise")
    assert all(words.count(fact.bits) in panel(view, "set_promise") for fact in found.values() if fact.bits >= 10)


def test_items_have_names_margins_and_the_truth(view) -> None:
    """The margin is that of chance; what cutting long sets takes off stands beside it."""
    main, said = set_facts.focus(facts(view), None), panel(view, "set_items")
    here = main.here
    for item in (*set_facts.commonest(here, here.marked)[:5], *set_facts.commonest(here, ~here.marked)[:5]):
        assert here.baskets.labels[item] in said
        assert words.margin(np.sqrt(main.variance[item])) in said
        assert words.decimals(100 * here.bias[item]) in said
        assert plain(words.share(here.freq[item])) in said
    rows = next(table.value for table in view.dataframe if "bias, sets cut" in table.value)
    assert len(rows) == here.baskets.k
    view.radio(key="sets_items").set_value("all").run()
    assert all(label in panel(view, "set_items") for label in here.baskets.labels)


def test_another_mechanism_is_looked_at_by_its_margins(view) -> None:
    view.radio(key="sets_focus").set_value("PrivSet").run()
    assert words.margin(facts(view)["PrivSet"].chance["sensitive"]) in sentence(view)
    first = set_facts.commonest(facts(view)["PrivSet"].here)[0]
    assert words.margin(np.sqrt(facts(view)["PrivSet"].variance[first])) in panel(view, "set_items") + "".join(
        str(table.value) for table in view.dataframe
    )


def test_the_attack_is_the_one_of_the_study(view) -> None:
    """The page's rate and interval are those of the table that `ldpcore run` computes."""
    made = study(view, "sets").at_point()
    told = summary(made, prepare(made), run(made))
    row = told[(told["mechanism"] == "suWheel") & (told["metric"] == "success:presence")]
    right, low, high = row[["value", "low", "high"]].to_numpy(float)[0]
    span = f"({words.of_100(low)}–{words.of_100(high)})"
    assert f"⬟ suWheel: {words.of_100(right)} {span} of 100." in plain(sentence(view))
    main = set_facts.focus(facts(view), None)
    own_rows = told[(told["mechanism"] == main.key) & (told["metric"] == "success:presence")]
    right, low, high = own_rows[["value", "low", "high"]].to_numpy(float)[0]
    assert low <= 0.5 <= high
    rate = f"{words.of_100(right)} of 100 ({words.of_100(low)}–{words.of_100(high)}; coin: 50)"
    assert f"Who holds one is guessed in {rate}" in plain(sentence(view)), "few attacks: what they could not show"
    assert f"others to {words.margin(main.chance['other'])}, on average" in plain(sentence(view))


def test_the_headline_names_what_a_report_tells_most_where_that_is_beyond_a_coin() -> None:
    """By intervals of all questions at once: a sure attack of 40 is named, one of 27 right in 40 is not (of three
    questions its interval holds a coin's 50), nor presence, which the headline has already."""
    made = Study(Source("groceries"), "items", Marks.of(["bacon"]), ("suWheel-J",), grid=(), task="sets")
    made = made.with_options(m=4, attacks=40)
    main = set_facts.facts(made, prepare(made)).focus()
    asked = [("success:presence", "all"), ("success:membership", "sensitive"), ("success:membership", "other")]
    for rights, named in (((0.5, 0.5, 1.0), "other"), ((0.5, 0.5, 0.675), ""), ((1.0, 0.5, 0.675), "all")):
        rows = [(main.key, *each, 1, right, 0.4, 0.6) for each, right in zip(asked, rights, strict=True)]
        columns = ["mechanism", "metric", "scope", "repetitions", "value", "low", "high"]
        attacked = pd.DataFrame(rows, columns=columns)
        best = tables.worst(made, attacked, main)
        assert ("" if best is None else best.scope) == named
        said = plain(headline.sentence(made, {main.key: main}, main, attacked, str, str))
        ends = [words.of_100(x) for x in clopper_pearson(40, 40, 1 - 0.05 / 3)]
        item = main.here.baskets.labels[main.here.targets(1)["other"][0]]
        assert (f", “{item}” in 100 ({'–'.join(ends)})." in said) == (named == "other")
    assert clopper_pearson(27, 40, 0.95)[0] > 0.5 > clopper_pearson(27, 40, 1 - 0.05 / 3)[0], "alone it would be"


def test_a_share_below_its_margin_is_grey() -> None:
    row = {"item": "a", "marked": False, "± 95 %": 0.06, "true share (internal)": np.nan, "bias, sets cut": 0.0}
    grey, black = (set_items._row({**row, "published": share}, 1.0, False) for share in (0.039, 0.061))
    assert '<span class="quiet">3.9' in grey
    assert "quiet" not in black


@pytest.mark.parametrize(
    "axis", ["m", *(pytest.param(each, marks=pytest.mark.thorough) for each in ("share", "k", "n"))]
)
def test_every_axis_draws(view, axis) -> None:
    before = drawn(view)["chart_set_error"]
    view.radio(key="sets_axis").set_value(axis).run()
    assert study(view, "sets").axis == axis
    assert drawn(view)["chart_set_error"] != before
    assert panels(view) == USUAL


def test_every_look_draws(view) -> None:
    seen = {drawn(view)["chart_set_error"]}
    for scope, quantity in (("all", "points"), ("sensitive", "mse"), ("other", "largest"), ("other", "points")):
        view.radio(key="sets_scope_shown").set_value(scope)
        view.radio(key="sets_quantity").set_value(quantity).run()
        seen.add(drawn(view)["chart_set_error"])
    assert len(seen) == 5


def test_the_largest_error_is_nobodys_theory(view) -> None:
    """It has no closed form: the panel's table has what was simulated, and says so."""

    def columns_of_errors() -> set[str]:
        return next(set(table.value) for table in view.dataframe if "simulated" in table.value)

    assert {"theory", "simulated"} <= columns_of_errors()
    view.radio(key="sets_quantity").set_value("largest").run()
    assert "theory" not in columns_of_errors()


@pytest.mark.parametrize("axis", sidebar.task.AXES)
@pytest.mark.parametrize("scope", ["all", "sensitive", "other"])
def test_the_items_looked_at_stay_those_on_every_axis(first, axis, scope) -> None:
    """The marks are those of the study's own point, wherever its axis is at ε."""

    def looked() -> str:
        view_options.choose("sets_scope", scope)
        return set_data.current(replace(study(first, "sets"), axis=axis), baskets()).scope

    assert ask(first, looked) == scope


def test_the_overview_gains_from_marks_only_where_marks_are_used(still) -> None:
    """PrivSet and Wheel know no marks: neither is more exact because of them."""
    at = opened("overview", data="groceries", task="sets", m=["PrivSet", "Wheel"])
    assert "protecting only the marked" not in panel(at, "overview_error")
    assert words.margin(point.every(study(at, "sets"), baskets())["PrivSet"].error()) in panel(at, "overview_error")


def test_epsilon_and_m_change_the_sentence(view) -> None:
    for key, value in (("epsilon", 2.0), ("sets_m", 2)):
        view.number_input(key=key).set_value(value).run()
        main = set_facts.focus(facts(view), None)
        assert all(words.margin(main.chance[scope]) in sentence(view) for scope in ("sensitive", "other"))
    assert (study(view, "sets").epsilon, study(view, "sets").option("m")) == (2.0, 2)
    padding = truncation.padding(study(view, "sets"), baskets(), main.key)
    assert plain(words.share(padding.whole)) in plain(html(view))


def test_the_proposed_m_is_not_written_until_it_is_chosen(view) -> None:
    assert study(view, "sets").option("m") is None
    proposed = view.number_input(key="sets_m").value
    assert proposed == sidebar.task.items_per_set(study(view, "sets"), baskets())
    if any(button.key == "use_best_m" for button in view.button):
        press(view, "use_best_m")
        assert study(view, "sets").option("m") == view.number_input(key="sets_m").value != proposed


def test_a_floor_is_drawn_and_called_what_it_is(view) -> None:
    said = html(view) + "".join(drawn(view).values())
    assert "east error found" in said
    assert "not proven" in said
    assert "imit of what" not in said
    # Nothing that keeps the promise is drawn below it, though few of its points are known yet.
    named = {trace["name"]: trace for trace in charts(view)["chart_set_error"]["data"]}
    x, y = (_numbers(named["limit"][axis]) for axis in "xy")
    edge = slice(0, len(x) // 2)  # then back along the axis
    own = np.interp(np.log(x[edge]), np.log(_numbers(named["uPrivSet"]["x"])), np.log(_numbers(named["uPrivSet"]["y"])))
    assert len(x) > 100
    assert (np.log(y[edge]) <= own + 0.01).all()


def _numbers(given) -> np.ndarray:
    """What a chart's JSON has for an array: numbers, or their bytes."""
    if isinstance(given, dict):
        return np.frombuffer(base64.b64decode(given["bdata"]), given["dtype"]).astype(float)
    return np.array(given, float)


def test_simulated_sets_need_no_padding(view) -> None:
    view.selectbox(key="sets_simulated").set_value(16).run()
    assert study(view, "sets").option("simulated") == 16
    found = facts(view)
    here = next(iter(found.values())).here
    assert (len(here.marked), int(here.marked.sum())) == (16, 4)
    assert here.bias.max() == here.bias.min() == 0
    # uPrivSet draws its subsets beside the user's own items: 4 marked ones are too few for m = 8.
    assert "uPrivSet" in study(view, "sets").mechanisms
    assert "uPrivSet" not in found
    gone = point.refused(study(view, "sets"), baskets())
    assert gone["uPrivSet"] in plain(html(view))
    assert words.margin(set_facts.focus(found, None).error()) in sentence(view)
    view.number_input(key="sets_share").set_value(50).run()
    assert int(next(iter(facts(view).values())).here.marked.sum()) == 8
    view.selectbox(key="sets_popularity").set_value(1.0).run()
    held = next(iter(facts(view).values())).here
    counts = held.baskets.counts
    assert counts[held.marked].max() < counts[~held.marked].max() / 2, "the marked ones are the least popular"
    assert "popular as 1/r^1" in plain(html(view))
    view.selectbox(key="sets_simulated").set_value(0).run()
    assert study(view, "sets").option("simulated") is None
    assert len(next(iter(facts(view).values())).here.marked) == baskets().k


def test_no_mechanism_is_a_state_not_an_error(view) -> None:
    for group in ("every", "marked", "weaker"):
        view.button_group(key=f"sets_{group}").set_value([]).run()
    assert emptied(view) == {"sets"}
    assert panels(view) == []
    assert boxes(view)
    for group, key in {"every": "Wheel", "marked": "suRAP", "weaker": "suWheel"}.items():
        at = twin(view, "sets")
        at.button_group(key=f"sets_{group}").set_value([key]).run()
        assert study(at, "sets").mechanisms == (key,)
        assert words.margin(facts(at)[key].chance["sensitive"]) in sentence(at)
        assert panels(at) == USUAL


@pytest.fixture(scope="module")
def answers() -> AppTest:
    """A table of ordinary columns, nothing of it marked."""
    at = opened("sets", data="health", task="sets")
    return do(at, column_actions.set_marks, data.ALL_COLUMNS, [])


def test_any_table_has_sets(answers, still) -> None:
    at = twin(answers, "sets")
    assert study(at, "sets").column == data.ALL_COLUMNS
    assert at.selectbox(key="column").value == data.ALL_COLUMNS
    assert "basket" not in plain(html(at)), "these are a survey's answers"


def test_one_rare_answer_is_one_and_what_cannot_be_told_and_what_is_left_out_is_said(still) -> None:
    """A share below its own ± was a number like any other; one marked item was "any of 1", "commonest of 1"."""
    rng = np.random.default_rng(3)
    people = pd.DataFrame({"age": rng.normal(40, 9, 900).round(3), "sport": rng.choice(["run", "swim", "row"], 900)})
    people["doping"] = np.where(np.arange(900) < 9, "yes", "no")
    mine = data.read(people.to_csv(index=False).encode(), "mine.csv")
    at = opened("sets", mine)
    at = go(do(at, actions.change, "sets", column=data.ALL_COLUMNS), "sets")
    at = do(at, column_actions.set_marks, data.ALL_COLUMNS, ["doping = yes"])
    said = plain(panel(at, "set_items"))
    assert "commonest of 1" not in said
    rows = pd.DataFrame(
        {"item": ["a", "b", "c"], "marked": [True, True, False], "published": [-0.065, 0.2, 0.0], "± 95 %": [0.08] * 3}
    )
    assert set_items._rare(rows) == "Grey: below their ±.", "one of those listed; the headline counts all"
    assert set_items._rare(rows.assign(published=1.0)) == ""
    assert not set_items._rare(rows[1:2])
    assert "One ε for all a person’s answers; Review: one each." in plain(html(at))
    ends = re.findall(r"<span>0</span><span>([\d.]+)", html(at))
    assert len(ends) == 2
    assert all(float(end) <= 100 and re.fullmatch(r"0\.0*[1-9]|[1-9]0*", end) for end in ends), "round numbers"
    texts = json.dumps([figure["layout"] for figure in charts(at).values()], default=str)
    assert "any of 1" not in plain(html(at)) + texts
    side = plain(" ".join(each.proto.body for each in at.sidebar.get("html")))
    assert "No list of answers, so left out: age." in side


def test_with_nothing_marked_only_what_protects_something_is_drawn(answers, still) -> None:
    at = twin(answers, "sets")
    assert panels(at) == ["set_proposal", *USUAL]
    held = data.load("health").baskets(data.ALL_COLUMNS)
    found = point.every(study(at, "sets"), held)
    main = set_facts.focus(found, None)
    assert main.promise == "LDP"
    assert words.margin(main.error()) in sentence(at)
    every = {key for key, fact in found.items() if fact.promise == "LDP"}
    drawn_names = {trace["name"] for trace in charts(at)["chart_set_error"]["data"]}
    assert every <= drawn_names
    assert not drawn_names & (set(study(at, "sets").mechanisms) - every)
    assert all(key in boxes(at) for key in set(study(at, "sets").mechanisms) - every)
    # Along the share marked they protect something.
    at.radio(key="sets_axis").set_value("share").run()
    assert "suRAP" in {trace["name"] for trace in charts(at)["chart_set_error"]["data"]}
    at.button_group(key="sets_every").set_value([]).run()
    assert panels(at) == ["set_proposal"]
    assert "would protect nothing" in plain(sentence(at))


def test_a_proposal_is_marked_by_one_click(answers, still) -> None:
    """The sentence has the error that these marks would leave; what is not ticked stays unmarked."""
    at = twin(answers, "sets")
    first, *_ = at.checkbox
    first.uncheck().run()
    items = data.proposed(data.load("health").baskets(data.ALL_COLUMNS)).values
    promised = re.findall("±[0-9.]+", plain(sentence(at)))[-1]
    press(at, "propose_mark")
    assert set(study(at, "sets").marks.values) == set(items[1:])
    assert panels(at) == USUAL
    found = point.every(study(at, "sets"), data.load("health").baskets(data.ALL_COLUMNS))
    best = min((fact for fact in found.values() if fact.promise == "SULDP-joint"), key=lambda fact: fact.error("other"))
    assert promised.rstrip(".") == words.margin(best.error("other"))
    assert "HIV" in ask(at, of_columns(column_settings.of), "condition").marks.values


def test_who_protects_every_item_is_not_asked_again(answers, still) -> None:
    at = twin(answers, "sets")
    press(at, "propose_every")
    assert panels(at) == USUAL
    assert study(at, "sets").mechanisms == ("Wheel", "PrivSet")
    assert boxes(at) == ""


def test_marks_of_a_column_are_those_of_its_items(answers, still) -> None:
    """One home: what is marked on Data in a column is marked on Sets, and the other way round."""
    at = twin(answers, "sets")
    assert ask(at, of_columns(column_settings.of), "condition").marks.values == ()
    do(at, column_actions.set_marks, "condition", ["HIV", "asthma"])
    assert study(at, "sets").marks.values == ("condition = asthma", "condition = HIV")
    do(at, column_actions.set_marks, data.ALL_COLUMNS, ["condition = HIV", "partners = 1"])
    assert study(at, "frequency").column == "condition"
    assert study(at, "frequency").marks.values == ("HIV",)
    assert set(study(at, "sets").marks.values) == {"condition = HIV", "partners = 1"}
    # An interval of numbers keeps its ends when another column's items are marked.
    do(at, column_actions.set_intervals, "weight", [(100.5, 120.0)])
    do(at, column_actions.set_marks, data.ALL_COLUMNS, ["condition = HIV"])
    assert ask(at, of_columns(column_settings.of), "weight").marks.values == ("100.5..120",)
    assert ask(at, of_columns(column_settings.of), "condition").marks.values == ("HIV",)
    assert ask(at, of_columns(column_settings.of), "partners").marks.values == ()


def test_a_link_brings_the_marks_of_all_columns(still) -> None:
    at = opened("sets", data="health", task="sets", column=data.ALL_COLUMNS, **{"arm.A": "orientation = bisexual"})
    assert study(at, "sets").marks.values == ("orientation = bisexual",)
    assert ask(at, of_columns(column_settings.of), "orientation").marks.values == ("bisexual",)
    assert ask(at, of_columns(column_settings.of), "condition").marks.values == ()


# on the Data page ------------------------------------------------------------------------------------------------


def test_items_are_marked_on_the_data_page(items) -> None:
    held = baskets()
    assert len(marked(items)) == 25
    assert words.count(2500) in sentence(items)
    assert words.count(held.n) in sentence(items)
    items.multiselect(key="category_choice").set_value(["pets"]).run()
    press(items, "mark_category")
    assert len(marked(items)) == 29
    assert set(held.groups["pets"]) <= marked(items)
    press(items, "mark_clear")
    assert marked(items) == set()
    press(items, "mark_rare")
    rare = {label for label, count in zip(held.labels, held.counts, strict=True) if count < 0.01 * held.n}
    assert marked(items) == rare
    press(items, "mark_invert")
    assert marked(items) == set(held.labels) - rare
    assert panels(items) == ["marks", "shares", "effect"]


def test_the_margins_of_the_data_page_are_those_of_the_sets_page(items) -> None:
    """One ± everywhere: 95 of 100 surveys, named."""
    found, said = facts(items), panel(items, "effect")
    assert said.count("± 95 %") == 1  # the subtitle; every row is one
    for scope in ("sensitive", "other"):
        before, after = (words.margin(found[key].error(scope)) for key in ("PrivSet", "uPrivSet"))
        assert f"{before}→{after}" in said


def test_marks_of_items_are_those_of_the_sets_page(items) -> None:
    press(press(items, "mark_clear"), "mark_rare")
    wanted = marked(items)
    go(items, "sets")
    assert set(study(items, "sets").marks.values) == wanted
    assert int(next(iter(facts(items).values())).here.marked.sum()) == len(wanted)


# a mechanism of one's own ----------------------------------------------------------------------------------------


@pytest.fixture
def inventing(view) -> AppTest:
    view.session_state["fold_sets_own"] = True
    return view.run()


def known(at) -> str:
    """What the headline begins with: attacks are simulated anew."""
    return re.split(" Who holds| By ", plain(sentence(at)))[0]


def test_a_table_for_items_is_measured_beside_the_best_and_drawn_but_no_headline(inventing) -> None:
    before = known(inventing)
    assert compared.audit_line(study(inventing, "sets"), baskets()) in plain(panel(inventing, "own_mechanism"))
    at = press(inventing, "own_begin_suGRR-Sample")
    text, made = plain(panel(at, "own_mechanism")), study(at, "sets")
    found = compared.compared(made, baskets())
    m = found.made.m
    assert found.made.promise.definition == "SULDP-joint"
    assert found.made.epsilon == pytest.approx(np.log((np.e**made.epsilon + m - 1) / m))  # sampling hides
    assert f"It keeps SULDP-joint at ε = {words.epsilon(found.made.epsilon)}" in text
    assert words.margin(found.mine.error()) in text
    assert found.best is not None
    assert f"{found.best.key} best at this ε" in text
    assert known(at) == before
    star = next(trace for trace in charts(at)["chart_set_error"]["data"] if trace["name"] == "Own")
    at_epsilon = np.frombuffer(base64.b64decode(star["x"]["bdata"]))
    assert at_epsilon == pytest.approx([found.made.epsilon])
    assert "Own" not in made.mechanisms
    assert "Own" in ask(at, links.full, TASKS["sets"]).mechanisms  # the Study file
    at = press(at, "own_focus")
    assert known(at) == before
    item = set_facts.commonest(found.mine.here)[0]
    assert words.margin(np.sqrt(found.mine.variance[item])) in panel(at, "set_items")
    assert at.radio(key="sets_focus").value == "Own"
    do(at, column_actions.set_marks, "items", ())
    assert "It keeps no promise" in panel(at, "own_mechanism")
    assert "it stands in none of the panels above" in panel(at, "own_mechanism")
    assert study(press(at, "own_drop"), "sets").option("own") is None


def test_what_is_no_mechanism_for_items_is_told_why_and_waits(inventing) -> None:
    at = inventing.text_area(key="own_text").set_value("0.5 0.5\n0.5 0.5").run()
    assert "no mechanism for these answers" in panel(at, "own_mechanism")
    assert at.text_area(key="own_text").value == "0.5 0.5\n0.5 0.5"
    assert study(at, "sets").option("own") is None
