"""Which size of a subset errs least, by a public guess of F, the share of people with a sensitive value: of all shares,
or of one contrast of them. At shares uniform within S and within N (theory/frequency#best-subset-size).
"""

from math import expm1

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


def marked_error(w: NDArray[np.intp], sigma: int, epsilon: float, share: float) -> tuple[Vector, Vector]:
    """For every subset size w < σ (σ = 1: w = 1): r, and Σ_S n·Var but for a constant, shares uniform in S and in N."""
    gain = expm1(epsilon)
    total = w * gain + sigma
    keep = w * gain / total
    inside = (sigma - 1) ** 2 * total * (sigma + gain * w * share) / (gain**2 * w * np.maximum(sigma - w, 1) * sigma)
    return keep, inside + (1 - share) * (1 - keep) / (keep * sigma)


def whole_error(w: NDArray[np.intp], sigma: int, epsilon: float, share: float) -> Vector:
    """Σ n·Var over all values, but for a constant."""
    keep, inside = marked_error(w, sigma, epsilon, share)
    return inside + (1 - share) * (1 - keep) / keep


def contrast_error(
    w: NDArray[np.intp], marked: NDArray[np.bool_], epsilon: float, share: float, contrast: Vector
) -> Vector:
    """For every subset size w < σ (σ = 1: w = 1): E (c·s)², n·Var of c·f̂ but for a constant; marked, contrast: (k,).

    A hidden report is a uniform w-subset z of S, whatever its sender's sensitive value is likely to be, and
    c·s = c̄ + α(c(z) − w c̄), c̄ the mean of c over S; that of a disclosed u is c̄ + (c_u − c̄)/κ.
    """
    inside, outside, sigma = contrast[marked], contrast[~marked], int(marked.sum())
    keep, _ = marked_error(w, sigma, epsilon, share)
    mean, spread = float(inside.mean()), float(inside.var())
    of_subsets = w * (sigma - 1) / (keep**2 * np.maximum(sigma - w, 1)) * spread
    hidden = share + (1 - share) * (1 - keep)
    off = outside - mean if len(outside) else np.zeros(1)
    disclosed = keep * mean**2 + 2 * mean * float(off.mean()) + float((off**2).mean()) / keep
    return hidden * (mean**2 + of_subsets) + (1 - share) * disclosed
