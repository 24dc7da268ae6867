"""What marking items does: from protecting every item (PrivSet) to protecting the marked ones (uPrivSet), in words.

It has the face of `effects.Effect`, so that the table of values serves items too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ldpapp import words
from ldpapp.compute.memory import once
from ldpapp.tasks.sets import data as set_data
from ldpapp.tasks.sets.data import Fact
from ldpapp.views.data import effects
from ldpcore.data import Baskets, Histogram
from ldpcore.domain import Categorical
from ldpcore.study import Arm, Study

EVERY, MARKED = "PrivSet", "uPrivSet"


@once(64)
def _compared(study: Study, values: tuple[str, ...]) -> Study:
    return replace(study, arms=(Arm.of("A", values),), mechanisms=(EVERY, MARKED, "suWheel-J"))


@dataclass(frozen=True, eq=False)
class SetEffect:
    """One setting of marks at one ε: the same survey with every item protected, and with the marked ones.

    `marked` is suWheel-J's where uPrivSet does not exist (too few marked items for its subsets).
    """

    held: Baskets
    every: Fact
    marked: Fact

    @classmethod
    def of(cls, study: Study, held: Baskets, values: Sequence[str]) -> "SetEffect":
        found = set_data.facts(_compared(study, tuple(values)), held)
        return cls(held, found[EVERY], found.get(MARKED, found["suWheel-J"]))

    @property
    def labels(self) -> tuple[str, ...]:
        return self.held.labels

    @property
    def mask(self) -> NDArray[np.bool_]:
        return self.marked.here.marked

    @property
    def shares(self) -> NDArray[np.float64]:
        return self.marked.here.freq

    @property
    def counted(self) -> Histogram:
        """Holders of each item; they do not add up to the people."""
        return Histogram(Categorical(self.labels), self.held.counts, self.held.n, 0)

    @cached_property
    def people(self) -> int:
        """How many hold a marked item."""
        return int(np.unique(self.held.people[self.mask[self.held.codes]]).size)

    @property
    def names(self) -> tuple[str, str]:
        """The mechanisms behind the two errors."""
        return self.every.key, self.marked.key

    def errors(self, scope: str) -> tuple[float, float]:
        """Typical error with everything protected, and with the marks."""
        return self.every.error(scope), self.marked.error(scope)


def sentence(effect: SetEffect, sensitive: str) -> str:
    """The finding of the Data view on baskets."""
    k, count = len(effect.labels), int(effect.mask.sum())
    if count == 0:
        return (
            f"No item is marked {sensitive}. Protecting all {words.count(k)} would put the shares of holders off by "
            f"{words.points(effect.every.error())} points."
        )
    verb = "is" if count == 1 else "are"
    who = f"{words.count(effect.people)} of {words.plural(effect.held.n, 'person', 'people')} hold one"
    first = (
        f"{words.cardinal(count, start=True)} of {words.count(k)} items {verb} marked {sensitive}: {who}, "
        f"{words.share(effect.people / effect.held.n)}."
    )
    if count == k:
        return f"{first} With everything marked the marks gain nothing."
    mine, other = (effects.ratio(*effect.errors(scope)) for scope in ("sensitive", "other"))
    whose = "Its share" if count == 1 else "Their shares"
    return f"{first} {whose} {effects.change(mine, count == 1)}, all others {effects.change(other, k - count == 1)}."


def table(effect: SetEffect, marked: str) -> list[effects.Row]:
    """Rows (what, before, after, remark)."""
    rows: list[effects.Row] = []
    parts = (("sensitive", effect.mask, f"Error, {marked} items"), ("other", ~effect.mask, "Error, other items"))
    for scope, part, what in parts:
        if part.any():
            before, after = effect.errors(scope)
            remark = effects.better(effects.ratio(before, after))
            rows.append((what, words.points(before), words.points(after), remark))
    rows.append(("Bits of a report", words.count(effect.every.bits), words.count(effect.marked.bits), ""))
    return rows
