"""Review: two questions that are asked as one are one question of pairs, marked where either answer is."""

from dataclasses import replace

import numpy as np
import pytest

from ldpcore import catalog, data, questionnaire, relations
from ldpcore.study import Marks, Source, Study, query, review, run, serial
from ldpcore.study.execute import prepare
from ldpcore.study.review.facts import facts

PAIR = "marital-status + income"
MARKED = ("Divorced", "Widowed")
COLUMNS = ("marital-status", "relationship", "sex", "income")
MARKS = [*review.written("marital-status", MARKED), "income = >50K"]
APART = Study(Source("census"), "income", Marks.of(MARKS), grid=(), repetitions=1, task="review").with_options(
    columns=COLUMNS
)
ASKED = APART.with_options(as_one=(PAIR,))


@pytest.fixture(scope="module")
def people() -> review.SurveyTable:
    return prepare(ASKED)


def test_a_pair_is_one_question_marked_where_either_answer_is(people) -> None:
    """Held against the columns themselves, and against `relations.as_one`."""
    assert people.questions == (PAIR, "relationship", "sex")
    assert people.separate == ("marital-status", "income", "relationship", "sex")
    frame = data.load("census").frame
    x, y = (frame[name].astype(str) for name in ("marital-status", "income"))
    assert (people.table.frame[PAIR].astype(str) == x + " · " + y).all()
    here = review.asked(ASKED, people, 1.0)
    assert list(here.hidden) == [PAIR]
    one = here.hidden[PAIR]
    assert one.marks == [label for label in one.labels if label.split(" · ")[0] in MARKED or label.endswith(">50K")]
    assert here.promised() == 1.0
    assert review.asked(APART, prepare(APART), 1.0).promised() == 2.0
    counts = one.counts.reshape(7, 2)
    marks = relations.either(np.isin(people.labels("marital-status"), MARKED), np.array([False, True]))
    design = relations.as_one(7, 2, catalog.FREQUENCY[one.key].build(1.0, 14, marks))
    spread = design.covariance(counts / counts.sum(), int(counts.sum()), "these").diagonal()
    assert here.errors()[PAIR] == pytest.approx((spread.mean(), spread[marks].mean()))


def test_it_is_attacked_and_told_as_any_question(people) -> None:
    """The question in focus is a half of it; the own report is exact, and others add to it."""
    rows = run(ASKED)
    own = rows[rows["scope"] == PAIR].set_index("metric")["value"]
    one = review.asked(ASKED, people, 1.0).hidden[PAIR]
    assert own["own"] == pytest.approx(questionnaire.best(one.built, one.marked, one.freq))
    assert own["own"] < own["with:relationship"] <= own["pairs:high"]
    known = facts(ASKED, people, rows)
    assert known.focus().asked.name == PAIR
    least = 1.959964 * one.built.variance(one.freq, one.counts.sum())[one.marked & (one.freq > 0)].max() ** 0.5
    assert known.focus("marital-status").margin == pytest.approx(least)
    aged = replace(ASKED, marks=Marks.of([*MARKS, "age = 70..90"])).with_options(columns=("age", *COLUMNS))
    among = facts(aged, prepare(aged), rows[:0])
    assert list(among.every) == ["age", PAIR]
    assert among.focus().asked.name == PAIR


def test_the_more_secret_of_two_answers_is_the_pairs(people) -> None:
    marks = Marks((*((mark, "secret") for mark in MARKS[:2]), (MARKS[2], "sensitive")))
    levels = replace(ASKED, marks=marks, epsilon=2.0, secret_epsilon=0.5)
    one = review.asked(levels, people, 2.0).hidden[PAIR]
    ex = np.where(np.isin(people.labels("marital-status"), MARKED), 0.5, np.inf)
    assert one.epsilons.tolist() == relations.pair_epsilons(ex, [np.inf, 2.0]).tolist()


def test_a_question_of_numbers_and_one_that_is_hidden_as_a_whole_can_be_a_half() -> None:
    made = APART.with_options(columns=("age", "sex", "income"), as_one=("age + sex",), hidden=("sex",))
    made = replace(made, column="age", marks=Marks.of(["age = 70..90", "income = >50K"]))
    people = prepare(made)
    here = review.asked(made, people, 1.0)
    assert here.hidden["age + sex"].marked.all()
    assert people.asked_in("sex") == "age + sex"
    assert len(people.labels("age + sex")) == 2 * len(people.labels("age"))


def test_it_survives_link_and_file_and_goes_with_its_questions() -> None:
    assert query.from_query(query.to_query(ASKED, True), APART)[0] == ASKED
    assert serial.from_toml(serial.to_toml(ASKED)) == ASKED
    table = data.load("census")
    assert review.fit(ASKED, table)[0].option("as_one") == (PAIR,)
    assert review.fit(ASKED.with_options(columns=("sex", "income")), table)[0].option("as_one") == ()


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"as_one": ("marital-status + sex",)}, "“sex” is not marked; asking it with the other hides it for nothing"),
        ({"as_one": ("marital-status + age",)}, "names no two questions of this survey"),
        ({"as_one": ("income",)}, "names no two questions of this survey"),
        ({"as_one": ("income + income",)}, "Choose two different questions"),
        ({"as_one": (PAIR, "income + sex")}, "names no two questions of this survey"),
        ({"columns": ("marital-status", "income")}, "two questions at least"),
        (
            {"columns": (*COLUMNS, "education"), "as_one": ("marital-status + education",)},
            "have 112 pairs of answers",
        ),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(changed, sentence) -> None:
    asked = ASKED.with_options(**changed)
    with pytest.raises(ValueError, match=sentence.replace("+", r"\+")):
        review.asked(asked, prepare(asked), 1.0)
