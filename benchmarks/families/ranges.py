"""Ranges: releases of every strategy, exact errors of one range among a trillion cells, and local reports."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks.case import FLOOR, LINEAR, Case, Family, Growth, Measured, Work
from ldpcore import catalog
from ldpcore.ranges import Identity, Privelet, Strategy, Tree
from ldpcore.ranges.privelet import pair_counting
from ldpcore.rng import stream

EPSILON, ASKED = 1.0, 10_000
HUGE, WITHIN = 40, 0.1
"""log₂ of a trillion cells; seconds for one range, the average and the index of six strategies there."""


def _asked(size: int) -> tuple[np.ndarray, np.ndarray]:
    ends = np.sort(stream(1, "benchmark", "ranges", size).integers(1, size + 1, (2, ASKED)), axis=0)
    return ends[0], ends[1]


def released(entry: Any, size: int) -> Work:
    """A noisy release of so many cells, and 10⁴ ranges of it."""
    strategy, rng = entry.build(size.bit_length() - 1), stream(1, "benchmark", entry.key)
    held, (left, right) = rng.poisson(100, size), _asked(size)
    return lambda: strategy.release(held, EPSILON, rng).ranges(left, right)


def _released(entry: Any, size: int) -> tuple[Work, Work]:
    rng = stream(1, "benchmark", "floor")
    return released(entry, size), lambda: rng.random(size)


def _built(entry: Any, size: int) -> tuple[Work, None]:
    return lambda: entry.build(size.bit_length() - 1).average_coefficient(), None


def collected(entry: Any, n: int, size: int) -> Work:
    protocol, rng = entry.build(size.bit_length() - 1, EPSILON), stream(1, "benchmark", entry.key)
    values, (left, right) = rng.integers(0, size, n), _asked(size)
    return lambda: protocol.collect(values, rng).ranges(left, right)


def _collected(entry: Any, n: int, size: int) -> tuple[Work, Work]:
    rng = stream(1, "benchmark", "floor")
    return collected(entry, n, size), lambda: rng.random(n)


def _trillion() -> tuple[Work, None]:
    def work() -> None:
        six = (Identity(HUGE), Privelet(HUGE), Tree(HUGE), Tree(HUGE, 16), Tree(HUGE, 2, True), Tree(HUGE, 16, True))
        for strategy in six:
            strategy.coefficient(123_456_789, 987_654_321_012)
            strategy.average_coefficient()
            strategy.accuracy_index()
        pair_counting(123_456_789, 987_654_321_012, HUGE)

    return work, None


def exact(strategy: Strategy) -> Work:
    """The error of 10⁴ ranges."""
    left, right = _asked(strategy.size)
    return lambda: strategy.coefficients(left, right)


def cases(quick: bool) -> Iterator[Measured]:
    yield Case("errors of six strategies, in closed form", {"N": f"2^{HUGE}"}, _trillion, within=WITHIN)
    size, n = (1 << 10, 10_000) if quick else (1 << 16, 100_000)
    for key, entry in catalog.RANGES.items():
        sizes = {"N": size, "ranges": ASKED}
        yield Case(f"{key}: release", sizes, partial(_released, entry, size), FLOOR, entry=entry)
        yield Case(f"{key}: build, average error", {"N": size}, partial(_built, entry, size))
    for key, entry in catalog.LOCAL_RANGES.items():
        sizes = {"n": n, "N": 1024, "ranges": ASKED}
        yield Case(key, sizes, partial(_collected, entry, n, 1024), FLOOR, entry=entry)
    grown = tuple(1 << h for h in ((8, 10, 12) if quick else (12, 14, 16, 18, 20)))
    for key in ("Identity", "Tree", "Boost", "Privelet"):
        entry, fixed = catalog.RANGES[key], {"ranges": ASKED}
        yield Growth(f"{key}: release", "N", grown, partial(released, entry), LINEAR, fixed)
        work = lambda size, entry=entry: exact(entry.build(size.bit_length() - 1))  # noqa: E731
        yield Growth(f"{key}: errors", "N", tuple(1 << h for h in (10, 20, 40)), work, 0.2, fixed)
    for key, entry in catalog.LOCAL_RANGES.items():
        fixed = {"n": n // 5}
        work = lambda size, entry=entry: collected(entry, n // 5, size)  # noqa: E731
        yield Growth(key, "N", (64, 256, 1024, 4096), work, LINEAR, fixed)


FAMILY = Family(
    "ranges",
    "Ranges",
    "A release: noise on what the strategy measures, the fitted histogram, and 10 000 ranges of it; a floor is"
    " `rng.random` drawing one number for each cell (for each person where there is no curator).",
    cases,
)
