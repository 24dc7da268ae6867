"""Groups of at most twelve items that cover chosen items and pairs (PrivBasis, theory/itemsets#privbasis)."""

from collections.abc import Iterator, Sequence

import numpy as np

WIDEST = 12
"""Items per group: 2^12 bins."""
Group = frozenset[int]


def covering(items: int, pairs: Sequence[tuple[int, int]]) -> list[Group]:
    """Groups that hold every item 0 … items − 1 and every pair, merged while the mean variance of these sets falls."""
    if items <= WIDEST:
        return [frozenset(range(items))]
    friends: list[set[int]] = [set() for _ in range(items)]
    for a, b in pairs:
        friends[a].add(b)
        friends[b].add(a)
    alone = [item for item in range(items) if not friends[item]]
    groups = [part for clique in _cliques(friends, set(), {i for i in range(items) if friends[i]}, set())
              for part in _split(sorted(clique))]  # fmt: skip
    groups += [frozenset(alone[start : start + 3]) for start in range(0, len(alone), 3)]
    sets = [frozenset([item]) for item in range(items)] + [frozenset(pair) for pair in pairs]
    return _merged(list(dict.fromkeys(groups)), sets)


def _cliques(friends: list[set[int]], clique: set[int], more: set[int], done: set[int]) -> Iterator[set[int]]:
    """Maximal cliques (Bron and Kerbosch, with a pivot)."""
    if not more and not done:
        yield clique
        return
    if not more:
        return
    pivot = max(more | done, key=lambda item: len(friends[item] & more))
    for item in sorted(more - friends[pivot]):
        yield from _cliques(friends, clique | {item}, more & friends[item], done & friends[item])
        more = more - {item}
        done = done | {item}


def _split(clique: list[int]) -> list[Group]:
    """A clique of more than twelve items as overlapping groups that still hold each of its pairs."""
    if len(clique) <= WIDEST:
        return [frozenset(clique)]
    half = WIDEST // 2
    parts = [clique[start : start + half] for start in range(0, len(clique), half)]
    return [frozenset(left + right) for place, left in enumerate(parts) for right in parts[place + 1 :]]


def _merged(groups: list[Group], sets: list[Group]) -> list[Group]:
    best = _variance(groups, sets)
    while len(groups) > 1:
        tried = []
        for place, left in enumerate(groups):
            for right in groups[place + 1 :]:
                if len(left | right) <= WIDEST:
                    rest = [group for group in groups if group not in (left, right)]
                    tried.append([*rest, left | right])
        costs = [_variance(some, sets) for some in tried]
        if not costs or min(costs) >= best:
            return groups
        best, groups = min(costs), tried[int(np.argmin(costs))]
    return groups


def _variance(groups: list[Group], sets: list[Group]) -> float:
    """Mean over the sets of their variance up to a factor: w² over Σ 2^(|X| − |B|), the groups B that hold X."""
    size = np.array([len(group) for group in groups])
    member = np.zeros((len(groups), max(map(max, groups)) + 1), bool)
    for row, group in zip(member, groups, strict=True):
        row[list(group)] = True
    precision = [np.sum(2.0 ** (len(some) - size[member[:, list(some)].all(axis=1)])) for some in sets]
    return len(groups) ** 2 * float(np.mean(1 / np.array(precision)))
