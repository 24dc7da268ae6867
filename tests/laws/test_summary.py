"""The summary's intervals cover: each kind of metric by itself, and every metric of every task as its MEASURES say.

Nominal level 95 %; a case fails where so few intervals hold the truth that it has a chance below ALPHA (1e-6) at 93 in
100: the rate of false alarms, paid only when an interval or a sampler changes, as streams are fixed. A planted wrong
kind must fail.
"""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ldpcore import data
from ldpcore.rng import stream
from ldpcore.study import Marks, Source, Study, summary, tasks
from ldpcore.study.measures import LAPLACE, NORMAL, POSITIVE, SCORE, SQUARE, Chance
from ldpcore.study.skeleton import CELL
from tests.each import for_each
from tests.laws import laws

LEAST = 0.93


def enough(hits):
    """Whether so few of these (runs,) could be chance."""
    return stats.binom.cdf(np.count_nonzero(hits), len(hits), LEAST) > laws.ALPHA


# each kind -----------------------------------------------------------------------------------------------------------

RUNS = 4000
TEN = Chance(lambda study, data, scope: 10)
KINDS = {  # the kind, what it is of (runs, repetitions), and the true mean
    "squares": (SQUARE, lambda rng, shape: rng.standard_normal(shape) ** 2, 1.0),
    "mean squares": (POSITIVE, lambda rng, shape: rng.chisquare(12, shape) / 12, 1.0),
    "a single square": (POSITIVE, lambda rng, shape: rng.chisquare(1, shape), 1.0),
    "Laplace squares": (LAPLACE, lambda rng, shape: rng.laplace(size=shape) ** 2, 2.0),
    "estimates": (NORMAL, lambda rng, shape: rng.normal(-3, 2, shape), -3.0),
    "scores": (SCORE, lambda rng, shape: rng.beta(18, 3, shape), 18 / 21),
    "chances": (TEN, lambda rng, shape: rng.binomial(10, 0.8, shape) / 10, 0.8),
    "rare chances": (TEN, lambda rng, shape: rng.binomial(10, 0.02, shape) / 10, 0.02),
}


def hits(measure, draw, truth, repetitions, trials=10):
    values = draw(stream(1, "kinds", repetitions), (RUNS, repetitions))
    spread, repeats = values.var(axis=1, ddof=1), np.full(RUNS, float(repetitions))
    low, high = measure.ends(values.mean(axis=1), spread, repeats, trials)
    return (low <= truth) & (truth <= high)


@for_each("repetitions", [5, 10, 30])
@for_each("name", KINDS)
def test_a_kind_covers(name, repetitions):
    assert enough(hits(*KINDS[name], repetitions))


@pytest.mark.parametrize(
    ("name", "wrong", "trials"),
    [
        ("Laplace squares", SQUARE, 10),
        ("a single square", NORMAL, 10),
        ("rare chances", NORMAL, 10),
        ("chances", TEN, 30),  # three times as many as there were
    ],
)
def test_a_wrong_kind_does_not(name, wrong, trials):
    assert not enough(hits(wrong, *KINDS[name][1:], 5, trials))


# every metric --------------------------------------------------------------------------------------------------------

REPETITIONS, CUTS = 5, 100
"""Each study is simulated so many times over: 78 of the 100 must hit, lest the alarm be raised."""
SHARED = 0.7
"""What at most so many runs share is the same in five of them in 17 of 100 cuts."""
SHOP = "items\n" + "".join(";".join("abcdefgh"[j] for j in range(8) if not i % (j + 2)) + "\n" for i in range(2, 302))


ONE = Marks()


def study(task, source, column, mechanism, n=300, marks=ONE, bins=None, **options):
    made = Study(Source(source), column, marks, (mechanism,), 1.0, grid=(), n=n, task=task, bins=bins, missing="column")
    return made.with_options(**options)


OLD = Marks.of(["70..98"])
STUDIES = {
    "frequency": study("frequency", "health", "condition", "uSS", marks=Marks.of(["HIV", "asthma"]), attacks=10),
    "sets": study("sets", "groceries", "items", "suGRR", simulated=10, m=2, attacks=10, targets=3),
    "means": study("means", "health", "age", "SDPM", marks=OLD, bins=(18, 98, 16), attacks=10, estimates=("unbiased",)),
    "ranges": study("ranges", "health", "age", "Identity", n=None, bins=(0, 128, 8), ranges=3, asked=("2:2",)),
    "clusters": study("clusters", "health", "smoking", "Fresh", columns=("sex", "smoking"), k=2),
    "itemsets": study("itemsets", "shop.csv", "items", "Capped", n=None, min_count=30),
}


def simulated(made):
    """What the task prepares, simulated rows and theory."""
    name, repetitions = made.data.name, REPETITIONS * CUTS
    table = data.read(SHOP.encode(), name) if name == "shop.csv" else data.load(name)
    task, prepared = tasks.of(made), tasks.of(made).prepare(made, table)
    many = Study(**{**vars(made), "repetitions": repetitions})
    return prepared, pd.concat([chunk() for chunk in task.chunks(many, prepared)]), task.theory(made, prepared)


@pytest.mark.parametrize("name", STUDIES)
def test_every_metric_of_a_task_is_covered(name):
    """A run of REPETITIONS is a point of its own; the truth is in closed form, or else the mean of all surveys."""
    made = STUDIES[name]
    prepared, rows, theory = simulated(made)
    key = ["metric", "scope"]
    truth = rows.groupby(key)["value"].mean().to_frame("seen").join(theory.set_index(key)["theory"])
    # A closed form that is not of this very mean (bits are bounded by theirs) is no truth of it.
    truth["true"] = truth["theory"].where(truth["theory"].notna() & ~truth.index.isin([("bits", "all")]), truth["seen"])
    found = summary(made, prepared, rows.assign(x=rows["repetition"] // REPETITIONS))
    # One survey alone has no interval: it is the point itself.
    found = found[np.isfinite(found["value"]) & (found["repetitions"] > 1)].join(truth[["true"]], on=key)
    slack = 1e-9 * found["true"].abs()
    found["hit"] = (found["low"] <= found["true"] + slack) & (found["true"] - slack <= found["high"])
    assert set(found["metric"].str.partition(":")[0]) <= {
        metric.partition(":")[0] for metric in tasks.of(made).MEASURES
    }
    # What most runs share is the same in all five too often, which then can know nothing of what is rare.
    alike = rows.groupby(key)["value"].agg(lambda values: values.value_counts().max() / len(values))
    open_ = [cell for cell in alike.index if alike[cell] <= SHARED]
    assert len(open_) >= 3
    hits = found.groupby(key)["hit"]
    missed = {cell: part.mean() for cell, part in hits if cell in open_ and len(part) > 50 and not enough(part)}
    assert not missed


def test_a_summary_has_a_line_for_each_cell():
    made = STUDIES["frequency"]
    made = Study(**{**vars(made), "repetitions": 2})
    prepared = tasks.of(made).prepare(made, data.load("health"))
    task = tasks.of(made)
    rows = pd.concat([chunk() for chunk in task.chunks(made, prepared)])
    found = summary(made, prepared, rows, task.theory(made, prepared), tasks.limits(made, prepared))
    assert list(found.columns) == [*CELL, "repetitions", "value", "low", "high", "theory", "limit", "times the limit"]
    assert not found.duplicated(CELL).any()
    assert (found["repetitions"] == 2).all()
    assert ((found["low"] <= found["value"]) & (found["value"] <= found["high"])).all()
    mse = found[(found["metric"] == "mse")]
    assert (mse["theory"] >= 0.999 * mse["limit"]).all()
    assert summary(made, prepared, rows[:0]).empty
    with pytest.raises(ValueError, match="there is no metric 'wit' here; there are mse, "):
        summary(made, prepared, rows.assign(metric="wit"))
