"""A Study of range queries: every row beside the engine's exact variance, and nobody's row depends on another's."""

import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from pandas.testing import assert_frame_equal
from scipy import stats

from ldpcore import catalog, data, study
from ldpcore.cli import main
from ldpcore.domain import Categorical
from ldpcore.ranges import every_range
from ldpcore.rng import stream
from ldpcore.study import Marks, Source, Study, from_json, from_toml, ranges, tasks, to_json, to_toml
from ldpcore.study.definition import KINDS
from ldpcore.study.execute import COLUMNS
from ldpcore.study.skeleton import CELL
from tests.each import for_each

COUNTS = np.array([40, 0, 25, 10, 5, 20])
PADDED = [40, 0, 25, 10, 5, 20, 0, 0]
HISTOGRAM = data.Histogram(Categorical("abcdef"), COUNTS, 100, 0)
ALL = tuple(catalog.RANGES)
BASE = Study(
    Source("ages.csv"),
    "age",
    mechanisms=("Identity", "Tree4", "Boost", "Privelet"),
    grid=(0.5, 2.0),
    bins=(0, 60, 6),
    repetitions=2,
    task="ranges",
)


def csv() -> bytes:
    """Numbers in the middle of six bins."""
    ages = [10 * i + 5 for i, count in enumerate(COUNTS) for _ in range(count)]
    return "\n".join(["age,class", *(f"{age},{'young' if age < 30 else 'old'}" for age in ages), ""]).encode()


@pytest.fixture(scope="module")
def table():
    return data.read(csv(), "ages.csv")


@pytest.fixture(scope="module")
def rows(table):
    return study.run(BASE, table)


def rows_of(frame, **where):
    for column, value in where.items():
        frame = frame[frame[column] == value]
    return frame.reset_index(drop=True)


def built(key, size):
    return catalog.RANGES[key].build(size.bit_length() - 1)


# --- rows ---


def test_the_table_is_tidy(rows):
    assert list(rows.columns) == COLUMNS
    assert not rows.duplicated(["mechanism", "x", "repetition", "metric", "scope"]).any()
    assert set(rows["x"]) == {0.5, 1.0, 2.0}
    assert set(rows["metric"]) == {"squared error", "mse", "estimate", "average error"}
    assert (rows["task"] == "ranges").all()
    assert (rows["axis"] == "epsilon").all()
    assert rows["theory"].notna().all()


def test_the_column_is_counted_and_padded(table):
    counted = ranges.prepare(BASE, table)
    assert counted.counts.tolist() == COUNTS.tolist()
    assert ranges.size(counted) == 8
    assert ranges.cell(BASE, counted, "Boost", 1.0).counts.tolist() == PADDED
    category = ranges.prepare(replace(BASE, column="class", bins=None), table)
    assert dict(zip(category.domain.labels, category.counts.tolist(), strict=True)) == {"young": 65, "old": 35}


def test_cells_are_proposed_where_none_are_given_and_no_column_is_named():
    """Numbers are counted one by one where their column is named; what is given stays; months have no cells."""
    ages = data.read(b"age,place\n" + b"".join(b"%d,Rome\n%d,Oslo\n" % (age, age) for age in range(18, 78)), "ages.csv")
    named = replace(BASE, bins=None)
    assert ranges.fit(replace(BASE, bins=(0, 80, 16)), ages)[0].bins == (0, 80, 16)
    assert ranges.fit(named, ages)[0].bins is None
    found = ranges.fit(replace(named, column=""), ages)[0]
    assert found.column == "age"
    assert found.bins is not None
    low, high, count = found.bins
    assert low <= 18 < 77 < high
    assert count >= 10
    months = data.read(b"month,place\n" + b"January,Rome\nMarch,Oslo\nMay,Rome\n" * 9, "months.csv")
    fitted = ranges.fit(replace(BASE, column="month", bins=(0, 9, 3)), months)[0]
    assert (fitted.column, fitted.bins) == ("month", None)


def test_a_missing_answer_that_counts_is_the_last_cell():
    table = data.read(csv() + b",old\n", "ages.csv")
    counted = ranges.prepare(replace(BASE, missing="category"), table)
    assert ranges.cell(BASE, counted, "Boost", 1.0).counts.tolist() == [*PADDED[:6], 1, 0]
    assert ranges.prepare(BASE, table).n == 100


def test_every_range_of_few_cells_is_asked(rows):
    """50 of 36 ranges: all of them, and then the mean over them is the mean over all."""
    scopes = set(rows_of(rows, metric="squared error", mechanism="Boost", x=0.5, repetition=0)["scope"])
    assert scopes == {f"{first}:{last}" for first, last in zip(*every_range(8), strict=True)}
    keys = ["mechanism", "x", "repetition"]
    asked = rows_of(rows, metric="mse").set_index(keys)
    everything = rows_of(rows, metric="average error", scope="all").set_index(keys)
    assert asked["theory"].to_numpy() == pytest.approx(everything["theory"].to_numpy())
    summed = everything["value"].notna()
    assert set(everything.index[~summed].get_level_values("mechanism")) == {"Tree4"}
    assert asked["value"][summed].to_numpy() == pytest.approx(everything["value"][summed].to_numpy())


def test_theory_is_the_engines(rows):
    for key in BASE.mechanisms:
        for x in (0.5, 1.0, 2.0):
            here, p = rows_of(rows, mechanism=key, x=x, repetition=1), built(key, 8)
            for row in rows_of(here, metric="squared error").itertuples():
                assert row.theory == pytest.approx(p.variance(*map(int, row.scope.split(":")), x))
            assert rows_of(here, metric="average error", scope="all")["theory"][0] == pytest.approx(
                p.average_variance(x)
            )
    assert built("Privelet", 8).variance(3, 7, 1.0) == 31.0
    found = rows_of(rows, mechanism="Privelet", x=1.0, metric="squared error", scope="3:7")
    assert found["theory"].tolist() == pytest.approx([31.0, 31.0])


def test_values_are_the_engines_release_on_the_cells_own_stream(rows):
    for key in BASE.mechanisms:
        answer = built(key, 8).release(PADDED, 1.0, stream(BASE.seed, key, 1.0, 1))
        here = rows_of(rows, mechanism=key, x=1.0, repetition=1)
        estimates = rows_of(here, metric="estimate").set_index("scope")
        errors = rows_of(here, metric="squared error").set_index("scope")["value"]
        for scope, value, truth in estimates[["value", "theory"]].itertuples():
            first, last = map(int, scope.split(":"))
            assert truth == sum(PADDED[first - 1 : last])
            assert value == pytest.approx(answer.range(first, last))
            assert errors[scope] == pytest.approx((value - truth) ** 2)
        assert rows_of(here, metric="mse")["value"][0] == pytest.approx(errors.mean())


def test_the_own_average_leaves_the_padding_out(rows):
    """Over the 21 ranges of six cells, one by one; N = 8 has 36. Only the study's own N has it."""
    for key in BASE.mechanisms:
        for x in (0.5, 1.0, 2.0):
            found = rows_of(rows, mechanism=key, x=x, metric="average error", scope="own")["theory"]
            exact = np.mean(
                [built(key, 8).variance(first, last, x) for first, last in zip(*every_range(6), strict=True)]
            )
            assert found.tolist() == pytest.approx([exact] * 2)


def test_only_the_chosen_point_has_estimates(rows):
    assert set(rows_of(rows, metric="estimate")["x"]) == {1.0}
    assert set(rows_of(rows, metric="squared error")["x"]) == {0.5, 1.0, 2.0}


def measured(here, table):
    """What `study.run` gives, without a table for each of thousands of surveys."""
    counted = ranges.prepare(here, table)
    found = [
        (part.mechanism, x, *row)
        for part in tasks.of(here).chunks(here, counted)
        for x in part.xs
        for row in part.run.survey(part.study, part.data, part.mechanism, x, part.repetition)
    ]
    rows = pd.DataFrame(found, columns=[*CELL, "value"])
    return rows.merge(tasks.of(here).theory(here, counted), how="left", on=CELL)


def test_measured_rows_are_those_of_a_run(table, rows):
    found = measured(BASE, table).sort_values(CELL, kind="stable").reset_index(drop=True)
    expected = rows.sort_values(CELL, kind="stable").reset_index(drop=True)
    assert_frame_equal(found, expected[found.columns], check_exact=True)


REPEATS = 1000
OWN = ("1:1", "3:7", "1:8", "2:5", "4:4")


def test_measurements_follow_their_theory(table):
    """Fixed streams, so false alarms are paid once, when a stream changes.

    Identity's cells exactly: |error|·ε is exponential, its sum over the releases Gamma, each at p > 1e-6. The rest by
    the mean of 1000 squares in units of its own standard error: below 6 for all 50 rows. Where one Laplace variable
    is squared, the most skewed case, 6 of 1,000,000 simulated means were beyond 6: in all, below 50 × 6e-6 = 3e-4.
    """
    here = replace(BASE, grid=(), repetitions=REPEATS).with_options(ranges=0, asked=OWN)
    frame = measured(here, table)
    for scope in ("1:1", "4:4"):
        found = rows_of(frame, mechanism="Identity", metric="squared error", scope=scope)
        total = np.sqrt(found["value"]).sum()
        assert 2 * min(stats.gamma.cdf(total, REPEATS), stats.gamma.sf(total, REPEATS)) > 1e-6
    grouped = frame[frame["value"].notna()].groupby(["mechanism", "metric", "scope"])
    z = (grouped["value"].mean() - grouped["theory"].first()) / (grouped["value"].std() / np.sqrt(REPEATS))
    # Five ranges twice, the mean of them, and but for the plain tree the mean of all and of the column's own.
    assert len(z) == 4 * (2 * 5 + 1) + 2 * 3
    assert z.abs().max() < 6, z[z.abs() > 5]
    assert z.abs().max() > 1.5, "the measurements are not the theory itself"


# --- which ranges ---


def test_ranges_are_drawn_evenly_from_all_of_them():
    """χ² over the 36 ranges of 8 cells, 1 drawn by each of 7200 seeds: p > 1e-6."""
    first = [ranges.drawn(seed, 8, 1)[0] for seed in range(7200)]
    assert set(first) == set(zip(*(ends.tolist() for ends in every_range(8)), strict=True))
    assert stats.chisquare(pd.Series(first).value_counts().to_numpy()).pvalue > 1e-6


@pytest.mark.parametrize("size", [1, 2, 16, 1024, 2**20])
def test_drawn_ranges_are_ranges_and_differ(size):
    found = ranges.drawn(7, size, 100)
    assert len(found) == len(set(found)) == min(100, size * (size + 1) // 2)
    assert all(1 <= first <= last <= size for first, last in found)
    assert set(ranges.drawn(7, size, 50)) <= set(found)
    assert found[:50] == ranges.drawn(7, size, 50) or size * (size + 1) // 2 <= 100


def test_where_nobody_names_a_range_one_is_asked_that_sees_no_data(table):
    scopes = rows_of(study.run(BASE.with_options(ranges=1), table), metric="estimate")["scope"]
    assert set(scopes) == {"2:3", *(f"{first}:{last}" for first, last in ranges.drawn(7, 8, 1))}
    alone = study.run(BASE.with_options(ranges=0), table)
    assert set(alone["scope"]) == {"all", "own", "2:3"}
    counted = ranges.prepare(BASE, table)
    assert ranges.asked(BASE, counted) == ((2, 3),)
    empty = replace(counted, counts=counted.counts[::-1].copy())
    assert ranges.asked(BASE, empty) == ((2, 3),)
    assert ranges.asked(BASE.with_options(asked=("4:5",)), counted) == ((4, 5),)


def test_ranges_of_ones_own_come_first_and_once(table):
    frame = study.run(BASE.with_options(ranges=3, asked=("3:7", "1:8", "03:7")), table)
    for key in BASE.mechanisms:
        scopes = rows_of(frame, mechanism=key, x=2.0, repetition=0, metric="squared error")["scope"].tolist()
        expected = ["3:7", "1:8", *(f"{first}:{last}" for first, last in ranges.drawn(7, 8, 3))]
        assert scopes == list(dict.fromkeys(expected))
    only = study.run(BASE.with_options(ranges=0, asked=("3:7",)), table)
    assert set(only["scope"]) == {"all", "own", "3:7"}
    one = rows_of(only, mechanism="Privelet", metric="mse", x=1.0)
    assert one["theory"].tolist() == pytest.approx([31.0, 31.0])


# --- the axis N ---


def test_on_the_axis_n_the_same_people_stand_in_other_cells(table):
    here = replace(BASE, axis="N", grid=(1.0, 4.0, 32.0))
    counted = ranges.prepare(here, table)
    assert ranges.points(here, counted) == [1.0, 4.0, 8.0, 32.0]
    found = [ranges.cell(here, counted, "Boost", x).counts.tolist() for x in ranges.points(here, counted)]
    assert found == [[100], [40, 35, 25, 0], PADDED, PADDED + [0] * 24]


def test_the_axis_n_has_the_average_error_of_every_n(table):
    here = replace(BASE, axis="N", grid=(1.0, 32.0, 1024.0), mechanisms=ALL).with_options(asked=("2:3",))
    frame = study.run(here, table)
    assert set(frame["x"]) == {1.0, 8.0, 32.0, 1024.0}
    for key in ALL:
        for x in (1, 8, 32, 1024):
            found = rows_of(frame, mechanism=key, metric="average error", scope="all", x=x)["theory"]
            assert found.tolist() == pytest.approx([built(key, x).average_variance(1.0)] * 2)
    # The range of one's own is among the study's own 8 cells.
    own = ranges.cell(here, HISTOGRAM, "Boost", 32.0).asked
    assert own == ranges.drawn(7, 32, 50)
    assert ranges.cell(here, HISTOGRAM, "Boost", 8.0).asked[0] == (2, 3)
    assert set(rows_of(frame, metric="estimate")["x"]) == {8.0}


def test_a_point_where_nothing_is_asked_has_its_average_alone(table):
    here = replace(BASE, axis="N", grid=(32.0,)).with_options(ranges=0, asked=("2:3",))
    assert set(rows_of(study.run(here, table), x=32.0)["metric"]) == {"average error"}


def test_another_n_of_people_keeps_the_shares(table):
    frame = study.run(replace(BASE, n=1000).with_options(ranges=0, asked=("1:3",)), table)
    assert set(rows_of(frame, metric="estimate")["theory"]) == {650.0}


# --- how it is run ---


def test_two_workers_change_no_number(table, rows):
    """Other processes: test_workers.py."""
    with ThreadPoolExecutor(2) as pool:
        assert_frame_equal(study.run(BASE, table, pool), rows, check_exact=True)


GROWN = {
    "strategies": (
        {"mechanisms": ("Tree", *BASE.mechanisms, "Boost16")},
        lambda f: f[f["mechanism"].isin(BASE.mechanisms)],
    ),
    "a repetition": ({"repetitions": 4}, lambda f: f[f["repetition"] < 2]),
    "a point": ({"grid": (0.5, 0.7, 2.0)}, lambda f: f[f["x"] != 0.7]),
}  # fmt: skip


@pytest.mark.parametrize(("change", "kept"), GROWN.values(), ids=GROWN)
def test_growth_changes_nobody_elses_rows(table, rows, change, kept):
    grown = kept(study.run(replace(BASE, **change), table)).reset_index(drop=True)
    assert_frame_equal(grown, rows, check_exact=True)


def test_another_seed_gives_other_noise_and_the_same_theory(table, rows):
    other = study.run(replace(BASE, seed=8), table)
    assert_frame_equal(other.drop(columns="value"), rows.drop(columns="value"))
    assert (other["value"] != rows["value"]).all()


def test_it_is_a_study_like_any_other():
    here = replace(BASE, axis="N", grid=(1.0, 8.0)).with_options(ranges=5, asked=("3:7", "1:8"))
    assert from_toml(to_toml(here)) == here
    assert from_json(to_json(here)) == here
    assert tomllib.loads(to_toml(here))["options"] == {"ranges": 5, "asked": ["3:7", "1:8"]}


def test_every_task_is_known_to_its_studies():
    assert list(tasks.TASKS) == list(KINDS)
    for name, task in tasks.TASKS.items():
        made = Study(Source("census"), "", task=name)
        assert made.axis == task.AXES[0]
        assert made.mechanisms == task.CATALOG.defaults


# --- what is refused ---


@pytest.mark.parametrize("x", [0, 3, 0.5, 2**21])
def test_n_is_a_power_of_two(x):
    with pytest.raises(
        ValueError, match=f"the grid of the axis N must hold powers of two from 1 to 1048576, got {x:g}"[:70]
    ):
        replace(BASE, axis="N", grid=(x,))


@for_each(
    ("change", "options", "sentence"),
    [
        ({"mechanisms": ("GRR",)}, {}, "'GRR' belongs to the task frequency, not to ranges, which has Identity, Tree"),
        ({"mechanisms": ("Wavelet",)}, {}, "there is no strategy 'Wavelet'; there are Identity, Tree, Tree4"),
        ({"task": "frequency"}, {}, "'Identity' belongs to the task ranges, not to frequency, which has GRR"),
        ({"marks": Marks.of(["0 to 10"])}, {}, "marks do not apply to range queries: in the central model"),
        ({}, {"range": 3}, "the ranges task has no option range; it has ranges, asked"),
        ({}, {"ranges": -1}, r"the option ranges \(how many are drawn\) must be between 0 and 10000, got -1"),
        ({}, {"ranges": 2.5}, r"the option ranges \(how many are drawn\) must be a whole number, got 2.5"),
        ({}, {"asked": "3:7"}, "the option asked is a list, such as .*3:7.*, got '3:7'"),
        ({}, {"asked": 3}, "the option asked is a list, got 3"),
        ({}, {"asked": ("1:2",) * 10_001}, "the option asked holds at most 10000 ranges, got 10001"),
        ({}, {"asked": ("3-7",)}, "a range is written l:r with two whole numbers, such as 3:7; got '3-7'"),
        ({}, {"asked": ("3:",)}, "a range is written l:r .* got '3:'"),
        ({}, {"asked": (7,)}, "a range is written l:r .* got 7"),
        ({}, {"asked": ("7:3",)}, "a range l:r must have 1 ≤ l ≤ r ≤ 8, the number of cells, got 7:3; cells are"),
        ({}, {"asked": ("0:3",)}, "a range l:r must have 1 ≤ l ≤ r ≤ 8, the number of cells, got 0:3"),
        ({}, {"asked": ("1:9",)}, "a range l:r must have 1 ≤ l ≤ r ≤ 8, the number of cells, got 1:9"),
        ({"column": "class", "bins": (0, 1, 2)}, {}, "“class” holds text, not numbers"),
        ({"column": "size"}, {}, "no column “size”"),
    ],
)
def test_running_refuses_in_a_sentence(table, change, options, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        study.run(replace(BASE, **change).with_options(**options), table)


# --- the terminal ---


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ages.csv").write_bytes(csv())
    (tmp_path / "study.toml").write_text(to_toml(BASE), encoding="utf-8")
    return tmp_path


def test_the_terminal_writes_the_same_rows(folder, rows):
    result = CliRunner().invoke(main, ["run", "study.toml", "-o", "x.parquet"])
    assert result.exit_code == 0, result.output
    assert_frame_equal(pd.read_parquet(folder / "x.parquet"), rows, check_exact=True)


def test_the_terminal_prints_a_summary_without_a_limit(folder):
    result = CliRunner().invoke(main, ["run", "study.toml"])
    assert result.exit_code == 0, result.output
    header, *lines = result.stdout.strip().splitlines()
    assert header.split() == [*CELL, "repetitions", "value", "low", "high", "theory"]
    # Four strategies at three points: both averages, and the ranges asked.
    assert len(lines) == 4 * 3 * 3
    assert any(line.split()[:4] == ["Privelet", "0.5", "mse", "all"] for line in lines)


def test_the_terminal_refuses_in_a_sentence(folder):
    (folder / "study.toml").write_text(to_toml(replace(BASE, marks=Marks.of(["x"]))), encoding="utf-8")
    result = CliRunner().invoke(main, ["run", "study.toml"])
    assert result.exit_code == 1
    assert "Error: marks do not apply to range queries" in result.output
