"""Plain trees: a range is the sum of its canonical nodes, the largest measured blocks that tile it.

Blocks nest: sizes 1 = s₀ | s₁ | …; a block is canonical if it lies inside the range and the block above it does not.
So level k has inside(s_k) − (s_{k+1}/s_k)·inside(s_{k+1}) of them (theory/ranges#canonical-nodes).
"""

from collections.abc import Sequence

import numpy as np

from ldpcore.ranges.arguments import Cells, Vector

Run = tuple[Cells, Cells]


def inside(size: int, a: Cells, b: Cells) -> Run:
    """First and one past the last block within [a, b); equal where there is none."""
    first, last = -(-a // size), b // size
    return first, np.maximum(first, last)


def runs(sizes: Sequence[int], a: Cells, b: Cells) -> list[tuple[Run, Run]]:
    """For each level: the blocks inside the range, and those of them covered by a larger block inside."""
    within = [inside(size, a, b) for size in sizes]
    covered = [
        (above[0] * (large // small), above[1] * (large // small))
        for small, large, above in zip(sizes[:-1], sizes[1:], within[1:], strict=True)
    ]
    nothing = np.zeros_like(a)
    return list(zip(within, [*covered, (nothing, nothing)], strict=True))


def nodes(sizes: Sequence[int], a: Cells, b: Cells) -> list[Cells]:
    """How many canonical nodes [a, b) has at each level."""
    return [level[1] - level[0] - (above[1] - above[0]) for level, above in runs(sizes, a, b)]


def sums(sizes: Sequence[int], prefix: Sequence[Vector], a: Cells, b: Cells) -> Vector:
    """The sum of the canonical nodes, from each level's prefix sums."""
    total = np.zeros(np.shape(a))
    for (level, above), sum_to in zip(runs(sizes, a, b), prefix, strict=True):
        total = total + (sum_to[level[1]] - sum_to[level[0]]) - (sum_to[above[1]] - sum_to[above[0]])
    return total


def mean_nodes(sizes: Sequence[int], size: int) -> list[float]:
    """Mean number of canonical nodes per level over all ranges.

    M = N/s blocks lie in Σᵢ (is+1)((M−1−i)s+1) = s²M(M−1)(M−2)/6 + sM(M−1) + M ranges. Whole numbers until the last
    division: the levels nearly cancel.
    """
    ranges = size * (size + 1) // 2
    holding = [s * s * m * (m - 1) * (m - 2) // 6 + s * m * (m - 1) + m for s in sizes for m in [size // s]]
    above = [large // small * count for small, large, count in zip(sizes[:-1], sizes[1:], holding[1:], strict=True)]
    return [(level - more) / ranges for level, more in zip(holding, [*above, 0], strict=True)]
