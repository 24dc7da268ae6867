"""Presence: does this person hold any sensitive item? Decided from the joint report, prior ½ : ½
(theory/adversary#presence).

The adversary knows the mechanism, the hash in the report, and which sets people have; it compares the mean likelihood
of the sets with a sensitive item with that of the sets without. Where sets are too many to list, the items D that a
report discloses are taken as known, and the rest of the set is drawn from the population.
"""

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


def holders(sets: Sets, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
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
    yes, no = _split(holders(channel.sets, mask), rows)
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
    has = holders(sets, mask)
    people = [rng.choice(part, (users + i) // 2) for i, part in enumerate(_split(has, targets))]
    reports = mechanism.perturb(sets[np.concatenate(people)], rng)
    truth = np.arange(users) < len(people[0])
    crowds = [
        _crowd(mechanism, sets[rng.choice(part, KNOWN, replace=False) if len(part) > KNOWN else part], mask)
        for part in _split(has, known)
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
class _Crowd:
    """Sets that people have (sets, m), ln how many of them have each, and how many people there are."""

    sets: Sets
    log_people: NDArray[np.float64]
    people: int


def _crowd(mechanism: SetRandomizer, sets: Sets, mask: NDArray[np.bool_]) -> _Crowd:
    """These people's sets (n, m); of those that no report tells apart, one: whatever it discloses, only the number of
    the others hangs on it.
    """
    if not mechanism.others_alike or mechanism.marked.all():
        return _Crowd(sets, np.zeros(len(sets)), len(sets))
    apart = np.sort(np.where(mechanism.marked[sets] | mask[sets], sets, -1), axis=1)
    _, first, people = np.unique(keys_of(apart), return_index=True, return_counts=True)
    return _Crowd(sets[first], np.log(people), len(sets))


@dataclass(frozen=True, eq=False)
class _Distinct:
    """Reports (n,); those that differ, which of these each of them is (n,), and what each of these discloses."""

    reports: Reports
    kinds: Reports
    alike: NDArray[np.intp]
    disclosed: list[tuple[int, ...]]

    def undisclosing(
        self, mechanism: SetRandomizer, crowd: _Crowd
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_], list[tuple[int, ...]]]:
        """ln Pr[report | somebody of this crowd] (n,) where it discloses nothing, where that is, and what each
        discloses. Of reports that are the same one is looked at.
        """
        silent = np.array([not named for named in self.disclosed], bool)
        chances = np.empty(len(self.kinds))
        chances[silent] = _log_sum(mechanism.log_likelihood(self.kinds[silent], crowd.sets) + crowd.log_people)
        return chances[self.alike], silent[self.alike], [self.disclosed[kind] for kind in self.alike]


def _distinct(mechanism: SetRandomizer, reports: Reports) -> _Distinct:
    """Either crowd is asked about the same reports."""
    _, first, alike = np.unique(keys_of(reports), return_index=True, return_inverse=True)
    kinds = reports[first]
    if mechanism.marked.all():
        return _Distinct(reports, kinds, alike, [()] * len(kinds))
    return _Distinct(reports, kinds, alike, [column.disclosed for column in mechanism.describe(kinds)])


def _log_chances(
    mechanism: SetRandomizer,
    distinct: _Distinct,
    crowd: _Crowd,
    mask: NDArray[np.bool_],
    has: bool,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """ln Pr[report | somebody of this crowd] (n,), up to what depends on the disclosed items D alone.

    has: whether the crowd holds an item of `mask`. A disclosed one is proof. Otherwise, given that a set has b unmarked
    items beside the mask's, each j of them are D with the same odds, b(b−1)…(b−j+1) times a constant; then D replaces j
    of them, whichever where the mechanism takes them all alike.
    """
    out, silent, disclosed = distinct.undisclosing(mechanism, crowd)
    stays = mechanism.marked[crowd.sets] | mask[crowd.sets]
    most, open_to = int(np.count_nonzero(~stays, axis=1).max()), []
    for i in np.flatnonzero(~silent):
        named = list(disclosed[i])
        if mask[named].any():
            out[i] = np.log(crowd.people) if has else -np.inf
        elif len(named) > most:
            out[i] = -np.inf
        else:
            open_to.append(i)
    step = max(1, CELLS // crowd.sets.size)
    for start in range(0, len(open_to), step):
        rows = open_to[start : start + step]
        out[rows] = _disclosing(mechanism, distinct.reports[rows], [disclosed[i] for i in rows], crowd, stays, rng)
    return out - np.log(crowd.people)


def _disclosing(
    mechanism: SetRandomizer,
    reports: Reports,
    disclosed: list[tuple[int, ...]],
    crowd: _Crowd,
    stays: NDArray[np.bool_],
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """ln Σ of the chances of each report (n,) over the crowd's sets, what it discloses put into them. stays: which of
    their items (sets, m) cannot make room.
    """
    size, others = np.array([*map(len, disclosed)])[:, None], np.count_nonzero(~stays, axis=1)
    able = others >= size
    odds = special.gammaln(others + 1) - special.gammaln(np.maximum(others - size, 0) + 1)
    lots = np.zeros(1) if mechanism.others_alike else rng.random((np.count_nonzero(able), mechanism.m))
    sets = np.tile(crowd.sets, (len(reports), 1, 1))
    sets[able] = _replaced(mechanism, crowd.sets, stays, disclosed, able, lots)
    chances = mechanism.own_log_likelihood(reports, sets) + odds + crowd.log_people
    return _log_sum(np.where(able, chances, -np.inf))


def _replaced(
    mechanism: SetRandomizer,
    sets: Sets,
    stays: NDArray[np.bool_],
    disclosed: list[tuple[int, ...]],
    able: NDArray[np.bool_],
    lots: NDArray[np.float64],
) -> Sets:
    """Where a report (n,) is `able` to disclose what it does of a set (sets, m), as many of its items replaced by that:
    those that stay do, of the others a random rest, by `lots` (pairs, m).
    """
    report, place = np.nonzero(able)
    there = np.arange(mechanism.m) >= mechanism.m - np.array([*map(len, disclosed)])[:, None]
    named = np.zeros(there.shape, np.intp)
    named[there] = np.concatenate(disclosed)
    beside = np.zeros((len(disclosed), mechanism.inner), bool)
    beside[np.nonzero(there)[0], named[there]] = True
    own = sets[place]
    order = np.argsort(np.where(stays[place], 0.0, 1 + lots + beside[report[:, None], own]), axis=1)
    return np.where(there[report], named[report], np.take_along_axis(own, order, axis=1))


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
