"""People whose baskets become sets of m items: what padding and sampling keep, and what can be known of it exactly."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from ldpcore import catalog, limit
from ldpcore.baskets import Baskets
from ldpcore.data.simulated import simulated
from ldpcore.mechanisms.padding import pad_and_sample
from ldpcore.memory import Remembering, remembered
from ldpcore.policy import LDP, SULDPJoint
from ldpcore.rng import stream
from ldpcore.scope import LEVELS, Scope, parts
from ldpcore.set_randomizer import SetRandomizer
from ldpcore.study.invented import KEY
from ldpcore.study.sets import kinds, own
from ldpcore.study.sets.kinds import Counted, Kinds, Shares

PUBLIC, PRIVATE, SECRET = range(3)
"""Ranks of items: how protected they are."""
Mask = NDArray[np.bool_]
Ranks = NDArray[np.int64]

KEPT = 1 << 25
"""Bytes of sampled sets that are kept with the people."""
DETAIL = 2000
"""With more items, only the marked and the commonest have rows of their own."""


@dataclass(frozen=True, eq=False)
class SetSample(Remembering):
    """Who holds what, which items are marked, and what is left of it in sets of m items."""

    baskets: Baskets
    ranks: Ranks
    """How protected each item is (k,)."""
    m: int

    @cached_property
    def marked(self) -> Mask:
        """The items that are not public (k,)."""
        return self.ranks > PUBLIC

    @cached_property
    def secret(self) -> Mask:
        """Those of them that are more than sensitive (k,)."""
        return self.ranks == SECRET

    @cached_property
    def freq(self) -> Shares:
        """True shares (k,), of people or of their weights."""
        return self.baskets.held / self._total("weights")

    def _total(self, by: Counted) -> float:
        each = kinds.mass(self.baskets, by)
        return self.baskets.n if each is None else float(each.sum())

    @property
    def effective(self) -> float:
        """So many people with equal weights err as much: Kish's n, or all of them."""
        return self.baskets.n if self.baskets.weights is None else self.baskets.n / self.baskets.design_effect

    def _chance(self, by: Counted) -> tuple[Kinds, Shares]:
        """People by how many items they have, and the chance of an item to survive sampling: min(1, m/length)."""
        alike = kinds.of(self.baskets, np.zeros(self.baskets.k, bool), by)
        return alike, np.minimum(1.0, self.m / np.maximum(alike.items, 1))

    def shares(self, by: Counted) -> Shares:
        """Expected shares (k,) after sampling, everybody counted so: errors go by "squares", and a survey that is
        simulated estimates "drawn".
        """
        alike, chance = self._chance(by)
        return alike.holders @ chance / self._total(by)

    @cached_property
    def kept(self) -> Shares:
        """Expected shares (k,) after sampling: what the mechanisms estimate without bias."""
        return self.shares("weights")

    @cached_property
    def noise(self) -> Shares:
        """The shares (k,) after sampling that what reports err goes by: of people with weights those by their squares
        (theory/weights#exact).
        """
        return self.shares("squares")

    @cached_property
    def drawn(self) -> Shares:
        """The shares (k,) after sampling of those who are simulated, less `kept`: of many different weights these are
        rounded.
        """
        return self.shares("drawn") - self.kept

    @cached_property
    def wobble(self) -> Shares:
        """Variance (k,) of the sampled shares."""
        alike, chance = self._chance("squares")
        return alike.holders @ (chance * (1 - chance)) / self._total("weights") ** 2

    @cached_property
    def _kinds(self) -> tuple[Kinds, Shares]:
        """The kinds of people, and the law (kinds, m + 1) of how many unmarked items each keeps."""
        groups = kinds.of(self.baskets, self.marked, "squares")
        return groups, groups.kept(self.m)

    @cached_property
    def layers(self) -> Shares:
        """Expected law (m + 1, m + 1) of the numbers of marked items and of dummies in a sampled set, as errors go."""
        groups, kept = self._kinds
        joint = groups.people[:, None] * kept / self._total("squares")
        items = np.tile(np.minimum(groups.items, self.m)[:, None], self.m + 1)
        marked = items - np.arange(self.m + 1)
        out = np.zeros((self.m + 1, self.m + 1))
        np.add.at(out, (marked[joint > 0], self.m - items[joint > 0]), joint[joint > 0])
        return out

    @cached_property
    def company(self) -> Shares:
        """Expected law of the number b of unmarked items among the sampled sets that hold v: (k, m + 1)."""
        groups, kept = self._kinds
        length, free = groups.items[:, None], groups.unmarked[:, None]
        b = np.arange(self.m + 1)[None]
        inside = np.where(length > self.m, kept * (self.m - b) / np.maximum(length - free, 1), kept)
        outside = np.where(length > self.m, kept * b / np.maximum(free, 1), kept)
        joint = np.where(self.marked[:, None], groups.holders @ inside, groups.holders @ outside)
        return joint / np.maximum(joint.sum(axis=1, keepdims=True), 1e-300)


@dataclass(frozen=True, eq=False)
class SetSetting:
    """One value of the axis: the sample, ε, how many dummies pad short baskets, and the secret items' ε."""

    x: float
    epsilon: float
    sample: SetSample
    dummies: int
    secret_epsilon: float
    own: str | None = None
    """The table of one's own; None where there is none."""

    @property
    def baskets(self) -> Baskets:
        return self.sample.baskets

    @property
    def n(self) -> int:
        return self.baskets.n

    @property
    def m(self) -> int:
        return self.sample.m

    @property
    def marked(self) -> Mask:
        return self.sample.marked

    @property
    def secret(self) -> Mask:
        """The items that are more than sensitive (k,)."""
        return self.sample.secret

    @property
    def epsilons(self) -> Shares:
        """The ε (k,) of every item, inf for a public one."""
        return np.array([np.inf, self.epsilon, self.secret_epsilon])[self.sample.ranks]

    @property
    def least_epsilon(self) -> float:
        """The ε of a mechanism that knows one only: the least of the items'."""
        return float(self.epsilons.min(initial=np.inf, where=self.marked)) if self.marked.any() else self.epsilon

    @property
    def leveled(self) -> bool:
        """Whether items that are not public differ in their ε."""
        return len(np.unique(self.epsilons[self.marked])) > 1

    @property
    def freq(self) -> Shares:
        """True shares (k,)."""
        return self.sample.freq

    @property
    def kept(self) -> Shares:
        """Expected shares (k,) after sampling."""
        return self.sample.kept

    @property
    def bias(self) -> Shares:
        """What cutting long baskets takes from each share (k,)."""
        return self.kept - self.freq

    @property
    def scopes(self) -> Iterator[tuple[str, Mask]]:
        """The parts of the items that errors are averaged over; a part without items gives no row."""
        return ((scope, part) for scope, part in self._parts.items() if part.any())

    @property
    def levels(self) -> dict[str, Mask]:
        """Private and secret items, the two parts of the marked ones; nothing where no item is secret."""
        return {scope: part for scope, part in self._parts.items() if scope in LEVELS}

    @property
    def _parts(self) -> dict[str, Mask]:
        return parts(self.marked, self.secret if self.secret.any() else None)

    @cached_property
    def shown(self) -> NDArray[np.intp]:
        """The items with rows of their own."""
        if self.baskets.k <= DETAIL:
            return np.arange(self.baskets.k)
        order = np.lexsort((np.arange(self.baskets.k), -self.baskets.counts, ~self.marked))
        return np.sort(order[:DETAIL])

    def targets(self, count: int) -> dict[str, NDArray[np.intp]]:
        """Scope → the items whose membership is decided: the commonest that some hold and some do not."""
        some = (self.baskets.counts > 0) & (self.baskets.counts < self.n)
        by_scope = {scope: np.flatnonzero(some & part) for scope, part in self._parts.items() if scope != Scope.ALL}
        return {
            name: items[np.argsort(-self.baskets.counts[items], kind="stable")[:count]]
            for name, items in by_scope.items()
            if len(items)
        }

    def build(self, mechanism: str) -> SetRandomizer:
        """The mechanism that keeps the ε of every item; kept with the data. ValueError where there is none."""
        if mechanism == KEY:
            return own.mechanism(self.own or "", self.baskets.labels, self.marked, self.m, self.dummies)
        at = ("built", mechanism, self.epsilons.tobytes(), self.epsilon, self.m, self.dummies)

        def made() -> SetRandomizer:
            return catalog.ITEMS[mechanism].protecting(self.epsilons, self.epsilon, self.m, self.dummies)

        return remembered(self.baskets, at, made, 256)

    def noise(self, mechanism: SetRandomizer) -> Shares:
        """Exact variance (k,) of the estimates over randomising alone."""
        # Kish's n is no whole number.
        return mechanism.variance(self.sample.noise, self.sample.effective, self.sample.company)  # type: ignore[arg-type]

    def variance(self, mechanism: SetRandomizer) -> Shares:
        """Exact variance (k,) of the estimates over both, sampling and randomising."""
        return self.noise(mechanism) + self.sample.wobble

    def least(self, promise: str, scope: str, epsilon: float | None = None) -> float | None:
        """The least mean `noise` over a scope found under "LDP" or "SULDP-joint", for sets of this m; epsilon: None is
        that of a mechanism with one.

        The best of a family of channels (ldpcore.limit.sets). None where the scope has no items, where m is too large
        for the program, for a level alone, and for what hides items with several ε: these allow less error, nobody
        knows how much less; nor is it known for any other promise.
        """
        k, m, marked = self.baskets.k, self.m, int(self.marked.sum())
        if scope not in dict(self.scopes) or m > limit.MOST_ITEMS or scope in self.levels:
            return None
        if promise != LDP.name and (self.leveled or promise != SULDPJoint.name):
            return None
        if limit.layers(k, marked, m, self.dummies, scope, promise) > limit.MOST_LAYERS:
            return None
        budget = self.least_epsilon if epsilon is None else epsilon
        at = ("least", promise, str(scope), budget, self.dummies)

        def search() -> limit.SetLimit:
            return limit.best_sets(k, marked, m, budget, self.sample.layers, self.dummies, scope, promise)

        # Whoever looks at the same people, on another page or in another session, has the same: a second for each ε.
        bound = remembered(self.sample, at, search, 512)
        return {Scope.ALL: bound.mse, Scope.SENSITIVE: bound.sensitive, Scope.OTHER: bound.other}[
            Scope(scope)
        ] / self.sample.effective


_INVENTED: WeakValueDictionary[tuple[int, int, int, int, float], Baskets] = WeakValueDictionary()


def invented(seed: int, n: int, k: int, m: int, popularity: float = 0.0) -> Baskets:
    """Sets of exactly m of k items: the same object for all samples that there are of them."""
    asked = seed, n, k, m, popularity
    baskets = _INVENTED.get(asked)
    if baskets is None:
        baskets = _INVENTED[asked] = simulated(n, k, m, stream(seed, "simulated", n, k, m), popularity)
    return baskets


def resampled(data: Baskets, n: int, seed: int) -> Baskets:
    """n people: whole copies of the data's, and some of them once more, drawn without replacement."""
    return data if n == data.n else remembered(data, ("people", n, seed), lambda: _resampled(data, n, seed), 4)


def _resampled(data: Baskets, n: int, seed: int) -> Baskets:
    copies, rest = divmod(n, data.n)
    extra = np.sort(stream(seed, "people", n).choice(data.n, rest, replace=False))
    who = np.concatenate([np.tile(np.arange(data.n), copies), extra]).astype(np.intp)
    lengths, weights = data.lengths[who], None if data.weights is None else data.weights[who]
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    inside = np.arange(starts[-1]) - np.repeat(starts[:-1], lengths)
    return replace(
        data, codes=data.codes[np.repeat(data.starts[who], lengths) + inside], starts=starts, weights=weights
    )


def sets(seed: int, baskets: Baskets, m: int, dummies: int, repetition: int) -> NDArray[np.intp]:
    """The padded and sampled sets (n, m) of one repetition, the same for every mechanism."""
    if not dummies:
        return baskets.codes.reshape(baskets.n, m).astype(np.intp)

    kind = np.min_scalar_type(baskets.k + m)

    def draw() -> NDArray[np.unsignedinteger]:
        rng = stream(seed, "padding", baskets.n, baskets.k, m, repetition)
        return pad_and_sample(baskets, baskets.k, m, rng).astype(kind)

    # A page asks for every repetition several times: for what its headline speaks of, for the rest, for its curve.
    most = max(2, KEPT // max(1, baskets.n * m * kind.itemsize))
    return remembered(baskets, ("sets", seed, m, repetition), draw, most).astype(np.intp)
