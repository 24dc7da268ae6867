"""Presence: does this person hold any sensitive item? Decided from the joint report, prior ½ : ½
(theory/adversary#presence).

The adversary knows the mechanism, the hash in the report, and which sets people have; it compares the mean likelihood
of the sets with a sensitive item with that of the sets without. Where sets are too many to list, the items D that a
report discloses are taken as known, and the rest of the set is drawn from the population.
"""

from collections import defaultdict
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from ldpcore import checks
from ldpcore.channel import SetChannel
from ldpcore.randomizer import TIE, NotEnumerable, Reports
from ldpcore.set_randomizer import SetRandomizer, Sets, keys_of

KNOWN = 300
"""Sets of either kind that the simulated adversary averages over: more are sampled down."""

CELLS = 1 << 20
"""Codes of sets that are looked at together."""
SMALL = 1 << 16
"""Entries of an exact channel that is kept as long as its mechanism, which is asked about item after item."""
_KEPT: WeakKeyDictionary[SetRandomizer, SetChannel] = WeakKeyDictionary()


@dataclass(frozen=True)
class Presence:
    """Share of right decisions; blind guessing has ½. `low`, `high`: 95 % interval, the value itself where exact."""

    success: float
    low: float
    high: float
    exact: bool
    users: int = 0


def success(
    mechanism: SetRandomizer,
    sensitive: ArrayLike,
    population: ArrayLike | None = None,
    rng: np.random.Generator | None = None,
    users: int = 2000,
    public: int | None = None,
) -> Presence:
    """How often the adversary is right. `sensitive` (k,): the items that matter, also to mechanisms that know no marks.

    `population` (r, m): the sets that people have, None: all sets alike. Exact where the channel can be enumerated; for
    hashed mechanisms only given the hash, `public`. Else simulated with `rng` on `users` people of one half of the
    population (all of it, when None), the adversary knowing the other half. Raises ValueError where all sets, or none,
    have a sensitive item.
    """
    mask = np.r_[checks.mask(np.asarray(sensitive), mechanism.k), np.zeros(mechanism.dummies, bool)]
    if not mechanism.hashed or public is not None:
        try:
            return _exact(mechanism, mask, population, public)
        except NotEnumerable:
            if rng is None:
                raise
    if rng is None:
        raise ValueError("this mechanism's presence attack is simulated: pass rng (or, for a hashed one, public)")
    return _simulated(mechanism, mask, population, rng, checks.integer(users, "users", 2))


def _holds(sets: Sets, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which sets (n, m) have an item of the mask: (n,). Short rows are summed in half the time that `any` takes."""
    return np.einsum("ij->i", mask.take(sets).astype(np.intp)) > 0


def _split(has: NDArray[np.bool_], rows: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Those of these rows with a sensitive item, and those without."""
    some = has[rows]
    if np.all(some) or not np.any(some):
        raise ValueError(
            f"presence needs sets with and sets without a sensitive item, {np.count_nonzero(some)} of {len(rows)} "
            "have one; mark other items or load other data"
        )
    return rows[some], rows[~some]


def _exact(
    mechanism: SetRandomizer, mask: NDArray[np.bool_], population: ArrayLike | None, public: int | None
) -> Presence:
    channel = _KEPT.get(mechanism) if public is None else None
    if channel is None:
        channel = mechanism.channel(public)
        if public is None and channel.matrix.size <= SMALL:
            _KEPT[mechanism] = channel
    weight = np.ones(len(channel.sets))
    if population is not None:
        known = checks.item_sets(population, mechanism.inner, mechanism.m)
        rank = {row: i for i, row in enumerate(map(tuple, channel.sets.tolist()))}
        place = np.array([rank[row] for row in map(tuple, known.tolist())], np.intp)
        weight = np.bincount(place, minlength=len(weight)).astype(float)
    rows = np.flatnonzero(weight)
    yes, no = _split(_holds(channel.sets, mask), rows)
    chances = [weight[part] @ channel.matrix[part] / weight[part].sum() for part in (yes, no)]
    value = float(np.maximum(*chances).sum() / 2)
    return Presence(value, value, value, True)


def _simulated(
    mechanism: SetRandomizer,
    mask: NDArray[np.bool_],
    population: ArrayLike | None,
    rng: np.random.Generator,
    users: int,
) -> Presence:
    if population is None:
        sets = mechanism.all_sets()
        known = targets = np.arange(len(sets))
    else:
        sets = checks.item_sets(population, mechanism.inner, mechanism.m)
        order = rng.permutation(len(sets))
        known, targets = order[: len(sets) // 2], order[len(sets) // 2 :]
    has = _holds(sets, mask)
    people = [rng.choice(part, (users + i) // 2) for i, part in enumerate(_split(has, targets))]
    reports = mechanism.perturb(sets[np.concatenate(people)], rng)
    truth = np.arange(users) < len(people[0])
    crowds = [
        sets[rng.choice(part, KNOWN, replace=False) if len(part) > KNOWN else part] for part in _split(has, known)
    ]
    distinct = _distinct(mechanism, reports)
    yes, no = (
        _log_chances(mechanism, distinct, crowd, mask, has, rng)
        for crowd, has in zip(crowds, (True, False), strict=True)
    )
    with np.errstate(invalid="ignore"):
        score = yes - no
    # Neither crowd explains the report (−∞ − −∞), or both alike: a coin.
    undecided = np.isnan(score) | (np.abs(score) <= TIE)
    right = np.where(undecided, rng.random(users) < 0.5, (score > 0) == truth)
    return interval(int(np.count_nonzero(right)), users)


@dataclass(frozen=True, eq=False)
class _Distinct:
    """Reports (n,); those that differ, which of these each of them is (n,), and what each of these discloses."""

    reports: Reports
    kinds: Reports
    alike: NDArray[np.intp]
    disclosed: list[tuple[int, ...]]

    def undisclosing(
        self, mechanism: SetRandomizer, crowd: Sets
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_], list[tuple[int, ...]]]:
        """ln Pr[report | somebody of this crowd] (n,) where it discloses nothing, where that is, and what each
        discloses. Of reports that are the same one is looked at.
        """
        silent = np.array([not named for named in self.disclosed], bool)
        chances = np.empty(len(self.kinds))
        chances[silent] = _log_sum(mechanism.log_likelihood(self.kinds[silent], crowd))
        return chances[self.alike], silent[self.alike], [self.disclosed[kind] for kind in self.alike]


def _distinct(mechanism: SetRandomizer, reports: Reports) -> _Distinct:
    """Either crowd is asked about the same reports."""
    _, first, alike = np.unique(keys_of(reports), return_index=True, return_inverse=True)
    kinds = reports[first]
    return _Distinct(reports, kinds, alike, [column.disclosed for column in mechanism.describe(kinds)])


def _log_chances(
    mechanism: SetRandomizer,
    distinct: _Distinct,
    crowd: Sets,
    mask: NDArray[np.bool_],
    has: bool,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """ln Pr[report | somebody of this crowd] (n,), up to what depends on the disclosed items D alone.

    has: whether the crowd holds an item of `mask`. A disclosed one is proof. Otherwise, given that a set has b unmarked
    items beside the mask's, each j of them are D with the same odds, b(b−1)…(b−j+1) times a constant; then D replaces j
    of them.
    """
    reports = distinct.reports
    out, silent, disclosed = distinct.undisclosing(mechanism, crowd)
    stays = mechanism.marked[crowd] | mask[crowd]
    others = np.count_nonzero(~stays, axis=1)
    waiting: dict[int, list[tuple[int, NDArray[np.float64]]]] = defaultdict(list)

    def look(j: int) -> None:
        rows, lots = zip(*waiting.pop(j), strict=True)
        named = np.array([disclosed[i] for i in rows], np.intp)
        able = others >= j
        odds = special.gammaln(others[able] + 1) - special.gammaln(others[able] - j + 1)
        sets = _replaced(mechanism, crowd[able], stays[able], named, np.array(lots))
        out[list(rows)] = _log_sum(odds + mechanism.own_log_likelihood(reports[list(rows)], sets))

    for i in np.flatnonzero(~silent):
        named, j = list(disclosed[i]), len(disclosed[i])
        if mask[named].any():
            out[i] = np.log(len(crowd)) if has else -np.inf
        elif not (count := np.count_nonzero(others >= j)):
            out[i] = -np.inf
        else:
            waiting[j].append((int(i), rng.random((count, crowd.shape[1]))))
            if len(waiting[j]) * crowd.size > CELLS:
                look(j)
    for j in list(waiting):
        look(j)
    return out - np.log(len(crowd))


def _replaced(
    mechanism: SetRandomizer, crowd: Sets, stays: NDArray[np.bool_], named: Sets, lots: NDArray[np.float64]
) -> Sets:
    """Each crowd's sets (n, sets, m) with j of their items replaced by the `named` (n, j): those that stay do, of the
    others the named and a random rest, by `lots` (n, sets, m).
    """
    beside = np.zeros((len(named), mechanism.inner), bool)
    np.put_along_axis(beside, named, True, axis=1)
    key = np.where(stays, 0.0, 1 + lots + beside[:, crowd])
    order = np.argsort(key, axis=2)[:, :, : mechanism.m - named.shape[1]]
    rest = np.take_along_axis(np.broadcast_to(crowd, key.shape), order, axis=2)
    shown = np.broadcast_to(named[:, None], (*rest.shape[:2], named.shape[1]))
    return np.concatenate([rest, shown], axis=2)


def _log_sum(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """ln Σ exp of each row (n, ≥ 1); for rows as short as these SciPy's takes ten times as long."""
    most = logs.max(axis=1)
    most[~np.isfinite(most)] = 0.0
    with np.errstate(divide="ignore"):
        return np.log(np.exp(logs - most[:, None]).sum(axis=1)) + most


def interval(right: int, users: int) -> Presence:
    """Clopper and Pearson's exact 95 % interval."""
    wrong = users - right
    low = float(special.betaincinv(right, wrong + 1, 0.025)) if right else 0.0
    high = float(special.betaincinv(right + 1, wrong, 0.975)) if wrong else 1.0
    return Presence(right / users, low, high, False, users)
