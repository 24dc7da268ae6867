"""Where lines of theory and limits are computed: points of an axis, as dense as a line needs to look smooth.

>>> points = epsilons(0.5, 2.0, 1.0)
>>> points[0], 1.0 in points, points[-1], people(10, 1000)[-1], percents(1, 4)
(0.5, True, 2.0, 1000.0, (0.01, 0.02, 0.03, 0.04))
"""

import numpy as np
from numpy.typing import NDArray

FEW, NEXT = 5, 1.25
"""Points of `few_epsilons`, and the factor within which one is next to the chosen one."""
POINTS = 25
"""Of one line. Tests compute fewer: between two points nothing new is."""


def epsilons(low: float, high: float, *others: float) -> tuple[float, ...]:
    """ε from low to high, in three digits, and the others that have to be among them."""
    return tuple(sorted({*(float(f"{x:.3g}") for x in np.geomspace(low, high, POINTS)), *others}))


def few_epsilons(low: float, high: float, chosen: float) -> tuple[float, ...]:
    """ε at which a least error is searched for: the chosen one first, then from low to high, equally far apart by their
    roots, without those next to the chosen one. Between them the logarithm of the error bends little against `bent`.

    >>> few_epsilons(0.1, 5.0, 1.0)
    (1.0, 0.1, 0.634, 1.63, 3.08, 5.0)
    """
    steps = [float(f"{x:.3g}") for x in np.linspace(low**0.5, high**0.5, FEW) ** 2]
    inner = (x for x in steps[1:-1] if max(x, chosen) > NEXT * min(x, chosen))
    return (chosen, *(x for x in (steps[0], *inner, steps[-1]) if x != chosen))


def bent(epsilon: NDArray[np.float64]) -> NDArray[np.float64]:
    """ln(e^ε − 1): against it the logarithm of a least error is nearly straight at small ε, hardly bent at large."""
    return epsilon + np.log(-np.expm1(-epsilon))


def people(low: float, high: float) -> tuple[float, ...]:
    """Whole numbers of people."""
    return tuple(float(round(x)) for x in np.geomspace(low, high, POINTS))


def percents(low: float, high: float) -> tuple[float, ...]:
    """Shares, in whole percents of which none is there twice."""
    return tuple(float(x) / 100 for x in np.unique(np.round(np.geomspace(low, high, POINTS))))
