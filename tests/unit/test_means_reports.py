"""One report, the guess, disclosed answers, and bias apart from spread: held against what is drawn."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from ldpcore import data
from ldpcore.numeric_randomizer import FITTED
from ldpcore.rng import stream
from ldpcore.study import Marks, Source, Study, means, run
from ldpcore.study.means import personal, reports
from ldpcore.study.means.spreads import spreads
from tests.each import for_each

AGES = np.round(np.clip(stream(1, "ages").normal(42, 12, 4000), 18, 90))
TABLE = data.read(("age\n" + "\n".join(f"{a:g}" for a in AGES) + "\n").encode(), "t.csv")
STUDY = Study(
    Source("t.csv"), "age", Marks.of(["70..90"]), ("Duchi", "PM", "SW", "SDPM", "uTernary"), task="means",
    bins=(10, 90, 32), grid=(), repetitions=3,
)  # fmt: skip
NUMBERS = means.prepare(STUDY, TABLE)


def cell(key: str, study: Study = STUDY, found: means.NumberColumn = NUMBERS):
    return means.cell(study, found, key, study.epsilon)


@for_each("key", STUDY.mechanisms)
@for_each("x", [12.0, 40.0, 80.0])
def test_the_law_of_a_report_is_that_of_what_is_sent(key, x):
    """A hundred thousand reports: every chance within 0.008 (5 sd), moments within 5 standard errors."""
    m = cell(key).groups[0].mechanism
    law = reports.law(m, NUMBERS, x)
    sent = NUMBERS.interval.decode(m.perturb(np.full(100_000, NUMBERS.interval.encode(x)), stream(3, key, x)))
    on_atoms = 0.0
    for place, chance in law.atoms:
        on_atoms += chance
        assert np.isclose(sent, place, atol=1e-9).mean() == pytest.approx(chance, abs=0.008)
    width = np.diff(law.at, append=law.at[-1:])
    assert on_atoms + float(law.height @ width) == pytest.approx(1, abs=0.02)
    below = float((law.height * width)[law.at < x].sum()) + sum(c for place, c in law.atoms if place < x - 1e-9)
    assert (sent < x - 1e-9).mean() == pytest.approx(below, abs=0.02)
    assert sent.mean() == pytest.approx(law.mean, abs=5 * law.sd / 100_000**0.5 + 1e-9)
    assert sent.std() == pytest.approx(law.sd, rel=0.03)
    assert (law.own > 0) == (law.sent is not None) == (key in ("SDPM", "uTernary") and x < 70)


def test_an_answer_beyond_the_range_is_clipped():
    m = cell("PM").groups[0].mechanism
    beyond, end = reports.law(m, NUMBERS, 300.0), reports.law(m, NUMBERS, 90.0)
    assert beyond.mean == end.mean == pytest.approx(90)


def test_a_guess_wins_as_often_as_the_engine_s_rows_say():
    study = replace(STUDY, mechanisms=("PM", "uTernary")).with_options(delta=8)
    found = reports.guessed(replace(study, axis="n", n=50), NUMBERS, (1.0, 4.0))
    rows = run(replace(study, epsilon=4.0, repetitions=1), TABLE)
    rows = rows[rows["metric"] == "guessed"].set_index(["mechanism", "scope"])["theory"]
    mine = found[found["x"] == 4.0].set_index(["mechanism", "scope"])["theory"]
    for mechanism in study.mechanisms:
        assert mine[mechanism, "all"] == pytest.approx(rows[mechanism, "all"], abs=0.05), "n = 50 people of 4 000"
    same = reports.guessed(study, NUMBERS, (4.0,)).set_index(["mechanism", "scope"])["theory"]
    assert (same - rows.reindex(same.index)).abs().max() < 1e-12
    _, blind = personal.blind(replace(study, mechanisms=("SDPM",)), NUMBERS, 8)
    assert (found[found["scope"] == "all"]["theory"] >= blind["all"] - 0.05).all()


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_disclosed_answers_alone(epsilon):
    """4 000 surveys: their mean within 5 standard errors, their spread within 6 % (5 sd of a normal one's)."""
    here = cell("SDPM", replace(STUDY, epsilon=epsilon))
    found, group = reports.disclosed(here, NUMBERS), here.groups[0]
    assert found is not None
    sent = stream(4, "sent").binomial(group.counts, group.mechanism.disclosure(group.points), (4000, len(group.counts)))
    off = NUMBERS.interval.decode(sent @ group.points / sent.sum(axis=1)) - NUMBERS.mean
    assert sent.sum(axis=1).mean() == pytest.approx(found.people, rel=0.01)
    assert off.mean() == pytest.approx(found.bias, abs=5 * found.sd / 4000**0.5 + 0.002)
    assert off.std() == pytest.approx(found.sd, rel=0.06)


def test_nothing_is_disclosed_where_everything_is_marked():
    assert reports.disclosed(cell("SDPM", replace(STUDY, marks=Marks.of(["10..90"]))), NUMBERS) is None
    assert reports.disclosed(cell("PM"), NUMBERS) is None


@pytest.mark.parametrize("changes", [{}, {"n": 500}, {"axis": "n", "grid": (100.0,)}])
def test_bias_and_spread_are_the_theory_s(changes):
    """Also with another number of people, whose mean is another one once shares are rounded to whole people."""
    study = replace(STUDY, **changes).with_options(attacks=0)
    theory, rows = means.theory(study, NUMBERS), run(study, TABLE)
    theory = theory[theory["x"] == means.current(study, NUMBERS)].set_index(["mechanism", "metric"])["theory"]
    found = spreads(study, NUMBERS, rows)
    assert {s.mechanism for s in found} == set(STUDY.mechanisms)
    for spread in found:
        assert len(spread.errors) == study.repetitions
        assert spread.exact == (spread.how not in FITTED)
        here = rows[(rows["mechanism"] == spread.mechanism) & (rows["x"] == means.current(study, NUMBERS))]
        squared = here[here["metric"] == f"mse:{spread.how}"]["value"]
        assert spread.errors**2 == pytest.approx(squared.to_numpy(float))
        if spread.exact:
            assert spread.typical**2 == pytest.approx(theory[spread.mechanism, f"mse:{spread.how}"])
            assert abs(spread.bias) < 1e-6 or (spread.mechanism, spread.how) in (("SDPM", "mean"), ("SW", "mean"))
        else:
            assert spread.sd == pytest.approx(np.std(spread.errors, ddof=1))


def test_one_survey_tells_no_spread_of_a_fitted_mean():
    study = replace(STUDY, mechanisms=("PM",), repetitions=1).with_options(attacks=0)
    assert [s.how for s in spreads(study, NUMBERS, run(study, TABLE))] == ["mean"]
    none = pd.DataFrame(columns=["mechanism", "x", "metric", "value"])
    [exact] = spreads(study, NUMBERS, none)
    assert len(exact.errors) == 0
    assert exact.sd > 0
