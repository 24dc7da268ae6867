"""Chances that a report of subset selection holds two values, without a list of reports: SS with 20 values has 126 000.

With probability κ a report is made of the truth, else it is a uniform w-subset of S, which holds two values of S with
π = w(w−1)/(σ(σ−1)). A true subset holds x, and any other value with (w−1)/(σ−1), any two others with
(w−1)(w−2)/((σ−1)(σ−2)) (theory/relations#second-moments).
"""

import numpy as np
from numpy.typing import NDArray


def both_in(
    k: int, marked: NDArray[np.intp], w: int, keep: float, rates: tuple[float, float, float]
) -> NDArray[np.float64]:
    """Pr[u and v in the report | x]: (k, k, k), x first. rates: of one marked value, in the report of a holder, of a
    holder of another marked value, and of an unmarked one; an unmarked value is disclosed with `keep`, alone.
    """
    out, s = np.zeros((k, k, k)), len(marked)
    other = np.setdiff1d(np.arange(k), marked)
    out[other, other, other] = keep
    if not s:
        return out
    a, b_marked, b_other = rates
    blind = (1 - keep) * w * (w - 1) / max(s * (s - 1), 1)
    with_x = keep * (w - 1) / max(s - 1, 1) + blind
    without_x = keep * (w - 1) * (w - 2) / max((s - 1) * (s - 2), 1) + blind
    x = np.arange(s)
    of_marked = np.full((s, s, s), without_x)
    of_marked[x, x, :] = of_marked[x, :, x] = with_x
    of_marked[:, x, x] = b_marked
    of_marked[x, x, x] = a
    out[np.ix_(marked, marked, marked)] = of_marked
    out[np.ix_(other, marked, marked)] = np.where(np.eye(s, dtype=bool), b_other, blind)
    return out
