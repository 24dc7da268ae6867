"""Every mechanism for sets at a Study's own point: how wrong its shares are, how long its reports, what it promises.

>>> from ldpcore import Marks, Source, Study, data
>>> study = Study(Source("groceries"), "items", Marks.of(["milk"]), ("PrivSet", "suWheel-J"), task="sets")
>>> held = data.load("groceries").baskets("items")
>>> found = every(study.with_options(m=4), held)
>>> {key: round(100 * fact.error(), 1) for key, fact in found.items()}  # typical error of a share, points
{'PrivSet': 4.3, 'suWheel-J': 1.7}
>>> {key: (fact.promise, round(fact.bits)) for key, fact in found.items()}
{'PrivSet': ('LDP', 57), 'suWheel-J': ('SULDP-joint', 97)}
"""

import warnings
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from ldpcore import catalog
from ldpcore.baskets import Baskets
from ldpcore.catalog import Dominated
from ldpcore.custom import NONE, CustomSets
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.estimators.released import score_interval
from ldpcore.levels import SetLevels
from ldpcore.limit import SET_PROMISES
from ldpcore.memory import remembered
from ldpcore.policy import LDP
from ldpcore.scope import Scope
from ldpcore.set_randomizer import SetRandomizer
from ldpcore.study import sets
from ldpcore.study.definition import Study
from ldpcore.study.invented import KEY
from ldpcore.study.quantities import PEOPLE, Known, quantity
from ldpcore.study.sets.sample import SetSetting
from ldpcore.study.simulated_shares import SimulatedShares, estimates

WHOLE = (*SET_PROMISES, SetLevels.name)
"""The promises that are about the whole report."""


@dataclass(frozen=True, eq=False)
class ItemFacts(Known):
    """One mechanism at one point.

    key: its name in `catalog.ITEMS`, or "Own". here: who holds what, what is marked, m and ε. mechanism: as built
    there.
    """

    key: str
    here: SetSetting
    mechanism: SetRandomizer

    @property
    def promise(self) -> str:
        """The definition that it keeps: "LDP", "SULDP-joint", "SULDP-y₀" (theory/definitions#suldp) or "levels-joint"
        (theory/levels#sets). One's own may keep none of them, "none".
        """
        if isinstance(self.mechanism, CustomSets):
            return self.mechanism.promise.definition
        return catalog.ITEMS[self.key].promise

    @property
    def epsilon(self) -> float:
        """The Study's ε, or that of one's own, at which it stands."""
        return self.mechanism.epsilon if self.key == KEY else self.here.epsilon

    @property
    def whole(self) -> bool:
        """Whether its promise is about the whole report: with nothing marked only those for every item promise that."""
        return self.promise in WHOLE and self.protects

    @property
    def protects(self) -> bool:
        """Whether it promises anything: with nothing marked only what protects every item does."""
        return self.promise == LDP.name or (self.promise != NONE and bool(self.here.marked.any()))

    @cached_property
    def variance(self) -> NDArray[np.float64]:
        """Exact variance (k,) of the estimates, over sampling and randomising."""
        return self.here.variance(self.mechanism)

    @property
    def squared(self) -> NDArray[np.float64]:
        """Expected squared error (k,) against the true shares: the bias of cutting long baskets is in it
        (theory/sets#padding).
        """
        return self.variance + self.here.bias**2

    def interval(self, estimates: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The 95 % intervals (..., k) of the shares after sampling, whose scatter is in them; estimates (..., k)."""
        sample = self.here.sample
        n = max(1, int(sample.effective))
        return score_interval(self.mechanism, estimates, n, company=sample.company, extra=sample.wobble)

    def simulated(self, rows: pd.DataFrame, part: NDArray[np.intp]) -> SimulatedShares:
        """Simulated rows of the study at this point → its surveys beside the theory, of these items (codes)."""
        setting, labels = self.here, [self.here.baskets.labels[i] for i in part]

        def interval(drawn: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
            shares = setting.kept.copy()  # of the other items no estimate is kept: its mean
            shares[part] = drawn
            low, high = self.interval(shares)
            return low[part], high[part]

        return SimulatedShares(
            self.key, labels, setting.marked[part], setting.freq[part], estimates(rows, self.key, labels),
            self.variance[part], self.squared[part], interval, {"share after sampling (internal)": setting.kept[part]},
            secret=setting.secret[part],
        )  # fmt: skip

    @quantity(PEOPLE)
    def errors(self) -> dict[str, float]:
        """Typical error of a share: the root mean squared error over the items of this scope, the bias of cutting long
        baskets included.
        """
        return {str(scope): float(np.sqrt(self.squared[part].mean())) for scope, part in self.here.scopes}

    @quantity(PEOPLE)
    def margins(self) -> dict[str, float]:
        """The 95 % margin of a share, ±, over the items of this scope."""
        return {scope: NORMAL_95 * error for scope, error in self.errors.items()}

    @quantity(PEOPLE)
    def chance(self) -> dict[str, float]:
        """Typical error of a share by chance alone, over sampling and randomising: the root mean square over the items
        of this scope. What cutting long baskets takes off is no part of it.
        """
        return {str(scope): float(np.sqrt(self.variance[part].mean())) for scope, part in self.here.scopes}

    @quantity("items", "sensitive")
    def too_rare(self) -> int:
        """Marked items whose share is below the 95 % margin, by chance alone, of the marked items' shares."""
        margin = NORMAL_95 * self.chance.get("sensitive", 0.0)
        return int((self.here.freq[self.here.marked] < margin).sum())

    @quantity(PEOPLE)
    def cut(self) -> dict[str, float]:
        """The most that cutting long baskets takes off the share of an item of this scope."""
        return {str(scope): float((-self.here.bias[part]).max(initial=0.0)) for scope, part in self.here.scopes}

    def error(self, scope: str = Scope.ALL) -> float:
        """Typical error of a share, between 0 and 1: the root mean square over the items of this scope.

        ValueError where the scope has no items.
        """
        if scope not in self.errors:
            there = ", ".join(map(repr, self.errors))
            raise ValueError(f"no item is in the scope {str(scope)!r}; there are items in {there}")
        return self.errors[scope]

    @cached_property
    def level_epsilons(self) -> dict[str, float]:
        """The ε of each level, private and secret: the Study's; of one's own the least at which it keeps that level."""
        parts, made = self.here.levels, self.mechanism
        if not isinstance(made, CustomSets):
            return {scope: float(self.here.epsilons[part].max()) for scope, part in parts.items()}
        dummies, nothing = np.ones(made.dummies, bool), np.zeros(made.inner, bool)  # as secret as the most secret item
        secret = np.r_[self.here.secret, dummies]
        each = {
            Scope.PRIVATE: (np.r_[parts.get(Scope.PRIVATE, nothing[: made.k]), ~dummies], nothing),
            Scope.SECRET: (secret, made.marked & ~secret),
        }
        return {scope: made.towards(*each[Scope(scope)]) for scope in parts}

    @quantity("bits")
    def bits(self) -> float:
        """Expected size of a report of these people, bits (theory/sets#report-size)."""
        return self.mechanism.report_bits(self.here.sample.shares("people"))


def setting(study: Study, data: Baskets) -> SetSetting:
    """The study's own point, whatever its axis. ValueError as for `sets.setting`."""
    at = remembered(data, ("own point", study), lambda: replace(study, axis="epsilon", grid=()))
    return sets.setting(at, data, study.epsilon)


def every(study: Study, data: Baskets) -> dict[str, ItemFacts]:
    """Mechanism → what is known of it at the study's own point; without those that `refused` names."""
    point = setting(study, data)
    built = {key: _built(point, key) for key in study.mechanisms}
    return {key: ItemFacts(key, point, made) for key, made in built.items() if isinstance(made, SetRandomizer)}


def refused(study: Study, data: Baskets) -> dict[str, str]:
    """Mechanism → why it does not exist at the study's own point: its subsets need more marked items, say."""
    point = setting(study, data)
    built = {key: _built(point, key) for key in study.mechanisms}
    return {key: made for key, made in built.items() if isinstance(made, str)}


def _built(here: SetSetting, mechanism: str) -> SetRandomizer | str:
    try:
        return here.build(mechanism)
    except ValueError as error:
        return str(error)


def protecting_every(study: Study, data: Baskets) -> list[str]:
    """Of what is compared and is in no catalogue, the keys of what protects every item."""
    mine = every(study.with_mechanisms((KEY,)), data) if KEY in study.mechanisms else {}
    return [key for key, one in mine.items() if one.promise == LDP.name]


def dominated(fact: ItemFacts) -> Dominated | None:
    """A smaller ε at which this mechanism errs less over all items, with these people; None where there is none.

    Of what has an ε for every item it is not asked, nor of one's own, which has one ε.
    """
    if fact.promise == SetLevels.name or fact.key == KEY:
        return None
    point, entry = fact.here, catalog.ITEMS[fact.key]

    def error(epsilon: float) -> float:
        made = entry.protecting(np.where(point.marked, epsilon, np.inf), epsilon, point.m, point.dummies)
        return float(np.sqrt((point.variance(made) + point.bias**2).mean()))

    # These people's errors at the ε of the grid are the same whatever ε is asked about.
    kept = remembered(point.sample, ("error", fact.key, point.dummies), lambda: cache(error), len(catalog.ITEMS))
    return catalog.dominated_at(kept, point.least_epsilon)


_FORMER = {"facts": every, "Fact": ItemFacts}
"""Names of version 0.1, importable for one version more."""

if not TYPE_CHECKING:  # so that a checker still finds a misspelt name

    def __getattr__(name: str) -> object:
        if name not in _FORMER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        how = f"{__name__}.{name} goes with the next version: it is {_FORMER[name].__name__}"
        warnings.warn(how, DeprecationWarning, stacklevel=2)
        return _FORMER[name]
