"""Marks of numbers: intervals in the user's units, written as text such as "60..80" (both ends are sensitive).

The one place that reads and writes them. A mechanism takes the complement on [-1, 1]: `low`.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from ldpcore.domain import Interval
from ldpcore.leveled_parts import Parts
from ldpcore.numeric_randomizer import Intervals

Pair = tuple[float, float]


def written(low: float, high: float) -> str:
    """'60..80', the shortest text that reads back exactly."""
    return f"{_short(low)}..{_short(high)}"


def _short(number: float) -> str:
    return repr(float(number)).removesuffix(".0")


def parse(text: str) -> Pair:
    """One interval of the user's units; ValueError with a sentence for what is none."""
    parts = str(text).split("..")
    try:
        low, high = (float(part) for part in parts)
    except ValueError:
        raise ValueError(
            f"an interval is written with two numbers and two dots between them, such as 60..80; got {text!r}"
        ) from None
    if not (np.isfinite(low) and np.isfinite(high)):
        raise ValueError(f"the ends of an interval must be finite numbers, got {text!r}; use the public range's ends")
    if not low < high:
        raise ValueError(f"an interval needs a start below its end, got {text!r}; an empty one marks nobody")
    return low, high


def parsed(texts: Iterable[str]) -> list[Pair]:
    """Each as it is written, wherever the public range is.

    >>> parsed(["60 .. 98", "18..20"])
    [(60.0, 98.0), (18.0, 20.0)]
    """
    return [parse(text) for text in texts]


def parse_all(texts: Iterable[str], public: Interval) -> list[Pair]:
    """Disjoint intervals in order, cut to the public range; ValueError where two overlap or one lies outside."""
    out: list[Pair] = []
    for low, high in sorted(parse(text) for text in texts):
        if high < public.low or low > public.high:
            raise ValueError(
                f"the interval {written(low, high)} lies outside the public range "
                f"{written(public.low, public.high)}: nobody's number can be there; correct one of the two"
            )
        if out and low < out[-1][1]:
            raise ValueError(
                f"the intervals {written(*out[-1])} and {written(low, high)} overlap; join them into "
                f"{written(out[-1][0], max(high, out[-1][1]))}"
            )
        out.append((low, high))
    return [(max(low, public.low), min(high, public.high)) for low, high in out]


def united(marked: Iterable[Pair]) -> list[Pair]:
    """The same numbers as intervals of which no two have one in common, in order.

    >>> united([(20, 30), (10, 15), (25, 40)])
    [(10, 15), (20, 40)]
    """
    out: list[Pair] = []
    for low, high in sorted(marked):
        if out and low <= out[-1][1]:
            out[-1] = out[-1][0], max(high, out[-1][1])
        else:
            out.append((low, high))
    return out


def complement(marked: Sequence[Pair], public: Interval) -> Intervals:
    """`low`: what is left of [-1, 1]. Marked ends stay sensitive, so each neighbour begins one float away."""
    ends = [-1.0]
    for low, high in marked:
        start, stop = (float(end) for end in public.encode(np.array([low, high])))
        ends += [float(np.nextafter(start, -2.0)), float(np.nextafter(stop, 2.0))]
    ends.append(1.0)
    return tuple((a, b) for a, b in zip(ends[::2], ends[1::2], strict=True) if b - a > 1e-9)


def parts(marked: Sequence[tuple[Pair, float]], public: Interval) -> Parts:
    """The parts of [-1, 1] where each of these disjoint intervals, in order, has its own ε, and the rest is public.

    A point between two belongs to the more protected one: the other ends one float away.
    """
    pieces = [(left, math.inf) for left, _ in complement([pair for pair, _ in marked], public)]
    for (low, _), epsilon in marked:
        pieces.append((float(np.clip(public.encode(np.array([low])), -1, 1)[0]), epsilon))
    pieces.sort()
    cuts = [-1.0]
    for (_, before), (left, after) in pairwise(pieces):
        # Of two that meet, the larger ε has the point; what is public begins one float away already.
        toward = -2.0 if after < before else 2.0
        cuts.append(left if after in (before, math.inf) else float(np.nextafter(left, toward)))
    return Parts([(a, b, budget) for a, b, (_, budget) in zip(cuts, [*cuts[1:], 1.0], pieces, strict=True)])


def outer(share: float, public: Interval) -> list[Pair]:
    """This share of the public range, half of it at each end: the paper's SDPM-25, -50 and -75."""
    if not 0 <= share <= 1:
        raise ValueError(f"the share of the range that is marked must be between 0 and 1, got {share:g}")
    if share == 0:
        return []
    if share == 1:
        return [(public.low, public.high)]
    width = (public.high - public.low) * share / 2
    return [(public.low, public.low + width), (public.high - width, public.high)]
