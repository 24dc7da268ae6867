"""What reports tell of one answer, exactly: its own report alone, and all reports, as the other answer's tells of it
too, as far as the two are related.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

ODDS = 12
"""Decimals of a chance within which two are the same, where reports are few."""
BINS = 1 << 20
"""Bins of that chance where they are many: what is told apart inside one is less than a millionth."""
AT_ONCE = 1 << 22
"""Pairs of reports whose chances are compared one by one."""


@dataclass(frozen=True)
class PairExposure:
    """Of a pair of people, one with a marked answer and one without, how often the best attacker, who knows the table
    of shares, tells which (½ is guessing): by the report of this answer alone, `own_report`, and by all reports of both
    people, `all_reports`; 1 where everybody sees the answer. named: how often the answer itself is guessed rightly by
    all reports; blind: without any.
    """

    own_report: float
    all_reports: float
    named: float
    blind: float


Blocks = Iterator[tuple[Array, Array]]
"""Chances of reports, of marked people and of the others, a block at a time."""


def told_apart(blocks: Blocks, exact: bool) -> float:
    """The likelihood ratio's pairs (Neyman, Pearson), ties counting half. exact: few enough to compare each."""
    if exact:
        marked, others = (np.concatenate(each) for each in zip(*blocks, strict=True))
        seen = marked + others > 0
        marked, others = marked[seen], others[seen]
        _, kind = np.unique(np.round(marked / (marked + others), ODDS), return_inverse=True)
        won, lost = np.bincount(kind, marked), np.bincount(kind, others)
        return float(won @ (np.cumsum(lost) - lost / 2))
    won, lost = np.zeros(BINS + 1), np.zeros(BINS + 1)
    for marked, others in blocks:
        total = np.maximum(marked + others, 1e-300)
        kind = np.round(marked / total * BINS).astype(np.int64)
        won += np.bincount(kind, marked, BINS + 1)
        lost += np.bincount(kind, others, BINS + 1)
    return float(won @ (np.cumsum(lost) - lost / 2))


def split(freq: Array, inside: Mask) -> tuple[Array, Array]:
    """The shares (kx, ky) among people with a pair inside, and among the others; ValueError where nobody is either."""
    size = float(freq[inside].sum())
    if not 0 < size < 1:
        raise ValueError("some people need a marked answer, and some another; mark some answers, and not all")
    return np.where(inside, freq, 0) / size, np.where(inside, 0, freq) / (1 - size)


def of_channel(freq: Array, inside: Mask, channel: Array) -> float:
    """Told apart by one report: freq (k,), inside (k,), channel (k, reports)."""
    marked, others = split(freq, inside)
    return told_apart(iter([(marked @ channel, others @ channel)]), exact=True)


def of_two(freq: Array, inside: Mask, p: Array, q: Array) -> float:
    """Told apart by two reports that are drawn apart: freq and inside (kx, ky), p and q the channels of x and of y."""
    marked, others = split(freq, inside)
    rows = max(1, AT_ONCE // q.shape[1])

    def blocks() -> Blocks:
        for start in range(0, p.shape[1], rows):
            part = p[:, start : start + rows]
            yield (part.T @ marked @ q).ravel(), (part.T @ others @ q).ravel()

    return told_apart(blocks(), exact=p.shape[1] * q.shape[1] <= AT_ONCE)


def named(freq: Array, answer: NDArray[np.intp], p: Array, q: Array) -> tuple[float, float]:
    """How often the likeliest answer is the right one, by both reports and by none: freq (kx, ky), answer (kx, ky) the
    code of what is guessed.
    """
    codes = np.unique(answer)
    rows, total = max(1, AT_ONCE // (q.shape[1] * len(codes))), 0.0
    for start in range(0, p.shape[1], rows):
        part = p[:, start : start + rows].T
        total += float(np.max([part @ np.where(answer == code, freq, 0.0) @ q for code in codes], axis=0).sum())
    return total, float(np.bincount(answer.ravel(), freq.ravel()).max())
