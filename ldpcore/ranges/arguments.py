"""What is asked of a strategy: sizes, ranges and histograms, checked and refused with a sentence."""

# ruff: noqa: E741 (l and r are the contract's names for the ends of a range)

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks

MAX_HEIGHT = 50
"""Cells are numbered in int64 and measured in float64: 2^50 of them are exact in both."""
MAX_DENSE = 4096
"""Cells of a matrix written out: 4096² float64 are 128 MB."""

Cells = NDArray[np.int64]
Vector = NDArray[np.float64]


def height(h: Any) -> int:
    """h = log₂ N."""
    return checks.integer(h, "h (log₂ of the number of cells)", 0, MAX_HEIGHT)


def dense(size: int) -> int:
    """Whether a matrix over this many cells may be written out."""
    if size > MAX_DENSE:
        raise ValueError(f"a matrix over {size} cells is too large to write out, at most {MAX_DENSE}; use coefficient")
    return size


def ends(l: ArrayLike, r: ArrayLike, size: int) -> tuple[Cells, Cells]:
    """1-based inclusive ends, scalars or arrays that broadcast → 0-based half-open [a, b)."""
    pair = []
    for value, name in ((l, "l"), (r, "r")):
        array = np.asarray(value)
        whole = array.dtype.kind in "iu" or (
            array.dtype.kind == "f" and bool(np.all(np.isfinite(array) & (array == np.floor(array))))
        )
        if not whole:
            raise TypeError(f"{name} must hold whole numbers (cells are numbered from 1), got {value!r}")
        pair.append(array.astype(np.int64))
    first, last = np.broadcast_arrays(*pair)
    if first.size and (first.min() < 1 or last.max() > size):
        raise ValueError(f"a range must lie within cells 1 to {size}, got {first.min()} to {last.max()}")
    if np.any(first > last):
        at = int(np.argmax((first > last).ravel()))
        raise ValueError(
            f"a range must not end before it begins, got l = {first.ravel()[at]}, r = {last.ravel()[at]}; swap them"
        )
    return first - 1, last


def histogram(x: ArrayLike, size: int) -> Vector:
    """Counts (N,), finite and not negative. All zeros are fine: refusing them would tell something about the data."""
    array = np.asarray(x, float)
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"x must be a histogram: one count per cell, at least one cell; got shape {array.shape}")
    if array.size != size:
        odd = array.size & (array.size - 1)
        hint = f"{array.size} is not a power of two; " if odd else ""
        raise ValueError(f"x must have one count for each of the {size} cells, got {array.size}; {hint}see ranges.pad")
    if not np.all(np.isfinite(array)) or np.any(array < 0):
        raise ValueError("x must hold counts: finite and not negative")
    return array


def pad(x: ArrayLike) -> Vector:
    """A histogram with empty cells added at its end, up to the next power of two: (N,) → (2^h,). Say so to readers."""
    array = np.asarray(x, float)
    array = histogram(array, array.size)
    return np.concatenate([array, np.zeros((1 << (array.size - 1).bit_length()) - array.size)])


def every_range(size: int) -> tuple[Cells, Cells]:
    """l and r, 1-based inclusive, of all N(N+1)/2 ranges."""
    l, r = np.triu_indices(dense(size))
    return l + 1, r + 1
