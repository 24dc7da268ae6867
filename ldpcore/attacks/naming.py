"""What the reports of a person's answer name, beside those of everybody else: the plainest reading of one report."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ldpcore import checks
from ldpcore.randomizer import Randomizer


@dataclass(frozen=True)
class Named:
    """How often a report names a value: sent by those who hold it, and by everybody else."""

    holders: float
    others: float


def chances(mechanism: Randomizer, value: int, freq: ArrayLike) -> Named:
    """For one value (a code), exactly, at any k. A report names what it holds: its symbol, set bits, subset, label.

    `freq` (k,): the shares; the others are taken with theirs, or evenly where nobody else is.
    """
    code = checks.integer(value, "value (a code)", 0, mechanism.k - 1)
    holder = np.arange(mechanism.k) == code
    rest = np.where(holder, 0.0, checks.shares(freq, mechanism.k))
    rest = rest if rest.sum() > 0 else (~holder).astype(float)
    by_holders, by_others = mechanism.naming(holder.astype(float)), mechanism.naming(rest / rest.sum())
    return Named(float(by_holders[code]), float(by_others[code]))
