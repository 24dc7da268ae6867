"""Input checks. Every message says what was given, what is expected and what to do."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

MIN_EPSILON = 1e-8
"""Below this e^ε and 1 are nearly the same float, and no report tells anything apart."""
MAX_EPSILON = 40.0
"""Above this e^ε leaves int64, and 1/e^ε leaves the precision of float64."""


def epsilon(value: Any) -> float:
    """A privacy budget: 1e-8 ≤ ε ≤ 40."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"epsilon must be a number, got {value!r}") from None
    if not (math.isfinite(number) and number > 0):
        raise ValueError(f"epsilon must be positive and finite, got {number:g}; usual values lie between 0.1 and 5")
    if number < MIN_EPSILON:
        raise ValueError(
            f"epsilon must be at least {MIN_EPSILON:g}, got {number:g}; so small a budget is noise alone, and exact "
            "results would drown in rounding: choose a larger value, usual ones lie between 0.1 and 5"
        )
    if number > MAX_EPSILON:
        raise ValueError(
            f"epsilon must be at most {MAX_EPSILON:g}, got {number:g}; "
            "a report that exact protects nobody: publish the answers, or choose a smaller value"
        )
    return number


def integer(value: Any, name: str, at_least: int, at_most: int | None = None) -> int:
    """A whole number in a range."""
    whole = isinstance(value, (int, np.integer)) or (isinstance(value, float) and value.is_integer())
    if isinstance(value, bool) or not whole:
        raise TypeError(f"{name} must be a whole number, got {value!r}")
    if value < at_least or (at_most is not None and value > at_most):
        limits = f"at least {at_least}" if at_most is None else f"between {at_least} and {at_most}"
        raise ValueError(f"{name} must be {limits}, got {value}")
    return int(value)


def domain_size(k: Any) -> int:
    return integer(k, "k (the number of values)", 2)


def mask(sensitive: ArrayLike | None, k: int) -> NDArray[np.bool_]:
    """A read-only bool mask (k,) of the sensitive values; None marks nothing."""
    if sensitive is None:
        out = np.zeros(k, bool)
    else:
        out = np.array(sensitive)
        if out.dtype != bool:
            raise TypeError(
                f"sensitive must be a bool mask with one entry per value, got dtype {out.dtype}; "
                "build it with Categorical.mask([...])"
            )
        if out.shape != (k,):
            raise ValueError(f"sensitive must have one entry for each of the {k} values, got shape {out.shape}")
    out.flags.writeable = False
    return out


def codes(values: ArrayLike, k: int) -> NDArray[np.integer]:
    """User values as integer codes (n,), each in [0, k)."""
    array = np.asarray(values)
    if array.ndim != 1 or not (np.issubdtype(array.dtype, np.integer) or array.size == 0):
        raise TypeError(
            f"values must be a one-dimensional array of integer codes, got shape {array.shape}, "
            f"dtype {array.dtype}; encode labels with Categorical.encode"
        )
    # Read without a sign a negative code is larger than all others: one look at each.
    if array.size and array.view(array.dtype.str.replace("i", "u")).max() >= min(k, np.iinfo(array.dtype).max + 1):
        raise ValueError(f"values must be codes from 0 to {k - 1}, got {array.min()} to {array.max()}")
    # A narrow type stays narrow for speed, but only where it holds k too: mechanisms compute with codes up to k.
    fits = array.size > 0 and np.can_cast(array.dtype, np.int64) and np.iinfo(array.dtype).max >= k
    return array if fits else array.astype(np.intp)


def item_sets(sets: ArrayLike, items: int, m: int) -> NDArray[np.intp]:
    """Sets as sorted rows (n, m) of distinct codes below `items`."""
    array = np.asarray(sets)
    if array.ndim != 2 or array.shape[1] != m:
        raise ValueError(
            f"sets must have one row of m = {m} codes per user, got shape {array.shape}; "
            "bring other lengths to m with ldpcore.mechanisms.padding.pad_and_sample"
        )
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise TypeError(f"sets must hold integer codes, got dtype {array.dtype}; encode labels first")
    out = array.astype(np.intp, copy=False)
    flat = out.ravel()  # at once: rows as short as these take ten times as long one by one
    rises = flat[1:] > flat[:-1]
    rises[m - 1 :: m] = True
    ascending = bool(rises.all())
    if not ascending:
        out = np.sort(out, axis=1)
    if out.size and (out[:, 0].min() < 0 or out[:, -1].max() >= items):
        raise ValueError(
            f"sets must hold codes from 0 to {items - 1}, got {out[:, 0].min()} to {out[:, -1].max()}; "
            "padded sets need a mechanism built with dummies=m"
        )
    if not ascending and np.any(out[:, 1:] == out[:, :-1]):
        row = int(np.argmax((out[:, 1:] == out[:, :-1]).any(axis=1)))
        raise ValueError(f"the items of a set must be distinct, user {row} has one twice; remove duplicates first")
    return out


def counts(values: ArrayLike, k: int) -> NDArray[np.int64]:
    """A histogram (k,) of whole, non-negative counts with at least one user."""
    array = np.asarray(values)
    if array.shape != (k,):
        raise ValueError(f"counts must have one entry for each of the {k} values, got shape {array.shape}")
    if np.any(array < 0) or np.any(array != np.floor(array)):
        raise ValueError("counts must be whole and not negative")
    out = array.astype(np.int64)
    if out.sum() < 1:
        raise ValueError("counts must hold at least one user")
    return out


def masses(values: ArrayLike, k: int) -> NDArray[np.float64]:
    """How much there is of each (k,): people, or squared weights; finite, not negative, not all 0."""
    array = np.asarray(values, float)
    if array.shape != (k,):
        raise ValueError(f"counts must have one entry for each of the {k} values, got shape {array.shape}")
    if not (np.isfinite(array) & (array >= 0)).all() or not array.any():
        raise ValueError("counts must be finite, not negative, and hold somebody")
    return array


def shares(values: ArrayLike | None, k: int, name: str = "freq") -> NDArray[np.float64]:
    """A distribution (k,) that sums to one; None is the uniform one."""
    if values is None:
        return np.full(k, 1 / k)
    array = np.asarray(values, float)
    if array.shape != (k,):
        raise ValueError(f"{name} must have one entry for each of the {k} values, got shape {array.shape}")
    if not np.all(np.isfinite(array)) or np.any(array < 0) or abs(array.sum() - 1) > 1e-6:
        raise ValueError(f"{name} must be shares that are not negative and sum to 1, got a sum of {array.sum():g}")
    return array


def name_list(names: Iterable[str], limit: int = 5) -> str:
    """'a, b, c … (+12)' for messages."""
    items = [str(name) for name in names]
    shown = ", ".join(items[:limit])
    return shown if len(items) <= limit else f"{shown} … (+{len(items) - limit})"


def scaled(values: ArrayLike, name: str = "x") -> NDArray[np.float64]:
    """Numbers on [-1, 1] as float64 (n,)."""
    out = numbers(values, name)
    if out.size and (out.min() < -1 - 1e-12 or out.max() > 1 + 1e-12):  # scaling rounds
        raise ValueError(
            f"{name} must lie in [-1, 1], got {out.min():g} to {out.max():g}; state a public range and scale with "
            "Interval(low, high).encode, which clips what is outside"
        )
    return np.clip(out, -1.0, 1.0)


def is_number(text: str) -> bool:
    """Whether Python reads this text as a number.

    >>> is_number(" 1e3"), is_number("1,5"), is_number("nan")
    (True, False, True)
    """
    try:
        float(text)
    except ValueError:
        return False
    return True


def numbers(values: ArrayLike, name: str) -> NDArray[np.float64]:
    """Finite numbers as float64 (n,)."""
    array = np.asarray(values)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} must hold numbers, got dtype {array.dtype}; a text column is a task for shares")
    out = np.atleast_1d(array).astype(float)
    if out.ndim != 1:
        raise TypeError(f"{name} must be one-dimensional, one number for each user, got shape {array.shape}")
    if not np.all(np.isfinite(out)):
        raise ValueError(
            f"{name} must be finite, got {np.count_nonzero(~np.isfinite(out))} infinite or missing value(s); "
            "leave out rows without an answer, and clip infinities to the public range"
        )
    return out


def intervals(low: Any) -> tuple[tuple[float, float], ...]:
    """Disjoint intervals on [-1, 1], sorted, touching ones joined: the values that are not sensitive.

    One pair (l, r) is accepted too; () means that everything is sensitive, None that nothing is.
    """
    if low is None:
        return ((-1.0, 1.0),)
    pairs = np.asarray(low)
    if pairs.size and pairs.dtype.kind not in "biuf":
        raise TypeError(f"low must be pairs of numbers such as ((-0.5, 0.5),), got {low!r}")
    pairs = pairs.reshape(1, 2) if pairs.shape == (2,) else pairs.reshape(-1, 2) if not pairs.size else pairs
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise ValueError(f"low must be pairs (l, r) such as ((-0.5, 0.5),), got shape {pairs.shape}")
    out: list[tuple[float, float]] = []
    for left, right in sorted((float(a), float(b)) for a, b in pairs):
        if not -1 <= left < right <= 1:
            raise ValueError(
                f"an interval needs -1 ≤ l < r ≤ 1, got ({left:g}, {right:g}); leave empty ones out, and scale the "
                "user's units with Interval(low, high).encode"
            )
        if out and left < out[-1][1]:
            raise ValueError(
                f"intervals must not overlap, got ({out[-1][0]:g}, {out[-1][1]:g}) and ({left:g}, {right:g}); join them"
            )
        out = [*out[:-1], (out[-1][0], right)] if out and left == out[-1][1] else [*out, (left, right)]
    return tuple(out)
