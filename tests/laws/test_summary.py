"""The summary's intervals cover: every metric of every task, of the kind that the task's MEASURES say it is.

Simulated surveys of small studies are cut into runs of REPETITIONS; a run is a point of its own, so that one call gives
all intervals. The truth is the closed form, or the mean of all surveys where there is none. Nominal level 95 %; a metric
must be covered 93 times in 100, and a case fails where so few hits have a chance below ALPHA (1e-6) at that: the rate
of false alarms, paid only when an interval or a sampler changes, as streams are fixed.
"""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ldpcore import data
from ldpcore.study import Arm, Source, Study, summary, tasks
from ldpcore.study.measures import NORMAL, SQUARE, Chance, Measure
from ldpcore.study.skeleton import CELL
from tests.laws import laws

REPETITIONS, RUNS, LEAST = 6, 200, 0.93
SHOP = "items\n" + "".join(
    ";".join("abcdefgh"[j] for j in range(8) if not i % (j + 2)) + "\n" for i in range(2, 302)
)
FILES = {"shop.csv": SHOP}


def study(task, source, column, *mechanisms, n=300, arms=(Arm("A"),), bins=None, **options):
    return Study(
        Source(source), column, arms, mechanisms, grid=(), n=n, repetitions=REPETITIONS * RUNS, task=task, bins=bins
    ).with_options(**options)  # fmt: skip


STUDIES = {
    "frequency": study("frequency", "health", "condition", "GRR", "uSS", arms=(Arm.of("A", ["HIV", "asthma"]),),
                       attacks=10),
    "sets": study("sets", "groceries", "items", "suGRR", "uPrivSet", simulated=10, m=2, attacks=10, targets=3),
    "means": study("means", "health", "age", "PM", "SDPM", arms=(Arm.of("A", ["70..98"]),), bins=(18, 98, 16),
                   attacks=10, estimates=("mean", "unbiased", "em")),
    "ranges": study("ranges", "health", "age", "Identity", "Boost", bins=(0, 128, 8), n=None, ranges=3, asked=("2:2",)),
    "clusters": study("clusters", "health", "condition", "LDPK", "Fresh", columns=("sex", "condition", "smoking")),
    "itemsets": study("itemsets", "shop.csv", "items", "SmartTrunc", "Capped", n=None, min_count=30),
}  # fmt: skip


@cache
def simulated(task):
    """The study, its data, its rows of group scopes (and of a few single values) and theory."""
    made = STUDIES[task]
    name = made.data.name
    table = data.read(FILES[name].encode(), name) if name in FILES else data.load(name)
    prepared = tasks.of(made).prepare(made, table)
    rows = pd.concat([chunk() for chunk in tasks.of(made).chunks(made, prepared)], ignore_index=True)
    return made, prepared, rows, tasks.of(made).theory(made, prepared)
