"""What a label of an unmarked value says about being marked: the odds it gives away (theory/definitions#low-labels)."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.randomizer import Randomizer

Vector = NDArray[np.float64]


def odds(mechanism: Randomizer, sensitive: ArrayLike, freq: ArrayLike) -> Vector:
    """How many times the most telling report that names v multiplies the odds "marked" against "not": (k,).

    max over the low reports y that name v of Pr[y | marked]/Pr[y | not], at these shares (even within a side that
    nobody holds). nan where no report names v, as for every marked value; 0 where the report proves v; inf where it
    proves "marked". SDGRR: 1/(f_{v|N}(k − σ + E − 1)). NotEnumerable where the channel is too large.
    """
    mask, f = checks.mask(sensitive, mechanism.k), checks.shares(freq, mechanism.k)
    out = np.full(mechanism.k, np.nan)
    if mask.all() or not mask.any():
        return out
    channel = mechanism.channel()
    marked, other = (_within(f, side) @ channel.matrix for side in (mask, ~mask))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = marked / other
    for y, column in enumerate(channel.columns):
        if column.reveals is not None and not np.isnan(ratio[y]):
            out[column.reveals] = np.fmax(out[column.reveals], ratio[y])
    return out


def _within(freq: Vector, side: NDArray[np.bool_]) -> Vector:
    """The shares within one side."""
    mass = freq[side].sum()
    return np.where(side, freq / mass, 0.0) if mass > 0 else side / side.sum()
