"""A function of a set of items and a generator: a lower bound on its ε over sets of at most m, with confidence.

As `audit` does for values. Any two sets are neighbours, the empty one too: whoever sends fewer than m items pads them
herself. Some sets are tried, with one half of the reports; the pair that is told apart best sends the other half.

With marks the promise is SULDP-joint (theory/definitions#suldp): a report may prove an unmarked item, and is bounded
among its holders alone. What a report can prove at most are the unmarked items of *all* sets that sent it: so an event
against a set B has reports alone whose unmarked items in common B holds; or A and B differ in marked items alone.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from itertools import combinations, islice, permutations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks

from .audit import Audit, best, certified, checked, drawn
from .events import Counted, Event, ReportView, events, pairs_view, places_of, views

Mask = NDArray[np.bool_]
Items = tuple[int, ...]
MOST_TRIED = 32
"""Sets that are tried at most."""
SetFunction = Callable[[list[int], np.random.Generator], Any]


def audit_sets(
    function: SetFunction,
    k: int,
    m: int,
    rng: np.random.Generator,
    sensitive: ArrayLike | None = None,
    claimed: float | None = None,
    reports: int = 20_000,
    confidence: float = 0.99,
) -> Audit:
    """A lower bound on the ε (nats) of `function(items, rng) -> report`, items a list of at most m codes below k,
    ascending; of LDP, or, where `sensitive` (k,) marks items, of SULDP-joint.

    A report is a number, text, or a sequence or set of these. Half of `reports` are drawn for each set that is tried
    (`MOST_TRIED`, or all), the other half for the two that they tell apart best. ValueError or TypeError with a
    sentence.

    >>> from ldpcore.rng import stream
    >>> def one(items, rng):  # one of two items, of padding 3 and 4: 11 times likelier than another; ε = ln((11 + 1)/2)
    ...     item = [*items, 3, 4][rng.integers(2)]
    ...     return int(item if rng.random() < 2 / 3 else rng.integers(5))
    >>> told = audit_sets(one, 3, 2, stream(7), claimed=1.0, reports=4000)
    >>> 1.3 < told.epsilon < 1.79, told.refuted, told.tried
    (True, True, 7)
    """
    items, most = checks.domain_size(k), checks.integer(m, "m (items per set)", 1, k)
    marks = None if sensitive is None else checks.mask(sensitive, items)
    many, least = checked(reports, "set", confidence, claimed)
    sets = chosen(items, most, np.zeros(items, bool) if marks is None else marks, rng)

    def sent(some: Sequence[Items], each: int) -> list[list[Hashable]]:
        return drawn(some, lambda one: function(list(one), rng), each)  # a list of its own: it may be changed

    first = sent(sets, many // 2)
    telling = best(_events(sets, first, items, marks, confidence))
    x, z = (sets[place] for place in telling.pair)
    of_x, of_z = sent([x, z], many - many // 2)
    bounded = certified(telling, of_x, of_z, confidence)
    return Audit(**bounded, confidence=confidence, claimed=least, value=x, against=z, error=None, tried=len(sets))


# the sets --------------------------------------------------------------------------------------------------------


def chosen(k: int, m: int, marked: Mask, rng: np.random.Generator, most: int = MOST_TRIED) -> list[Items]:
    """Sets of at most m of k items: all of them, or so many that differ in everything, in one item, and at random.

    >>> from ldpcore.rng import stream
    >>> chosen(3, 2, np.zeros(3, bool), stream(1))
    [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]
    """
    if sum(comb(k, size) for size in range(m + 1)) <= most:
        return [items for size in range(m + 1) for items in combinations(range(k), size)]
    among = dict.fromkeys(tuple(np.unique(items).tolist()) for items in islice(_proposed(k, m, marked, rng), 50 * most))
    return list(among)[:most]


def _proposed(k: int, m: int, marked: Mask, rng: np.random.Generator) -> Iterator[NDArray[np.intp]]:
    """The empty set; full ones that share no item, of marked items first; beside the first of them what differs in one
    item or two; then sets at random.
    """
    order = rng.permutation(k)
    order = order[np.argsort(~marked[order], kind="stable")]
    full, other = order[:m], order[::-1]
    yield order[:0]
    yield full
    yield other[:m]  # unmarked ones, where there are so many
    for size in range(1, m):
        yield full[:size]
    yield from (np.append(full[1:], item) for item in order[m : m + 4])
    if marked.any() and not marked.all() and m > 1:  # what differs in marked items alone
        public = other[: min(m - 1, int((~marked).sum()))]
        yield from (np.append(public, item) for item in order[: min(4, int(marked.sum()))])
        yield public
    for begin in range(m, min(k, 8 * m), m):
        yield order[begin : begin + m]
    while True:
        yield rng.permutation(k)[: rng.integers(1, m + 1)]


# what tells them apart -------------------------------------------------------------------------------------------


def _events(
    sets: list[Items], first: list[list[Hashable]], k: int, marks: Mask | None, confidence: float
) -> Iterator[Event]:
    holds = np.zeros((len(sets), k), bool)
    for row, items in zip(holds, sets, strict=True):
        row[list(items)] = True
    unmarked = holds & (False if marks is None else ~marks)
    for view in [*views(first, 0), *_of_items(holds, unmarked, first)]:
        yield from events(view, first, confidence, None if marks is None else _bounded(view, first, unmarked))


def _bounded(view: ReportView, first: list[list[Hashable]], unmarked: Mask) -> Counted:
    """unmarked (sets, k): the unmarked items of each set. Several reports of one code may prove several items."""
    proven = np.ones((len(view.names), unmarked.shape[1]), bool)
    if view.exact:
        for part, items in zip(first, unmarked, strict=True):
            proven[np.setdiff1d(view.code(part), [len(proven) - 1])] &= items

    def counted(x: int, z: int) -> Mask:
        if np.array_equal(unmarked[x], unmarked[z]):
            return np.ones(len(proven), bool)
        return ~(proven & ~unmarked[z]).any(axis=1)

    return counted


def _of_items(holds: Mask, unmarked: Mask, first: list[list[Hashable]]) -> Iterator[ReportView]:
    """How many of the items that only the one set has, and only the other, a report speaks for: as bits or numbers, one
    for each item and what follows, or as codes.
    """
    everything, k = [report for part in first for report in part], holds.shape[1]
    if not all(isinstance(report, tuple) for report in everything):
        return
    places = places_of(everything)
    speaks = _placed if places is not None and places.shape[1] >= k else _coded
    known = {id(part): speaks(part, k) for part in first}  # asked for in every pair

    def counts(parts: NDArray[np.float64], reports: Sequence[Hashable]) -> NDArray[np.float64]:
        return (known[id(reports)] if id(reports) in known else speaks(reports, k)) @ parts

    for x, z in permutations(range(len(holds)), 2):
        if np.array_equal(unmarked[x], unmarked[z]):
            parts = np.column_stack([holds[x] & ~holds[z], holds[z] & ~holds[x]]).astype(float)
            both = np.concatenate([counts(parts, first[x]), counts(parts, first[z])])
            yield pairs_view(partial(counts, parts), both, "of the items of this set alone, and of the other alone,",
                             (x, z))  # fmt: skip


def _placed(reports: Sequence[Hashable], k: int) -> NDArray[np.float64]:
    """The first k numbers of each report (n, k); of one that has another form, zeros."""
    rows = np.zeros((len(reports), k))
    for row, report in zip(rows, reports, strict=True):
        if isinstance(report, tuple) and len(report) >= k and all(isinstance(part, (int, float)) for part in report):
            row[:] = report[:k]
    return rows


def _coded(reports: Sequence[Hashable], k: int) -> NDArray[np.float64]:
    """Whether each report names each item (n, k)."""
    rows = np.zeros((len(reports), k))
    for row, report in zip(rows, reports, strict=True):
        if isinstance(report, tuple):
            row[[part for part in report if isinstance(part, int) and 0 <= part < k]] = 1
    return rows
