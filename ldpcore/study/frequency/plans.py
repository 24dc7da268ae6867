"""The planner of one column of values: Frequency's, and that of a question of a survey."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldpcore import catalog, plan, questionnaire
from ldpcore.levels import Levels


@dataclass(frozen=True)
class SharePlans:
    """Plans for the shares of one column of values.

    promise: whose limit stands beside them. freq: the shares, None for the worst. every: all at once. answer: the code
    of the one that has to be exact, None for each, so the least exact. levels: of every value its ε over that of the
    most secret ones, inf for a public one; () where the marked ones have the same. Plans are then by the ε of the most
    secret values, and by an attacker who is after them. asked: the part of the people who are asked. guess: of the
    share of marked answers that mechanisms are made for, as nobody knows it beforehand; None: even. noise: of people
    with weights the shares that errors go by, those by squared weights; design_effect: their n over Kish's, or what
    somebody expects of weights that are not there yet.

    >>> import numpy as np
    >>> here = SharePlans.of_levels("ULDP", np.array([1.0, 1.0, np.inf, np.inf]), np.array([0.1, 0.2, 0.3, 0.4]))
    >>> here.of("uSS").people(epsilon=1.0, within=0.01), here.limit().people(epsilon=1.0, within=0.01)
    (35368, 35368)
    >>> round(here.told_apart("uSS", 1.0), 3)
    0.752
    """

    promise: str
    marked: tuple[bool, ...]
    freq: tuple[float, ...] | None
    every: bool = False
    levels: tuple[float, ...] = ()
    asked: float = 1.0
    guess: float | None = None
    noise: tuple[float, ...] | None = None
    design_effect: float = 1.0
    answer: int | None = None

    @classmethod
    def of_levels(
        cls,
        promise: str,
        epsilons: NDArray[np.float64],
        freq: NDArray[np.float64],
        asked: float = 1.0,
        guess: float | None = None,
    ) -> "SharePlans":
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
        about: dict[str, Any] = {"every": self.every, "freq": self._known, "asked": self.asked}
        if self.answer is not None:
            about["of"] = np.arange(len(self.marked)) == self.answer
        if key in catalog.LEVELS:
            even = np.full(len(self.marked), 1 / len(self.marked))  # nobody knows these shares before the survey
            return plan.levels(key, self.parts, guess=even, **about).weighing(self.design_effect)
        prior = np.array(self.secret) / sum(self.secret) if self.levels else None
        guess = sum(self.marked) / len(self.marked) if self.guess is None else self.guess
        made = plan.frequency(key, len(self.marked), np.array(self.marked), prior=prior, guess=guess, **about)
        return made.weighing(self.design_effect)

    @property
    def _known(self) -> NDArray[np.float64] | None:
        """The shares that errors go by."""
        return None if self.freq is None else np.array(self.freq if self.noise is None else self.noise)

    def limit(self) -> plan.Plan | None:
        """None for one answer, too: of its kind's mean alone a limit is known."""
        if self.answer is not None:
            return None
        if self.levels and self.promise != "LDP":  # one ε for all marked values keeps the levels, too
            return plan.levels_limit(self.parts, freq=self._known).weighing(self.design_effect)
        if self.promise == Levels.name:
            return None
        share = None if self._known is None else float(self._known[np.array(self.marked)].sum())
        return plan.limit(self.promise, len(self.marked), sum(self.marked), share=share).weighing(self.design_effect)

    def told_apart(self, key: str, epsilon: float) -> float | None:
        """Pairs that the report tells apart at best, exact: share of the pairs of one marked and one other answer, of
        the marked `answer` and any other where one is planned for; None where its reports are too many to say, or there
        are no pairs.
        """
        if self.freq is None or all(self.marked) or not any(self.marked):
            return None
        built = catalog.ANSWERS[key].protecting(self.parts * epsilon, epsilon, self.guess)
        return questionnaire.exactly(built, self.sought, np.array(self.freq))

    @property
    def sought(self) -> NDArray[np.bool_]:
        """Which answers (k,) are told from all others: the one that is planned for where it is among `secret`."""
        secret = np.array(self.secret)
        return secret if self.answer is None or not secret[self.answer] else np.arange(len(secret)) == self.answer
