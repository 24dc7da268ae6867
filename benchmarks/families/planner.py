"""The planner: how many people ± one point takes, for the worst shares."""

import math
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from benchmarks.case import LINEAR, Case, Family, Growth, Measured, Work
from ldpcore import plan
from ldpcore.plan import Plan

WITHIN = 0.01


def _marked(k: int) -> np.ndarray:
    return np.arange(k) % 4 == 0


def _levels(k: int) -> list[float]:
    return [(math.inf, 2.0, 1.0)[v % 3] for v in range(k)]


MADE: dict[str, Callable[[int], Plan]] = {
    "GRR": lambda k: plan.frequency("GRR", k),
    "uSS": lambda k: plan.frequency("uSS", k, _marked(k)),
    "uSS, all values at once": lambda k: plan.frequency("uSS", k, _marked(k), every=True),
    "uHR": lambda k: plan.frequency("uHR", k, _marked(k)),
    "limit, ULDP": lambda k: plan.limit("ULDP", k, k // 4),
    "suWheel, m = 3": lambda k: plan.sets("suWheel", k, 3, _marked(k)),
    "uPrivSet, m = 3": lambda k: plan.sets("uPrivSet", k, 3, _marked(k)),
    "Privelet": lambda k: plan.ranges("Privelet", k, (k // 4, k // 2)),
}


def people(made: Callable[[int], Plan], k: int) -> Work:
    """From the settings to the number of people."""
    return lambda: made(k).people(1.0, WITHIN)


def epsilon(made: Callable[[int], Plan], k: int) -> Work:
    """From the number of people to the least ε: a search."""
    return lambda: made(k).epsilon(10**6, WITHIN)


def cases(quick: bool) -> Iterator[Measured]:
    for name, made in MADE.items():
        for k in (16,) if quick else (16, 1024):
            yield Case(f"{name}: people", {"k": k}, lambda made=made, k=k: (people(made, k), None))
        yield Case(f"{name}: ε", {"k": 16}, lambda made=made: (epsilon(made, 16), None))
    for name in ("GRR", "uSS", "suWheel, m = 3"):
        yield Growth(f"{name}: people", "k", (64, 256, 1024, 4096), partial(people, MADE[name]), LINEAR)


FAMILY = Family(
    "planner",
    "Planner",
    "From settings to the number of people for ± 1 point at 95 %, the worst shares; and from a million people "
    "to the least ε, which searches.",
    cases,
)
