"""The least error of one contrast of shares, over all channels that keep a promise, at known shares: certified.

    min cᵀ(J⁻¹ − diag f)c,   J = Σ x_q q qᵀ/(q·f),   Σ x_q q = 1,   x ≥ 0

over the columns q that cannot be split: 1 or E on marked values, 1 on the others; and the unit columns of these. That
is c-optimal design. For every u and every λ with λ·q ≥ (q·u)²/(q·f) for all q,

    cᵀJ⁻¹c ≥ (c·u)²/max_x Σ x_q (q·u)²/(q·f) ≥ (c·u)²/Σλ,

so whatever the search comes up with, `least` is a floor: λ are its multipliers, raised until no column is above
(theory/relations#floor). The search is a barrier method on few columns, and all 2^σ are asked which are missing.

>>> import numpy as np
>>> least, most = best_contrast([0.3, 0.7], [True, True], 1.0, [1.0, -1.0])
>>> round(least, 4), round(most, 4), round(float(4 * np.e / (np.e - 1) ** 2), 4)  # of two values it is known
(3.6827, 3.6827, 3.6827)
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

MOST_VALUES = 16
"""Values, or pairs: of s marked ones there are 2^s columns."""
GAP = 1e-5
"""Of what is found, its distance from the floor at most."""
IDLE = 1e-4
"""Reports that are so much rarer than the spare ones are left out of a channel."""
SCARCE = 1e-9
"""A value that nobody holds is taken as if it had this share."""
ROUNDS, ADDED, FRESH = 20, 40, 1e-5
"""Times that columns are added, how many at most, and with what weight. None is left out again: it would come back."""
ROUNDED = 1e-15
"""Of the largest eigenvalue of J: a smaller one is rounding."""
FALL, NEWTONS, INSIDE = 0.2, 40, 0.95
"""How the barrier falls; steps for each; of the way to the boundary at most so much."""


def best_contrast(
    freq: ArrayLike, sensitive: ArrayLike, epsilon: ArrayLike, contrast: ArrayLike
) -> tuple[float, float]:
    """(least, most): no channel with this promise has n·Var of contrast·f̂ below `least`, about these people, and one
    has `most`. freq, sensitive, contrast: of all values, (K,), or tables of pairs; ULDP with these marks, LDP where all
    are. epsilon: one, or one for every value (levels; those of unmarked values play no part). ValueError for more than
    16 values: `best` has the limit of the shares themselves at any number.
    """
    f, marked, growth, c = _checked(freq, sensitive, epsilon, contrast)
    if not marked.any():
        return 0.0, 0.0
    size = float(np.abs(c).max())
    search = searched(np.maximum(f, SCARCE), all_columns(marked, growth), start_columns(marked, growth), c / size)
    given = float(c @ (f * c))
    return size**2 * search.least - given, size**2 * search.most - given


def contrast_channel(
    freq: ArrayLike, sensitive: ArrayLike, epsilon: float, contrast: ArrayLike, spare: float = 0.02
) -> Array:
    """The channel (K, reports) that comes so near: of `custom.CustomMechanism(matrix, sensitive, share=freq)`,
    which is made for one contrast at guessed shares. A wrong guess costs accuracy, never the promise, nor unbiasedness.

    spare: the part of all reports that tells every value from every other; without it other shares, and with them the
    groups' sizes, would not be told at all. It costs this contrast about as much. Arguments as `best_contrast`;
    ValueError also where nothing is marked, and every answer can be sent as it is.

    >>> matrix = contrast_channel([0.4, 0.3, 0.2, 0.1], [True] * 4, 1.0, [1.0, 0.0, 0.0, -1.0])
    >>> bool(np.allclose(matrix.sum(axis=1), 1)), round(float(np.log(matrix.max(axis=0) / matrix.min(axis=0)).max()), 6)
    (True, 1.0)
    """
    f, marked, growth, c = _checked(freq, sensitive, epsilon, contrast)
    if not marked.any():
        raise ValueError("nothing is marked, so nothing need be hidden: send every answer as it is")
    if not 0 <= spare <= 1:
        raise ValueError(f"spare is the part of reports that tells all values apart, between 0 and 1, got {spare:g}")
    start, weights = start_columns(marked, growth)
    every = all_columns(marked, growth)
    search = searched(np.maximum(f, SCARCE), every, (start, weights), c / float(np.abs(c).max()))
    weights, frequent = spare * weights, search.weights > IDLE * spare
    q = search.columns * ((1 - spare) * search.weights)[:, None]
    # What rarely comes is left out, and made up for by reports that raise one value, so that rows sum to 1 again.
    lost = q[~frequent].sum(axis=0)
    single = lost[marked] / (growth[marked] - 1)
    weights[1 : 1 + len(single)] += single
    weights[1 + 2 * len(single) :] += lost[~marked]
    weights[0] -= single.sum()
    out = np.vstack([q[frequent], start * weights[:, None]])
    return out[out.max(axis=1) > 0].T


def _checked(
    freq: ArrayLike, sensitive: ArrayLike, epsilon: ArrayLike, contrast: ArrayLike
) -> tuple[Array, Mask, Array, Array]:
    shares = np.asarray(freq, float).ravel()
    k = len(shares)
    if not 2 <= k <= MOST_VALUES:
        raise ValueError(
            f"the limit of a contrast is computed for 2 to {MOST_VALUES} values, got {k}; join some, or see "
            "limit.best for that of the shares themselves"
        )
    f, c = checks.shares(shares, k), np.asarray(contrast, float).ravel()
    if c.shape != (k,) or not np.all(np.isfinite(c)) or not np.any(c):
        raise ValueError(f"contrast must be {k} finite numbers, one for each value, not all 0")
    marked = checks.mask(np.asarray(sensitive).ravel(), k)
    return f, marked, growths(epsilon, marked), c


def growths(epsilon: ArrayLike, marked: Mask) -> Array:
    """e^ε of every value (K,): of one ε, or of one for each; 1 where it is not marked."""
    given = np.broadcast_to(np.asarray(epsilon, float).ravel(), marked.shape)
    return np.array(
        [np.exp(checks.epsilon(each)) if hidden else 1.0 for each, hidden in zip(given, marked, strict=True)]
    )


def all_columns(marked: Mask, growth: ArrayLike) -> Array:
    """Every column that cannot be split: (2^σ − 1 + τ, K). growth: e^ε, one or of every value: where the least entry is
    1, others lie between 1 and their own e^ε.
    """
    codes, other = np.flatnonzero(marked), np.flatnonzero(~marked)
    raised = (np.arange(2 ** len(codes))[:, None] >> np.arange(len(codes))) & 1
    mixed = np.ones((len(raised), len(marked)))
    mixed[:, codes] = np.where(raised, np.broadcast_to(growth, marked.shape)[codes], 1.0)
    # All raised is all alike, where everything is marked.
    return np.vstack([mixed if len(other) else mixed[:-1], np.eye(len(marked))[other]])


@dataclass(frozen=True, eq=False)
class _Search:
    """Floor and least found of cᵀJ⁻¹c, of several contrasts in sum, by weights (m,) of columns (m, K)."""

    least: float
    most: float
    columns: Array
    weights: Array


def searched(f: Array, every: Array, start: tuple[Array, Array], contrasts: Array, gap: float = GAP) -> _Search:
    """Of channels whose columns are these (m, K), no other that cannot be split; start: some of the cone, with weights
    whose sum is 1 at every value, and J of full rank. contrasts: one (K,), or several (K, r), whose errors are added
    up; gap: so near the floor, relatively, it ends.
    """
    (used, x), least, most, c = start, 0.0, np.inf, contrasts.reshape(len(f), -1)
    for _ in range(ROUNDS):
        x, multipliers = _descended(used, x, f, c, gap)
        most = min(most, _value(used, x, f, c)[0])
        floor, above = _floor(used, x, multipliers, every, f, c)
        least = max(least, floor)
        missing = np.argsort(-above)[:ADDED]
        missing = missing[above[missing] > 0]
        if most - least <= gap * most or not len(missing):
            break
        used = np.vstack([used, every[missing]])
        x = np.concatenate([x, np.full(len(missing), FRESH)])
    return _Search(least, most, used, x)


def start_columns(marked: Mask, growth: ArrayLike) -> tuple[Array, Array]:
    """Columns that raise one marked value, or all but one, the even one, the unit columns; and weights, Σ x q = 1, or
    of levels below 1.
    """
    k, codes = len(marked), np.flatnonzero(marked)
    growth = np.broadcast_to(np.asarray(growth, float), marked.shape)
    single = np.ones((len(codes), k))
    single[np.arange(len(codes)), codes] = growth[codes]
    others = np.where(marked, growth, 1.0) * np.ones((len(codes), 1))
    others[np.arange(len(codes)), codes] = 1.0
    columns = np.vstack([np.ones((1, k)), single, others, np.eye(k)[~marked]])
    weight = 0.25 / (len(codes) * growth[codes].max())
    x = np.full(len(columns), weight)
    rest = 1 - weight * (single.sum(axis=0) + others.sum(axis=0))
    x[0] = rest[codes].min()
    x[1 + 2 * len(codes) :] = (rest - x[0])[~marked]
    return columns, x


def _value(q: Array, x: Array, f: Array, c: Array) -> tuple[float, Array, Array]:
    """Of contrasts c (K, r): Σ cᵀJ⁻¹c, u = J⁻¹c, and R with R Rᵀ = J⁻¹."""
    information = (q * (x / (q @ f))[:, None]).T @ q
    values, vectors = np.linalg.eigh(information)
    root = vectors / np.sqrt(np.maximum(values, ROUNDED * values[-1]))
    u = root @ (root.T @ c)
    return float((c * u).sum()), u, root


def _descended(q: Array, x: Array, f: Array, c: Array, gap: float) -> tuple[Array, Array]:
    """Weights with the least cᵀJ⁻¹c on these columns, and the multipliers λ of Σ x q = 1: Newton's method on
    cᵀJ⁻¹c − μ Σ ln x, for falling μ, also from weights that do not sum to 1 yet.
    """
    multipliers = np.zeros(q.shape[1])
    start = _value(q, x, f, c)[0]
    barrier = start / len(x)
    while len(x) * barrier > gap / 4 * start:
        for _ in range(NEWTONS):
            step, multipliers = _newton(q, x, f, c, barrier)
            falling = step < 0
            reach = float(np.min(INSIDE * -x[falling] / step[falling], initial=1.0))
            x = x + reach * step
            if reach == 1.0 and np.max(np.abs(step) / x) < 1e-3:
                break
        barrier *= FALL
        start = min(start, _value(q, x, f, c)[0])
    return x, multipliers


def _newton(q: Array, x: Array, f: Array, c: Array, barrier: float) -> tuple[Array, Array]:
    """The step of the weights, and the multipliers. The second derivative is μ/x² and G Gᵀ, G (m, r·K): inverted by
    Woodbury's formula, as columns are many and values few.
    """
    _, u, root = _value(q, x, f, c)
    weight = q @ f
    lean = (q @ u) / weight[:, None]
    g = (np.sqrt(2) * lean[:, :, None] * (q @ root)[:, None, :]).reshape(len(q), -1)
    loose = x**2 / barrier
    inner = np.linalg.inv(np.eye(g.shape[1]) + g.T @ (loose[:, None] * g))

    def inverted(v: Array) -> Array:
        scaled = loose[:, None] * v
        return scaled - (loose[:, None] * g) @ (inner @ (g.T @ scaled))

    pull = ((lean**2).sum(axis=1) * weight + barrier / x)[:, None]
    of_columns, of_pull = inverted(q), inverted(pull)
    right = (q.T @ of_pull).ravel() - (1 - q.T @ x)
    # Least squares: at a tiny ε the columns are alike to the last digits.
    multipliers = np.linalg.lstsq(q.T @ of_columns, right, rcond=None)[0]
    return of_pull.ravel() - of_columns @ multipliers, np.asarray(multipliers, float)


def _floor(q: Array, x: Array, multipliers: Array, every: Array, f: Array, c: Array) -> tuple[float, Array]:
    """(Σ c·u)²/Σλ, with λ raised until λ·q ≥ Σ(q·u)²/(q·f) for every column, by adding or by multiplying, whichever is
    less; and by how much each column was above.
    """
    value, u, _ = _value(q, x, f, c)
    bound = every @ multipliers
    above = ((every @ u) ** 2).sum(axis=1) / (every @ f) - bound
    raised = float(multipliers.sum() + len(f) * max(0.0, float(np.max(above / every.sum(axis=1)))))
    if np.all(bound > 0):
        raised = min(raised, float(multipliers.sum()) * (1 + max(0.0, float(np.max(above / bound)))))
    return value**2 / raised, above
