"""A function of a value and a generator, about which nothing else is known: a lower bound on its ε, with confidence.

Reports of every value are drawn and halved. On one half an event is chosen, a set of reports that is much likelier
under x than under z; on the other half it is counted, and by Clopper and Pearson's exact ends

    ε ≥ ln(low(Pr[event | x]) / high(Pr[event | z]))

with the confidence that is asked for, as the event does not depend on the half that tests it. A bound from below: it
can refute a promise, and never prove one. What is rarer than one report in so many is not seen.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldpcore import checks
from ldpcore.estimators.intervals import proportion_ends

from .events import Event, bound, events, is_numeric, views, whole

Array = NDArray[np.float64]
MOST_VALUES = 64
LEAST_REPORTS = 100
MOST_PARTS = 100_000_000
"""Numbers and letters of all reports together."""
Function = Callable[[int, np.random.Generator], Any]


@dataclass(frozen=True, eq=False)
class Audit:
    """What was found of a function: ε is at least `epsilon`, with `confidence`, by the event `said` of its reports.

    value, against: what it was called with, a value's code or the items of a set. tried: of so many sets; 0 of values,
    which are all tried.
    seen, against_seen: how many of `reports` reports of `value`, and of the value `against`, the event holds, in the
    half that tests it. error (k,): the root mean squared error of every share, with one person, of a collector who
    learned the chances of reports from the first half, at even shares; None where these tell nothing of some value.
    """

    epsilon: float
    confidence: float
    claimed: float | None
    value: int | tuple[int, ...]
    against: int | tuple[int, ...]
    said: str
    seen: int
    against_seen: int
    reports: int
    error: Array | None
    tried: int = 0

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
    many, least = checked(reports, "value", confidence, claimed)
    sent = drawn(range(size), lambda value: function(value, rng), many)
    first, second = ([part[half] for part in sent] for half in (slice(0, many // 2), slice(many // 2, None)))
    telling = best(event for view in views(first, size) for event in events(view, first, confidence))
    x, z = telling.pair
    return Audit(**certified(telling, second[x], second[z], confidence), confidence=confidence, claimed=least, value=x,
                 against=z, error=_error(first, second))  # fmt: skip


def checked(reports: int, each: str, confidence: float, claimed: float | None) -> tuple[int, float | None]:
    """How many reports are drawn for each value, or set, and the ε that is claimed. ValueError with a sentence."""
    many = checks.integer(reports, f"reports (drawn for each {each})", LEAST_REPORTS)
    if not 0.5 <= confidence < 1:
        raise ValueError(f"confidence lies between 0.5 and 1, got {confidence:g}; 0.99 is usual")
    return many, None if claimed is None else checks.epsilon(claimed)


def best(among: Iterator[Event]) -> Event:
    """The event that would bound ε by most, by the half that chose it."""
    return max(among, key=lambda event: event.promised)


def certified(telling: Event, reports: list[Hashable], others: list[Hashable], confidence: float) -> dict[str, Any]:
    """What an event bounds ε by on so many reports of either input that had no part in choosing it."""
    seen, against = (int(telling.holds(part).sum()) for part in (reports, others))
    least = float(bound(np.array([seen]), np.array([against]), len(reports), confidence)[0])
    return {
        "epsilon": max(0.0, least), "said": telling.said(), "seen": seen, "against_seen": against,
        "reports": len(reports),
    }  # fmt: skip


def drawn(inputs: Sequence[Any], call: Callable[[Any], Any], reports: int) -> list[list[Hashable]]:
    """So many reports of every input. ValueError where they are so long that they would fill the memory."""
    sent: list[list[Hashable]] = [[] for _ in inputs]
    size = 0
    for given, part in zip(inputs, sent, strict=True):
        for _ in range(reports):
            report = plain_report(call(given))
            part.append(report)
            size += len(report) if isinstance(report, (tuple, str, bytes)) else 1
            if size > MOST_PARTS:
                raise ValueError(
                    f"these reports have more than {MOST_PARTS} numbers or letters together; draw fewer than {reports} "
                    "for each value, or send shorter ones"
                )
    return sent


def plain_report(report: Any) -> Hashable:
    """A report as something that can be counted."""
    if isinstance(report, np.ndarray):
        report = report.ravel().tolist() if report.ndim else report.item()
    if isinstance(report, np.generic):
        report = report.item()
    if isinstance(report, (set, frozenset)):
        report = _ordered(report)
    if isinstance(report, bool):
        report = int(report)
    plain = tuple(plain_report(part) for part in report) if isinstance(report, (list, tuple)) else report
    if not isinstance(plain, (int, float, str, bytes, tuple)):
        raise TypeError(
            f"a report is a number, text, or a sequence or set of these, got {type(report).__name__}; return one of "
            "these"
        )
    return plain


def _ordered(report: Iterable[Any]) -> list[Hashable]:
    """A set has no order that a collector could see."""
    parts = [plain_report(part) for part in report]
    try:
        return sorted(parts)  # type: ignore[type-var]
    except TypeError:  # numbers beside text
        return sorted(parts, key=repr)


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
    view = whole(everything)
    if isinstance(everything[0], tuple) and not 2 < len(view.names) < 256 and is_numeric(everything):
        return lambda reports: np.column_stack([np.ones(len(reports)), np.array(reports, float)])
    return lambda reports: np.eye(len(view.names))[view.code(reports)]
