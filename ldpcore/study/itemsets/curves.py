"""The Studies behind Itemsets' curves, and how many baskets make a set frequent.

>>> from ldpcore import Source, Study
>>> study = Study(Source("groceries"), "items", task="itemsets")
>>> over(study).grid, along(study, "s").grid
((0.2, 0.5, 1.0, 2.0, 4.0, 8.0), ())
"""

from collections.abc import Sequence
from dataclasses import replace

from ldpcore.itemsets.given import threshold
from ldpcore.study import itemsets
from ldpcore.study.definition import Marks, Study

EPSILONS = (0.2, 0.5, 1.0, 2.0, 4.0, 8.0)
BUDGETS = (0.05, 0.1, 0.2, 0.4, 0.7, 1.0)
"""Where runs are simulated: ε of a whole run, and s of one count."""


def least(study: Study, n: int) -> int:
    """How many of n baskets make a set frequent; the number that was asked for, where there are not so many."""
    asked = itemsets.min_count(study, itemsets.options(study).least)
    return threshold(asked, n) if 0 < asked <= n else int(asked)


def along(study: Study, axis: str) -> Study:
    """The same comparison with the other thing equal."""
    return study.derived(("along", axis), lambda: replace(study, axis=axis, grid=()))


def about(study: Study, column: str, mechanisms: Sequence[str]) -> Study:
    """These miners on a column of baskets, nothing withheld."""
    keys = tuple(mechanisms)
    return study.derived(
        ("about", column, keys), lambda: replace(study, column=column, marks=Marks(), mechanisms=keys, grid=())
    )


def over(study: Study) -> Study:
    """The study behind the curves: no run depends on the chosen point or on the other runs."""
    grid = EPSILONS if study.axis == "epsilon" else BUDGETS
    return study.derived(("over", grid), lambda: replace(study, grid=grid))
