"""Secret, private and public answers on Review and in its report: both ε, error, exposure and promise of either."""

import base64
import html as markup
import math
import re
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from ldpapp import words
from ldpapp.compute import bundled
from ldpapp.export import terminal
from ldpapp.export.report import ReportContent, front
from ldpapp.state import actions
from ldpapp.views.review import first_page, settings
from ldpcore import questionnaire
from ldpcore.study import Marks, Source, Study, review, run
from ldpcore.study.query import to_query
from ldpcore.study.review.facts import facts
from tests.app.opening import (
    ask,
    do,
    go,
    html,
    opened,
    panel,
    plain,
    press,
    sentence,
    study,
    twin,
)

MARKS = {"hepatitis C": "sensitive", "drug dependence": "sensitive", "HIV": "secret"}
MARKED = Marks((*((f"condition = {value}", level) for value, level in MARKS.items()), ("age = 70..90", "sensitive")))
LEVELED = Study(
    Source("health"), "condition", MARKED, epsilon=2.0, secret_epsilon=0.5, grid=(), repetitions=1, task="review"
).with_options(columns=("age", "condition", "partners"))
FOLDS = {"fold_review_together": "True", "fold_review_answers": "True", "fold_review_again": "True"}


@pytest.fixture(scope="module")
def page() -> AppTest:
    """Filled in to the end."""
    return opened("review", **to_query(LEVELED, public=True), **FOLDS)


@pytest.fixture(scope="module")
def people() -> review.SurveyTable:
    return review.prepare(LEVELED, bundled("health"))


@pytest.fixture(scope="module")
def here(people) -> review.HiddenSurvey:
    return review.asked(LEVELED, people, 2.0)


@pytest.fixture(scope="module")
def told() -> dict[str, float]:
    rows = run(LEVELED, bundled("health"))
    return rows[rows["scope"] == "condition"].set_index("metric")["value"].to_dict()


@pytest.fixture(scope="module")
def paper() -> ReportContent:
    return terminal.paper(LEVELED, bundled("health"))[0]


def test_the_link_carries_the_levels(page) -> None:
    made = study(page, "review")
    assert (made.marks.secret, made.epsilon, made.secret_epsilon) == (("condition = HIV",), 2.0, 0.5)


def test_the_row_has_the_engine_s_numbers_of_either_level(page, people, here, told) -> None:
    one = here.hidden["condition"]
    said, exact = panel(page, "review"), words.NORMAL_95 * one.built.variance(one.freq, here.n) ** 0.5
    for part in (one.secret, one.private):
        measured = part & (one.freq >= exact)
        assert words.points(exact[measured if measured.any() else part].max()) in said, "of the least exact"
    assert "HIV" in said
    counts = [int(part.sum()) for part in (here.hidden["condition"].secret, here.hidden["condition"].private)]
    assert all(f"{count} {level}" in said for count, level in zip(counts, ("secret", "private"), strict=True))
    for level in ("", review.ON_SECRET):
        own, every = (words.of_100(told[f"{level}{what}"]) for what in ("own", "pairs"))
        assert f"{own} of 100 pairs by the own report, {every} with every other answer" in html(page)
    assert told["secret own"] == questionnaire.best(
        here.hidden["condition"].built, here.hidden["condition"].secret, here.hidden["condition"].freq
    )
    for what in ("own", "others", "pairs"):  # by its report, by the others, by both
        assert words.of_100(told[f"secret {what}"]) in said
    assert words.of_100(told["secret surest"]) in panel(page, "together")
    price = review.as_secret(LEVELED, people, "condition")
    assert price > here.margin_of("condition", one.private)
    assert words.points(price) in said


def test_the_finding_is_about_the_secret_answers(page, told) -> None:
    said = plain(sentence(page))
    number = words.of_100(told["secret pairs"])
    rows = run(LEVELED, bundled("health"))
    most = facts(LEVELED, review.prepare(LEVELED, bundled("health")), rows).most_exposed[0].most
    assert f"sensitive answers to age are told apart in {words.of_100(most)} of 100 pairs (guessing: 50), " in said
    assert number in plain(panel(page, "review")), "in its own row"
    other = plain(sentence(do(twin(page, "review"), actions.choose_column, "age")))
    assert "sensitive answers to age are told apart" in other  # where nothing is secret
    low, high = (told[f"secret pairs:{end}"] for end in ("low", "high"))
    drawn = [base64.b64decode(each).decode() for each in re.findall(r"svg\+xml;base64,([\w+/=]+)", html(page))]
    assert any(f">±{round(50 * (high - low))}<" in each for each in drawn)


def test_the_sidebar_says_both_promises_and_how_many_answers(page, people, here) -> None:
    said = plain("\n".join(block.proto.body for block in page.sidebar.get("html")))
    assert (here.promised(), here.promised(secret=True)) == (4.0, 0.5)
    assert f"at most {words.epsilon(4.0)}, of the secret answers alone {words.epsilon(0.5)}" in said
    signed = re.sub(r"<[^>]+>", "", first_page.markup(facts(LEVELED, people), "", publishable=False))
    count = sum(int(one.marked.sum()) for one in here.hidden.values())
    assert f"{count} answers protectedin 2 of 3 questions, 1 of them secret" in said.replace("\n", "")
    assert f"{words.cardinal(count, start=True)} answers are protected" in signed
    assert 0.5 in [each.value for each in page.sidebar.number_input]  # its ε is set here, beside the other


@pytest.mark.thorough  # with levels it plans in tests/app/test_planner.py and tests/unit/test_study_review_plans.py
def test_the_planner_is_by_both_epsilons(page, people) -> None:
    """Secret answers keep their part: the ε that is found is of private ones, and said of either."""
    at = twin(page, "review")
    at.number_input(key="plan_within").set_value(3.0).run()
    found = facts(study(at, "review"), people)
    said = panel(at, "planner")
    assert f"ε private must be {words.epsilon(found.needed_epsilon)}" in said
    assert f"ε secret then is {words.epsilon(found.needed_epsilon / 4)}" in said
    press(at, "plan_use")
    made = study(at, "review")
    assert (made.epsilon, made.secret_epsilon) == (found.needed_epsilon, pytest.approx(found.needed_epsilon / 4))
    assert max(facts(made, people).plans.margins().values()) <= 0.03


def test_the_folds_are_about_the_secret_answers(page, people, here) -> None:
    one = here.hidden["condition"]
    scene = review.scene(LEVELED, people, one.aimed(True), here.others("condition"))
    found, said = questionnaire.together(scene), panel(page, "together")
    assert found
    assert all(giver.column in said and words.of_100(giver.pairs) in said for giver in found)
    change = review.changes(LEVELED, people, "condition", found[0].column, secret=True)[-1]
    assert f"{words.of_100(change.before)} → {words.of_100(change.after)}" in panel(page, "change")
    assert f"ε = {words.epsilon(0.5)} promise" in panel(page, "again")


def test_levels_are_edited_here(page, still) -> None:
    at = twin(page)
    for fold in FOLDS:
        at.session_state[fold] = False
    at = go(at, "review")
    at.multiselect(key="review_marks_secret").set_value(["HIV", "hepatitis C"]).run()
    assert set(study(at, "review").marks.secret) == {"condition = HIV", "condition = hepatitis C"}
    assert set(study(at, "frequency").marks.secret) == {"HIV", "hepatitis C"}
    at.multiselect(key="review_marks").set_value(["HIV", "drug dependence"]).run()
    assert study(at, "review").marks.secret == ("condition = HIV",)
    at.multiselect(key="review_marks_secret").set_value([]).run()
    assert study(at, "review").marks.secret == ()
    assert "secret" not in plain(sentence(at))


def test_two_settings_are_compared_level_by_level(page, people, here) -> None:
    def read() -> dict[str, settings.Measure]:
        return {each.key: each for each in settings.measures(study(page, "review"), people)}

    found = ask(page, read)
    assert found["promise secret"].value == 0.5
    assert found["error condition secret"].value == here.margin_of("condition", here.hidden["condition"].secret)
    assert {"told", "told secret"} <= set(found)


def test_the_first_page_says_every_level(paper, here, told) -> None:
    """What is secret, private and public, both ε; and the promise, one-sided."""
    second = {public: markup.unescape(paper.html(public).partition("promises in full")[2]) for public in (False, True)}
    first = {public: text.partition('<p class="sub foot">')[0] for public, text in second.items()}
    signed = plain(paper.html().partition('class="sign"')[0])
    assert "secret HIV" in signed
    assert "), a secret one’s 1.65." in signed
    public = int((~here.hidden["condition"].marked).sum())
    for level, epsilon, names in (("secret", 0.5, ["HIV"]), ("private", 2.0, ["hepatitis C", "drug dependence"])):
        (line,) = [part for part in first[True].split(";") if f"{level}: " in part and "ε" in part]
        assert all(name in line for name in names)
        assert f"ε = {words.epsilon(epsilon)}" in line
        assert f"{words.ratio(math.exp(epsilon), most=True)} times" in first[True]
    assert f"{public} other answers" in first[True]
    assert "can prove" in first[True]
    assert f"alone {words.epsilon(here.promised(secret=True))}" in first[True]
    exposed = f"{words.of_100(told['secret others'])} by the other answers"
    assert exposed in first[False]
    assert exposed not in first[True]


def test_equal_epsilon_is_said_as_it_is(people) -> None:
    """Levels of one ε: the numbers are those without levels."""
    flat = replace(LEVELED, marks=LEVELED.marks.flat(), secret_epsilon=None)
    even = replace(LEVELED, secret_epsilon=None)
    found = [review.asked(each, people, 2.0) for each in (flat, even)]
    assert found[0].errors() == found[1].errors()
    assert review.as_secret(even, people, "condition") == found[1].margin_of(
        "condition", found[1].hidden["condition"].private
    )


def test_what_knows_one_level_promises_the_least_epsilon(page) -> None:
    """On any report: with secret answers it gives all marked ones their ε; a task without levels claims none."""
    marks = Marks(tuple(MARKS.items()))
    asked = Study(Source("health"), "condition", marks, ("gRR", "uSS"), epsilon=2.0, secret_epsilon=0.5)

    def read() -> tuple[str, str, str]:
        mined = replace(asked, task="itemsets", column="", mechanisms=())
        return front.promised(asked), front.settings(asked), front.settings(mined) + front.promised(mined)

    promised, said, mined = (plain(text) for text in ask(page, read))
    assert (
        promised.count(f"{words.ratio(math.exp(0.5), most=True)} times") == 2
    )  # of gRR's secret answers, and of all of uSS's
    assert promised.count(f"{words.ratio(math.exp(2.0), most=True)} times") == 1
    assert all(value in said for value in MARKS)
    assert said.index("HIV") < said.index("hepatitis C")  # the most protected first
    assert words.epsilon(0.5) in said
    assert "secret" not in mined
