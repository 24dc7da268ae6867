"""Thirty people at once, each with a file of their own, on a dashboard that may write no file."""

from collections.abc import Iterator, Mapping

import numpy as np

from benchmarks import many_people
from benchmarks.case import Family, Measured, Reading

BEFORE = "when one person had been everywhere and left"
MEMORY = 10.0
"""Seconds after which memory is read in quick mode, when no session is forgotten yet."""


def _waited(found: many_people.Found) -> Mapping[str, float]:
    if found.errors or found.foreign:
        raise RuntimeError(f"somebody saw another's answers {found.foreign} times; errors: {found.errors[:3]}")
    read = {f"{kind}, 95 % within": float(np.percentile(times, 95)) for kind, times in found.waited.items()}
    return {**read, "moving ε, half within": float(np.median(found.waited["moving ε"]))}


def _memory(found: many_people.Found) -> Mapping[str, float]:
    return {"at first": found.fresh, BEFORE: found.before, "at most": found.most, "when all had left": found.after}


def _grown(found: many_people.Found) -> Mapping[str, float]:
    return {"when all had left": found.after / found.before}


def cases(quick: bool) -> Iterator[Measured]:
    people, seconds = (8, 20) if quick else (30, 600)
    sizes, seen = {"people": people, "in": f"{seconds} s"}, []

    def waited() -> Mapping[str, float]:
        seen.append(many_people.found(people, seconds, *([MEMORY] if quick else [])))
        return _waited(seen[-1])

    within = {"moving ε, 95 % within": many_people.WORST}
    yield Reading("seconds", sizes, lambda: waited, "s", 1, within)
    yield Reading("memory", sizes, lambda: lambda: _memory(seen[-1]), "MB", 1)
    grown = {"when all had left": many_people.LEVEL}
    yield Reading("memory, as a multiple", sizes, lambda: lambda: _grown(seen[-1]), "times", 1, grown)


FAMILY = Family(
    "people",
    "Many people",
    "People at once: each uploads a file of their own (1.8 MB), moves ε, turns pages, reads for 5 to 25 seconds, "
    "leaves and comes back; seconds until the first chart, by the clock of whoever waits. They send what browsers "
    "send, and draw nothing. Somebody else's answers, an error or a file written fails.",
    cases,
    app=True,
)
