"""Several items per person: every entry of the catalogue, and what the project wants of a million people."""

import math
from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import numpy as np

from benchmarks.case import FLOOR, LINEAR, Case, Family, Growth, Measured, Work
from ldpcore import catalog
from ldpcore.data.simulated import reservoir
from ldpcore.rng import stream

EPSILON, M, SURVEYS = 1.0, 8, 10
ITEMS = 1024
SIMULATED = {"suGRR": 1, "suRAP": 1, "suWheel": 8, "suWheel-J": 25, "Wheel": 8, "uPrivSet": 40}
"""Floors that one survey of a million people may take."""
PERTURBED, TALLIED = 80, 160
"""Floors: a second for a million reports of suWheel, and for a thousand million pairs of person and item."""
GROWN = ("suRAP", "Wheel", "uPrivSet", "gHit")
BY_M = 0.5
"""The exponent in m that is promised; in n and k they are linear."""


@cache
def baskets(n: int, k: int, m: int) -> np.ndarray:
    return np.ascontiguousarray(reservoir(n, k, m, stream(1, "benchmark", "baskets", n, k, m)).astype(np.intp))


def built(entry: Any, k: int, m: int) -> Any:
    return entry.protecting(np.where(np.arange(k) % 4 == 0, EPSILON, math.inf), EPSILON, m)


def survey(entry: Any, n: int, k: int, m: int) -> Work:
    mechanism, held, rng = built(entry, k, m), baskets(n, k, m), stream(1, "benchmark", entry.key)
    return lambda: mechanism.estimate(mechanism.tally(mechanism.perturb(held, rng)))


def floor(n: int, m: int, times: int = 1) -> Work:
    """Into memory that is there: what the system takes for giving 64 MB anew is its own affair."""
    rng, numbers = stream(1, "benchmark", "floor"), np.empty(n * m)
    return lambda: [rng.random(out=numbers) for _ in range(times)]


def _survey(entry: Any, n: int, k: int, m: int) -> tuple[Work, Work]:
    return survey(entry, n, k, m), floor(n, m)


def _simulated(entry: Any, n: int) -> tuple[Work, Work]:
    mechanism, held, rng = built(entry, ITEMS, M), baskets(n, ITEMS, M), stream(1, "benchmark", entry.key)
    return lambda: mechanism.simulate(held, rng, SURVEYS), floor(n, M, SURVEYS)


def _perturbed(n: int) -> tuple[Work, Work]:
    mechanism, rng = built(catalog.SETS["suWheel"], ITEMS, M), stream(1, "benchmark")
    return lambda: mechanism.perturb(baskets(n, ITEMS, M), rng), floor(n, M)


def _tallied(n: int) -> tuple[Work, Work]:
    mechanism = catalog.SETS["Wheel"].build(EPSILON, ITEMS, None, M)
    reports = mechanism.perturb(baskets(n, ITEMS, M), stream(1, "benchmark"))
    return lambda: mechanism.tally(reports), floor(n, M)


def cases(quick: bool) -> Iterator[Measured]:
    n, k = (2_000 if quick else 20_000), 256
    for key, entry in catalog.ITEMS.items():
        sizes = {"n": n, "k": k, "m": M, "ε": EPSILON}
        yield Case(f"{key}: reports", sizes, partial(_survey, entry, n, k, M), FLOOR, entry=entry)
    n = 50_000 if quick else 1_000_000
    sizes = {"n": n, "k": ITEMS, "m": M, "ε": EPSILON}
    for key, entry in catalog.ITEMS.items():
        if key in SIMULATED:
            asked = sizes | {"surveys": SURVEYS}
            most = None if quick else SIMULATED[key]
            yield Case(f"{key}: simulated", asked, partial(_simulated, entry, n), FLOOR, most=most, entry=entry)
    for name, made, most in (("suWheel: perturb", _perturbed, PERTURBED), ("Wheel: tally", _tallied, TALLIED)):
        yield Case(name, sizes, partial(made, n), FLOOR, most=None if quick else most)
    for key in GROWN:
        entry, n = catalog.ITEMS[key], 1_000 if quick else 5_000
        by = (
            ("n", (n, 4 * n, 16 * n), LINEAR, {"k": 256, "m": M}, lambda size, e=entry: survey(e, size, 256, M)),
            ("k", (128, 512, 2048), LINEAR, {"n": n, "m": M}, lambda size, e=entry, n=n: survey(e, n, size, M)),
            ("m", (2, 8, 32), BY_M, {"n": n, "k": 256}, lambda size, e=entry, n=n: survey(e, n, 256, size)),
        )
        for letter, grown, most, fixed, work in by:
            yield Growth(key, letter, grown, work, most, fixed)


FAMILY = Family(
    "sets",
    "Several items per person",
    "Reports: perturb, tally and estimate. Simulated: whole surveys from the sets, without reports. A floor is"
    " `rng.random` drawing one number for every item that somebody holds, for every survey.",
    cases,
)
