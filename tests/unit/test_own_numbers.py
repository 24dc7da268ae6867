"""A table of chances for numbers: what is read and refused, what it keeps, and the catalogue's numbers read back."""

from dataclasses import replace
from math import inf

import numpy as np
import pytest
from click.testing import CliRunner

from ldpcore import catalog, cli_custom, custom, study
from ldpcore.attacks import within
from ldpcore.cli import main
from ldpcore.custom import CustomNumbers
from ldpcore.custom import apart as process
from ldpcore.data import load
from ldpcore.domain import Interval
from ldpcore.leveled_parts import Parts
from ldpcore.rng import stream
from ldpcore.study import Choice, Marks, Source, Study, invented, means, tasks
from ldpcore.study.execute import prepare
from ldpcore.study.means import own
from tests.each import for_each
from tests.laws import mean_laws as laws

AGE = Interval(18, 98)
X = np.array([-1.0, -0.83, -0.5, -0.1, 0.0, 0.21, 0.5, 0.77, 1.0])
COIN = "number,low,high\n18,3/4,1/4\n98,1/4,3/4"
UPPER = Parts([(-1, 0.5, inf), (0.5, 1, 1.0)])
"""What is marked: from 0.5 on."""
BASE = Study(
    Source("health"), "age", Marks.of(["80..98"]), ("Duchi",), bins=(18, 98, 64), grid=(), repetitions=2, task="means"
)


def read_back(key: str, epsilon: float = 1.0, parts: Parts | None = None, **size: int) -> CustomNumbers:
    """One of the catalogue, written down and read as text."""
    marked = parts or Parts([(-1.0, 1.0, inf)])
    channel, at = custom.numbers_channel(key, epsilon, AGE, marked.public if parts else (), **size)
    text = custom.to_csv(channel, [repr(float(number)) for number in at], "number")
    given, nodes = custom.read_numbers(text, AGE)
    return CustomNumbers(given.matrix, nodes, marked, 64, given.reports)


# what is given ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [COIN, "98 1/4 3/4\n18 3/4 1/4", "0.75 0.25\n0.25 0.75", "18;0,75;0,25\n98;0,25;0,75", "A,B\n.75,.25\n1/4,3/4"],
)
def test_a_table_is_read_with_and_without_its_numbers(text):
    given, at = custom.read_numbers(text, AGE)
    assert given.matrix.tolist() == [[0.75, 0.25], [0.25, 0.75]]
    assert at.tolist() == [-1, 1]


def test_rows_stand_where_their_numbers_are():
    assert custom.read_numbers("number,A,B\n98,.2,.8\n38,.6,.4\n18,.8,.2", AGE)[1].tolist() == [-1, -0.5, 1]


REFUSED = {
    "number,A,B\n20,0.75,0.25\n98,0.25,0.75": "rows go from 20 to 98, but the public range from 18 to 98",
    "number,A,B\n18,1,0\n40,0,1\n40,1,0\n98,0,1": "40 stands in several rows",
    "number,A,B\n18,1,0\n40,0,1\n40.0,1,0\n98,0,1": "two rows are for the same number",
    "young,0.75,0.25\nold,0.25,0.75": "named old, young, which is no number|named young, old, which is no number",
    "0.5 0.4\n0.5 0.5": "row 1 sums to 0.9",
    "0.5 0.5\n0.5 0.5": "no mean is unbiased",
    "0.8 0.2\n0.7 0.3\n0.2 0.8": "no mean is unbiased from these reports: some row is a mixture",
    "# nothing": "nothing is given",
}


@for_each("text", REFUSED)
def test_what_is_no_mechanism_for_numbers_is_refused_with_a_remedy(text):
    with pytest.raises((ValueError, TypeError), match=REFUSED[text]):
        own.usable(BASE.with_options(own=text))


def test_so_many_reports_are_refused_at_once():
    with pytest.raises(ValueError, match="at most 1000 are computed exactly"):
        CustomNumbers(np.full((2, 2000), 1 / 2000), [-1, 1])
    with pytest.raises(ValueError, match="ascend from one end of the public range to the other"):
        CustomNumbers(np.eye(3), [-1, 0.5, 0.9])


# what it is ------------------------------------------------------------------------------------------------------

DRAWN = stream(3, "own numbers").dirichlet(np.ones(5), 4)


@pytest.fixture(params=["Duchi", "PM", "uTernary", "random"])
def mine(request) -> CustomNumbers:
    if request.param == "random":
        return CustomNumbers(DRAWN, [-1, -0.2, 0.6, 1], UPPER)
    return read_back(request.param, parts=UPPER if request.param == "uTernary" else None)


def test_it_keeps_the_laws_of_numbers(mine):
    """Of 4 · 3 · χ² tests one fails a right engine with 1e-5; of the z-tests with 1e-4."""
    laws.moments_are_the_integrals(mine, X)
    assert mine.policy(mine.points).check(mine.channel()).holds
    laws.sampler_follows_mass(mine, X, 20_000)
    laws.reports_have_moments(mine, X, 20_000)


def test_its_score_is_unbiased_and_its_variance_the_channels(mine):
    mass, scores = mine.chances(X), mine.scores_of_reports
    mean, variance = mine.moments(X)
    assert np.allclose(mass @ scores, X, rtol=0, atol=1e-9)
    assert np.allclose(mean, X, rtol=0, atol=1e-12)
    assert np.allclose(variance, mass @ scores**2 - X**2, rtol=1e-9)
    tally = mine.tally(mine.perturb(np.repeat(X, 4000), stream(4, "own numbers")))
    assert abs(mine.estimate_mean(tally) - X.mean()) < 5 * mine.variance(np.repeat(X, 4000)) ** 0.5


def test_no_scores_without_bias_err_less_where_numbers_are_even(mine):
    even = np.linspace(-1, 1, 4001)
    best = np.trapezoid(mine.moments(even)[1], even)
    rows = np.asarray(mine.table.matrix)
    for other in np.linalg.svd(rows)[2][np.linalg.matrix_rank(rows) :]:  # P·other = 0
        if np.abs(other).max() > 1e-6:
            moved = CustomNumbers(mine.matrix, mine.nodes, mine.parts)
            for step in (0.01, -0.01):
                object.__setattr__(moved, "scores_of_reports", mine.scores_of_reports + step * other)
                assert np.trapezoid(moved.moments(even)[1], even) >= best * (1 - 1e-12)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_the_catalogues_duchi_read_back_says_the_same(epsilon):
    theirs, mine = catalog.MEANS["Duchi"].build(epsilon, bins=64), read_back("Duchi", epsilon)
    assert mine.epsilon == pytest.approx(epsilon, rel=1e-9)
    assert mine.atoms == pytest.approx(theirs.atoms, rel=1e-9)
    assert mine.variance(X) == pytest.approx(theirs.variance(X), rel=1e-9)
    prior = np.linspace(1, 2, 64) / np.linspace(1, 2, 64).sum()
    assert within.success(mine, 0.2, prior, X) == pytest.approx(within.success(theirs, 0.2, prior, X), abs=1e-9)


def test_three_values_read_back_say_the_same():
    """uTernary with everything marked: a law that is linear in the number, with three reports."""
    theirs, parts = catalog.MEANS["uTernary"].build(0.5, bins=64), Parts([(-1, 1, 0.5)])
    assert len(theirs.atoms) == 3
    channel = theirs.law(np.array([-1.0, 1.0])).atom_mass
    mine = CustomNumbers(channel, [-1, 1], parts, 64)
    assert mine.promise.definition == "LDP"
    assert mine.epsilon == pytest.approx(0.5, rel=1e-9)
    assert mine.variance(X) == pytest.approx(theirs.variance(X), rel=1e-9)


@pytest.mark.parametrize("key", ["PM", "HM", "SW", "Laplace"])
def test_told_less_exactly_the_catalogue_promises_no_less(key):
    assert 0.8 < read_back(key).epsilon <= 1 + 1e-9


def test_what_protects_marks_alone_keeps_their_epsilon_towards_them():
    mine = read_back("uTernary", parts=UPPER)
    assert mine.promise.definition == "levels"
    assert mine.epsilon == pytest.approx(1.0, rel=1e-9)
    assert mine.towards() == pytest.approx([1.0], rel=1e-9)
    assert mine.policy(np.array([0.7, 0.2])).epsilons == pytest.approx((1.0, inf))
    assert CustomNumbers(mine.matrix, mine.nodes).promise.definition == custom.NONE  # with nothing marked


# what it promises ------------------------------------------------------------------------------------------------


def test_the_promise_is_the_largest_ratio_of_all_numbers_and_not_of_the_rows_alone():
    """Marked: 0.5 on. At 0.5, between two rows, report 0 is as likely as the mixture says, and nothing in the marked
    part is likelier.
    """
    mine = CustomNumbers([[0.8, 0.1, 0.1], [0.3, 0.4, 0.3], [0.05, 0.35, 0.6]], [-1, 0.4, 1], UPPER)
    fine = np.unique(np.concatenate([np.linspace(-1, 1, 20_001), mine.corners]))
    chances = mine.chances(fine)
    ratio = np.log(chances.max(axis=0) / chances.min(axis=0))
    assert mine.kept["LDP"].epsilon == pytest.approx(ratio.max(), rel=1e-9)
    marked = chances[fine >= 0.5]
    towards = np.log(marked.max(axis=0) / chances.min(axis=0)).max()
    assert mine.kept["levels"].epsilon == pytest.approx(towards, rel=1e-9)
    assert towards < ratio.max()
    claim = mine.kept["levels"]
    speaking = chances[np.searchsorted(fine, mine.corners[[claim.value, claim.against]]), claim.report]
    assert np.log(speaking[0] / speaking[1]) == pytest.approx(towards, rel=1e-9)


def test_a_row_as_near_as_rounding_at_a_marks_end_is_at_it():
    """Else the end would be a mixture with the row before it, which is public and says so."""
    rows = [[0.6, 0.2, 0.1, 0.1], [0.3, 0.1, 0.3, 0.3], [0.0, 0.5, 0.3, 0.2], [0.0, 0.2, 0.7, 0.1]]
    mine = CustomNumbers(rows, [-1, 0.49, 0.5 + 1e-14, 1], UPPER)
    assert mine.promise.definition == "levels"
    assert mine.towards()[0] == pytest.approx(np.log(7), rel=1e-9)
    assert CustomNumbers(rows, [-1, 0.49, 0.51, 1], UPPER).promise.definition == custom.NONE


def test_two_reports_with_one_score_are_two_reports():
    """Both speak for the middle, one of them more: a collector who joined them would know less."""
    rows = np.array([[0.6, 0.2, 0.1, 0.1], [0.3, 0.1, 0.3, 0.3], [0.1, 0.2, 0.1, 0.6]])
    mine = CustomNumbers(rows, [-1, 0, 1])
    assert mine.scores_of_reports[1] == pytest.approx(mine.scores_of_reports[2], abs=1e-9)
    assert len(mine.atoms) == 4
    assert (np.diff(mine.atoms) > 1e-9).all()
    assert np.allclose(mine.chances(X)[:, [0, 1, 2, 3]].sum(axis=1), 1)
    assert mine.channel().privacy_loss().max() == pytest.approx(np.log(6), abs=0.05)


# in a Study ------------------------------------------------------------------------------------------------------


def test_a_study_compares_it_at_its_own_epsilon():
    chosen = invented.added(replace(BASE, grid=(0.5, 2.0)).with_options(own=COIN, attacks=20))
    rows = study.run(chosen)
    mine = rows[rows["mechanism"] == "Own"]
    assert mine["x"].unique() == pytest.approx([np.log(3)], rel=1e-9)
    there = rows[(rows["mechanism"] == "Duchi") & (rows["x"] == mine["x"].iloc[0])]
    errors = [part[part["metric"].str.startswith("mse")]["theory"].iloc[0] for part in (mine, there)]
    assert errors[0] == pytest.approx(errors[1], rel=1e-9)
    assert {"guessed", "proved"} <= set(mine["metric"])
    assert study.from_toml(study.to_toml(chosen)) == chosen
    limits = tasks.limits(chosen, prepare(chosen))
    assert limits is not None
    assert (limits[limits["mechanism"] == "Own"]["times the limit"] >= 1 - 1e-9).all()


def test_its_simulation_agrees_with_its_theory():
    """The mean of 60 squared errors is within 5·√(2/60) of their expectation: a right engine fails with 1e-5."""
    chosen = replace(BASE, mechanisms=("Own",), axis="n", n=2000, repetitions=60).with_options(own=COIN, attacks=100)
    rows = study.run(chosen)
    error, guess = (
        rows[(rows["metric"] == metric) & (rows["scope"] == "all")] for metric in ("mse:unbiased", "guessed")
    )
    assert error["value"].mean() == pytest.approx(error["theory"].iloc[0], rel=5 * (2 / 60) ** 0.5)
    assert guess["value"].mean() == pytest.approx(guess["theory"].iloc[0], abs=5 * (0.25 / 6000) ** 0.5)


def test_facts_say_what_it_is_worth_and_leave_the_headline_to_the_catalogue():
    chosen = replace(BASE, mechanisms=("Duchi", "uTernary")).with_options(own=COIN)
    data = prepare(chosen)
    alone, both = tasks.facts(chosen, data), tasks.facts(invented.added(chosen), data)
    assert both.best.first.mechanism == alone.best.first.mechanism == "uTernary"
    at = replace(chosen, epsilon=float(np.log(3)))
    assert both.parts["Own"].margin == pytest.approx(tasks.facts(at, data).parts["Duchi"].margin, rel=1e-9)
    assert both.parts["Own"].guessed == pytest.approx(tasks.facts(at, data).parts["Duchi"].guessed, abs=1e-9)
    assert both.parts["Own"].bits == 1


def test_people_who_mark_otherwise_are_protected_together():
    chosen = replace(BASE, mechanisms=("Own",), choices=(Choice(Marks.of(["18..30", "70..90"]), 0.5),))
    data = prepare(chosen.with_options(own=COIN))
    made = means.cell(chosen.with_options(own=COIN), data, "Own", 1.0).groups[0].mechanism
    assert np.allclose(made.parts.ends[:, made.parts.hidden], [(-1, 0.3), (-0.7, 1)])


def test_a_table_that_does_not_fit_the_range_is_left_out_alone():
    table = load("health")
    made, refused = study.fit(replace(BASE, bins=(0.0, 100.0, 64)).with_options(own=COIN, attacks=7), table)
    assert made.option("own") is None
    assert made.option("attacks") == 7
    assert "the public range from 0 to 100" in refused[0].why
    assert study.fit(BASE.with_options(own=COIN), table)[0].option("own") == COIN


def test_the_terminal_writes_one_down_and_runs_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    asked = ["export", "Duchi", "--epsilon", "1", "--numbers", "18..98", "--rows", "2", "-o", "mine.csv"]
    assert CliRunner().invoke(main, asked).exit_code == 0
    assert (tmp_path / "mine.csv").read_text().startswith("number,")
    (tmp_path / "study.toml").write_text(study.to_toml(BASE.with_options(attacks=0)), encoding="utf-8")
    said = CliRunner().invoke(main, ["run", "study.toml", "--own", "mine.csv"])
    assert said.exit_code == 0, said.output
    assert " Own " in said.output
    marked = CliRunner().invoke(
        main, ["export", "uTernary", "--epsilon", "1", "--numbers", "18..98", "--marks", "80..98"]
    )
    assert "\n80," in marked.output
    for wrong in (["--values", "3", "--numbers", "1..2"], [], ["--numbers", "1..2", "--python"], ["--numbers", "2..1"]):
        assert CliRunner().invoke(main, ["export", "Duchi", "--epsilon", "1", *wrong]).exit_code == 1


def test_a_function_of_a_number_is_audited_at_numbers_of_the_range(tmp_path):
    """Duchi's coin at ε = 1: with 4000 reports its bound is above 0.6 and, with 99 % confidence, at most 1."""
    code = tmp_path / "mine.py"
    code.write_text("def coin(x, rng):\n    return int(rng.random() < 0.5 + (x - 58) / 40 * 0.46211715726 / 2)\n")
    ages = (18.0, 58.0, 98.0)
    found = process.answer(code, "coin", (3, 7, 0.5, 4000, 0.99), ages)
    assert isinstance(found, custom.Audit)
    assert 0.6 < found.epsilon <= 1
    assert {ages[found.value], ages[found.against]} == {18.0, 98.0}
    text = " ".join(cli_custom.said(found, 100, ages))
    assert "under value 98" in text or "under value 18 " in text
    assert "does not keep ε = 0.5" in text
    assert "share" not in text
