"""Which groups, which answers: checked, and the contrast that a difference of two groups is."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks, levels

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Members = int | Sequence[int] | Mask
"""Codes, or a mask."""
Contrast = Array

ABOUT = ("like", "these")


def about_checked(about: str) -> str:
    """Whom it is about."""
    if about not in ABOUT:
        raise ValueError(f'about is "like" (people like these) or "these" (these people), got {about!r}')
    return about


def members(which: Members, k: int, what: str) -> Mask:
    """A mask (k,) of some, not none. ValueError or TypeError with a sentence."""
    given = np.atleast_1d(np.asarray(which))
    if given.dtype == bool:
        mask = np.array(checks.mask(given, k))
    else:
        mask = np.zeros(k, bool)
        if given.size:
            mask[checks.codes(given, k)] = True
    if not mask.any():
        raise ValueError(f"name some of the {what}, by their codes; none is named")
    return mask


def some_answers(y: Members, ky: int) -> Mask:
    """Answers whose share is asked for: some and not all."""
    mask = members(y, ky, "answers")
    if mask.all():
        raise ValueError("the share of all answers is 1 in every group; name some answers, and not all")
    return mask


def sides(one: Members, other: Members, kx: int) -> tuple[Mask, Mask]:
    """Two groups that are compared."""
    sizes = [np.asarray(side).size and np.any(np.asarray(side) if np.asarray(side).dtype == bool else True)
             for side in (one, other)]  # fmt: skip
    if not all(sizes):
        raise ValueError("A group stands on one side only; each side needs one.")
    first, second = members(one, kx, "groups"), members(other, kx, "groups")
    if (first & second).any():
        raise ValueError("A group stands on one side only; each side needs one.")
    return first, second


def contrast(freq: Array, y: Members, one: Members, other: Members) -> Contrast:
    """The gradient (kx, ky) of Pr[y | one] − Pr[y | other] at these shares: c·f = 0. ValueError for an empty group."""
    answers = some_answers(y, freq.shape[1])
    out = np.zeros(freq.shape)
    for side, sign in zip(sides(one, other, freq.shape[0]), (1.0, -1.0), strict=True):
        size = freq[side].sum()
        if size <= 0:
            raise ValueError("nobody is in one of the groups, so nothing compares with it; choose another")
        share = freq[np.ix_(side, answers)].sum() / size
        out[side] += sign * (answers - share) / size
    return out


def guessed_contrast(y: Mask, one: Mask, other: Mask) -> tuple[Array, Array]:
    """u (kx,) and b (ky,): the gradient of Pr[y | one] − Pr[y | other] is u ⊗ b, but for its size, where every group is
    as large as any other and has as many of every answer: what is known of people before they are asked.

    >>> [each.tolist() for each in guessed_contrast(*map(np.array, ([0, 1], [0, 1, 1], [1, 0, 0])))]
    [[-1.0, 0.5, 0.5], [-0.5, 0.5]]
    """
    answers, first, second = (np.asarray(mask, float) for mask in (y, one, other))
    return first / first.sum() - second / second.sum(), answers - answers.mean()


def share_within(freq: Array, y: Members, group: Members) -> float:
    """Pr[y | group]; nan for a group that nobody is in."""
    answers, side = some_answers(y, freq.shape[1]), members(group, freq.shape[0], "groups")
    size = freq[side].sum()
    return float(freq[np.ix_(side, answers)].sum() / size) if size > 0 else float("nan")


def either(mx: Mask, my: Mask) -> Mask:
    """The pairs (kx·ky,) of which at least one answer is marked: then no report tells a marked answer beyond ε,
    whatever the other is.

    >>> either(np.array([False, True]), np.array([False, True])).tolist()
    [False, True, True, True]
    """
    return (np.asarray(mx, bool)[:, None] | np.asarray(my, bool)[None, :]).ravel()


BOTH = (
    "Only the combination is protected: whoever gives an unmarked answer to one question sends a marked one to the "
    "other openly."
)
"""What to say wherever `both` is offered."""


def both(mx: Mask, my: Mask) -> Mask:
    """The pairs (kx·ky,) of which both answers are marked. Only the combination is protected (BOTH).

    >>> both(np.array([False, True]), np.array([False, True])).tolist()
    [False, False, False, True]
    """
    return (np.asarray(mx, bool)[:, None] & np.asarray(my, bool)[None, :]).ravel()


def pair_epsilons(x: ArrayLike, y: ArrayLike) -> Array:
    """The ε (kx·ky,) of every pair, where every answer has its own (inf: public): that of the more secret of the two.
    A report of the pair then speaks for no answer beyond its ε, whatever the other is (theory/relations#levels).

    >>> from math import inf
    >>> pair_epsilons([inf, 2.0], [inf, 2.0, 0.5]).tolist()
    [inf, 2.0, 0.5, 2.0, 2.0, 0.5]
    """
    return np.minimum.outer(np.array(levels.checked(np.asarray(x))), np.array(levels.checked(np.asarray(y)))).ravel()
