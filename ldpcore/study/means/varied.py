"""How much one report varies: the largest variance over the answers of the range, of its marked part, and of the other.

>>> from ldpcore import Marks, Source, Study, data
>>> from ldpcore.study import means
>>> both = Marks.of(["18..38", "78..98"])
>>> study = Study(Source("health"), "age", both, ("PM", "SDPM"), bins=(18, 98, 64), grid=(), task="means")
>>> numbers = means.prepare(study, data.load("health"))
>>> for key in study.mechanisms:  # standard deviation of a report at ε = 1, years
...     found = largest(means.cell(study, numbers, key, 1.0), numbers)
...     print(key, {part: round(variance**0.5) for part, (_, variance) in found.items()})
PM {'all': 91, 'sensitive': 91, 'other': 81}
SDPM {'all': 91, 'sensitive': 91, 'other': 74}
"""

from collections.abc import Iterator

import numpy as np

from ldpcore.scope import parts
from ldpcore.study import intervals
from ldpcore.study.means.numbers import MeanDesignPoint, NumberColumn
from ldpcore.study.skeleton import Row

METRIC = "report variance"
STEPS = 400
"""Equal steps over [-1, 1] at whose ends variances are computed, beside the ends of what is marked."""
Worst = dict[str, tuple[float, float]]
"""Scope → the answer on [-1, 1] whose report varies most, and the variance of that, in the column's units squared."""


def largest(point: MeanDesignPoint, data: NumberColumn) -> Worst:
    """Of the first group, whose marks are the study's own; a scope without answers is left out."""
    built = point.groups[0].mechanism
    # An end that both parts share counts as not marked: mechanisms take the answers that are not as closed intervals.
    unmarked = intervals.complement(list(point.marked), data.interval)
    x = np.unique(np.concatenate([np.linspace(-1, 1, STEPS + 1), *(np.array(pair) for pair in unmarked)]))
    variance = built.report_moments(x)[1]
    free = np.zeros(len(x), bool)
    for low, high in unmarked:
        free |= (low <= x) & (x <= high)
    there = parts(~free)
    at = {str(scope): int(np.flatnonzero(mask)[variance[mask].argmax()]) for scope, mask in there.items() if mask.any()}
    return {scope: (float(x[i]), data.unit**2 * float(variance[i])) for scope, i in at.items()}


def drawn(point: MeanDesignPoint, data: NumberColumn, reports: int, rng: np.random.Generator) -> Iterator[Row]:
    """Rows: the variance of so many reports of each of these answers."""
    built = point.groups[0].mechanism
    for scope, (x, _) in largest(point, data).items():
        sent = built.perturb(np.full(reports, x), rng)
        yield METRIC, scope, data.unit**2 * float(np.var(sent, ddof=1))
