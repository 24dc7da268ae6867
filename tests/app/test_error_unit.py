"""Errors as margins or squared, by one click on any page, on all of them; and what the papers need beside it."""

import numpy as np
import pytest

from ldpapp.charts import paper_figure
from ldpapp.charts.base import Frame
from ldpapp.charts.remarks import rule_note
from ldpapp.parts import error_unit
from ldpapp.state.view_options import Looks
from ldpapp.views.tasks import TASKS
from ldpcore import catalog, data
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.papers import LIVE
from ldpcore.papers.claim import rows
from ldpcore.study import curves, frequency
from ldpcore.study.frequency import personal
from ldpcore.study.ranges import strategies

from .opening import charts, go, html, opened, panel, press, study

LOOKS: Looks = {key: values for task in TASKS.values() for key, values in task.looks.items()}


def test_every_unit_is_a_look_of_a_page_whose_usual_value_it_is() -> None:
    for key, usual in error_unit.KEYS.items():
        assert LOOKS[key][0] == usual
        assert "mse" in LOOKS[key]


def test_one_click_on_the_overview_squares_the_errors_of_every_page() -> None:
    at = opened("overview", reps=["1"], m=["SS", "uSS"])
    before = html(at)
    press(at, "unit_of_view_quantity")
    assert "Mean squared error" in html(at)
    assert "Mean squared error" not in before
    assert {key: at.session_state[key] for key in error_unit.KEYS} == dict.fromkeys(error_unit.KEYS, "mse")
    assert "Mean squared error" in panel(go(at, "frequency"), "error")
    press(at, "unit_of_view_quantity")
    assert at.session_state["sets_quantity"] == "points"
    assert "Mean squared error" not in panel(at, "error")


def test_a_link_with_squared_errors_on_one_page_has_them_on_the_others() -> None:
    at = opened("ranges", task=["ranges"], ranges_unit=["mse"])
    assert "Mean squared error" in panel(at, "range_margins")
    assert at.session_state["means_unit"] == "mse"


def test_a_squared_error_of_a_range_is_its_variance_and_no_squared_margin() -> None:
    """Privelet over 8 cells, [3, 7]: c = 0.96875, 2·4²·c = 31 (Wu et al., §3.3.1); of a flat histogram 2·5 = 10."""
    asked = {"Privelet": catalog.RANGES["Privelet"].build, "Flat": catalog.RANGES["Identity"].build}
    found = strategies.margins_over_epsilon(asked, 3, (3, 7), (0.5, 1.0), squared=True)
    assert found["value"].tolist() == pytest.approx([124, 31, 40, 10])
    wider = strategies.margins_over_n({"Flat": asked["Flat"]}, 3, (3, 7), 1.0, squared=True)
    assert wider["value"].to_numpy() == pytest.approx(10)


def test_relations_square_what_they_draw() -> None:
    margins = rows("a", [1.0], [100 * NORMAL_95 * 0.02], [100 * NORMAL_95 * 0.01], [100 * NORMAL_95 * 0.03])
    assert curves.squares(margins)[["value", "low", "high"]].to_numpy().ravel() == pytest.approx([4e-4, 1e-4, 9e-4])


# each marks their own ------------------------------------------------------------------------------------------------


def test_personal_marks_overlap_as_asked() -> None:
    counted = data.load("children").categorical("one-of-18")
    asked = LIVE["sdldp", "Fig. 6"].study
    few, half, much = (set(marks.values) for marks in personal.marked(asked, counted, "nested"))
    assert few < half < much
    few, half, much = (set(marks.values) for marks in personal.marked(asked, counted, "chance"))
    assert few == set(asked.marks.values), "the study's own come first"
    assert (len(few), len(half), len(much)) == (4, 9, 14)
    # As many as independent marks have on average, to the nearest whole number: 2, 3.1 and 7.
    assert (len(few & half), len(few & much)) == (2, 3)
    assert len(half & much) in (6, 7, 8)
    with pytest.raises(ValueError, match="nested, chance"):
        personal.marked(asked, counted, "mine")


def test_what_choosing_costs_is_a_sum_of_the_groups() -> None:
    """Share weights: Σ (n_g/n)² Var_g, by the mechanisms themselves; and never below minimum variance where groups
    answer alike.
    """
    counted = data.load("children").categorical("one-of-18")
    made = personal.studies(LIVE["sdldp", "Fig. 6"].study, counted, "chance")
    found = personal.errors(made, counted, (1.0,)).set_index("line")["value"]
    build, k, n = catalog.FREQUENCY["SDGRR"].build, 18, 18_000
    masks = [counted.domain.mask(each.marks.values) for each in made.alike.values()]
    freq = np.full(k, 1 / k)
    variances = [
        build(1.0, k, mask).variance(freq, round(part * n)) for mask, part in zip(masks, personal.PEOPLE, strict=True)
    ]
    by_hand = sum(part**2 * variance for part, variance in zip(personal.PEOPLE, variances, strict=True))
    assert found["by share"] == pytest.approx(by_hand.mean(), rel=1e-3)
    assert found["min. variance"] < found["by share"]
    alone = frequency.cell(made.alike["SDGRR-50"], counted, "SDGRR", 1.0).squared_error().mean()
    assert found["SDGRR-50"] == pytest.approx(alone)


def test_frequency_draws_those_who_choose() -> None:
    at = opened("frequency", fold_personal=["True"], personal_which=["chance"], data=["children"], reps=["1"])
    drawn = {trace["name"] for trace in charts(at)["chart_own_marks"]["data"]}
    assert {"SDGRR-25", "SDGRR-50", "SDGRR-75", "by share", "min. variance"} <= drawn
    assert "40 / 30 / 30" in panel(at, "own_marks")


# itemsets ------------------------------------------------------------------------------------------------------------

MINED = {"task": ["itemsets"], "data": ["supermarket"], "axis": ["s"], "m": ["SmartTrunc"], "reps": ["1"],
         "o.min_count": ["20"], "o.s": ["1.0"], "o.clip": ["10.0"]}  # fmt: skip


def test_itemsets_set_smart_truncs_cut_levels_and_candidates() -> None:
    at = opened("itemsets", **MINED)
    at.number_input(key="itemsets_length").set_value(5)
    at.number_input(key="itemsets_levels").set_value(2)
    at.number_input(key="itemsets_seeds").set_value(10.0).run()
    options = study(at, "itemsets").options
    assert (options.length, options.levels, options.candidate_count) == (5, 2, 10.0)
    assert "Cut to 5 items each, 2 levels" in html(at)
    at.number_input(key="itemsets_seeds").set_value(20.0).run()
    assert study(at, "itemsets").option("candidate_count") is None, "the usual one follows the threshold"


def test_itemsets_draw_against_the_threshold_and_keep_what_is_equal() -> None:
    at = opened("itemsets", **MINED)
    at.radio(key="itemsets_axis").set_value("min_count").run()
    made = study(at, "itemsets")
    assert (made.axis, made.option("same")) == ("min_count", "s")
    assert at.button_group(key="itemsets_same").value == "s"
    assert "threshold = 20" in str(charts(at)["chart_scores"]["layout"]["annotations"])
    at.button_group(key="itemsets_same").set_value("epsilon").run()
    assert (study(at, "itemsets").axis, study(at, "itemsets").option("same")) == ("min_count", "epsilon")
    at.radio(key="itemsets_axis").set_value("epsilon").run()
    assert study(at, "itemsets").axis == "epsilon"


# charts --------------------------------------------------------------------------------------------------------------


def test_a_papers_figure_holds_its_intervals_names_its_marks_and_cuts_none() -> None:
    table = rows("experiment", [80, 200, 500], [90.0, 210.0, 700.0], [60.0, 150.0, 400.0], [190.0, 300.0, 1100.0])
    figure = paper_figure(table, x_name="x", y_name="y", log_x=True)
    low, high = (10**end for end in figure.layout.yaxis.range)
    assert low < 60
    assert high > 1100
    left, right = (10**end for end in figure.layout.xaxis.range)
    assert left < 80
    assert right > 500
    assert any("experiment" in note.text for note in figure.layout.annotations)


def test_a_papers_figure_names_the_points_where_it_is_drawn() -> None:
    table = rows("suGRR", [0.1, 0.2, 0.5, 1, 2, 4], [32, 16, 8, 4, 2, 1])
    figure = paper_figure(table, x_name="x", y_name="y", log_x=True)
    assert list(figure.layout.xaxis.ticktext) == ["0.1", "0.2", "0.5", "1", "2", "4"]


@pytest.mark.parametrize(("at", "edge"), [(25, "left"), (80, "right")])
def test_long_words_on_a_rule_stay_in_a_narrow_chart(at, edge) -> None:
    (note,) = rule_note(at, (0, 100), "share of values marked", False, Frame(150, 200, left=10, right=10), False)
    assert note["xanchor"] == edge
    assert note["x"] == (0 if edge == "left" else 1)


def test_short_words_stand_beside_the_rule() -> None:
    (note,) = rule_note(25, (0, 100), "ε", False, Frame(300, 200, left=30, right=30), False)
    assert (note["x"], note["xanchor"]) == (0.25, "left")
