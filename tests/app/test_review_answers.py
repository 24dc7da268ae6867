"""Which of several marked answers is told apart most: attacked one by one, and said wherever somebody decides."""

import html
import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from ldpapp import words
from ldpapp.views.review import first_page, folds, signing, table
from ldpcore import data, questionnaire
from ldpcore.study import Marks, Source, Study, quantities, review
from ldpcore.study.review import chunks, prepare, tables
from ldpcore.study.review.attack import alone, answer_by_answer
from ldpcore.study.review.facts import ReviewFacts, facts
from ldpcore.study.review.question import GivenAway

SHARES = {"drugs": 0.05, "hepatitis": 0.06, "rare": 0.002, "asthma": 0.2, "none": 0.688}
WORKING = {"drugs": 0.1, "hepatitis": 0.7, "rare": 0.7, "asthma": 0.75, "none": 0.8}
"""Of those with each condition: who uses drugs is rarely employed."""
MARKED = ("drugs", "hepatitis", "rare")
STUDY = Study(
    Source("ward.csv"), "condition", Marks.of([f"condition = {each}" for each in MARKED]), ("GRR",), grid=(),
    task="review",
)  # fmt: skip


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    counts = {each: round(8000 * share) for each, share in SHARES.items()}
    rows = [(each, "yes" if rng.random() < WORKING[each] else "no") for each, n in counts.items() for _ in range(n)]
    return pd.DataFrame(rng.permutation(rows), columns=["condition", "work"])


@pytest.fixture(scope="module")
def people(frame) -> review.SurveyTable:
    return prepare(STUDY, data.read(frame.to_csv(index=False).encode(), "ward.csv"))


@pytest.fixture(scope="module")
def known(people) -> ReviewFacts:
    return facts(STUDY, people, quantities.simulated(chunks(STUDY, people)))


def told_apart(frame: pd.DataFrame, answer: str, epsilon: float, beside: bool = True) -> float:
    """By Bayes' rule, from the true shares: a pair, one with this answer, told by who sees a report of GRR and the
    work; a tie is half.
    """
    labels, stay = sorted(set(frame["condition"])), np.exp(epsilon)
    seen: dict[bool, dict] = {True: {}, False: {}}
    for (condition, work), n in frame.groupby(["condition", "work"]).size().items():
        for report in labels:
            chance = (stay if report == condition else 1.0) / (stay + len(labels) - 1)
            key, kind = (report, work if beside else ""), condition == answer
            seen[kind][key] = seen[kind].get(key, 0.0) + n * chance
    one, other = ({key: weight / sum(each.values()) for key, weight in each.items()} for each in seen.values())
    ratio = {key: round(one.get(key, 0) / (one.get(key, 0) + other.get(key, 0)), 9) for key in {*one, *other}}
    return sum(
        p * q * (0.5 if ratio[a] == ratio[b] else float(ratio[a] > ratio[b]))
        for a, p in one.items() for b, q in other.items()
    )  # fmt: skip


def said(markup: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


def test_each_answer_s_interval_holds_what_bayes_rule_tells_apart(frame, known) -> None:
    """Bonferroni over three answers, fixed seeds: a false alarm in 5 of 100 such surveys, this one is none."""
    one = known.every["condition"]
    assert one.answers[0].answer == "drugs"
    for each in one.answers:
        exact = told_apart(frame, each.answer, 1.0)
        if each.answer == "rare":  # 16 people: none to learn from, so the own report's exact number
            own = told_apart(frame, "rare", 1.0, beside=False)
            assert (each.pairs, each.low, each.high) == pytest.approx((own, own, own))
        else:
            assert each.low <= exact <= each.high
            assert abs(each.pairs - exact) < 0.05, "and says something"
    assert one.worst_answer == one.answers[0]
    assert one.worst_answer.low > one.pairs


def test_of_those_that_are_shown_to_be_told_apart_more_the_one_that_is_most(known) -> None:
    """Not the one of most people, whose interval is shortest."""
    one, few = known.every["condition"], {"answer:hepatitis": 0.99, "answer-low:hepatitis": one_low(known) - 0.01}
    assert replace(one, told={**one.told, **few, "answer-high:hepatitis": 1.0}).worst_answer.answer == "hepatitis"
    few["answer-low:hepatitis"] = one.pairs - 0.01
    assert replace(one, told={**one.told, **few, "answer-high:hepatitis": 1.0}).worst_answer.answer == "drugs", "chance"


def one_low(known: ReviewFacts) -> float:
    return known.every["condition"].worst_answer.low


def test_whoever_gives_the_worst_answer_alone_away_is_named(frame) -> None:
    """Where nobody does for all marked answers together: sex for one of two, which Bayes' rule on the shares holds."""
    rng = np.random.default_rng(8)
    sex = rng.choice(["f", "m"], 9000)
    beaten = rng.random(9000) < np.where(sex == "f", 0.09, 0.01)
    other = ~beaten & (rng.random(9000) < np.where(sex == "f", 0.01, 0.09))
    told = np.where(beaten, "partner", np.where(other, "other", "none"))
    table_ = data.read(pd.DataFrame({"violence": told, "sex": sex}).to_csv(index=False).encode(), "homes.csv")
    study = Study(
        Source("homes.csv"), "violence", Marks.of(["violence = partner", "violence = other"]), ("GRR",), grid=(),
        task="review",
    )  # fmt: skip
    people = prepare(study, table_)
    one = (known := facts(study, people)).every["violence"]
    all_of_them = GivenAway("", one.own, one.worst.pairs)
    assert one.given_by == {"sex": all_of_them}, "who gives all of them away is named as such"
    alone_ = {metric: value for metric, value in one.told.items() if not metric.startswith("with:")}
    one = replace(one, told=alone_)
    giver = one.worst_answer_giver
    assert giver.column == "sex"
    counts = pd.DataFrame({"condition": told, "work": sex})
    exact = told_apart(counts, one.worst_answer.answer, 1.0)
    assert abs(giver.pairs - exact) < 0.04
    assert exact > told_apart(counts, one.worst_answer.answer, 1.0, beside=False) + 0.03
    alone_told = told_apart(counts, one.worst_answer.answer, 1.0, beside=False)
    assert one.given_by["sex"].answer == one.worst_answer.answer
    assert one.given_by["sex"].alone == pytest.approx(alone_told, abs=1e-9)
    assert one.given_by["sex"].pairs == giver.pairs
    part = f"{one.worst_answer.answer}: {words.of_100(giver.pairs)}"
    assert part in said(table.giver(one))
    assert f"sex {part}" in said(first_page._with(one))
    facts_ = SimpleNamespace(every={"violence": one}, asked=known.asked)
    more = f"{words.of_100(alone_told)} → {words.of_100(giver.pairs)}"
    assert f"sex of violence: {one.worst_answer.answer}, {more}." in said(signing.given(facts_))


def test_no_attack_tells_less_than_the_own_report(people) -> None:
    for seed in range(20):
        survey = review.asked(STUDY, people, 0.3)
        asked = survey.hidden["condition"]
        for answer, pairs, low, high in answer_by_answer(people, asked, survey.others("condition"), seed):
            own = alone(asked.of_one(answer))
            assert own <= low <= pairs <= high <= 1


def test_one_marked_answer_is_what_all_are(people) -> None:
    survey = review.asked(STUDY, people, 1.0)
    single = survey.hidden["condition"].of_one("drugs")
    assert list(answer_by_answer(people, single, survey.others("condition"), 1)) == []


def test_it_stands_in_the_row_the_fold_the_table_and_on_the_first_page(known) -> None:
    one = known.every["condition"]
    worst, n = one.worst_answer, words.of_100(one.worst_answer.pairs)
    between = words.span((worst.low, worst.high), words.of_100, to="–")
    assert said(table.most_of(one)) == f"drugs: {n} ({between})"
    assert f"drugs: {n} ({between})" in said(first_page.markup(known, "", publishable=False))
    assert f"drugs: {n}" not in said(first_page.markup(known, "", publishable=True)), "no attack"
    ends = f"({words.of_100(worst.low)}–{words.of_100(worst.high)})"
    assert ends in said(table.most_of(one))
    every = tables.answers(known.every)
    assert every["answer"].tolist() == [each for each in one.asked.labels if each in MARKED]
    shown = said(folds.answers(known).parts[0].text)
    for row in every.to_dict("records"):
        each = next(each for each in one.answers if each.answer == row["answer"])
        assert (row["told apart"], row["low"], row["high"]) == (each.pairs, each.low, each.high)
        assert row["share"] == pytest.approx(SHARES[row["answer"]], abs=1e-3)
        ends = "" if each.low == each.high else f" ({words.of_100(each.low)}–{words.of_100(each.high)})"
        assert f"{words.of_100(each.pairs)}{ends}" in shown
    row = tables.questions(known.every).iloc[0]
    assert (row["told apart most"], row["told apart: it alone"]) == ("drugs", worst.pairs)
    assert {"told apart most", "told apart: it alone", "it alone: low", "it alone: high"} <= set(tables.INTERNAL)


def test_nothing_is_said_where_all_together_may_be_told_apart_as_much(known) -> None:
    """Its low end counts: of few people the best of several answers is so by chance."""
    one = known.every["condition"]
    alike = {**one.told, "pairs": one.answers[0].low + 1e-6}
    assert alike["pairs"] < one.answers[0].pairs
    quiet = replace(one, told=alike)
    assert quiet.worst_answer is None
    assert quiet.answers == one.answers, "which the fold tells all the same"


def test_of_a_question_that_is_hidden_as_a_whole_each_answer_is_told_from_the_others(frame, people) -> None:
    """There is nobody without a marked answer, yet one is told from another, by its own report and by the condition."""
    whole = STUDY.with_options(hidden=("work",))
    known = facts(whole, people, quantities.simulated(chunks(whole, people)))
    one = known.every["work"]
    assert one.own is one.pairs is None, "all of it together is nobody's"
    assert {each.answer for each in one.answers} == {"yes", "no"}
    channel = one.asked.built.channel().matrix
    alone_ = questionnaire.best(one.asked.built, [True, False], one.asked.freq)
    assert channel.shape == (2, 2)
    assert all(each.low >= alone_ - 1e-12 for each in one.answers)
    name, n = one.worst_answer.answer, words.of_100(one.worst_answer.pairs)
    assert f"{name}: {n}" in said(table._drawn(whole, people, known.asked, one))
    assert f"{name}: {n}" in said(first_page.markup(known, "", publishable=False))


def test_what_is_not_asked_is_told_by_what_is(frame, people) -> None:
    """The condition, which nobody is asked, by the work: Bayes' rule on the true shares is in the interval."""
    table_ = data.read(frame.assign(town=["n", "s"] * (len(frame) // 2)).to_csv(index=False).encode(), "ward.csv")
    without = replace(STUDY, marks=Marks.of(["town = n", "condition = drugs"])).with_options(columns=("work", "town"))
    known = facts(without, prepare(without, table_))
    exposure, giver = review.not_asked(without, known.data, known.asked, "condition")
    counts = frame.groupby(["condition", "work"]).size()
    drugs = counts["drugs"] / counts["drugs"].sum()
    others = counts.drop("drugs").groupby("work").sum() / counts.drop("drugs").sum()
    exact = drugs["no"] * others["yes"] + 0.5 * (drugs * others).sum()
    assert giver == "work"
    assert exposure.low <= exact <= exposure.high
    assert known.not_asked == {"condition": (exposure.pairs, "work")}
    page = said(first_page.markup(known, "", publishable=False))
    assert f"condition not asked told apart all the same: {words.of_100(exposure.pairs)} most by work" in page
    assert "told apart" not in said(first_page.markup(known, "", publishable=True)), "nothing that an attacker managed"
    few = replace(without, marks=Marks.of(["town = n", "condition = rare"]))
    assert facts(few, prepare(few, table_)).not_asked == {}, "too few people"


def test_two_answers_of_which_each_is_told_from_the_other_have_one_number(frame) -> None:
    """A pair of one with each is the same pair, whichever is looked for."""
    work = replace(STUDY, marks=Marks.of(["work = yes", "work = no"]), column="work")
    people = prepare(work, data.read(frame.to_csv(index=False).encode(), "ward.csv"))
    survey = review.asked(replace(work, marks=Marks.of(["work = yes", "work = no", "condition = drugs"])), people, 1.0)
    (first, *one), (second, *other) = answer_by_answer(people, survey.hidden["work"], survey.others("work"), 3)
    assert {first, second} == {"yes", "no"}
    assert one == other


def test_whoever_is_alone_with_the_open_answers_is_counted(frame, people) -> None:
    """Told by sorting; of the page that is published it is left out."""
    rng = np.random.default_rng(4)
    more = frame.assign(car=rng.choice(["bus", "car"], len(frame)), town=rng.choice(list("abcdefgh"), len(frame)))
    more.loc[:4, "town"] = [f"village {name}" for name in "pqrst"]
    table_ = data.read(more.to_csv(index=False).encode(), "ward.csv")
    wide = facts(STUDY, prepare(STUDY, table_))
    assert set(wide.asked.open) == {"work", "car", "town"}
    rows = sorted(map(tuple, wide.data.table.frame[["work", "car", "town"]].astype(str).to_numpy()))
    alone_ = sum(rows.count(row) == 1 for row in set(rows))
    assert wide.alone_openly == alone_ == 5
    assert f"open exact {alone_} alone" in said(first_page.markup(wide, "", publishable=False))
    assert "alone" not in said(first_page.markup(wide, "", publishable=True))
    assert f"{alone_} people are alone" in said(signing.alone(wide))
    assert wide.alone_less == (["town"], 0), "everybody else shares work and car with somebody"
    twice = data.read(more.assign(again=more["town"]).to_csv(index=False).encode(), "ward.csv")
    assert facts(STUDY, prepare(STUDY, twice)).alone_less is None, "without one of two that are alike nothing is won"
    tied = more.assign(again="a")
    tied.loc[5:9, "again"] = [f"hamlet {name}" for name in "pqrst"]
    tied = facts(STUDY, prepare(STUDY, data.read(tied.to_csv(index=False).encode(), "ward.csv")))
    assert tied.alone_less == (["town", "again"], 5), "each makes out five, and which of them is no matter"
    assert facts(STUDY, people).alone_openly == 0
    assert signing.alone(facts(STUDY, people)) == ""


def test_an_answer_of_too_few_people_to_try_may_be_the_worst_and_has_no_giver(known) -> None:
    """Its own report's exact number is all that is known of it: nobody is attacked, and no page fails."""
    one = known.every["condition"]
    rare = {"answer:rare": 0.97, "answer-low:rare": 0.97, "answer-high:rare": 0.97}
    worst = replace(one, told={**one.told, **rare})
    assert (worst.worst_answer.answer, worst.worst_answer_giver) == ("rare", None)
    assert "rare" not in worst.given_by.values()
    assert "rare: 97" in said(table.most_of(worst))


def test_what_is_known_without_being_asked_tells_as_much_as_what_is_asked(frame) -> None:
    """The same attacks on the same people, whether the work is sent openly or known anyway; and where it is said."""
    table_ = data.read(frame.assign(town=["n", "s"] * (len(frame) // 2)).to_csv(index=False).encode(), "ward.csv")
    asked = replace(STUDY, marks=Marks.of(["condition = drugs"]))
    without = asked.with_options(columns=("condition", "town"))
    elsewhere = without.with_options(known=("work",))
    rows = {}
    for name, study in (("asked", asked), ("without", without), ("known", elsewhere)):
        people_ = prepare(study, table_)
        rows[name] = quantities.simulated(chunks(study, people_)).set_index("metric")["value"]
    assert rows["known"].to_dict() == rows["asked"].to_dict()
    assert rows["known"]["with:work"] > rows["without"]["pairs"] + 0.05
    known = facts(elsewhere, people_, None)
    assert known.asked.open == ("town",)
    assert (known.asked.known, people_.questions, people_.unasked) == (("work",), ("condition", "town"), ("work",))
    page = said(first_page.markup(known, "", publishable=False))
    assert "not asked known anyway work" in page
    assert "others may tell" not in page
    assert "Not asked, known anyway : work" in said(table._open(known.asked, known.data))
    assert signing._cost(known, "work"), "what it tells is said"
    marked = replace(elsewhere, marks=Marks.of(["condition = drugs", "work = no"]))
    assert facts(marked, prepare(marked, table_)).not_asked == {}, "whoever knows it needs nothing else to tell it"
    _, refused = review.fit(elsewhere.with_options(known=("wage",)), table_)
    assert "the option known names wage, which the data do not have" in str(refused)


def test_a_gap_in_what_is_known_leaves_nobody_out(frame) -> None:
    """Who leaves out people without an answer leaves out those of questions that are asked."""
    gaps = frame.assign(town=["n", "s"] * (len(frame) // 2), work=frame["work"].where(frame["condition"] != "rare", ""))
    study = replace(STUDY, marks=Marks.of(["condition = drugs"]), missing="any")
    study = study.with_options(columns=("condition", "town"), known=("work",))
    people_ = prepare(study, data.read(gaps.to_csv(index=False).encode(), "ward.csv"))
    assert (people_.n, people_.dropped) == (len(frame), 0)
    assert people_.labels("work") == ("no", "yes", data.MISSING_LABEL)


def test_the_terminal_names_who_gives_away(frame, known) -> None:
    """Of the facts that `ldpcore run --facts` writes."""
    rows = quantities.table(known).set_index(["mechanism", "name", "scope"])["value"]
    one = known.every["condition"]
    assert rows["condition", "worst_answer_pairs", "drugs"] == one.worst_answer.pairs
    assert rows["condition", "worst_answer_pairs", "drugs, with work"] == one.worst_answer_giver.pairs
    table_ = data.read(frame.assign(town=["n", "s"] * (len(frame) // 2)).to_csv(index=False).encode(), "ward.csv")
    without = replace(STUDY, marks=Marks.of(["town = n", "condition = drugs"])).with_options(columns=("work", "town"))
    then = facts(without, prepare(without, table_))
    rows = quantities.table(then).set_index(["name", "scope"])["value"]
    assert rows["not_asked_pairs", "condition, by work"] == then.not_asked["condition"][0]


def test_numbers_that_are_asked_are_in_classes_and_known_ones_are_exact(frame) -> None:
    """Page 1 says that open numbers are in classes; what is known without being asked is in no report: with it nobody
    is made out.
    """
    minutes = np.random.default_rng(5).integers(1, 4000, len(frame))
    table_ = data.read(frame.assign(minutes=minutes).to_csv(index=False).encode(), "ward.csv")
    study = replace(STUDY, marks=Marks.of(["condition = drugs"]))
    asked = facts(study, prepare(study, table_))
    assert "minutes" in asked.data.ranges
    low, high, classes = asked.data.ranges["minutes"]
    width = f"minutes in {(high - low) / classes:g}s"
    assert f"open exact nobody alone work and {width}" in said(first_page.markup(asked, "", publishable=False))
    assert f"open exact work and {width}" in said(first_page.markup(asked, "", publishable=True))
    elsewhere = study.with_options(columns=("condition", "work"), known=("minutes",))
    known = facts(elsewhere, prepare(elsewhere, table_))
    assert known.asked.open == ("work",)
    rows = pd.Series(list(zip(frame["work"], minutes, strict=True))).value_counts()
    assert (rows == 1).sum() > 500, "so many would be alone with them"
    assert known.alone_openly == asked.alone_openly == 0
    assert "minutes in" not in said(first_page.markup(known, "", publishable=False))
    assert signing.alone(known) == ""
