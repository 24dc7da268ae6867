"""The planner of one column of values: Frequency's, and that of a question of a survey."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from ldpapp import words
from ldpapp.compute.memory import once
from ldpapp.language import t
from ldpapp.planner.asked import Asked, Unit
from ldpcore import catalog, plan, questionnaire


@dataclass(frozen=True)
class Shares:
    """Plans for the shares of one column of values.

    promise: whose limit stands beside them. freq: the shares, None for the worst. every: all at once.
    """

    promise: str
    marked: tuple[bool, ...]
    freq: tuple[float, ...] | None
    every: bool = False

    def of(self, key: str) -> plan.Plan:
        freq = None if self.freq is None else np.array(self.freq)
        return plan.frequency(key, len(self.marked), np.array(self.marked), every=self.every, freq=freq)

    def limit(self) -> plan.Plan:
        share = None if self.freq is None else float(np.array(self.freq)[np.array(self.marked)].sum())
        return plan.limit(self.promise, len(self.marked), sum(self.marked), share=share)


def points() -> Unit:
    """Of a share of the people."""
    return Unit(100, t("Within ± points"), t("± points"), lambda error: t("{error} points", error=words.points(error)))


def of_values(
    task: str, here: Shares, keys: Sequence[str], drawn: Sequence[str], focus: str, n: int, epsilon: float, about: str
) -> Asked:
    """here: of these data, one share at a time. The rest is `Asked`'s."""
    count = sum(here.marked)
    return Asked(
        task,
        lambda every, worst: replace(here, freq=None if worst else here.freq, every=every),
        keys,
        drawn,
        focus,
        catalog.FREQUENCY.name,
        n,
        epsilon,
        points(),
        about,
        lambda key: t("With {key} shares are off by at most", key=key),
        # Of a single marked answer a guess says nothing: whoever gave it may always be named, at every ε.
        partial(_guessed, count) if count != 1 else None,
        exact=partial(_apart, focus),
        every=True,
    )


def _guessed(marked: int, eps: float, won: float, blind: float) -> str:
    """What an attacker of one column's answers manages at this ε, and what by a blind guess."""
    holes = {
        "eps": words.epsilon(eps),
        "won": words.chance_of_100(won),
        "blind": words.of_100(blind),
    }
    if marked > 1:
        return t(
            "At ε = {eps}, whoever knows that an answer is marked names it from one report for {won} people; a blind "
            "guess gets {blind}.",
            **holes,
        )
    return t(
        "At ε = {eps}, whoever knows nothing else names an answer from one report for {won} people; a blind guess "
        "gets {blind}.",
        **holes,
    )


@once(256)
def told(here: Shares, key: str, epsilon: float) -> float | None:
    """Pairs told apart by the report at best, exact; None where its reports are too many to say, or no pairs."""
    if here.freq is None or all(here.marked) or not any(here.marked):
        return None
    mask = np.array(here.marked)
    return questionnaire.exactly(catalog.FREQUENCY[key].build(epsilon, len(mask), mask), mask, np.array(here.freq))


def _apart(key: str, here: Any, epsilon: float) -> str:
    """What this ε tells of one person; "" where that is not known exactly."""
    pairs = told(here, key, epsilon)
    if pairs is None:
        return ""
    return t(
        "At ε = {eps}, told apart in {n} of 100 pairs by the own report alone: exact, nobody who sees no more does "
        "better.",
        eps=words.epsilon(epsilon),
        n=words.of_100(pairs),
    )
