"""The facts of a study of sets at its own point: how wrong the shares of holders get, and what reports tell of them.

>>> from ldpcore import Marks, Source, Study
>>> from ldpcore.study.execute import prepare
>>> study = Study(Source("groceries"), "items", Marks.of(["milk"]), ("PrivSet", "suWheel-J"), grid=(), task="sets")
>>> found = facts(study.with_options(m=4), prepare(study))
>>> found.focus().key, found.rival(found.focus()).key, round(found.gain["all"], 1)
('suWheel-J', 'PrivSet', 2.5)
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import nan

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore import catalog
from ldpcore.baskets import Baskets
from ldpcore.levels import SetLevels
from ldpcore.memory import remembered
from ldpcore.policy import SULDPJoint
from ldpcore.study import sets
from ldpcore.study.definition import Marks, Study
from ldpcore.study.invented import KEY
from ldpcore.study.quantities import CHANCE, EPSILON, PEOPLE, TIMES, Known, quantity, simulated
from ldpcore.study.sets import point
from ldpcore.study.sets.point import ItemFacts
from ldpcore.study.sets.sample import SetSetting
from ldpcore.study.sets.undisclosed import LEAKY

PRESENCE, MEMBERSHIP, LEVEL, BITS = "success:presence", "success:membership", "success:level", "bits"
"""Metrics of what reports tell."""
CUT = 5e-5
"""A share that loses less by cutting long sets is written the same."""
ByKey = Mapping[str, ItemFacts]


@dataclass(frozen=True, eq=False)
class SetsFacts(Known):
    """rows: simulated ones of the study at its own point; None: all of them, simulated when they are first needed."""

    study: Study
    data: Baskets
    rows: pd.DataFrame | None = None

    @cached_property
    def every(self) -> dict[str, ItemFacts]:
        """Those that exist at the study's own point."""
        return point.every(self.study, self.data)

    @property
    def parts(self) -> dict[str, ItemFacts]:
        return self.every

    @cached_property
    def protecting(self) -> dict[str, ItemFacts]:
        """Those that promise anything here: with nothing marked only what protects every item does."""
        return {key: one for key, one in self.every.items() if one.protects}

    def focus(self, wished: str | None = None) -> ItemFacts:
        """The mechanism that is spoken of: as wished, else the most exact one whose promise is about whole reports."""
        return focus(self.protecting, wished)

    def rival(self, main: ItemFacts) -> ItemFacts | None:
        """The same construction with everything protected; else the most exact one that knows no marks. Of levels what
        treats all that is marked as secret. None where `main` knows no marks, or there are none to know.
        """
        if main.promise == "LDP" or not main.here.marked.any():
            return None
        pair = leveled(self.protecting.values())
        if pair and main is pair[0]:
            return pair[1]
        every = [one for one in self.protecting.values() if one.promise == "LDP" and one.key != KEY]
        like = [one for one in every if one.key == catalog.ITEMS[main.key].original]
        return min(like or every, key=ItemFacts.error, default=None)

    @quantity(TIMES, absent="nothing is marked, or nothing stands beside the mechanism in focus")
    def gain(self) -> dict[str, float]:
        """How many times smaller the typical error of the mechanism in focus is than its rival's, which knows no marks,
        or with secret items treats all that is marked alike.
        """
        main = self.focus() if self.protecting else None
        rival = self.rival(main) if main else None
        scopes = [str(scope) for scope, _ in main.here.scopes] if main and rival else ["all"]
        return {scope: rival.error(scope) / main.error(scope) if main and rival else nan for scope in scopes}

    @quantity(EPSILON, absent="no smaller ε is more exact", by_part=True)
    def better_epsilon(self) -> dict[str, float]:
        """A smaller ε, which promises more, at which this mechanism errs less over all items."""
        better = {key: smaller(self.study, self.data, one) for key, one in self.protecting.items()}
        return {key: each[0] if each else nan for key, each in better.items()}

    @quantity("items")
    def items(self) -> int:
        """Items that people can hold, marked or not."""
        return len(self.data.labels)

    @quantity(PEOPLE, "sensitive")
    def held(self) -> float:
        """People who hold a marked item."""
        marked = self.data.domain.mask([label for label in self.study.marks.values if label in self.data.labels])
        return np.unique(self.data.people[marked[self.data.codes]]).size / self.data.n

    @quantity(CHANCE, absent="no survey was simulated, or too few people hold what is asked for", by_part=True)
    def presence(self) -> dict[str, float]:
        """Of as many people with a marked item as without, those told rightly from a report, in the surveys so far."""
        return {key: self._won(key, PRESENCE, "all") for key in self.protecting}

    @quantity(CHANCE, absent="no survey was simulated, or too few people hold what is asked for", by_part=True)
    def membership(self) -> dict[str, float]:
        """The same for one marked item, whose holders are told from others."""
        return {key: self._won(key, MEMBERSHIP, "sensitive") for key in self.protecting}

    def _won(self, key: str, metric: str, scope: str) -> float:
        rows = self.surveys
        part = rows[(rows["mechanism"] == key) & (rows["metric"] == metric) & (rows["scope"] == scope)]
        return float(part["value"].mean()) if len(part) else nan

    @cached_property
    def surveys(self) -> pd.DataFrame:
        """Simulated rows."""
        if self.rows is not None:
            return self.rows
        asked = replace(self.study, axis="epsilon", grid=(), mechanisms=tuple(self.protecting) or self.study.mechanisms)
        return simulated(sets.chunks(asked, self.data))


def facts(study: Study, data: Baskets, rows: pd.DataFrame | None = None) -> SetsFacts:
    """What is known of the study at its own point; what reports tell comes from simulated rows."""
    return SetsFacts(study, data, rows)


def focus(every: ByKey, wished: str | None = None) -> ItemFacts:
    """As wished, else the most exact one whose promise is about whole reports; one's own, unwished, where nothing else
    is.
    """
    if wished is not None and wished in every:
        return every[wished]
    entered = {key: one for key, one in every.items() if key != KEY} or every
    return min([one for one in entered.values() if one.whole] or entered.values(), key=ItemFacts.error)


def leaky(every: ByKey, main: ItemFacts) -> ItemFacts:
    """The one whose promise leaves the whole report out, where it is compared: not the luckiest attack."""
    return next((one for one in every.values() if one.promise == LEAKY), main)


def spoken(study: Study, data: Baskets, main: ItemFacts) -> Study:
    """The study of those alone that a headline about this mechanism speaks of: that one, and the one that leaks."""
    keys = {main.key, leaky(point.every(study, data), main).key}
    return study.with_mechanisms(tuple(key for key in study.mechanisms if key in keys))


def leveled(every: Iterable[ItemFacts]) -> tuple[ItemFacts, ItemFacts] | None:
    """(every level by its own ε, all that is marked as secret): the best of each; None without secret items, or where
    one of the two is not compared. One's own has an ε of its own, and is neither.
    """
    graded = [one for one in every if one.here.leveled and one.key != KEY]
    levels = [one for one in graded if one.promise == SetLevels.name]
    alike = [one for one in graded if one.promise == SULDPJoint.name]
    return (min(levels, key=ItemFacts.error), min(alike, key=ItemFacts.error)) if levels and alike else None


def smaller(study: Study, data: Baskets, one: ItemFacts) -> tuple[float, float] | None:
    """A smaller ε at which this mechanism errs less, and its typical error there; None where there is none."""

    def search() -> tuple[float, float] | None:
        better = point.dominated(one)
        return None if better is None else (better.better, one.error() / better.times)

    return remembered(data, ("smaller", study, one.key), search, 64)


def supposed(study: Study, data: Baskets, items: Iterable[str]) -> ItemFacts | None:
    """The most exact mechanism with these items marked, by the error of the others; None where there is none."""
    marks = Marks.of(tuple(items))
    if len(marks) == data.k:
        return None
    joint = tuple(key for key in study.mechanisms if key != KEY and catalog.ITEMS[key].promise == SULDPJoint.name)

    def search() -> ItemFacts | None:
        asked = replace(study, marks=marks, mechanisms=joint or ("suWheel-J", "uPrivSet"))
        return min(point.every(asked, data).values(), key=lambda one: one.error("other"), default=None)

    return remembered(data, ("supposed", study, marks), search, 16)


def cuts(here: SetSetting) -> bool:
    """Whether cutting long sets takes anything off a share."""
    return bool(here.bias.min() < -CUT)


def commonest(here: SetSetting, part: NDArray[np.bool_] | None = None) -> NDArray[np.intp]:
    """The items with rows of their own, or those of `part` (k,), the commonest first."""
    items = here.shown if part is None else here.shown[part[here.shown]]
    return items[np.argsort(-here.freq[items], kind="stable")]
