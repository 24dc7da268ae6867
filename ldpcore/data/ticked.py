"""Boxes to tick as survey services export them: a column for each, with its label where it is ticked, else nothing."""

import re
from collections.abc import Mapping
from itertools import groupby, pairwise

import numpy as np
import pandas as pd

from ldpcore.data import baskets
from ldpcore.data.columns import Column

_NUMBER = re.compile(r"\d+\W*")
_TICKS = baskets.YES | {"x", "✓", "✔", "checked", "selected"}
"""What may stand in several columns alike."""
_SEVERAL = 3
"""Columns with the same tick that are boxes without a name that says so."""


def as_answers(columns: Mapping[str, Column]) -> tuple[dict[str, Column], tuple[str, ...]]:
    """Columns in which an empty cell says no, as yes and no; and which these are.

    Read as a missing answer, it would leave out all who have not ticked every box. They are boxes where two or more
    stand beside one another, each with one label and empty cells, and the names say that they belong together: each
    ends in its label ("Q5_aspirin", aspirin), or they differ in a number ("Q5_1", "Q5_2"). Equal labels must be ticks;
    of three columns or more beside one another they are enough, whatever the names say.
    """
    boxes = _same_ticks(columns)
    for (left, one), (right, other) in pairwise(columns.items()):
        labels = _label(one).casefold(), _label(other).casefold()
        if "" in labels or (labels[0] == labels[1] and labels[0] not in _TICKS):
            continue
        named = left.casefold().endswith(labels[0]) and right.casefold().endswith(labels[1])
        if named or (_NUMBER.search(left) and _NUMBER.sub("#", left) == _NUMBER.sub("#", right)):
            boxes |= {left: one, right: other}
    if not boxes:
        return dict(columns), ()
    return {name: _answered(column) if name in boxes else column for name, column in columns.items()}, tuple(boxes)


def _same_ticks(columns: Mapping[str, Column]) -> dict[str, Column]:
    """Columns beside one another with the same tick in each, where they are several."""
    out: dict[str, Column] = {}
    for tick, run in groupby(columns.items(), key=lambda entry: _label(entry[1]).casefold()):
        boxes = dict(run)
        out |= boxes if tick in _TICKS and len(boxes) >= _SEVERAL else {}
    return out


def _label(column: Column) -> str:
    """The one value of a column that is empty elsewhere; "" where it has none, or several."""
    series = column.series
    if (
        not isinstance(series.dtype, pd.CategoricalDtype)
        or len(series.cat.categories) != 1
        or set(column.marks) != {""}
    ):
        return ""
    return str(series.cat.categories[0])


def _answered(column: Column) -> Column:
    ticked = column.series.notna().to_numpy()
    answers = pd.Categorical.from_codes(ticked.astype(np.int8), categories=pd.Index(["no", "yes"], dtype="str"))
    return Column(pd.Series(answers, name=column.series.name))
