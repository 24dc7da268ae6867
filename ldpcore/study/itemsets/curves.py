"""The Studies behind Itemsets' curves, and how many baskets make a set frequent.

>>> from ldpcore import Source, Study, data
>>> baskets = data.load("groceries").baskets("items")
>>> study = Study(Source("groceries"), "items", task="itemsets")
>>> over(study, baskets).grid, along(study, "s").grid
((0.2, 0.5, 1.0, 2.0, 4.0, 8.0), ())
>>> threshold = along(study, "min_count").with_options(min_count=100)
>>> over(threshold, baskets).grid, alike(threshold).axis
((100.0, 150.0, 200.0, 300.0, 500.0, 800.0, 1200.0), 'epsilon')
"""

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from ldpcore.data import Baskets
from ldpcore.itemsets.given import threshold
from ldpcore.study import itemsets
from ldpcore.study.definition import Marks, Study

EPSILONS = (0.2, 0.5, 1.0, 2.0, 4.0, 8.0)
BUDGETS = (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
TIMES = (1, 1.5, 2, 3, 5, 8, 12)
"""Where runs are simulated: ε of a whole run, s of one count, and times the chosen threshold."""
THRESHOLD = "min_count"
"""The axis of the threshold: how many baskets make a set frequent."""


def least(study: Study, n: int) -> int:
    """How many of n baskets make a set frequent; the number that was asked for, where there are not so many."""
    asked = itemsets.min_count(study, itemsets.options(study).least)
    return threshold(asked, n) if 0 < asked <= n else int(asked)


def chosen(study: Study, n: int) -> float:
    """The chosen point of the axis as it is drawn: a threshold in baskets, of these n."""
    return float(least(study, n)) if study.axis == THRESHOLD else itemsets.current(study)


def along(study: Study, axis: str) -> Study:
    """The same comparison with the other thing equal."""
    return study.derived(("along", axis), lambda: replace(study, axis=axis, grid=()))


def about(study: Study, column: str, mechanisms: Sequence[str]) -> Study:
    """These miners on a column of baskets, nothing withheld."""
    keys = tuple(mechanisms)
    return study.derived(
        ("about", column, keys), lambda: replace(study, column=column, marks=Marks(), mechanisms=keys, grid=())
    )


def alike(study: Study) -> Study:
    """The same comparison along what is equal for all miners, where it is along the threshold."""
    return along(study, itemsets.same(study)) if study.axis == THRESHOLD else study


def over(study: Study, found: Baskets) -> Study:
    """The study behind the curves: no run depends on the chosen point or on the other runs."""
    n = found.n
    grid = {"epsilon": EPSILONS, "s": BUDGETS}.get(study.axis) or _thresholds(least(study, n), n)
    return study.derived(("over", grid), lambda: replace(study, grid=grid))


def _thresholds(least: int, n: int) -> tuple[float, ...]:
    """The chosen one and higher ones: lower ones make many more sets frequent than can be counted at once."""
    return tuple(float(round(least * times)) for times in TIMES if round(least * times) <= n) or (float(least),)


def stopped(rows: pd.DataFrame, miners: Sequence[str]) -> list[str]:
    """Those of these miners of which some simulated run could not go on: noise made more sets look frequent than can be
    counted.
    """
    without = rows[(rows["metric"] == "f") & rows["value"].isna()]
    return [miner for miner in miners if miner in set(without["mechanism"])]
