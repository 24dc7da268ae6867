"""What else to hide, on populations where it is plain: copies of the question, noisy ones, and columns of noise."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ldpcore import data, plan, questionnaire
from ldpcore.rng import stream
from ldpcore.study import Marks, Source, Study, review
from ldpcore.study.execute import prepare
from ldpcore.study.review import recommend

LABELS, SHARES = ("a", "b", "c", "d"), (0.2, 0.1, 0.4, 0.3)
MARKS = ("a", "b")
N = 6000
WIDE = 5.0  # standard errors: one false alarm in a million


def survey(**columns) -> tuple[Study, review.SurveyTable]:
    """The question q, and what stands beside it."""
    source = data.read(pd.DataFrame({"q": answers(), **columns}).to_csv(index=False).encode(), "people.csv")
    made = Study(Source.of(source), "q", Marks.of([f"q = {mark}" for mark in MARKS]), grid=(), task="review")
    return made, prepare(made, source)


def answers() -> np.ndarray:
    return np.array(LABELS)[stream(1, "answers").choice(4, N, p=SHARES)]


def noisy(flipped: float) -> np.ndarray:
    """Says whether the answer is marked, and errs with this chance."""
    says = np.isin(answers(), MARKS) ^ (stream(2, "flip", flipped).random(N) < flipped)
    return np.where(says, "yes", "no")


def told(channel: np.ndarray, freq: np.ndarray, marked: np.ndarray) -> float:
    """The pairs that the likelihood ratio tells apart, exactly: channel (answers, reports)."""
    of_marked = freq[marked] / freq[marked].sum() @ channel[marked]
    of_others = freq[~marked] / freq[~marked].sum() @ channel[~marked]
    ratio = of_marked / (of_marked + of_others)
    above = (ratio[:, None] > ratio + 1e-12) + 0.5 * (np.abs(ratio[:, None] - ratio) <= 1e-12)
    return float(of_marked @ above @ of_others)


def test_a_copy_comes_first_and_hidden_leaves_two_reports() -> None:
    """Its report is as good as a second one to the question itself: the product of the exact channels."""
    noise = stream(3, "noise").choice(["x", "y", "z"], N)
    made, people = survey(noise=noise, copy=answers())
    (extra,) = review.recommended(made, people, "q")
    assert (extra.column, extra.before) == ("copy", 1.0)
    here = review.asked(made.with_options(hidden=("copy",)), people, made.epsilon)
    one, two = here.hidden["q"], here.hidden["copy"]
    own, other = (each.built.channel().matrix for each in (one, two))
    both = (own[:, :, None] * other[:, None, :]).reshape(len(own), -1)
    exact, error = told(both, one.freq, one.marked), (extra.high - extra.low) / 2 / 1.96
    assert abs(extra.after - exact) < WIDE * error
    assert exact < 0.85 < extra.before
    assert extra.margin == here.margins["copy"].max() > 0
    assert extra.gap == pytest.approx(extra.after - extra.before)
    assert extra.low <= extra.gap <= extra.high < 0


def test_one_difference_has_one_interval() -> None:
    """Whoever asks what hiding the worst giver changes, and what to hide besides, is told the same of it: at the level
    of all that stands beside the question, open or not.
    """
    made, people = survey(better=noisy(0.1), worse=noisy(0.3), noise=stream(5, "noise").choice(["x", "y"], N))
    made = made.with_options(hidden=("noise",))
    first = review.recommended(made, people, "q", most=1)[0]
    change = next(each for each in review.changes(made, people, "q", first.column) if each.how == "hidden")
    assert (first.gap, first.low, first.high) == (change.gap, change.low, change.high)
    here = review.asked(made, people, made.epsilon)
    scene = review.scene(made, people, here.hidden["q"], here.others("q"))
    looks = len(here.others("q"))
    single = review.compare(made, made.with_options(hidden=("noise", first.column)), people, "q")
    assert single.gap == first.gap
    wider = (first.high - first.low) / (single.high - single.low)
    fewer = min(scene.crowd.exposed.sum(), (~scene.crowd.exposed).sum())
    each, alone = (stats.t.isf(stats.norm.sf(plan.quantile(0.95, many)), fewer - 1) for many in (looks, 1))
    assert wider == pytest.approx(each / alone)
    one, two = questionnaire.together(scene)
    assert (one.gain, one.low) == (questionnaire.predictors(scene)[0].gain, questionnaire.predictors(scene)[0].low)
    so_far = scene.before + scene.own + scene.told(one.column)
    told = [scene.odds(score) for score in (so_far, so_far + scene.told(two.column))]
    before, after = (scene.compared(odds) for odds in told)
    assert (two.gain, two.low, two.high) == questionnaire.difference(before, after, looks=looks)


def test_the_answers_that_tell_are_hidden_alone() -> None:
    """One answer of eight is given by few people, all marked, the others tell next to nothing: it alone is hidden."""
    ill = np.isin(answers(), MARKS)
    spread = np.array(list("stuvwxy"))[stream(6, "spread").choice(7, N)]
    made, people = survey(ward=np.where(ill & (stream(7, "ward").random(N) < 0.2), "z", spread))
    for seed in (2, 3, 4):  # whether chance adds another answer to it, and which, is the survey's luck
        found = {each.how: each for each in review.changes(replace(made, seed=seed), people, "q", "ward")}
        assert found["marked"].answers[0] == "z"
        assert found["marked"].high < 0
        assert found["marked"].margin < found["hidden"].margin
    # Where every answer says something, no few of them hide what the whole question does.
    made, people = survey(copy=answers())
    told = {each.how: each for each in review.changes(made, people, "q", "copy")}
    assert "marked" not in told or set(told["marked"].answers) <= set(LABELS)


def test_where_each_person_answers_one_the_own_report_is_left() -> None:
    made, people = survey(copy=answers())
    (extra,) = review.recommended(made.with_options(scheme="one"), people, "q")
    one = review.asked(made.with_options(scheme="one", hidden=("copy",)), people, made.epsilon).hidden["q"]
    exact = told(one.built.channel().matrix, one.freq, one.marked)
    assert abs(extra.after - exact) < WIDE * (extra.high - extra.low) / 2 / 1.96


def test_intervals_are_wide_enough_for_all_that_was_open(monkeypatch) -> None:
    """Where each person answers one question, what is hidden is not sent beside it: four were, and three are left."""
    looks = []

    def difference(*args, **options):
        looks.append(options["looks"])
        return questionnaire.difference(*args, **options)

    monkeypatch.setattr(recommend, "difference", difference)
    noise = stream(4, "noise").choice(["x", "y", "z"], (3, N))
    made, people = survey(copy=answers(), **{f"noise {i}": each for i, each in enumerate(noise)})
    assert review.recommended(made.with_options(scheme="one"), people, "q", most=1)
    assert set(looks) == {4}


def test_nothing_is_recommended_where_nothing_tells() -> None:
    noise = stream(4, "noise").choice(["x", "y", "z"], (6, N))
    made, people = survey(**{f"noise {i}": each for i, each in enumerate(noise)})
    assert review.recommended(made, people, "q") == []
    hidden = made.with_options(hidden=people.questions[1:])
    assert review.recommended(hidden, people, "q") == [], "nothing is open"


def test_two_noisy_copies_the_better_one_first() -> None:
    made, people = survey(worse=noisy(0.3), better=noisy(0.1), noise=stream(5, "noise").choice(["x", "y"], N))
    found = review.recommended(made, people, "q")
    assert [extra.column for extra in found] == ["better", "worse"]
    assert found[0].after == found[1].before
    assert not any(extra.none for extra in found)
    assert [extra.column for extra in review.recommended(made, people, "q", most=1)] == ["better"]


def test_of_two_copies_one_alone_changes_nothing() -> None:
    made, people = survey(copy=answers(), again=answers())
    first, second = review.recommended(made, people, "q")
    assert {first.column, second.column} == {"copy", "again"}
    assert first.none
    assert first.after == 1.0
    assert not second.none
    assert second.after < 0.9


def test_who_cannot_be_told_apart_needs_nothing() -> None:
    made, people = survey(copy=answers())
    every = replace(made, marks=Marks.of([*made.marks.values, *(f"copy = {label}" for label in LABELS)]))
    assert review.recommended(every, people, "copy") == []


def test_the_search_can_be_left_and_taken_up_again() -> None:
    made, people = survey(better=noisy(0.1), worse=noisy(0.3))
    search = review.Recommending(made, people, "q")
    steps = [next(search.work())]
    assert search.found is None
    steps += search.work()
    assert steps[:3] == [0, 1, 2]
    assert search.tried == 3, "no attack is made twice"
    assert search.found == review.recommended(made, people, "q")
    assert list(search.work()) == []
