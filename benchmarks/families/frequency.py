"""One report per person, for the shares of a column: every entry of the catalogue against the floor."""

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks.case import FLOOR, LINEAR, Case, Family, Growth, Measured, Work
from ldpcore import catalog
from ldpcore.rng import stream

K, EPSILON = 128, 1.0
MOST = {"GRR": 2.2, "HR": 8.0, "uHR": 8.0}
"""Floors at most."""
GROWS = {"GRR": 0.1, "OUE": LINEAR, "OLH": LINEAR, "SS": LINEAR, "HR": 0.5}
"""The exponents in k that are promised; in n all are linear."""


def built(entry: Any, k: int) -> Any:
    """A quarter of the values private at ε = 1, the others public; one that knows no marks protects all of them."""
    return entry.protecting(np.where(np.arange(k) % 4 == 0, EPSILON, math.inf), EPSILON)


def answers(n: int, k: int) -> np.ndarray:
    rng = stream(1, "benchmark", "answers", n, k)
    return rng.choice(k, n, p=rng.dirichlet(np.ones(k)))


def survey(entry: Any, n: int, k: int) -> Work:
    """Everybody's report, the tally, the estimate."""
    mechanism, values, rng = built(entry, k), answers(n, k), stream(1, "benchmark", entry.key)
    return lambda: mechanism.estimate(mechanism.tally(mechanism.perturb(values, rng)))


def parts(reports: np.ndarray) -> int:
    """Of how many random parts a report is made: its bits, or its numbers."""
    return math.prod(reports.shape[1:]) * (8 if reports.dtype == np.uint8 else 1)


def _against_the_floor(entry: Any, n: int, k: int) -> tuple[Work, Work]:
    rng, mechanism = stream(1, "benchmark", "floor"), built(entry, k)
    each = parts(mechanism.perturb(answers(8, k), rng))
    draw = rng.standard_exponential if mechanism.summed else rng.random
    return survey(entry, n, k), lambda: [draw(n) for _ in range(each)]


def cases(quick: bool) -> Iterator[Measured]:
    n = 10_000 if quick else 100_000
    for key, entry in catalog.ANSWERS.items():
        work = partial(_against_the_floor, entry, n, K)
        yield Case(key, {"n": n, "k": K, "ε": EPSILON}, work, FLOOR, most=MOST.get(key), entry=entry)
    for key, by_k in GROWS.items():
        entry = catalog.FREQUENCY[key]
        sizes = (3_000, 10_000, 30_000) if quick else (30_000, 100_000, 300_000, 1_000_000)
        yield Growth(key, "n", sizes, lambda size, entry=entry: survey(entry, size, K), LINEAR, {"k": K})
        sizes = (64, 256, 1024) if quick else (64, 256, 1024, 4096)
        fixed = {"n": n // 5}
        yield Growth(key, "k", sizes, lambda size, entry=entry, n=n // 5: survey(entry, n, size), by_k, fixed)


FAMILY = Family(
    "frequency",
    "One report per person",
    "Perturb, tally and estimate, everybody's report drawn by itself. A floor is `rng.random` drawing a number"
    " for every part of every report: one for a symbol, two for a hash and its value, one for each bit or "
    "number of longer ones; SHE's numbers are exponential, and so are those of its floor. Samplers that draw only the "
    "bits that change are below it.",
    cases,
)
