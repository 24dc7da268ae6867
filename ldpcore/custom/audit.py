"""A function of a value and a generator, about which nothing else is known: a lower bound on its ε, with confidence.

Reports of every value are drawn and halved. On one half an event is chosen, a set of reports that is much likelier
under x than under z; on the other half it is counted, and by Clopper and Pearson's exact ends

    ε ≥ ln(low(Pr[event | x]) / high(Pr[event | z]))

with the confidence that is asked for, as the event does not depend on the half that tests it. A bound from below: it
can refute a promise, and never prove one. What is rarer than one report in so many is not seen.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations
from math import inf, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldpcore import checks
from ldpcore.estimators.intervals import proportion_ends

Array = NDArray[np.float64]
Codes = NDArray[np.intp]
MOST_KINDS = 4096
"""Different reports that are looked at one by one."""
RARE = 10
"""Reports of one kind among all that are drawn, below which it is not looked at alone."""
BINS = 64
"""Into which numbers are cut where more of them differ."""
MOST_VALUES = 64
LEAST_REPORTS = 100
MOST_PARTS = 100_000_000
"""Numbers and letters of all reports together."""
Function = Callable[[int, np.random.Generator], Any]


@dataclass(frozen=True, eq=False)
class Audit:
    """What was found of a function: ε is at least `epsilon`, with `confidence`, by the event `said` of its reports.

    seen, against_seen: how many of `reports` reports of `value`, and of the value `against`, the event holds, in the
    half that tests it. error (k,): the root mean squared error of every share, with one person, of a collector who
    learned the chances of reports from the first half, at even shares; None where these tell nothing of some value.
    """

    epsilon: float
    confidence: float
    claimed: float | None
    value: int
    against: int
    said: str
    seen: int
    against_seen: int
    reports: int
    error: Array | None

    @property
    def refuted(self) -> bool:
        """Whether it breaks the ε that is claimed for it."""
        return self.claimed is not None and bool(self.epsilon > self.claimed)

    @property
    def most(self) -> float:
        """The largest ε that so many reports could have shown: what is beyond cannot be refuted with them."""
        ends = proportion_ends(np.array([self.reports, 0.0]), np.full(2, float(self.reports)), self.confidence)
        return log(float(ends[0][0]) / float(ends[1][1]))


def audit(
    function: Function,
    k: int,
    rng: np.random.Generator,
    claimed: float | None = None,
    reports: int = 20_000,
    confidence: float = 0.99,
) -> Audit:
    """A lower bound on the ε (LDP, nats) of `function(value, rng) -> report`, value a code below k.

    A report is a number, text, or a sequence of numbers of one length (bits, say). `reports` are drawn for each value,
    half of them to choose an event and half to test it. ValueError or TypeError with a sentence.

    >>> from ldpcore.rng import stream
    >>> def coin(value, rng):  # says 1 with 3/4 or 1/4: ε = ln 3 = 1.099
    ...     return int(rng.random() < (0.75 if value else 0.25))
    >>> found = audit(coin, 2, stream(7), claimed=0.5, reports=4000)
    >>> 0.9 < found.epsilon < 1.099, found.refuted
    (True, True)
    """
    size = checks.integer(k, "k (the number of values)", 2, MOST_VALUES)
    drawn = checks.integer(reports, "reports (drawn for each value)", LEAST_REPORTS)
    if not 0.5 <= confidence < 1:
        raise ValueError(f"confidence lies between 0.5 and 1, got {confidence:g}; 0.99 is usual")
    bound = None if claimed is None else checks.epsilon(claimed)
    sent = _drawn(function, size, drawn, rng)
    first, second = ([part[half] for part in sent] for half in (slice(0, drawn // 2), slice(drawn // 2, None)))
    telling = max((event for view in _views(first, size) for event in _events(view, first, confidence)),
                key=lambda event: event.promised)  # fmt: skip
    x, z = telling.pair
    seen, against = (int(telling.holds(second[v]).sum()) for v in (x, z))
    tested = len(second[0])
    return Audit(
        max(0.0, float(_bound(np.array([seen]), np.array([against]), tested, confidence)[0])), confidence, bound, x, z,
        telling.said(), seen, against, tested, _error(first, second),
    )  # fmt: skip


def _drawn(function: Function, k: int, reports: int, rng: np.random.Generator) -> list[list[Hashable]]:
    """So many reports of every value. ValueError where they are so long that they would fill the memory."""
    sent: list[list[Hashable]] = [[] for _ in range(k)]
    size = 0
    for value, part in enumerate(sent):
        for _ in range(reports):
            report = _plain(function(value, rng))
            part.append(report)
            size += len(report) if isinstance(report, (tuple, str, bytes)) else 1
            if size > MOST_PARTS:
                raise ValueError(
                    f"these reports have more than {MOST_PARTS} numbers or letters together; draw fewer than {reports} "
                    "for each value, or send shorter ones"
                )
    return sent


def _plain(report: Any) -> Hashable:
    """A report as something that can be counted."""
    if isinstance(report, np.ndarray):
        report = report.ravel().tolist() if report.ndim else report.item()
    if isinstance(report, np.generic):
        report = report.item()
    if isinstance(report, (set, frozenset)):
        report = sorted(report)
    if isinstance(report, bool):
        report = int(report)
    plain = tuple(_plain(part) for part in report) if isinstance(report, (list, tuple)) else report
    if not isinstance(plain, (int, float, str, bytes, tuple)):
        raise TypeError(
            f"a report is a number, text, or a sequence of numbers, got {type(report).__name__}; return one of these"
        )
    return plain


# events ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _View:
    """One way to look at reports: what each is the code of, and what the codes are called. about: the one ordered pair
    of values that it is made for.
    """

    code: Callable[[Sequence[Hashable]], Codes]
    names: Sequence[str]
    noun: str
    about: tuple[int, int] | None = None


@dataclass(frozen=True, eq=False)
class _Event:
    view: _View
    pair: tuple[int, int]
    codes: Codes
    promised: float
    """What the half that chose it would bound ε by."""

    def holds(self, reports: Sequence[Hashable]) -> NDArray[np.bool_]:
        return np.isin(self.view.code(reports), self.codes)

    def said(self) -> str:
        return f"{self.view.noun} {checks.name_list((str(self.view.names[int(code)]) for code in self.codes), 3)}"


def _views(first: list[list[Hashable]], k: int) -> Iterator[_View]:
    """Whole reports; and of sequences every place, and for two values the places of both."""
    everything = [report for part in first for report in part]
    yield _whole(everything)
    lengths = {len(report) if isinstance(report, tuple) else -1 for report in everything}
    if len(lengths) != 1 or -1 in lengths or not _numeric(everything):
        return
    places = np.array(everything, float)
    for place in range(min(places.shape[1], MOST_VALUES)):
        yield _place(places, place)
    if places.shape[1] == k:
        for x, z in permutations(range(k), 2):
            yield _two(places, x, z)


def _numeric(reports: Sequence[Hashable]) -> bool:
    flat = (part for report in reports for part in (report if isinstance(report, tuple) else (report,)))
    return all(isinstance(part, (int, float)) for part in flat)


def _whole(everything: list[Hashable]) -> _View:
    kinds = Counter(everything)
    # What is rare has one code together, as what the other half alone has: seen once or twice it promises too much.
    often = [report for report, count in kinds.most_common(MOST_KINDS) if count >= RARE]
    rest = len(everything) - sum(kinds[report] for report in often)
    if 2 * rest > len(everything) and _numeric(everything) and not isinstance(everything[0], tuple):
        edges = _edges(np.array(everything, float))
        return _View(lambda reports: np.searchsorted(edges, np.array(reports, float)), _spans(edges), "a report")
    kept = {report: code for code, report in enumerate(often)}
    names = [*(str(report)[:40] for report in kept), "any other"]
    return _View(lambda reports: np.array([kept.get(report, len(kept)) for report in reports]), names, "the report")


def _edges(numbers: Array, bins: int = BINS) -> Array:
    """Ends of cells with about as many of these numbers each; of few numbers, between each two of them."""
    known = np.unique(numbers)
    if len(known) <= bins:
        return (known[1:] + known[:-1]) / 2
    return np.unique(np.quantile(numbers, np.linspace(0, 1, bins + 1)[1:-1]))


def _spans(edges: Array) -> list[str]:
    ends = [-inf, *edges.tolist(), inf]
    return [f"from {low:.4g} to {high:.4g}" for low, high in pairwise(ends)]


def _place(places: Array, place: int) -> _View:
    edges = _edges(places[:, place])
    return _View(
        lambda reports: np.searchsorted(edges, np.array([report[place] for report in reports], float)),  # type: ignore[index]
        _spans(edges), f"place {place + 1} of the report",
    )  # fmt: skip


def _two(places: Array, x: int, z: int) -> _View:
    first, second = (_edges(places[:, place], 8) for place in (x, z))
    width = len(second) + 1
    names = [f"{a} and {b}" for a in _spans(first) for b in _spans(second)]

    def code(reports: Sequence[Hashable]) -> Codes:
        both = np.array([(report[x], report[z]) for report in reports], float)  # type: ignore[index]
        return np.searchsorted(first, both[:, 0]) * width + np.searchsorted(second, both[:, 1])

    return _View(code, names, f"places {x + 1} and {z + 1} of the report", (x, z))


def _events(view: _View, first: list[list[Hashable]], confidence: float) -> Iterator[_Event]:
    """For every pair of values the set of codes that would bound ε by most: those likeliest under x against z, as many
    as pay.
    """
    asked = permutations(range(len(first)), 2) if view.about is None else [view.about]
    counts = {v: np.bincount(view.code(part), minlength=len(view.names)) for v, part in enumerate(first)
              if view.about is None or v in view.about}  # fmt: skip
    for x, z in asked:
        order = np.argsort(-(counts[x] + 0.5) / (counts[z] + 0.5), kind="stable")
        bounds = _bound(np.cumsum(counts[x][order]), np.cumsum(counts[z][order]), len(first[x]), confidence)
        best = int(np.argmax(bounds))
        yield _Event(view, (x, z), order[: best + 1], float(bounds[best]))


def _bound(seen: Codes, against: Codes, of: int, confidence: float) -> Array:
    trials = np.full(len(seen), float(of))
    low, _ = proportion_ends(seen.astype(float), trials, confidence)
    _, high = proportion_ends(against.astype(float), trials, confidence)
    with np.errstate(divide="ignore"):
        return np.log(low) - np.log(high)


# what a collector would get --------------------------------------------------------------------------------------


def _error(first: list[list[Hashable]], second: list[list[Hashable]]) -> Array | None:
    """Root mean squared errors (k,) with one person, at even shares: scores from one half, spread on the other."""
    everything = [report for part in first for report in part]
    seen = _features(everything)
    learned = np.array([seen(part).mean(axis=0) for part in first])
    pooled = seen(everything)
    if not np.isfinite(pooled).all():  # sequences that hold what is no number
        return None
    spread = np.linalg.pinv(pooled.T @ pooled / len(pooled), rcond=1e-9, hermitian=True)
    information = learned @ spread @ learned.T
    size = np.linalg.eigvalsh(information)
    if size[0] < 1e-6 * size[-1]:
        return None
    scores = spread @ learned.T @ np.linalg.inv(information)
    each = [seen(part) @ scores for part in second]
    within = np.mean([part.var(axis=0) for part in each], axis=0)
    bias = np.mean([part.mean(axis=0) for part in each], axis=0) - 1 / len(first)
    return np.sqrt(within + bias**2)


def _features(everything: list[Hashable]) -> Callable[[Sequence[Hashable]], Array]:
    """Reports as rows of numbers of which estimates are sums: one for each kind; of long sequences, their numbers."""
    view = _whole(everything)
    if isinstance(everything[0], tuple) and not 2 < len(view.names) < 256 and _numeric(everything):
        return lambda reports: np.column_stack([np.ones(len(reports)), np.array(reports, float)])
    return lambda reports: np.eye(len(view.names))[view.code(reports)]
