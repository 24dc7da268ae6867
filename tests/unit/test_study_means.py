"""The means task of a Study: marks as text, the public range, its rows, and every refusal."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from ldpcore import data
from ldpcore.domain import Interval
from ldpcore.numeric_randomizer import FITTED
from ldpcore.rng import stream
from ldpcore.study import Choice, Marks, Source, Study, from_toml, intervals, means, run, to_toml
from ldpcore.study.means import exposure, limit, reports
from ldpcore.study.means.spreads import spreads
from tests.each import for_each

PUBLIC = Interval(0, 100)


def table(values, name="t.csv"):
    text = "age,who\n" + "\n".join(f"{'' if v is None else v},x" for v in values) + "\n"
    return data.read(text.encode(), name)


AGES = np.round(np.clip(stream(1, "ages").normal(45, 15, 3000), 1, 120), 1).tolist()
TABLE = table([*AGES, None, None])
STUDY = Study(
    Source("t.csv"),
    "age",
    marks=Marks.of(["70..100"]),
    mechanisms=("PM", "SDPM", "uTernary"),
    task="means",
    bins=(0, 100, 32),
    grid=(0.5, 2.0),
    repetitions=2,
)


def prepared(**changes):
    study = replace(STUDY, **changes)
    return study, means.prepare(study, TABLE)


# marks as text -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", [(60, 80), (-5.5, 0.1), (1e-7, 1e9), (-3, -1)])
def test_an_interval_reads_back(pair):
    assert intervals.parse(intervals.written(*pair)) == pair


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["60"], "written with two numbers and two dots between them, such as 60..80; got '60'"),
        (["a..b"], "got 'a..b'"),
        (["80..60"], "a start below its end, got '80..60'; an empty one marks nobody"),
        (["60..60"], "got '60..60'"),
        (["60..inf"], "must be finite numbers, got '60..inf'"),
        (["10..30", "20..40"], r"the intervals 10..30 and 20..40 overlap; join them into 10..40"),
        (["120..130"], "120..130 lies outside the public range 0..100"),
    ],
)
def test_intervals_that_make_no_sense(texts, message):
    with pytest.raises(ValueError, match=f"the marks make no sense: .*{message}"):
        prepared(marks=Marks.of(texts))


def test_marked_ends_are_sensitive():
    low = intervals.complement([(60, 80)], PUBLIC)
    ends = PUBLIC.encode(np.array([60, 80, 59.999, 80.001]))
    inside = [any(a <= x <= b for a, b in low) for x in ends]
    assert inside == [False, False, True, True]


def test_nothing_and_everything_marked():
    assert intervals.complement([], PUBLIC) == ((-1, 1),)
    assert intervals.complement([(0, 100)], PUBLIC) == ()
    assert intervals.complement(intervals.parse_all(["-50..30", "90..200"], PUBLIC), PUBLIC)[0][1] < 0.81
    assert intervals.outer(0, PUBLIC) == []
    assert intervals.outer(1, PUBLIC) == [(0, 100)]
    assert intervals.outer(0.5, PUBLIC) == [(0, 25), (75, 100)]
    with pytest.raises(ValueError, match=r"between 0 and 1, got 1\.5"):
        intervals.outer(1.5, PUBLIC)


# the data ----------------------------------------------------------------------------------------------------------


def test_the_public_range_clips_and_says_so():
    study, found = prepared(bins=(20, 60, 16), marks=Marks.of(["20..60"]))
    ages = np.array(AGES)
    assert found.n == 3000
    assert found.dropped == 2
    assert found.clipped == np.count_nonzero((ages < 20) | (ages > 60))
    assert found.mean == pytest.approx(np.clip(ages, 20, 60).mean())
    assert found.hidden == pytest.approx(ages.mean() - np.clip(ages, 20, 60).mean())
    assert found.shares.sum() == pytest.approx(1)
    assert len(found.labels) == 16
    assert found.unit == 20
    assert means.current(study, found) == 1.0


@for_each(
    ("changes", "message"),
    [
        ({"bins": None}, r"numbers need a public range .* such as \[0, 100, 64\]"),
        ({"bins": (50, 50, 8)}, "the public range needs two finite ends with low < high"),
        ({"missing": "category"}, "a missing number has no place in a mean"),
        ({"bins": (200, 300, 8)}, "every number of “age” is 200 within the public range 200 to 300"),
        ({"options": (("estimates", ("median",)),)}, "some of mean, unbiased, em, mle, ems, got 'median'"),
        ({"options": (("delta", -1.0),)}, "the option delta must be positive, in the column's units, got -1"),
        ({"options": (("choose", (0.5,)),)}, "the means task has no option choose"),
        ({"choices": (Choice(Marks.of(["old"]), 0.5),)}, "the marks make no sense"),
        ({"choices": (Choice(Marks(), 0.5, 0.6),)}, "with another share among holders in frequency, not in means"),
        ({"options": (("wish", 1),)}, "the means task has no option wish"),
        ({"mechanisms": ("GRR",)}, "'GRR' belongs to the task frequency, not to means"),
    ],
)
def test_studies_that_make_no_sense(changes, message):
    with pytest.raises(ValueError, match=message):
        run(replace(STUDY, **changes), TABLE)


def test_columns_that_make_no_sense():
    with pytest.raises(ValueError, match="holds text, not numbers"):
        run(STUDY, table(["tall", "short"] * 20))
    with pytest.raises(ValueError, match="every number of “age” is 7 within"):
        run(STUDY, table([7] * 20))
    infinite = data.Table("t.csv", "", pd.DataFrame({"age": [1.0, np.inf, 3.0]}))
    with pytest.raises(ValueError, match="holds 1 infinite number"):
        run(STUDY, infinite)


def test_the_first_column_of_numbers_is_proposed():
    words = data.read(b"town,state\n" + b"Rome,new\nOslo,old\nBonn,old\n" * 9, "towns.csv")
    assert means.default_column(words) == ""
    people = data.read(
        b"town,age,pay\n" + b"".join(b"Rome,%d,%d\n" % (20 + i, 900 + i) for i in range(40)), "people.csv"
    )
    assert means.default_column(people) == "age"
    assert means.fit(replace(STUDY, column=""), people)[0].column == "age"


def test_ten_people_are_enough_to_run():
    rows = run(replace(STUDY, grid=()), table(range(30, 40)))
    assert np.isfinite(rows["value"]).all()


# the rows ----------------------------------------------------------------------------------------------------------


def test_the_file_reads_back():
    study = replace(STUDY, options=(("estimates", ("em",)),), choices=(Choice(Marks.of(["0..10"]), 0.75),))
    assert from_toml(to_toml(study)) == study


@pytest.fixture(scope="module")
def first():
    return run(STUDY, TABLE)


def test_the_same_rows_with_many_workers(first):
    with ThreadPoolExecutor(2) as executor:
        pd.testing.assert_frame_equal(first, run(STUDY, TABLE, executor))
    alone = run(replace(STUDY, mechanisms=("SDPM",)), TABLE)
    again = first[first["mechanism"] == "SDPM"].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, again)


def test_what_a_study_has(first):
    assert set(first["task"]) == {"means"}
    found = {m: set(part["metric"]) for m, part in first.groupby("mechanism")}
    own = {"mse:mean", "estimate:mean", "bits", "guessed", "proved"}
    fitted = {f"{name}:{how}" for how in ("em", "mle") for name in ("mse", "estimate", "share")}
    assert found["uTernary"] == own
    assert found["PM"] == own | fitted
    assert found["SDPM"] == own | fitted | {"mse:unbiased", "estimate:unbiased"}
    closed = first[first["metric"].isin(["mse:mean", "mse:unbiased", "estimate:mean", "guessed"])]
    assert closed["theory"].notna().all()
    assert first.loc[first["metric"] == "mse:em", "theory"].isna().all()
    shares = first[(first["metric"] == "share:em") & (first["repetition"] == 0) & (first["mechanism"] == "PM")]
    assert shares["value"].sum() == pytest.approx(1)
    assert shares["theory"].sum() == pytest.approx(1)
    assert set(shares["x"]) == {1.0}


def test_errors_are_what_theory_says():
    """60 surveys: the mean squared error within 5 sd (its sd is √(2/60) of it)."""
    study = replace(STUDY, grid=(), epsilon=1.0, repetitions=60, options=(("estimates", ("mean", "unbiased")),))
    rows = run(study, TABLE)
    for _, part in rows[rows["metric"].str.startswith("mse")].groupby(["mechanism", "metric"]):
        assert part["value"].mean() / part["theory"].iloc[0] == pytest.approx(1, abs=5 * np.sqrt(2 / 60))
    mean = rows[(rows["metric"] == "estimate:mean") & (rows["mechanism"] == "PM")]
    assert mean["theory"].iloc[0] == pytest.approx(np.clip(AGES, 0, 100).mean())
    for metric in ("guessed", "proved"):
        for key, part in rows[(rows["metric"] == metric) & (rows["scope"] == "all")].groupby("mechanism"):
            exact = part["theory"].iloc[0]
            spread = np.sqrt(exact * (1 - exact) / (60 * 200))
            assert part["value"].mean() == pytest.approx(exact, abs=5 * spread + 1e-12), (metric, key)


def test_more_people_and_a_larger_share_marked():
    study, found = prepared(axis="n", grid=(500.0, 1e7), mechanisms=("PM",))
    mse = means.theory(study, found).query("metric == 'mse:mean'").set_index("x")["theory"]
    assert mse[500.0] / mse[1e7] == pytest.approx(1e7 / 500, rel=0.02)
    rows = means.chunks(study, found)[0]()
    assert set(rows["x"]) == {500.0, 3000.0, 1e7}
    study, found = prepared(axis="share", grid=(0.25, 0.75), mechanisms=("SDPM",))
    assert means.points(study, found) == [0.25, 0.3, 0.75]
    low = means.cell(study, found, "SDPM", 0.75).groups[0].mechanism.low
    np.testing.assert_allclose(low, [(-0.25, 0.25)], atol=1e-9)


def test_people_who_choose():
    """The share-weighted estimate has no bias; the other has what its weights say."""
    study, found = prepared(
        marks=Marks.of(["0..10", "90..100"]), choices=(Choice(Marks.of(["0..40", "60..100"]), 0.5),),
        mechanisms=("SDPM",), grid=(), repetitions=20, bins=(0, 100, 8), options=(("estimates", ("unbiased", "em")),),
    )  # fmt: skip
    mine = run(study, TABLE)
    assert {"mse:unbiased", "mse:unbiased:minimum-variance", "mse:em", "mse:em:minimum-variance"} <= set(mine["metric"])
    truth = mine[mine["metric"] == "estimate:unbiased"]
    assert truth["theory"].iloc[0] == pytest.approx(found.mean)
    exact = mine[mine["metric"] == "mse:unbiased"]
    assert exact["value"].mean() / exact["theory"].iloc[0] == pytest.approx(1, abs=5 * np.sqrt(2 / 20))
    assert not any(how in metric for how in FITTED for metric in mine.dropna(subset="theory")["metric"])


def test_what_is_told_of_people_who_choose_is_of_them_all():
    """Not of the first group: an estimate's spread is that of its rows, and answers are disclosed in every group."""
    study, found = prepared(
        marks=Marks.of(["80..100"]), choices=(Choice(Marks.of(["40..100"]), 0.7),), mechanisms=("SDPM",), grid=(),
        repetitions=2, options=(("estimates", ("unbiased",)), ("attacks", 0)),
    )  # fmt: skip
    rows = run(study, TABLE)
    (spread,) = spreads(study, found, rows)
    exact = rows[rows["metric"] == "mse:unbiased"]
    assert spread.typical**2 == pytest.approx(exact["theory"].iloc[0])
    assert spread.errors**2 == pytest.approx(exact["value"].to_numpy())
    here = means.cell(study, found, "SDPM", 1.0)
    alone = [reports.disclosed(replace(here, groups=(group,)), found) for group in here.groups]
    together = reports.disclosed(here, found)
    assert together.people == pytest.approx(sum(each.people for each in alone))
    assert all(each.people > 0.05 * together.people for each in alone)
    assert limit.distances(study, found).empty


# --- levels ---

LEVELED = replace(
    STUDY,
    marks=Marks((("50..70", "sensitive"), ("70..80", "secret"), ("80..100", "sensitive"))),
    mechanisms=("PM", "uTernary", "gPM", "gTable"),
    secret_epsilon=0.5,
    epsilon=2.0,
    grid=(8.0,),
).with_options(estimates=("mean",))


def test_marked_ends_belong_to_the_more_protected_part():
    parts = means.parts(*prepared(marks=LEVELED.marks, secret_epsilon=0.5)[:2], 2.0)
    ends = PUBLIC.encode(np.array([49.9, 50, 60, 70, 75, 80, 90, 100]))
    assert parts.at(ends).tolist() == [np.inf, 2.0, 2.0, 0.5, 0.5, 0.5, 2.0, 2.0]
    beside = intervals.parts([((20.0, 60.0), 1.0), ((60.0, 80.0), 1.0)], PUBLIC)
    assert beside.epsilons.tolist() == [np.inf, 1.0, np.inf]
    assert beside.public == intervals.complement([(20.0, 80.0)], PUBLIC)
    assert intervals.parts([], PUBLIC).epsilons.tolist() == [np.inf]


def test_a_secret_interval_has_its_own_epsilon_and_costs_less_than_all_secret():
    rows = run(LEVELED, TABLE)
    here = rows[rows["x"] == 2.0]
    error = here[here["metric"] == "mse:mean"].groupby("mechanism")["theory"].first()
    assert error["gTable"] < 0.7 * error["uTernary"]
    assert error["gTable"] < error["gPM"] < error["PM"]
    scopes = set(here[here["metric"] == "guessed"]["scope"])
    assert scopes == {"all", "sensitive", "private", "secret", "other"}
    study, data_ = LEVELED, means.prepare(LEVELED, TABLE)
    for key in LEVELED.mechanisms:
        m = means.cell(study, data_, key, 2.0).groups[0].mechanism
        verdict = means.parts(study, data_, 2.0).policy(m.points).check(m.channel())
        assert verdict.holds, verdict.why
    # The table is made up to ε = 6: there is no such cell beyond, and all others are there.
    assert not means.exists(study, data_, "gTable", 8.0)
    assert set(rows[rows["x"] == 8.0]["mechanism"]) == {"PM", "uTernary", "gPM"}


def test_with_one_level_nothing_changes():
    study, data_ = prepared(marks=Marks((("70..100", "secret"),)), secret_epsilon=None)
    plain, same = prepared()
    for key in ("PM", "uTernary"):
        one, other = (means.cell(s, d, key, 0.5).groups[0] for s, d in ((study, data_), (plain, same)))
        assert one.moments("mean") == other.moments("mean")


def test_the_limit_knows_levels():
    rows = limit.distances(replace(LEVELED, grid=(), mechanisms=("uTernary", "gTable")), means.prepare(LEVELED, TABLE))
    times = rows.set_index("mechanism")["times the limit"]
    floor = rows.set_index("mechanism")["limit"]
    assert 1 <= times["gTable"] < 1.1
    assert floor["gTable"] < floor["uTernary"]


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 8.0])
def test_whole_numbers_are_guessed_as_often_as_theory_says(epsilon):
    """60 surveys of 2000 attacks on ages, few of which are a bin's midpoint: within 5.5 standard errors (1e-6 over
    all); where the reports were those of midpoints it was a third less of PM and SW at ε = 1.
    """
    marks = Marks.of(["17..25", "60..70"])
    study = Study(Source("census"), "age", marks, ("PM", "SW", "HM", "uTernary"), bins=(17, 90, 64), task="means")
    study = replace(study, epsilon=epsilon, grid=()).with_options(attacks=2000, estimates=("mean",))
    people = means.prepare(study, data.load("census"))
    for key in study.mechanisms:
        here = means.cell(study, people, key, epsilon)
        exact = {scope: value for metric, scope, value in exposure.exposed(people, here, 0.2) if metric == "guessed"}
        drawn = [dict(_guesses(people, here, each)) for each in range(60)]
        for scope, chance in exact.items():
            found = np.array([each[scope] for each in drawn])
            assert abs(found.mean() - chance) < 5.5 * found.std() / np.sqrt(60) + 1e-3, (key, scope)


def _guesses(people, here, each):
    rows = exposure.attack(people, here, 0.2, 2000, stream(each, "guesses"))
    return ((scope, value) for metric, scope, value in rows if metric == "guessed")
