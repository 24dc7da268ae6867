"""The limit for shares that are known in advance: no channel, even one made for these very shares, has less error.

`best` is about a channel and an estimate that are fixed before the data. One made for known uneven shares f can have
less error: it minimises tr(W(J⁻¹ − diag f)), J = Σ x_q q qᵀ/(qᵀf), over the weights x ≥ 0 of the columns q,
Σ x_q q = 1, and need not treat values with different shares alike. W says whose error counts.

The columns are those of the package's docstring, which cannot be split at any f. The least error is concave in f (as
every channel's: a minimum of what linear estimates err, each linear in f) and the same for every order of f within S
and within N. So with too many different shares f is replaced by a more uneven ℓ with fewer (uneven.py): the limit there
is lower, hence certified for f, though no channel may reach it; a more even one says how far below it may be.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.scope import ALIKE, parts

from .blocks import Solution, minimise
from .levels import LevelProgram, LevelSummary, guarded, plain, utility
from .question import POLICIES
from .uneven import bracket

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

SCOPES = ALIKE
MOST_EPSILON = 10.0
"""Above this the error is so small that the program's digits do not show it."""
LEVELS, ORBITS = 9, 60_000
"""Different shares, and columns that differ with them, up to which the program is solved at f itself."""
FEWER, LABELS = 4, 10
"""The same for guarded SDLDP: different shares of S, and of N."""
FEW = 500
"""Columns that the program begins with."""
MORE = 150
"""Columns taken in at a time."""
ENOUGH = 1e-6
"""Relative gap over all columns at which no more of them are taken in."""
ROUNDS = 12


@dataclass(frozen=True)
class SharesLimit:
    """What no channel under a policy can pass at shares known in advance; n·MSE, conditional on the data."""

    least: float
    """Certified: n times the mean squared error over the scope of any unbiased estimate is at least this."""
    most: float
    """Certified: some channel under the policy, made for these shares, has at most this. Near `least` where the program
    was solved at these very shares."""


def best_for(
    policy: str, freq: ArrayLike, sensitive: ArrayLike | None, epsilon: float, weight: str = "all"
) -> SharesLimit:
    """The least error of any unbiased estimate from any channel under `policy`, both made for these very shares.

    policy: as in `best`; freq: the shares (k,); sensitive: the marks, a bool mask (k,), None marks nothing; weight:
    whose error it is, "all", "sensitive" or "other" values. ε ≤ 10. `least` is never above `best` at the same F; it is
    the limit itself up to nine different shares (LDP: of the values counted; ULDP: of the marked ones; guarded SDLDP:
    four of the marked and ten of the others), else certified and perhaps not reached.
    Raises ValueError or TypeError with a sentence.
    """
    tasks = _asked(policy, freq, sensitive, epsilon, weight)
    if tasks is None:
        return SharesLimit(0.0, 0.0)
    uneven, even = tasks
    least = _error(uneven)
    most = least if even is uneven else _error(even)
    return SharesLimit(least[0], most[1])


def is_reached(policy: str, freq: ArrayLike, sensitive: ArrayLike | None, epsilon: float, weight: str = "all") -> bool:
    """Whether `best_for` is solved at these very shares, told without solving it. Raises as it does.

    Then it is the limit itself, and takes about a second; otherwise a bracket, and it can take twenty.
    """
    tasks = _asked(policy, freq, sensitive, epsilon, weight)
    return tasks is None or tasks[0] is tasks[1]


def _asked(
    policy: str, freq: ArrayLike, sensitive: ArrayLike | None, epsilon: float, weight: str
) -> tuple[LevelProgram, LevelProgram] | None:
    """The programs at shares more uneven and more even; None where there is nothing to protect: everyone discloses."""
    given = np.asarray(freq, float)
    shares = checks.shares(given, checks.domain_size(given.size))
    mask = checks.mask(sensitive, len(shares))
    e_minus_1 = _e_minus_1(policy, epsilon, weight)
    counted = parts(mask)[weight]
    if not counted.any():
        raise ValueError(f"weight {weight!r} counts no value's error: {mask.sum()} of {len(mask)} values are marked")
    if policy != "LDP" and not mask.any():
        return None
    return _tasks(policy, shares / shares.sum(), mask, counted, e_minus_1)


def _e_minus_1(policy: str, epsilon: float, weight: str) -> float:
    """E − 1, once everything is checked."""
    if policy not in POLICIES:
        raise ValueError(f"policy must be one of {checks.name_list(POLICIES)}, got {policy!r}")
    if weight not in SCOPES:
        raise ValueError(f"weight is one of {', '.join(SCOPES)}, got {weight!r}")
    budget = checks.epsilon(epsilon)
    if budget > MOST_EPSILON:
        raise ValueError(
            f"the limit for known shares is computed up to ε = {MOST_EPSILON:g}, got {budget:g}; above it rounding "
            "hides so small an error: use `best`, which keeps its digits"
        )
    return float(np.expm1(budget))


def _tasks(policy: str, freq: Array, mask: Mask, counted: Mask, e_minus_1: float) -> tuple[LevelProgram, LevelProgram]:
    """The program at shares that are more uneven, and at more even ones; the same where both are f."""
    weight = 1 / int(counted.sum())
    values = [_Values(freq[side], weight * bool(counted[side].any())) for side in (mask, ~mask) if side.any()]
    alone = len(values) == 1
    if policy == "LDP" or alone:
        # Values that count are alike, marked or not.
        parts = [_Values(freq, weight)] if counted.all() else [part.merged() for part in values]
        return _both(lambda sides: plain(sides, e_minus_1), [(part, LEVELS, ORBITS) for part in parts])
    inside, outside = values[0].merged(), values[1]
    if policy == "ULDP":
        return _both(
            lambda sides: utility(sides[0], outside.freq, outside.weight, e_minus_1), [(inside, LEVELS - 1, ORBITS)]
        )
    return _both(
        lambda sides: guarded(sides[0], sides[1], e_minus_1),
        [(inside, FEWER, ORBITS // LABELS), (outside, LABELS, np.inf)],
    )


@dataclass(frozen=True)
class _Values:
    """S or N: its shares, and what one value's error weighs."""

    freq: Array
    weight: float

    def merged(self) -> "_Values":
        """As one value where they do not count: a channel that tells all of them alike errs no more on the others."""
        return self if self.weight else _Values(np.array([self.freq.sum()]), 0.0)


def _both(
    build: Callable[[list[LevelSummary]], LevelProgram], parts: list[tuple[_Values, int, float]]
) -> tuple[LevelProgram, LevelProgram]:
    brackets = [bracket(part.freq, levels, orbits) for part, levels, orbits in parts]

    def task(which: int) -> LevelProgram:
        levels = [np.array(pair[which]).T for pair in brackets]
        sides = zip(levels, parts, strict=True)
        return build([LevelSummary(share, number, part.weight) for (share, number), (part, *_) in sides])

    uneven = task(0)
    return uneven, uneven if all(low is high for low, high in brackets) else task(1)


def _error(task: LevelProgram) -> tuple[float, float]:
    """What no channel passes, and what one reaches."""
    if not task.blocks(np.arange(1)):
        return 0.0, 0.0  # nobody holds what counts
    optimum, _ = solve(task)
    return max(0.0, optimum.value * (1 - optimum.gap) - task.base), optimum.value - task.base


def solve(task: LevelProgram) -> tuple[Solution, NDArray[np.intp]]:
    """The best weights and the columns that they are of, taking in those that would lower the value most as long as
    there are any.
    """
    size = len(task.columns.mean)
    rows = np.union1d(np.linspace(0, size - 1, min(size, FEW)).astype(np.intp), task.open_rows)
    law = np.full(len(task.number), 1 / len(task.number))
    every = task.blocks(np.arange(size))
    left = ROUNDS
    while True:
        left -= 1
        optimum = minimise(task.blocks(rows), task.columns.mean[rows], law)
        gain = sum(block.gain(answer) for block, answer in zip(every, optimum.answers, strict=True))
        reduced = (-gain - task.columns.mean @ optimum.multipliers) / optimum.value
        missed = max(0.0, -float(reduced.min()))
        if missed < ENOUGH or len(rows) == size or not left:
            break
        cheapest = np.argsort(reduced)[:MORE]
        rows = np.union1d(rows[optimum.weights > 1e-9], cheapest[reduced[cheapest] < 0])
    return replace(optimum, gap=optimum.gap + missed), rows
