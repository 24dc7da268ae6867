"""Charts and numbers of the Means view: valid figures, with the data they are given; and what they are made of."""

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from ldpapp import charts, words
from ldpapp.charts import palette
from ldpapp.charts.base import text_width
from ldpapp.views.means import headline, more
from ldpapp.views.means import sentences as means_findings
from ldpcore import catalog, data
from ldpcore.domain import Interval
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.rng import stream
from ldpcore.study import Marks, Source, Study, means, summary
from ldpcore.study.means import estimates as mean_estimates
from ldpcore.study.means import facts as mean_facts
from ldpcore.study.means import limit as limits
from ldpcore.study.means import lines, repeats, reports
from ldpcore.study.means.facts import GuessedAnswers
from ldpcore.study.means.spreads import Spread, recovered, spreads
from tests.each import for_each, told

SCHEMES = pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
AGES = np.round(np.clip(stream(1, "ages").normal(42, 12, 4000), 18, 90))
TABLE = data.read(("age\n" + "\n".join(f"{a:g}" for a in AGES) + "\n").encode(), "t.csv")
STUDY = Study(
    Source("t.csv"), "age", marks=Marks.of(["70..90"]), mechanisms=("Duchi", "PM", "SW", "SDPM", "uTernary"),
    task="means", bins=(10, 90, 32), grid=(), repetitions=3,
)  # fmt: skip
NUMBERS = means.prepare(STUDY, TABLE)


def built(key, study=STUDY, held=NUMBERS):
    return means.cell(study, held, key, study.epsilon).groups[0].mechanism


@cache
def builders(dark):
    rows = [(f"SDPM ({how})", np.array([0.1, -0.2]), 0.05, 0.2) for how in ("unbiased", "EM", "MLE")]
    edges, true = np.linspace(0, 8, 5), np.array([0.4, 0.3, 0.2, 0.1])
    law = reports.law(built("SDPM"), NUMBERS, 40.0)
    found = {"em": true[::-1], "mle": true}
    return {
        "strips": charts.error_strips(rows, dark=dark),
        "density": charts.report_density(
            law.at, law.height, law.atoms, 40.0, "SDPM", public=(10, 90), marked=[(70, 90)], dark=dark
        ),
        "recovered": charts.recovered(edges, true, found, "SDPM", marked=[(6, 8)], dark=dark),
    }


@SCHEMES
def test_figures_are_valid(dark):
    for name, figure in builders(dark).items():
        with told(f"name = {name!r}"):
            checked = go.Figure(figure.to_dict())  # raises for what Plotly does not know
            assert len(checked.data) == len(figure.data) > 1
            assert checked.layout.showlegend is False


def test_a_strip_for_each_row_in_its_order():
    figure = builders(False)["strips"]
    assert [note.text.split("> ")[-1] for note in figure.layout.annotations][::-1] == [
        "SDPM (unbiased)", "SDPM (EM)", "SDPM (MLE)",
    ]  # fmt: skip
    band = next(trace for trace in figure.data if trace.name == "SDPM (EM) band")
    assert list(band.x) == pytest.approx([0.05 - NORMAL_95 * 0.2, 0.05 + NORMAL_95 * 0.2])


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


@for_each("key", ["Duchi", "SDPM", "uTernary"])
@for_each("x", np.linspace(10, 90, 33))
def test_words_of_a_report_keep_clear_of_the_rule_and_of_one_another(key, x):
    law = reports.law(built(key), NUMBERS, x)
    figure = charts.report_density(
        law.at, law.height, law.atoms, x, key, public=(10, 90), own=law.sent, height=158, width=308
    )
    first, last = figure.layout.xaxis.range
    per_unit = (308 - 20) / (last - first)
    *stems, answer = figure.layout.annotations
    assert answer.text.startswith("input")
    boxes = []
    for note in stems:
        start = (note.x - first) * per_unit + note.xshift
        end = start + text_width(note.text.replace("&nbsp;", " "))
        assert start >= -10.1
        assert end <= 298.1
        rule = (x - first) * per_unit
        assert rule <= start - 4 or end + 4 <= rule
        assert not any(start < b and a < end and abs(note.yshift - up) < 13 for a, b, up in boxes)
        boxes.append((start, end, note.yshift))
    assert sum("disclosed" in note.text for note in stems) == (law.own > 0)


def test_a_disclosed_answer_is_said_with_the_number_that_is_sent():
    """uTernary: the marks' middle is 80, an answer 40 is stretched away from it; SDPM sends it as it is."""
    laws = {(key, x): reports.law(built(key), NUMBERS, x) for key in ("uTernary", "SDPM") for x in (40.0, 75.0)}
    law = laws["uTernary", 40.0]
    assert law.sent == pytest.approx(80 - 40 / law.own)
    survey = Spread("uTernary", "mean", np.empty(0), 0.0, 0.25, True)
    said = {
        which: " ".join(means_findings.steps(found, which[0], which[1] == 75.0, 4000, survey))
        for which, found in laws.items()
    }
    assert f"sent as {means_findings.quantity(law.sent)}, " in said["uTernary", 40.0]
    for mechanism in ("uTernary", "SDPM"):
        assert f"{words.of_100(laws[mechanism, 40.0].own)} of 100" in said[mechanism, 40.0]
        assert "of 100" not in said[mechanism, 75.0]
        assert all(means_findings.quantity(laws[mechanism, x].mean) in said[mechanism, x] for x in (40.0, 75.0))
        assert f"±{means_findings.quantity(NORMAL_95 * 0.25)}" in said[mechanism, 40.0]
        assert words.count(4000) in said[mechanism, 40.0]


@pytest.mark.parametrize("surveys", [1, 9, 10])
def test_few_surveys_make_marks_but_neither_lines_nor_intervals(surveys):
    cell = {"mechanism": "PM", "metric": "mse:em", "scope": "all"}
    rows = pd.DataFrame({**cell, "x": np.repeat([1.0, 2.0, 4.0], surveys), "value": 4.0})
    marks = lines.marks(summary(STUDY, NUMBERS, rows), [("PM", "em")], lines.unit("typical", NUMBERS))
    line = lines.fitted(marks, pd.DataFrame({"mechanism": ["PM (mean)"], "x": [1.0], "value": [2.0]}))
    assert marks["value"].tolist() == [2, 2, 2]
    assert marks["low"].isna().all() == marks["high"].isna().all() == (surveys < 10)
    assert line["x"].tolist() == ([4] if surveys < 10 else [1, 2, 4])
    figure = charts.error_curves(line, marks, focus="PM (EM)", at=1.0, unit="")
    drawn = {trace.name: len(trace.x) for trace in figure.data}
    assert drawn["PM (EM)"] == len(line)  # a line of one point is none
    assert drawn["PM (EM) simulated"] == 3


@pytest.mark.parametrize(
    ("value", "surveys", "said"),
    [
        (0.0802, 1, "0.08"),
        (0.0802, 4, "0.08"),
        (0.2642, 40, "0.26"),
        (0.2642, 1000, "0.264"),
        (1264.0, 4, "1\u202f000"),
    ],
)
def test_digits_fit_the_surveys(value, surveys, said):
    assert means_findings.seen(value, surveys) == said


def test_where_em_stops_is_told_as_far_as_surveys_tell():
    """t with 9 degrees: ten surveys with spread 1 tell a bias beyond 0.715."""
    apart = np.repeat([-1.0, 1.0], 5) * 0.9**0.5
    near, far = (Spread("SDPM", "em", bias + apart, bias, 1.0, False) for bias in (0.7, 3.0))
    assert "10 surveys can tell (±0.7)" in more.halt(near, 6.0)
    assert " 3 above" in more.halt(far, 6.0)
    assert words.share(0.5) in more.halt(far, 6.0)
    assert " 3 below" in more.halt(replace(far, errors=-far.errors, bias=-3.0), 6.0)
    assert "%" not in more.halt(far, -6.0), "away from the middle"


@pytest.mark.parametrize(
    ("mechanisms", "repetitions", "said"),
    [(("PM",), 10, "Choose SDPM"), (("SDPM",), 1, "Set Repetitions to 2 or more"), (("SDPM",), 2, "once two surveys")],
)
def test_what_is_missing_for_em_is_said(mechanisms, repetitions, said):
    assert said in more.waiting(replace(STUDY, mechanisms=mechanisms, repetitions=repetitions))


def test_the_step_of_uternary_is_said_with_its_numbers():
    said = means_findings.switch("uTernary", (2.5, 2.9), (0.129, 0.1206), (0.8754, 0.7732))
    assert said.startswith(
        "Between ε = 2.5 and 2.9 reports of uTernary turn from one of three values into a near number"
    )
    assert "error ±0.129 → ±0.121, answers guessed 88 → 77 of 100" in said
    alike = means_findings.switch("uTernary", (2.5, 2.9), (0.129, 0.1206), (0.8754, 0.8801))
    assert alike.endswith("error ±0.129 → ±0.121."), "what changes nothing is not said"


def test_a_proposal_that_gains_nothing_says_so():
    def of(sd: float) -> Spread:
        return Spread("uTernary", "mean", np.zeros(0), 0.0, sd, True)

    said = headline.Headline(1.0, "savings", Interval(0, 100), str, str).supposed
    assert said([(35.0, 100.0)], of(10), of(10.2)) == "Marking 35 and more alone would gain <b>nothing</b>: ±19.6."
    assert said([(35.0, 100.0)], of(5), of(10)) == "If only 35 and more were sensitive, it would be known to ±9.8."
    assert not said([(35.0, 100.0)], None, of(10))


def test_every_line_is_named_by_mechanism_and_estimate():
    names = [lines.named(*pair) for pair in mean_estimates.every_estimate(STUDY.mechanisms)]
    assert names == [
        "Duchi (mean)", "PM (mean)", "PM (EM)", "PM (MLE)", "SW (unbiased)", "SW (EM)", "SW (MLE)", "SW (EMS)",
        "SDPM (unbiased)", "SDPM (EM)", "SDPM (MLE)", "uTernary (mean)",
    ]  # fmt: skip


def test_marks_have_the_interval_of_a_mean_square():
    """Over 2000 times ten normal errors the interval holds the true mean square in 95 of 100 (5 sd: 2.4 of 100)."""
    errors = stream(2, "chi").standard_normal((2000, 10)) ** 2
    unit = lines.unit("mse", NUMBERS)
    cell = {"mechanism": "PM", "metric": "mse:mean", "scope": "all"}
    rows = pd.DataFrame({**cell, "x": np.repeat(np.arange(2000), 10), "value": errors.ravel()})
    found = lines.marks(summary(STUDY, NUMBERS, rows), [("PM", "mean")], unit)
    assert ((found["low"] < 1) & (found["high"] > 1)).mean() == pytest.approx(0.95, abs=0.025)


def test_units():
    square = np.array([4.0])
    assert lines.unit("margin", NUMBERS)(square) == pytest.approx(2 * NORMAL_95)
    assert lines.unit("typical", NUMBERS)(square) == 2
    assert lines.unit("mse", NUMBERS)(square) == 4
    assert lines.unit("scaled", NUMBERS)(square) == pytest.approx(4 / 40**2)


def test_errors_are_written_as_their_axis_writes_them():
    said = {key: means_findings.written(4.0, lines.unit(key, NUMBERS)) for key in ("margin", "typical", "mse")}
    assert said == {"margin": "±3.92", "typical": "±2", "mse": "4"}


@pytest.mark.parametrize(
    ("estimate", "off", "said"),
    [
        (38.8142, 0.504, "38.814 ± 0.504"),
        (83.16, 1.31, "83.16 ± 1.31"),
        (1234.5, 27.4, "1\u202f234.5 ± 27.4"),
        (41372.4, 177.3, "41\u202f372 ± 177"),
        (-0.5, 0.0123, "−0.5000 ± 0.0123"),
    ],
)
def test_an_estimate_has_the_digits_that_its_margin_leaves(estimate, off, said):
    assert means_findings.published(estimate, off) == said


def test_intervals_are_called_by_the_end_of_the_range_that_they_reach():
    public = NUMBERS.interval
    assert means_findings.names([(70.0, 90.0)], public) == "70 and more"
    assert means_findings.names([(10.0, 20.0), (30.0, 40.0)], public) == "20 and less and 30 to 40"
    assert means_findings.names([(10.0, 90.0)], public) == "every value"


def test_the_recorded_step_is_found():
    assert repeats.resolution(NUMBERS) == 1
    found = repeats.repeat(STUDY, NUMBERS, "SDPM")
    keep = built("SDPM").keep
    assert found.proved == pytest.approx(keep)
    assert found.step == 1
    assert 0.5 < found.certain < 1
    assert 0 < found.cost < 0.01


def test_a_grid_finer_than_can_be_shown_is_made_coarser():
    wide = replace(STUDY, bins=(0, 99_999, 16), marks=Marks.of(["75000..99999"]), epsilon=0.1)
    found = repeats.repeat(wide, means.prepare(wide, TABLE), "SDPM")
    assert found.step == 2000
    assert 0 < found.certain < 1


@pytest.fixture(scope="module")
def surveyed():
    """Three surveys, and the errors of every line in them."""
    point = STUDY.with_options(estimates=mean_estimates.estimates(STUDY.mechanisms))
    simulated = pd.concat([chunk() for chunk in means.chunks(point, NUMBERS)])
    found = spreads(point, NUMBERS, simulated)
    return simulated, [
        spread for spread in found if (spread.mechanism, spread.how) in mean_estimates.every_estimate(STUDY.mechanisms)
    ]


def test_every_line_has_its_spread(surveyed):
    simulated, found = surveyed
    assert [(s.mechanism, s.how) for s in found] == mean_estimates.every_estimate(STUDY.mechanisms)
    assert all(abs(s.bias) < 1e-6 for s in found if s.exact)
    best = mean_facts.best(found)
    assert (best.marked.mechanism, best.weaker) == ("uTernary", False), "SDPM promises less"
    exact = {s.mechanism: s.typical for s in found if s.exact}
    assert best.every.typical == min(exact[key] for key in ("Duchi", "PM", "SW"))
    weak = mean_facts.best([s for s in found if s.mechanism == "SDPM"])
    assert (weak.marked.mechanism, weak.weaker, weak.every) == ("SDPM", True, None)
    assert mean_facts.best([s for s in found if s.how == "em"]) == (None, None)
    assert recovered(simulated, NUMBERS, "SDPM")["em"].sum() == pytest.approx(1)


MARKED = [(70.0, 90.0)]


def test_the_headline_tells_what_marking_gains_and_what_it_costs(surveyed):
    _, found = surveyed
    by_name = {s.mechanism: s for s in found if s.exact}
    line = headline.Headline(1.0, "age", NUMBERS.interval, str, str)

    def said(*mechanisms, price=None, marked=MARKED):
        return line.said(marked, mean_facts.best([by_name[key] for key in mechanisms]), price, mechanisms)

    both = said("Duchi", "uTernary", price=GuessedAnswers("other", 8.0, 0.741, 0.492, 0.448))
    assert both.index(means_findings.margin(by_name["uTernary"])) < both.index(means_findings.margin(by_name["Duchi"]))
    assert "70 and more" in both
    assert "74 of 100</b> cases, not 49 (blind guess: 45)" in both
    assert "not" not in said("Duchi", "uTernary", price=GuessedAnswers("other", 8.0, 0.4, 0.5, 0.3)), (
        "that would be no price"
    )
    assert "weaker promise" in said("Duchi", "SDPM")
    assert "weaker promise" not in said("Duchi", "SDPM", "uTernary")
    assert means_findings.margin(by_name["PM"]) in said("PM")
    by_name["uTernary"] = replace(by_name["uTernary"], sd=by_name["Duchi"].sd)
    assert "gains nothing" in said("Duchi", "uTernary")
    assert "gains nothing" not in both
    assert "SDPM" in line.said(MARKED, mean_facts.BestMeans(None, None), None, ["SDPM"]), "there is no unbiased mean"
    assert "70 and more" not in line.unmarked(mean_facts.best([by_name["PM"]]))


def test_what_counts_for_uternary_is_the_width_of_its_marks():
    assert "here 20 of a public range of 80" in means_findings.place("uTernary", MARKED, NUMBERS)
    assert means_findings.place("SDPM", MARKED, NUMBERS) == ""


# the two charts of the first row -------------------------------------------------------------------------------------


def test_published_means_stand_with_their_intervals_over_the_truth():
    rows = [
        charts.Published("marked", "uTernary", 83.6, 1.3, "83.6 ± 1.3"),
        charts.Published("every", "PM", 82.1, 2.1, "82.1 ± 2.1"),
    ]
    figure = charts.published_means(rows, 83.2, truth_label="the answers", truth_text="83.2, <i>internal</i>")
    traces = {trace.name: trace for trace in figure.data}
    assert list(traces["PM"].x) == pytest.approx([80, 84.2])
    assert list(traces["uTernary estimate"].x) == [83.6]
    assert set(traces["truth"].x) == {83.2}
    low, high = figure.layout.xaxis.range
    assert low < 80
    assert high > 84.9


@pytest.mark.parametrize("marked", [[(70.0, 90.0)], [(10.0, 20.0), (80.0, 90.0)], [(30.0, 50.0)]])
@pytest.mark.parametrize("width", [354, 590])
def test_words_over_the_marked_bars_cover_none_and_stay_in_the_figure(marked, width):
    """On a phone too, which shows the same figure."""
    edges, held = np.linspace(10, 90, 41), np.histogram(AGES, np.linspace(10, 90, 41))[0]
    texts = ["sensitive: 70 and more", "2.0 % of the people"]
    figure = charts.mean_histogram(edges, held, marked, marked_text=texts, mean=42.0, mean_text="true mean 42")
    words_, mean = figure.layout.annotations
    inner = width - figure.layout.margin.l - figure.layout.margin.r
    plot = figure.layout.height - figure.layout.margin.t - 26
    per_unit, wide = inner / 80, max(map(text_width, texts))
    start = (words_.x - 10) * per_unit - (wide if words_.xanchor == "right" else 0)
    assert start >= -1
    assert start + wide <= inner + 1
    top = figure.layout.yaxis.range[1]
    under = [
        n
        for n, a, b in zip(held, edges, edges[1:], strict=False)
        if (b - 10) * per_unit > start and (a - 10) * per_unit < start + wide
    ]
    assert max(under) / top * plot <= words_.yshift
    assert words_.yshift + 28 <= plot + 1
    assert mean.x == 42


def test_the_advantage_is_told_as_far_as_surveys_tell(surveyed):
    _, found = surveyed
    sent = reports.disclosed(means.cell(STUDY, NUMBERS, "SDPM", STUDY.epsilon), NUMBERS)
    told = more.spread_texts(NUMBERS, found, sent)
    assert len(told) == 4
    assert "3 surveys cannot tell" in told[0]
    assert words.count(sent.people) in told[1]
    assert more.spread_texts(NUMBERS, [s for s in found if s.how != "em"], sent) == []


ENDS = means.prepare(STUDY, data.read(("age\n" + "10\n90\n" * 9).encode(), "t.csv"))


@pytest.mark.parametrize(("epsilon", "held"), [(0.1, NUMBERS), (2.5, NUMBERS), (0.1, ENDS), (6.0, ENDS)])
@pytest.mark.parametrize("marks", [["70..90"], ["10..20", "80..90"]], ids=["one end", "both ends"])
def test_the_limit_lies_below_every_mechanism_on_these_data(epsilon, marks, held):
    study = replace(STUDY, marks=Marks.of(marks), epsilon=epsilon)
    floors = {promise: limits.least(study, held, promise, epsilon) for promise in ("LDP", "ULDP")}
    best = dict.fromkeys(floors, np.inf)
    for key, entry in catalog.MEANS.items():
        if entry.promise in floors:
            m = built(key, study, held)
            exact = float(m.moments(held.points, "unbiased")[1] @ held.counts) / held.n
            assert floors[entry.promise] <= exact, key
            best[entry.promise] = min(exact, best[entry.promise])
    assert floors["LDP"] > 0
    if epsilon < 1:
        assert floors["LDP"] > 0.95 * best["LDP"]
        assert floors["ULDP"] > 0.95 * best["ULDP"]


def test_theorem_4_is_shown_for_its_own_marks():
    assert means_findings.theorem(STUDY, NUMBERS)[0] == (-0.5, 0.5)
    both = replace(STUDY, marks=Marks.of(["10..20", "80..90"]))
    assert means_findings.theorem(both, NUMBERS)[0] == pytest.approx((-0.75, 0.75))
    exact, pm, paper = repeats.variances((-0.5, 0.5), (1.0, 4.0), 1.0)
    assert (exact / paper).tolist() == pytest.approx([1.0185, 1.2612], abs=1e-3)
    assert (pm > exact).all()
