"""Several questions to the same people: everyone answers all of them, or each a part, with public weights.

Hiding nothing by the draw (it is announced), whoever answers fewer questions can spend more ε on each. Which is better
the exact errors say: with marks, where most answers cost little, asking everything is less bad than it looks
(theory/questionnaire#several-questions).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln

from ldpcore import catalog, checks
from ldpcore.levels import Levels
from ldpcore.randomizer import Randomizer

Vector = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class SurveyQuestion:
    """A column as it is to be asked. freq (k,): its shares; sensitive (k,): its marks; key: a mechanism of
    `catalog.ANSWERS`; share: its part of the ε where several questions share one.

    levels (k,), in place of `sensitive`: the ε of each value as a part of the question's: 1, less for a secret one,
    math.inf for a public one. A mechanism of one ε gives every marked value the least.

    >>> asked = SurveyQuestion("condition", "gRR", [0.7, 0.2, 0.1], levels=[math.inf, 1.0, 0.25])
    >>> asked.kept(2.0).tolist(), asked.secret.tolist()
    ([inf, 2.0, 0.5], [False, False, True])
    """

    name: str
    key: str
    freq: ArrayLike
    sensitive: ArrayLike | None = None
    share: float = 1.0
    levels: ArrayLike | None = None

    @property
    def k(self) -> int:
        return len(np.asarray(self.freq))

    @property
    def marked(self) -> Mask:
        """Which values (k,) are not public."""
        return checks.mask(self.sensitive, self.k) if self.levels is None else np.isfinite(self._levels)

    @property
    def secret(self) -> Mask:
        """Which values (k,) have less than the question's ε."""
        return self._levels < 1

    @property
    def _levels(self) -> Vector:
        if self.levels is None:
            return np.where(self.marked, 1.0, math.inf)
        parts = np.asarray(self.levels, float)
        if parts.shape != (self.k,) or not (parts > 0).all() or (np.isfinite(parts) & (parts > 1)).any():
            raise ValueError(
                f"levels are {self.k} parts of the question's ε, one for each value: above 0 and at most 1, or inf for "
                f"a public value, got {self.levels!r}"
            )
        return parts

    def epsilons(self, epsilon: float) -> Vector:
        """The ε (k,) that each value is to have, inf for a public one, where the question has this."""
        return self._levels * epsilon

    def kept(self, epsilon: float) -> Vector:
        """The ε (k,) that no report speaks for each value by more than: never more than `epsilons`."""
        entry, asked = catalog.ANSWERS[self.key], self.epsilons(epsilon)
        if entry.promise == Levels.name:
            return asked
        hidden = np.isfinite(asked)
        least = float(asked[hidden].min()) if hidden.any() else epsilon
        return np.where(hidden | (not entry.uses_marks), least, math.inf)

    def built(self, epsilon: float) -> Randomizer:
        """The mechanism, where the question has this ε."""
        return catalog.ANSWERS[self.key].protecting(self.epsilons(epsilon), epsilon)

    def variance(self, epsilon: float) -> Vector:
        """Of one report's estimate (k,)."""
        return self.built(epsilon).variance(self.freq, 1)


@dataclass(frozen=True)
class Allocation:
    """Who answers what: blocks of questions, each person one block, drawn with public weights (None: alike).

    >>> Allocation.everything(["a", "b"]).blocks, Allocation.one_each(["a", "b"]).blocks
    ((('a', 'b'),), (('a',), ('b',)))
    """

    blocks: tuple[tuple[str, ...], ...]
    weights: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        names = [name for block in self.blocks for name in block]
        if not names or len(set(names)) < len(names) or not all(self.blocks):
            raise ValueError("every question is in one block, and no block is empty")
        if self.weights is not None and (
            len(self.weights) != len(self.blocks) or min(self.weights) <= 0 or abs(sum(self.weights) - 1) > 1e-9
        ):
            raise ValueError("weights are positive, one for each block, and their sum is 1")

    @classmethod
    def everything(cls, names: Sequence[str]) -> "Allocation":
        """Everyone answers all questions, and their ε is shared."""
        return cls((tuple(names),))

    @classmethod
    def one_each(cls, names: Sequence[str], weights: Sequence[float] | None = None) -> "Allocation":
        """Each person answers one question with the whole ε."""
        return cls(tuple((name,) for name in names), None if weights is None else tuple(weights))

    @property
    def drawn(self) -> Mapping[tuple[str, ...], float]:
        """Block → the chance that a person answers it."""
        return dict(zip(self.blocks, self.weights or [1 / len(self.blocks)] * len(self.blocks), strict=True))


def errors(questions: Sequence[SurveyQuestion], scheme: Allocation, *, n: int, epsilon: float) -> pd.DataFrame:
    """What each question's shares err: a row per question with block, epsilon (of its report), people (expected), mse
    (mean squared error over its values, against these n people), worst (the largest of a value), marked (mean over its
    marked values; nan without) and secret (over those of them that have less than the question's ε; nan without).

    epsilon: of a whole person, shared within a block. Exact: the reports' variance for the number of people who are
    drawn, and the drawing of people (without replacement); nobody drawn counts as drawn again.

    >>> asked = [SurveyQuestion(name, "SS", [0.4, 0.3, 0.2, 0.1]) for name in "abc"]
    >>> for scheme in (Allocation.everything("abc"), Allocation.one_each("abc")):
    ...     print(round(errors(asked, scheme, n=30_000, epsilon=1.0)["mse"].mean() * 1e4, 2))
    6.81
    2.01
    """
    squared = value_errors(questions, scheme, n=n, epsilon=epsilon)
    rows = []
    for question in questions:
        block, chance, spent = _asked(questions, scheme, question, epsilon)
        mse = squared[question.name]
        parts = (float(mse[part].mean()) if part.any() else np.nan for part in (question.marked, question.secret))
        rows.append((question.name, block, spent, n * chance, float(mse.mean()), float(mse.max()), *parts))
    return pd.DataFrame(rows, columns=["question", "block", "epsilon", "people", "mse", "worst", "marked", "secret"])


def value_errors(
    questions: Sequence[SurveyQuestion], scheme: Allocation, *, n: int, epsilon: float
) -> dict[str, Vector]:
    """Question → mean squared error (k,) of each of its shares; the arguments are those of `errors`."""
    if {question.name for question in questions} != {name for block in scheme.blocks for name in block}:
        raise ValueError("the scheme's blocks hold the questions, each once")
    checks.epsilon(epsilon / max(map(len, scheme.blocks)))  # of a whole person: many reports may be more than one can
    checks.integer(n, "n (people)", 1)
    squared = {}
    for question in questions:
        _, chance, spent = _asked(questions, scheme, question, epsilon)
        freq = checks.shares(question.freq, question.k)
        squared[question.name] = _squared(question.variance(spent), freq, n, chance)
    return squared


def _asked(
    questions: Sequence[SurveyQuestion], scheme: Allocation, question: SurveyQuestion, epsilon: float
) -> tuple[tuple[str, ...], float, float]:
    """The block of a question, the chance of a person to answer it, and the ε of its report."""
    block, chance = next(each for each in scheme.drawn.items() if question.name in each[0])
    total = sum(other.share for other in questions if other.name in block)
    return block, chance, epsilon * question.share / total


def _squared(variance: Vector, freq: Vector, n: int, chance: float) -> Vector:
    """E over m ~ Binomial(n, chance), m ≥ 1, of variance/m + freq(1 − freq)(n − m)/(m(n − 1))."""
    inverse = expected_inverse(n, chance)
    sampling = (n * inverse - 1) / (n - 1) if n > 1 else 0.0
    return variance * inverse + freq * (1 - freq) * sampling


def expected_inverse(n: int, chance: float) -> float:
    """E[1/m | m ≥ 1] of m ~ Binomial(n, chance), exact.

    >>> round(expected_inverse(2, 0.5), 6)  # 1 with chance 2/3, 1/2 with 1/3
    0.833333
    """
    if chance >= 1:
        return 1 / n
    # All but 1e-30 of the mass is within so many of the mean.
    reach = 12 * np.sqrt(n * chance * (1 - chance)) + 40
    m = np.arange(max(1, int(n * chance - reach)), min(n, int(n * chance + reach)) + 1)
    log = gammaln(n + 1) - gammaln(m + 1) - gammaln(n - m + 1) + m * np.log(chance) + (n - m) * np.log1p(-chance)
    mass = np.exp(log - log.max())
    return float(mass @ (1 / m) / mass.sum())


def promise(questions: Sequence[SurveyQuestion], scheme: Allocation, *, epsilon: float) -> pd.DataFrame:
    """What the whole report promises: a row per block, with `answer` (the largest ε of one question: with all other
    answers equal no report speaks for a marked answer by more), and `marked`, for records that differ in as many
    marked answers as they can: the sum over the questions that protect any answer.

    secret: what all reports together speak by at most for the secret answers of a person (those with less than their
    question's ε), all other answers equal: the sum over the questions that have any; nan where none has. Every record
    has the sum of what `SurveyQuestion.kept` says of its answers (theory/levels#definition).
    """
    rows = []
    for block in scheme.blocks:
        inside = [question for question in questions if question.name in block]
        kept = {each.name: each.kept(_asked(questions, scheme, each, epsilon)[2]) for each in inside}
        most = [float(budgets[np.isfinite(budgets)].max()) for budgets in kept.values() if np.isfinite(budgets).any()]
        secret = [float(kept[each.name][each.secret].max()) for each in inside if each.secret.any()]
        rows.append((block, max(most, default=0.0), sum(most), sum(secret) if secret else np.nan))
    return pd.DataFrame(rows, columns=["block", "answer", "marked", "secret"])
