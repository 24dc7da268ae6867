"""Surveys with secret, private and public answers: promises on exact product channels, errors, exposure per level."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest

from ldpcore import Marks, Source, Study, catalog, data, questionnaire, run
from ldpcore.channel import Channel, ReportColumn
from ldpcore.levels import Levels
from ldpcore.questionnaire import Allocation, SurveyQuestion
from ldpcore.rng import stream
from ldpcore.study import review

INF = math.inf
SHARES = np.array([0.5, 0.2, 0.2, 0.1])
LEVELS = np.array([INF, 1.0, 1.0, 0.25])


def product_channel(one: Channel, two: Channel) -> Channel:
    """Of both reports together, over all pairs of answers."""
    labels = [f"{a.label} {b.label}" for a, b in product(one.columns, two.columns)]
    return Channel(np.kron(one.matrix, two.matrix), tuple(ReportColumn(label) for label in labels))


@pytest.mark.parametrize("keys", [("gRR", "gRR"), ("gTable", "uSS"), ("gSub", "GRR")])
def test_the_promise_of_two_questions_on_the_product_channel(keys) -> None:
    """It composes value by value, and nothing smaller holds; the table says the largest of what it says of any pair."""
    levels = LEVELS, np.array([INF, 0.5, 1.0])
    asked = [
        SurveyQuestion(name, key, np.full(len(each), 1 / len(each)), levels=each)
        for name, key, each in zip("ab", keys, levels, strict=True)
    ]
    epsilon = 2.0  # of both together: shared alike
    kept = [each.kept(1.0) for each in asked]
    assert all((own <= each.epsilons(1.0)).all() for own, each in zip(kept, asked, strict=True))
    built = [catalog.ANSWERS[each.key].protecting(each.epsilons(1.0), 1.0).channel() for each in asked]
    both, whole = product_channel(*built), np.add.outer(*kept).ravel()
    assert Levels(whole).check(both).holds
    loss = both.privacy_loss().max(axis=1)
    hidden = np.isfinite(whole)
    np.testing.assert_allclose(loss[hidden], whole[hidden], atol=1e-9)
    (row,) = questionnaire.promise(asked, Allocation.everything("ab"), epsilon=epsilon).to_dict("records")
    assert row["marked"] == pytest.approx(whole[hidden].max())
    assert row["answer"] == pytest.approx(max(own[np.isfinite(own)].max() for own in kept))
    secret = np.logical_and.outer(asked[0].secret, asked[1].secret).ravel()
    assert row["secret"] == pytest.approx(whole[secret].max())
    assert row["secret"] < row["marked"] or "GRR" in keys


def test_equal_levels_are_no_levels_to_the_digit() -> None:
    scheme = Allocation.everything("ab")
    marked = np.isfinite(LEVELS)
    for key in ("uSS", "gSub", "GRR"):
        tables = [
            questionnaire.errors(
                [SurveyQuestion(name, key, SHARES, **asked) for name in "ab"], scheme, n=1000, epsilon=1.0
            )
            for asked in ({"sensitive": marked}, {"levels": np.where(marked, 1.0, INF)})
        ]
        pd.testing.assert_frame_equal(*tables)
        assert tables[0]["secret"].isna().all()


@pytest.mark.parametrize("wrong", [[1.0, 0.5], [INF, 1.0, 1.0, 0.0], [INF, 2.0, 1.0, 1.0]])
def test_levels_that_are_none_are_refused(wrong) -> None:
    with pytest.raises(ValueError, match="parts of the question"):
        SurveyQuestion("a", "gRR", SHARES, levels=wrong).epsilons(1.0)


def test_the_best_that_tells_secret_from_all_others() -> None:
    """Against every pair of reports, one by one."""
    built = catalog.LEVELS["gRR"].build(2 * LEVELS)
    secret = LEVELS < 1
    channel = built.channel().matrix
    of = [SHARES[kind] / SHARES[kind].sum() @ channel[kind] for kind in (secret, ~secret)]
    won = 0.0
    for y, z in product(range(channel.shape[1]), repeat=2):
        gap = of[0][y] * of[1][z] - of[0][z] * of[1][y]  # which of both reports is likelier a secret answer's
        won += of[0][y] * of[1][z] * (0.5 if abs(gap) < 1e-15 else float(gap > 0))
    assert questionnaire.best(built, secret, SHARES) == pytest.approx(won, abs=1e-12)


# the task ----------------------------------------------------------------------------------------------------------

N = 6000
MARKS = (("what = b", "sensitive"), ("what = c", "sensitive"), ("what = d", "secret"), ("other = y", "sensitive"))


@pytest.fixture(scope="module")
def source() -> data.Table:
    """Whoever answers d answers "tells" so too, in seven of eight cases; b and c tell nothing."""
    what = np.array(list("abcd"))[stream(1, "what").choice(4, N, p=SHARES)]
    slips, other = stream(2, "slips").random(N) < 0.125, stream(3, "other").choice(["x", "y"], N)
    tells = np.where((what == "d") ^ slips, "yes", "no")
    frame = pd.DataFrame({"what": what, "other": other, "tells": tells})
    return data.read(frame.to_csv(index=False).encode(), "people.csv")


@pytest.fixture(scope="module")
def asked(source) -> Study:
    marks = Marks(MARKS)
    return Study(
        Source.of(source), "what", marks, epsilon=2.0, secret_epsilon=0.5, grid=(), repetitions=1, task="review"
    )


@pytest.fixture(scope="module")
def people(asked, source) -> review.SurveyTable:
    return review.prepare(asked, source)


def test_each_question_gets_what_errs_least_on_its_marked_answers(asked, people) -> None:
    here = review.asked(asked, people, 2.0)
    one, other = here.hidden["what"], here.hidden["other"]
    assert one.epsilons.tolist() == [INF, 2.0, 2.0, 0.5]
    assert other.epsilons.tolist() == [INF, 2.0]
    errors = {
        key: catalog.ANSWERS[key].protecting(one.epsilons, 2.0).variance(one.freq, 1)[one.marked].mean()
        for key in review.CATALOG
    }
    assert one.key == min(errors, key=lambda key: errors[key])
    assert one.key in catalog.LEVELS  # treating the private ones as secret costs more
    assert other.key not in catalog.LEVELS  # where there is one level
    parts = here.by_level()
    assert list(parts) == ["what"]
    variance = one.built.variance(one.freq, N)
    assert parts["what"]["secret"] == pytest.approx(variance[3])
    assert parts["what"]["private"] == pytest.approx(variance[1:3].mean())
    assert (here.promised(), here.promised(secret=True)) == pytest.approx((4.0, 0.5))


def test_the_best_of_all_from_before_there_were_levels_is_still_the_best_of_all(asked, source) -> None:
    old = tuple(key for key in review.CATALOG if key not in catalog.LEVELS)
    assert review.fit(replace(asked, mechanisms=old), source)[0].mechanisms == asked.mechanisms
    assert review.fit(replace(asked, mechanisms=("uSS",)), source)[0].mechanisms == ("uSS",)


def test_a_shared_budget_shrinks_both_by_the_same_factor(asked, people) -> None:
    here = review.asked(asked.with_options(budget="person"), people, 2.0)
    assert here.hidden["what"].epsilons.tolist() == [INF, 1.0, 1.0, 0.25]
    assert (here.promised(), here.promised(secret=True)) == pytest.approx((2.0, 0.25))


def test_one_epsilon_for_all_is_the_survey_without_levels(asked, people) -> None:
    flat = replace(asked, marks=asked.marks.flat(), secret_epsilon=None)
    plain = review.asked(flat, people, 2.0)
    assert not plain.leveled
    assert plain.by_level() == {}
    for even in (replace(asked, secret_epsilon=None), replace(asked, secret_epsilon=2.0)):
        here = review.asked(even, people, 2.0)
        assert here.errors() == plain.errors()
        assert {n: one.key for n, one in here.hidden.items()} == {n: one.key for n, one in plain.hidden.items()}
        assert here.promised() == plain.promised() == 4.0
        assert here.leveled


def test_rows_are_told_per_level(asked, people, source) -> None:
    rows = run(asked, source)
    own = rows[rows["scope"] == "what"].set_index("metric")
    one = review.asked(asked, people, 2.0).hidden["what"]
    theory, value = own["theory"], own["value"]
    assert theory["mse:marked"] == pytest.approx((2 * theory["mse:private"] + theory["mse:secret"]) / 3)
    assert theory["epsilon:secret"] == value["epsilon:secret"] == 0.5
    assert value["own"] == questionnaire.best(one.built, one.marked, one.freq)
    assert value["secret own"] == questionnaire.best(one.built, one.secret, one.freq)
    # What others tell of the secret ones is known: d says yes in 7 of 8 cases, all others in 1 of 8.
    assert value["secret others:low"] < 1 - 0.125 < value["secret others:high"]
    assert value["secret others"] < value["secret pairs"]
    found = review.compare(asked, asked, people, "what", secret=True)
    assert found.after.pairs == value["secret pairs"]
    assert found.none
    assert set(rows[rows["metric"].str.startswith("secret ")]["scope"]) == {"what"}


def test_surveys_err_per_level_as_the_formula_says(asked, people) -> None:
    """The mean of 200 surveys within five standard errors (one false alarm in a million)."""
    here = review.asked(asked, people, 2.0)
    drawn = [dict(review.surveyed(asked, people, here, "what", r)) for r in range(200)]
    for level, exact in here.by_level()["what"].items():
        found = np.array([each[f"mse:{level}"] for each in drawn])
        assert abs(found.mean() - exact) < 5 * found.std() / np.sqrt(200)


def test_what_gives_the_secret_ones_away_is_recommended(asked, people) -> None:
    (extra,) = review.recommended(asked, people, "what", secret=True)
    assert extra.column == "tells"
    assert extra.high < 0
    dropped = review.changes(asked, people, "what", "tells", secret=True)[-1]
    assert (dropped.how, dropped.before) == ("dropped", extra.before)
    assert dropped.high < 0
    here = review.asked(asked, people, 2.0)
    assert review.refusal(asked, people, here, "what", secret=True) == ""
    assert "secret" in review.refusal(asked, people, here, "other", secret=True)


def test_one_answer_that_is_marked_is_not_known_beforehand() -> None:
    told = questionnaire.rounds("uRR", k=4, sensitive=[True, False, False, False], epsilon=1.0, n=N, counts=(1, 4))
    told = told.set_index(["way", "rounds"])["success"]
    built = catalog.FREQUENCY["uRR"].build(1.0, 4, [True, False, False, False])
    likeliest = built.channel().matrix.argmax(axis=0) == 0
    assert told["fresh", 1] == pytest.approx(built.channel().matrix[0][likeliest].sum())
    assert told["once, all ε", 4] > told["fresh", 1] or told["fresh", 1] == 1.0


def test_asked_again_the_secret_answer_is_told_more_often() -> None:
    """One report is exact: whoever knows that it is one of two secret answers."""
    levels, secret = [INF, 1.0, 0.25, 0.25], [False, False, True, True]
    for key in ("gRR", "uSS", "gTable"):
        told = questionnaire.rounds(
            key, k=4, sensitive=secret, levels=levels, epsilon=2.0, n=N, counts=(1, 8), attacks=2000
        )
        told = told.set_index(["way", "rounds"])
        bound = math.exp(0.5) / (math.exp(0.5) + 1)
        assert told.loc[("fresh", 1), "success"] <= bound + 1e-12
        assert told.loc[("fresh", 8), "low"] > told.loc[("fresh", 1), "success"]
        assert told.loc[("once, all ε", 8), "epsilon"] == (10.0 if key == "gTable" else 16.0)  # gTable's largest
