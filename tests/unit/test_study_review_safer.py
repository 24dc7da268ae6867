"""What is safer than all reports of a person, and what is paid for nothing: beside numpy."""

import math
from dataclasses import replace

import numpy as np
import pytest

from ldpcore import data
from ldpcore.study import Marks, Source, Study, review
from ldpcore.study.label import label
from ldpcore.study.review import prepare
from ldpcore.study.review.facts import ReviewFacts, facts

N, EPSILON = 3000, 2.0
SHARES = {"drug": [0.3, 0.1, 0.6], "vote": [0.2, 0.5, 0.3], "loan": [0.25, 0.35, 0.4], "rare": [0.002, 0.5, 0.498]}
MARKS = Marks.of([*(f"{name} = a" for name in SHARES)])
ASKED = Study(Source("invented"), "drug", MARKS, ("uRR",), epsilon=EPSILON, grid=(), task="review")


def table(gaps: int = 0) -> data.Table:
    """Answers a, b, c in these shares; the last question and the first miss some, in other rows."""
    columns = {}
    for name, shares in SHARES.items():
        counts = np.round(np.array(shares) * N).astype(int)
        columns[name] = list(np.random.default_rng(len(columns)).permutation(np.repeat([*"abc"], counts)))
    for row in range(gaps):
        columns["rare"][row] = ""
        columns["drug"][-1 - row // 2] = ""
    lines = [",".join([*columns, "sex"]), *(f"{','.join(row)},{'fm'[i % 2]}" for i, row in
                                            enumerate(zip(*columns.values(), strict=True)))]  # fmt: skip
    return data.read("\n".join(lines).encode(), "invented.csv")


def known(study: Study = ASKED, gaps: int = 0) -> ReviewFacts:
    return facts(study, prepare(study, table(gaps)))


def test_one_question_each_costs_what_asking_so_many_costs() -> None:
    """uRR of one marked answer, by numpy: who is asked is drawn by lot, and their share is estimated. 20 000 surveys
    each: a mean square is off by 1 %, the ± by half of it.
    """
    rng, k, surveys = np.random.default_rng(2), len(SHARES), 20_000
    stray = math.exp(-EPSILON)

    def spread(share: float, one_each: bool) -> float:
        people = rng.binomial(N, 1 / k, surveys) if one_each else np.full(surveys, N)
        holders = rng.hypergeometric(round(N * share), N - round(N * share), people)
        reports = holders + rng.binomial(people - holders, stray)  # of one marked answer: all holders, and by lot
        return float(np.std((reports / people - stray) / (1 - stray)))

    by_numpy = max(spread(shares[0], True) / spread(shares[0], False) for shares in SHARES.values())
    (way, *_) = known().safer
    assert way.how == "one"
    assert way.odds == pytest.approx(math.exp(EPSILON))
    assert way.wider == pytest.approx(by_numpy, rel=0.03)
    assert way.wider > math.sqrt(k)


def test_half_of_each_epsilon_is_offered_where_it_is_not_worse_in_both() -> None:
    two = known(replace(ASKED, marks=Marks.of(["drug = a", "vote = a"])))
    one, half = two.safer
    assert one.odds == pytest.approx(half.odds), "two questions: half of each is one of them"
    assert 1 < half.wider < one.wider
    few = replace(ASKED, epsilon=0.3)
    assert known(few).odds["person"] < 10
    assert known(few).safer == ()
    shared = ASKED.with_options(budget="person")
    assert known(replace(shared, epsilon=4.0)).odds["person"] == pytest.approx(math.exp(4))
    assert [way.how for way in known(replace(shared, epsilon=4.0)).safer] == ["half"], "one each has all of ε"
    ways = known(ASKED.with_options(parts=("rare = 0.25", "loan = 0.5"))).safer
    assert ways[0].odds == pytest.approx(math.exp(EPSILON))


def test_a_question_of_which_nothing_is_learned_costs_its_epsilon() -> None:
    parts = ("rare = 0.75",)
    survey = known(ASKED.with_options(parts=parts))
    assert survey.unlearned == ("rare",)
    assert survey.odds["person"] == pytest.approx(math.exp(3.75 * EPSILON))
    assert survey.odds_without == pytest.approx(math.exp(3 * EPSILON))
    dropped = replace(ASKED, marks=Marks.of([*(mark for mark in MARKS.values if "rare" not in mark)]))
    smaller = replace(dropped, options=dropped.changed_options(columns=("drug", "vote", "loan", "sex")))
    assert survey.odds_without == pytest.approx(known(smaller).odds["person"]), "as if it were not asked"
    assert known(ASKED.with_options(budget="person")).odds_without is None, "the others have its ε"
    assert known(ASKED.with_options(scheme="one")).odds_without is None, "nobody answers two"
    assert known(smaller).odds_without is None
    assert known(smaller).unlearned == ()
    alone = survey.asked.without(["rare"])
    assert (list(alone.hidden), alone.total) == (["drug", "vote", "loan"], 3 * EPSILON)


def test_what_an_answer_takes_is_its_question_s_epsilon() -> None:
    """With a part of ε of its own a question is asked with as much until its rarest answer is seen."""
    whole, part = (known(study).every["rare"] for study in (ASKED, ASKED.with_options(parts=("rare = 0.5",))))
    assert part.epsilon == EPSILON / 2
    assert whole.epsilon_to_see is not None
    assert part.epsilon_to_see == whole.epsilon_to_see


def test_gaps_are_counted_question_by_question() -> None:
    """A gap in any question leaves a person out; who they are is counted by hand."""
    people = prepare(ASKED, table(gaps=40))
    assert (people.dropped, people.gaps) == (60, {"rare": 40, "drug": 20})
    kept = prepare(replace(ASKED, missing="column"), table(gaps=40))
    assert (kept.dropped, kept.gaps["rare"]) == (0, 40)


def test_a_label_says_each_question_s_epsilon() -> None:
    record = label(ASKED.with_options(parts=("rare = 0.75", "vote = 0.5")), table())["deployment"]
    assert record["dp_flavor"]["bound_on_output_distance"] == "the ε of its question, 1 to 2"
    said = record["privacy_loss"]["privacy_parameters_description"]
    for name, spent in {"drug": "2", "vote": "1", "loan": "2", "rare": "1.5"}.items():
        assert f"ε = {spent} of “{name}”" in said
    assert record["privacy_loss"]["privacy_parameters"]["epsilon"] == pytest.approx(6.5)
    same = label(ASKED, table())["deployment"]
    assert same["dp_flavor"]["bound_on_output_distance"] == "ε = 2"
    shared = label(ASKED.with_options(budget="person"), table())["deployment"]
    assert shared["dp_flavor"]["bound_on_output_distance"] == "ε = 0.5"
    assert review.asked(ASKED, prepare(ASKED, table()), 2.0).each_spent == dict.fromkeys(SHARES, 2.0)
