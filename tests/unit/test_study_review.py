"""The review task: a whole survey from one Study, held against the rooms that it is made of."""

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from ldpcore import catalog, data, questionnaire, study
from ldpcore.rng import stream
from ldpcore.study import Marks, Source, Study, query, review, run
from ldpcore.study.execute import prepare
from ldpcore.study.review import attack
from ldpcore.study.review.facts import facts

COLUMNS = ("age", "marital-status", "relationship", "sex", "income")
MARKS = ("marital-status = Divorced", "marital-status = Widowed", "income = >50K", "age = 70..90")
ASKED = Study(Source("census"), "marital-status", Marks.of(MARKS), grid=(), repetitions=2, task="review").with_options(
    columns=COLUMNS
)


@pytest.fixture(scope="module")
def people() -> review.SurveyTable:
    return prepare(ASKED)


def told(rows: pd.DataFrame, question: str) -> pd.Series:
    own = rows[(rows["scope"] == question) & (rows["repetition"] == 0)]
    return own.set_index("metric")["value"]


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    return run(ASKED)


def test_the_rows_are_those_of_the_questionnaire(rows, people) -> None:
    here = review.asked(ASKED, people, 1.0)
    assert list(here.hidden) == ["age", "marital-status", "income"]
    assert here.open == ("relationship", "sex")
    one = here.hidden["marital-status"]
    asking = {"target": one.name, "marks": ["Divorced", "Widowed"], "own": one.built, "seed": ASKED.seed}
    others = {"relationship": "open", "sex": "open", **{n: here.hidden[n].built for n in ("age", "income")}}
    scene = questionnaire.Scene.of(people.table, others=others, **asking)
    # Four columns were looked at one by one as well, and the strongest of all is told.
    whole = questionnaire.measured(scene, looks=4)
    alone = questionnaire.exposure(people.table, others={}, **asking)
    said = told(rows, one.name)
    assert (said["pairs"], said["pairs:low"], said["pairs:high"]) == (whole.pairs, whole.low, whole.high)
    assert (said["named"], said["surest"], said["blind"]) == (whole.named, whole.surest, whole.blind)
    assert said["own"] == questionnaire.best(one.built, one.marked, one.freq) < whole.low
    assert said["own"] == said["own:low"] == said["own:high"]
    assert (alone.low, alone.pairs, alone.high) == pytest.approx([said["own"]] * 3)
    worst = questionnaire.predictors(scene)[0]
    assert worst.column == "relationship"
    assert said["with:relationship"] == worst.pairs == max(said[said.index.str.startswith("with:")])
    assert said["least:relationship"] == worst.low


@pytest.mark.parametrize(("key", "exact"), [("GRR", True), ("OLH", False)])
def test_what_the_own_report_tells_is_exact_where_it_has_a_closed_form(people, key: str, exact: bool) -> None:
    """And then so is the difference of two settings; nobody who sees more is said to manage less."""
    alone = replace(ASKED, mechanisms=(key,)).with_options(attacker="own")
    rows = told(pd.concat(piece() for piece in review.chunks(alone, people)), "income")
    assert (rows["own:low"] == rows["own"] == rows["own:high"]) == exact
    found = review.compare(alone, replace(alone, epsilon=2.0), people, "income")
    assert (found.low == found.gap == found.high) == exact
    assert found.before.pairs == rows["own"] < found.after.pairs
    tells_nothing = replace(alone, mechanisms=("GRR",)).with_options(attacker="every", columns=("income", "sex"))
    seen = told(run(replace(tells_nothing, epsilon=6.0, marks=Marks.of(["sex = Male"]))), "sex")
    assert min(seen["first"], seen["pairs"], seen["pairs:low"], seen["with:income"]) >= seen["own"]


def test_with_one_open_answer_what_nobody_beats_is_exact_and_the_attack_near_it(people) -> None:
    two = ASKED.with_options(columns=("marital-status", "sex"))
    two = replace(two, marks=Marks.of(["marital-status = Divorced", "marital-status = Widowed"]))
    found = facts(two, prepare(two)).every["marital-status"]
    one, frame = found.asked, data.load("census").frame[["marital-status", "sex"]].dropna()
    held, sex = (frame[name].astype(str).to_numpy() for name in frame)
    joint = [[np.mean((held == label) & (sex == each)) for each in ("Female", "Male")] for label in one.labels]
    assert found.best_pairs == pytest.approx(questionnaire.best(one.built, one.marked, joint))
    assert found.interval[0] < found.best_pairs < found.interval[1]
    assert attack.alone_open(people, review.asked(ASKED, people, 1.0), one) is None, "more is sent"


def test_one_telling_column_is_not_lost_among_many() -> None:
    """Few people weigh so much: sex alone tells more of them than all attackers learn from nine columns together."""
    source = data.load("health")
    made = Study(Source.of(source), "weight", Marks.of(["weight = 140..180"]), grid=(), repetitions=1, task="review")
    here = review.asked(made, review.prepare(made, source), 1.0)
    one, people = here.hidden["weight"], review.prepare(made, source)
    every = questionnaire.exposure(
        people.table, target="weight", marks=one.marks, own=one.built, others=here.others("weight"), seed=made.seed
    )
    rows = told(run(made, source), "weight")
    assert rows["with:sex"] > every.pairs
    assert rows["first"] == rows["pairs"] == rows["with:sex"]
    assert rows["pairs:low"] < rows["pairs"] < rows["pairs:high"]


def test_what_hiding_and_dropping_the_worst_giver_changes(people) -> None:
    found = {change.how: change for change in review.changes(ASKED, people, "marital-status", "relationship")}
    assert list(found) == ["hidden", "marked", "dropped"]
    for change in found.values():
        assert change.after < change.before
        assert change.gap == pytest.approx(change.after - change.before)
        assert change.low <= change.gap <= change.high < 0
        assert not change.none
    assert found["dropped"].after <= found["hidden"].after + 0.03
    here = review.asked(ASKED.with_options(hidden=("relationship",)), people, 1.0)
    assert found["hidden"].margin == here.margins["relationship"].max() > 0
    assert np.isnan(found["dropped"].margin)
    some = found["marked"]
    assert some.answers == review.telling(ASKED, people, "marital-status", "relationship")
    assert 0 < len(some.answers) < len(people.labels("relationship"))
    assert 0 < some.margin < found["hidden"].margin, "who hides fewer answers errs less"
    marked = Marks.of((*MARKS, *(f"relationship = {answer}" for answer in some.answers)))
    assert some.margin == review.asked(replace(ASKED, marks=marked), people, 1.0).margins["relationship"].max()
    assert some.after < found["hidden"].after + 0.03, "and hides as much"
    spent = review.asked(ASKED, people, 1.0).promised()
    assert {how: each.epsilon for how, each in found.items()} == pytest.approx(
        {"hidden": here.promised(), "marked": review.asked(replace(ASKED, marks=marked), people, 1.0).promised(),
         "dropped": spent}
    )  # fmt: skip
    (only,) = review.changes(ASKED, people, "marital-status", "income")  # which is hidden already
    assert only.how == "dropped"
    rest = tuple(name for name in people.separate if name != "income")
    fewer = replace(ASKED, marks=Marks.of([m for m in MARKS if "income" not in m])).with_options(columns=rest)
    assert only.epsilon == review.asked(fewer, prepare(fewer), 1.0).promised() < spent
    nothing = review.changes(ASKED.with_options(scheme="one"), people, "marital-status", "income")
    assert nothing[0].none
    assert nothing[0].gap == 0.0  # whoever is asked one question sends no other report


def test_exact_errors_stand_beside_the_simulated_ones(people) -> None:
    """The mean of 200 surveys, under either scheme, within five standard errors (one false alarm in a million)."""
    for scheme in ("all", "one"):
        asked = replace(ASKED, repetitions=200).with_options(scheme=scheme)
        here = review.asked(asked, people, 1.0)
        exact = here.errors()["marital-status"]
        drawn = [dict(review.surveyed(asked, people, here, "marital-status", r)) for r in range(200)]
        for name, theory in zip(("mse", "mse:marked"), exact, strict=True):
            found = np.array([each[name] for each in drawn])
            assert abs(found.mean() - theory) < 5 * found.std() / np.sqrt(200)


def test_exact_errors_of_few_people_are_those_of_their_surveys() -> None:
    """30 people, of whom nobody is left with the rare marked answer: 200 surveys, within five standard errors."""
    marks = Marks.of(["condition = HIV", "condition = hepatitis B"])
    made = Study(Source("health"), "condition", marks, grid=(), task="review", epsilon=8.0, n=30)
    made = made.with_options(columns=("condition", "partners"), hidden=("partners",), scheme="one")
    few = review.prepare(made, data.load("health"))
    here = review.asked(made, few, 8.0)
    for name, exact in here.errors().items():
        drawn = [dict(review.surveyed(made, few, here, name, r)) for r in range(200)]
        for metric, theory in zip(("mse", "mse:marked"), exact, strict=True):
            found = np.array([each[metric] for each in drawn])
            assert abs(found.mean() - theory) < 5 * found.std() / np.sqrt(200), (name, metric)


def test_the_mechanism_is_the_one_that_errs_least_on_the_marked_answers(people) -> None:
    here = review.asked(ASKED, people, 1.0)
    for one in here.hidden.values():
        rare = ~one.marked / (~one.marked).sum()  # what people answer decides nothing
        errors = {
            key: round(entry.build(1.0, len(one.marked), one.marked).variance(rare, 1)[one.marked].mean(), 9)
            for key, entry in catalog.FREQUENCY.items()
            if entry.promise in ("LDP", "ULDP")
        }
        assert one.key == min(errors, key=lambda key: errors[key])
    only = review.asked(replace(ASKED, mechanisms=("OUE",)), people, 1.0)
    assert {one.key for one in only.hidden.values()} == {"OUE"}


def test_epsilon_is_spent_per_question_or_shared(people) -> None:
    def of(**options: str) -> review.HiddenSurvey:
        return review.asked(ASKED.with_options(**options), people, 1.5)

    assert {one.epsilon for one in of().hidden.values()} == {1.5}
    assert of().promised() == pytest.approx(4.5)
    assert {one.epsilon for one in of(budget="person").hidden.values()} == {0.5}
    assert of(budget="person").promised() == pytest.approx(1.5)
    assert of(scheme="one").promised() == pytest.approx(1.5)
    assert set(of(scheme="one").others("age")) == {"relationship", "sex"}  # whoever answers one sends no other report
    rows = review.theory(ASKED.with_options(scheme="one"), people).set_index(["metric", "scope"])["theory"]
    assert rows["people", "age"] == pytest.approx(people.n / 3)


def test_a_question_may_be_hidden_as_a_whole(people) -> None:
    here = review.asked(ASKED.with_options(hidden=("relationship",)), people, 1.0)
    assert here.open == ("sex",)
    assert here.hidden["relationship"].marked.all()
    assert "marked" in review.refusal(ASKED, people, here, "relationship")
    assert review.refusal(ASKED, people, here, "income") == ""


def test_a_file_and_a_link_carry_the_whole_survey() -> None:
    made = ASKED.with_options(ranges=("age = 10..90/8",), scheme="one", hidden=("sex",))
    assert study.from_toml(study.to_toml(made)) == made
    link = query.to_query(made, public=True)
    back, refused = query.from_query(link, Study(Source("health"), ""))
    assert not refused
    assert (back.marks, back.options, back.column, back.task) == (made.marks, made.options, made.column, made.task)
    fitted, said = study.fit(back, data.load("census"))
    assert not said
    assert fitted.marks == made.marks
    assert not any("HIV" in str(value) for value in query.to_query(made, public=False).values())
    assert "marks" not in query.to_query(made, public=False)


def test_what_data_do_not_have_is_left_out_and_said() -> None:
    wanted = replace(ASKED, marks=Marks.of([*MARKS, "planet = Mars", "sex = Other"]))
    made, said = study.fit(wanted, data.load("census"))
    assert set(made.marks.values) == set(MARKS)
    assert "planet = Mars" in said[0].what
    made, said = study.fit(ASKED.with_options(columns=("planet",), scheme="one"), data.load("census"))
    assert made.options == review.ReviewOptions()
    assert said


def test_marks_of_numbers_are_intervals_in_the_survey_s_bins(people) -> None:
    here = review.asked(ASKED, people, 1.0)
    low, high, count = people.ranges["age"]
    edges = np.linspace(low, high, count + 1)
    assert here.hidden["age"].marked.tolist() == ((edges[:-1] < 90) & (edges[1:] > 70)).tolist()
    cut = prepare(ASKED.with_options(ranges=("age = 0..100/4",)))
    assert len(cut.labels("age")) == 4


def table(**columns) -> data.Table:
    return data.read(pd.DataFrame(columns).to_csv(index=False).encode(), "people.csv")


def small(**columns) -> data.Table:
    rng = stream(1, "small")
    return table(q=rng.choice(["a", "b", "c"], 400), r=rng.choice(["x", "y"], 400), **columns)


def asking(source: data.Table, *marks: str, **options) -> pd.DataFrame:
    made = Study(Source.of(source), "q", Marks.of(marks), grid=(), repetitions=1, task="review")
    return run(made.with_options(**options), source)


@pytest.mark.parametrize(
    ("marks", "options", "what"),
    [
        ((), {}, "Nothing is marked"),
        (("q = a", "q = b", "q = c"), {}, "Everything is marked"),
        (("q = a",), {"columns": ("q",)}, "at least two"),
        (("q = z",), {}, "z"),
        (("planet = Mars",), {}, "planet"),
        (("q = a",), {"columns": ("planet",)}, "planet"),
        (("q = a",), {"hidden": ("planet",)}, "planet"),
        (("q = a",), {"scheme": "some"}, "scheme"),
        (("q = a",), {"columns": "q"}, "list"),
        (("q = a",), {"colour": "red"}, "colour"),
    ],
)
def test_what_cannot_be_reviewed_is_said(marks, options, what) -> None:
    with pytest.raises((ValueError, TypeError), match=what):
        asking(small(), *marks, **options)


def test_too_few_people_leave_errors_and_the_own_report() -> None:
    source = table(q=["a", "b"] * 4 + ["c"], r=["x", "y", "x"] * 3)
    rows = asking(source, "q = a")
    assert {"mse", "mse:marked"} <= set(rows["metric"])
    assert not {"blind", "first", "pairs"} & set(rows["metric"])
    here = prepare(Study(Source.of(source), "q", Marks.of(["q = a"]), task="review"), source)
    made = Study(Source.of(source), "q", Marks.of(["q = a"]), task="review")
    one = review.asked(made, here, 1.0).hidden["q"]
    assert told(rows, "q")["own"] == questionnaire.best(one.built, one.marked, one.freq), "which needs nobody to attack"
    assert "few people" in review.refusal(made, here, review.asked(made, here, 1.0), "q")


@pytest.mark.parametrize("missing", ["any", "column", "category"])
def test_missing_answers_leave_people_out_or_are_answers(missing) -> None:
    gaps = np.where(np.arange(400) % 4 == 0, None, "z")
    gaps = np.where(np.arange(400) % 4 == 1, "w", gaps)
    source = small(s=gaps)
    made = Study(Source.of(source), "q", Marks.of(["q = a"]), task="review", missing=missing)
    found = prepare(made, source)
    assert found.n == (300 if missing == "any" else 400)
    assert found.dropped == 400 - found.n
    assert len(found.labels("s")) == (2 if missing == "any" else 3)
    nobody = small(s=np.where(np.arange(400) % 2 == 0, None, "z"), u=np.where(np.arange(400) % 2 == 1, None, "z"))
    made = replace(made, data=Source.of(nobody))
    assert prepare(made, nobody).n == 400  # with one value only, or none, they are no questions


def test_its_pieces_do_not_depend_on_the_question_in_focus(people) -> None:
    pieces = review.chunks(ASKED, people)
    assert [piece.part for piece in pieces] == ["quick"] * 3 + ["whole"] * 3
    other = review.chunks(replace(ASKED, column="sex"), people)
    assert [piece.identity for piece in other] == [piece.identity for piece in pieces]
    assert len({piece.identity for piece in pieces}) == 6
    own = review.chunks(ASKED.with_options(attacker="own"), people)
    assert {piece.part for piece in own} == {"quick"}
    assert not any(str(m).startswith(("with", "pairs")) for m in own[1]()["metric"])


@pytest.mark.parametrize(
    ("other", "decides"),
    [
        (lambda ill: np.where(ill, "yes", "no"), True),
        (
            lambda ill: np.where(ill, "yes", stream(2).choice(["no", "never"], len(ill))),
            True,
        ),  # finer, and still it tells
        (lambda ill: np.where(ill ^ (np.arange(len(ill)) == 7), "yes", "no"), False),  # one person is otherwise
        (lambda ill: np.array([f"day {i % 100}" for i in range(len(ill))]), False),  # too many answers to tell
        (lambda ill: stream(3).choice(["a", "b"], len(ill)), False),
    ],
)
def test_an_open_question_that_decides_a_hidden_one_is_named(other, decides) -> None:
    ill = stream(1).random(300) < 0.2
    frame = pd.DataFrame({"status": np.where(ill, "ill", "well"), "other": other(ill), "third": list("xyz") * 100})
    table = data.read(frame.to_csv(index=False).encode(), "clinic.csv")
    made = Study(Source("clinic.csv"), "status", Marks.of(["status = ill"]), task="review")
    people = review.prepare(made, table)
    found = review.copies(people, review.asked(made, people, 1.0))
    assert found == ({"status": ("other",)} if decides else {})


def test_what_is_rarer_than_its_margin_is_too_rare_to_measure():
    people = 4000
    frame = pd.DataFrame({"drug": ["none"] * 3900 + ["often"] * 97 + ["once"] * 3, "sex": ["f", "m"] * (people // 2)})
    table = data.read(frame.to_csv(index=False).encode(), "drugs.csv")
    marked = Marks.of([f"drug = {label}" for label in ("often", "once")])
    study = Study(Source("drugs.csv", table.digest), "drug", marked, ("uRR",), task="review", epsilon=2.0, grid=())
    here = review.asked(study, review.prepare(study, table), 2.0)
    one = here.hidden["drug"]
    margin = 1.96 * np.sqrt(one.built.variance(one.freq, people))
    few = {label for label, s, off in zip(one.labels, one.freq, margin, strict=True) if label != "none" and s < off}
    assert set(here.drowned()["drug"]) == few == {"once"}
    assert review.asked(study, review.prepare(study, table), 8.0).drowned() == {}


@pytest.mark.parametrize("scheme", ["all", "one"])
@pytest.mark.parametrize("key", ["GRR", "uRR", "uSS", "HR"])
def test_with_the_choice_of_people_the_worst_shares_are_found(people, key, scheme) -> None:
    """No shares err more, the choice included, and some err as much: looked for on a fine grid of an answer's share,
    all others alike, and among 200 shares at random.
    """
    only = replace(ASKED.with_options(scheme=scheme), mechanisms=(key,), epsilon=1.3)
    survey, rng = review.asked(only, people, 1.3), np.random.default_rng(6)
    for name, one in survey.hidden.items():
        k, chosen = len(one.freq), 0.7 * survey.n
        most = one.most_with_choice(survey.n, 1 / chosen)
        shares = [*rng.dirichlet(np.full(k, 0.3), 200)]
        for mine, other in itertools.permutations(range(k), 2):
            shares += [f * np.eye(k)[mine] + (1 - f) * np.eye(k)[other] for f in np.linspace(0, 1, 41)]
        errs = [
            replace(survey, hidden={**survey.hidden, name: replace(one, counts=f)})._value_errors()[name]
            + f * (1 - f) / chosen
            for f in shares
        ]
        assert (np.array(errs) <= most * (1 + 1e-9)).all()
        assert np.max(errs, axis=0) == pytest.approx(most, rel=2e-3)


@pytest.mark.one_in(2)  # each mechanism by one of the two schemes
@pytest.mark.parametrize("scheme", ["all", "one"])
@pytest.mark.parametrize("key", review.CATALOG)
def test_no_shares_are_measured_worse_than_what_is_published(people, key, scheme) -> None:
    """Whatever people answer: 40 shares drawn at random, and everybody alike, where the noise is what was said."""
    only = replace(ASKED.with_options(scheme=scheme), mechanisms=(key,), epsilon=1.3)
    survey, rng = review.asked(only, people, 1.3), np.random.default_rng(5)
    most = survey.at_most().margins
    for name, one in survey.hidden.items():
        shares = [*rng.dirichlet(np.full(len(one.freq), 0.2), 40), *np.eye(len(one.freq))]
        margins = [
            replace(survey, hidden={**survey.hidden, name: replace(one, counts=f)}).margins[name] for f in shares
        ]
        assert (np.array(margins) <= most[name] * (1 + 1e-9)).all()
        if scheme == "all":
            assert np.max(margins, axis=0) == pytest.approx(most[name])
