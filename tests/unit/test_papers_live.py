"""Every figure of the papers as Studies: a run gives what the figure draws, and a formula of its own what both say."""

import tomllib
from dataclasses import replace
from math import comb, exp

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from ldpcore import cli, data, papers
from ldpcore.papers import FIGURES, LIVE, Ask, draw, sources, stored
from ldpcore.ranges import table2
from ldpcore.study import execute, from_toml, script, tasks

REPETITIONS = 4
EXACT = [key for key, live in LIVE.items() if all(line.exact for line in live.lines)]
SIMULATED = [key for key in LIVE if key not in EXACT]


def figure(paper: str, number: str) -> papers.Figure:
    return next(each for each in FIGURES[paper] if each.number == number)


def wanted(paper: str, number: str) -> pd.DataFrame:
    """What the page Papers draws."""
    if figure(paper, number).exact:
        return draw(paper, number, Ask())
    return stored.read().figures[paper, number]


def of_run(key: tuple[str, str], repetitions: int) -> pd.DataFrame:
    """The table of a run of few repetitions; without surveys its closed forms alone."""
    live = LIVE[key]
    made = {name: replace(study, repetitions=max(repetitions, 1)) for name, study in live.settings.items()}
    if repetitions:
        made = {name: replace(study, grid=study.grid[::4]) for name, study in made.items()}
        return live.drawn({name: execute.run(study) for name, study in made.items()})
    tables = {name: tasks.of(study).theory(study, execute.prepare(study)) for name, study in made.items()}
    return live.drawn({name: table.assign(value=np.nan) for name, table in tables.items()})


def test_every_figure_is_a_study_and_every_line_stands_in_a_run() -> None:
    assert list(LIVE) == [(paper, each.number) for paper, every in FIGURES.items() for each in every]
    for key, live in LIVE.items():
        lines = [line.line for line in live.lines]
        assert len(set(lines)) == len(lines)
        assert {*lines, *live.without} == set(wanted(*key)["line"]), key
        assert {line.setting for line in live.lines} == set(live.settings), key
        assert live.stand_in.endswith((".", ")")), key


@pytest.mark.parametrize("key", EXACT, ids=" ".join)
def test_a_run_has_the_exact_lines_of_its_figure(key) -> None:
    """To 1e-9; of simulated sets to 0.2 %: who holds what is drawn, ten thousand people's shares vary a little."""
    found, figure_ = of_run(key, 0), wanted(*key)
    tolerance = 2e-3 if key[0] == "suldp" else 1e-9
    for line in LIVE[key].lines:
        mine, theirs = (table[table["line"] == line.line].set_index("x")["value"] for table in (found, figure_))
        both = sorted(set(mine.index) & set(theirs.index))
        assert len(both) == len(theirs) or key == ("privelet", "indices"), line.line
        assert len(both) >= 5
        assert mine[both].to_numpy() == pytest.approx(theirs[both].to_numpy(), rel=tolerance), line.line


NEAR = {"ac": 0.15, "entropy": 0.25, "f": 0.1, "mae_found": 0.6}
"""How far a mean of four runs may be from that of a hundred: four standard errors and more, of a score."""


@pytest.mark.parametrize("key", SIMULATED, ids=" ".join)
def test_a_run_has_the_simulated_lines_of_its_figure(key) -> None:
    """Lines with a closed form to 0.1 %, the others, means of random runs on both sides, as far as four runs at two
    points can tell: scores to NEAR, squared errors by their order of magnitude. Fixed seeds; a right engine fails for
    one seed in some hundreds, a line in the place of another or a unit forgotten for all.
    """
    found, figure_ = of_run(key, REPETITIONS), wanted(*key)
    for line in LIVE[key].lines:
        mine, theirs = (table[table["line"] == line.line].set_index("x")["value"] for table in (found, figure_))
        if line.against == "theory":
            assert np.unique(mine.index) == pytest.approx(np.unique(theirs.index))
            assert (mine / mine.index).mean() == pytest.approx(1, abs=0.35)
            continue
        theirs = theirs[mine.index]
        assert len(mine) >= 2
        if line.exact:
            assert mine.to_numpy() == pytest.approx(theirs.to_numpy(), rel=1e-3), line.line
        elif line.metric in NEAR:
            assert (mine - theirs).abs().max() < NEAR[line.metric], line.line
        else:
            assert abs(np.log(mine / theirs).mean()) < 1.2, line.line


# formulas of their own -----------------------------------------------------------------------------------------------


def line(key: tuple[str, str], name: str) -> pd.Series:
    found = of_run(key, 0)
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


def test_privelet_figure_5_by_hand() -> None:
    """A flat histogram's mean over all ranges: 2·(N + 2)/3 cells' worth of noise of variance 2."""
    found = of_run(("privelet", "Fig. 5"), 1)
    flat = found[found["line"] == "flat histogram"].set_index("x")["value"]
    for cells, value in flat.items():
        lengths = sum(size * (cells - size + 1) for size in range(1, int(cells) + 1)) / comb(int(cells) + 1, 2)
        assert value == pytest.approx(2 * lengths)


def test_reports_make_sense_or_are_refused() -> None:
    study = LIVE["sdldp", "Fig. 4"].study
    with pytest.raises(ValueError, match="0, or at least 2"):
        study.with_options(reports=1)
    with pytest.raises(ValueError, match="leave the option reports out"):
        script(study)


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
    drawn = LIVE[key].drawn({"": pd.read_csv(out)})
    assert drawn["value"].to_numpy() == pytest.approx(of_run(key, 0)["value"].to_numpy())


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
