"""A simulated survey from the histogram alone, against everybody's report one by one."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from benchmarks.case import FLOOR, LINEAR, Case, Family, Growth, Measured, Work
from benchmarks.families.frequency import EPSILON, K, answers, built, survey
from ldpcore import catalog
from ldpcore.data import Histogram
from ldpcore.domain import Categorical
from ldpcore.rng import stream
from ldpcore.study import Marks, Source, Study, frequency

GROWS = {"GRR": LINEAR, "OUE": LINEAR, "SS": 1.5, "HR": 1.3}
"""The exponents in k that are promised: SS's sweep is k times a window of √k, HR's transform k·log k."""
CURVES = 10.0
"""Floors within which a page's curves are there: about two seconds where a million numbers take two milliseconds."""
REPEATS = 10
"""Surveys at once, as a page asks for them."""
LIVE = ("GRR", "RAPPOR", "OUE", "OLH", "uRR", "uRAP", "uOUE", "SDGRR")


def counts(n: int, k: int) -> np.ndarray:
    rng = stream(1, "benchmark", "counts", n, k)
    return rng.multinomial(n, rng.dirichlet(np.ones(k)))


def simulated(entry: Any, n: int, k: int) -> Work:
    mechanism, held, rng = built(entry, k), counts(n, k), stream(1, "benchmark", entry.key)
    return lambda: mechanism.simulate(held, rng, REPEATS)


def _beside(entry: Any, n: int, k: int) -> tuple[Work, Work]:
    mechanism, rng = built(entry, k), stream(1, "benchmark", entry.key)
    held = np.bincount(answers(n, k), minlength=k)
    return lambda: mechanism.simulate(held, rng, REPEATS), survey(entry, n, k)


def _pairs(entry: Any, n: int) -> tuple[Work, Work]:
    """Four groups and two answers, half of either marked."""
    mechanism, rng = entry.build(EPSILON, [False, False, True, True], [False, True]), stream(1, "benchmark", entry.key)
    values = answers(n, mechanism.k)
    held = np.bincount(values, minlength=mechanism.k)
    return (
        lambda: mechanism.simulate(held, rng, REPEATS),
        lambda: mechanism.estimate(mechanism.tally(mechanism.perturb(values, rng))),
    )


def everything(n: int, k: int) -> Work:
    """All mechanisms of the catalogue for one column, one after the other."""
    works = [simulated(entry, n, k) for entry in catalog.FREQUENCY.values()]
    return lambda: [work() for work in works]


def curves(k: int, mechanisms: tuple[str, ...]) -> tuple[Work, Work]:
    """What Frequency's error panel asks for: theory and ten surveys at 19 ε. Beside it one number for each person, of
    one survey of each mechanism at each ε: the least that drawing person by person would take.
    """
    labels = [f"v{v}" for v in range(k)]
    study = Study(
        Source("benchmark"),
        "column",
        epsilon=1.0,
        marks=Marks.of(labels[: k // 4]),
        mechanisms=mechanisms,
        grid=tuple(float(x) for x in np.geomspace(0.1, 5, 19)),
    ).with_options(attacks=0, postprocessing=())
    study = replace(study, repetitions=REPEATS)
    data, rng = Histogram(Categorical(labels), counts(1_000_000, k), 1_000_000, 0), stream(1, "benchmark", "floor")

    def work() -> None:
        frequency.theory(study, data)
        for chunk in frequency.chunks(study, data):
            chunk()

    def floor() -> None:
        for _ in range(len(mechanisms) * len(study.grid)):
            rng.random(1_000_000)

    return work, floor


def cases(quick: bool) -> Iterator[Measured]:
    n = 10_000 if quick else 100_000
    for key, entry in catalog.ANSWERS.items():
        sizes = {"n": n, "k": K, "ε": EPSILON, "surveys": REPEATS}
        yield Case(key, sizes, partial(_beside, entry, n, K), "one by one", REPEATS, entry=entry)
    for key, entry in catalog.PAIRS.items():
        sizes = {"n": n, "k": 8, "ε": EPSILON, "surveys": REPEATS}
        yield Case(key, sizes, partial(_pairs, entry, n), "one by one", REPEATS, entry=entry)
    for k, mechanisms in ((100, (*LIVE[:-1], "SS")), (1_000, LIVE)):
        sizes = {"k": k, "n": 10**6, "mechanisms": len(mechanisms), "ε": 19, "surveys": REPEATS}
        yield Case("error curves of a page", sizes, partial(curves, k, mechanisms), FLOOR, most=CURVES)
    grown = (10**4, 10**5, 10**6) if quick else tuple(10**power for power in range(5, 10))
    k = 100 if quick else 1_000
    yield Growth("all of FREQUENCY", "n", grown, lambda n: everything(n, k), 0.05, {"k": k, "surveys": REPEATS})
    for key, most in GROWS.items():
        entry = catalog.FREQUENCY[key]
        grown = (64, 256, 1024) if quick else (64, 256, 1024, 4096)
        fixed = {"n": 10**6, "surveys": REPEATS}
        yield Growth(key, "k", grown, lambda k, entry=entry: simulated(entry, 10**6, k), most, fixed)


FAMILY = Family(
    "simulation",
    "Simulated surveys, one column",
    "`simulate` draws whole surveys from the histogram alone, by their exact law, at a cost that does not "
    "depend on the number of people; beside the same number of surveys drawn person by person.",
    cases,
)
