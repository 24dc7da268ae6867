"""The paper's tables 1 and 2, run again (Wu, Chen, Cai, Wang 2018, §5; ε = 1, 100 repetitions).

Errors do not depend on the data, so the histogram is empty. Intervals: 95 % for a mean of
squares (Satterthwaite's χ², with caution: squared Laplace noise has heavy tails).
"""

from collections.abc import Callable

import numpy as np
import pandas as pd

from ldpcore import checks
from ldpcore.estimators.intervals import error_interval
from ldpcore.ranges.arguments import Vector
from ldpcore.ranges.privelet import Privelet, pair_counting
from ldpcore.ranges.strategy import Strategy
from ldpcore.rng import stream


def table1(seed: int, h: int = 10, count: int = 50, repetitions: int = 100, epsilon: float = 1.0) -> pd.DataFrame:
    """Random ranges: l, r, theory (algorithm 3), experiment, low, high. Every repetition releases anew for each range,
    as the paper's rows are independent of one another.
    """
    p = Privelet(h)
    noise = p.noise(epsilon)
    rows = []
    for at, (first, last) in enumerate(drawn_ranges(seed, h, count)):
        rng = stream(seed, "ranges table 1", at)
        errors = [p.release(np.zeros(p.size), epsilon, rng).range(first, last) for _ in range(_repeats(repetitions))]
        rows.append((first, last, noise * pair_counting(first, last, h), *_interval(np.square(errors))))
    return pd.DataFrame(rows, columns=["l", "r", "theory", "experiment", "low", "high"])


def holding(rows: pd.DataFrame) -> int:
    """In how many rows of either table the interval holds the theory.

    >>> holding(table1(1, 3, count=20, repetitions=50)) >= 15
    True
    """
    return int(((rows["low"] <= rows["theory"]) & (rows["theory"] <= rows["high"])).sum())


def drawn_ranges(seed: int, h: int = 10, count: int = 50) -> list[tuple[int, int]]:
    """The ranges (l, r) of `table1`, 1-based and inclusive, among 2^h cells.

    >>> drawn_ranges(7, 3, 2)
    [(4, 7), (1, 4)]
    """
    ends = stream(seed, "ranges table 1", "ranges").integers(1, 1 << h, (count, 2), endpoint=True)
    return [(first, last) for first, last in np.sort(ends, axis=1).tolist()]


def table2(
    seed: int,
    heights: range = range(11),
    repetitions: int = 100,
    epsilon: float = 1.0,
    build: Callable[[int], Strategy] = Privelet,
) -> pd.DataFrame:
    """The mean over all ranges at N = 2^m: m, N, theory (16), experiment, low, high; for any strategy of cells."""
    rows = []
    for h in heights:
        p = build(h)
        rng = stream(seed, "ranges table 2", h)
        zeros = np.zeros(p.size)
        answers = [p.release(zeros, epsilon, rng) for _ in range(_repeats(repetitions))]
        if answers[0].sizes != (1,):
            raise ValueError(
                "a plain tree's ranges are not sums of cells, as this fast mean needs; use consistent=True"
            )
        errors = [mean_squared(answer.cells) for answer in answers]
        rows.append((h, p.size, p.average_variance(epsilon), *_interval(np.array(errors))))
    return pd.DataFrame(rows, columns=["m", "N", "theory", "experiment", "low", "high"])


def mean_squared(errors: Vector) -> float:
    """The mean over all ranges of (Σ cells in it)², in O(N): ((N+1)Σc² − (Σc)²)/#ranges, c the sums up to each cell."""
    prefix = np.concatenate([[0.0], np.cumsum(errors)])
    n = len(errors)
    return float(((n + 1) * (prefix @ prefix) - prefix.sum() ** 2) / (n * (n + 1) / 2))


def _repeats(repetitions: int) -> int:
    return checks.integer(repetitions, "repetitions", 2)


def _interval(values: Vector) -> tuple[float, float, float]:
    """Mean and 95 % interval. Squared Laplace noise has 5 times its mean square as variance, χ² of 2/5 degrees too."""
    return float(values.mean()), *error_interval(values, freedom=(0.4, np.inf))
