"""What a board signs, beside numpy: who gave no answer, what is shown openly, choosing people, bounds that round up."""

import html
import math
import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from ldpapp import words
from ldpapp.parts.panels import Line
from ldpapp.views.review import exactness, first_page, folds, planner, promises, sentences, signing, table
from ldpapp.views.review.guide import _cells
from ldpapp.views.review.guided import GuideState
from ldpcore import data
from ldpcore.questionnaire.pairs import surest
from ldpcore.study import Marks, Source, Study, quantities, review
from ldpcore.study.review import QUICK, ExposureChange, SurveyTable, chunks, prepare, tables
from ldpcore.study.review.facts import ReviewFacts, facts
from ldpcore.study.review.question import QuestionFacts

N, EPSILON, MARKED = 3000, 2.19, ("drugs", "hepatitis C", "HIV")
MARKS = Marks.of([*(f"condition = {each}" for each in MARKED), "income = 6000..13000"])
ASKED = Study(
    Source("clinic.csv"), "income", MARKS, ("uRR",), epsilon=EPSILON, grid=(), task="review", missing="column"
).with_options(within=0.02)


def crowd() -> tuple[list[str], np.ndarray]:
    """Answers to a question of words, and incomes, of which every third is missing."""
    rng = np.random.default_rng(5)
    condition = ["drugs"] * 67 + ["hepatitis C"] * 40 + ["HIV"] * 14 + ["none"] * 1879 + ["asthma"] * 1000
    income = np.where(rng.random(N) < 0.03, rng.uniform(6000, 12900, N), rng.uniform(100, 5900, N)).round()
    income[:2] = 100, 12900
    return list(rng.permutation(condition)), np.where(np.arange(N) % 3 == 2, np.nan, income)


def prepared(weights: np.ndarray | None = None, study: Study = ASKED) -> SurveyTable:
    condition, income = crowd()
    told = [
        f"{c},{'' if np.isnan(i) else int(i)},{'ns'[row % 2]}"
        for row, (c, i) in enumerate(zip(condition, income, strict=True))
    ]
    head, options = "condition,income,region", data.ReadOptions()
    if weights is not None:
        head, told = f"{head},w", [f"{line},{w}" for line, w in zip(told, weights, strict=True)]
        options = options.with_column("w", role="weight")
    return prepare(study, data.read("\n".join([head, *told]).encode(), "clinic.csv", options))


@pytest.fixture(scope="module")
def known() -> ReviewFacts:
    people = prepared()
    return facts(ASKED, people, quantities.simulated(p for p in chunks(ASKED, people) if p.part == QUICK))


def said(markup: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


def test_who_gave_no_answer_is_counted_and_said(known) -> None:
    absent = int(np.isnan(crowd()[1]).sum())
    assert {name: fact.unanswered for name, fact in known.every.items()} == {
        "condition": 0,
        "income": absent == 1000 and 1000,
    }
    assert absent == 1000
    text = "1 000 gave no answer: counted as one"
    assert text in said(first_page.markup(known, "", publishable=False))
    assert text in said(table._row(ASKED, known.data, known, known.every["income"]))
    public = said(first_page.markup(known, "", publishable=True))
    assert "1 000" not in public
    assert "No answer counts as one" in public
    whole = replace(ASKED, missing="any")
    assert facts(whole, prepared(study=whole), known.rows).every["income"].unanswered == 0, "they are left out"
    pair = ASKED.with_options(as_one=("income + region",))
    assert prepared(study=pair).unanswered("income + region").sum() == 2, "no income, of either region"


def test_what_is_shown_and_what_choosing_people_adds(known) -> None:
    kept = math.exp(EPSILON) - 1
    shown = {name: kept / (kept + int(one.marked.sum())) for name, one in known.asked.hidden.items()}  # uRR's own
    assert {name: fact.shown for name, fact in known.every.items()} == pytest.approx(shown)
    low, high = (round(100 * each) for each in (min(shown.values()), max(shown.values())))
    page = said(first_page.markup(known, "", publishable=False))
    assert f"Of 100 unmarked answers {low}–{high} are proven by their reports." in page
    drawn = np.random.default_rng(1).binomial(N, 0.5, 200_000).std() / N
    assert 0.5 / math.sqrt(known.chosen) == pytest.approx(drawn, rel=0.01)
    others = [known.asked.margins[name][~one.marked].max() for name, one in known.asked.hidden.items()]
    assert known.margin_of_others == pytest.approx(max(others))
    assert max(others) > known.margin, "so that they are named"
    others = f"other answers: {words.points(max(others))}"
    assert f"±: noise; {others}; with sampling: {words.points(known.margin_with_choice)}." in page
    assert "noise alone" in exactness._reached(known)
    weights = np.where(np.arange(N) % 2, 1, 4)
    weighed = facts(ASKED, prepared(weights), known.rows)
    assert weighed.chosen == pytest.approx(weights.sum() ** 2 / (weights**2).sum(), rel=1e-4), "Kish's n"


def test_epsilon_goal_bins_and_the_data_s_ranges_are_named(known) -> None:
    page = said(first_page.markup(known, "", publishable=False))
    assert "ε each 2.19 mechanism uRR goal ±2 collected by" in page
    less = replace(ASKED, epsilon=1.0)
    page_of_less = said(first_page.markup(facts(less, known.data, known.rows), "", publishable=False))
    assert max(facts(less, known.data).plans.margins().values()) > 0.02 >= max(known.plans.margins().values())
    assert "ε each 1 mechanism uRR goal ±2, missed collected by" in page_of_less
    count = int(known.asked.hidden["income"].marked.sum())
    low, high, bins = known.data.ranges["income"]
    edges = np.linspace(low, high, bins + 1)
    assert (edges[1:] > 6000).sum() == count
    assert f"{edges[edges <= 6000].max():g} to {high:g} ({count} answers)" in page
    assert "Ranges read off the data: income." in page
    stated = ASKED.with_options(ranges=("income = 0..13000/13",))
    found = facts(stated, prepared(study=stated), known.rows)
    assert "read off" not in said(first_page.markup(found, "", publishable=False))


def test_an_open_answer_that_proves_a_hidden_one_stands_on_the_page() -> None:
    """All 60 without work have a low income, and half of those with some: two people of one town are chance."""
    rows = ["none,low,north"] * 60 + ["some,low,north"] * 70 + ["some,high,south"] * 270 + ["some,low,east"] * 2
    table = data.read("\n".join(["work,income,town", *rows]).encode(), "panel.csv")
    study = Study(Source("panel.csv"), "income", Marks.of(["income = low"]), grid=(), repetitions=1, task="review")
    people = prepare(study, table)
    found = facts(study, people, quantities.simulated(p for p in chunks(study, people) if p.part == QUICK))
    assert found.proofs == {"income": review.Proof("town", ("east", "north"), 132, 1.0)}
    hidden = replace(study, marks=Marks.of(["income = low", "town = south"]))
    then = facts(hidden, prepare(hidden, table))
    seen = then.asked.hidden["town"].built.disclosure()[0]
    assert seen == pytest.approx(1 - math.exp(-1)), "uRR of one marked answer: as it is, or as the marked one"
    assert then.proofs["income"] == review.Proof("town", ("east", "north"), 132, pytest.approx(seen))
    assert "in 63 of 100 reports, proves a protected" in said(sentences.proof(then))
    page, public = (said(first_page.markup(found, "", publishable=published)) for published in (False, True))
    assert "town: east and north , sent openly, proves a protected income, for all 132: hide it or drop it." in page
    assert "north" not in public
    assert "Open answers may tell protected ones, together also whose they are." in public
    chance = replace(study, marks=Marks.of(["income = high"]))
    few = data.read(
        "\n".join(["work,income", *["a,high"] * 3, *["b,high"] * 200, *["b,low"] * 200]).encode(), "few.csv"
    )
    assert facts(chance, prepare(chance, few)).proofs == {}, "3 of half of all may be so by chance"


def test_what_choosing_people_adds_is_that_of_people_drawn(known) -> None:
    """1 000 surveys of people drawn anew: the root mean square of the least exact answer that can be measured, within
    12 % (5 standard errors of one from 1 000).
    """
    rng, wide = np.random.default_rng(8), [0.0]
    for name, one in known.asked.hidden.items():
        seen = one.marked & (one.freq >= known.asked.margins[name]) & (one.freq > 0)
        drawn = (rng.multinomial(N, one.freq) for _ in range(1000))
        errors = np.array([one.built.simulate(counts, rng, 1)[0] - one.freq for counts in drawn])
        wide += list(1.959964 * np.sqrt((errors**2).mean(axis=0))[seen])
    assert known.margin_with_choice == pytest.approx(max(wide), rel=0.12)
    assert known.margin_with_choice > max(fact.margin for fact in known.every.values() if fact.learned)


def test_who_is_left_out_for_a_gap_is_counted(known) -> None:
    """A third gave no income: all that they said is gone where whoever leaves a gap is left out."""
    assert "Left out" not in said(first_page.markup(known, "", publishable=False))
    strict = replace(ASKED, missing="any")
    page = said(first_page.markup(facts(strict, prepared(study=strict)), "", publishable=False))
    assert "people 2 000 ε each" in page
    assert "Left out: 1 000 with a gap in income." in page


def test_the_rarest_answer_s_needs_are_named(known) -> None:
    """What HIV takes, from uRR's own variance: f against 1.96·√(V/n)."""
    share, odds = 14 / N, math.exp(EPSILON)
    keep, stray = odds / (odds + 2), 1 / (odds + 2)
    variance = (share * keep * (1 - keep) + (1 - share) * stray * (1 - stray)) / (keep - stray) ** 2
    people, epsilon = known.every["condition"].to_see("HIV")
    assert people == pytest.approx(variance * (1.96 / share) ** 2, rel=1e-3)
    rows = said(planner.out_of_reach(known))
    assert f"condition: HIV (0.5 %) {words.count(people).replace(words.THIN, ' ')} {words.epsilon(epsilon)}" in rows
    fact, answer = known.nearest
    assert fact.to_see(answer)[0] == min(one.to_see(one.nearest)[0] for one in known.every.values() if one.rare)
    page = said(first_page.markup(known, "", publishable=False))
    rare = sum(len(one.rare) for one in known.every.values())
    fewest = words.count(fact.to_see(answer)[0]).replace(words.THIN, " ")
    assert f"{rare} answers too rare; nearest: {fact.asked.name}: {answer} ({fewest} people)." in page
    public = said(first_page.markup(known, "", publishable=True))
    assert "Too rare to measure" not in public, "it tells the share"
    assert "An answer rarer than its ± is not measured." in public


def test_guessed_is_the_best_guess_of_who_knows_the_shares(known) -> None:
    held, odds = np.array([67, 40, 14]) / 121, math.exp(EPSILON)
    channel = np.full((3, 3), 1 / (odds + 2)) + np.eye(3) * (odds - 1) / (odds + 2)
    fact = known.every["condition"]
    assert fact.guessed == pytest.approx((held[:, None] * channel).max(axis=0).sum())
    assert fact.blind == pytest.approx(67 / 121)
    row = tables.questions(known.every).set_index("question").loc["condition"]
    assert (row["guessed, shares known"], row["blind, shares known"]) == (fact.guessed, fact.blind)


def test_one_count_of_answers(known) -> None:
    count = sum(int(one.marked.sum()) for one in known.asked.hidden.values())
    assert count > len(MARKS.values), "an interval is several answers"
    assert said(first_page.lead(known)).startswith(f"{words.cardinal(count, start=True)} answers are protected")
    assert dict(_cells(GuideState(ASKED, known.data, known)))["delicate"] == f"{count} answers"


def test_the_most_exposed_comes_first_and_those_that_are_as_much(known) -> None:
    def within(condition: tuple[float, ...], income: tuple[float, ...]) -> str:
        told = {"condition": condition, "income": income}
        every = {
            name: replace(
                fact, told={**fact.told, **dict(zip(("pairs", "pairs:low", "pairs:high"), told[name], strict=True))}
            )
            for name, fact in known.every.items()
        }
        changed = facts(ASKED, known.data, known.rows)
        vars(changed)["every"] = every
        return said(sentences.exposed(changed, every["income"], html.escape, "sensitive"))

    first = within((0.95, 0.93, 0.97), (0.84, 0.82, 0.86))
    assert first == "At ε = 2.19, sensitive answers to condition are told apart in 95 of 100 pairs (guessing: 50)."
    both = within((0.94, 0.92, 0.96), (0.95, 0.93, 0.97))
    assert "income are told apart in 95 of 100 pairs (guessing: 50), condition in 94" in both
    only = within((0.84, 0.82, 0.86), (0.95, 0.93, 0.97))
    assert "income are told apart in 95" in only
    assert "condition" not in only


def test_a_bound_is_never_below_what_is_bounded(known) -> None:
    numbers = np.exp(np.linspace(0.01, 12, 4001))
    written = [float(words.ratio(each, most=True).replace(words.THIN, "")) for each in numbers]
    assert np.all(np.array(written) >= numbers * (1 - 1e-9))
    assert np.all(np.array(written) <= numbers * 1.01)
    assert [words.times(each, most=True) for each in (8.935, 713.4, math.exp(math.log(2)), math.inf)] == [
        "8.94 times", "713.4 times", "2.0 times", "without bound",
    ]  # fmt: skip
    assert (words.of_100(0.082, most=True), words.of_100(0.08, most=True), words.of_100(0.996, most=True)) == (
        "9", "8", ">99",
    )  # fmt: skip
    beliefs = np.linspace(0.001, 0.999, 4001)
    bounds = [float(words.bound_of_100(each).replace(">99", "100").replace("<1", "1")) for each in beliefs]
    assert np.all(np.array(bounds) >= 100 * beliefs * (1 - 1e-9))
    assert np.all(np.array(bounds) <= 100 * beliefs + 1)
    assert [words.bound_of_100(each) for each in (0.3708, 0.37, 0.9901, 0.998)] == ["37.1", "37", ">99", ">99"]
    assert "at most 8.94 times" in said(promises.promised(known)[1])


def test_all_reports_of_a_person_are_a_warning_about_the_commonest_answer(known) -> None:
    odds = math.exp(2 * EPSILON)
    share = max(float(one.freq[one.marked].max()) for one in known.asked.hidden.values())
    assert known.common == share
    sure = math.ceil(1000 * share * odds / (1 - share + share * odds)) / 10
    page = said(first_page.markup(known, "", publishable=False))
    promised, _, warned = page.partition("What is promised")[2].partition("What is not")
    assert "2 reports" not in promised
    assert f"{100 * share:.1f} to" in promised
    together = f"odds up to 79.9 times (ε 4.38), to {sure} in 100; asked again, more."
    assert f"One person’s 2 reports, if related: {together}" in warned
    low = math.ceil(1000 / (1 + 99 / math.exp(EPSILON))) / 10
    assert f"if 1 in 100 has it, to {low} in 100" in said(first_page.markup(known, "", publishable=True))


def test_what_is_safer_stands_on_paper_and_on_the_page(known) -> None:
    """In numbers of the engine: without what is learned nothing of, and with one question for each person."""
    page, public = (said(first_page.markup(known, "", publishable=published)) for published in (False, True))
    (each, way, *_) = known.safer
    epsilon, shared = known.one_by_one_rounded
    own = replace(ASKED.with_options(parts=shared), epsilon=epsilon)
    parts = facts(own, prepared(study=own))
    assert all(round(10 * each, 9).is_integer() for each in parts.asked.each_spent.values())
    assert not parts.in_use, "what is advised tells no more of a share than its tenths"
    assert each.odds == pytest.approx(parts.odds["person"])
    assert each.odds < known.odds["person"]
    assert each.hardest == pytest.approx(max(parts.plans.margins().values()), rel=1e-6)
    assert each.hardest <= 0.02 * (1 + 1e-9), "the goal is kept"
    assert known.unlearned == ("income",)
    assert known.odds_without == pytest.approx(math.exp(EPSILON)) == way.odds
    wider = words.ratio(way.wider, most=True)
    its = f"{words.ratio(each.odds, most=True)}, margins ×{words.ratio(each.wider, most=True)}"
    safer = (
        f"Safer: without income (too rare): 8.94 times; each question its own ε: {its}; one question each: 8.94, "
        f"×{wider}, goal missed"
    )
    assert safer in page
    most = known.published.safer[0]
    assert [each.how for each in known.published.safer] == [each.how for each in known.safer[1:]], "but for its own ε"
    assert f"{words.times(most.odds, most=True)}, margins ×{words.ratio(most.wider, most=True)}" in public
    assert "each question its own" not in public
    assert [said(line) for line in table._advice(known)] == [
        f"All reports: odds up to 79.9 times. {safer}.", "", ""
    ]  # fmt: skip
    assert max(known.plans.margins().values()) <= 0.02 < way.hardest
    one_each = ASKED.with_options(scheme="one")
    then = facts(one_each, prepared(study=one_each)).plans.margins()
    assert way.hardest == pytest.approx(max(then.values()), rel=0.01), "the planner counts whole people"
    assert "goal missed" not in table._advice(facts(ASKED.with_options(within=0.05), known.data))[0]
    one_report = replace(ASKED, epsilon=2 * EPSILON).with_options(budget="person")
    assert said(table._advice(facts(one_report, known.data))[1]).startswith(
        "No marked answer to income can be measured: ask coarser, or not at all."
    ), "without it the others have its ε, and the odds stay what they are"
    low = replace(ASKED, epsilon=0.5)
    alike = facts(low, known.data, known.rows)
    assert "one question" not in table._advice(alike)[0], "not many times"


def test_of_a_question_all_of_whose_answers_are_hidden_nobody_is_told_apart_and_that_is_said() -> None:
    """Not "too few people to try": there is nobody to compare with, however many there are."""
    marks = Marks.of(["sex = female", "sex = male", "smoking = every day"])
    study = Study(Source("health"), "smoking", marks, grid=(), repetitions=1, task="review")
    asked = study.with_options(columns=("sex", "smoking"))
    page = said(first_page.markup(facts(asked, prepare(asked, data.load("health"))), "Health", publishable=False))
    assert re.search(r"(fe)?male: \d+ \(\d+–\d+\)", page), "but one answer is told from the other"
    quick = quantities.simulated(p for p in chunks(asked, prepare(asked, data.load("health"))) if p.part == QUICK)
    first = facts(asked, prepare(asked, data.load("health")), quick)
    page += said(first_page.markup(first, "Health", publishable=False))
    assert "every answer is hidden: nobody to compare with" in page
    assert "too few people to try" not in page


def test_every_cell_says_its_column_where_a_phone_shows_none(known) -> None:
    row = table._row(ASKED, known.data, known, known.every["income"])
    assert re.findall(r'data-label="([^"]*)"', row) == list(table._heads(known))


def test_with_an_epsilon_for_each_question_both_headlines_say_from_which_to_which() -> None:
    half = ASKED.with_options(parts=("income = 0.5",))
    people = prepared(study=half)
    found = facts(half, people, quantities.simulated(p for p in chunks(half, people) if p.part == QUICK))
    both = f"At ε = {words.epsilon(EPSILON / 2)}–{words.epsilon(EPSILON)}"
    assert {name: one.epsilon for name, one in found.asked.hidden.items()} == {"condition": 2.19, "income": 1.095}
    assert sentences.signed(2, found.asked.spent).startswith(both)
    for main in found.every.values():
        said_so = sentences.exposed(found, main, str, "sensitive")
        assert said_so.startswith(both), "of all that are hidden, whichever it names: as in the planner and on paper"
    assert sentences.signed(2, facts(ASKED, people).asked.spent).startswith(f"At ε = {words.epsilon(EPSILON)} ")


@pytest.mark.parametrize(("after", "there"), [(0.82, True), (0.83, False)])
def test_a_change_that_goes_down_to_the_own_report_says_so(monkeypatch, known, after: float, there: bool) -> None:
    one = known.asked.hidden["condition"]
    rows = {"own": 0.82, "own:low": 0.82, "own:high": 0.82, "pairs": 0.85, "pairs:low": 0.84, "pairs:high": 0.86,
            "with:region": 0.85, "least:region": 0.01}  # fmt: skip
    main = QuestionFacts(one, 1e-4, rows, survey=known)
    dropped = ExposureChange(
        how="dropped",
        before=0.85,
        after=after,
        gap=after - 0.85,
        low=after - 0.86,
        high=after - 0.84,
        margin=math.nan,
        epsilon=4.38,
    )
    monkeypatch.setattr(ReviewFacts, "changes", lambda *_: [dropped])
    panel = folds.change(ASKED, known.data, main)
    lines = [part.text for part in panel.parts if isinstance(part, Line)]
    assert [line for line in lines if "The own report alone tells 82 of 100, exact" in line] == lines
    assert bool(lines) is there


def test_whoever_gives_an_answer_away_is_named_for_every_question(known) -> None:
    """Whichever is in focus: who signs learns of all of them."""
    rows = {"own": 0.82, "pairs": 0.85, "with:region": 0.85, "least:region": 0.01}
    every = {name: QuestionFacts(one, 1e-4, rows, survey=known) for name, one in known.asked.hidden.items()}
    line = said(signing.given(SimpleNamespace(every=every, asked=known.asked)))
    assert line.startswith(
        "Others tell more than the own report, of 100 pairs: region of a sensitive condition, 82 → 85; region of a "
        "sensitive income, 82 → 85."
    )
    hidden = known.asked.without(["income"])
    hidden.hidden["region"] = known.asked.hidden["income"]
    line = said(signing.given(SimpleNamespace(every=every, asked=hidden)))
    assert "of 100 pairs: region , though hidden, of a sensitive condition, 82 → 85" in line
    every["income"] = QuestionFacts(known.asked.hidden["income"], 1e-4, rows | {"least:region": -0.01}, survey=known)
    line = said(signing.given(SimpleNamespace(every=every, asked=known.asked)))
    assert line.endswith("of 100 pairs: region of a sensitive condition, 82 → 85.")
    assert signing.given(SimpleNamespace(every={"income": every["income"]})) == ""


def test_what_adds_nothing_beyond_chance_leaves_the_own_report_s_exact_number(known) -> None:
    """ "82 … 83 ± 1, own report, nothing else" was two numbers for one thing."""
    rows = {"own": 0.82, "own:low": 0.82, "own:high": 0.82, "blind": 0.5, "pairs": 0.83, "pairs:high": 0.84}
    one = known.asked.hidden["income"]
    made = {low: QuestionFacts(one, 1e-4, rows | {"pairs:low": low}, survey=known) for low in (0.82, 0.825)}
    assert (made[0.82].pairs, made[0.82].interval) == (0.82, (0.82, 0.82))
    assert (made[0.825].pairs, made[0.825].interval) == (0.83, (0.825, 0.84))
    giver = QuestionFacts(
        one, 1e-4, rows | {"pairs:low": 0.82, "with:region": 0.83, "least:region": 0.01}, survey=known
    )
    assert giver.pairs == 0.83, "one is shown to add something"


def test_what_is_not_asked_any_more_stands_on_the_page() -> None:
    """Whoever signs later must not think that it was never there, nor that it may be asked all the same; to the public
    it is no part of the survey.
    """
    fewer = ASKED.with_options(columns=("condition", "income"))
    people = prepared(study=fewer)
    assert (people.unasked, prepared().unasked) == (("region",), ())
    assert "not asked others may hint region" in said(first_page.markup(facts(fewer, people), "", publishable=False))
    assert "region" not in said(first_page.markup(facts(fewer, people), "", publishable=True))
    for publishable in (False, True):
        assert "not asked" not in said(first_page.markup(facts(ASKED, prepared()), "", publishable))


def test_less_is_enough_for_the_marked_answers_alone(known) -> None:
    """Where the share that decides is not marked: a lower ε, at which theirs are within the goal, that one is not."""
    (lower, enough), goal = (known.needed_epsilon_of_marked, known.needed_epsilon), known.wanted
    assert not known.least_exact[1]
    assert lower < enough

    def worst(epsilon: float, marked: bool) -> float:
        study = replace(ASKED, epsilon=epsilon)
        here = facts(study, known.data).asked
        parts = {name: one.marked & (one.freq > 0) if marked else one.freq >= 0 for name, one in here.hidden.items()}
        errors = {name: here.hidden[name].built.variance(here.hidden[name].freq, here.n) for name in parts}
        return max(1.959964 * float(np.sqrt(errors[name][part].max())) for name, part in parts.items())

    assert worst(lower, marked=True) <= goal < worst(0.99 * lower, marked=True)
    assert worst(lower, marked=False) > goal
    assert f"marked answers alone ε = {words.epsilon(lower)} is enough" in said(exactness._of_marked(known))
    bare = facts(replace(ASKED, epsilon=1.0).with_options(within=1e-4), known.data)
    assert (bare.needed_epsilon, exactness._of_marked(bare)) == (None, "")


def test_the_surest_hundredth_is_no_less_than_the_own_report_tells(known) -> None:
    """Bayes' rule on the channel, report by report: an attack on a few people may say less, by chance."""
    one = known.every["condition"]
    channel, freq, marked = one.asked.built.channel().matrix, one.asked.freq, one.asked.marked
    rows = sorted(
        ((freq[marked] @ column[marked] / (freq @ column), freq @ column) for column in channel.T), reverse=True
    )
    left, hit = 0.01, 0.0
    for chance, sent in rows:
        hit, left = hit + min(sent, left) * chance, left - min(sent, left)
    assert surest(one.asked.built, marked, freq, 0.01) == pytest.approx(hit / 0.01)
    few = replace(one, told={**one.told, "surest": 0.0, "own:surest": 0.0})
    assert few.surest == pytest.approx(hit / 0.01)
    assert replace(one, told={**one.told, "surest": 1.0}).surest == 1.0


def test_all_reports_of_a_person_are_told_of_the_commonest_answer_whatever_its_own_epsilon(known) -> None:
    """The answer with the largest ε of a report may be rare: a common one is believed with more."""
    asked = ASKED.with_options(parts=("condition = 0.2",))
    parts = facts(asked, known.data)
    (fact, answer), (most, common) = parts.commonest, parts.commonest_of_all
    assert fact.asked.name == "income", "whose report has the largest ε"
    assert most.share_of(common) == max(
        one.share_of(label) for one in parts.every.values() for label in one.asked.marks
    ) >= fact.share_of(answer)  # fmt: skip
    odds = parts.odds["person"] * most.share_of(common) / (1 - most.share_of(common))
    assert parts.surer["person"] == pytest.approx(odds / (1 + odds))
    assert f"{most.asked.name}: {common} from" in said(" ".join(promises.open_(parts, publishable=False)))


def test_an_epsilon_of_each_question_stays_in_use_when_another_is_not_asked(known) -> None:
    """The option names a question more: it is nobody's now."""
    epsilon, parts = known.one_by_one
    used = replace(ASKED, epsilon=epsilon).with_options(parts=parts)
    assert facts(used, known.data).in_use
    assert facts(used.with_options(parts=(*parts, "region = 0.3")), known.data).in_use
    other = [f"{name} = {float(part) / 2}" for name, _, part in (text.rpartition(" = ") for text in parts)]
    assert not facts(used.with_options(parts=tuple(other)), known.data).in_use
