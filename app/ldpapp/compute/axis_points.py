"""Where the lines of theory and limits are drawn: points of an axis, as dense as a line needs to look smooth."""

import numpy as np

POINTS = 25
"""Of one line. Tests draw fewer: between two points nothing new is computed."""


def epsilons(low: float, high: float, *others: float) -> tuple[float, ...]:
    """ε from low to high, in three digits, and the others that have to be among them."""
    return tuple(sorted({*(float(f"{x:.3g}") for x in np.geomspace(low, high, POINTS)), *others}))


def people(low: float, high: float) -> tuple[float, ...]:
    """Whole numbers of people."""
    return tuple(float(round(x)) for x in np.geomspace(low, high, POINTS))


def percents(low: float, high: float) -> tuple[float, ...]:
    """Shares, in whole percents of which none is there twice."""
    return tuple(float(x) / 100 for x in np.unique(np.round(np.geomspace(low, high, POINTS))))
