"""Whether a column has to do with marked answers at all, or could be as it is by chance: exact, whatever was drawn
(theory/questionnaire#giving-away).
"""

import numpy as np
from numpy.typing import NDArray
from scipy.stats import hypergeom

CHANCE = 0.05
"""That any column of a survey is called a giver, if none of them has to do with anything: at most."""
NEAR = 2.0
"""Cells within so many standard deviations of what is expected are not looked at: they show nothing."""


def by_chance(table: NDArray[np.integer]) -> float:
    """How likely some cell of these counts (r, c) would be as far off if people of these rows and of these columns
    were paired by chance: at most. Each count is hypergeometric then, exactly; of the cells the least likely counts,
    both its tails, times as many as there are.

    >>> round(by_chance(np.array([[20, 10], [10, 20]])), 4), by_chance(np.array([[15, 15], [15, 15]]))
    (0.0194, 1.0)
    """
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    rows, columns, n = table.sum(axis=1)[:, None], table.sum(axis=0)[None, :], int(table.sum())
    if min(table.shape) < 2:
        return 1.0
    if len(table) == 2:  # the other row is what is left
        table, rows = table[:1], rows[:1]
    if columns.size == 2:
        table, columns = table[:, :1], columns[:, :1]
    middle = rows / n * columns
    spread = np.sqrt(middle * (1 - rows / n) * (n - columns) / (n - 1))
    off = np.abs(table - middle) > NEAR * spread
    if not off.any():
        return 1.0
    counts, rows, columns = (
        table[off],
        np.broadcast_to(rows, table.shape)[off],
        np.broadcast_to(columns, table.shape)[off],
    )
    tails = np.minimum(hypergeom.cdf(counts, n, rows, columns), hypergeom.sf(counts - 1, n, rows, columns))
    return min(1.0, 2 * float(tails.min()) * table.size)
