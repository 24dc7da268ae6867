"""How strong a relation is: Cramér's V, and the correlation of ordered answers."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtr, chndtr

from ldpcore.relations.designs import PairDesign
from ldpcore.relations.plausible import plausible

Array = NDArray[np.float64]

DOUBLINGS, HALVINGS = 40, 60


def cramers_v(design: PairDesign, table: Array, n: int, tail: float, about: str) -> tuple[float, float, float]:
    """V, low, high of a table (kx, ky); V² = Σ D²/(f_x f_y)/(min(kx, ky) − 1).

    Q = Σ D̂²/(f̂_x f̂_y), less its noise tr C, is nearly unbiased; it is taken as a·χ²_ν(φ²/a), C the exact covariance of
    the terms' roots, a its largest eigenvalue and ν = tr C/a: the safe side of Satterthwaite (1946). tail: what is left
    out at either end.
    """
    kx, ky = design.kx, design.ky
    f = plausible(table[None], n, design.is_open)[0]
    fx, fy = f.sum(axis=1), f.sum(axis=0)
    turn = np.kron(np.eye(kx) - fx[:, None], np.eye(ky) - fy[:, None])
    weight = 1 / np.sqrt(np.outer(fx, fy)).ravel()
    departure = (table - np.outer(table.sum(axis=1), table.sum(axis=0))).ravel()
    spread = np.linalg.eigvalsh(weight[:, None] * (turn @ design.covariance(f, n, about) @ turn.T) * weight)
    trace, largest = max(float(spread.sum()), 1e-15), max(float(spread.max()), 1e-15)
    q = float(np.sum((weight * departure) ** 2))
    ends = [_noncentrality(q / largest, trace / largest, chance) * largest for chance in (1 - tail, tail)]
    return tuple(float(np.sqrt(np.clip(t / (min(kx, ky) - 1), 0, 1))) for t in (max(q - trace, 0), *ends))  # type: ignore[return-value]


def _noncentrality(x: float, df: float, chance: float) -> float:
    """λ for which Pr[χ²_df(λ) ≤ x] = chance; 0 where even λ = 0 has less."""
    if chdtr(df, x) <= chance:
        return 0.0
    low, high = 0.0, 1.0
    for _ in range(DOUBLINGS):
        if chndtr(x, df, high) <= chance:
            break
        low, high = high, 2 * high
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if chndtr(x, df, middle) > chance else (low, middle)
    return low


def correlation(
    design: PairDesign, table: Array, n: int, u: Array, v: Array, z: float, about: str
) -> tuple[float, float, float]:
    """Pearson's correlation of ordered answers with public numbers u (kx,), v (ky,): value, low, high, by the delta
    method. An estimated spread that is not positive is taken from the plausible table.
    """
    f = plausible(table[None], n, design.is_open)[0]
    uv = np.outer(u, v)

    def parts(g: Array) -> tuple[float, ...]:
        gx, gy = g.sum(axis=1), g.sum(axis=0)
        a, b = float(u @ gx), float(v @ gy)
        return float((uv * g).sum()) - a * b, float(u**2 @ gx) - a * a, float(v**2 @ gy) - b * b, a, b

    both, vx, vy, a, b = parts(table)
    _, px, py, _, _ = parts(f)
    vx, vy = vx if vx > 0 else px, vy if vy > 0 else py
    r = float(np.clip(both / np.sqrt(vx * vy), -1, 1))
    gradient = (uv - a * v - b * u[:, None]) / np.sqrt(vx * vy)
    gradient = gradient - r / 2 * (((u**2 - 2 * a * u) / vx)[:, None] + (v**2 - 2 * b * v) / vy)
    g = gradient.ravel()
    half = z * np.sqrt(max(float(g @ design.covariance(f, n, about) @ g), 0))
    return r, max(r - half, -1.0), min(r + half, 1.0)
