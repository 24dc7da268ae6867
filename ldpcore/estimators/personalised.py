"""Users who choose their own marks: equal choices form a group, groups are estimated apart and combined.

The target is Σ_g (n_g/n) f_g. "share" is unbiased whatever the groups are; "minimum-variance" assumes that all groups
have the same distribution, and is biased where people who mark more also hold more marked values
(theory/frequency#groups-who-mark-differently).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ldpcore.randomizer import Randomizer
from ldpcore.tally import Tally

HOW = ("share", "minimum-variance")


def weights(mechanisms: Sequence[Randomizer], sizes: Sequence[float], how: str = "share") -> NDArray[np.float64]:
    """What each group counts for, per value: (groups, k), columns sum to 1.

    Minimum variance takes each group's variance at uniform shares, never at its own estimate: weights that depend
    on the noise would favour groups whose noise happened to look small.
    """
    if how not in HOW:
        raise ValueError(f"how must be one of {', '.join(HOW)}, got {how!r}")
    if not mechanisms or len(mechanisms) != len(sizes):
        raise ValueError("a combination needs at least one group, and one size for each")
    k = mechanisms[0].k
    if any(m.k != k for m in mechanisms):
        raise ValueError("all groups must answer the same question: their mechanisms differ in k")
    n = np.asarray(sizes, float)
    if np.any(n <= 0):
        raise ValueError("every group needs at least one user; leave empty groups out")
    if how == "share":
        return np.repeat((n / n.sum())[:, None], k, axis=1)
    uniform = np.full(k, 1 / k)
    variance = np.array([m.variance(uniform, int(size)) for m, size in zip(mechanisms, n, strict=True)])
    # A group that marks nothing may answer exactly: then it alone counts.
    exact = variance <= 0
    precision = np.where(exact.any(axis=0), exact, 1 / np.where(exact, 1.0, variance))
    return precision / precision.sum(axis=0)


def combine(groups: Sequence[tuple[Randomizer, Tally]], how: str = "share") -> NDArray[np.float64]:
    """The combined shares (k,) of [(mechanism, tally), ...]."""
    share = weights([m for m, _ in groups], [tally.n for _, tally in groups], how)
    return np.sum(share * np.array([m.estimate(tally) for m, tally in groups]), axis=0)
