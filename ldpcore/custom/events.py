"""Events by which an audit tells two inputs apart: sets of reports that are much likelier under one than the other.

Reports are looked at in several ways (`views`); of each, the event is chosen that would bound ε by most (`events`).
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations
from math import inf, nan

import numpy as np
from numpy.typing import NDArray

from ldpcore import checks
from ldpcore.estimators.intervals import proportion_ends

Array = NDArray[np.float64]
Codes = NDArray[np.intp]
Mask = NDArray[np.bool_]
MOST_KINDS = 4096
"""Different reports that are looked at one by one."""
RARE = 10
"""Reports of one kind among all that are drawn, below which it is not looked at alone."""
BINS = 64
"""Into which numbers are cut where more of them differ."""
MOST_PLACES = 64
"""Places of a sequence that are looked at one by one."""


@dataclass(frozen=True, eq=False)
class ReportView:
    """One way to look at reports: what each is the code of, and what the codes are called. about: the one ordered pair
    of inputs that it is made for. exact: every code but the last is of one report.

    code gives every report one, also what nobody sent when the view was made.
    """

    code: Callable[[Sequence[Hashable]], Codes]
    names: Sequence[str]
    noun: str
    about: tuple[int, int] | None = None
    exact: bool = False


@dataclass(frozen=True, eq=False)
class Event:
    """The reports with these codes: so much likelier under the first input of the pair than under the second."""

    view: ReportView
    pair: tuple[int, int]
    codes: Codes
    promised: float
    """What a part of the reports that had none in choosing its codes would bound ε by."""

    def holds(self, reports: Sequence[Hashable]) -> NDArray[np.bool_]:
        return np.isin(self.view.code(reports), self.codes)

    def said(self) -> str:
        return f"{self.view.noun} {checks.name_list((str(self.view.names[int(code)]) for code in self.codes), 3)}"


def views(first: list[list[Hashable]], k: int) -> Iterator[ReportView]:
    """Whole reports; and of sequences every place, and for two values the places of both."""
    everything = [report for part in first for report in part]
    yield whole(everything)
    places = places_of(everything)
    if places is None:
        return
    for place in range(min(places.shape[1], MOST_PLACES)):
        yield _place(places, place)
    if places.shape[1] == k:
        for x, z in permutations(range(k), 2):
            yield _two(places, x, z)


def places_of(reports: Sequence[Hashable]) -> Array | None:
    """Sequences of numbers of one length, a row each; None for anything else."""
    lengths = {len(report) if isinstance(report, tuple) else -1 for report in reports}
    if len(lengths) != 1 or -1 in lengths or not is_numeric(reports):
        return None
    return np.array(reports, float)


def _number(report: Hashable, place: int) -> float:
    """What stands there; nan in a report that came later and has another form."""
    part = report[place] if isinstance(report, tuple) and len(report) > place else nan
    return part if isinstance(part, (int, float)) else nan


def is_numeric(reports: Sequence[Hashable]) -> bool:
    flat = (part for report in reports for part in (report if isinstance(report, tuple) else (report,)))
    return all(isinstance(part, (int, float)) for part in flat)


def whole(everything: list[Hashable]) -> ReportView:
    kinds = Counter(everything)
    # What is rare has one code together, as what the other half alone has: seen once or twice it promises too much.
    often = [report for report, count in kinds.most_common(MOST_KINDS) if count >= RARE]
    rest = len(everything) - sum(kinds[report] for report in often)
    if 2 * rest > len(everything) and is_numeric(everything) and not isinstance(everything[0], tuple):
        edges = edges_of(np.array(everything, float))

        def code(reports: Sequence[Hashable]) -> Codes:
            return np.searchsorted(edges, [_number((report,), 0) for report in reports])

        return ReportView(code, _spans(edges), "a report")
    kept = {report: code for code, report in enumerate(often)}
    names = [*(str(report)[:40] for report in kept), "any other"]

    def kind(reports: Sequence[Hashable]) -> Codes:
        return np.array([kept.get(report, len(kept)) for report in reports], np.intp)

    return ReportView(kind, names, "the report", exact=True)


def edges_of(numbers: Array, bins: int = BINS) -> Array:
    """Ends of cells with about as many of these numbers each; of few numbers, between each two of them."""
    known = np.unique(numbers)
    if len(known) <= bins:
        return (known[1:] + known[:-1]) / 2
    return np.unique(np.quantile(numbers, np.linspace(0, 1, bins + 1)[1:-1]))


def _spans(edges: Array) -> list[str]:
    ends = [-inf, *edges.tolist(), inf]
    return [f"from {low:.4g} to {high:.4g}" for low, high in pairwise(ends)]


def _place(places: Array, place: int) -> ReportView:
    edges = edges_of(places[:, place])

    def code(reports: Sequence[Hashable]) -> Codes:
        return np.searchsorted(edges, [_number(report, place) for report in reports])

    return ReportView(code, _spans(edges), f"place {place + 1} of the report")


def _two(places: Array, x: int, z: int) -> ReportView:
    def of_both(reports: Sequence[Hashable]) -> Array:
        return np.array([(_number(report, x), _number(report, z)) for report in reports])

    return pairs_view(of_both, places[:, [x, z]], f"places {x + 1} and {z + 1} of the report", (x, z))


def pairs_view(
    of: Callable[[Sequence[Hashable]], Array], known: Array, noun: str, about: tuple[int, int], bins: int = 8
) -> ReportView:
    """By two numbers of every report, (n, 2), each cut into so many cells; known: those of the reports that chose."""
    first, second = (edges_of(known[:, column], bins) for column in (0, 1))
    width = len(second) + 1

    def code(reports: Sequence[Hashable]) -> Codes:
        both = of(reports)
        return np.searchsorted(first, both[:, 0]) * width + np.searchsorted(second, both[:, 1])

    return ReportView(code, [f"{a} and {b}" for a in _spans(first) for b in _spans(second)], noun, about)


Counted = Callable[[int, int], Mask]
"""Which codes (codes,) an event may have that tells the first input from the second."""


def events(
    view: ReportView, first: list[list[Hashable]], confidence: float, counted: Counted | None = None
) -> Iterator[Event]:
    """For every pair of inputs the set of codes that would bound ε by most: those likeliest under x against z, as many
    as pay. Every second report chooses them, and the others say what they promise: of many codes some are seen under x
    alone by chance.
    """
    asked = permutations(range(len(first)), 2) if view.about is None else [view.about]
    codes = {v: view.code(part) for v, part in enumerate(first) if view.about is None or v in view.about}
    counts, others = (
        {v: np.bincount(code[start::2], minlength=len(view.names)) for v, code in codes.items()} for start in (0, 1)
    )
    for x, z in asked:
        order = np.argsort(-(counts[x] + 0.5) / (counts[z] + 0.5), kind="stable")
        order = order if counted is None else order[counted(x, z)[order]]
        if not len(order):
            continue
        bounds = bound(np.cumsum(counts[x][order]), np.cumsum(counts[z][order]), len(codes[x][::2]), confidence)
        taken = order[: int(np.argmax(bounds)) + 1]
        seen, against = (np.array([each[taken].sum()]) for each in (others[x], others[z]))
        yield Event(view, (x, z), taken, float(bound(seen, against, len(codes[x][1::2]), confidence)[0]))


def bound(seen: Codes, against: Codes, of: int, confidence: float) -> Array:
    """What an event that came so often, of so many reports of either input, bounds ε by from below: nats."""
    trials = np.full(len(seen), float(of))
    low, _ = proportion_ends(seen.astype(float), trials, confidence)
    _, high = proportion_ends(against.astype(float), trials, confidence)
    with np.errstate(divide="ignore"):
        return np.log(low) - np.log(high)
