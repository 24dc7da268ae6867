"""Speed of the mechanisms for sets, as ratios within one run: pytest benchmarks/test_sets.py --benchmark-disable-gc -s

The unit is one `rng.random` over all (person, item) pairs: 8 million numbers, 12 ms on a quiet core, so 8 units are the
0.1 s in which the project wants a survey of suWheel, 80 units the second for real reports, and for a tally of 10⁹
(person, item) pairs on two cores. Seconds are the processor's, of all threads: what else runs does not count.
"""

import time
import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest

from benchmarks.test_frequency import best, report
from ldpcore import catalog
from ldpcore.data.simulated import reservoir
from ldpcore.rng import stream

PEOPLE, ITEMS, M = 1_000_000, 1024, 8
SURVEYS = 10
RNG = stream(1, "benchmark")
MASK = np.arange(ITEMS) % 4 == 0


@pytest.fixture(scope="module")
def sets():
    return np.ascontiguousarray(reservoir(PEOPLE, ITEMS, M, RNG).astype(np.intp))


@pytest.fixture(scope="module")
def unit() -> float:
    return cpu(lambda: RNG.random(PEOPLE * M), 15)


def cpu(work: Callable[[], object], repeats: int = 3) -> float:
    return best(work, repeats, time.process_time)


def told(name: str, seconds: float, unit: float, most: float) -> float:
    report(f"{name}, {seconds:.3f} s / rng.random(n·m)", seconds / unit, f"at most {most:g}")
    return seconds / unit


@pytest.mark.parametrize(
    ("key", "most"), [("suGRR", 1), ("suRAP", 1), ("suWheel", 8), ("suWheel-J", 25), ("Wheel", 8), ("uPrivSet", 40)]
)
def test_simulate(sets, unit, key, most):
    """One of the ten surveys that a page asks for, with its part of what they share: checking and counting the sets."""
    mechanism = catalog.SETS[key].build(1.0, ITEMS, MASK, M)
    seconds = cpu(lambda: mechanism.simulate(sets, RNG, SURVEYS)) / SURVEYS
    assert told(f"{key}: one survey of 10⁶ people", seconds, unit, most) <= most


def test_simulate_stays_small(sets):
    mechanism, fresh = catalog.SETS["suWheel"].build(1.0, ITEMS, MASK, M), sets.copy()
    tracemalloc.start()
    try:
        mechanism.simulate(fresh, RNG, SURVEYS)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    report("suWheel: peak memory of simulate, in GB", peak / 1e9, "below 1")
    assert peak < 1e9


def test_perturb(sets, unit):
    mechanism = catalog.SETS["suWheel"].build(1.0, ITEMS, MASK, M)
    assert told("suWheel: 10⁶ reports", cpu(lambda: mechanism.perturb(sets, RNG)), unit, 80) <= 80


def test_tally_of_a_milliard_pairs(sets, unit):
    """Every item marked: 10⁶ reports × 1024 items. A tally takes both cores: 160 units of theirs are a second."""
    mechanism = catalog.SETS["Wheel"].build(1.0, ITEMS, None, M)
    reports = mechanism.perturb(sets, RNG)
    print(f"\nby the clock: {best(lambda: mechanism.tally(reports), 3):.2f} s")
    seconds = cpu(lambda: mechanism.tally(reports))
    assert told("Wheel: 1.02·10⁹ pairs tallied", seconds, unit, 160) <= 160
