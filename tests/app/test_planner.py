"""The planner of Frequency, Sets, Means and Ranges: it says what `ldpcore.plan` answers for the page's Study."""

import math
import re
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from ldpapp import words
from ldpapp.compute import bundled
from ldpapp.parts.planner import said, values
from ldpapp.state import actions, column_actions
from ldpapp.views.means.sentences import quantity
from ldpcore import catalog, plan
from ldpcore.plan.answers import PlannerAnswer
from ldpcore.questionnaire import value_errors
from ldpcore.ranges import margin
from ldpcore.study import Marks, Source, Study, frequency, intervals, means, ranges, review
from ldpcore.study.review.plans import SurveyPlans
from ldpcore.study.sets import point
from ldpcore.study.tasks import TASKS
from tests.app.opening import (
    bodies,
    charts,
    do,
    link,
    opened,
    panel,
    panels,
    plain,
    press,
    study,
    twin,
)

DATA = {
    "frequency": {"data": "health", "column": "condition", "m": ["SS", "uSS"]},
    "sets": {"data": "groceries", "m": ["uPrivSet"]},
    "means": {"data": "census", "column": "age", "m": ["PM", "uTernary"]},
    "ranges": {"data": "census", "column": "age", "m": ["Privelet"]},
}
"""The page draws few mechanisms; the planner answers for all."""
POINTS = {"sets": 4.0, "frequency": 1.5, "ranges": 0.02}
"""Half-widths that are typed, in the units of the page."""


@pytest.fixture(scope="module")
def page() -> Callable[[str], AppTest]:
    """Each page is opened once, with its planner."""
    found: dict[str, AppTest] = {}

    def open_(task: str) -> AppTest:
        if task not in found:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr("ldpapp.runtime.background.steps", lambda work, study: None)
                found[task] = opened(task, task=task, **DATA[task], **{f"fold_{task}_planner": "True"})
        return twin(found[task], task)

    return open_


@pytest.fixture(autouse=True)
def _still(still) -> None:
    """Nothing here waits for surveys."""


def of_frequency(at: AppTest, key: str, every: bool = False, worst: bool = False) -> plan.Plan:
    asked = study(at, "frequency")
    here = frequency.cell(asked, frequency.prepare(asked, bundled("health")), key, asked.epsilon)
    freq = None if worst else here.freq
    return plan.frequency(key, len(here.marked), here.marked, every=every, freq=freq, guess=here.marked.mean())


def of_sets(at: AppTest, key: str, every: bool = False) -> plan.Plan:
    here = point.setting(study(at, "sets"), bundled("groceries").baskets("items"))
    known = {"freq": here.kept, "company": here.sample.company, "wobble": here.sample.wobble * here.n}
    known["guess"] = (here.marked.sum() + here.dummies) / (len(here.marked) + here.dummies)
    return plan.sets(key, len(here.marked), here.m, here.marked, dummies=here.dummies, every=every, **known)


def of_means(at: AppTest, key: str) -> plan.Plan:
    asked = study(at, "means")
    numbers = means.prepare(asked, bundled("census"))
    low = intervals.complement([intervals.parse(text) for text in asked.marks.values], numbers.interval)
    return plan.means(key, low, x=np.repeat(numbers.points, numbers.counts), delta=0.2)


def of_ranges(at: AppTest, key: str) -> plan.Plan:
    counted = ranges.prepare(study(at, "ranges"), bundled("census"))
    return plan.ranges(key, ranges.size(counted), ranges.asked(study(at, "ranges"), counted)[0])


ENGINE = {"frequency": of_frequency, "sets": of_sets, "means": of_means, "ranges": of_ranges}


def focus(at: AppTest) -> str:
    """The mechanism in the answer: the line that is drawn last, on top."""
    return [trace["name"] for trace in charts(at)["chart_planner"]["data"] if trace["name"] != "limit"][-1]


def key_of(task: str, name: str) -> str:
    entries = {"frequency": catalog.FREQUENCY, "sets": catalog.SETS, "means": catalog.MEANS, "ranges": catalog.RANGES}
    return next(key for key in entries[task] if entries[task].name(key) == name)


def answer(at: AppTest) -> str:
    return next(body for body in bodies(at) if "card plan" in body or "annot be reached" in body)


def typed(at: AppTest, **numbers: float) -> AppTest:
    """The page after all of them were typed, drawn once."""
    for name, value in numbers.items():
        at.number_input(key=f"plan_{name}").set_value(value)
    return at.run()


def table(at: AppTest) -> pd.DataFrame:
    found = [each.value for each in at.dataframe if {"people", "ε"} <= set(each.value.columns)]
    return found[0].set_index("mechanism")


def scale(at: AppTest, task: str) -> float:
    """Shown numbers per unit of the engine."""
    return means.prepare(study(at, "means"), bundled("census")).unit if task == "means" else 100.0


@pytest.mark.parametrize("task", ENGINE)
def test_the_answer_is_the_engine_s(page, task) -> None:
    at = page(task)
    key = key_of(task, focus(at))
    made, unit = ENGINE[task](at, key), scale(at, task)
    shown = POINTS.get(task, 1.5)
    at.radio(key=f"{task}_answered").set_value("people").run()
    typed(at, epsilon=0.8, within=shown)
    assert f">{words.count(made.people(0.8, shown / unit))}<" in answer(at)
    at.radio(key=f"{task}_answered").set_value("epsilon").run()
    typed(at, people=70_000)
    least, said = made.epsilon(70_000, shown / unit), re.findall(r">([\d.]+)</b>", answer(at))
    assert made.within(float(said[0]), 70_000) <= shown / unit, "what is shown is enough"
    assert float(said[0]) == pytest.approx(least, rel=0.01)
    at.radio(key=f"{task}_answered").set_value("within").run()
    error = made.within(0.8, 70_000)
    assert (f"±{quantity(error * unit)}<" if task == "means" else f"{words.points(error)} ") in answer(at)
    rows = table(at)
    for name in rows.index.drop("limit", errors="ignore"):
        assert rows.loc[name].filter(like="±").iloc[0] == pytest.approx(
            unit * ENGINE[task](at, key_of(task, name)).within(0.8, 70_000), rel=1e-9
        )
    covered = TASKS[task].CATALOG.by_coverage()
    beside, alone = panel(at, "planner"), "protects the marked answers alone"
    assert (alone in beside) == (key in covered[catalog.Coverage.MARKED])
    every = [name for name in rows.index.drop("limit", errors="ignore") if key_of(task, name) in covered["every"]]
    if alone in beside and every:
        errors = {name: ENGINE[task](at, key_of(task, name)).within(0.8, 70_000) for name in every}
        best = min(errors, key=errors.__getitem__)
        told = f"±{quantity(errors[best] * unit)}" if task == "means" else words.points(errors[best])
        assert f"{best}, for all answers: {told}" in re.sub(r"<[^>]+>", "", beside)
    if made.success(1.0) is not None:
        assert words.chance_of_100(made.success(0.8)) in panel(at, "planner")
        assert words.of_100(made.blind()) in panel(at, "planner")
    at.radio(key=f"{task}_answered").set_value("epsilon").run()
    press(at, "plan_use")
    assert study(at, task).epsilon == at.sidebar.number_input(key="epsilon").value
    assert words.epsilon(study(at, task).epsilon) == said[0]
    again = re.findall(r">([\d.]+)</b>", answer(at))  # of the mechanism that is the best there
    assert (again == said) == (not [button for button in at.button if button.key == "plan_use"])


def test_what_nobody_can_do_better_is_said_where_it_is_proven(page) -> None:
    """Of a mean always, of sets on the worst data alone, of one range never."""
    at = page("means")
    asked = study(at, "means")
    numbers = means.prepare(asked, bundled("census"))
    low = intervals.complement([intervals.parse(text) for text in asked.marks.values], numbers.interval)
    promise = "LDP" if catalog.MEANS[key_of("means", focus(at))].promise == "LDP" else "ULDP"
    least = plan.means_limit(promise, low, x=numbers.points, counts=numbers.counts)
    assert least is not None
    at.radio(key="means_answered").set_value("people").run()
    typed(at, epsilon=0.8, within=1.5)
    fewest = least.people(0.8, 1.5 / numbers.unit)
    assert f"fewer than {words.count(fewest)} people" in panel(at, "planner")
    assert fewest == table(at)["people"]["limit"] < table(at)["people"].drop("limit").min()
    assert "limit" in charts(at)["chart_planner"]["data"][0]["name"]

    at = page("sets")
    at.radio(key="sets_answered").set_value("people").run()
    typed(at, epsilon=0.8, within=4.0)
    assert "fewer than" not in panel(at, "planner")
    at.button_group(key="plan_worst_switch").set_value(True).run()
    here = point.setting(study(at, "sets"), bundled("groceries").baskets("items"))
    shown = catalog.SETS[key_of("sets", focus(at))].promise
    found = plan.sets_limit(shown, len(here.marked), here.m, int(here.marked.sum()))
    assert found is not None
    assert f"fewer than {words.count(found.people(0.8, 0.04))} people" in panel(at, "planner")

    at = page("ranges")
    at.radio(key="ranges_answered").set_value("people").run()
    assert "fewer than" not in panel(at, "planner")
    assert "limit" not in table(at).index


def test_the_error_is_the_page_s(page) -> None:
    """With the Study's people and ε: what other panels, which know of no planner, are made of."""
    at = page("ranges")
    asked = study(at, "ranges")
    counted = ranges.prepare(asked, bundled("census"))
    built = catalog.RANGES["Privelet"].build(ranges.size(counted).bit_length() - 1)
    chosen = ranges.asked(asked, counted)[0]
    alone = of_ranges(at, "Privelet").within(asked.epsilon, int(counted.counts.sum()))
    assert alone * counted.counts.sum() == pytest.approx(margin(built, *chosen, asked.epsilon))
    at = page("sets")
    held = bundled("groceries").baskets("items")
    fact = point.every(study(at, "sets"), held)["uPrivSet"]
    worst = plan.quantile(0.95) * float(np.sqrt(fact.variance.max()))
    assert of_sets(at, "uPrivSet").within(study(at, "sets").epsilon, held.n) == pytest.approx(worst)


@pytest.mark.thorough
def test_switches_ask_for_all_at_once_for_the_worst_data_and_for_guesses(page) -> None:
    at = page("frequency")
    key = focus(at)
    at.radio(key="frequency_answered").set_value("people").run()
    typed(at, epsilon=1.0, within=2.0)
    seen = set()
    for every in (False, True):
        at.button_group(key="plan_every_switch").set_value(every)
        for worst in (False, True):
            at.button_group(key="plan_worst_switch").set_value(worst).run()
            people = of_frequency(at, key, every, worst).people(1.0, 0.02)
            assert f">{words.count(people)}<" in answer(at)
            seen.add(people)
    assert len(seen) == 4
    at.button_group(key="plan_by_switch").set_value("success").run()
    typed(at, success=25)
    made = of_frequency(at, key, every=True, worst=True)
    epsilon = made.most_epsilon(0.25)
    assert f">{words.count(made.people(epsilon, 0.02))}<" in answer(at)
    assert f"ε = {words.epsilon(epsilon)}" in panel(at, "planner")
    for name, row in table(at).iterrows():
        assert row["guessed"] <= 0.25 + 1e-9, name
    at.radio(key="frequency_answered").set_value("epsilon").run()
    typed(at, people=100_000)
    assert words.chance_of_100(made.success(made.epsilon(100_000, 0.02))) in answer(at)


def test_with_secret_values_it_is_about_them(page) -> None:
    """Its ε is theirs, the others keep their ratio, and the attacker who is tolerated knows the level."""
    at = do(
        page("frequency"),
        column_actions.set_levels,
        "condition",
        {"HIV": "secret", "cancer": "secret", "COPD": "sensitive"},
    )
    at = do(at, actions.change, "frequency", epsilon=2.0, secret_epsilon=0.5, mechanisms=("uSS",))
    asked = study(at, "frequency")
    here = frequency.cell(asked, frequency.prepare(asked, bundled("health")), "gSub", 2.0)
    even = np.full(len(here.freq), 1 / len(here.freq))
    graded = plan.levels("gSub", here.epsilons, freq=here.freq, guess=even)
    secret = here.secret / here.secret.sum()
    flat = plan.frequency("uSS", len(here.marked), here.marked, freq=here.freq, prior=secret)
    people = int(here.counts.sum())
    # At the study's ε it is what the page computes.
    page_s = plan.quantile(0.95) * float(np.sqrt(here.squared_error().max()))
    assert graded.within(0.5, people) == pytest.approx(page_s)
    at.radio(key="frequency_answered").set_value("people").run()
    typed(at, epsilon=0.25, within=1.5)
    rows = table(at)
    assert rows.loc["gSub", "people"] == graded.people(0.25, 0.015)
    assert rows.loc["uSS", "people"] == flat.people(0.25, 0.015)
    assert rows.loc["gSub", "guessed"] == pytest.approx(graded.success(0.25))
    assert rows.loc["uSS", "guessed"] == pytest.approx(flat.success(0.25))
    at.radio(key="frequency_answered").set_value("epsilon").run()
    found = float(re.findall(r">([\d.]+)</b>", answer(at))[0])
    press(at, "plan_use")
    assert study(at, "frequency").secret_epsilon == found
    assert study(at, "frequency").epsilon == pytest.approx(found * 2.0 / 0.5), "private answers keep their part"


def test_what_cannot_be_reached_says_what_would_help(page) -> None:
    at = typed(page("frequency"), people=50, within=0.01)
    made = of_frequency(at, focus(at))
    assert "annot be reached" in answer(at)
    assert words.count(made.people(plan.HIGHEST, 1e-4)) in panel(at, "planner")
    assert words.points(made.within(plan.HIGHEST, 50)) in panel(at, "planner")
    at.radio(key="frequency_answered").set_value("people").run()
    at.button_group(key="plan_by_switch").set_value("success").run()
    typed(at, success=1)
    assert "annot be reached" in answer(at)
    assert words.chance_of_100(made.blind()) in panel(at, "planner")
    at = typed(page("means"), people=1, within=1e-3)
    assert "annot be reached" in answer(at)


@pytest.mark.parametrize(
    ("task", "entries"),
    [("frequency", catalog.FREQUENCY), pytest.param("means", catalog.MEANS, marks=pytest.mark.thorough)],
)
def test_nothing_marked_offers_what_protects_every_answer(page, task, entries) -> None:
    at = page(task)
    offered = set(table(at).index) - {"limit"}
    assert offered == {entries.name(key) for key in entries}
    do(
        at,
        column_actions.set_marks if task == "frequency" else column_actions.set_intervals,
        study(at, task).column,
        [],
    )
    offered = set(table(at).index) - {"limit"}
    assert offered == {entries.name(key) for key, entry in entries.items() if entry.promise == "LDP"}
    assert "planner" in panels(at)


def test_what_was_typed_of_one_column_is_not_taken_for_another_s(page) -> None:
    at = typed(page("means"), within=0.25)
    assert at.number_input(key="plan_within").value == 0.25
    do(at, actions.choose_column, "hours-per-week")
    if study(at, "means").column == "hours-per-week":
        assert at.number_input(key="plan_within").value != 0.25
    do(at, actions.choose_column, "age")
    assert at.number_input(key="plan_within").value == 0.25


@pytest.mark.parametrize("task", ["frequency", "sets"])
def test_one_answer_is_planned_for_by_its_own_error(page, task: str) -> None:
    """Each answer's people, from the variance of its own share; the least exact one's is what a page says at first."""
    at = page(task)
    key = key_of(task, focus(at))
    at.radio(key=f"{task}_answered").set_value("people").run()
    typed(at, epsilon=1.0, within=2.0)
    at_first, made = answer(at), ENGINE[task](at, key)
    if task == "frequency":
        asked = study(at, task)
        here = frequency.cell(asked, frequency.prepare(asked, bundled("health")), key, asked.epsilon)
        built = catalog.FREQUENCY[key].guessing(here.marked.mean(), 1.0, len(here.marked), here.marked)
        errors = built.variance(here.freq, 1)
    else:
        here = point.setting(study(at, task), bundled("groceries").baskets("items"))
        share = (here.marked.sum() + here.dummies) / (len(here.marked) + here.dummies)
        built = catalog.SETS[key].guessing(share, 1.0, len(here.marked), here.marked, here.m, here.dummies)
        errors = built.variance(here.kept, 1, here.sample.company) + here.sample.wobble * here.n
    labels = at.selectbox(key=f"{task}_plan_answer").options[1:]
    least, most = int(errors.argmin()), int(errors.argmax())
    assert at.selectbox(key=f"{task}_plan_answer").options[0] == f"of the least exact, {labels[most][3:]}"
    for code in (least, most):
        at.selectbox(key=f"{task}_plan_answer").set_value(labels[code].removeprefix("of ")).run()
        people = math.ceil((plan.quantile(0.95) / 0.02) ** 2 * errors[code] * (1 - 1e-12))
        assert f">{words.count(people)}<" in answer(at), labels[code]
        assert "No mechanism with this promise" not in panel(at, "planner"), "of one answer no limit is known"
        assert (answer(at) == at_first) == (code == most)
    assert made.people(1.0, 0.02) == people


def test_told_apart_is_of_the_answer_that_is_planned_for(page) -> None:
    """A marked one beside all others, by a channel listed here; of one that is not marked the marked ones are told."""
    at = page("frequency")
    at.radio(key="frequency_answered").set_value("people").run()
    typed(at, epsilon=1.0, within=2.0)
    asked = study(at, "frequency")
    here = frequency.cell(asked, frequency.prepare(asked, bundled("health")), focus(at), 1.0)
    built = catalog.FREQUENCY[focus(at)].guessing(here.marked.mean(), 1.0, len(here.marked), here.marked)
    law = built.channel().matrix.T
    labels = bundled("health").categorical("condition").domain.labels
    code = int(np.flatnonzero(here.marked)[0])
    for sought in (np.arange(len(labels)) == code, here.marked):
        name = labels[code] if sought.sum() == 1 else labels[int(np.flatnonzero(~here.marked)[0])]
        at.selectbox(key="frequency_plan_answer").set_value(name).run()
        one, other = (law[:, part] @ here.freq[part] / here.freq[part].sum() for part in (sought, ~sought))
        order = np.argsort(-one / np.maximum(other, 1e-300))
        below = np.cumsum(other[order]) - other[order] / 2
        pairs = float(one[order] @ (1 - below))
        assert f"told apart in {words.of_100(pairs)} of 100 pairs" in panel(at, "planner")
    assert "a marked answer and any other are told apart" in panel(at, "planner")


def test_the_link_has_what_is_asked(page) -> None:
    at = page("sets")
    at.radio(key="sets_answered").set_value("people").run()
    at.button_group(key="plan_every_switch").set_value(True)
    at.button_group(key="plan_worst_switch").set_value(True).run()
    assert {"fold_sets_planner", "sets_answered", "sets_plan_every", "sets_plan_worst"} <= set(link(at))
    again = opened("sets", **link(at))
    assert panel(again, "planner") == panel(at, "planner")


def test_closed_it_is_not_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(*anything: object) -> None:
        raise AssertionError("nobody opened it")

    monkeypatch.setattr("ldpapp.views.frequency.page.planned", asked)
    assert "planner" not in panels(opened("frequency", task="frequency", **DATA["frequency"]))


@pytest.mark.parametrize("n", [None, 4000])
def test_who_is_asked_one_question_is_planned_with_the_drawing_of_people(n) -> None:
    """The plan's error, of those who are asked, is that of the survey against all of its people."""
    made = Study(Source("health"), "smoking", Marks.of(["condition = HIV"]), epsilon=4.0, n=n, task="review")
    made = made.with_options(columns=("condition", "smoking"), hidden=("smoking",), scheme="one")
    here = review.asked(made, review.prepare(made, bundled("health")), 4.0)
    exact = value_errors(here.questions, here.scheme, n=here.n, epsilon=here.total)
    plans = SurveyPlans(here, 4.0)
    assert plans.people == here.n / 2
    for name, half in plans.margins().items():
        assert half == pytest.approx(plan.quantile(0.95) * max(exact[name]) ** 0.5, rel=2e-3)


def test_where_a_smaller_epsilon_needs_fewer_people_it_is_said(page) -> None:
    """uSS chooses its size by even shares: where that jumps, and nowhere else."""
    at = page("frequency")
    key = key_of("frequency", focus(at))
    made = of_frequency(at, key)
    steps = (x for x in np.geomspace(0.5, 5, 400) if made.whole(x) != made.whole(x * 1.01))
    found = {x: made.dominated(x * 1.01) for x in steps}
    above, better = next((x * 1.01, seen.better) for x, seen in found.items() if seen is not None and seen.times > 1.02)
    above = round(above, 4)
    at.radio(key="frequency_answered").set_value("people").run()
    typed(at, epsilon=above, within=1.5)
    said = plain(panel(at, "planner"))
    assert f"A smaller ε is better here: at ε = {words.epsilon(better)}" in said
    assert f"{words.count(made.people(better, 0.015))} people are enough" in said
    assert made.people(better, 0.015) < made.people(above, 0.015)
    assert f"Then {words.chance_of_100(made.success(better))} people are guessed" in said
    at.radio(key="frequency_answered").set_value("within").run()
    typed(at, epsilon=above, people=70_000)
    assert words.points(made.within(better, 70_000)) in plain(panel(at, "planner")).split("A smaller")[1]
    typed(at, epsilon=better, people=70_000)
    assert "A smaller ε" not in panel(at, "planner")


@pytest.mark.parametrize(("people", "within", "told"), [(4, 0.9, True), (200, 0.01, True), (200, 0.1, False)])
def test_few_reports_are_said_to_be_few(people: int, within: float, told: bool) -> None:
    made = plan.frequency("uSS", 6, np.arange(6) < 2)
    asked, plans = SimpleNamespace(focus="uSS"), SimpleNamespace(of=lambda _: made)
    assert ("not yet normal" in said.few(asked, plans, PlannerAnswer(people, 1.0, within))) == told  # type: ignore[arg-type]
    assert said.few(asked, plans, PlannerAnswer(None, 1.0, within)) == ""  # type: ignore[arg-type]


@pytest.mark.parametrize("scale", [1.0, 0.1, 0.01, 0.0001])
def test_an_error_that_none_undercuts_is_never_written_above_itself(scale: float) -> None:
    """Of shares as the planner and Frequency write it, in points: at most itself, and by less than 1 % below."""
    for error in np.random.default_rng(4).uniform(0.1, 1, 200) * scale:
        shown = float(values.points().floor(error).removeprefix("±").removesuffix(" points").replace(words.THIN, ""))
        assert 0.99 * 100 * error < shown <= 100 * error * (1 + 1e-9)
