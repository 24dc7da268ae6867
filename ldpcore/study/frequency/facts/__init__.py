"""The facts of a frequency study at its own point: how far off each mechanism is, and what its reports give away.

>>> from ldpcore import Marks, Source, Study, data
>>> from ldpcore.study.execute import prepare
>>> study = Study(Source("health"), "condition", Marks.of(["HIV", "hepatitis B"]), ("SS", "uSS"), grid=())
>>> found = facts(study, prepare(study))
>>> found.pair[0].key, round(found.gain["all"], 1), round(found.gain["sensitive"], 1)
('uSS', 4.7, 1.9)
>>> round(found.every["uSS"].targeted, 2), found.every["uSS"].blind  # guessed by one who knows that it is marked
(0.73, 0.5)
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import nan

import numpy as np
import pandas as pd

from ldpcore import catalog
from ldpcore.custom import CustomMechanism
from ldpcore.data import Histogram
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.levels import Levels
from ldpcore.memory import remembered
from ldpcore.study import frequency
from ldpcore.study.definition import Marks, Study
from ldpcore.study.frequency.facts.mechanism import ShareFacts
from ldpcore.study.quantities import EPSILON, PEOPLE, TIMES, Known, quantity

NO_MARKS = "nothing is marked, or nothing chosen makes use of it"
ByKey = Mapping[str, ShareFacts]


@dataclass(frozen=True)
class Ignored:
    """An answer, its place among all, and its share without the weights and with them."""

    label: str
    place: int
    unweighted: float
    weighted: float


@dataclass(frozen=True, eq=False)
class FrequencyFacts(Known):
    """Every chosen mechanism at the chosen point, and what the marks buy."""

    study: Study
    data: Histogram

    @cached_property
    def every(self) -> dict[str, ShareFacts]:
        """Those that are there: some are computed up to an ε only; one's own stands at its own ε."""
        return _at_point(self.study, self.data, self.study.mechanisms)

    @property
    def parts(self) -> dict[str, ShareFacts]:
        return self.every

    @cached_property
    def protecting(self) -> dict[str, ShareFacts]:
        """Those that protect something: where nothing is marked, only what protects every value."""
        return protecting(self.every)

    @property
    def idle(self) -> list[str]:
        """Chosen mechanisms that protect nothing here."""
        return [key for key in self.study.mechanisms if key not in self.protecting]

    @cached_property
    def listed(self) -> dict[str, ShareFacts]:
        """Those of the catalogue that protect something."""
        return listed(self.protecting)

    def spoken(self, wished: str | None = None) -> str:
        """The key of the mechanism that is spoken of: `focus` of those that protect something; "" where none does."""
        return focus(self.protecting, wished).key if self.protecting else ""

    @cached_property
    def pair(self) -> tuple[ShareFacts, ShareFacts] | None:
        """What marks buy is read off these two: (levels by their own ε, all as secret), else (marks used, without)."""
        if not any(one.marked.any() for one in self.listed.values()):
            return None
        return leveled(self.listed) or rivals(self.listed)

    @quantity(TIMES, absent=NO_MARKS)
    def gain(self) -> dict[str, float]:
        """How many times smaller the typical error is with the marks than without; with secret values, than if all
        that is marked were secret. Of the most exact mechanism that uses them, beside its original.
        """
        scopes = ("all", "sensitive")
        return {scope: gain(*self.pair, scope) if self.pair else nan for scope in scopes}

    @quantity("people")
    def effective(self) -> float:
        """So many people with equal weights err as much: Kish's n where they have weights, else all."""
        return _people(self.study, self.data)

    @quantity(TIMES)
    def design_effect(self) -> float:
        """The number of people over that: 1 + the squared variation of their weights."""
        return (self.study.n or self.data.n) / self.effective

    @cached_property
    def ignored(self) -> Ignored | None:
        """The answer whose share is off most where weights are ignored; None without weights."""
        if self.data.weighing is None:
            return None
        counts = self.data.counts / self.data.counts.sum()
        at = int(np.argmax(np.abs(counts - self.data.freq)))
        return Ignored(self.data.domain.labels[at], at, float(counts[at]), float(self.data.freq[at]))

    @quantity(PEOPLE, absent="nobody has chosen a column of weights")
    def unweighted(self) -> float:
        """The share of the answer that is off most where weights are ignored, if they are."""
        return self.ignored.unweighted if self.ignored else nan

    @quantity(PEOPLE, absent="nobody has chosen a column of weights")
    def weighted(self) -> float:
        """The same answer's share as it is: of the people whom the weights stand for."""
        return self.ignored.weighted if self.ignored else nan

    @quantity(PEOPLE, absent="nobody has chosen a column of weights, or nothing protects an answer", by_part=True)
    def ignored_margins(self) -> dict[str, float]:
        """The 95 % margin of that answer's share, ±, which is the noise alone."""
        at = self.ignored.place if self.ignored else 0
        return {
            key: NORMAL_95 * float(np.sqrt(one.variance[at])) if self.ignored else nan
            for key, one in self.listed.items()
        }

    @quantity(EPSILON, absent="no smaller ε is more exact", by_part=True)
    def better_epsilon(self) -> dict[str, float]:
        """A smaller ε, which promises more, at which this mechanism errs less over all values."""
        better = {key: smaller(self.study, self.data, key) for key in self.listed}
        return {key: one.cell.x if one else nan for key, one in better.items()}


def _people(study: Study, data: Histogram) -> float:
    people = float(study.n or data.n)
    return people if data.weighing is None else people / data.weighing.design_effect


def facts(study: Study, data: Histogram, rows: pd.DataFrame | None = None) -> FrequencyFacts:
    """What is known of the study at its own point, all of it exact: no simulated rows are looked at."""
    return FrequencyFacts(study, data)


def _at_point(study: Study, data: Histogram, keys: Iterable[str]) -> dict[str, ShareFacts]:
    """Those of these mechanisms that are there at the study's own point."""
    x = frequency.current(study, data)
    there = (key for key in keys if key == frequency.OWN or frequency.exists(study, data, key, x))
    return {key: ShareFacts(key, frequency.cell(study, data, key, x)) for key in there}


def under(
    data: Histogram, marks: Marks, keys: Iterable[str], epsilon: float, secret_epsilon: float | None = None
) -> dict[str, ShareFacts]:
    """Those of these mechanisms that are there for no study's people: all have these marks, at this ε."""
    cells = ((key, frequency.under(data, marks, key, epsilon, secret_epsilon)) for key in keys)
    return {key: ShareFacts(key, cell) for key, cell in cells if cell is not None}


def gain(one: ShareFacts, other: ShareFacts, scope: str = "all") -> float:
    """How many times more exact the first is than the second over this scope."""
    return other.error(scope) / one.error(scope)


def epsilon_of(study: Study, main: ShareFacts) -> float:
    """The ε at which this mechanism stands: the Study's, but for one's own, which has one ε."""
    return main.mechanism.epsilon if isinstance(main.mechanism, CustomMechanism) else study.epsilon


def smaller(study: Study, data: Histogram, key: str) -> ShareFacts | None:
    """A mechanism at a smaller ε at which it errs less; None where there is none."""

    def search() -> ShareFacts | None:
        better = frequency.dominated(study, data, key)
        if better is None:
            return None
        at = replace(study, axis="epsilon", grid=())
        return ShareFacts(key, frequency.cell(at, data, key, better.better))

    return remembered(data, ("smaller", study, key), search, 64)


def listed(every: ByKey) -> dict[str, ShareFacts]:
    """Those of the catalogue: without one's own."""
    return {key: one for key, one in every.items() if not isinstance(one.mechanism, CustomMechanism)}


def best(study: Study, data: Histogram) -> tuple[str, ...]:
    """The most exact mechanism that protects every value, and the most exact that protects the marked ones, at the
    chosen point; the first alone where nothing is marked. With secret values also the most exact that protects each
    level by its own ε.
    """
    secret = bool(study.marks.secret)
    promises = ("LDP", *(("ULDP",) if study.marks else ()), *((Levels.name,) if secret else ()))

    def search() -> tuple[str, ...]:
        every = _at_point(study, data, catalog.ANSWERS if secret else catalog.FREQUENCY)
        chosen = protecting(_at_point(study, data, study.mechanisms))
        pair = (leveled(chosen) if secret else rivals(chosen)) or ([focus(chosen, None)] if chosen else [])
        spoken = [one.key for one in pair]
        kinds = ([one for one in every.values() if one.promise == promise] for promise in promises)
        # Of those whose ± is written alike the one that the sentences speak of; then one with an original beside it.
        return tuple(
            min(
                kind,
                key=lambda one: (
                    round(100 * NORMAL_95 * one.error(), 2), one.key not in spoken, round(one.error(), 12),
                    one.key not in _PREFERRED,
                ),
            ).key
            for kind in kinds
        )  # fmt: skip

    return remembered(data, ("best", study), search, 64)


_PREFERRED = ("SS", "uSS")
"""uSS with w = 1 *is* uRR, and SS with w = 1 GRR: then the general one is named."""


def protecting(every: ByKey) -> dict[str, ShareFacts]:
    """Those that protect something: where nothing is marked, only what protects every value."""
    return {
        key: one for key, one in every.items()
        if one.promise == "LDP" or one.marked.any() or isinstance(one.mechanism, CustomMechanism)
    }  # fmt: skip


def focus(every: ByKey, wished: str | None) -> ShareFacts:
    """The mechanism that is spoken of: the one wished for, else the most exact one whose promise is about every report.

    With nothing marked only those that protect every value promise anything.
    """
    if wished is not None and wished in every:
        return every[wished]
    usual = listed(every) or every
    marked = next(iter(every.values())).marked.any()
    whole = [one for one in usual.values() if one.promise in (("LDP", "ULDP", Levels.name) if marked else ("LDP",))]
    first = min(whole or list(usual.values()), key=lambda one: one.error())
    pair = leveled(usual) or rivals(usual) if marked else None
    return pair[0] if pair and pair[0].error() <= first.error() * (1 + 1e-9) else first


def original(every: ByKey, main: ShareFacts) -> ShareFacts | None:
    """What a mechanism would be with everything protected, where that is compared too."""
    if isinstance(main.mechanism, CustomMechanism):
        return None
    other = every.get(catalog.ANSWERS[main.key].original)
    return other if other is not None and other.promise == "LDP" else None


def rivals(every: ByKey) -> tuple[ShareFacts, ShareFacts] | None:
    """(marks used, everything protected) of a mechanism and its original, so that only the marks differ: the best.

    uSS with w = 1 *is* uRR: then SS, not GRR, is what it is fair to compare with.
    """
    of_marks = [one for one in every.values() if one.promise == "ULDP"]
    pairs = [(one, other) for one in of_marks if (other := original(every, one)) is not None]
    return min(pairs, key=lambda pair: (round(pair[0].error(), 12), pair[1].error()), default=None)


def leveled(every: ByKey) -> tuple[ShareFacts, ShareFacts] | None:
    """(every level by its own ε, all that is marked as secret): the best of each; None without secret values."""
    levels = [one for one in every.values() if one.promise == Levels.name and one.secret.any()]
    alike = [one for one in every.values() if one.promise == "ULDP"]
    if not levels or not alike:
        return None
    return tuple(min(kind, key=lambda one: round(one.error(), 12)) for kind in (levels, alike))  # type: ignore[return-value]
