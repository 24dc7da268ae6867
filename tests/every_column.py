"""The least error for sets over every column there is, on universes small enough to write them all down.

It shares with the engine only the method for the weights (limit/blocks.py), which need not be trusted: the error of the
channel found is computed anew from its columns under every relabelling, and a dual certificate is checked against all
columns, so `low` and `high` hold whatever the weights are.
"""

from dataclasses import dataclass
from itertools import combinations, permutations, product

import numpy as np

from ldpcore.limit.blocks import InformationBlock, minimise

EMPTY = 1e-9
"""What the engine gives a layer where nobody is."""


@dataclass(frozen=True)
class Bracket:
    low: float
    """No channel has less."""
    high: float
    """A channel has this."""


class Universe:
    """Sets of m codes: `sizes` = marked items, dummies, other items. law: shares by (marked items, dummies)."""

    def __init__(self, sizes, m, epsilon, law=None, open_items=True):
        self.sizes, self.growth, self.open = sizes, np.exp(epsilon), open_items
        codes = sum(sizes)
        self.sets = list(combinations(range(codes), m))
        self.holds = np.array([[v in s for s in self.sets] for v in range(codes)])
        ends = np.cumsum(sizes)
        self.kinds = [range(0, ends[0]), range(ends[0], ends[1]), range(ends[1], ends[2])]
        key = [tuple(int(self.holds[list(kind), i].sum()) for kind in self.kinds[:2]) for i in range(len(self.sets))]
        self.layers = sorted(set(key))
        self.layer = np.array([self.layers.index(k) for k in key])
        self.size = np.bincount(self.layer)
        shares = self.size / len(self.sets) if law is None else np.array([law[a][e] for a, e in self.layers], float)
        shares = np.maximum(shares / shares.sum(), EMPTY)
        self.people = (shares / shares.sum() / self.size)[self.layer]
        self.law = shares / shares.sum()

    def columns(self):
        """(n, sets) every column with entries 1 and E on the sets that hold the i first unmarked items, else 0."""
        disclosed = range(min(max(map(len, self.sets)), self.sizes[2]) + 1) if self.open else [0]
        out = []
        for i in disclosed:
            inside = np.flatnonzero(self.holds[list(self.kinds[2][:i])].all(axis=0))
            high = (np.arange(1 << len(inside))[:, None] >> np.arange(len(inside)) & 1).astype(bool)
            columns = np.zeros((len(high), len(self.sets)))
            columns[:, inside] = np.where(high, self.growth, 1.0)
            out.append(columns[: len(columns) if len(inside) else 0])
        return np.vstack(out)

    def relabelled(self):
        """(relabellings, sets) where each set goes."""
        where = {s: i for i, s in enumerate(self.sets)}
        out = []
        for parts in product(*(permutations(kind) for kind in self.kinds)):
            to = np.concatenate([np.array(part, int) for part in parts])
            out.append([where[tuple(sorted(to[list(s)]))] for s in self.sets])
        return np.array(out)


def bracket(universe: Universe, costs: tuple[float, float]) -> Bracket:
    """Of the sum of costs · n·Var over the marked and over the other items."""
    u, columns = universe, universe.columns()
    columns = columns / (columns @ ((u.people + 1 / len(u.sets)) / 2))[:, None]
    counted = [(cost, list(kind)) for cost, kind in zip(costs, (u.kinds[0], u.kinds[2]), strict=True) if cost]
    counted = [(cost, items) for cost, items in counted if items]
    means = np.stack([columns[:, u.layer == i].mean(axis=1) for i in range(len(u.layers))], axis=1)
    every, blocks = [means], []
    for cost, items in counted:
        parts = _parts(u, items[0])
        seen = np.stack(
            [np.stack([columns[:, _some(u, v, *part)].mean(axis=1) for part in parts], axis=1) for v in items], axis=1
        )
        vectors = seen / np.sqrt((columns @ u.people) * len(items))[:, None, None]
        order = np.argsort(np.round(vectors @ np.sqrt(1 + np.arange(len(parts))), 9), axis=1)[:, :, None]
        every.append(np.take_along_axis(vectors, order, axis=1).reshape(len(columns), -1))
        blocks.append((cost * len(items), np.array([float(h) for _, h in parts]), vectors))
    once = np.unique(np.round(np.hstack(every), 9), axis=0, return_index=True)[1]
    reference = np.bincount(u.layer, (u.people + 1 / len(u.sets)) / 2)
    chosen = [InformationBlock(c, h, v[once]) for c, h, v in blocks]
    found = minimise(chosen, means[once], reference)
    scores = [np.zeros((len(u.sets), len(items))) for _, items in counted]
    for answer, score, (_, items) in zip(found.answers, scores, counted, strict=True):
        for j, v in enumerate(items):
            for value, part in zip(answer, _parts(u, v), strict=True):
                some = _some(u, v, *part)
                score[some, j] = value / some.sum()
    high = _error(u, columns[once], found.weights, counted)
    return Bracket(_dual(u, columns, scores, -found.multipliers, counted), high)


def _parts(u: Universe, v: int):
    """(layer, held) where there are such sets."""
    return [(i, h) for h in (True, False) for i in range(len(u.layers)) if _some(u, v, i, h).any()]


def _some(u: Universe, v: int, layer: int, held: bool):
    return (u.layer == layer) & (u.holds[v] == held)


def _error(u: Universe, chosen, weights, counted) -> float:
    """Of the channel with these weights, each column under every relabelling, with its best unbiased estimate."""
    used, moved = weights > 1e-12, u.relabelled()
    reports = np.concatenate([chosen[used][:, to] for to in moved])
    share = np.tile(weights[used], len(moved)) / len(moved)
    # A channel adds up to 1 under every set: what is missing goes to one more report, nearly as likely under all.
    total = share @ reports
    spread = 1 - total.min() / total.max()
    assert spread < 1e-6
    whole = total.max() * (1 + 100 * spread + 1e-9)
    reports, share = np.vstack([reports / whole, 1 - total / whole]), np.append(share, 1.0)
    information = (reports * (share / (reports @ u.people))[:, None]).T @ reports
    # Singular: of nothing but who holds an item is there information.
    scale = 1 / np.sqrt(np.diag(information))
    unit, out = information * scale * scale[:, None], 0.0
    for cost, items in counted:
        held = u.holds[items].astype(float).T
        best = scale[:, None] * np.linalg.lstsq(unit, scale[:, None] * held, rcond=1e-13)[0]
        assert np.abs(information @ best - held).max() < 1e-5
        out += cost * float(np.sum(held * best) - np.sum(u.people @ held))
    return out


def _dual(u: Universe, columns, scores, multipliers, counted) -> float:
    """Whatever the scores and multipliers are, no channel of these columns has less than this."""
    worth, gain = 0.0, np.zeros(len(columns))
    for (cost, items), score in zip(counted, scores, strict=True):
        held = u.holds[items].astype(float).T
        worth += cost * float(2 * np.sum(held * score) - np.sum(u.people @ held))
        gain += cost * np.sum((columns @ score) ** 2, axis=1) / (columns @ u.people)
    price = (multipliers / u.size)[u.layer]
    # Columns are scaled to 1 under the reference law, whose total is 1: so much dearer, and none is worth its price.
    return worth - float(price.sum()) - max(0.0, float((gain - columns @ price).max()))
