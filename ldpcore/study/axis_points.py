"""Where lines of theory and limits are computed: points of an axis, as dense as a line needs to look smooth.

>>> points = epsilons(0.5, 2.0, 1.0)
>>> points[0], 1.0 in points, points[-1], people(10, 1000)[-1], percents(1, 4)
(0.5, True, 2.0, 1000.0, (0.01, 0.02, 0.03, 0.04))
"""

import numpy as np

POINTS = 25
"""Of one line. Tests compute fewer: between two points nothing new is."""


def epsilons(low: float, high: float, *others: float) -> tuple[float, ...]:
    """ε from low to high, in three digits, and the others that have to be among them."""
    return tuple(sorted({*(float(f"{x:.3g}") for x in np.geomspace(low, high, POINTS)), *others}))


def people(low: float, high: float) -> tuple[float, ...]:
    """Whole numbers of people."""
    return tuple(float(round(x)) for x in np.geomspace(low, high, POINTS))


def percents(low: float, high: float) -> tuple[float, ...]:
    """Shares, in whole percents of which none is there twice."""
    return tuple(float(x) / 100 for x in np.unique(np.round(np.geomspace(low, high, POINTS))))
