"""Numbers: reports of every entry of the catalogue, and EM with structure against the dense matrix loop."""

import math
from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import numpy as np

from benchmarks import real
from benchmarks.case import FLOOR, LINEAR, Case, Family, Growth, Measured, Work
from ldpcore import catalog, em
from ldpcore.leveled_parts import Parts
from ldpcore.rng import stream

EPSILON, BINS = 1.0, 256
PARTS = Parts([(-1.0, 0.5, math.inf), (0.5, 1.0, EPSILON)])
COLUMNS = {
    "heights": ("socr-heights-weights.csv.gz", 1, 1, 60.278, 75.153),
    "hours": ("adult.data.gz", 12, 0, 1.0, 99.0),
}
"""File, place of the column, lines of the head, public range."""
SETTINGS = [
    (key, low, epsilon)
    for key, low in (("PM", ()), ("SDPM", (-0.5, 0.5)), ("SDPM", (-1, -0.2)), ("SW", ()))
    for epsilon in (0.1, 1.0)
]
FINE, LEAST = 1024, 30
"""Bins of EM, and how many times faster than the dense loop it must be."""


@cache
def column(name: str) -> np.ndarray:
    file, place, skip, low, high = COLUMNS[name]
    values = np.array([float(line.split(",")[place]) for line in real.lines(file)[skip:] if line.strip()])
    return np.clip((2 * values - low - high) / (high - low), -1, 1)


def survey(entry: Any, n: int) -> Work:
    mechanism, rng = entry.protecting(PARTS, EPSILON, BINS), stream(1, "benchmark", entry.key)
    x = rng.uniform(-1, 1, n)
    return lambda: mechanism.estimate_mean(mechanism.tally(mechanism.perturb(x, rng)), "unbiased")


def _survey(entry: Any, n: int) -> tuple[Work, Work]:
    rng = stream(1, "benchmark", "floor")
    return survey(entry, n), lambda: rng.random(n)


def _fitted(name: str, key: str, low: Any, epsilon: float, bins: int) -> tuple[Work, Work]:
    """Ours ends at a log-likelihood within 1e-6 of that where the paper's stop leaves the dense loop, relatively."""
    mechanism = catalog.MEANS[key].build(epsilon, low, bins=bins)
    tally = mechanism.tally(mechanism.perturb(column(name), stream(1, "benchmark", key, epsilon)))
    matrix, k, fast = mechanism.mass(mechanism.points, mechanism.edges), len(mechanism.points), mechanism.products()
    stop = math.exp(epsilon) * 1e-3

    def dense() -> em.Fit:
        return em.plain(tally.counts, em.Products.of(matrix), k, gain=stop)

    reached = em.plain(tally.counts, fast, k, gain=stop).log_likelihood
    target = reached - 1e-6 * abs(reached)
    return lambda: em.fit(tally.counts, fast, k, target=target), dense


def step(key: str, low: Any, bins: int) -> Work:
    """One step of EM: both products."""
    mechanism = catalog.MEANS[key].build(EPSILON, low, bins=bins)
    fast, shares = mechanism.products(), np.full(len(mechanism.points), 1 / len(mechanism.points))
    return lambda: fast.backward(fast.forward(shares))


def cases(quick: bool) -> Iterator[Measured]:
    n = 10_000 if quick else 100_000
    for key, entry in catalog.NUMBERS.items():
        name = f"{key} (levels)" if entry in catalog.LEVELED_MEANS.values() else key
        yield Case(f"{name}: reports", {"n": n, "ε": EPSILON}, partial(_survey, entry, n), FLOOR, entry=entry)
    for name in COLUMNS:
        for key, low, epsilon in SETTINGS[4:6] if quick else SETTINGS:
            sizes = {"column": name, "public": str(low or "nothing"), "ε": epsilon, "d": FINE}
            work = partial(_fitted, name, key, low, epsilon, FINE)
            yield Case(f"{key}: EM", sizes, work, "dense matrix loop", least=LEAST)
    grown = (3_000, 10_000, 30_000) if quick else (30_000, 100_000, 300_000, 1_000_000)
    for key in ("PM", "SDPM"):
        yield Growth(f"{key}: reports", "n", grown, partial(survey, catalog.MEANS[key]), LINEAR)
    for key, low in (("PM", ()), ("SDPM", (-0.5, 0.5)), ("SW", ())):
        fixed = {"ε": EPSILON}
        grown = (512, 2048, 8192, 32768)
        yield Growth(f"{key}: a step of EM", "d", grown, lambda d, key=key, low=low: step(key, low, d), LINEAR, fixed)


FAMILY = Family(
    "numbers",
    "Numbers and EM",
    "Reports: perturb, tally, and the unbiased mean; a floor is `rng.random` drawing one number for each "
    "person. EM: the fit of the distribution, by structured products and accelerated, up to the log-likelihood"
    " that plain EM with a dense matrix (BLAS) has at the paper's stop.",
    cases,
)
