"""Charts and numbers of the Means view: valid figures, with the data they are given; and what they are made of."""

from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

import charts
import palette
from ldpcore import data
from ldpcore.rng import stream
from ldpcore.study import Arm, Source, Study, means
from means import data as means_data
from means import findings as means_findings

SCHEMES = pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
AGES = np.round(np.clip(stream(1, "ages").normal(42, 12, 4000), 18, 90))
TABLE = data.read(("age\n" + "\n".join(f"{a:g}" for a in AGES) + "\n").encode(), "t.csv")
STUDY = Study(
    Source("t.csv"), "age", arms=(Arm.of("A", ["70..90"]),), mechanisms=("Duchi", "PM", "SW", "SDPM", "uTernary"),
    task="means", bins=(10, 90, 32), grid=(), repetitions=3,
)  # fmt: skip
NUMBERS = means.prepare(STUDY, TABLE)


def builders(dark):
    rows = [(f"SDPM ({how})", np.array([0.1, -0.2]), 0.05, 0.2) for how in ("unbiased", "EM", "MLE")]
    edges, true = np.linspace(0, 8, 5), np.array([0.4, 0.3, 0.2, 0.1])
    law = means_data.density(means_data.built(STUDY, NUMBERS, "SDPM"), NUMBERS, 40.0)
    found = {"em": true[::-1], "mle": true}
    return {
        "strips": charts.error_strips(rows, dark=dark),
        "density": charts.report_density(
            law.at, law.height, law.atoms, 40.0, "SDPM", public=(10, 90), marked=[(70, 90)], dark=dark
        ),
        "recovered": charts.recovered(edges, true, found, "SDPM", marked=[(6, 8)], dark=dark),
    }


@SCHEMES
@pytest.mark.parametrize("name", builders(False))
def test_figures_are_valid(name, dark):
    figure = builders(dark)[name]
    checked = go.Figure(figure.to_dict())  # raises for what Plotly does not know
    assert len(checked.data) == len(figure.data) > 1
    assert checked.layout.showlegend is False


def test_a_strip_for_each_row_in_its_order():
    figure = builders(False)["strips"]
    assert [note.text.split("> ")[-1] for note in figure.layout.annotations][::-1] == [
        "SDPM (unbiased)", "SDPM (EM)", "SDPM (MLE)",
    ]  # fmt: skip
    band = next(trace for trace in figure.data if trace.name == "SDPM (EM) band")
    assert list(band.x) == pytest.approx([0.05 - 1.96 * 0.2, 0.05 + 1.96 * 0.2])


def test_marked_bars_are_vermilion():
    figure = builders(False)["recovered"]
    bar = next(trace for trace in figure.data if trace.name == "sensitive")
    assert list(bar.x) == [7]
    assert list(bar.y) == pytest.approx([10])


def test_estimates_of_one_mechanism_share_its_colour_and_differ_in_form():
    plain, em, mle = (palette.mark(f"SDPM ({how})") for how in ("unbiased", "EM", "MLE"))
    assert plain.light == em.light == mle.light == palette.mark("SDPM").light
    assert len({look.symbol for look in (plain, em, mle)}) == 3
    assert em.dash != plain.dash


@pytest.mark.parametrize("key", STUDY.mechanisms)
@pytest.mark.parametrize("x", [12.0, 40.0, 80.0])
def test_a_density_and_its_atoms_sum_to_one(key, x):
    law = means_data.density(means_data.built(STUDY, NUMBERS, key), NUMBERS, x)
    smooth = float(np.trapezoid(law.height, law.at)) if law.height.any() else 0.0
    assert smooth + sum(chance for _, chance in law.atoms) == pytest.approx(1, abs=0.02)
    assert (law.own > 0) == (key in ("SDPM", "uTernary") and x < 70)


def test_every_line_is_named_by_mechanism_and_estimate():
    names = [means_data.named(*pair) for pair in means_data.pairs(STUDY)]
    assert names == [
        "Duchi (mean)", "PM (mean)", "PM (EM)", "PM (MLE)", "SW (unbiased)", "SW (EM)", "SW (MLE)", "SW (EMS)",
        "SDPM (unbiased)", "SDPM (EM)", "SDPM (MLE)", "uTernary (mean)",
    ]  # fmt: skip
    assert {means_data.mechanism_of(name) for name in names} == set(STUDY.mechanisms)


def test_marks_have_the_interval_of_a_mean_square():
    """Over 2000 times ten normal errors the interval holds the true mean square in 95 of 100 (5 sd: 2.4 of 100)."""
    errors = stream(2, "chi").standard_normal((2000, 10)) ** 2
    point = means_data.point(STUDY)
    unit = means_data.unit("mse", NUMBERS)
    rows = pd.DataFrame({"mechanism": "PM", "metric": "mse:mean", "x": np.repeat(np.arange(2000), 10),
                                    "value": errors.ravel()})  # fmt: skip
    found = means_data.marks(rows, [("PM", "mean")], unit)
    assert ((found["low"] < 1) & (found["high"] > 1)).mean() == pytest.approx(0.95, abs=0.025)
    assert point.option("estimates")[-1] == "ems"


def test_units():
    square = np.array([4.0])
    assert means_data.unit("typical", NUMBERS)(square) == 2
    assert means_data.unit("mse", NUMBERS)(square) == 4
    assert means_data.unit("scaled", NUMBERS)(square) == pytest.approx(4 / 40**2)


def test_the_recorded_step_is_found():
    assert means_data.resolution(NUMBERS) == 1
    found = means_data.repeat(STUDY, NUMBERS, "SDPM")
    keep = means_data.built(STUDY, NUMBERS, "SDPM").keep
    assert found.proved == pytest.approx(keep)
    assert found.step == 1
    assert 0.5 < found.certain < 1
    assert 0 < found.cost < 0.01


def test_a_grid_finer_than_can_be_shown_is_made_coarser():
    wide = replace(STUDY, bins=(0, 99_999, 16), arms=(Arm.of("A", ["75000..99999"]),), epsilon=0.1)
    found = means_data.repeat(wide, means.prepare(wide, TABLE), "SDPM")
    assert found.step == 2000
    assert 0 < found.certain < 1


def test_spreads_and_words():
    point = means_data.point(STUDY)
    simulated = pd.concat([chunk() for chunk in means.chunks(point, NUMBERS)])
    spreads = means_data.spreads(point, NUMBERS, means.theory(point, NUMBERS), simulated)
    assert [s.name for s in spreads] == [means_data.named(*pair) for pair in means_data.pairs(STUDY)]
    assert all(abs(s.bias) < 1e-6 for s in spreads if s.exact)
    said = means_findings.headline(point, NUMBERS, spreads, str, str, str)
    assert "uTernary" in said
    assert "70 to 90" in said
    assert "all marks lie within 20 of a range of 80" in said
    told = " ".join(means_findings.advantage(point, NUMBERS, spreads))
    assert "unmarked answers are sent as they are" in told or "worse of the two" in told
    assert means_findings.focus(spreads, STUDY.mechanisms, None) == "uTernary"
    assert means_findings.focus(spreads, STUDY.mechanisms, "PM") == "PM"
    assert means_data.shares(simulated, NUMBERS, "SDPM")["em"].sum() == pytest.approx(1)


def test_the_limit_lies_below_the_mechanism():
    least = means_data.limit(STUDY, NUMBERS, "ULDP", 1.0)
    m = means_data.built(STUDY, NUMBERS, "uTernary")
    exact = float(m.report_moments(NUMBERS.points)[1] @ NUMBERS.counts) / NUMBERS.n
    assert 0.6 * exact < least < exact


def test_theorem_4_is_shown_for_its_own_marks():
    assert means_findings.theorem(STUDY, NUMBERS)[0] == (-0.5, 0.5)
    both = replace(STUDY, arms=(Arm.of("A", ["10..20", "80..90"]),))
    assert means_findings.theorem(both, NUMBERS)[0] == pytest.approx((-0.75, 0.75))
    exact, pm, paper = means_data.variances((-0.5, 0.5), (1.0, 4.0), 1.0)
    assert (exact / paper).tolist() == pytest.approx([1.0185, 1.2612], abs=1e-3)
    assert (pm > exact).all()
