"""What curves draw, the plane, cells of ranges and tables of sets: held against the studies that they are of."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from ldpcore import catalog, data
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.study import Marks, Source, Study, frequency, itemsets, means, run, sets, summary
from ldpcore.study import curves as drawn
from ldpcore.study.frequency import curves, facts
from ldpcore.study.frequency.facts import plane
from ldpcore.study.means import curves as mean_curves
from ldpcore.study.means import lines, reports
from ldpcore.study.ranges import facts as range_facts
from ldpcore.study.ranges import local, release
from ldpcore.study.ranges.column_cells import RangeCells
from ldpcore.study.sets import curves as set_curves
from ldpcore.study.sets import point, tables

LEVELS = Marks((("HIV", "secret"), ("cancer", "secret"), ("hepatitis B", "sensitive")))


@pytest.fixture(scope="module")
def health() -> data.Table:
    return data.load("health")


def of(task: str, column: str, *mechanisms: str, marks: Marks = Marks(), **fields) -> Study:  # noqa: B008
    return Study(Source("health"), column, marks, mechanisms, grid=(), task=task, **fields)


# cells of no study ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("secret", [None, 0.4, 3.0])
def test_a_cell_of_no_study_is_that_of_a_study(health, secret):
    """Of every mechanism, with levels and without; a secret ε above the others' is theirs."""
    counted = health.categorical("condition")
    for marks in (LEVELS, LEVELS.flat()):
        study = of("frequency", "condition", *catalog.ANSWERS, marks=marks, epsilon=1.2, secret_epsilon=secret)
        known = facts.facts(study, counted).every
        alone = facts.under(counted, marks, catalog.ANSWERS, 1.2, secret)
        assert list(alone) == list(known)
        for key, one in alone.items():
            assert one.variance == pytest.approx(known[key].variance, rel=1e-12)
            assert one.cell.epsilons.tolist() == known[key].cell.epsilons.tolist()
            assert one.secret.tolist() == known[key].secret.tolist()


def test_the_best_are_searched_among_all_there_is(health):
    """Whatever is compared: the most exact of every promise."""
    counted = health.categorical("condition")
    study = of("frequency", "condition", "GRR", marks=LEVELS.flat())
    whole, marked = facts.best(study, counted)
    every = facts.under(counted, study.marks, catalog.FREQUENCY, study.epsilon)
    for key, promise in ((whole, "LDP"), (marked, "ULDP")):
        least = min(one.error() for one in every.values() if one.promise == promise)
        assert every[key].promise == promise
        assert every[key].error() == pytest.approx(least, rel=1e-9)


def test_of_those_that_tie_the_one_is_named_that_is_compared(health):
    """At so large an ε uSS is uRR, and SS is GRR: whoever compares the latter reads of these."""
    counted = health.categorical("condition")
    for pair in (("GRR", "uRR"), ("SS", "uSS")):
        assert facts.best(of("frequency", "condition", *pair, marks=LEVELS.flat(), epsilon=8.0), counted) == pair


# curves --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("quantity", "times"), [("points", 100 * NORMAL_95), ("typical", 100.0)])
def test_lines_at_the_studys_own_point_are_its_facts(health, quantity, times):
    counted = health.categorical("condition")
    study = of("frequency", "condition", "SS", "uSS", marks=LEVELS.flat())
    view = replace(curves.plain(study, counted), quantity=quantity, scope="sensitive", dense=(0.5, 1.0))
    theory = frequency.theory(view.theoretical(study), counted)
    rows = drawn.error_lines(view, theory)
    won = drawn.success_lines(view, theory)
    for key, one in facts.facts(study, counted).every.items():
        at = (rows["mechanism"] == key) & np.isclose(rows["x"], study.epsilon)
        assert rows[at]["value"].iloc[0] == pytest.approx(times * one.error("sensitive"))
        at = (won["mechanism"] == key) & np.isclose(won["x"], study.epsilon)
        assert won[at]["value"].iloc[0] == pytest.approx(100 * one.targeted)


@pytest.mark.parametrize("axis", frequency.AXES)
def test_curves_of_shares_do_not_move_with_epsilon_where_it_is_the_axis(health, axis):
    counted = health.categorical("condition")
    study = of("frequency", "condition", "uSS", marks=LEVELS.flat(), axis=axis)
    other = replace(study, epsilon=1.3)
    view = replace(curves.plain(study, counted), axis=axis, grid=(0.5, 1.0))
    assert (view.simulated(study) == view.simulated(other)) == (axis == "epsilon")
    grid, dense = curves.grids(axis, study, counted)
    assert list(dense) == sorted(dense)
    assert dense[0] <= min(grid)
    assert max(grid) <= dense[-1]
    assert view.at(study, counted) == pytest.approx(frequency.current(study, counted) * (100 if axis == "share" else 1))


def test_simulated_marks_are_the_summary(health):
    counted = health.categorical("condition")
    study = of("frequency", "condition", "uSS", marks=LEVELS.flat(), repetitions=3)
    view = replace(curves.plain(study, counted), grid=(0.5, 1.0))
    made = view.simulated(study)
    rows = summary(made, counted, run(made, health))
    mse = rows[(rows["metric"] == "mse") & (rows["scope"] == "all")].sort_values("x")
    marks = drawn.error_marks(view, rows).sort_values("x")
    for end in ("value", "low", "high"):
        assert marks[end].to_numpy() == pytest.approx(100 * NORMAL_95 * np.sqrt(mse[end].to_numpy()))
    both = plane.simulated(view, rows, 0.6)
    assert both["value"].tolist() == pytest.approx(marks[marks["x"] <= 0.6]["value"].tolist())
    assert both["x"].tolist() == pytest.approx(drawn.success_marks(view, rows).sort_values("x")["value"].tolist()[:1])


def test_the_plane_stands_on_its_own_curves(health):
    """A mechanism's mark is the point of its curve at the chosen ε, and no mechanism is below the edge there."""
    counted = health.categorical("condition")
    study = of("frequency", "condition", "SS", "uSS", marks=LEVELS.flat())
    view = replace(curves.plain(study, counted), scope="sensitive", dense=(0.5, 1.0))
    every = facts.facts(study, counted).every
    standing = plane.standing(every, view).set_index("mechanism")
    along = plane.curves_of(view, frequency.theory(view.theoretical(study), counted))
    at = along[np.isclose(along["epsilon"], study.epsilon)].set_index("mechanism")
    pd.testing.assert_frame_equal(standing, at.loc[standing.index, ["x", "value"]], check_like=True)
    edge = plane.edge(study, counted, every["uSS"], view)
    for _, row in standing.iterrows():
        assert np.interp(row["x"], edge["x"], edge["value"]) <= row["value"] * 1.02
    many = plane.with_closed_form(edge, study, every["uSS"])["many"]
    assert np.isfinite(many).any()


def test_means_guesses_and_lines_are_those_of_the_study(health):
    study = of("means", "age", "PM", "uTernary", marks=Marks.of(["80..98"]), bins=(18, 98, 32))
    numbers = means.prepare(study, health)
    rows = reports.near(study, numbers, (0.5, 1.0), 7.4)
    alone = reports.guessed(study.with_options(delta=7.4), numbers, (0.5, 1.0))
    order = ["mechanism", "x", "scope"]
    pd.testing.assert_frame_equal(
        rows.sort_values(order).reset_index(drop=True), alone.sort_values(order).reset_index(drop=True)
    )
    made = mean_curves.along(study, "n", (100.0, 1000.0), ("mean",))
    theory = means.theory(made, numbers)
    unit = lines.unit("margin", numbers)
    shown = lines.lines(theory, [("PM", "mean")], unit).set_index("x")["value"]
    exact = means.cell(replace(study, n=1000), numbers, "PM", study.epsilon).groups[0].moments("mean")[1] ** 0.5
    assert shown[1000.0] == pytest.approx(NORMAL_95 * exact * numbers.unit)
    assert mean_curves.limited(study, numbers, "n", 1234.0, 0.0) == (study, 1234)
    assert mean_curves.limited(study, numbers, "epsilon", 0.3, 0.0)[0].epsilon == 0.3
    asked, people = mean_curves.limited(study, numbers, "share", 0.4, 0.25)
    assert people == numbers.n
    assert sum(high - low for low, high in means.pairs(asked.marks, numbers.interval)) == pytest.approx(0.4 * 80)


# ranges, sets, itemsets ----------------------------------------------------------------------------------------------


def test_every_number_lies_in_its_cell_and_a_release_is_the_studys(health):
    study = of("ranges", "age", "Identity", bins=(0, 128, 64))
    cells, ages = RangeCells.of(study, health, (20, 60, 64)), health.numbers("age", "any")
    assert cells.counts.sum() == cells.truth(1, cells.k) == len(ages)
    assert cells.clipped == ((ages < 20) | (ages > 60)).sum()
    for place, (low, high) in enumerate(zip(*cells.ends, strict=True), 1):
        assert (cells.cell(low), cells.cell(high, True)) == (place, place)
        inside = ((ages >= low) & (ages <= high)).sum()
        assert cells.truth(place, place) == inside
    pair = cells.proposed()[1]
    alone = release.asking(study, ("Identity",), (pair,))
    rows = run(alone, health)
    estimate = rows[(rows["metric"] == "estimate") & (rows["repetition"] == 2)]["value"].iloc[0]
    assert release.published(alone, cells.counted, "Identity", 2) == pytest.approx(estimate)
    exact = local.theory(alone, cells.counted).set_index("mechanism")["theory"]
    known = range_facts.facts(alone, cells.counted)
    for key, margin, one, built in local.each(alone, cells.counted, pair):
        assert margin == pytest.approx(NORMAL_95 * exact[key] ** 0.5)
        assert abs(one - cells.truth(*pair)) < 4 * exact[key] ** 0.5  # fails a right engine once in 16 000
        assert built.report_bits() == known.local_bits[key]


def test_tables_of_sets_are_the_summary_and_the_facts():
    held = data.load("groceries").baskets("items")
    fields = {"task": "sets", "grid": (), "n": 2000, "options": (("m", 2), ("simulated", 12))}
    study = Study(Source("groceries"), "items", Marks.of(["milk"]), ("uPrivSet",), **fields)
    fact = point.every(study, held)["uPrivSet"]
    table = tables.of_items(fact, np.zeros(len(fact.here.shown)))
    assert table["± 95 %"].to_numpy() == pytest.approx(NORMAL_95 * fact.variance[fact.here.shown] ** 0.5)
    ends = {"value": 0.7, "low": 0.6, "high": 0.8}
    told = pd.DataFrame([{"mechanism": "uPrivSet", "metric": tables.PRESENCE, "scope": "all", **ends}])
    told = pd.concat([told, told.assign(metric=tables.MEMBERSHIP, scope="other", value=0.55)], ignore_index=True)
    row = tables.attacks(told, ["uPrivSet"]).iloc[0]
    assert (row["presence"], row["presence, low"], row["presence, high"]) == pytest.approx((70, 60, 80))
    assert row["other item"] == pytest.approx(55)
    assert np.isnan(row["marked item"])
    view = replace(set_curves.plain(study, held), dense=(1.0,))
    theory = sets.theory(view.theoretical(study), held)
    shown = drawn.error_lines(view, theory)
    at = shown[np.isclose(shown["x"], study.epsilon)]["value"].iloc[0]
    assert at == pytest.approx(100 * NORMAL_95 * fact.error())
    share = replace(view, axis="share")
    rows = pd.DataFrame({"mechanism": ["uPrivSet", "PrivSet", "uPrivSet"], "x": [0.0, 0.0, 0.1]})
    assert tables.protected(share, rows)["mechanism"].tolist() == ["PrivSet", "uPrivSet"]


def test_as_many_baskets_as_asked_make_a_set_frequent():
    from ldpcore.study.itemsets import curves as mined

    study = Study(Source("groceries"), "items", task="itemsets")
    held = data.load("groceries").baskets("items")
    ground = itemsets.ground(study, held, itemsets.current(study))
    assert mined.least(study, held.n) == ground.least
    assert mined.least(study.with_options(min_count=10**9), held.n) == 10**9
