"""Shares with few different values, more uneven than given ones, or more even.

The limit at known shares f is concave in f and the same for every order of them (shares.py), so it is Schur-concave:
at every ℓ that majorises f (the largest of ℓ, the two largest, … sum to at least as much as those of f) it is at most
what it is at f; at every ℓ that f majorises, at least.
"""

from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Levels = list[tuple[float, int]]
"""(share, how many values have it)."""

PLACES = 26
"""Where runs may begin and end."""
PRICES = (0.0, *np.geomspace(1e-7, 1.0, 15).tolist())
"""Tried for what a factor e of orbits costs in Σℓ², the cheapest that keeps within the orbits allowed is taken."""


@dataclass(frozen=True)
class _Run:
    """Neighbours in falling order, and what they become."""

    uneven: Levels
    even: Levels

    @property
    def squares(self) -> float:
        return sum(number * share**2 for share, number in self.uneven)

    @property
    def orbits(self) -> float:
        """ln of how many subsets differ when values with equal shares are alike."""
        return sum(log(number + 1) for _, number in self.uneven)


def bracket(freq: Vector, most_levels: int, most_orbits: float = np.inf) -> tuple[Levels, Levels]:
    """(more uneven, more even) shares; both are freq's own where those have few enough levels and orbits.

    Runs of neighbours become two levels that majorise them, and their mean; the runs minimise Σℓ² of the uneven ones.
    """
    layers = _own(freq)
    if len(layers) <= most_levels and sum(log(number + 1) for _, number in layers) <= log(most_orbits):
        return layers, layers
    ordered = np.sort(freq)[::-1]
    places = _places(len(ordered))
    runs = {(i, j): _run(ordered[places[i] : places[j]]) for j in range(1, len(places)) for i in range(j)}
    for price in PRICES:
        chosen = _cheapest(runs, len(places) - 1, most_levels, price)
        if sum(run.orbits for run in chosen) <= log(most_orbits):
            break
    else:
        chosen = [_Run(_lopsided(ordered, most_orbits), _run(ordered).even)]
    return [level for run in chosen for level in run.uneven], [level for run in chosen for level in run.even]


def _own(freq: Vector) -> Levels:
    level, number = np.unique(freq, return_counts=True)
    return list(zip(level[::-1].tolist(), number[::-1].tolist(), strict=True))


def _places(size: int) -> list[int]:
    """All, or all among the first and then ever fewer."""
    if size < PLACES:
        return list(range(size + 1))
    first = PLACES // 3
    return np.unique([*range(first), *np.round(np.geomspace(first, size, PLACES - first)).astype(int)]).tolist()


def _cheapest(runs: dict[tuple[int, int], _Run], end: int, most_levels: int, price: float) -> list[_Run]:
    """The runs from 0 to `end` with the least Σℓ² + price·ln orbits among those of at most so many levels."""
    best: dict[tuple[int, int], tuple[float, list[_Run]]] = {(0, 0): (0.0, [])}
    for (i, j), run in sorted(runs.items(), key=lambda item: item[0][1]):
        cost = run.squares + price * run.orbits
        for used in range(most_levels - len(run.uneven) + 1):
            if (i, used) in best:
                before, chosen = best[i, used]
                state = (j, used + len(run.uneven))
                if state not in best or before + cost < best[state][0]:
                    best[state] = (before + cost, [*chosen, run])
    whole = [best[end, used] for used in range(most_levels + 1) if (end, used) in best]
    return min(whole, key=lambda found: found[0])[1]


def _lopsided(run: Vector, most_orbits: float) -> Levels:
    """The smallest share everywhere but in as many places as the orbits allow, at least one, which share the rest."""
    size, total, low = len(run), float(run.sum()), float(run[-1])
    exact = (total - size * low) / (float(run[0]) - low)
    high = int(np.clip(min(exact, most_orbits / (size + 1) - 1), 1, size - 1))
    return [((total - (size - high) * low) / high, high), (low, size - high)]


def _run(shares: Vector) -> _Run:
    size, total = len(shares), float(shares.sum())
    return _Run(_two_levels(shares), [(total / size, size)])


def _two_levels(run: Vector) -> Levels:
    """Falling shares → the largest some times and something below the smallest, or the other way round."""
    size, total, high, low = len(run), float(run.sum()), float(run[0]), float(run[-1])
    if high - low <= 1e-15:
        return [(total / size, size)]
    exact = (total - size * low) / (high - low)
    upper, lower = int(np.clip(np.ceil(exact), 1, size - 1)), int(np.clip(np.floor(exact), 1, size - 1))
    raised = [((total - (size - lower) * low) / lower, lower), (low, size - lower)]
    sunk = (total - upper * high) / (size - upper)
    if not 0 <= sunk <= low:
        return raised
    lowered = [(high, upper), (sunk, size - upper)]
    return min(raised, lowered, key=lambda levels: sum(number * share**2 for share, number in levels))
