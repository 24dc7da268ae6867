"""The Studies behind Clusters' curves: along ε, the number of people, or the number of clusters.

>>> from ldpcore import Source, Study
>>> grid("k", Study(Source("health"), "condition", task="clusters"), 5)
(1.0, 2.0, 3.0, 4.0)
"""

from dataclasses import replace

from ldpcore.clusters import Clustering
from ldpcore.study import clusters
from ldpcore.study.definition import Study

EPSILONS = (0.2, 0.5, 1.0, 2.0, 4.0)
"""ε at which runs are simulated."""


def groups() -> dict[str, list[str]]:
    """What ε covers → keys: "first" (the first report), "central" (what a curator publishes), "whole", "marked"."""
    by_kind: dict[str, list[str]] = {}
    for key, entry in clusters.CATALOG.items():
        what = "first" if not entry.whole else "central" if entry.central else "whole"
        by_kind.setdefault("marked" if entry.uses_marks else what, []).append(key)
    return by_kind


def grid(axis: str, study: Study, most: int) -> tuple[float, ...]:
    """Where the curves are simulated; there are at most so many clusters."""
    if axis == "epsilon":
        return EPSILONS
    if axis == "n":
        steps = (300, 1_000, 5_000, 10_000, 20_000, 100_000, 300_000)
        return tuple(float(n) for n in steps if n >= clusters.clusters(study))
    return tuple(float(k) for k in (1, 2, 3, 4, 6, 8, 12) if k <= most)


def over(study: Study, people: clusters.ClusterRecords) -> Study:
    """The study over the grid of its axis: what link, file and report of it have."""
    most = min(people.n, study.n or people.n)
    return study.derived(("grid", most), lambda: replace(study, grid=grid(study.axis, study, most)))


def along(study: Study, axis: str, people: clusters.ClusterRecords) -> Study:
    """The study behind the curves: it does not change with the chosen ε where ε is the axis."""
    return _over(study, axis, min(people.n, study.n or people.n))


def _over(study: Study, axis: str, most: int) -> Study:
    def made() -> Study:
        points = grid(axis, study, most)
        base = replace(study, axis=axis, grid=points).with_options(attack=False)
        return replace(base, epsilon=points[0]) if axis == "epsilon" else base

    return study.derived(("over", axis, most), made)


def one_start(study: Study) -> Study:
    """All of a study that its starts at its own point depend on."""

    def made() -> Study:
        return replace(study, mechanisms=study.mechanisms[:1], axis="epsilon", grid=(), repetitions=1)

    return study.derived(("one start",), made)


def played(point: Study, people: clusters.ClusterRecords, mechanism: str, repetition: int) -> Clustering:
    """One run of a method at the study's own point; "" is K-modes on the same people from the same start."""
    start = clusters.cell(point, people, clusters.current(point, people), repetition)
    return start.true if mechanism == "" else start.play(point, mechanism, point.epsilon, repetition)
