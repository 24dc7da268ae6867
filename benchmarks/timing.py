"""Seconds of the processor: warmed up, repeated, in turns with the peer, so that what else runs disturbs both alike."""

import gc
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from benchmarks.case import Work

SHORTEST = 0.005
"""Seconds that are timed at once at least: shorter work is repeated within."""


@dataclass(frozen=True)
class Effort:
    """How often something is timed: `repeats` times, less where that takes more than `seconds`, never less than
    `fewest` (but for peers).
    """

    repeats: int = 9
    seconds: float = 2.0
    fewest: int = 3


FULL, QUICK = Effort(), Effort(3, 0.2, 1)


@dataclass(frozen=True)
class Spread:
    """Median and quartiles of the repeats."""

    median: float
    low: float
    high: float
    repeats: int

    def times(self, factor: float) -> "Spread":
        return Spread(self.median * factor, self.low * factor, self.high * factor, self.repeats)


def spread(samples: Sequence[float]) -> Spread:
    """One that was given up is infinite: no line is drawn to it."""
    method = "linear" if np.isfinite(samples).all() else "inverted_cdf"
    low, median, high = np.percentile(samples, [25, 50, 75], method=method)
    return Spread(float(median), float(low), float(high), len(samples))


@contextmanager
def undisturbed() -> Iterator[None]:
    """Rubbish is collected before, and not meanwhile."""
    gc.collect()
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def timed(works: Sequence[Work], effort: Effort) -> list[Spread]:
    """Seconds of the processor (of all threads of this process) that each of these takes, one after the other in every
    turn. On an idle machine, with one thread, they are seconds of the clock. The first is ours; others, where they
    take long, are content with the run that warms up.
    """
    with undisturbed():
        runs = [_Runs(work, effort.seconds) for work in works]
        for _ in range(effort.repeats):
            for place, each in enumerate(runs):
                if each.spent <= effort.seconds or len(each.samples) < (1 if place else effort.fewest):
                    each.run()
    return [spread(each.samples) for each in runs]


class _Runs:
    """The runs of one piece of work. The first compiles and fills caches: it counts only where it alone takes all the
    time there is.
    """

    def __init__(self, work: Work, seconds: float) -> None:
        self.work, self.inner, self.spent = work, 1, 0.0
        self.samples: list[float] = []
        self.run()
        self.inner = max(1, round(SHORTEST / max(self.samples[0], 1e-7)))
        if self.spent <= seconds:
            self.samples, self.spent = [], 0.0

    def run(self) -> None:
        clock, began = time.perf_counter(), time.process_time()
        for _ in range(self.inner):
            self.work()
        self.samples.append((time.process_time() - began) / self.inner)
        self.spent += time.perf_counter() - clock
