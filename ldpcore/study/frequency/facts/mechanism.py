"""The facts of one mechanism of a frequency study: how far off it is, and what its reports give away."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import nan

import numpy as np
import pandas as pd

from ldpcore import catalog, questionnaire
from ldpcore.attacks import manipulation, naming
from ldpcore.custom import CustomMechanism
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.randomizer import NotEnumerable, Randomizer
from ldpcore.scope import LEVELS
from ldpcore.study.frequency import floor
from ldpcore.study.frequency.cell import FrequencyDesignPoint, Mask, Shares
from ldpcore.study.quantities import CHANCE, PEOPLE, Known, quantity
from ldpcore.study.simulated_shares import SimulatedShares, estimates

ENDLESS = "reports have no end, or are too many to list"


@dataclass(frozen=True, eq=False)
class ShareFacts(Known):
    """One mechanism at one point. Errors are typical errors of a share: root mean squares."""

    key: str
    cell: FrequencyDesignPoint

    @property
    def mechanism(self) -> Randomizer:
        return self.cell.groups[0].mechanism

    @property
    def marked(self) -> Mask:
        return self.cell.marked

    @property
    def secret(self) -> Mask:
        return self.cell.secret

    @property
    def freq(self) -> Shares:
        return self.cell.freq

    @property
    def promise(self) -> str:
        """The definition that it keeps."""
        if isinstance(self.mechanism, CustomMechanism):
            return self.mechanism.promise.definition
        return catalog.ANSWERS[self.key].promise

    # errors

    @cached_property
    def variance(self) -> Shares:
        """Expected squared error of every value's share: (k,)."""
        return self.cell.squared_error()

    @quantity(PEOPLE)
    def errors(self) -> dict[str, float]:
        """Typical error of a share: the root mean squared error over the values of this scope."""
        return {scope: float(np.sqrt(self.variance[part].mean())) for scope, part in self.cell.scopes}

    def error(self, scope: str = "all") -> float:
        return self.errors[scope]

    @quantity(PEOPLE)
    def margins(self) -> dict[str, float]:
        """The 95 % margin of a share, ±, over the values of this scope."""
        return {scope: NORMAL_95 * error for scope, error in self.errors.items()}

    @quantity("bits", absent="it sends numbers without end")
    def bits(self) -> float:
        """Size of a report: of the shortest code of one length, with the seed of its hash."""
        return self.cell.bits

    @quantity(PEOPLE)
    def unasked(self) -> float:
        """The error of one who asks nobody and says that every value has the same share."""
        return float(np.std(self.freq))

    @property
    def drowned(self) -> Mask:
        """Marked values (k,) that hold people, yet fewer than the 95 % margin: too rare to measure."""
        return self.marked & (self.freq > 0) & (self.freq < NORMAL_95 * np.sqrt(self.variance))

    def too_rare(self, labels: Sequence[str]) -> list[str]:
        """Their names, of all values' labels."""
        return [label for label, little in zip(labels, self.drowned, strict=True) if little]

    @quantity("values", "sensitive")
    def unmeasurable(self) -> int:
        """Marked values that hold people, yet fewer than their own 95 % margin."""
        return int(self.drowned.sum())

    @quantity(PEOPLE, absent="the least error is not computed for this promise, this ε or these levels")
    def least(self) -> dict[str, float]:
        """The least typical error of any mechanism with this promise that is fixed before the data."""
        return {scope: self.least_error(scope) for scope, _ in self.cell.scopes}

    def least_error(self, scope: str) -> float:
        """That over this scope; NaN where it is not computed."""
        return float(np.sqrt(floor.of_cell(self.cell, scope)))

    def simulated(self, labels: Sequence[str], rows: pd.DataFrame) -> SimulatedShares:
        """Simulated rows of the study at this point → its surveys beside the theory; labels: of all values."""
        return SimulatedShares(
            self.key, labels, self.marked, self.freq, estimates(rows, self.key, labels), self.variance, self.variance,
            self.cell.interval, people=max(1, int(self.cell.effective)), secret=self.secret,
        )  # fmt: skip

    # false reports

    @cached_property
    def _scores(self) -> tuple[Shares, Shares]:
        """The least and the largest score (k,) of a report that is accepted, of whichever marks; NaN: not known."""
        try:
            each = [manipulation.extremes(group.mechanism) for group in self.cell.groups]
        except NotEnumerable:
            return np.full((2, len(self.marked)), nan)  # type: ignore[return-value]  two rows
        return np.min([low for low, _ in each], axis=0), np.max([high for _, high in each], axis=0)

    @quantity("honest people", absent=ENDLESS)
    def liar(self) -> dict[str, float]:
        """One false report counts as up to so many honest holders: the largest score over the values of this scope."""
        return {scope: float(self._scores[1][part].max()) for scope, part in self.cell.scopes}

    @quantity("honest people", absent=ENDLESS)
    def liar_range(self) -> dict[str, float]:
        """From the most that one false report takes from a share to the most that it adds: the widest of this scope."""
        low, high = self._scores
        return {scope: float((high - low)[part].max()) for scope, part in self.cell.scopes}

    @quantity("honest people", absent="the promise compares no two values of this scope with one another")
    def least_range(self) -> dict[str, float]:
        """No mechanism with this promise, estimated without bias, has a narrower one over this scope."""
        return {scope: self._least_range(part) for scope, part in self.cell.scopes}

    def _least_range(self, part: Mask) -> float:
        made, *others = (group.mechanism for group in self.cell.groups)
        if others or not np.isfinite(made.epsilon):
            return nan
        covered = made.policy.covers(made.k) | np.eye(made.k, dtype=bool)
        both = int(np.count_nonzero(covered.all(axis=1) & part))
        if both > 1:
            return manipulation.least_range(both, made.epsilon)
        return manipulation.least_range(1, made.epsilon) if np.any(covered[:, part].sum(axis=0) > 1) else nan

    # guesses

    @quantity(CHANCE, "sensitive", absent="nothing is marked")
    def targeted(self) -> float:
        """Marked answers named rightly by one who knows that the answer is marked."""
        return self.over(self.cell.success("targeted"), self.marked) if self.marked.any() else nan

    @quantity(CHANCE, "sensitive", absent="nothing is marked")
    def blind(self) -> float:
        """The same one's success without any report."""
        return 1 / int(self.marked.sum()) if self.marked.any() else nan

    @quantity(CHANCE)
    def guessed_by_level(self) -> dict[str, float]:
        """Answers of this level named rightly by one who knows of which level they are; none without secret values."""
        return {scope: self.guessed(scope) for scope, _ in self.cell.scopes if scope in LEVELS}

    def guessed(self, scope: str) -> float:
        """Success against answers of this scope of one who knows of which level they are."""
        return self.over(self.by_level, dict(self.cell.scopes)[scope])

    @cached_property
    def by_level(self) -> Shares:
        """The same for every value: (k,)."""
        return self.cell.success("level")

    @cached_property
    def blind_by_level(self) -> Shares:
        """The same one's success without any report: (k,)."""
        private = self.marked & ~self.secret
        return np.where(self.secret, 1 / max(self.secret.sum(), 1), np.where(private, 1 / max(private.sum(), 1), 0.0))

    @quantity(CHANCE)
    def recognised(self) -> float:
        """Answers named rightly by one who knows the shares of the population."""
        return float(self.cell.success("population") @ self.freq)

    @cached_property
    def uniform(self) -> Shares:
        """Success (k,) of one who knows nothing beforehand."""
        return self.cell.success("uniform")

    def named(self, part: Mask) -> float:
        """Answers of this part that one who knows nothing beforehand names rightly."""
        return self.over(self.uniform, part)

    @quantity(PEOPLE, "other")
    def shown(self) -> float:
        """Unmarked answers that a report shows for sure; 0 also where every value is marked."""
        return self.over(self.mechanism.disclosure(), ~self.marked)

    @quantity(CHANCE, "sensitive", absent="marks are of none or all, or people choose them; or reports are not listed")
    def apart(self) -> float:
        """Pairs of a marked answer and another, as often as each is given, that one report tells apart at best."""
        return self._apart(self.marked)

    def _apart(self, part: Mask) -> float:
        """That of these answers and all others, exact; NaN where it has no closed form."""
        pairs = questionnaire.exactly(self.mechanism, part, self.freq) if len(self.cell.groups) == 1 else None
        return nan if pairs is None else pairs

    def told(self, value: int) -> float:
        """How often holders of this value are told from all others, both as likely: at best, where its reports can be
        listed, else by whether one names it.
        """
        exact = self._apart(np.arange(len(self.freq)) == value)
        if np.isfinite(exact):
            return exact
        named = naming.chances(self.mechanism, value, self.freq)
        return (1 + named.holders - named.others) / 2

    def over(self, chance: Shares, part: Mask) -> float:
        """The chance of an answer of this part, as often as it is given; where nobody gives one, all alike."""
        weight = self.freq * part
        weight = weight if weight.sum() > 0 else part.astype(float)
        return float(chance @ weight / weight.sum()) if part.any() else 0.0

    def lift(self, value: int) -> float:
        """How many times a report can at most multiply the odds of this value against another one."""
        return float(np.exp(self.mechanism.privacy_loss()[value].max()))

    def blind_to(self, prior: str, scope: str) -> float:
        """Success of the adversary of this prior without a report, who names its likeliest value (ties shared)."""
        if prior == "uniform":
            return 1 / len(self.freq)
        if prior == "targeted":
            return self.blind
        part = dict(self.cell.scopes)[scope]
        if prior == "level":
            return self.over(self.blind_by_level, part)
        top = self.freq == self.freq.max()
        mass = self.freq[part].sum()
        return float(self.freq[part & top].sum() / top.sum() / mass) if mass > 0 else 0.0

    def beats_not_asking(self, *others: "ShareFacts") -> bool:
        """Whether the most exact of this and these is nearer than equal shares for all."""
        return min(one.error() for one in (self, *others)) <= self.unasked
