"""The best hierarchy for a given N: branching, which block sizes to measure, and how to split the budget over them."""

from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np
from scipy.optimize import minimize

from ldpcore import checks
from ldpcore.ranges import arguments, blocks
from ldpcore.ranges.arguments import Vector
from ldpcore.ranges.tree import Hierarchy, Identity, NestedTree, Tree
from ldpcore.ranges.workload import Workload

MAX_CHAINS = 12
"""2^12 chains are looked at one by one; beyond, `best_tree` is nearly as good."""
STARTS = 4
CELLS = 1e-4
"""The least weight of a cell that a search tries, as a part of the largest weight."""
Cost = Callable[[Hierarchy], float]


def best_tree(h: int, workload: Workload | None = None, root: bool | None = None) -> Tree | Identity:
    """The consistent b-ary tree, with or without root (None: either), or the flat histogram, of least mean error."""
    h = arguments.height(h)
    roots = (False, True) if root is None else (root,)
    trees = [Tree(h, 1 << step, True, measured) for step in range(1, h + 1) for measured in roots]
    return min([Identity(h), *trees], key=_cost(h, workload))


def best_sizes(h: int, workload: Workload | None = None) -> NestedTree:
    """The best set of block sizes among all powers of two, equal weights (1·16·256-like chains,
    theory/ranges#comparison).
    """
    return min(_chains(h), key=_cost(h, workload))


def best_weights(h: int, workload: Workload | None = None) -> NestedTree:
    """Sizes and weights together: descent in the weights from the best few chains. A local optimum: the error is an
    upper bound of the best. At N ≤ 1024 it gains less than 5 % over equal weights (theory/ranges#comparison).
    """
    cost = _cost(h, workload)
    chains = sorted(_chains(h), key=cost)[:STARTS]
    return min([*chains, *(_descend(start, cost) for start in chains)], key=cost)


def _cost(h: int, workload: Workload | None) -> Cost:
    """Δ²·c̄ of consistent hierarchies over N = 2^h cells: a look at the ranges once, not at each of 2^h chains."""
    h = arguments.height(h)
    cells = 1 << h
    if workload is None:
        losses = {1 << k: blocks.mean_lost(1 << k, cells) for k in range(h + 1)}
        squared = (cells + 1) * (cells + 2) / 6
    else:
        workload.check(cells)
        losses = {1 << k: workload.mean_lost(1 << k) for k in range(h + 1)}
        squared = workload.mean_squared_length()

    def cost(hierarchy: Hierarchy) -> float:
        sizes, precisions = hierarchy.chain
        return hierarchy.sensitivity**2 * blocks.mean(sizes, precisions, [losses[s] for s in sizes], squared)

    return cost


def _chains(h: int) -> Iterator[NestedTree]:
    h = checks.integer(h, "h, when all sets of block sizes are compared,", 0, MAX_CHAINS)
    for count in range(h + 1):
        for above in combinations([1 << k for k in range(1, h + 1)], count):
            yield NestedTree(h, (1, *above), (1.0,) * (count + 1))


def _descend(start: NestedTree, cost: Cost) -> NestedTree:
    """Over the square roots of all levels' weights, which may reach zero; Δ²c̄ does not change with their scale."""
    every = tuple(1 << k for k in range(start.h + 1))

    def build(roots: Vector) -> NestedTree:
        kept = [i for i in range(len(every)) if i == 0 or roots[i] > 1e-3]
        # Cells must be measured. Much less than others, a range's variance is lost in the rounding of theirs.
        least = max(1e-3, CELLS**0.5 * float(roots.max()))
        weights = tuple(float(max(roots[i], least if i == 0 else 0.0) ** 2) for i in kept)
        return NestedTree(start.h, tuple(every[i] for i in kept), weights)

    first = np.array([1.0 if size in start.sizes else 0.2 for size in every])
    result = minimize(lambda roots: np.log(cost(build(roots))), first, bounds=[(0, None)] * len(every))
    return build(result.x)
