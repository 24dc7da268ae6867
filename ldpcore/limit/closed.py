"""Closed forms beside the program: one subset size w, and a large number of marked values."""

import math

from ldpcore import checks


def subset_errors(policy: str, sigma: int, tau: int, epsilon: float, share: float, w: float) -> tuple[float, float]:
    """(Σ_S, Σ_N) of the best estimate from uSS ("ULDP") or SDSS ("guarded SDLDP") with w-subsets, 1 ≤ w < σ, τ ≥ 1.

    With D = wE+σ−w, r = w(E−1)/D, V = (1−F)(1−r)/r (theory/frequency#best-subset-size, theory/frequency#decoys):
    Σ_S = (σ−1)²D(σ+(E−1)wF)/((E−1)²w(σ−w)σ) + V/σ + F/σ − F;  uSS: Σ_N = V;
    SDSS: Σ_N = V/τ + F(1−F)(1−r)(τ−1)/(τ((1−F)(1−r)+Fr)). To subtract F̂_S/τ from the counts, without using that a
    label alone is certain, has a larger error.
    """
    e = math.expm1(checks.epsilon(epsilon))
    rest, size = 1 - share, sigma + w * e
    shown = w * e / size
    hidden = sigma / size
    between = rest * hidden / shown
    sum_s = (sigma - 1) ** 2 * size * (sigma + e * w * share) / (e**2 * w * (sigma - w) * sigma)
    sum_s += between / sigma + share / sigma - share
    if policy == "ULDP":
        return sum_s, between
    if policy != "guarded SDLDP":
        raise ValueError(f'policy must be "ULDP" (uSS) or "guarded SDLDP" (SDSS), got {policy!r}')
    decoys = share * rest * hidden / (rest * hidden + share * shown) if share else 0.0
    return sum_s, between / tau + decoys * (tau - 1) / tau


def uldp_curve(epsilon: float, share: float, lift: float) -> float:
    """The ULDP limit on one sensitive value for large σ, when the adversary's lift A = σ·ASR is bounded: n·Var.

    (A+F(E−A))/((E−A)(A−1)), reached by uSS with w = σ(E−A)/(A(E−1)); beyond its own minimum, at
    A = E/(1+(E−1)p), p = 1/(1+√(E(1+(E−1)F))), the bound does not bind and the limit is flat. inf at A ≤ 1.
    """
    e_epsilon = math.exp(checks.epsilon(epsilon))
    size = 1 / (1 + math.sqrt(e_epsilon * (1 + (e_epsilon - 1) * share)))
    lift = min(lift, e_epsilon / (1 + (e_epsilon - 1) * size))
    if lift <= 1:
        return math.inf
    return (lift + share * (e_epsilon - lift)) / ((e_epsilon - lift) * (lift - 1))
