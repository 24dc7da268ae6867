"""What it adds to an error that only a part of the people is asked, drawn from all whom the shares are about.

m of n people, drawn without replacement: per answer (1 − m/n)·f(1 − f) beside the variance of a report, to within 1/n
(theory/questionnaire#several-questions). It falls with m like the rest does.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


def left_out(asked: float) -> float:
    """The part of the people who are not asked; ValueError where `asked` is no part."""
    if not 0 < asked <= 1:
        raise ValueError(f"asked is the part of the people who are asked, above 0 and at most 1, got {asked!r}")
    return 1 - asked


def added(freq: Vector, out: float) -> Vector:
    """To the variance of one answer about every share (k,), where this part of the people is left out."""
    return out * freq * (1 - freq)


def worst(corners: Sequence[Vector], rows: Sequence[Vector], kinds: Sequence[NDArray[Any]], out: float) -> Vector:
    """The worst variance (k,) of every value with what drawing adds, whatever the shares are.

    rows (c, k): the variances where everybody holds the one value of each corner (c, k); kinds: the values, as codes or
    masks, that are treated alike, some of each in a corner. Without drawing that is the largest of a kind; with it, in
    a value's own share f, the top of the parabola f·held + (1 − f)·absent + out·f(1 − f); a safe side where they are
    not quite alike (HR).
    """
    seen, present = np.array(rows), np.array(corners) > 0
    worst_of = np.zeros(seen.shape[1])
    for kind in kinds:
        inside, absent = (seen[:, kind].max(where=part[:, kind], initial=0.0) for part in (present, ~present))
        f = min(max((inside - absent + out) / (2 * out), 0.0), 1.0) if out else float(inside > absent)
        worst_of[kind] = f * inside + (1 - f) * absent + out * f * (1 - f)
    return worst_of
