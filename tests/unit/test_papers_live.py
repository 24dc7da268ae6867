"""Every figure of the papers as Studies: what Papers draws is what the terminal gives, and formulas of their own."""

import tomllib
from dataclasses import replace
from functools import cache
from math import comb, exp

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from ldpcore import cli, data, papers
from ldpcore.papers import FIGURES, LIVE, Ask, draw, sdldp_means, sources, stored
from ldpcore.ranges import table1, table2
from ldpcore.study import execute, from_toml
from ldpcore.study.clusters import curves as cluster_curves
from ldpcore.study.definition import Study
from ldpcore.study.itemsets import curves as itemset_curves
from ldpcore.study.means import curves as mean_curves
from ldpcore.study.skeleton import at
from ldpcore.study.summaries import summary

EXACT = [key for key, live in LIVE.items() if all(line.exact for line in live.lines)]
SIMULATED = [key for key in LIVE if key not in EXACT]


def figure(paper: str, number: str) -> papers.Figure:
    return next(each for each in FIGURES[paper] if each.number == number)


@cache
def shown(paper: str, number: str) -> pd.DataFrame:
    """What the page Papers draws."""
    if figure(paper, number).exact:
        return draw(paper, number, Ask())
    return stored.read().figures[paper, number]


def by_theory(key: tuple[str, str]) -> pd.DataFrame:
    """The lines of closed forms, without surveys."""
    live = LIVE[key]
    alone = replace(live, lines=tuple(line for line in live.lines if line.exact))
    return alone.drawn()


def test_every_figure_is_a_study_and_every_line_stands_in_a_run() -> None:
    assert list(LIVE) == [(paper, each.number) for paper, every in FIGURES.items() for each in every]
    for key, live in LIVE.items():
        lines = [line.line for line in live.lines]
        assert len(set(lines)) == len(lines)
        assert {*lines, *live.without} == set(shown(*key)["line"]), key
        assert {line.setting for line in live.lines} == set(live.settings), key
        assert live.stand_in.endswith((".", ")")), key
        assert figure(*key).exact == (key in EXACT), "who waits for surveys is stored"
        assert not shown(*key).isna().any(axis=None)


@pytest.mark.one_in(2)  # the numbers of all formulas: test_papers_exact.py
@pytest.mark.parametrize("key", EXACT, ids=" ".join)
def test_a_run_has_what_the_papers_formulas_say(key) -> None:
    """To 1e-9; of simulated sets to 0.1 %: who holds what is drawn, ten thousand people's shares vary a little."""
    of_run, formulas = by_theory(key), figure(*key)(Ask())
    for line in LIVE[key].lines:
        mine, theirs = (table[table["line"] == line.line].set_index("x")["value"] for table in (of_run, formulas))
        both = sorted(set(mine.index) & set(theirs.index))
        assert len(both) == len(mine) >= 5, line.line
        tolerance = 1e-3 if key[0] == "suldp" else 1e-9
        assert mine[both].to_numpy() == pytest.approx(theirs[both].to_numpy(), rel=tolerance), line.line
    drawn = shown(*key)
    assert len(drawn) == len(drawn[["line", "x"]].drop_duplicates()), "no point is drawn twice"
    assert len(drawn) >= len(formulas), "what no run has is drawn by formulas"


# simulated lines -----------------------------------------------------------------------------------------------------


def of_page(study: Study) -> Study:
    """The Study behind the lines of its page, at the points that the page has."""
    counted = execute.prepare(study)
    if study.task == "itemsets":
        return itemset_curves.over(study, counted)
    if study.task == "clusters":
        return cluster_curves.along(study, study.axis, counted)
    if study.task == "means":
        return mean_curves.along(study, study.axis, mean_curves.GRIDS[study.axis], study.option("estimates"))
    return study


@cache
def rows(study: Study) -> pd.DataFrame:
    return execute.run(study)


def same(key: tuple[str, str], made: dict[str, Study]) -> None:
    """These Studies' rows, read as from a terminal and averaged here, are what Papers draws, to rounding."""
    live, drawn = LIVE[key], shown(*key)
    for line in live.lines:
        if line.setting not in made:
            continue
        found, study = rows(made[line.setting]), made[line.setting]
        found = found[(found["mechanism"] == line.mechanism) & (found["metric"] == line.metric)]
        found = found[(found["scope"] != "all") if line.against == "theory" else (found["scope"] == line.scope)]
        assert found.groupby(["x", "scope"]).size().eq(study.repetitions).all()
        means_ = found.groupby(["x", "scope"])[["value", "theory"]].mean().reset_index()
        x = means_["theory" if line.against == "theory" else "x"].to_numpy()
        value = line.turn(x, means_["theory" if line.exact else "value"].to_numpy())
        on_page = drawn[drawn["line"] == line.line]
        assert set(np.round(x, 9)) <= set(on_page["x"].round(9)), line.line
        for at_x, mine in zip(x, value, strict=True):
            theirs = on_page[np.isclose(on_page["x"], at_x, rtol=1e-9)]
            assert np.isclose(theirs["value"], mine, rtol=1e-9).any(), (line.line, at_x)
        if not line.exact:
            assert ((on_page["low"] < on_page["value"]) & (on_page["value"] < on_page["high"])).any()


ONE = {("dfdp", "Fig. 2"): 0.4, ("dfdp", "Fig. 3"): 0.4, ("sdldp", "Fig. 8"): 2.0}
"""A figure's point at which all its repetitions are cheap: there the page's own Study is run, and compared."""


@pytest.mark.parametrize("key", ONE, ids=" ".join)
def test_papers_page_and_terminal_give_the_same_numbers(key) -> None:
    """One point alone of the page's Study: no survey depends on the other points, or on what else is on a page."""
    same(key, {"": at(of_page(LIVE[key].study), ONE[key])})


def test_papers_page_and_terminal_give_the_same_averages_over_ranges() -> None:
    study = LIVE["privelet", "Fig. 5"].study
    same(("privelet", "Fig. 5"), {"": replace(study, grid=study.grid[:4])})


@pytest.mark.thorough
@pytest.mark.parametrize("key", SIMULATED, ids=" ".join)
def test_papers_and_terminal_give_the_same_numbers_everywhere(key) -> None:
    same(key, dict(LIVE[key].settings))


@pytest.mark.one_in(2)  # one rule for all grids; three pages are run and compared below
@pytest.mark.parametrize("key", SIMULATED, ids=" ".join)
def test_a_page_simulates_where_its_figure_does(key) -> None:
    for study in LIVE[key].settings.values():
        assert set(study.grid) <= set(of_page(study).grid)


def test_intervals_are_those_that_pages_show(tmp_path) -> None:
    """Read from a table of results: the same means and ends, of 95 %, as the summary has them."""
    live = LIVE["dfdp", "Fig. 3"]
    study = at(live.study, 1.0)
    rows(study).to_csv(tmp_path / "rows.csv", index=False)
    table = summary(study, execute.prepare(study), pd.read_csv(tmp_path / "rows.csv"))
    mine = live.drawn({"": table}).set_index("line")
    theirs = shown("dfdp", "Fig. 3").query("x == 1").set_index("line").loc[mine.index]
    assert mine[["value", "low", "high"]].to_numpy() == pytest.approx(theirs[["value", "low", "high"]].to_numpy())


# formulas of their own -----------------------------------------------------------------------------------------------


def line(key: tuple[str, str], name: str) -> pd.Series:
    found = by_theory(key)
    return found[found["line"] == name].set_index("x")["value"]


def test_suldp_figure_1_by_hand() -> None:
    """RAPPOR's split: suRAP sends every sensitive bit with p = e^(ε/2m)/(e^(ε/2m) + 1), a free bit openly with chance
    1 − q once it is held, so that n·Var = q(1 − q)/(1 − 2q)² + … : written here from the paper's (§4.2), not imported.
    """
    d, m, share = 1024, 8, 0.25
    held = m / d
    for epsilon, found in line(("suldp", "Fig. 1"), "suRAP").items():
        half = exp(epsilon / (2 * m))
        q = 1 / (half + 1)
        sensitive = q * (1 - q) / (1 - 2 * q) ** 2
        keep = 1 - 1 / half
        other = held * (1 - keep) / keep
        assert found == pytest.approx(share * sensitive + (1 - share) * other, rel=2e-3)


def test_sdldp_figure_5_by_hand() -> None:
    """GRR's n·MSE of 18 equal shares, who holds what being fixed: two binomials, by its own two chances."""
    k, f = 18, 1 / 18
    for epsilon, found in line(("sdldp", "Fig. 5"), "GRR").items():
        p, q = exp(epsilon) / (exp(epsilon) + k - 1), 1 / (exp(epsilon) + k - 1)
        assert found == pytest.approx((f * p * (1 - p) + (1 - f) * q * (1 - q)) / (p - q) ** 2)


def test_sdldp_figure_9_by_hand() -> None:
    """Under GRR a guess of what is reported is right with chance e^ε/(e^ε + 17), whatever is marked."""
    for epsilon, found in line(("sdldp", "Fig. 9"), "GRR").items():
        assert found == pytest.approx(exp(epsilon) / (exp(epsilon) + 17))


def test_sdldp_figure_4_by_hand() -> None:
    """PM's largest variance, of x = 1 (Wang et al. 2019, Lemma 1)."""
    for epsilon, found in line(("sdldp", "Fig. 4"), "PM").items():
        half = exp(epsilon / 2)
        assert found == pytest.approx(1 / (half - 1) + (half + 3) / (3 * (half - 1) ** 2))


def test_drawn_reports_vary_as_the_closed_form_says() -> None:
    """100 000 reports: the relative error of a variance is √((κ − 1)/n), 0.5 % at most here; five of them."""
    study = LIVE["sdldp", "Fig. 4"].study
    one = replace(study, grid=(), repetitions=1).with_options(reports=100_000, estimates=())
    found = execute.run(one)
    found = found[found["metric"] == "report variance"]
    assert set(found["scope"]) == {"all", "sensitive", "other"}
    assert (found["value"] / found["theory"]).to_numpy() == pytest.approx(1, abs=0.025)


def test_sdldp_figure_7_by_formulas() -> None:
    """Of heights to 1/256 of the range, where the page counts them in 64 cells."""
    x, counts, _ = sdldp_means.heights(None)
    for name, asked in (
        ("PM (mean)", ("PM", "mean", ())),
        ("SDPM-50 (unbiased)", ("SDPM", "unbiased", ((-0.5, 0.5),))),
    ):
        mechanism, how, low = asked
        for epsilon, found in line(("sdldp", "Fig. 7"), name).items():
            assert found == pytest.approx(sdldp_means.exact(mechanism, how, epsilon, low, x, counts), rel=1e-3)


def test_privelet_figure_4_by_algorithm_3() -> None:
    drawn = line(("privelet", "Fig. 4"), "algorithm 3")
    assert drawn.to_numpy() == pytest.approx(np.sort(table1(7, repetitions=2)["theory"]), rel=1e-9)


def test_privelet_figure_5_by_hand() -> None:
    """A flat histogram's mean over all ranges: 2·(N + 2)/3 cells' worth of noise of variance 2."""
    found = by_theory(("privelet", "Fig. 5"))
    flat = found[found["line"] == "flat histogram"].set_index("x")["value"]
    for cells, value in flat.items():
        lengths = sum(size * (cells - size + 1) for size in range(1, int(cells) + 1)) / comb(int(cells) + 1, 2)
        assert value == pytest.approx(2 * lengths)


def test_reports_make_sense_or_are_refused() -> None:
    study = LIVE["sdldp", "Fig. 4"].study
    with pytest.raises(ValueError, match="0, or at least 2"):
        study.with_options(reports=1)


# files ---------------------------------------------------------------------------------------------------------------


def test_the_terminal_writes_every_figure_and_says_what_stands_in(tmp_path) -> None:
    result = CliRunner().invoke(cli.main, ["papers", "--studies", str(tmp_path / "new")])
    assert result.exit_code == 0, result.output
    files = {name: study for live in LIVE.values() for name, study in live.files.items()}
    assert {path.name for path in (tmp_path / "new").iterdir()} == set(files)
    assert result.output.split("\n")[0] == f"ldpcore run {tmp_path / 'new' / 'suldp-fig1.toml'}"
    assert len(result.output.strip().split("\n")) == len(files)
    for live in LIVE.values():
        for name, study in live.files.items():
            text = (tmp_path / "new" / name).read_text("utf-8")
            assert from_toml(text) == study
            said = " ".join(row.removeprefix("# ") for row in text.split("\n") if row.startswith("# "))
            assert live.stand_in in said
            assert tomllib.loads(text)["data"]["name"] in data.BUNDLED


def test_only_the_papers_that_are_named_are_written(tmp_path) -> None:
    papers.write(tmp_path, ("dfdp",))
    assert {path.name for path in tmp_path.iterdir()} == {"dfdp-fig2.toml", "dfdp-fig3.toml"}


def test_one_file_runs_in_the_terminal(tmp_path) -> None:
    papers.write(tmp_path, ("privelet",))
    file, out = tmp_path / "privelet-indices.toml", tmp_path / "rows.csv"
    assert CliRunner().invoke(cli.main, ["run", str(file), "-o", str(out)]).exit_code == 0
    key = "privelet", "indices"
    study = LIVE[key].study
    drawn = LIVE[key].drawn({"": summary(study, execute.prepare(study), pd.read_csv(out))})
    assert drawn["value"].to_numpy() == pytest.approx(by_theory(key)["value"].to_numpy())


# stand-ins -----------------------------------------------------------------------------------------------------------


def test_the_claims_are_measured_on_the_very_stand_ins_that_open(tmp_path, monkeypatch) -> None:
    monkeypatch.delenv(sources.VARIABLE, raising=False)
    monkeypatch.setattr(sources.pooch, "os_cache", lambda name: tmp_path)
    held, said = sources.supermarket(None)
    assert (held.n, held.k, len(held.codes)) == (300, 50, 913), "3 products each, as the paper says"
    assert held.starts.tolist() == data.load("supermarket").baskets("items").starts.tolist()
    assert "standing in" in said
    heights, said = sources.heights(None)
    low, high = sources.HEIGHTS
    numbers = data.load("children").numbers("height")
    assert heights == pytest.approx(2 * (numbers - low) / (high - low) - 1)
    assert heights.max() == pytest.approx(1, abs=0.03), "of 25 000 the largest is near the published one"
    assert heights.min() == pytest.approx(-1, abs=0.03)
    assert "standing in" in said


def test_the_children_have_the_published_moments_and_equal_answers() -> None:
    """SOCR: heights of mean 67.993 and deviation 1.902, weights of 127.079 and 11.661; five standard errors."""
    table = data.load("children")
    for name, mean, sd in (("height", 67.993, 1.902), ("weight", 127.079, 11.661)):
        numbers = table.numbers(name)
        assert len(numbers) == 25_000
        assert numbers.mean() == pytest.approx(mean, abs=5 * sd / 25_000**0.5)
        assert numbers.std() == pytest.approx(sd, rel=5 / 50_000**0.5)
    for name, k in (("one-of-18", 18), ("one-of-7", 7)):
        assert np.ptp(table.categorical(name).counts) == 1
        assert table.categorical(name).domain.k == k


def test_table_2_is_the_run_of_figure_5() -> None:
    """The same closed form by another way."""
    assert table2(7, range(3), 2)["theory"].tolist() == pytest.approx([2.0, 16 / 3, 10.8])
