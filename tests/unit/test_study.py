"""A Study and its rows: the same numbers however they are computed, and nobody's row depends on another's."""

from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal
from scipy import stats

from ldpcore import catalog, data, study
from ldpcore.attacks import bayes
from ldpcore.domain import Categorical
from ldpcore.study import Choice, Marks, Source, Study, frequency, skeleton
from ldpcore.study.definition import KINDS
from ldpcore.study.execute import COLUMNS
from ldpcore.study.frequency import floor
from tests.each import for_each

LABELS = tuple("abcdef")
COUNTS = np.array([300, 220, 160, 100, 15, 5])
HISTOGRAM = data.Histogram(Categorical(LABELS), COUNTS, int(COUNTS.sum()), 0)
ALL = tuple(catalog.FREQUENCY)


def csv() -> bytes:
    """The same histogram as a file, with a second column that misses its last answer."""
    rows = [f"{label},{i % 3}" for label, count in zip(LABELS, COUNTS, strict=True) for i in range(count)]
    rows[-1] = "f,"
    return "\n".join(["answer,other", *rows, ""]).encode()


@pytest.fixture(scope="module")
def table():
    return data.read(csv(), "survey.csv")


BASE = Study(
    Source("survey.csv"),
    "answer",
    marks=Marks.of("aef"),
    mechanisms=("GRR", "uRR", "SDGRR", "uSS", "OUE"),
    grid=(0.5, 2.0),
    missing="column",
    repetitions=2,
)


def rows_of(frame, **where):
    for column, value in where.items():
        frame = frame[frame[column] == value]
    return frame.reset_index(drop=True)


# --- the description ---


def test_a_study_is_a_value():
    assert replace(BASE) == BASE
    assert hash(BASE) == hash(replace(BASE))
    with pytest.raises(FrozenInstanceError):
        BASE.epsilon = 2.0


def test_whole_numbers_are_kept_as_int():
    given = replace(BASE, epsilon=1, repetitions=3.0, n=1e6, seed=7.0)
    assert [type(v) for v in (given.epsilon, given.repetitions, given.n, given.seed)] == [float, int, int, int]
    assert given == replace(BASE, repetitions=3, n=1_000_000)


@for_each(
    ("change", "error", "message"),
    [
        ({"task": "songs"}, ValueError, "task must be one of frequency, .*, got 'songs'"),
        ({"missing": "drop"}, ValueError, "missing must be one of any, column, category, got 'drop'"),
        ({"axis": "eps"}, ValueError, "axis must be one of epsilon, n, share, k, got 'eps'"),
        ({"axis": "N"}, ValueError, "axis must be one of epsilon, n, share, k, got 'N'"),
        ({"task": "ranges", "axis": "k"}, ValueError, "axis must be one of epsilon, N, got 'k'"),
        ({"epsilon": -1}, ValueError, "epsilon must be positive and finite, got -1"),
        ({"epsilon": "x"}, TypeError, "epsilon must be a number"),
        ({"grid": (0.5, 1000)}, ValueError, "epsilon must be at most 40, got 1000"),
        ({"axis": "n", "grid": (-5,)}, ValueError, "the grid must hold numbers from 0 to 1e.12, got -5"),
        ({"axis": "n", "grid": (np.inf,)}, ValueError, "the grid must hold numbers from 0 .*, got inf"),
        ({"repetitions": 0}, ValueError, "repetitions must be between 1 and 10000, got 0"),
        ({"repetitions": 2.5}, TypeError, "repetitions must be a whole number, got 2.5"),
        ({"seed": -1}, ValueError, "seed must be between 0 and"),
        ({"n": 0}, ValueError, r"n \(the number of people\) must be between 1 and"),
        ({"marks": ("a",)}, TypeError, r"marks are given as Marks.of\(\[...\]\), got tuple"),
        ({"choices": (("a", 0.3),)}, TypeError, r"choices are given as Choice\(Marks.of\(\[...\]\), 0.3\), got tuple"),
        ({"choices": (Choice(Marks(), 0.6), Choice(Marks.of("a"), 0.5))}, ValueError, "add up to more than 1"),
    ],
)
def test_a_study_refuses_what_makes_no_sense(change, error, message):
    with pytest.raises(error, match=message):
        replace(BASE, **change)


def test_marks_refuse_what_makes_no_sense():
    with pytest.raises(ValueError, match="the level of a mark must be one of sensitive, secret, got 'hidden'"):
        Marks((("a", "hidden"),))
    with pytest.raises(ValueError, match=r"1 value\(s\) are marked twice; each value has one level"):
        Marks.of("aa")


@pytest.mark.parametrize("shares", [(1.5,), (-0.1,), (np.nan,), (0.5, 1.5), (0.5, -0.1)])
def test_a_share_of_people_lies_between_0_and_1(shares):
    with pytest.raises(ValueError, match="the share of people who choose other marks lies between 0 and 1, got"):
        Choice(Marks.of("a"), *shares)


@for_each("task", KINDS)
def test_people_choose_their_marks_where_the_task_says_so(task):
    def made():
        return Study(Source("x"), "y", task=task, choices=(Choice(Marks.of("a"), 0.3),))

    if task in ("frequency", "means"):
        assert made().choices[0].share == 0.3
    else:
        with pytest.raises(ValueError, match=f"marks in frequency and means, not in {task}: leave choices out"):
            made()


def test_options_are_set_and_removed():
    changed = BASE.with_options(attacks=0, guess=0.5)
    assert changed.option("attacks") == 0
    assert changed.with_options(attacks=None) == BASE.with_options(guess=0.5)
    assert BASE.option("attacks") == 100


# --- what running refuses ---


@for_each(
    ("change", "message"),
    [
        ({"mechanisms": ("GRR", "uGRR")}, "there is no mechanism 'uGRR'; there are GRR"),
        ({"column": "age"}, "no column “age”"),
        ({"marks": Marks.of(["z"])}, "the marks do not fit this column: not in the domain: z"),
        ({"choices": (Choice(Marks.of(["z"]), 0.5),)}, "the marks do not fit this column: not in the domain: z"),
        ({"options": (("attack", 3),)}, "the frequency task has no option attack; it has attacks, priors"),
        ({"options": (("choose", 0.5),)}, "the frequency task has no option choose; it has attacks, priors"),
        ({"options": (("guess", 1.5),)}, "the option guess is a share between 0 and 1, got 1.5"),
        ({"data": Source("survey.csv", "0" * 64)}, "the study was made with other data than 'survey.csv': the digests"),
    ],
)
def test_running_refuses_in_a_sentence(table, change, message):
    with pytest.raises(ValueError, match=message):  # noqa: PT012 - what makes no sense of any data is refused at once
        made = replace(BASE, **change)
        study.run(made, table)


def test_data_with_the_right_digest_are_taken(table):
    named = replace(BASE, data=Source("elsewhere.csv", table.digest), mechanisms=("GRR",))
    assert len(study.run(named, table))


# --- rows ---


@pytest.fixture(scope="module")
def rows(table):
    return study.run(BASE, table)


def test_the_table_is_tidy(rows):
    assert list(rows.columns) == COLUMNS
    assert not rows.duplicated(["mechanism", "x", "repetition", "metric", "scope"]).any()
    assert set(rows["x"]) == {0.5, 1.0, 2.0}
    assert rows["value"].notna().all()
    assert (rows["task"] == "frequency").all()
    assert (rows["axis"] == "epsilon").all()


def test_every_closed_form_stands_beside_its_measurement(rows):
    exact = rows[rows["metric"].isin(["mse", "estimate", "squared error"]) | rows["metric"].str.startswith("success")]
    assert exact["theory"].notna().all()
    # What is done to an estimate afterwards has no closed form.
    assert rows[rows["metric"].isin(["max error", "mse:clip", "mse:norm-sub"])]["theory"].isna().all()


@pytest.mark.parametrize("marks", [BASE.marks, Marks.of("f")], ids=["aef", "f"])
def test_theory_is_the_mechanisms_own(table, marks):
    freq, mask = COUNTS / COUNTS.sum(), HISTOGRAM.domain.mask(marks.values)
    rows = frequency.theory(replace(BASE, marks=marks), frequency.prepare(BASE, table))
    for key in BASE.mechanisms:
        m = catalog.FREQUENCY[key].build(2.0, 6, mask)
        here = rows_of(rows, mechanism=key, x=2.0)
        variance, success = m.variance(freq, 800), bayes.success(m)
        for scope, part in (("all", mask | True), ("sensitive", mask), ("other", ~mask)):
            assert rows_of(here, metric="mse", scope=scope)["theory"][0] == pytest.approx(variance[part].mean())
            expected = (freq * success)[part].sum() / freq[part].sum()
            assert rows_of(here, metric="success:uniform", scope=scope)["theory"][0] == pytest.approx(expected)
        prior = bayes.targeted_prior(mask)
        expected = (freq * bayes.success(m, prior))[mask].sum() / freq[mask].sum()
        targeted = rows_of(here, metric="success:targeted")
        assert list(targeted["scope"]) == ["sensitive"]
        assert targeted["theory"][0] == pytest.approx(expected)


def test_only_the_chosen_point_has_a_row_for_every_value(rows):
    for metric in ("estimate", "squared error"):
        detailed = rows_of(rows, metric=metric, mechanism="uRR", repetition=0)
        assert set(detailed["x"]) == {1.0}
        assert tuple(detailed["scope"]) == LABELS
    truth = rows_of(rows, metric="estimate", mechanism="uRR", repetition=0)["theory"]
    assert truth.to_numpy() == pytest.approx(COUNTS / COUNTS.sum())


def test_rows_are_measurements_of_their_theory(table):
    """Mean of 100 surveys and attacks against the closed form: p > 1e-6 by Student's t for every row.

    It checks the wiring, which moves a row by far more than 5 %; the laws check the mechanisms.
    """
    frame = study.run(replace(BASE, grid=(), repetitions=100), table)
    frame = frame[frame["theory"].notna() & (frame["metric"] != "squared error")]
    # Five mechanisms × (3 errors, 6 estimates, 7 successes, the bits of a report).
    assert len(frame.groupby(["mechanism", "metric", "scope"])) == 5 * (3 + 6 + 7 + 1)
    grouped = frame.groupby(["mechanism", "metric", "scope"])
    mean, spread = grouped["value"].mean(), grouped["value"].std() / np.sqrt(100)
    theory = grouped["theory"].first()
    certain = spread < 1e-12
    assert np.allclose(mean[certain], theory[certain])
    z = ((mean - theory) / spread)[~certain]
    assert z.abs().max() < stats.t.isf(5e-7, 99), z[z.abs() > 4]
    assert z.abs().max() > 2, "the measurements are not the theory itself"


def test_two_threads_change_no_number(table, rows):
    """Processes and clusters do not either: test_workers.py."""
    with ThreadPoolExecutor(2) as pool:
        assert_frame_equal(study.run(BASE, table, pool), rows, check_exact=True)


def test_any_executor_will_do(table, rows):
    """One of somebody else's that works backwards: whatever keeps the standard interface, Dask's does."""

    class Backwards(Executor):
        def __init__(self):
            self.jobs = []

        def submit(self, work, *args):
            future = Future()
            self.jobs.append((future, work, args))
            if len(self.jobs) == 2:
                for waiting, job, given in reversed(self.jobs):
                    waiting.set_result(job(*given))
                self.jobs = []
            return future

    assert len(BASE.mechanisms) * BASE.repetitions % 2 == 0
    assert_frame_equal(study.run(BASE, table, Backwards()), rows, check_exact=True)


def test_progress_counts_to_the_end(table):
    seen = []
    study.run(replace(BASE, repetitions=3), table, progress=lambda done, total: seen.append((done, total)))
    jobs = 3 * len(BASE.mechanisms)
    assert seen == [(i + 1, jobs) for i in range(jobs)]


def test_an_equal_study_gives_equal_rows_and_another_seed_does_not(table, rows):
    assert_frame_equal(study.run(replace(BASE), table), rows, check_exact=True)
    other = study.run(replace(BASE, seed=8), table)
    assert_frame_equal(other.drop(columns="value"), rows.drop(columns="value"))
    noisy = rows["metric"].eq("mse")
    # Counts are whole, so two surveys may agree by chance; hardly any do.
    assert (other["value"] != rows["value"])[noisy].mean() > 0.9


GROWN = {
    "mechanisms": (
        {"mechanisms": ("SS", *BASE.mechanisms, "RAPPOR")},
        lambda f: f[f["mechanism"].isin(BASE.mechanisms)],
    ),
    "a repetition": ({"repetitions": 4}, lambda f: f[f["repetition"] < 2]),
    "a point": ({"grid": (0.5, 0.7, 2.0)}, lambda f: f[f["x"] != 0.7]),
    "a prior fewer": (
        {"options": (("priors", ("uniform", "targeted")),)},
        lambda f: f,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("change", "kept"), GROWN.values(), ids=GROWN)
def test_growth_changes_nobody_elses_rows(table, rows, change, kept):
    grown = kept(study.run(replace(BASE, **change), table)).reset_index(drop=True)
    same = rows if "options" not in change else rows[rows["metric"] != "success:population"].reset_index(drop=True)
    assert_frame_equal(grown, same, check_exact=True)


@pytest.mark.parametrize(("marked", "missing"), [("", "sensitive"), ("abcdef", "other")])
def test_a_scope_without_values_gives_no_row(table, marked, missing):
    frame = study.run(replace(BASE, marks=Marks.of(marked), mechanisms=ALL), table)
    assert set(rows_of(frame, metric="mse")["scope"]) == {"all", "sensitive", "other"} - {missing}
    assert missing not in set(frame["scope"])
    assert ("success:targeted" in set(frame["metric"])) == (missing != "sensitive")
    assert frame["value"].notna().all()


def test_every_form_of_release_has_rows_for_every_mechanism(table):
    asked = ("norm", "em", "em-reports")
    here = replace(BASE, mechanisms=ALL, grid=()).with_options(postprocessing=asked, attacks=0)
    frame = study.run(here, table)
    for form in asked:
        assert set(rows_of(frame, metric=f"mse:{form}")["mechanism"]) == set(ALL)
    assert "mse:clip" not in set(frame["metric"])
    with pytest.raises(ValueError, match="got 'nonsense'"):
        study.run(here.with_options(postprocessing=("nonsense",)), table)


def test_no_attack_no_attack_rows(table):
    frame = study.run(BASE.with_options(attacks=0), table)
    assert not frame["metric"].str.startswith("success").any()


def test_missing_answers(table):
    """The column itself is complete; the other one misses one answer."""
    assert frequency.histogram(BASE, table).n == 800
    assert frequency.histogram(replace(BASE, missing="any"), table).n == 799


def test_a_column_of_numbers_is_binned(table):
    binned = frequency.histogram(replace(BASE, column="other", bins=(0, 4, 2)), table)
    assert binned.domain.labels == ("0 to 2", "2 to 4")
    assert binned.n == 799


# --- the axes ---


def cells(axis, grid, **change):
    here = replace(BASE, axis=axis, grid=grid, **change)
    return [frequency.cell(here, HISTOGRAM, "uRR", x) for x in frequency.points(here, HISTOGRAM)]


def test_axis_n_keeps_the_shares():
    found = cells("n", (1, 80, 8000))
    assert [int(cell.counts.sum()) for cell in found] == [1, 80, 800, 8000]
    assert found[-1].counts.tolist() == (10 * COUNTS).tolist()
    assert np.abs(found[1].counts - COUNTS / 10).max() < 1
    assert [int(cell.counts.sum()) for cell in cells("n", (), n=123)] == [123]


def test_axis_n_of_one_person_runs(table):
    frame = study.run(replace(BASE, axis="n", grid=(1,), mechanisms=ALL), table)
    assert set(frame["x"]) == {1.0, 800.0}
    assert np.isfinite(rows_of(frame, metric="mse")["value"]).all()


def test_axis_share_grows_from_the_own_marks_outwards():
    found = cells("share", (0, 1 / 6, 2 / 3, 1))
    marked = ["".join(label for label, on in zip(LABELS, cell.marked, strict=True) if on) for cell in found]
    # Marked values come off the commonest first, and unmarked ones join the rarest first.
    assert marked == ["", "f", "aef", "adef", "abcdef"]
    assert [cell.x for cell in found] == [0, 1 / 6, 0.5, 2 / 3, 1]


def test_axis_k_keeps_the_commonest():
    found = cells("k", (2, 4))
    assert [cell.counts.tolist() for cell in found] == [[300, 220], [300, 220, 160, 100], COUNTS.tolist()]
    assert [cell.marked.sum() for cell in found] == [1, 1, 3]


@pytest.mark.parametrize(("axis", "grid"), [("n", (50.0,)), ("share", (0.0, 1.0)), ("k", (2.0, 3.0))])
def test_every_axis_runs_with_every_mechanism(table, axis, grid):
    frame = study.run(replace(BASE, axis=axis, grid=grid, mechanisms=ALL), table)
    assert set(grid) < set(frame["x"])
    assert set(frame["mechanism"]) == set(ALL)
    assert frame["value"].notna().all()


def test_at_is_one_point_of_the_same_study(table, rows):
    alone = study.run(skeleton.at(BASE, 2.0), table)
    assert set(alone["x"]) == {2.0}
    detailed = alone["metric"].isin(["estimate", "squared error"])
    assert_frame_equal(alone[~detailed].reset_index(drop=True), rows_of(rows, x=2.0), check_exact=True)
    here = replace(BASE, axis="n", grid=(50.0,))
    assert frequency.points(skeleton.at(here, 50.0), HISTOGRAM) == [50.0, 800.0]


# --- people who choose their marks ---

CHOOSE = replace(BASE, choices=(Choice(Marks.of("f"), 0.3),))
APART = replace(BASE, choices=(Choice(Marks.of("f"), 0.2, 0.9),))
MARKING = tuple(key for key, entry in catalog.FREQUENCY.items() if entry.uses_marks)


def test_whoever_chooses_other_marks_is_a_group():
    here = frequency.cell(CHOOSE, HISTOGRAM, "uRR", 1.0)
    assert [int(group.counts.sum()) for group in here.groups] == [800 - 240, 240]
    assert here.counts.tolist() == COUNTS.tolist()
    assert here.marked.tolist() == [True, False, False, False, True, True]
    everybody = replace(BASE, choices=(Choice(Marks.of("f"), 1.0),))
    assert len(frequency.cell(everybody, HISTOGRAM, "uRR", 1.0).groups) == 1


@pytest.mark.parametrize(("share", "holders"), [(0.3, None), (0.2, 0.9), (0.501, 0.0), (0.0, 1.0), (1.0, None)])
def test_a_group_has_the_rounded_share_of_every_answer(share, holders):
    """Half a person more or less of each answer, to the nearest even number, as ever: so old numbers stay."""
    chosen = replace(BASE, choices=(Choice(Marks.of("ef"), share, holders),))
    held = np.where([label in "ef" for label in LABELS], share if holders is None else holders, share)
    second = np.round(COUNTS * held).astype(int)
    groups = frequency.cell(chosen, HISTOGRAM, "uRR", 1.0).groups
    expected = [each.tolist() for each in (COUNTS - second, second) if each.sum()]
    assert [group.counts.tolist() for group in groups] == expected


def test_shares_add_up_for_every_answer():
    """0.9 of those with b and 0.1 of the others choose the first, and the other way round the second."""
    apart = (Choice(Marks.of("b"), 0.1, 0.9), Choice(Marks.of("c"), 0.1, 0.9))
    assert replace(BASE, choices=apart).choices == apart
    with pytest.raises(ValueError, match="add up to more than 1"):
        replace(BASE, choices=(Choice(Marks.of("b"), 0.1, 0.9), Choice(Marks.of("bc"), 0.1, 0.9)))
    with pytest.raises(ValueError, match="add up to more than 1"):
        replace(BASE, choices=(Choice(Marks.of("b"), 0.1, 0.9), Choice(Marks.of("c"), 0.2)))


def test_nobody_is_in_two_groups():
    """Of three thirds of five people each takes two, but the last only who is left."""
    three = tuple(Choice(Marks.of(label), 1 / 3) for label in "bcd")
    groups = frequency.cell(replace(BASE, choices=three), HISTOGRAM, "uRR", 1.0).groups
    assert np.sum([group.counts for group in groups], axis=0).tolist() == COUNTS.tolist()
    assert min(group.counts.min() for group in groups) >= 0


@for_each("key", MARKING)
def test_share_weighted_is_unbiased_and_its_exact_error_is_met(key):
    """3000 surveys: mean at z < 4.9, mean squared error within 4.9 of its own deviations; also where groups differ."""
    check_choice(key, APART, "share", biased=False)


@for_each("key", MARKING)
def test_minimum_variance_is_biased_where_groups_differ(key):
    """Its exact error is variance and bias², and the bias is most visible where people who mark hold marked values."""
    check_choice(key, APART, "minimum-variance", biased=True)


def check_choice(key, chosen, how, biased):
    big = data.Histogram(HISTOGRAM.domain, COUNTS * 50, 40_000, 0)
    here = frequency.cell(chosen, big, key, 1.0)
    rng = np.random.default_rng(5)
    estimates = np.array([group.mechanism.simulate(group.counts, rng, 3000) for group in here.groups])
    error = np.sum(here.weights(how)[:, None] * estimates, axis=0) - here.freq
    deviation = error.std(axis=0) / np.sqrt(3000)
    assert (np.abs(error.mean(axis=0) - here.bias(how)) < 4.9 * deviation).all()
    mean_z = np.abs(error.mean(axis=0)) / deviation
    assert (mean_z.max() > 20) if biased else (mean_z.max() < 4.9)
    squares = error**2
    spread = squares.std(axis=0) / np.sqrt(3000)
    assert (np.abs(squares.mean(axis=0) - here.squared_error(how)) < 4.9 * spread).all()


def test_minimum_variance_is_the_better_where_groups_are_alike():
    for key in MARKING:
        here = frequency.cell(CHOOSE, HISTOGRAM, key, 1.0)
        assert here.squared_error("minimum-variance").mean() <= here.squared_error("share").mean() * 1.001


def test_groups_have_no_limit_in_common():
    here = frequency.cell(CHOOSE, HISTOGRAM, "uRR", 1.0)
    assert floor.policy_of(here) == ""
    assert np.isnan(floor.of_cell(here, "all"))
    assert floor.for_shares(here, "all") is None
    assert floor.distances(CHOOSE, HISTOGRAM).empty


def test_both_combinations_are_in_the_table(table, rows):
    mine = study.run(replace(APART, mechanisms=MARKING), table)
    assert {"mse", "mse:minimum-variance"} <= set(mine["metric"])
    assert "mse:minimum-variance" not in set(rows["metric"])
    assert rows_of(mine, metric="mse:minimum-variance")["theory"].notna().all()


def test_choosing_between_something_and_nothing_runs(table):
    frame = study.run(replace(BASE, marks=Marks(), choices=CHOOSE.choices, mechanisms=ALL), table)
    assert frame["value"].notna().all()
    assert np.isfinite(rows_of(frame, metric="mse:minimum-variance")["theory"]).all()


def test_the_guess_sets_the_subset_size():
    few = frequency.cell(BASE.with_options(guess=0.0), HISTOGRAM, "uSS", 0.1).groups[0].mechanism
    many = frequency.cell(BASE.with_options(guess=1.0), HISTOGRAM, "uSS", 0.1).groups[0].mechanism
    assert (few.share, many.share) == (0.0, 1.0)


def test_a_chunk_is_a_tidy_frame():
    chunk = frequency.chunks(BASE, HISTOGRAM)[0]()
    assert isinstance(chunk, pd.DataFrame)
    assert set(chunk["repetition"]) == {0}
