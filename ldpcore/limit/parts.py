"""How the reports of gTable hold the values of one level, orbit by orbit."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .numbered import Array, Counts, GroupReports

Levels = NDArray[Any]
"""(orbits,) points, or squares of them."""
POINTS = 1 << 28
"""Of the largest weight in a level."""


@dataclass(frozen=True, eq=False)
class LevelReports(GroupReports):
    """Those of one level; or the public values, whose ε is infinite."""

    epsilon: float

    @property
    def noise(self) -> Array:
        """Pr[v held | orbit, a user of another level]."""
        shown = np.arange(len(self.held)) == len(self.held) - 1
        return np.where(shown, 0.0, self.held / len(self.codes))

    def mean(self, inside: Levels, outside: Levels) -> tuple[float, float]:
        """E[level of v | the user holds v, another value of its level]."""
        always = float(outside @ self.met)
        return always + float((inside - outside) @ self.same), always + float((inside - outside) @ self.mate)

    def other(self, inside: Levels, outside: Levels, met: Array) -> float:
        """The same for a user of another level, who meets orbits with probabilities `met`."""
        return float((outside + (inside - outside) * self.noise) @ met)


def part(
    codes: NDArray[np.intp], epsilon: float, held: Counts, met: Array, same: Array, mate: Array,
    inside: Array, outside: Array, last: tuple[int, float, float],
) -> LevelReports:  # fmt: skip
    """With the disclosing orbit behind the others: `last` holds so many, with that probability and that weight."""
    number, chance, weigh = last
    inside, outside = np.append(inside, weigh), np.append(outside, 0.0)
    top = max(inside.max(), outside.max())
    points = [np.round(level / top * POINTS).astype(np.int64) for level in (inside, outside)]
    return LevelReports(
        codes, np.append(held, number), np.append(met, chance), np.append(same, chance), np.append(mate, 0.0),
        points[0], points[1], epsilon,
    )  # fmt: skip
