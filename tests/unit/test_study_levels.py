"""A Study with secret values: every promise has its own limit, in every scope; two levels are what they were."""

from dataclasses import replace

import numpy as np
import pytest
from pandas.testing import assert_frame_equal

from ldpcore import catalog, data, limit, study
from ldpcore.attacks import bayes
from ldpcore.domain import Categorical
from ldpcore.study import Marks, Source, Study, frequency
from ldpcore.study.frequency import floor

LABELS = tuple("abcdefgh")
COUNTS = np.array([300, 220, 160, 100, 15, 5, 90, 110])
HISTOGRAM = data.Histogram(Categorical(LABELS), COUNTS, int(COUNTS.sum()), 0)
MARKS = Marks((("e", "secret"), ("f", "secret"), ("g", "sensitive"), ("h", "sensitive"), ("a", "sensitive")))
BASE = Study(
    Source("survey.csv"), "answer", MARKS, ("SS", "uSS", "gRR", "gSub", "gTable"), 2.0, grid=(),
    missing="column", repetitions=2, secret_epsilon=0.5,
)  # fmt: skip


@pytest.fixture(scope="module")
def table():
    rows = [label for label, count in zip(LABELS, COUNTS, strict=True) for _ in range(count)]
    return data.read("\n".join(["answer", *rows, ""]).encode(), "survey.csv")


@pytest.fixture(scope="module")
def exact():
    frame = frequency.RUN.theory(BASE, HISTOGRAM)
    return frame.set_index(["mechanism", "metric", "scope"])["theory"].sort_index()


def test_private_and_secret_have_rows_of_their_own(exact):
    assert set(exact.loc["gSub", "mse"].index) == {"all", "sensitive", "other", "private", "secret"}
    m = catalog.LEVELS["gSub"].build([2.0, *[np.inf] * 3, 0.5, 0.5, 2.0, 2.0])
    each = m.variance(COUNTS / COUNTS.sum(), HISTOGRAM.n)
    for scope, part in (("private", [0, 6, 7]), ("secret", [4, 5]), ("sensitive", [0, 4, 5, 6, 7])):
        assert exact["gSub", "mse", scope] == pytest.approx(each[part].mean())
    # All marked treated as secret, which is what two levels can do.
    alike = catalog.FREQUENCY["uSS"].build(0.5, 8, HISTOGRAM.domain.mask(MARKS.values))
    assert exact["uSS", "mse", "all"] == pytest.approx(alike.variance(COUNTS / COUNTS.sum(), HISTOGRAM.n).mean())


SHAPES = [(2, 2, 1), (0, 3, 3), (10, 4, 4), (1, 1, 1), (6, 0, 4), (12, 20, 4)]
"""Public, private, secret values."""


@pytest.mark.one_in(2)  # every shape with half of the budgets, and the other way round
@pytest.mark.parametrize("budgets", [(1.0, 0.1), (2.0, 0.5), (4.0, 3.9), (2.0, 2.0)])
@pytest.mark.parametrize("sizes", SHAPES)
def test_no_mechanism_is_below_its_limit_in_any_scope(sizes, budgets):
    """At shares far from even within the levels too; whoever protects all marked values as secret keeps the levels."""
    k, public = sum(sizes), sizes[0]
    counted = np.maximum(1, np.round(900 * 0.7 ** np.arange(k)).astype(int))[np.random.default_rng(k).permutation(k)]
    labels = [f"v{place:02d}" for place in range(k)]
    levels = ["sensitive"] * sizes[1] + ["secret"] * sizes[2]
    marks = Marks(tuple(zip(labels[public:], levels, strict=True)))
    keys = tuple(catalog.ANSWERS)
    made = replace(BASE, marks=marks, mechanisms=keys, epsilon=budgets[0], secret_epsilon=budgets[1])
    here = data.Histogram(Categorical(tuple(labels)), counted, int(counted.sum()), 0)
    found = floor.distances(made, here)
    assert set(found["mechanism"]) == set(keys)
    scopes = {"all", "sensitive", "secret"} | ({"other"} if public else set()) | ({"private"} if sizes[1] else set())
    assert set(found["scope"]) == scopes
    known = found[found["limit"].notna()]
    assert set(found[found["limit"].isna()]["mechanism"]) <= {"SDSS"}  # on one level
    assert (known["times the limit"] > 1 - 1e-5).all(), known[known["times the limit"] < 1 - 1e-5]
    # Over all values gTable is at the limit where shares are even within levels.
    even = np.repeat([5, 7, 3], sizes)
    alike = data.Histogram(Categorical(tuple(labels)), even, int(even.sum()), 0)
    own = replace(made, mechanisms=("gTable",)).with_options(guess=float(even[public:].sum() / even.sum()))
    least = floor.distances(own, alike).set_index("scope")["times the limit"]["all"]
    assert least >= 1 - 1e-6


@pytest.mark.parametrize("axis", ["epsilon", "share", "k"])
def test_where_nothing_is_marked_the_limit_is_that_all_is_sent_openly(axis):
    """No marks; a share of none; and only the most common values, of which none is marked."""
    marks = Marks(() if axis == "epsilon" else (("f", "secret"),))
    made = replace(BASE, marks=marks, axis=axis, grid={"epsilon": (1.0,), "share": (0.0,), "k": (3.0,)}[axis])
    found = floor.distances(made, HISTOGRAM)
    bare = found[found["mechanism"].isin(["gRR", "gSub", "gTable"]) & (found["x"] == made.grid[0])]
    assert set(bare["mechanism"]) == {"gRR", "gSub", "gTable"}
    assert (bare["limit"] == 0).all()


def test_the_limit_of_levels_is_not_above_that_of_two_levels():
    """Whoever treats all marked as secret keeps the levels, so its limit cannot be lower; and what has no limit says
    so.
    """
    cells = {key: frequency.cell(BASE, HISTOGRAM, key, 2.0) for key in BASE.mechanisms}
    for scope in ("all", "sensitive", "other", "private", "secret"):
        least = floor.of_cell(cells["uSS"], scope)
        assert least == floor.of_cell(cells["gTable"], scope)
        marked, share = int(cells["uSS"].marked.sum()), float(cells["uSS"].freq[cells["uSS"].marked].sum())
        whole = scope if scope in limit.SCOPES else "sensitive"
        assert least <= floor.least("ULDP", 0.5, 8, marked, share, whole) / HISTOGRAM.n * (1 + 1e-6)
        if scope in ("all", "sensitive", "other"):
            assert floor.of_cell(cells["SS"], scope) == floor.least("LDP", 0.5, 8, marked, share, whole) / HISTOGRAM.n
    beyond = replace(BASE, epsilon=12.0, mechanisms=("gSub", "gTable"))
    assert np.isnan(floor.of_cell(frequency.cell(beyond, HISTOGRAM, "gSub", 12.0), "all"))
    assert not frequency.exists(beyond, HISTOGRAM, "gTable", 12.0)
    assert set(frequency.RUN.theory(beyond, HISTOGRAM)["mechanism"]) == {"gSub"}


def test_one_epsilon_for_both_levels_is_two_levels(table):
    """Secret and private alike: every row that both have is the same, to the last survey."""
    alike = study.run(replace(BASE, secret_epsilon=2.0), table)
    two = study.run(replace(BASE, marks=MARKS.flat(), secret_epsilon=None), table)
    assert set(alike["scope"]) - set(two["scope"]) == {"private", "secret"}
    attacked = alike["metric"].str.startswith("success")  # another scope takes other people from the same stream
    same = alike[~alike["scope"].isin(["private", "secret"]) & ~attacked].reset_index(drop=True)
    assert_frame_equal(same, two[~two["metric"].str.startswith("success")].reset_index(drop=True), check_exact=True)


def test_marks_without_a_secret_one_are_what_they_were(table):
    plain = replace(BASE, marks=MARKS.flat(), mechanisms=("SS", "uSS"), secret_epsilon=None)
    assert_frame_equal(study.run(plain, table), study.run(replace(plain, secret_epsilon=0.3), table), check_exact=True)


def test_surveys_of_levels_are_measurements_of_their_theory(table):
    """Mean of 60 surveys and attacks against the closed form in every scope: z below 4.9 (p > 1e-6) for every row."""
    asked = replace(BASE, mechanisms=("uSS", "gRR", "gSub", "gTable"), repetitions=60)
    frame = study.run(asked.with_options(attacks=50, priors=("population", "targeted", "level")), table)
    frame = frame[frame["theory"].notna() & (frame["metric"] != "squared error")]
    grouped = frame.groupby(["mechanism", "metric", "scope"])
    # 5 errors, 8 estimates, bits; who knows the shares in 5 scopes, who knows that it is marked, or its level, in 3.
    assert len(grouped) == 4 * (5 + 8 + 1 + 5 + 3 + 3)
    mean, spread, theory = grouped["value"].mean(), grouped["value"].std() / np.sqrt(60), grouped["theory"].first()
    certain = spread < 1e-12
    assert np.allclose(mean[certain], theory[certain])
    z = ((mean - theory) / spread)[~certain]
    assert z.abs().max() < 4.9, z[z.abs() > 4]


def test_who_knows_the_level_is_bounded_by_its_epsilon(exact):
    """Naming one of the n values of a level: at most E/(E + n − 1), whatever the mechanism."""
    asked = BASE.with_options(priors=("level", "targeted"))
    found = frequency.RUN.theory(asked, HISTOGRAM).set_index(["mechanism", "metric", "scope"])["theory"].sort_index()
    for key in BASE.mechanisms:
        for scope, n, epsilon in (("private", 3, 2.0), ("secret", 2, 0.5)):
            bound = np.exp(epsilon) / (np.exp(epsilon) + n - 1)
            assert 1 / n - 0.1 < found[key, "success:level", scope] < 1
            m = frequency.cell(asked, HISTOGRAM, key, 2.0).groups[0].mechanism
            part = np.isin(LABELS, MARKS.secret if scope == "secret" else tuple("gha"))
            assert bayes.success(m, part / n)[part].mean() <= bound * (1 + 1e-9)
