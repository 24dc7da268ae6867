"""Users who choose their own intervals: equal choices form a group, groups are estimated apart and combined.

The target is Σ_g (n_g/n)·mean_g. "share" is unbiased whatever the groups are, where each group's estimate is;
"minimum-variance" weighs by 1/Var_g (sdldp, equation 19) and assumes that all groups have the same distribution.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ldpcore.numeric_randomizer import FITTED, NumericRandomizer, Vector
from ldpcore.tally import NumericTally

HOW = ("share", "minimum-variance")
GRID = np.linspace(-1, 1, 513)


def worst_variance(mechanism: NumericRandomizer, estimate: str = "default") -> float:
    """The largest variance over x of what one report adds; of the report itself where the estimate has no formula."""
    chosen = mechanism.named(estimate)
    how = "mean" if chosen in FITTED else chosen
    ends = np.array([end for pair in getattr(mechanism, "low", ()) for end in pair])
    return float(mechanism.moments(np.concatenate([GRID, ends]), how)[1].max())


def weights(
    mechanisms: Sequence[NumericRandomizer], sizes: Sequence[float], how: str = "share", estimate: str = "default"
) -> NDArray[np.float64]:
    """What each group counts for (groups,), summing to 1; never from the group's own reports."""
    if how not in HOW:
        raise ValueError(f"how must be one of {', '.join(HOW)}, got {how!r}")
    if not mechanisms or len(mechanisms) != len(sizes):
        raise ValueError("a combination needs at least one group, and one size for each")
    n = np.asarray(sizes, float)
    if np.any(n <= 0):
        raise ValueError("every group needs at least one user; leave empty groups out")
    if how == "share":
        return n / n.sum()
    worst = np.array([worst_variance(m, estimate) for m in mechanisms])
    # A group that marks nothing may answer exactly: then it alone counts.
    exact = worst <= 0
    precision = n * (exact if exact.any() else 1 / worst)
    return precision / precision.sum()


def combine(
    groups: Sequence[tuple[NumericRandomizer, NumericTally]], how: str = "share", estimate: str = "default"
) -> float:
    """The combined mean on [-1, 1] of [(mechanism, tally), ...]."""
    share = weights([m for m, _ in groups], [tally.n for _, tally in groups], how, estimate)
    return float(share @ [m.estimate_mean(tally, estimate) for m, tally in groups])


def variance(
    groups: Sequence[tuple[NumericRandomizer, Vector]], how: str = "share", estimate: str = "unbiased"
) -> float:
    """Exact variance of the combined mean, conditional on each group's inputs [(mechanism, x (n_g,)), ...]."""
    share = weights([m for m, _ in groups], [len(x) for _, x in groups], how, estimate)
    return float(share**2 @ [m.variance(x, estimate) for m, x in groups])
