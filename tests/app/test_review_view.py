"""The page Review: what it shows is what the engine's task and planner say, and marks have one home."""

import io
import math
import re
import zipfile

import numpy as np
import pytest
from click.testing import CliRunner
from streamlit.testing.v1 import AppTest

from ldpapp import words
from ldpapp.compute import bundled
from ldpapp.state import actions, column_actions
from ldpapp.views.review import cached, folds
from ldpcore import data, questionnaire
from ldpcore.cli import main
from ldpcore.study import from_toml, review, run, to_toml
from ldpcore.study.review.facts import facts
from tests.app.opening import (
    ask,
    boxes,
    charts,
    do,
    go,
    html,
    link,
    nothing_behind,
    opened,
    panel,
    panels,
    plain,
    press,
    sentence,
    study,
    twin,
    upload,
)

FOLDS = ("fold_review_together", "fold_review_answers", "fold_review_again")


@pytest.fixture(scope="module")
def health() -> AppTest:
    """Filled in to the end."""
    with nothing_behind():  # of the marks that it opens with
        at = opened("review", task="review", data="health")
    ask(at, column_actions.set_marks, "weight", [])
    for fold in FOLDS:
        at.session_state[fold] = True
    return at.run()


def folded(at: AppTest) -> AppTest:
    """The same page in a session of its own, with its folds closed: quick to draw again."""
    own = twin(at)
    for fold in FOLDS:
        own.session_state[fold] = False
    return go(own, "review")


@pytest.fixture(scope="module")
def engine(health):
    asked = study(health, "review")
    people = review.prepare(asked, bundled("health"))
    return asked, people, review.asked(asked, people, asked.epsilon)


@pytest.fixture(scope="module")
def rows(engine):
    asked, _, _ = engine
    found = run(asked, bundled("health"))
    return found[found["repetition"] == 0].set_index(["scope", "metric"])["value"]


def test_the_table_shows_the_engine_s_rows(health, engine, rows) -> None:
    _, _, here = engine
    said, exact = panel(health, "review"), here.errors()
    assert list(here.hidden) == ["age", "condition"]
    for name, one in here.hidden.items():
        margins = words.NORMAL_95 * one.built.variance(one.freq, here.n) ** 0.5
        assert words.points(margins[one.marked & (one.freq >= margins)].max()) in said, "of the least exact"
        assert margins[one.marked].max() ** 2 >= words.NORMAL_95**2 * exact[name][1]
        given = {m.removeprefix("with:"): v for (q, m), v in rows.items() if q == name and m.startswith("with:")}
        surely = {column: pairs for column, pairs in given.items() if rows[name, f"least:{column}"] > 0}
        for column, pairs in given.items():  # what adds nothing beyond chance gives nothing away
            worst = bool(surely) and column == max(surely, key=surely.__getitem__)
            assert (f"{column}{words.of_100(pairs)}" in said) == worst
        alt = f"{words.of_100(rows[name, 'own'])} of 100 pairs by the own report"
        every = rows[name, "pairs"]
        assert f"{alt}, {words.of_100(every)} with every other answer" in html(health)
    assert words.of_100(rows["condition", "surest"]) in panel(health, "together")
    assert all(name in said for name in here.open)
    known = facts(engine[0], engine[1], run(engine[0], bundled("health")))
    for name, fact in known.every.items():
        assert fact.needed_epsilon
        assert f"{words.epsilon(fact.needed_epsilon)}{'worst' * (name == known.neediest)}" in said
    learned = known.every["condition"]
    assert f"{len(learned.learned)} of {len(here.hidden['condition'].marks)} measurable" in said


def test_the_finding_is_about_every_marked_question(health, engine, rows) -> None:
    """What is measured, what is too rare for it, and who is told apart most, whichever is in focus."""
    said = plain(sentence(health))
    known = facts(engine[0], engine[1], run(engine[0], bundled("health")))
    least, most = (
        words.points(end(fact.margin for fact in known.every.values() if fact.learned)) for end in (min, max)
    )
    assert f"Marked answers are measured to {least} to {most} points; too rare to measure: " in said
    rare = known.every["condition"].rare
    assert rare
    assert f"{len(rare)} answers of condition" in said
    told = {name: words.of_100(rows[name, "pairs"]) for name in ("condition", "age")}
    first, second = sorted(told, key=lambda name: -rows[name, "pairs"])
    text = f"sensitive answers to {first} are told apart in {told[first]} of 100 pairs (guessing: 50)."
    assert text in said
    assert "so far" not in said
    other = do(twin(health, "review"), actions.choose_column, second)
    assert text in plain(sentence(other))


def test_marks_have_one_home(health, still) -> None:
    at = folded(health)
    at.multiselect(key="review_marks").set_value(["HIV"]).run()
    assert study(at, "frequency").marks.values == ("HIV",)
    assert "condition = HIV" in study(at, "review").marks.values
    do(at, column_actions.set_marks, "alcohol", ["daily"])
    assert "alcohol = daily" in study(at, "review").marks.values
    assert "alcohol" in panel(at, "review")
    do(at, column_actions.set_intervals, "age", [])
    assert not any(value.startswith("age") for value in study(at, "review").marks.values)


def test_the_sidebar_edits_the_survey(health, still) -> None:
    at = folded(health)
    at.button_group(key="review_option_scheme").set_value("one")
    at.button_group(key="review_option_budget").set_value("person")
    at.selectbox(key="review_mechanism").set_value("OUE")
    at.multiselect(key="review_hidden").set_value(["smoking"]).run()
    made = study(at, "review")
    assert (made.option("scheme"), made.option("budget"), made.option("hidden")) == ("one", "person", ("smoking",))
    assert made.mechanisms == ("OUE",)
    people = review.prepare(made, bundled("health"))
    here = review.asked(made, people, made.epsilon)
    assert set(here.hidden) == {"age", "condition", "smoking"}
    assert words.points(here.margin_of("condition", here.hidden["condition"].marked)) in panel(at, "review")
    at.multiselect(key="review_columns").set_value(["age", "condition", "smoking"]).run()
    assert set(review.prepare(study(at, "review"), bundled("health")).questions) == {"age", "condition", "smoking"}
    again = opened(**link(at))
    assert study(again, "review") == study(at, "review")
    assert from_toml(to_toml(study(at, "review"))) == study(at, "review")


def test_two_questions_are_asked_as_one(health, still) -> None:
    """One row, one report and one ε for both; taken back where one of them is not asked any more."""
    at = folded(health)
    for name, label in (("smoking", "every day"), ("alcohol", "daily")):
        do(at, column_actions.set_marks, name, [label])
    pair = "smoking + alcohol"
    at.multiselect(key="review_as_one").set_value([pair]).run()
    made = study(at, "review")
    assert made.option("as_one") == (pair,)
    here = review.asked(made, review.prepare(made, bundled("health")), made.epsilon)
    assert {pair} < set(here.hidden)
    shown = panel(at, "review")
    assert pair in plain(shown)
    assert words.points(here.margin_of(pair, here.hidden[pair].marked)) in shown
    do(at, actions.choose_column, "smoking")
    assert pair in plain(sentence(at))
    assert f"reports: ε at most {words.epsilon(here.promised())}" in plain(html(at))
    assert study(opened(**link(at)), "review") == study(at, "review")
    others = [name for name in review.questions(bundled("health")) if name != "alcohol"]
    at.multiselect(key="review_columns").set_value(others).run()
    assert study(at, "review").option("as_one") == ()
    assert pair not in plain(panel(at, "review"))


def test_a_pair_with_too_many_answers_is_not_offered_and_a_link_to_it_leads_back(health, still) -> None:
    at = folded(health)
    for name, label in (("partners", "5 or more"), ("condition", "HIV"), ("smoking", "every day")):
        do(at, column_actions.set_marks, name, [label])
    assert {"partners + smoking", "smoking + partners"} & set(at.multiselect(key="review_as_one").options)
    assert not [each for each in at.multiselect(key="review_as_one").options if "condition" in each]
    do(at, actions.option, "review", as_one=("condition + partners",))
    assert "“condition” and “partners” have 80 pairs of answers, more than 64: ask them separately." in plain(html(at))
    at.multiselect(key="review_as_one").set_value([]).run()
    assert "±" in panel(at, "review")


def test_link_and_file_hold_the_page_for_phones(health, monkeypatch, tmp_path, still) -> None:
    """Byte for byte what `ldpcore client study.toml` writes; a survey that phones cannot draw is a sentence."""
    own, found = folded(health), {}
    own.session_state["links"] = True

    def button(label: str, content: object, name: str, *_: object, **__: object) -> None:
        found[name] = content

    with monkeypatch.context() as patch:
        patch.setattr("ldpapp.export.links.st.download_button", button)
        own.run()
    (tmp_path / "study.toml").write_bytes(found["study.toml"])
    done = CliRunner().invoke(main, ["client", str(tmp_path / "study.toml"), "-o", str(tmp_path / "survey")])
    assert done.exit_code == 0, done.output
    with zipfile.ZipFile(io.BytesIO(found["survey.zip"])) as archive:
        inside = {name: archive.read(name) for name in archive.namelist()}
    assert inside == {path.name: path.read_bytes() for path in (tmp_path / "survey").iterdir()}
    assert set(inside) == {"questionnaire.json", "client.js", "index.html", "README.md"}
    assert "No page for phones" not in plain(html(own))


def test_only_the_own_report_is_attacked_where_nothing_else_is_seen(health) -> None:
    at = twin(health, "review")
    at.button_group(key="review_option_attacker").set_value("own").run()
    assert "giver" not in plain(sentence(at))
    assert panels(at) == ["review", "lies", "planner", "answers", "again"]


@pytest.mark.parametrize("answered", ["epsilon", "people", "within"])
def test_the_planner_answers_for_every_question(health, engine, answered, still) -> None:
    """What is given is the Study's, wherever it is said: planner, sidebar, link."""
    at = folded(health)
    at.radio(key="review_answered").set_value(answered).run()
    fixed = {"people": 50_000, "epsilon": 2.0, "within": 1.5}
    for name, value in fixed.items():
        if name != answered:
            at.number_input(key=f"plan_{name}").set_value(value).run()
    made = study(at, "review")
    found, said = facts(made, engine[1]), panel(at, "planner")
    if answered == "epsilon":
        assert (made.n, made.option("within")) == (50_000, 0.015)
        assert f"ε must be {words.epsilon(found.needed_epsilon)}" in said
        press(at, "plan_use")
        assert study(at, "review").epsilon == found.needed_epsilon
        assert at.sidebar.number_input(key="epsilon").value == found.needed_epsilon
        served = facts(study(at, "review"), engine[1]).plans.margins()
        assert max(served.values()) <= 0.015
        assert "plan_use" not in {button.key for button in at.button}
    elif answered == "people":
        assert (made.epsilon, made.option("within")) == (2.0, 0.015)
        assert words.count(found.needed_people) in said
        press(at, "plan_use")
        assert study(at, "review").n == found.needed_people
    else:
        assert (made.n, made.epsilon) == (50_000, 2.0)
        assert words.points(max(found.plans.margins().values())) in said
    assert f"For {found.neediest}, the worst." in said
    least, marked = found.least_exact
    assert (f"“{least}”, not marked" in said) == (not marked and answered == "epsilon")
    lines = {trace["name"] for trace in charts(at)["chart_planner"]["data"]}
    assert {"age", "condition", "people"} <= lines
    assert study(opened(**link(at)), "review") == study(at, "review")


def test_the_hospital_s_survey_serves_the_worst_question(still) -> None:
    """HIV, hepatitis, drugs and two incomes: ± 2 for 3 000 people takes 1.92 for condition, not income's 1.61."""
    names = ("condition = HIV", "condition = hepatitis B", "condition = hepatitis C", "condition = drug dependence",
             "income = under 15 000", "income = 150 000 or more")  # fmt: skip
    asked = {"task": "review", "data": "health", "n": "3000", "marks": list(names), "o.within": "0.02"}
    for column in ("income", "condition"):
        at = opened("review", column=column, **asked)
        assert "ε must be 1.92" in panel(at, "planner")
        assert "For condition, the worst." in panel(at, "planner")
        press(at, "plan_use")
        shown, said = panel(at, "review"), plain(sentence(at))
        assert "all 4 too rarerarer than ±1.83" in shown
        assert "±1.61on 9.4 % and 14.5 %" in shown
        assert "too rare to measure: drug dependence, HIV, hepatitis C and hepatitis B." in said
        assert re.search(r"Too rare; takes.*condition: drug dependence \(0.7 %\)", panel(at, "planner"))
        lies = panel(at, "lies")
        assert "income: 150 000 or more reads 1.45 points too low" in lies
        assert "37 false reports move condition: drug dependence past its ±, 45 income" in lies
        press(at, "plan_use_each")
        made = study(at, "review")
        assert made.option("parts") == (f"income = {1.61 / 1.92!r}",)
        assert "ε must be 1.61–1.92" in panel(at, "planner")
        assert "in use" in panel(at, "planner")
        assert "ε at most 3.53" in plain(html(at)), "less than 3.84"
        assert study(opened(**link(at)), "review") == made == from_toml(to_toml(made))
        press(at, "plan_use")
        assert study(at, "review").option("parts") == ()
        at.number_input(key="review_denying").set_value(5).run()
        assert "reads 2.90 points too low" in panel(at, "lies")
        assert study(at, "review").option("denying") == 5


def test_row_headline_and_report_tell_the_own_report_alike(health, engine, rows) -> None:
    _, _, here = engine
    one, at = here.hidden["condition"], twin(health, "review")
    exact = questionnaire.best(one.built, one.marked, one.freq)
    assert rows["condition", "own"] == rows["condition", "own:low"] == rows["condition", "own:high"] == exact
    said = f"{words.of_100(exact)} of 100 pairs"
    assert f"{said} by the own report" in html(at)
    assert "exact" in panel(at, "review")
    at.session_state["report"] = True
    at.run()
    assert f"{said} by the own report" in at.session_state["report_made"].html()


def test_what_cannot_be_reached_is_an_answer(health, still) -> None:
    at = folded(health)
    at.number_input(key="plan_people").set_value(50).run()
    at.number_input(key="plan_within").set_value(0.01).run()
    assert "±0.01 is out of reach: at best ±" in panel(at, "planner")


def test_who_is_few_has_the_own_report_s_number(still) -> None:
    rows = "".join(f"{'HIV' if i < 18 else 'none'},{'ns'[i % 2]}\n" for i in range(400))
    at = upload(opened(), data.read(f"illness,region\n{rows}".encode(), "clinic.csv"))
    press(go(at, "review"), "guide_propose")
    told = words.of_100(1 - np.exp(-1) / 2)
    assert f"sensitive answers to illness are told apart in {told} of 100 pairs (guessing: 50)." in plain(sentence(at))
    assert "too few people for the rest" in panel(at, "review")


def test_what_is_left_open_though_its_words_are_delicate_is_named(still) -> None:
    rows = "".join(
        f"{'HIV' if i % 9 == 0 else 'none'},{'Centre' if i % 3 else 'Labour'},{'ns'[i % 2]}\n" for i in range(400)
    )
    at = upload(opened(), data.read(f"illness,party,region\n{rows}".encode(), "clinic.csv"))
    at = do(go(at, "review"), column_actions.set_marks, "illness", ["HIV"])
    assert "Sent openly, with delicate words: party." in panel(at, "review")
    at = do(at, column_actions.set_marks, "party", ["Labour"])
    assert "Sent openly, with delicate words" not in panel(at, "review")


def test_the_folds_show_the_engine_s_changes(health) -> None:
    """Of the delicate answers of few people: how many partners somebody has gives them away."""
    at = do(
        twin(health, "review"),
        column_actions.set_marks,
        "condition",
        ["HIV", "hepatitis B", "hepatitis C", "chlamydia"],
    )
    asked = study(at, "review")
    people = review.prepare(asked, bundled("health"))
    here = review.asked(asked, people, asked.epsilon)
    told = questionnaire.together(review.scene(asked, people, here.hidden["condition"], here.others("condition")))
    assert told[0].column == "partners"
    said = panel(at, "together")
    assert all(giver.column in said and words.of_100(giver.pairs) in said for giver in told)
    changed = panel(at, "change")
    changes = review.changes(asked, people, "condition", "partners")
    for change in changes:
        assert f"{words.of_100(change.before)} → {words.of_100(change.after)}" in changed
        assert ("no change" in changed) or not change.none
        assert np.isnan(change.margin) or words.points(change.margin) in changed
        sent = words.times(math.exp(change.epsilon), most=True)
        assert f"up to {sent} (ε = {words.epsilon(change.epsilon)})" in changed
        assert all(answer in changed for answer in change.answers)
    assert "again" in panels(at)
    extras = review.recommended(asked, people, "condition")
    assert extras[0].column == "partners"
    half = f"± {50 * (extras[0].high - extras[0].low):.1f}"
    assert half in panel(at, "change")
    assert half in panel(at, "recommended"), "one difference has one interval"
    assert f"{len(here.others('condition'))} other questions" in said
    said = panel(at, "recommended")
    for extra in extras:
        assert f"{words.of_100(extra.before)} → {words.of_100(extra.after)}" in said
        assert words.points(extra.margin) in said
        cells = rf"0 → {re.escape(words.points(extra.margin))}\D*{re.escape(words.epsilon(extra.epsilon))}(?!\d)"
        assert re.search(cells, said), "what it costs, and ε of all then"
    some = next(each.answers for each in changes if each.answers)
    less = press(twin(at, "review"), "change_some")
    assert set(review.split(study(less, "review").marks.values, people.questions)["partners"]) == set(some)
    unasked = press(twin(at, "review"), "change_drop")
    assert study(unasked, "review").option("columns") == tuple(n for n in people.separate if n != "partners")
    press(at, "extra_0")
    assert study(at, "review").option("hidden") == ("partners",)


def test_who_gives_nothing_away_is_not_accused(health, engine) -> None:
    """All delicate conditions together are spread over everybody: no other answer tells them beyond chance."""
    asked, people, here = engine
    assert not questionnaire.together(review.scene(asked, people, here.hidden["condition"], here.others("condition")))
    assert "change" not in panels(health)
    row = panel(health, "review").partition("condition")[2].partition("Open, exact")[0]
    assert "alcoholalcohol dependence: " in row, "which is one of them, and no other column tells it"
    together = folds.together(asked, people, here, facts(asked, people).every["condition"])
    assert "No other answer adds anything beyond chance." in [getattr(part, "text", "") for part in together.parts]


def test_nothing_marked_is_said_and_mended(health, still) -> None:
    at = folded(health)
    for name in ("age", "condition"):
        do(at, column_actions.set_marks if name == "condition" else column_actions.set_intervals, name, [])
    assert "othing is marked" in plain(sentence(at))
    assert panels(at) == ["guide"]
    assert go(at, "frequency").exception == go(at, "review").exception
    people = review.prepare(study(at, "review"), bundled("health"))
    offered = {name: data.proposed(people.histogram(name), name) for name in people.questions}
    delicate = {name: set(found.values) for name, found in offered.items() if found.delicate}
    assert all(name in panel(at, "guide") for name in delicate)
    press(at, "guide_propose")
    made = review.split(study(at, "review").marks.values, people.questions)
    assert {name: set(labels) for name, labels in made.items()} == delicate
    assert "condition" in plain(sentence(at))
    assert panels(at)[:2] == ["guide", "review"], "where one marks goes on standing there"


def test_everything_marked_and_one_question_are_said(health, still) -> None:
    at = folded(health)
    people = review.prepare(study(at, "review"), bundled("health"))
    for name in ("age", "condition"):
        do(at, column_actions.set_marks, name, people.labels(name))
    assert "verything is marked" in plain(sentence(at))
    asked = study(at, "review").option("columns")
    at.multiselect(key="review_columns").set_value(["age"]).run()
    assert study(at, "review").option("columns") == asked


def test_data_without_questions_say_so(still) -> None:
    at = opened("review", data="groceries", task="sets")
    assert boxes(at)
    assert any("health" in button.label.lower() for button in at.button)


@pytest.mark.parametrize(("wait", "questions"), [(0.0, {"condition"}), (math.inf, {"age", "condition"})])
def test_a_first_picture_waits_for_no_whole_attack(engine, monkeypatch, wait, questions) -> None:
    """One takes seconds, and moving ε would wait for it: they go on behind the page."""
    asked, people, _ = engine
    waited = []
    monkeypatch.setattr(cached, "simulated", lambda key, piece: waited.append(piece))
    monkeypatch.setattr(cached, "kept", lambda study, found: None)
    monkeypatch.setattr(cached, "WAIT", wait)
    cached.rows(asked, people, "condition")
    assert {piece.part for piece in waited} == {review.QUICK}
    assert {piece.question for piece in waited} == questions
    assert review.WHOLE in {piece.part for piece in review.chunks(asked, people)}
