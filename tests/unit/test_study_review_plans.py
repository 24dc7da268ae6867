"""Which ε serves all marked questions of a survey, what stays out of reach, and what lies do: against closed forms.

Everything here is exact: no check can fail by chance.
"""

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from ldpcore import data, plan
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.study import Marks, Source, Study, from_toml, query, review, to_toml
from ldpcore.study.definition import SECRET
from ldpcore.study.execute import prepare
from ldpcore.study.review import lies, plans
from ldpcore.study.review.facts import facts
from ldpcore.study.review.question import QuestionFacts

HEALTH = ("condition = HIV", "condition = hepatitis B", "condition = hepatitis C", "condition = drug dependence")
MARKS = (*HEALTH, "income = under 15 000", "income = 150 000 or more")
STUDY = Study(Source("health"), "condition", Marks.of(MARKS), grid=(), task="review", n=3000)
LEVELED = replace(STUDY, marks=Marks(tuple((m, SECRET if m in HEALTH else level) for m, level in STUDY.marks.levels)),
                  secret_epsilon=0.6)  # fmt: skip
CENSUS = Study(
    Source("census"),
    "marital-status",
    Marks.of(["marital-status = Divorced", "marital-status = Widowed", "income = >50K", "age = 70..90"]),
    grid=(),
    task="review",
)
SURVEYS = {
    "health": STUDY,
    "for one column too": replace(STUDY, column="income"),
    "one of them": STUDY.with_options(scheme="one"),
    "one person's": STUDY.with_options(budget="person"),
    "secret": LEVELED,
    "whole": replace(STUDY, mechanisms=("GRR", "OUE", "SS")),
    "steps": replace(STUDY, mechanisms=("SS", "uSS")),
    "hidden": STUDY.with_options(hidden=("smoking",)),
    "turns": replace(STUDY, mechanisms=("OUE", "GRR")),
    "census": CENSUS,
}


@cache
def people(name: str) -> review.SurveyTable:
    return prepare(SURVEYS[name])


def margins(study: Study, table: review.SurveyTable, epsilon: float, n: int | None = None) -> dict[str, np.ndarray]:
    """The half-width of every share of every hidden question at this ε: its own variance, and who is not asked."""
    here = plans.surveyed_at(replace(study, n=n or study.n), table, epsilon)
    out = {}
    for name, one in here.hidden.items():
        asked = max(1, round(here.n * one.chance))
        drawn = one.freq * (1 - one.freq) * (1 - one.chance)
        out[name] = NORMAL_95 * np.sqrt((one.built.variance(one.freq, 1) + drawn) / asked)
    return out


@pytest.mark.one_in(2)  # every survey at one or two of the three widths
@pytest.mark.parametrize("within", [0.05, 0.02, 0.011])
@pytest.mark.parametrize("name", SURVEYS)
def test_the_epsilon_found_serves_every_question(name: str, within: float) -> None:
    study, table = SURVEYS[name], people(name)
    found = plans.least_epsilon(study, table, within)
    if found is None:  # half the people are not asked it, which no ε mends
        assert max(each.max() for each in margins(study, table, plan.HIGHEST).values()) > within
        assert name == "one of them"
        return
    served = {question: float(each.max()) for question, each in margins(study, table, found).items()}
    assert max(served.values()) <= within * (1 + 1e-9), served
    alone = {question: plans.least_epsilon(study, table, within, [question]) for question in served}
    assert all(each is not None and each <= found for each in alone.values())
    for question, each in alone.items():
        assert margins(study, table, each or 1)[question].max() <= within * (1 + 1e-9)
    assert max(each.max() for each in margins(study, table, 0.97 * found).values()) > within, "and no more than needed"


@pytest.mark.parametrize("name", ["steps", "secret", "turns"])
def test_no_half_width_is_found_at_which_a_question_is_not_served(name: str) -> None:
    """Mechanisms take turns, and subset sizes are whole numbers: 60 half-widths are searched for one that fails."""
    study, table = SURVEYS[name], people(name)
    for within in np.geomspace(0.008, 0.2, 60):
        found = plans.least_epsilon(study, table, float(within))
        if found is None:
            assert max(each.max() for each in margins(study, table, plan.HIGHEST).values()) > within
            continue
        assert max(each.max() for each in margins(study, table, found).values()) <= within * (1 + 1e-9), within
        assert max(each.max() for each in margins(study, table, 0.97 * found).values()) > within, within


@pytest.mark.one_in(2)  # of all surveys the ε that is found is not too large, above; of all mechanisms: tests/laws
@pytest.mark.parametrize("name", SURVEYS)
def test_errors_do_not_rise_with_epsilon(name: str) -> None:
    """Of the marked answers, with the mechanism that is best there: a survey is never better off with less."""
    study, table = SURVEYS[name], people(name)
    grid = np.geomspace(0.2, 7.5, 60)
    errors = [plans.surveyed_at(study, table, float(x)).errors() for x in grid]
    for question in errors[0]:
        told = np.array([each[question][1] for each in errors])
        assert (told[1:] <= told[:-1] * (1 + 1e-9)).all(), question


@pytest.mark.parametrize("name", SURVEYS)
def test_so_many_people_are_enough_and_one_less_is_not(name: str) -> None:
    study, table, within = SURVEYS[name], people(name), 0.021
    n = plans.least_people(study, table, within)
    assert n is not None
    step = round(1 / next(iter(review.asked(study, table, study.epsilon).hidden.values())).chance)
    enough, less = (
        max(each.max() for each in margins(study, table, study.epsilon, people).values()) for people in (n, n - step)
    )
    assert enough <= within * (1 + 1e-9) < less


def test_what_no_epsilon_reaches_is_said() -> None:
    few, table = replace(STUDY, n=40), people("health")
    assert plans.least_epsilon(few, table, 0.001) is None
    assert min(each.max() for each in margins(few, table, plan.HIGHEST).values()) > 0.001


@pytest.mark.parametrize("name", ["health", "one of them", "census"])
def test_what_is_out_of_reach_comes_into_it(name: str) -> None:
    study, table = SURVEYS[name], people(name)
    study = replace(study, epsilon=1.0, n=3000)
    here = review.asked(study, table, study.epsilon)
    for question, answers in here.drowned().items():
        for answer in answers:
            one = here.hidden[question]
            at = one.labels.index(answer)
            n, epsilon = plans.out_of_reach(study, table, question, answer)
            assert n is not None
            step = round(1 / one.chance)
            assert margins(study, table, 1.0, n)[question][at] <= one.freq[at] * (1 + 1e-9)
            assert margins(study, table, 1.0, n - step)[question][at] > one.freq[at]
            if epsilon is not None:
                assert margins(study, table, epsilon)[question][at] <= one.freq[at] * (1 + 1e-9)
                assert margins(study, table, 0.97 * epsilon)[question][at] > one.freq[at]


def test_the_numbers_of_the_hospital() -> None:
    """HIV, hepatitis, drugs and two incomes, 3 000 people, ± 2: condition decides, which was not the last touched."""
    for column in ("condition", "income"):
        found = facts(replace(STUDY, column=column, epsilon=1.92).with_options(within=0.02), people("health"))
        assert found.needed_epsilons == {"condition": 1.92, "income": 1.61}
        assert (found.needed_epsilon, found.neediest) == (1.92, "condition")
    condition, income = found.every["condition"], found.every["income"]
    assert set(condition.rare) == {mark.removeprefix("condition = ") for mark in HEALTH}
    assert not condition.learned
    assert set(income.learned) == {"under 15 000", "150 000 or more"}
    assert condition.hardest <= 0.02 < margins(STUDY, people("health"), 1.61)["condition"].max()
    assert plans.out_of_reach(found.study, found.data, "condition", "HIV")[1] == 4.62
    assert (condition.nearest, condition.epsilon_to_see) == ("drug dependence", 3.4)
    assert found.odds["report"] == pytest.approx(np.exp(1.92))
    assert found.odds["person"] == pytest.approx(np.exp(3.84))
    assert found.believed["report"] == pytest.approx(1 / (1 + 99 / np.exp(1.92)))


@pytest.mark.parametrize("name", ["health", "secret", "whole", "census"])
def test_false_reports_are_counted_by_the_best_of_all_reports(name: str) -> None:
    """One less moves no share past its margin, whatever all the liars send; so many do."""
    study, table = SURVEYS[name], people(name)
    here = review.asked(study, table, study.epsilon)
    for one in here.hidden.values():
        found = lies.false_reports(one, here.n)
        assert set(found) == {label for label in one.marks if one.freq[one.labels.index(label)] > 0}
        best = one.built.listed_scores().max(axis=0) if one.key in ("GRR", "uRR") else None
        for label, count in found.items():
            at = one.labels.index(label)
            margin = NORMAL_95 * np.sqrt(one.built.variance(one.freq, here.n)[at])
            each = (best[at] - one.freq[at]) / here.n if best is not None else margin / (count - 0.5)
            assert (count - 1) * each <= margin < count * each


def test_who_denies_is_read_too_low_whatever_the_survey() -> None:
    found = [facts(replace(STUDY, epsilon=x, n=n).with_options(denying=4), people("health")).every["income"]
             for x, n in ((2.0, 3000), (4.0, 10**6))]  # fmt: skip
    freq = found[0].asked.freq
    table = np.eye(len(freq))  # T[x, x'] of those with x answer x'
    at = found[0].asked.labels.index("150 000 or more")
    table[at, at], table[at, 3] = 0.75, 0.25
    assert found[0].deniable == "150 000 or more", "the commonest of those that are marked"
    assert found[0].denied == found[1].denied == pytest.approx(freq[at] - (freq @ table)[at])


def test_nothing_is_denied_of_what_is_not_learned() -> None:
    found = facts(STUDY.with_options(within=0.02), people("health")).every["condition"]
    assert found.rare
    assert not found.learned
    assert found.denied is None
    assert found.false_reports == min(lies.false_reports(found.asked, 3000).values())


def test_what_is_wanted_or_supposed_changes_no_survey_and_travels() -> None:
    asked = STUDY.with_options(within=0.013, denying=7)
    assert review.identity(asked) == review.identity(STUDY)
    assert from_toml(to_toml(asked)) == asked
    back, refused = query.from_query(query.to_query(asked, True), Study(Source("health"), ""))
    assert isinstance(back, Study)
    assert (back.options, refused) == (asked.options, [])
    for wrong in ({"within": 0.6}, {"within": -0.1}, {"denying": 0}, {"denying": 2.5}):
        with pytest.raises((TypeError, ValueError), match=next(iter(wrong))):
            STUDY.with_options(**wrong)


def test_the_own_report_of_few_people_is_known_though_nobody_is_attacked() -> None:
    rows = "".join(f"{'HIV' if i < 18 else 'none'},{'ns'[i % 2]}\n" for i in range(400))
    table = data.read(f"illness,region\n{rows}".encode(), "clinic.csv")
    study = Study(Source("clinic.csv"), "illness", Marks.of(["illness = HIV"]), task="review", grid=())
    known = prepare(study, table)
    fact = facts(study, known).every["illness"]
    assert review.refusal(study, known, review.asked(study, known, 1.0), "illness")
    assert fact.own == pytest.approx(1 - np.exp(-1) / 2)  # uRR with one mark: it alone shows that it is none
    assert fact.exact
    assert not fact.attacked
    assert fact.pairs is None
    assert fact.interval is None


def test_chances_rise_with_odds() -> None:
    found = [facts(replace(STUDY, epsilon=x), people("health")).believed for x in (0.5, 1.0, 2.0)]
    assert all(one["report"] < one["person"] < 1 for one in found)
    assert all(one["report"] < two["report"] for one, two in pairwise(found))


@pytest.mark.parametrize("name", ["health", "one of them", "one person's", "secret", "census"])
def test_every_question_can_have_the_epsilon_that_it_needs(name: str) -> None:
    """Then each is within, none is better than it need be, and what a person sends adds up to less."""
    study, table = SURVEYS[name].with_options(scheme=SURVEYS[name].option("scheme"), within=0.03), people(name)
    found = facts(study, table)
    assert found.one_by_one is not None
    epsilon, parts = found.one_by_one
    part = (study.secret_epsilon or 0.0) / study.epsilon
    each = replace(study, epsilon=epsilon, secret_epsilon=part * epsilon or None).with_options(parts=parts)
    same = replace(each, options=study.options)
    after, before = facts(each, table), facts(same, table)
    assert each.option("parts")
    assert after.in_use
    assert before.in_use
    assert after.needed_epsilons == found.needed_epsilons, "which hang on no parts"
    for question, margin in after.plans.margins().items():
        assert 0.026 < margin <= 0.03 * (1 + 1e-9)
        assert after.asked.hidden[question].epsilon <= before.asked.hidden[question].epsilon
        alone = plans.surveyed_at(study, table, found.needed_epsilons[question] or 0.0)
        assert after.asked.errors()[question] == pytest.approx(alone.errors()[question], rel=1e-6)
    sums = (sum(one.epsilon for one in known.asked.hidden.values()) for known in (after, before))
    if study.option("scheme") == "all" and name != "secret":
        assert tuple(known.asked.promised() for known in (after, before)) == pytest.approx(tuple(sums))
        assert after.asked.promised() < before.asked.promised()
    back, refused = query.from_query(query.to_query(each, True), Study(Source(study.data.name), ""))
    assert isinstance(back, Study)
    assert (back.options, refused) == (each.options, [])


@pytest.mark.parametrize("name", ["health", "one of them", "one person's", "census"])
def test_what_is_advised_is_in_tenths_of_the_reports(name: str) -> None:
    """Of what a report spends, also where all that a person sends has one ε; and enough for what is wanted."""
    study, table = SURVEYS[name].with_options(within=0.03), people(name)
    epsilon, parts = facts(study, table).one_by_one_rounded or (0.0, ())
    each = facts(replace(study, epsilon=epsilon).with_options(parts=parts), table)
    assert all(round(10 * spent, 6).is_integer() for spent in each.asked.each_spent.values()), each.asked.each_spent
    assert max(each.plans.margins().values()) <= 0.03 * (1 + 1e-9)


def test_a_part_that_makes_no_sense_is_said() -> None:
    for wrong in ("income = 1.5", "income = much", "nothing = 0.5"):
        assert review.fit(STUDY.with_options(parts=(wrong,)), data.load("health"))[1], wrong
    gone = replace(STUDY, marks=Marks.of(HEALTH)).with_options(
        parts=("income = 0.5",), columns=("condition", "partners")
    )
    assert review.asked(gone, prepare(gone), 1.0).hidden["condition"].epsilon == 1.0, "which is not asked now"


@pytest.mark.parametrize(
    ("low", "least", "expected"), [(0.83, 0.0, 0.06), (0.79, 0.0, None), (0.83, 0.01, None)],
    ids=["together", "chance", "one by itself"],
)  # fmt: skip
def test_what_all_tell_together_where_none_does_by_itself(low: float, least: float, expected: float | None) -> None:
    found = facts(STUDY, people("health"))
    rows = {"own": 0.8, "own:low": 0.8, "own:high": 0.8, "pairs": 0.86, "pairs:low": low, "pairs:high": 0.89,
            "with:sex": 0.81, "least:sex": least}  # fmt: skip
    fact = QuestionFacts(found.asked.hidden["income"], 1e-4, rows, survey=found)
    assert fact.together == (None if expected is None else pytest.approx(expected))


def two_questions() -> tuple[Study, review.SurveyTable]:
    """Where one question needs more by itself, and the other decides what both need."""
    rng = np.random.default_rng(1)
    drawn = [rng.choice(k, 1000, p=rng.dirichlet(np.full(k, 0.5))) for k in (14, 28)]
    for codes, k in zip(drawn, (14, 28), strict=True):
        codes[:k] = np.arange(k)
    marks = Marks.of([*(f"a = a{i}" for i in range(10)), *(f"b = b{i}" for i in range(24))])
    study = Study(Source("two.csv"), "a", marks, grid=(), task="review").with_options(within=0.05)
    lines = [f"a{a},b{b}" for a, b in zip(*drawn, strict=True)]
    return study, prepare(study, data.read("\n".join(["a,b", *lines]).encode(), "two.csv"))


def test_the_question_that_decides_is_the_least_exact_there() -> None:
    """Not always the one that needs most by itself: at the ε of all a survey may take another mechanism for it."""
    study, table = two_questions()
    found = facts(study, table)
    needs = found.needed_epsilons
    assert max(needs, key=needs.__getitem__) == "b" != found.neediest == "a"
    cases = [(study, table), *((each.with_options(within=0.02), people(name)) for name, each in SURVEYS.items())]
    unmarked = set()
    for made, known in cases:
        found = facts(made, known)
        if found.needed_epsilon is None:
            continue
        errors = margins(made, known, found.needed_epsilon)
        worst = max(errors.values(), key=np.max).max()
        assert errors[found.neediest].max() == pytest.approx(worst, rel=1e-9)
        answer, marked = found.least_exact
        one = found.asked.hidden[found.neediest]
        assert errors[found.neediest][one.labels.index(answer)] == pytest.approx(worst, rel=1e-9)
        assert marked == bool(one.marked[one.labels.index(answer)])
        unmarked.add(marked)
    assert unmarked == {True, False}
