"""The columns that can be in a best channel, grouped into orbits, and what one unit of each contributes.

E = e^ε, e = E−1, p = i/σ, s = j/τ, μ_S = 1+e·p, μ_N = 1+e·s, m = Fμ_S+(1−F)μ_N. Three kinds of orbit:
an ordinary one (i of S's entries and j of N's are E, the others 1); a decoy one (one v∈N at 1, S's entries at
1/τ or E/τ; guarded SDLDP only); the disclosing one (one v∈N at 1, all else 0).
Every orbit is scaled to total mass (a_S+a_N)/2 = 1, so that a channel's scaled weights sum to one at any ε.

A functional's *loss* is its distance from that of the data shown openly, of which the error is the quotient
loss/information. For good columns it is far smaller than both, so it is written out, never subtracted: the limit
keeps its digits at ε = 40.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

ORDINARY, DECOY, DISCLOSING = 0, 1, 2


@dataclass(frozen=True)
class Orbits:
    """The candidate orbits (n of them) of one policy; rows λ_S, λ_N, I in `information` and `loss`."""

    i: NDArray[np.int64]
    j: NDArray[np.int64]
    kind: NDArray[np.int64]
    scale: Array
    """(n,) weight W of one scaled unit."""
    balance: Array
    """(n,) (a_S−a_N)/2 scaled: a channel's sum is zero."""
    others: Array
    """(n,) (E·a_N−a_S)/e scaled, never negative: a channel's sum is one."""
    exposed: Array
    """(n,) a channel's sum is (σ·ASR−1)/e."""
    information: Array
    """(3, n) what the orbit adds to λ_S, λ_N, I."""
    loss: Array
    """(3, n) what it leaves of 1 − information·openly."""
    openly: Array
    """(3,) the inverse information of the data themselves: F/σ, (1−F)/τ, F(1−F)."""
    free: bool
    """F = 1 and disclosing allowed: any r > 0, however small, reveals all of N, where nobody is."""

    def at(self, kept: NDArray[np.bool_]) -> "Orbits":
        """Only the orbits `kept` (n,)."""
        names = ("i", "j", "kind", "scale", "balance", "others", "exposed")
        chosen = {name: getattr(self, name)[kept] for name in names}
        return replace(self, **chosen, information=self.information[:, kept], loss=self.loss[:, kept])


def orbits(policy: str, sigma: int, tau: int, e: float, share: float) -> Orbits:
    """The orbits that a best channel can use (see the package's docstring for why the others cannot help)."""
    # Entries in {1, E} say nothing of a group that is empty, so it needs one entry count only.
    if policy == "LDP" or tau == 0 or sigma == 0:
        grid_i, grid_j = np.meshgrid(np.arange(sigma + 1), np.arange(tau + 1), indexing="ij")
        i, j, kind = grid_i.ravel(), grid_j.ravel(), np.full(grid_i.size, ORDINARY)
    else:
        i = np.append(np.arange(sigma + 1), 0)
        j = np.zeros(sigma + 2, np.int64)
        kind = np.full(sigma + 2, DECOY if policy == "guarded SDLDP" else ORDINARY)
        kind[-1] = DISCLOSING
    p, s = i / max(sigma, 1), j / max(tau, 1)
    disclosing = kind == DISCLOSING
    mass_s = np.where(disclosing, 0.0, 1 + e * p) if sigma else 1 + e * s
    mass_n = np.where(disclosing, 1.0, 1 + e * s) if tau else mass_s
    scale = 2 / (mass_s + mass_n)
    information, loss = _contributions(i, j, kind, sigma, tau, e, share)
    return Orbits(
        i, j, kind, scale,
        balance=scale * (mass_s - mass_n) / 2,
        others=scale * np.where(disclosing, (1 + e) / e, 1 - p + (1 + e) * s),
        exposed=scale * np.where((i > 0) & ~disclosing, 1 - p, 0.0),
        information=scale * information,
        loss=scale * loss,
        openly=np.array([share / max(sigma, 1), (1 - share) / max(tau, 1), share * (1 - share)]),
        free=bool(share == 1 and disclosing.any()),
    )  # fmt: skip


def _contributions(
    i: NDArray[np.int64], j: NDArray[np.int64], kind: NDArray[np.int64], sigma: int, tau: int, e: float, share: float
) -> tuple[Array, Array]:
    """Information and loss (3, n) per unit of W."""
    p, s = i / max(sigma, 1), j / max(tau, 1)
    rest = 1 - share
    mu_s, mu_n = 1 + e * p, 1 + e * s
    m = share * mu_s + rest * mu_n
    lift = 1 + e * (share * p + rest * s)
    information = np.empty((3, i.size))
    loss = np.empty((3, i.size))
    information[0] = e**2 * p * (1 - p) * (sigma / max(sigma - 1, 1)) / m
    information[1] = e**2 * s * (1 - s) * (tau / max(tau - 1, 1)) / m
    information[2] = (e * (p - s)) ** 2 / m
    # μ_S m − (F/σ)·e² i(σ−i)/(σ(σ−1)), in powers of e; none of the terms is negative
    loss[0] = (lift + e * p + e**2 * p * (share * (i - 1) / max(sigma - 1, 1) + rest * s)) / m
    loss[1] = (lift + e * s + e**2 * s * (rest * (j - 1) / max(tau - 1, 1) + share * p)) / m
    loss[2] = mu_s * mu_n / m
    decoy = kind == DECOY
    information[1, decoy] = tau / m[decoy]
    loss[1, decoy] = share * mu_s[decoy] / m[decoy]
    disclosing = kind == DISCLOSING
    information[:, disclosing] = [[0.0], [tau / rest if rest else 0.0], [1 / rest if rest else 0.0]]
    loss[:, disclosing] = 0.0
    return information, loss
