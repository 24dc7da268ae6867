"""What each marked attribute follows, of reports about pairs of them and of open attributes: laws along a tree.

As on a Chow–Liu tree (1968), but grown from the open attributes, whose values are known: the next marked attribute is
the one that anything known or drawn says most about, by Goodman and Kruskal's τ (1954). The reports are in two halves:
the product of what each says is without bias, so that many values say nothing by chance.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ldpcore.clusters import reports
from ldpcore.clusters.records import Records
from ldpcore.estimators.consistency import norm_sub

Table = NDArray[np.float64]
Heard = tuple[Sequence[Table], Sequence[NDArray[np.int64]]]
"""Of each half of the reports: unbiased sums of each kind's cells, (c, cells), and people of each kind, (c,)."""
RARE = 0.01
"""A drawn value is taken to be at least so frequent, where what goes with it is divided by its share."""


@dataclass(frozen=True)
class Conditional:
    """The shares of an attribute's values given those of its parent, (values of it, d); parent −1: given nothing."""

    attribute: int
    parent: int
    shares: Table


def laws(records: Records, heard: Mapping[tuple[int, ...], Heard], seen: Sequence[int]) -> list[Conditional]:
    """A law for every attribute that a report is about, each after its parent; seen: the open attributes."""
    from_reports = _Reports(records, heard)
    left, chosen = sorted({j for unit in heard for j in unit}), []
    while left:
        ties = [
            from_reports.tied(j, parent) for j in left for parent in (-1, *seen, *(law.attribute for law in chosen))
        ]
        _, law = max(ties, key=lambda tie: tie[0])
        chosen.append(law)
        left.remove(law.attribute)
    return chosen


class _Reports:
    """All reports, and what they say of one attribute given another."""

    def __init__(self, records: Records, heard: Mapping[tuple[int, ...], Heard]) -> None:
        self.records, self.heard = records, heard
        self._known: dict[tuple[int, int], tuple[float, Conditional]] = {}

    @cached_property
    def alone(self) -> dict[int, list[tuple[Table, NDArray[np.int64]]]]:
        """Of each attribute and half: sums of each kind's values (c, d), and people (c,), of all reports about it."""
        out: dict[int, list[tuple[Table, NDArray[np.int64]]]] = {}
        for unit, (sums, people) in self.heard.items():
            for place, j in enumerate(unit):
                other = tuple(axis + 1 for axis in range(len(unit)) if axis != place)
                cells = [each.reshape(-1, *(self.records.levels[i] for i in unit)).sum(axis=other) for each in sums]
                before = out.get(j, [(np.zeros_like(sums), np.zeros_like(sums[:, 0], int)) for sums in cells])
                out[j] = [(a + b, m + n) for (a, m), b, n in zip(before, cells, people, strict=True)]
        return out

    def tied(self, j: int, parent: int) -> tuple[float, Conditional]:
        """How much more often two people agree in j who agree in the parent, and the law of j given it."""
        if (j, parent) not in self._known:
            self._known[j, parent] = self._joint(j, parent) if parent in self.alone else self._given(j, parent)
        return self._known[j, parent]

    def _given(self, j: int, parent: int) -> tuple[float, Conditional]:
        """Given an open attribute, or nothing (−1)."""
        group, size = (self.records.columns[parent], self.records.levels[parent]) if parent >= 0 else (None, 1)
        if group is None:
            group = np.zeros(len(self.records.counts), np.intp)
        heard = [[sums, people[:, None].astype(float)] for sums, people in self.alone[j]]
        halves = [[reports.by_cluster(group, size, each) for each in half] for half in heard]
        one, other = (sums / np.maximum(people, 1) for sums, people in halves)
        people = np.bincount(group, self.records.counts, size)
        agree = float((people[:, None] * one * other).sum() / people.sum())
        total, asked = (sum(each) for each in zip(*halves, strict=True))
        shares = total / np.maximum(asked, 1)
        if parent < 0:
            return 0.0, Conditional(j, parent, proper(shares))
        whole = self.tied(j, -1)[1].shares
        return agree - self._agree(j), Conditional(j, parent, np.where(asked > 0, proper(shares), whole))

    def _agree(self, j: int) -> float:
        """The chance that two people agree in j."""
        one, other = (sums.sum(axis=0) / max(int(people.sum()), 1) for sums, people in self.alone[j])
        return float(one @ other)

    def _joint(self, j: int, parent: int) -> tuple[float, Conditional]:
        """Given another marked attribute, which was asked together with it."""
        unit = (min(j, parent), max(j, parent))
        sums, people = self.heard[unit]
        levels = tuple(self.records.levels[i] for i in unit)
        tables = [half.sum(axis=0).reshape(levels) / max(int(n.sum()), 1) for half, n in zip(sums, people, strict=True)]
        one, other = (table if unit[0] == parent else table.T for table in tables)
        base = np.maximum(self.tied(parent, -1)[1].shares[0], RARE)
        agree = float((one * other / base[:, None]).sum())
        weights = [max(int(n.sum()), 1) for n in people]
        both = norm_sub(np.average([one, other], axis=0, weights=weights).ravel()).reshape(one.shape)
        rows = both.sum(axis=1, keepdims=True)
        whole = self.tied(j, -1)[1].shares
        return agree - self._agree(j), Conditional(
            j, parent, np.where(rows > 0, both / np.maximum(rows, 1e-300), whole)
        )


def proper(rows: Table) -> Table:
    """Shares that are none below 0 and add up to 1 in each row; even ones where nobody was heard."""
    out = np.stack([norm_sub(row) if row.any() else np.ones(len(row)) for row in rows])
    return out / out.sum(axis=1, keepdims=True)
