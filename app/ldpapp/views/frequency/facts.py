"""The facts of one view of Frequency: how far off each mechanism is, and what its reports give away."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ldpapp.compute.memory import once
from ldpcore import catalog
from ldpcore.custom import CustomMechanism
from ldpcore.data import Histogram
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.levels import Levels
from ldpcore.randomizer import Randomizer
from ldpcore.study import Study, frequency


@dataclass(frozen=True, eq=False)
class Facts:
    """One mechanism at the chosen point. Errors are typical errors of a share: root mean squares, which
    `words.margin` writes as 95 % margins.
    """

    key: str
    cell: frequency.Cell

    @property
    def mechanism(self) -> Randomizer:
        return self.cell.groups[0].mechanism

    @property
    def marked(self) -> NDArray[np.bool_]:
        return self.cell.marked

    @property
    def freq(self) -> NDArray[np.float64]:
        return self.cell.freq

    @cached_property
    def variance(self) -> NDArray[np.float64]:
        """Expected squared error of every value's share: (k,)."""
        return self.cell.squared_error()

    def error(self, scope: str = "all") -> float:
        part = dict(self.cell.scopes)[scope]
        return float(np.sqrt(self.variance[part].mean()))

    @property
    def drowned(self) -> NDArray[np.bool_]:
        """Marked values that hold people, yet fewer than the 95 % margin: too rare to measure."""
        return self.marked & (self.freq > 0) & (self.freq < NORMAL_95 * np.sqrt(self.variance))

    @property
    def unasked(self) -> float:
        """The error of one who asks nobody and says that every value has the same share."""
        return float(np.std(self.freq))

    @cached_property
    def targeted(self) -> float:
        """Success of one who knows that the answer is marked."""
        return self.held(self.cell.success("targeted"), self.marked)

    @property
    def blind(self) -> float:
        """The same one's success without any report."""
        return 1 / int(self.marked.sum())

    @property
    def secret(self) -> NDArray[np.bool_]:
        return self.cell.secret

    def guessed(self, scope: str) -> float:
        """Success against answers of this scope of one who knows of which level they are."""
        return self.held(self.by_level, dict(self.cell.scopes)[scope])

    @cached_property
    def by_level(self) -> NDArray[np.float64]:
        """The same for every value: (k,)."""
        return self.cell.success("level")

    @cached_property
    def blind_by_level(self) -> NDArray[np.float64]:
        """The same one's success without any report: (k,)."""
        private = self.marked & ~self.secret
        return np.where(self.secret, 1 / max(self.secret.sum(), 1), np.where(private, 1 / max(private.sum(), 1), 0.0))

    @cached_property
    def uniform(self) -> NDArray[np.float64]:
        return self.cell.success("uniform")

    def named(self, part: NDArray[np.bool_]) -> float:
        """Answers of this part that one who knows nothing beforehand names rightly."""
        return self.held(self.uniform, part)

    @cached_property
    def shown(self) -> float:
        """Unmarked answers that a report shows for sure."""
        return self.held(self.mechanism.disclosure(), ~self.marked)

    def held(self, chance: NDArray[np.float64], part: NDArray[np.bool_]) -> float:
        """The chance of an answer of this part, as often as it is held; where nobody holds one, all alike."""
        weight = self.freq * part
        weight = weight if weight.sum() > 0 else part.astype(float)
        return float(chance @ weight / weight.sum()) if part.any() else 0.0

    def lift(self, value: int) -> float:
        """How many times a report can at most multiply the odds of this value against another one."""
        return float(np.exp(self.mechanism.privacy_loss()[value].max()))

    @property
    def promise(self) -> str:
        if isinstance(self.mechanism, CustomMechanism):
            return self.mechanism.promise.definition
        return catalog.ANSWERS[self.key].promise


def epsilon_of(study: Study, main: Facts) -> float:
    """The ε at which this mechanism stands: the Study's, but for one's own, which has one ε."""
    return main.mechanism.epsilon if isinstance(main.mechanism, CustomMechanism) else study.epsilon


@once(64)
def smaller(study: Study, data: Histogram, key: str) -> Facts | None:
    """A mechanism at a smaller ε at which it errs less; None where there is none."""
    found = frequency.dominated(study, data, key)
    if found is None:
        return None
    at = replace(study, axis="epsilon", grid=())
    return Facts(key, frequency.cell(at, data, key, found.better))


def listed(found: dict[str, Facts]) -> dict[str, Facts]:
    """Those of the catalogue: without one's own."""
    return {key: fact for key, fact in found.items() if not isinstance(fact.mechanism, CustomMechanism)}


def facts(study: Study, data: Histogram) -> dict[str, Facts]:
    """Every chosen mechanism at the chosen point, if it is there: some are computed up to an ε only. One's
    own is told at its own ε, wherever the point is.
    """
    here = frequency.current(study, data)
    there = (key for key in study.mechanisms if key == frequency.OWN or frequency.exists(study, data, key, here))
    return {key: Facts(key, frequency.cell(study, data, key, here)) for key in there}


@once(64)
def best(study: Study, data: Histogram) -> tuple[str, ...]:
    """The most exact mechanism that protects every value, and the most exact that protects the marked ones, at the
    chosen point; the first alone where nothing is marked. With secret values also the most exact that protects each
    level by its own ε.
    """
    secret = bool(study.marks.secret)
    asked = replace(study, mechanisms=tuple(catalog.ANSWERS if secret else catalog.FREQUENCY))
    found = facts(asked, data)
    promises = ("LDP", *(("ULDP",) if asked.marks else ()), *((Levels.name,) if secret else ()))
    kinds = ([fact for fact in found.values() if fact.promise == promise] for promise in promises)
    # Of equals the one with an original to compare with, which is what the findings speak of.
    return tuple(
        min(kind, key=lambda fact: (round(fact.error(), 12), fact.key not in _PREFERRED)).key for kind in kinds
    )


_PREFERRED = ("SS", "uSS")
"""uSS with w = 1 *is* uRR, and SS with w = 1 GRR: then the general one is named."""


def protecting(found: dict[str, Facts]) -> dict[str, Facts]:
    """Those that protect something: where nothing is marked, only what protects every value."""
    return {
        key: fact
        for key, fact in found.items()
        if fact.promise == "LDP" or fact.marked.any() or isinstance(fact.mechanism, CustomMechanism)
    }


def focus(found: dict[str, Facts], wished: str | None) -> Facts:
    """The mechanism that the cards speak of: the one wished for, else the most exact that keeps a whole promise.

    With nothing marked only those that protect every value promise anything.
    """
    if wished in found:
        return found[wished]
    usual = listed(found) or found
    marked = next(iter(found.values())).marked.any()
    whole = [fact for fact in usual.values() if fact.promise in (("LDP", "ULDP", Levels.name) if marked else ("LDP",))]
    best = min(whole or list(usual.values()), key=lambda fact: fact.error())
    pair = leveled(usual) or rivals(usual) if marked else None
    return pair[0] if pair and pair[0].error() <= best.error() * (1 + 1e-9) else best


def original(found: dict[str, Facts], main: Facts) -> Facts | None:
    """What a mechanism would be with everything protected, where that is compared too."""
    if isinstance(main.mechanism, CustomMechanism):
        return None
    other = found.get(catalog.ANSWERS[main.key].original)
    return other if other is not None and other.promise == "LDP" else None


def rivals(found: dict[str, Facts]) -> tuple[Facts, Facts] | None:
    """(marks used, everything protected) of a mechanism and its original, so that only the marks differ: the best.

    uSS with w = 1 *is* uRR: then SS, not GRR, is what it is fair to compare with.
    """
    of_marks = [fact for fact in found.values() if fact.promise == "ULDP"]
    pairs = [(fact, other) for fact in of_marks if (other := original(found, fact)) is not None]
    return min(pairs, key=lambda pair: (round(pair[0].error(), 12), pair[1].error()), default=None)


def leveled(found: dict[str, Facts]) -> tuple[Facts, Facts] | None:
    """(every level by its own ε, all that is marked as secret): the best of each; None without secret values."""
    levels = [fact for fact in found.values() if fact.promise == Levels.name and fact.secret.any()]
    alike = [fact for fact in found.values() if fact.promise == "ULDP"]
    if not levels or not alike:
        return None
    return tuple(min(kind, key=lambda fact: round(fact.error(), 12)) for kind in (levels, alike))  # type: ignore[return-value]


def blind(main: Facts, prior: str, scope: str) -> float:
    """Success of the same adversary without a report: it always names its likeliest value (ties shared)."""
    if prior == "uniform":
        return 1 / len(main.freq)
    if prior == "targeted":
        return main.blind
    part = dict(main.cell.scopes)[scope]
    if prior == "level":
        return main.held(main.blind_by_level, part)
    top = main.freq == main.freq.max()
    mass = main.freq[part].sum()
    return float(main.freq[part & top].sum() / top.sum() / mass) if mass > 0 else 0.0


def smaller_than_error(main: Facts, labels: Sequence[str]) -> list[str]:
    """Marked values that hold people, yet fewer than their own 95 % margin."""
    return [label for label, little in zip(labels, main.drowned, strict=True) if little]
