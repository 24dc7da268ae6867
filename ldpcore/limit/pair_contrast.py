"""The least error of one contrast of two answers under promises that let an unmarked half of a pair be disclosed.

*Apart* (ε_x, ε_y): columns p ⊗ r, p of the promise of x, r of that of y: all that is asked apart, and also where the
second answer's randomiser is chosen by the first one's report. *Half-open* (ε): a marked x is within E of any other x
of the same y, a marked y likewise, a pair with both marked within E of any pair. Whatever is asked apart with
ε_x + ε_y ≤ ε keeps it, so its floor is one for every way to share ε out (theory/relations#floors-of-pairs).

>>> import numpy as np
>>> f, marks = np.array([[0.4, 0.1], [0.3, 0.2]]), (np.array([False, True]),) * 2
>>> c = np.array([[0.4, -1.6], [-0.8, 1.2]])  # of the difference of two groups
>>> apart, half_open = best_contrast_apart(f, marks, (0.5, 0.5), c), best_contrast_half_open(f, marks, 1.0, c)
>>> [round(floor, 1) for floor in (apart[0], half_open[0])]
[21.6, 3.3]
"""

from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import nnls

from ldpcore import checks
from ldpcore.limit.contrast import SCARCE, all_columns, growths, searched, start_columns

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Marks = tuple[ArrayLike, ArrayLike]
"""Of groups and of answers, masks (kx,) and (ky,)."""

MOST_COLUMNS, MOST_PAIRS = 1 << 16, 64
NEAR, RARE, ROUNDED = 1e-3, 1e-5, 1e-12
"""Of a channel: how near its floor the search ends; how often a report comes at least; how far sums may be from 1."""


def best_contrast_apart(
    freq: ArrayLike, sensitive: Marks, epsilons: tuple[ArrayLike, ArrayLike], contrast: ArrayLike
) -> tuple[float, float]:
    """(least, most): no two mechanisms, each with its marks and its ε, have n·Var of contrast·f̂ below `least`, about
    these people; one channel of this cone has `most`. freq, contrast: (kx, ky). A question without marks is open.
    epsilons: of either question one, or one for every answer (levels).

    ValueError for more than 64 pairs, or more columns than are looked at.
    """
    f, c, (mx, my) = _checked(freq, contrast, sensitive)
    if not (mx.any() or my.any()):
        return 0.0, 0.0
    raised = [growths(epsilon, marks) for epsilon, marks in zip(epsilons, (mx, my), strict=True)]
    _few(_sides(mx) * _sides(my))
    x, y = (_alone(marks, growth) for marks, growth in zip((mx, my), raised, strict=True))
    return _ends(f, np.asarray(np.kron(x, y), float), _started(mx, my, *raised), c)


def best_contrast_half_open(
    freq: ArrayLike, sensitive: Marks, epsilon: float, contrast: ArrayLike
) -> tuple[float, float]:
    """The same of every channel with the half-open promise at ε for both answers: also of all that is asked apart,
    however ε is shared out. ValueError as `best_contrast_apart`, or where a question has no marks: then it is open.
    """
    f, c, marks = _half_open(freq, contrast, sensitive)
    growth = float(np.exp(checks.epsilon(epsilon)))
    return _ends(f, half_open_columns(*marks, growth), _started(*marks, growth**0.5, growth**0.5), c)


def half_open_channel(
    freq: ArrayLike, sensitive: Marks, epsilon: float, contrast: ArrayLike, spare: float = 0.02
) -> Array:
    """A channel (kx·ky, reports) with that promise that comes near its floor at these shares; `spare` of the reports
    are those of two answers asked apart with ε/2 each, and tell everything else. Whatever is guessed, it is unbiased.

    contrast: one (kx, ky), or several (r, kx, ky): then the sum of their errors is small.
    """
    contrasts = np.asarray(contrast, float)
    contrasts = contrasts[None] if contrasts.ndim == 2 else contrasts
    asked = [_half_open(freq, each, sensitive) for each in contrasts]
    f, _, marks = asked[0]
    if not 0 < spare <= 1:
        raise ValueError(f"spare is the part of reports that tells all pairs apart, above 0, at most 1, got {spare:g}")
    growth = float(np.exp(checks.epsilon(epsilon)))
    apart = _started(*marks, growth**0.5, growth**0.5)
    wanted = (contrasts / np.abs(contrasts).max()).reshape(len(contrasts), -1).T
    search = searched(np.maximum(f, SCARCE), half_open_columns(*marks, growth), apart, wanted, NEAR)
    chosen = search.weights[:, None] * search.columns
    return _completed(chosen[chosen.max(axis=1) > RARE], apart, spare)


def _completed(chosen: Array, apart: tuple[Array, Array], spare: float) -> Array:
    """These columns, and as many of two answers asked apart as rows lack to 1: at least `spare` of all reports, half of
    them with their weights. More where so few do not make up for what the search left open.
    """
    columns, weights = apart
    while True:
        columns_found, even = (1 - spare) * chosen, spare / 2 * weights[:, None] * columns
        lacking, off = nnls(columns.T, 1 - columns_found.sum(axis=0) - even.sum(axis=0))
        if off < ROUNDED or spare >= 1:
            break
        spare = min(1.0, 1.5 * spare)
    out = np.vstack([columns_found, even + lacking[:, None] * columns])
    return out[out.max(axis=1) > 0].T


def half_open_columns(mx: Mask, my: Mask, growth: float) -> Array:
    """All that cannot be split, and some more, (m, kx·ky): 1 or E on pairs with a marked half, 1 on the others; and the
    same on unmarked columns and rows of the table alone, 0 elsewhere (theory/relations#floors-of-pairs).
    """
    kx, ky = len(mx), len(my)
    marked = mx[:, None] | my[None, :]
    _few(
        2 ** int(marked.sum())
        + (1 + 2 ** int(mx.sum())) ** int((~my).sum()) * (1 + 2 ** int(my.sum())) ** int((~mx).sum())
    )
    patterns = (np.arange(2 ** int(marked.sum()))[:, None] >> np.arange(int(marked.sum()))) & 1
    whole = np.ones((len(patterns), kx, ky))
    whole[:, marked] = np.where(patterns, growth, 1.0)
    lines = [_lines(mx, (slice(None), y), (kx, ky), growth) for y in np.flatnonzero(~my)]
    lines += [_lines(my, (x, slice(None)), (kx, ky), growth) for x in np.flatnonzero(~mx)]
    # Of several lines the larger where they cross: both have 1 there.
    parts = [np.maximum.reduce([np.zeros((kx, ky)), *chosen]) for chosen in product(*lines)]
    single = [
        np.outer(np.arange(kx) == x, np.arange(ky) == y) for x in np.flatnonzero(~mx) for y in np.flatnonzero(~my)
    ]
    every = np.concatenate([whole, *(np.array(each, float)[None] for each in (*parts, *single))]).reshape(-1, kx * ky)
    return every[every.any(axis=1)]


def _lines(marks: Mask, where: tuple, shape: tuple[int, int], growth: float) -> list[Array]:
    """Nothing; or 1 or E on the marked answers of this line, 1 on its others."""
    out = [np.zeros(shape)]
    for raised in product((1.0, growth), repeat=int(marks.sum())):
        line = np.zeros(shape)
        line[where] = 1.0
        line[where][marks] = raised
        out.append(line)
    return out


def _alone(marks: Mask, growth: Array) -> Array:
    return all_columns(marks, growth) if marks.any() else np.eye(len(marks))


def _sides(marks: Mask) -> int:
    """Columns of one answer."""
    return 2 ** int(marks.sum()) + int((~marks).sum())


def _started(mx: Mask, my: Mask, *growth: ArrayLike) -> tuple[Array, Array]:
    """Columns of two answers asked apart, and weights."""
    sides = [
        start_columns(marks, each) if marks.any() else (np.eye(len(marks)), np.ones(len(marks)))
        for marks, each in zip((mx, my), growth, strict=True)
    ]
    columns, weights = (np.kron(*pair) for pair in zip(*sides, strict=True))
    return columns[weights > 0], weights[weights > 0]


def _ends(f: Array, every: Array, start: tuple[Array, Array], c: Array) -> tuple[float, float]:
    size = float(np.abs(c).max())
    search, given = searched(np.maximum(f, SCARCE), every, start, c / size), float(c @ (f * c))
    return size**2 * search.least - given, size**2 * search.most - given


def _few(columns: int) -> None:
    if columns > MOST_COLUMNS:
        raise ValueError(f"these marks make {columns} kinds of reports, more than {MOST_COLUMNS}; join some answers")


def _half_open(freq: ArrayLike, contrast: ArrayLike, sensitive: Marks) -> tuple[Array, Array, tuple[Mask, Mask]]:
    f, c, marks = _checked(freq, contrast, sensitive)
    if not all(each.any() for each in marks):
        raise ValueError("one of the questions has no marks, so it is open, and the other alone is hidden: ask it so")
    return f, c, marks


def _checked(freq: ArrayLike, contrast: ArrayLike, sensitive: Marks) -> tuple[Array, Array, tuple[Mask, Mask]]:
    table, c = np.asarray(freq, float), np.asarray(contrast, float)
    if table.ndim != 2 or min(table.shape) < 2 or table.size > MOST_PAIRS:
        raise ValueError(f"freq is a table of groups and answers, at most {MOST_PAIRS} pairs, got shape {table.shape}")
    if c.shape != table.shape or not np.all(np.isfinite(c)) or not np.any(c):
        raise ValueError(f"contrast must be a table of finite numbers of shape {table.shape}, not all 0")
    mx, my = (checks.mask(np.asarray(marks), k) for marks, k in zip(sensitive, table.shape, strict=True))
    return checks.shares(table.ravel(), table.size), c.ravel(), (mx, my)
