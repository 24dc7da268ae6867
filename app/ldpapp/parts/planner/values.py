"""The planner of one column of values: Frequency's, and that of a question of a survey."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldpapp import words
from ldpapp.compute.memory import once
from ldpapp.parts import levels
from ldpapp.parts.planner.asked import ErrorUnit, PlannerSubject
from ldpapp.words.language import t
from ldpcore import catalog, plan, questionnaire
from ldpcore.levels import Levels


@dataclass(frozen=True)
class Shares:
    """Plans for the shares of one column of values.

    promise: whose limit stands beside them. freq: the shares, None for the worst. every: all at once. levels: of every
    value its ε over that of the most secret ones, inf for a public one; () where the marked ones have the same. Plans
    are then by the ε of the most secret values, and by an attacker who is after them. asked: the part of the people who
    are asked. guess: of the share of marked answers that mechanisms are made for, as nobody knows it beforehand; None:
    even.
    """

    promise: str
    marked: tuple[bool, ...]
    freq: tuple[float, ...] | None
    every: bool = False
    levels: tuple[float, ...] = ()
    asked: float = 1.0
    guess: float | None = None

    @classmethod
    def of_levels(
        cls,
        promise: str,
        epsilons: NDArray[np.float64],
        freq: NDArray[np.float64],
        asked: float = 1.0,
        guess: float | None = None,
    ) -> "Shares":
        """By the ε (k,) of every value."""
        hidden = np.isfinite(epsilons)
        several = len(np.unique(epsilons[hidden])) > 1
        levels = tuple(map(float, epsilons / epsilons[hidden].min())) if several else ()
        return cls(promise, tuple(map(bool, hidden)), tuple(map(float, freq)), levels=levels, asked=asked, guess=guess)

    @property
    def secret(self) -> tuple[bool, ...]:
        """Whom the attacker is after."""
        return tuple(level == 1 for level in self.levels) if self.levels else self.marked

    @property
    def parts(self) -> NDArray[np.float64]:
        """The ε (k,) of every value where that of the most secret ones is 1."""
        return np.array(self.levels) if self.levels else np.where(self.marked, 1.0, np.inf)

    def of(self, key: str) -> plan.Plan:
        known = None if self.freq is None else np.array(self.freq)
        about: dict[str, Any] = {"every": self.every, "freq": known, "asked": self.asked}
        if key in catalog.LEVELS:
            even = np.full(len(self.marked), 1 / len(self.marked))  # nobody knows these shares before the survey
            return plan.levels(key, self.parts, guess=even, **about)
        prior = np.array(self.secret) / sum(self.secret) if self.levels else None
        guess = sum(self.marked) / len(self.marked) if self.guess is None else self.guess
        return plan.frequency(key, len(self.marked), np.array(self.marked), prior=prior, guess=guess, **about)

    def limit(self) -> plan.Plan | None:
        if self.levels and self.promise != "LDP":  # one ε for all marked values keeps the levels, too
            return plan.levels_limit(self.parts, freq=None if self.freq is None else np.array(self.freq))
        if self.promise == Levels.name:
            return None
        share = None if self.freq is None else float(np.array(self.freq)[np.array(self.marked)].sum())
        return plan.limit(self.promise, len(self.marked), sum(self.marked), share=share)


def points() -> ErrorUnit:
    """Of a share of the people."""
    return ErrorUnit(
        100, t("Within ± points"), t("± points"), lambda error: t("{error} points", error=words.points(error))
    )


def of_values(
    task: str, here: Shares, keys: Sequence[str], drawn: Sequence[str], focus: str, n: int, epsilon: float, about: str
) -> PlannerSubject:
    """here: of these data, one share at a time; epsilon: of the most secret values. The rest is `Asked`'s."""
    count = sum(here.secret)
    return PlannerSubject(
        task,
        lambda every, worst: replace(here, freq=None if worst else here.freq, every=every),
        keys,
        drawn,
        focus,
        catalog.ANSWERS.name,
        n,
        epsilon,
        points(),
        about,
        lambda key: t("With {key} shares are off by at most", key=key),
        # Of a single marked answer a guess says nothing: whoever gave it may always be named, at every ε.
        partial(_guessed, count, bool(here.levels)) if count != 1 else None,
        exact=partial(_apart, focus),
        every=True,
        label=t("ε of secret answers") if here.levels else "",
        both=partial(_both, focus, max(each for each in here.levels if each < np.inf)) if here.levels else None,
    )


def _both(key: str, times: float, epsilon: float) -> str:
    """The ε of either level; of a mechanism that knows one only, that one."""
    if key not in catalog.LEVELS:
        return levels.one_epsilon(catalog.ANSWERS.name(key), epsilon)
    return levels.both_epsilons(epsilon, times)


def _guessed(marked: int, levels: bool, eps: float, won: float, blind: float) -> str:
    """What an attacker of one column's answers manages at this ε, and what by a blind guess."""
    holes = {
        "eps": words.epsilon(eps),
        "won": words.chance_of_100(won),
        "blind": words.of_100(blind),
    }
    if levels:
        return t(
            "At ε = {eps}, whoever knows that an answer is secret names it from one report for {won} people, if all "
            "secret answers are as likely; without any report for {blind}.",
            **holes,
        )
    if marked > 1:
        return t(
            "At ε = {eps}, whoever knows that an answer is marked names it from one report for {won} people, if all "
            "marked answers are as likely; without any report for {blind}.",
            **holes,
        )
    return t(
        "At ε = {eps}, whoever knows nothing else names an answer from one report for {won} people, if all answers "
        "are as likely; without any report for {blind}.",
        **holes,
    )


@once(256)
def told(here: Shares, key: str, epsilon: float) -> float | None:
    """Pairs told apart by the report at best, exact; None where its reports are too many to say, or no pairs."""
    if here.freq is None or all(here.marked) or not any(here.marked):
        return None
    built = catalog.ANSWERS[key].protecting(here.parts * epsilon, epsilon, here.guess)
    return questionnaire.exactly(built, np.array(here.secret), np.array(here.freq))


def _apart(key: str, here: Any, epsilon: float) -> str:
    """What this ε tells of one person; "" where that is not known exactly."""
    pairs = told(here, key, epsilon)
    if pairs is None:
        return ""
    if here.levels:
        return t(
            "At ε = {eps}, a secret answer is told from any other in {n} of 100 pairs by the own report alone: exact, "
            "nobody who sees no more does better.",
            eps=words.epsilon(epsilon),
            n=words.of_100(pairs),
        )
    return t(
        "At ε = {eps}, told apart in {n} of 100 pairs by the own report alone: exact, nobody who sees no more does "
        "better.",
        eps=words.epsilon(epsilon),
        n=words.of_100(pairs),
    )
