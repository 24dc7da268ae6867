"""The error of every range at once: a map from the first cell of a range to its last."""

import numpy as np

from ldpcore import checks
from ldpcore.ranges.arguments import Cells, Vector
from ldpcore.ranges.strategy import Strategy


def error_map(strategy: Strategy, epsilon: float, cells: int | None = None, most: int = 128) -> tuple[Vector, Cells]:
    """The standard error of every range among the first `cells` of N cells (None: all), in counts: (m, m), rows = last
    cell, columns = first cell, NaN where a range would end before it begins; and the m cells drawn, 1-based.

    Of more than `most` cells, `most` evenly spread ones, both ends among them.

    >>> from ldpcore.ranges import Identity
    >>> error_map(Identity(2), 1.0, cells=3)[0].round(2)
    array([[1.41,  nan,  nan],
           [2.  , 1.41,  nan],
           [2.45, 2.  , 1.41]])
    """
    n = strategy.size if cells is None else checks.integer(cells, "cells (those that are no padding)", 1, strategy.size)
    drawn = np.unique(np.round(np.linspace(1, n, min(n, checks.integer(most, "most", 1)))).astype(np.int64))
    first, last = np.meshgrid(drawn, drawn)
    errors = np.full(first.shape, np.nan)
    valid = first <= last
    errors[valid] = np.sqrt(strategy.noise(epsilon) * strategy.coefficients(first[valid], last[valid]))
    return errors, drawn
