"""K-modes against the `kmodes` package, runs of LDPK, and every clustering of the catalogue."""

from collections.abc import Iterator
from functools import cache, partial
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks import real
from benchmarks.case import LINEAR, Case, Family, Growth, Measured, NotHere, Work
from ldpcore import catalog, data
from ldpcore.clusters import Clustering, Records, cost, kmodes, ldpk
from ldpcore.rng import stream
from ldpcore.study import clusters

COLUMNS = ("workclass", "education", "marital-status", "occupation", "relationship", "race")
K, STARTS, RUNS = 3, 6, 30
LEAST, WITHIN = 200, 1.0
"""Times faster than the package; seconds for RUNS runs of LDPK."""


@cache
def adult() -> tuple[np.ndarray, tuple[int, ...]]:
    people = clusters.read(real.opened("adult.data.gz"), COLUMNS, "any")
    return people.records.everyone(people.records.codes), people.records.levels


@cache
def census() -> Records:
    table = data.load("census")
    return clusters.read(table, clusters.usual(table), "column").records


def _grouped(seed: int) -> Clustering:
    X, levels = adult()
    return kmodes(X, K, stream(seed, "start"), levels=levels)


def _kmodes() -> tuple[Work, Work]:
    """From a start where both end at the same cost: grouping equal records is counted."""
    peer, (X, levels) = import_module("kmodes.kmodes"), adult()
    records = Records.of(X, levels)
    for seed in range(STARTS):
        found = _grouped(seed)

        def theirs(start: Any = found.sent[0]) -> Any:
            return peer.KModes(K, init=start, n_init=1).fit(X)

        if int(theirs().cost_) == cost(records, found.modes):
            return partial(_grouped, seed), theirs
    raise NotHere(f"none of {STARTS} starts leads both to the same cost")


def _ldpk(epsilon: float) -> tuple[Work, None]:
    records = Records.of(*adult())
    return lambda: [ldpk(records, K, epsilon, stream(r, "ldpk", epsilon)) for r in range(RUNS)], None


def _one(entry: Any) -> tuple[Work, None]:
    records, rng = census(), stream(1, "benchmark", entry.key)
    return lambda: entry.run(records, K, 1.0, rng), None


def _invented(n: int, d: int) -> Work:
    """People with d attributes of eight values each, hardly two alike."""
    X = stream(1, "benchmark", "people", n, d).integers(0, 8, (n, d))
    return lambda: kmodes(X, K, stream(1, "start"), levels=(8,) * d)


def cases(quick: bool) -> Iterator[Measured]:
    yield Case("K-modes", {"data": "Adult", "k": K, "d": len(COLUMNS)}, _kmodes, "kmodes", least=LEAST)
    for epsilon in (1.0, 4.0):
        yield Case("LDPK", {"data": "Adult", "ε": epsilon, "runs": RUNS}, partial(_ldpk, epsilon), within=WITHIN)
    for key, entry in catalog.CLUSTERINGS.items():
        yield Case(key, {"data": "census", "k": K, "ε": 1.0}, partial(_one, entry), entry=entry)
    grown = (1_000, 4_000, 16_000) if quick else (10_000, 30_000, 100_000, 300_000)
    yield Growth("K-modes", "n", grown, lambda n: _invented(n, 8), LINEAR, {"d": 8, "k": K})
    n = 2_000 if quick else 20_000
    yield Growth("K-modes", "d", (6, 12, 24, 48), lambda d: _invented(n, d), LINEAR, {"n": n, "k": K})


FAMILY = Family(
    "clusters",
    "Clusters",
    "K-modes: from codes to modes, from the same start, where both end at the same cost. The entries of the "
    "catalogue: one run on the bundled census, its usual columns.",
    cases,
)
