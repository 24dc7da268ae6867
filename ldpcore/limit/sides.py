"""How the reports of the limit's channel hold the values of S and of N, orbit by orbit.

A report is an orbit and the values it raises (a decoy or disclosed value counts as one of them). It weighs 1/m for
every value, E/m for those it holds (m of its orbit; a label τ/m). The weights are kept as whole points, 2²⁰ for the
largest of either side, so that totals are exact and merge.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .numbered import Array, GroupReports, Mask

POINTS = 1 << 20
SURE = 1 - 1e-6
"""At F = 1 nobody is in N, and a disclosed value would weigh infinitely much: the weights are those of this F."""


@dataclass(frozen=True)
class Orbit:
    """All columns with i of S's entries and j of N's raised by E.

    Sample: x∈S meets this orbit with probability weight·μ_S, its i-subset z of S contains x with probability
    E·i/(σμ_S), the rest of z and the j-subset of N are uniform; for x∈N alike. decoy: the report is (v, z) with v∈N;
    x∈S draws v uniformly, x∈N is v (j = 0).
    """

    i: int
    j: int
    weight: float
    decoy: bool = False


@dataclass(frozen=True, eq=False)
class KindReports(GroupReports):
    """Those of S, or those of N."""

    stranger: Array
    """Pr[orbit, v held | the user holds one of the other side]."""


def sides(
    orbits: Sequence[Orbit], disclosing: float, sensitive: Mask, e_minus_1: float, share: float
) -> tuple[KindReports, KindReports]:
    """S and N under these orbits, and one that discloses with probability `disclosing`; e_minus_1: E − 1, share: F."""
    sigma, tau = int(sensitive.sum()), int((~sensitive).sum())
    e, share = e_minus_1, min(share, SURE) if tau else 1.0
    i, j, weight = (np.array([getattr(orbit, name) for orbit in orbits]) for name in ("i", "j", "weight"))
    decoy = np.array([orbit.decoy for orbit in orbits], bool)
    p, s = i / max(sigma, 1), j / max(tau, 1)
    on_s, on_n = weight * (1 + e * p), weight * (1 + e * s)
    density = share * (1 + e * p) + (1 - share) * (1 + e * s)
    low = np.where(decoy, 0.0, 1.0)
    weights = [
        (np.append((1 + e) / density, 0.0), np.append(1 / density, 0.0)),
        (
            np.append(np.where(decoy, tau, 1 + e) / density, tau / (1 - share) if tau else 0.0),
            np.append(low / density, 0.0),
        ),
    ]
    possible = np.append(weight > 0, disclosing > 0)
    marked, other = _points(weights, (sigma, tau), possible)
    return (
        KindReports(
            np.flatnonzero(sensitive),
            np.append(i, 0),
            np.append(on_s, 0.0),
            np.append(weight * (1 + e) * p, 0.0),
            np.append(weight * p * (1 + e * (i - 1) / max(sigma - 1, 1)), 0.0),
            *marked,
            np.append(on_n * p, 0.0),
        ),
        KindReports(
            np.flatnonzero(~sensitive),
            np.append(np.where(decoy, 1, j), 1),
            np.append(on_n, disclosing),
            np.append(np.where(decoy, weight, weight * (1 + e) * s), disclosing),
            np.append(low * weight * s * (1 + e * (j - 1) / max(tau - 1, 1)), 0.0),
            *other,
            np.append(np.where(decoy, on_s / max(tau, 1), on_s * s), 0.0),
        ),
    )


def _points(
    weights: Sequence[tuple[Array, Array]], sizes: tuple[int, int], possible: Mask
) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """(held, not held) by orbit, for S and for N."""
    out = []
    for pair, size in zip(weights, sizes, strict=True):
        # A disclosed value weighs what it does only where it is ever disclosed.
        inside, others = (np.where(possible, each, 0.0) for each in pair)
        # In points of its own: where few are in N a disclosed value weighs so much that all of S would round to 0.
        top = max(inside.max(), others.max()) if size else 1.0
        out.append((_whole(inside / top), _whole(others / top)))
    return out


def _whole(shares: Array) -> NDArray[np.int64]:
    return np.round(shares * POINTS).astype(np.int64)
