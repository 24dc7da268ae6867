"""Two groups compared: MOVER (Zou, Donner 2008), from each group's interval to that of a difference or a ratio.

d̂ ± √(p² + 2|ρ|pq + q²), p and q the distances from each estimate to its ends that matter; ρ the correlation of the two
estimates, exact moments at the plausible table, 0 for open groups. With the estimated ρ itself, few people and a pair
asked as one it covers .93 to .95; −|ρ| is on the safe side.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from ldpcore.relations.fieller import ScoreTest

Array = NDArray[np.float64]

SCALES: dict[str, Callable[[Array], Array]] = {"difference": np.asarray, "ratio": np.log, "odds": logit}
"""What is compared: the shares themselves, or their logarithms, or their log-odds."""


def correlation(one: ScoreTest, other: ScoreTest) -> Array:
    """ρ (r,) of the two groups' estimated shares, by the delta method."""
    design, f = one.design, one.shares.reshape(len(one.tables), -1)

    def moment(a: ScoreTest, b: ScoreTest) -> Array:
        (u, g), (v, h) = a.weights, b.weights
        ra, rb = a.plausible_share, b.plausible_share
        each = [f @ design.squares(left, right) for left, right in ((u, v), (u, h), (g, v), (g, h))]
        return each[0] - rb * each[1] - ra * each[2] + ra * rb * each[3]

    variances = []
    for side in (one, other):
        r = side.plausible_share
        drawn = side.shares[:, side.group].sum(axis=(1, 2)) * r * (1 - r) if side.about == "these" else 0.0
        variances.append(moment(side, side) - drawn)
    return np.clip(moment(one, other) / np.sqrt(np.maximum(variances[0] * variances[1], 1e-300)), -1, 1)


def compared(one: ScoreTest, other: ScoreTest, z: float, scale: str) -> tuple[Array, Array, Array]:
    """Of r₁ − r₂, ln(r₁/r₂) or the log-odds ratio: value, low, high (r,). A difference keeps raw estimates and ends;
    for the others ends are clipped to [0, 1], and one at 0 or 1 makes an infinite end.
    """
    (r1, l1, u1), (r2, l2, u2) = one.interval(z, shown=False), other.interval(z, shown=False)
    lean = np.zeros(len(r1)) if one.design.is_open else np.abs(correlation(one, other))
    if scale != "difference":
        tiny = 0.5 / one.n
        l1, u1, l2, u2 = (np.clip(end, 0, 1) for end in (l1, u1, l2, u2))
        r1, r2 = (
            np.clip(np.clip(r, tiny, 1 - tiny), np.minimum(low, 1 - tiny), np.maximum(high, tiny))
            for r, low, high in ((r1, l1, u1), (r2, l2, u2))
        )
    turned = SCALES[scale]
    with np.errstate(divide="ignore", invalid="ignore"):
        value = turned(r1) - turned(r2)
        low = value - _reach(turned(r1) - turned(l1), turned(u2) - turned(r2), lean)
        high = value + _reach(turned(u1) - turned(r1), turned(r2) - turned(l2), lean)
    if scale == "difference":
        low, high = np.maximum(low, -1), np.minimum(high, 1)
    return value, low, high


def _reach(p: Array, q: Array, lean: Array) -> Array:
    known = np.isfinite(p) & np.isfinite(q)
    a, b = np.where(known, p, 0.0), np.where(known, q, 0.0)
    return np.where(known, np.sqrt(a * a + 2 * lean * a * b + b * b), np.inf)
