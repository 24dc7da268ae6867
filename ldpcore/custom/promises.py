"""Which definitions a table of chances keeps, at which least ε, and which pair of values and which report decide it."""

from dataclasses import dataclass
from functools import lru_cache
from math import inf

import numpy as np
from numpy.typing import NDArray

from ldpcore import checks
from ldpcore.channel import Channel, ReportColumn
from ldpcore.levels import Levels
from ldpcore.policy import LDP, SDLDP, ULDP, GuardedSDLDP, Policy

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
NONE = "none"
ORDER = (LDP.name, ULDP.name, GuardedSDLDP.name, SDLDP.name, Levels.name)
"""The strongest first: who keeps one of the first four keeps those after it, with these marks, at the same ε. Levels
know no marks; who keeps LDP or ULDP keeps levels with this ε on marked values, who keeps SDLDP may keep none."""
AVERAGE = -1
"""In place of a value: the average of the values that are not marked."""


@dataclass(frozen=True)
class KeptPromise:
    """One definition: the least ε (nats; inf: at none) at which it is kept; for levels the largest, and all of them.

    Report `report` speaks for value `value` against value `against` (AVERAGE: the average of the values that are not
    marked) by just so much; codes.
    """

    definition: str
    epsilon: float
    value: int
    against: int
    report: int
    epsilons: tuple[float, ...] = ()

    @property
    def without(self) -> int:
        """Of a promise of levels: values of which nothing is promised, ε = ∞; its ε says nothing of them."""
        return sum(each == inf for each in self.epsilons)


def kept(matrix: Array, sensitive: NDArray[np.bool_] | None = None) -> dict[str, KeptPromise]:
    """Definition → what is kept of it; without marks only LDP and levels are told.

    >>> grr = np.array([[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.25, 0.25, 0.5]])
    >>> found = kept(grr)
    >>> list(found), round(found["LDP"].epsilon, 6), found["LDP"].value, found["LDP"].report
    (['LDP', 'levels'], 0.693147, 0, 0)
    """
    k, outputs = matrix.shape
    marks, every, reports = checks.mask(sensitive, k), np.ones((k, k), bool), np.ones(outputs, bool)
    promises = {LDP.name: worst(LDP.name, matrix, [(every, reports)])}
    if marks.any():
        alone = _low(matrix, marks, others_only=False)
        promises[ULDP.name] = worst(ULDP.name, matrix, [(every, ~alone)])
        low = _low(matrix, marks, others_only=True)
        plain = worst(SDLDP.name, matrix, [(every, ~low), (np.outer(marks, marks), reports)])
        promises[GuardedSDLDP.name] = _guarded(matrix, marks, low, plain)
        promises[SDLDP.name] = plain
    return promises | {Levels.name: _levels(matrix)}


def strongest(found: dict[str, KeptPromise]) -> KeptPromise:
    """The first of the definitions that is kept at any ε up to 40; NONE if there is none."""
    whole = (found[name] for name in ORDER if name in found)
    promise = next((each for each in whole if each.epsilon <= checks.MAX_EPSILON), None)
    return promise or KeptPromise(
        NONE, inf, *[getattr(found[LDP.name], part) for part in ("value", "against", "report")]
    )


def policy_of(held: KeptPromise, sensitive: NDArray[np.bool_] | None) -> Policy:
    """The definition as a predicate on channels; of none at all, levels that bound nothing."""
    marks = np.zeros(0, bool) if sensitive is None else sensitive
    if held.definition == LDP.name:
        return LDP(held.epsilon)
    if held.definition == NONE:
        return Levels((inf,) * len(marks))
    if held.definition == Levels.name:
        return Levels(held.epsilons)
    made = {each.name: each for each in (ULDP, SDLDP, GuardedSDLDP)}[held.definition]
    return made(held.epsilon, marks)


def as_columns(
    matrix: Array, sensitive: NDArray[np.bool_] | None, definition: str, names: tuple[str, ...]
) -> tuple[ReportColumn, ...]:
    """What each report says under this definition: protected, or the value that it gives away."""
    marks = checks.mask(sensitive, len(matrix))
    if definition in (LDP.name, Levels.name, NONE):
        low = np.zeros(matrix.shape[1], bool)
    else:
        low = _low(matrix, marks, others_only=definition != ULDP.name)
    shown = np.argmax((matrix > 0) & ~marks[:, None], axis=0)
    return tuple(ReportColumn(name, not low[y], int(shown[y]) if low[y] else None) for y, name in enumerate(names))


def _low(matrix: Array, marks: Mask, others_only: bool) -> Mask:
    """(outputs,) reports that are possible under one value that is not marked, and under no other (others_only: under
    no other that is not marked).
    """
    possible = matrix > 0
    among = possible[~marks].sum(axis=0) == 1
    return among if others_only else among & ~possible[marks].any(axis=0)


def worst(definition: str, matrix: Array, bounded: list[tuple[Mask, Mask]]) -> KeptPromise:
    """The least ε at which these losses are bounded; bounded: pairs (k, k), and the reports (outputs,) over which."""
    promise = KeptPromise(definition, 0.0, 0, 0, 0)
    for pairs, reports in bounded:
        where = np.flatnonzero(reports)
        if not len(where) or not pairs.any():
            continue
        loss = np.where(pairs, _loss(matrix, reports), 0)
        x, z = (int(code) for code in np.unravel_index(np.argmax(loss), loss.shape))
        if loss[x, z] > promise.epsilon:
            promise = KeptPromise(definition, rounded(loss[x, z]), x, z, int(where[_telling(matrix[:, where], x, z)]))
    return promise


def _loss(matrix: Array, reports: Mask) -> Array:
    """`Channel.privacy_loss` over these reports, kept: the definitions ask for the same ones."""
    return _kept_loss(matrix.tobytes(), matrix.shape, reports.tobytes())


@lru_cache(maxsize=8)
def _kept_loss(table: bytes, shape: tuple[int, int], kept: bytes) -> Array:
    part = np.frombuffer(table).reshape(shape)[:, np.frombuffer(kept, bool)]
    with np.errstate(divide="ignore", invalid="ignore"):
        log = np.log(part)
        if np.isfinite(log).all():  # a third of the time of the table with zeros
            return np.array([(row - log).max(axis=1, initial=-inf) for row in log])
    columns = tuple(ReportColumn(str(y)) for y in range(part.shape[1] + 1))
    whole = np.column_stack([part, np.maximum(1 - part.sum(axis=1), 0.0)])
    return Channel(whole, columns).privacy_loss(np.arange(part.shape[1] + 1) < part.shape[1])


def losses(matrix: Array) -> Array:
    """L[x, z], the largest ln(P[x, y]/P[z, y]) over all reports: (k, k)."""
    return _loss(matrix, np.ones(matrix.shape[1], bool))


def _telling(part: Array, x: int, z: int) -> int:
    with np.errstate(divide="ignore", invalid="ignore"):
        return int(np.argmax(np.where(part[x] > 0, np.log(part[x]) - np.log(part[z]), -inf)))


def _guarded(matrix: Array, marks: Mask, low: Mask, plain: KeptPromise) -> KeptPromise:
    promise = KeptPromise(GuardedSDLDP.name, plain.epsilon, plain.value, plain.against, plain.report)
    where = np.flatnonzero(low)
    if marks.all() or not len(where):
        return promise
    crowd = matrix[~marks].mean(axis=0)[where]
    with np.errstate(divide="ignore", invalid="ignore"):
        loss = np.where(matrix[marks][:, where] > 0, np.log(matrix[marks][:, where]) - np.log(crowd), -inf)
    s, y = np.unravel_index(np.argmax(loss), loss.shape)
    if loss[s, y] <= promise.epsilon:
        return promise
    return KeptPromise(GuardedSDLDP.name, rounded(loss[s, y]), int(np.flatnonzero(marks)[s]), AVERAGE, int(where[y]))


def _levels(matrix: Array) -> KeptPromise:
    """The smallest ε of every value: inf where a report excludes another value for it."""
    loss = losses(matrix)
    worst = loss.max(axis=1)
    least = np.array([rounded(each) if each <= checks.MAX_EPSILON else inf for each in worst])
    bound = np.isfinite(least)
    if not bound.any():
        return KeptPromise(Levels.name, inf, 0, 0, 0, tuple(least.tolist()))
    x = int(np.argmax(np.where(bound, least, -1)))
    z = int(np.argmax(loss[x]))
    return KeptPromise(Levels.name, float(least[x]), x, z, _telling(matrix, x, z), tuple(least.tolist()))


def rounded(loss: float) -> float:
    """Twelve digits: what is beyond is the rounding of logarithms, and 1 is 1."""
    return float(f"{loss:.12g}") if np.isfinite(loss) else inf
