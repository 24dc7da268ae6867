"""The guide of the page Review: every answer goes into the very Study that the page shows, and none of it is lost."""

import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from ldpapp import words
from ldpapp.compute import bundled
from ldpapp.state import actions, column_actions
from ldpapp.views.review import extras, first_page, marking, signing
from ldpapp.views.review import sidebar as review_study
from ldpcore import data, plan
from ldpcore.study import review
from ldpcore.study.review.facts import facts
from ldpcore.study.review.safer import EACH, HALF, ONE
from tests.app.opening import (
    do,
    go,
    link,
    opened,
    panel,
    panels,
    plain,
    press,
    sentence,
    state,
    study,
    twin,
    upload,
)

GUIDE = {"task": "review", "data": "health"}


# Of every survey the quick attack on the question in focus is all that is waited for.
pytestmark = pytest.mark.usefixtures("all_still")


@pytest.fixture(scope="module")
def guided(all_still) -> AppTest:
    return opened("review", review_guide="1", **GUIDE)


def step(at: AppTest, number: int) -> AppTest:
    """Another session at this step."""
    at = twin(at)
    at.session_state["review_guide"] = number
    return go(at, "review")


def served(at: AppTest) -> dict[str, float]:
    """Question → the half-width of its share that is hardest to measure."""
    made = study(at, "review")
    return facts(made, review.prepare(made, bundled("health"))).plans.margins()


def test_its_bar_says_all_answers_and_a_cell_opens_its_question(guided) -> None:
    at = twin(guided, "review")
    asked, said = study(at, "review"), sentence(at)
    bar = [button.label.replace("\\", "") for button in at.button if button.key in {f"guide_{n}" for n in range(1, 7)}]
    people = review.prepare(asked, bundled("health"))
    assert bar[0] == f":gray[ask] **{len(people.questions)} questions**"
    answers = sum(int(mask.sum()) for mask in review.masks(asked, people).values())
    assert [f"**{answers} answers**" in bar[1], f"**{people.n:,}**".replace(",", " ") in bar[2]] == [True] * 2
    assert ["points**" in bar[3], "sees all" in bar[4], bar[5]] == [True, True, "**What you sign**"]
    assert plain(said).endswith("so far."), "all attackers have not tried yet"
    seen = [panel(at, "guide")]
    for _ in range(5):
        seen.append(panel(press(at, "guide_next"), "guide"))
        assert sentence(at) == said
    assert len(set(seen)) == 6
    assert panel(press(at, "guide_5"), "guide") == seen[4]
    assert link(at)["review_guide"] == ["5"], "a page that is loaded again asks the same"
    assert panels(press(at, "guide_5")) == ["review", "lies", "planner"], "and closes it"
    assert study(at, "review") == asked
    assert panel(press(at, "guide_1"), "guide") == seen[0]
    assert panels(press(at, "guide_close")) == ["review", "lies", "planner"]


def test_a_link_is_shown_without_it(guided) -> None:
    assert "guide" not in panels(opened("review", **GUIDE))


def test_what_is_asked(guided) -> None:
    at = twin(guided, "review")
    at.button_group(key="guide_columns").set_value(["condition", "partners", "sex"]).run()
    assert study(at, "review").option("columns") == ("condition", "partners", "sex")
    at.button_group(key="guide_columns").set_value(["condition"]).run()
    assert study(at, "review").option("columns") == ("condition", "partners", "sex")
    assert "two questions" in plain("\n".join(block.proto.body for block in at.get("html")))
    at.run()  # as a page does that still fills in
    assert "two questions" in plain("\n".join(block.proto.body for block in at.get("html")))
    at.selectbox(key="guide_focus").set_value("partners").run()
    assert study(at, "review").column == "partners"
    at.selectbox(key="guide_data").set_value("census").run()
    assert study(at, "review").data.name == "census"
    assert "marital-status" in at.button_group(key="guide_columns").value


def test_what_is_delicate(guided) -> None:
    at = step(guided, 2)
    press(at, "guide_clear")
    assert study(at, "review").marks.values == ()
    assert panels(at) == ["guide"], "it stays where nothing is marked"
    assert panels(press(at, "guide_close")) == ["guide"], "there is nothing else to do"
    people = review.prepare(study(at, "review"), bundled("health"))
    for name in people.questions:
        tapped = at.button_group(key=f"guide_marks_{name}") if len(people.labels(name)) <= marking.TAPPED else None
        assert tapped is None or len(tapped.options) == len(people.labels(name))
    at.button_group(key="guide_marks_condition").set_value(["HIV", "hepatitis B"]).run()
    assert study(at, "review").marks.values == ("condition = HIV", "condition = hepatitis B")
    assert panels(at)[0] == "guide", "more can be tapped"
    assert at.button_group(key="guide_marks_condition").value == ["HIV", "hepatitis B"]
    at.button_group(key="guide_marks_age").set_value([people.labels("age")[-1]]).run()
    assert "age = " in study(at, "review").marks.values[0]
    assert "sensitive" in sentence(at)
    press(at, "guide_propose")
    now = set(study(at, "review").marks.values)
    delicate = data.proposed(bundled("health").categorical("condition"), "condition").values
    assert {f"condition = {label}" for label in delicate} | {"condition = HIV"} <= now
    assert "guide_propose" not in {button.key for button in at.button}


def test_how_many_people(guided) -> None:
    at = step(guided, 3)
    at.number_input(key="guide_people").set_value(80_000).run()
    assert study(at, "review").n == 80_000
    made = study(at, "review")
    here = review.asked(made, review.prepare(made, bundled("health")), made.epsilon)
    error = words.points(here.margin_of("condition", here.hidden["condition"].marked))
    assert error in panel(at, "guide")
    assert error in panel(at, "review"), "the table is of the same people"
    assert at.number_input(key="plan_people").value == 80_000
    press(at, "review_as_file")
    assert study(at, "review").n is None


@pytest.mark.parametrize("budget", [None, "person"])
def test_how_exact_is_the_planners_epsilon(guided, budget) -> None:
    """For every question, whichever is in focus."""
    at = step(guided, 4)
    if budget:
        at.button_group(key="review_option_budget").set_value(budget).run()
    at.number_input(key="guide_within").set_value(1.5).run()
    assert at.number_input(key="plan_within").value == 1.5
    press(at, "guide_use")
    assert 0.0145 < max(served(at).values()) <= 0.015
    assert "guide_use" not in {button.key for button in at.button}, "it is in use"
    assert "in use" in plain("\n".join(block.proto.body for block in at.get("html")))


def test_who_types_and_presses_at_once_gets_what_was_typed(guided) -> None:
    at = step(guided, 4)
    at.number_input(key="guide_within").set_value(1.5).run()
    at.number_input(key="guide_within").set_value(2.5)
    at.button(key="guide_use").click().run()
    assert 0.0243 < max(served(at).values()) <= 0.025


def test_who_did_not_take_what_was_asked_for_is_told_before_signing(guided) -> None:
    at = step(guided, 4)
    assert "asked for" not in panel(step(guided, 6), "guide"), "nobody asked yet"
    at.number_input(key="guide_within").set_value(0.5).run()
    press(press(at, "guide_next"), "guide_next")
    assert "asked for ±0.5 points" in panel(at, "guide")
    press(press(at, "guide_4"), "guide_use")
    assert "asked for" not in panel(press(at, "guide_6"), "guide")


def test_what_is_out_of_reach_is_said_where_one_presses(guided) -> None:
    made = study(guided, "review")
    known = facts(made, review.prepare(made, bundled("health")))
    beyond = [fact for fact in known.every.values() if fact.rare]
    at = step(guided, 4)
    for fact in beyond:  # every question, not only the one that takes fewest people
        takes = f"{words.count(fact.people_to_see or 0)}{words.epsilon(fact.epsilon_to_see or 0)}"
        said = f"{fact.nearest} ({words.share(fact.share_of(fact.nearest))}){takes}"
        assert all(plain(said) in panel(at, each) for each in ("guide", "planner")), fact.asked.name


def test_what_cannot_be_reached_says_what_helps(guided) -> None:
    at = do(step(guided, 4), review_study.plan_people, 200)
    at.number_input(key="guide_within").set_value(0.2).run()
    made = study(at, "review")
    known = facts(made, review.prepare(made, bundled("health")))
    assert known.needed_epsilon is None
    said = panel(at, "guide")
    assert words.points(known.plans.of(known.neediest).within(plan.HIGHEST, 200)) in said
    assert words.count(known.needed_people or 0) in said
    assert "guide_use" not in {button.key for button in at.button}


def test_who_might_attack(guided) -> None:
    at = step(guided, 5)
    at.radio(key="guide_attacker").set_value("own").run()
    assert study(at, "review").option("attacker") == "own"
    assert "giver" not in plain(sentence(at))


def test_it_ends_in_what_is_signed_and_two_buttons_save_it(guided) -> None:
    at = step(guided, 6)
    made = study(at, "review")
    known = facts(made, review.prepare(made, bundled("health")))
    said = plain("\n".join(block.proto.body for block in at.get("html")))
    paper = first_page.markup(known, "", publishable=False)
    pieces = re.findall(r"<p\b[^>]*>(.*?)</p>|<tr><td>(.*?)</td>", paper, flags=re.DOTALL)
    assert len(pieces) > 12
    assert [piece for piece in pieces if plain("".join(piece)) not in said] == [], "the very page that is signed"
    assert {"report_save", "report_publish"} <= {button.key for button in at.get("download_button")}
    assert "For those who sign" in said
    paper = at.session_state["report_made"]
    assert all(section.title != "What you sign" or section.reach == 0 for section in paper.shown.sections)
    assert "somebody" not in paper.html().partition("Left out")[2][:200], "the guide is nobody's answers"
    assert "report_save" not in {button.key for button in step(guided, 5).get("download_button")}


def test_what_the_last_click_changed_is_marked_on_the_page(guided) -> None:
    """Beside every piece of the page that is another than before the click, and beside no other."""
    at = step(guided, 6)

    def page(at: AppTest) -> str:
        return next(block.proto.body for block in at.get("html") if 'class="signed"' in block.proto.body)

    def pieces(text: str) -> dict[str, bool]:
        every = re.findall(r"<(p|tr)\b[^>]*>(.*?)</\1>", text, flags=re.DOTALL)
        alt = re.compile(r'<img[^>]* alt="([^"]*)"[^>]*>')
        return {plain(alt.sub(r"\\1", piece)): 'class="new"' in piece for _, piece in every}

    first = page(at)
    assert 'class="new"' not in first
    people = review.prepare(study(at, "review"), bundled("health"))
    now = page(do(at, review_study.ask, [name for name in people.questions if name != "sex"]))
    before, after = pieces(first), pieces(now)
    assert {piece: piece not in before for piece in after} == after
    assert set(after.values()) == {False, True}
    assert pieces(page(at.run())) == after, "until the next click"


def test_a_strangers_file_is_guided_too() -> None:
    rng = np.random.default_rng(1)
    rows = zip(range(400), rng.choice(["none", "HIV", "flu"], 400), rng.choice(["north", "south"], 400), strict=True)
    text = "id,illness,region\n" + "\n".join(",".join(map(str, row)) for row in rows)
    at = upload(opened(), data.read(text.encode(), "clinic.csv"))
    go(at, "review")
    press(at, "guide_propose")
    assert study(at, "review").marks.values == ("illness = HIV",)
    press(at, "guide_1")
    assert "id" in panel(at, "guide"), "what is left out is said"
    assert at.button_group(key="guide_columns").value == ["illness", "region"]


def test_the_rarest_answer_to_what_nobody_read_is_named_where_one_marks() -> None:
    """Below 1 % of the people; not of a question that is proposed, and not of common answers."""
    rng = np.random.default_rng(2)
    sex = np.where(np.arange(800) < 5, "other", rng.choice(["woman", "man"], 800))
    rows = zip(rng.choice(["none", "HIV", "flu"], 800), sex, rng.choice(["north", "south"], 800), strict=True)
    text = "illness,sex,region\n" + "\n".join(",".join(row) for row in rows)
    at = upload(opened(), data.read(text.encode(), "clinic.csv"))
    shown = plain(panel(go(at, "review"), "guide"))
    assert "Read the other 2 questions yourself: 5 people gave sex: other" in shown
    common = upload(opened(), data.read(text.replace(",other,", ",man,").encode(), "clinic.csv"))
    assert "yourself." in plain(panel(go(common, "review"), "guide"))


def test_many_questions_are_tapped_those_that_are_proposed_first() -> None:
    """Sixteen at once, whatever their place; the others are a choice away."""
    rng = np.random.default_rng(1)
    names = [f"question {n}" for n in range(19)] + ["illness"]
    rows = [",".join([*rng.choice(["a", "b"], 19), rng.choice(["none", "HIV"])]) for _ in range(200)]
    at = upload(opened(), data.read("\n".join([",".join(names), *rows]).encode(), "many.csv"))
    at = step(go(at, "review"), 2)
    tapped = [each.key for each in at.button_group if (each.key or "").startswith("guide_marks_")]
    assert tapped == [f"guide_marks_{name}" for name in [*names[:15], "illness"]]
    assert at.selectbox(key="guide_focus").options == names


def test_a_question_that_decides_a_hidden_one_is_named() -> None:
    ill = np.random.default_rng(2).choice(["none", "HIV", "flu"], 400)
    text = "illness,asked again,region\n" + "\n".join(
        f"{one},code {len(one)} {one[1]},{'ns'[i % 2]}" for i, one in enumerate(ill)
    )
    at = upload(opened(), data.read(text.encode(), "clinic.csv"))
    go(at, "review")
    press(at, "guide_propose")
    said = panel(at, "review")
    assert "asked again is seen and decides illness" in plain(said)
    assert "region is" not in plain(said)
    press(at, "guide_6")
    text = plain("\n".join(block.proto.body for block in at.get("html")))
    assert re.search(r"asked again of a sensitive illness, \d+ → (>99|100)", text)
    made = study(at, "review")
    known = facts(made, review.prepare(made, state(at).workspace.table))
    fact = known.every["illness"]
    now = words.of_100(fact.most)
    assert f"illness is told apart in {now} of 100 pairs; " in text
    assert "without asked again: being computed." in text, "it is tried behind the page"
    assert list(known.trying()) == [1]
    assert list(known.trying()) == []
    cost = plain(signing._cost(known, "asked again"))
    assert f"if asked again is not asked (for whoever knows it anyway still {now})" in cost
    dropped = press(twin(at, "review"), "guide_drop_asked again")
    assert "asked again" not in study(dropped, "review").option("columns") != ()
    press(at, "guide_hide_asked again")
    assert study(at, "review").option("hidden") == ("asked again",)
    assert "guide_hide_asked again" not in {button.key for button in at.button}, "it is hidden by now"


def test_spellings_of_one_answer_are_said_where_one_marks_them() -> None:
    results = ["negative"] * 60 + ["<u>positive"] * 9 + ["<U>Positive "] * 2
    rows = "hiv_test,sex\n" + "\n".join(f"{each},{'fm'[i % 2]}" for i, each in enumerate(results))
    at = upload(opened(), data.read(rows.encode(), "tests.csv"))
    at.session_state["review_guide"] = 2
    shown = "\n".join(block.proto.body for block in go(at, "review").get("html"))
    assert "Spelt in several ways: “&lt;U&gt;Positive” and “&lt;u&gt;positive”" in shown
    assert "negative" not in shown.partition("Spelt in several ways")[2].partition("</b>")[0]
    shown = "\n".join(block.proto.body for block in go(at, "data").get("html"))
    assert "One answer in several spellings?" in shown, "there it is asked"
    assert "&lt;u&gt;positive" in shown
    assert "<u>positive" not in shown.lower()


def test_whoever_takes_an_epsilon_has_agreed_to_what_it_is_enough_for(guided) -> None:
    """Else what a later click makes less exact would move the goal with it."""
    at = twin(guided, "review")
    made = study(at, "review")
    wanted = facts(made, review.prepare(made, bundled("health"))).wanted
    assert not made.option("within")
    press(at, next(button.key for button in at.button if (button.key or "").startswith("plan_use")))
    assert study(at, "review").option("within") == wanted


def test_what_is_safer_is_a_click_where_one_signs(guided) -> None:
    """Each does what its line says: the odds then are those that it promised."""

    def asked() -> AppTest:
        at = step(guided, 6)
        do(at, actions.change, "review", epsilon=2.0)
        return at

    at = asked()
    made = study(at, "review")
    people = review.prepare(made, bundled("health"))
    ways = {way.how: way.odds for way in facts(made, people).safer}
    assert ONE in ways, "else there is nothing to press"
    keys = {button.key for button in at.get("button")}
    assert {how for how in (EACH, ONE, HALF) if f"safer_{how}" in keys} == ways.keys()
    for how, odds in ways.items():
        then = study(press(asked(), f"safer_{how}"), "review")
        assert facts(then, people).odds["person"] == pytest.approx(odds)


def test_what_is_marked_and_not_asked_is_told_by_what_is_sent(guided) -> None:
    """Whoever does not ask a question any more reads what the open answers to others tell of it all the same."""
    at = step(guided, 6)
    people = review.prepare(study(at, "review"), bundled("health"))
    assert "all the same" not in panel(at, "guide")
    do(at, review_study.ask, [name for name in people.questions if name != "condition"])
    page = plain("\n".join(block.proto.body for block in step(at, 6).get("html")))
    asked = study(at, "review")
    without = review.prepare(asked, bundled("health"))
    assert study(guided, "review").marks == asked.marks, "marks outlive their question"
    exposure, giver = review.not_asked(asked, without, review.asked(asked, without, asked.epsilon), "condition")
    assert f"conditionnot askedtold apart all the same: {words.of_100(exposure.pairs)}most by {giver}" in page
    assert f"guide_drop_{giver}" in {button.key for button in step(at, 6).get("button")}


def test_what_is_hidden_is_hidden_again_when_it_is_asked_again(guided) -> None:
    at = twin(guided, "review")
    do(at, extras.hide, ("smoking",))
    every = review.prepare(study(at, "review"), bundled("health")).questions
    do(at, review_study.ask, [name for name in every if name != "smoking"])
    assert "smoking" not in asked_of(at).hidden
    assert "smoking" not in asked_of(at).open
    do(at, review_study.ask, list(every))
    assert "smoking" in asked_of(at).hidden, "nobody has said that its answers may be seen"


def asked_of(at: AppTest) -> review.HiddenSurvey:
    made = study(at, "review")
    return review.asked(made, review.prepare(made, bundled("health")), made.epsilon)


def test_what_nobody_answered_beside_all_else_stops_no_signature() -> None:
    """Marked, not asked, and answered by none of those who are in the survey: there is nobody to try it on."""
    rng = np.random.default_rng(2)
    rows = [
        f"{i},{illness},{'a' if place < 300 else ''},{'' if place < 300 else 'HIV' if place % 3 else 'none'}"
        for place, (i, illness) in enumerate(zip(range(600), rng.choice(["none", "cancer", "flu"], 600), strict=True))
    ]
    rows = [row.replace(",a,", f",{'ab'[n % 2]},") for n, row in enumerate(rows)]
    table = data.read(("id,illness,first,second\n" + "\n".join(rows)).encode(), "halves.csv")
    at = opened("review", table=table, review_guide="1")
    do(at, review_study.ask, ["illness", "first"])
    do(at, column_actions.set_marks, "illness", ["cancer"])
    do(at, column_actions.set_marks, "second", ["HIV"])
    at = step(at, 6)
    assert not at.exception
    page = plain("\n".join(block.proto.body for block in at.get("html")))
    assert "No report proves its own protected answer." in page
    assert "though not asked" not in page


def test_an_attacker_may_know_what_is_not_asked(guided) -> None:
    """Offered of what is not asked alone; it is in the study, its link and its sentence."""
    at = step(guided, 1)
    assert "guide_known" not in {each.key for each in at.multiselect}, "everything is asked"
    at.button_group(key="guide_columns").set_value(["condition", "income", "sex"]).run()
    chosen = at.multiselect(key="guide_known")
    assert "partners" in chosen.options
    assert not {"condition", "income", "sex"} & {*chosen.options}
    chosen.set_value(["partners"]).run()
    assert study(at, "review").option("known") == ("partners",)
    assert ['["partners"]'] in link(at).values()


def test_an_epsilon_that_was_calculated_is_rounded_up_by_a_click(guided) -> None:
    """Before it is published; where it was not there is no such click. What is known anyway is chosen there, too."""
    at = step(guided, 6)
    assert "guide_round" not in {button.key for button in at.button}
    assert "sign_known" not in {each.key for each in at.multiselect}, "everything is asked"
    at = press(press(at, "guide_4"), "guide_use")
    used = served(at)
    at = press(press(at, "guide_6"), "guide_round")
    assert "guide_round" not in {button.key for button in at.button}
    now = study(at, "review").epsilon
    assert used
    assert round(10 * now, 9).is_integer()
