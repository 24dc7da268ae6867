"""Several questions to the same people: everyone answers all of them, or each a part, with public weights.

Hiding nothing by the draw (it is announced), whoever answers fewer questions can spend more ε on each. Which is better
the exact errors say: with marks, where most answers cost little, asking everything is less bad than it looks
(theory/questionnaire#several-questions).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln

from ldpcore import catalog, checks

Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Question:
    """A column as it is to be asked. freq (k,): its shares; sensitive (k,): its marks; key: a mechanism of
    `catalog.FREQUENCY`; share: its part of the ε where several questions share one.
    """

    name: str
    key: str
    freq: ArrayLike
    sensitive: ArrayLike | None = None
    share: float = 1.0

    @property
    def k(self) -> int:
        return len(np.asarray(self.freq))

    def variance(self, epsilon: float) -> Vector:
        """Of one report's estimate (k,)."""
        built = catalog.FREQUENCY[self.key].build(epsilon, self.k, checks.mask(self.sensitive, self.k))
        return built.variance(self.freq, 1)


@dataclass(frozen=True)
class Scheme:
    """Who answers what: blocks of questions, each person one block, drawn with public weights (None: alike).

    >>> Scheme.everything(["a", "b"]).blocks, Scheme.one_each(["a", "b"]).blocks
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
    def everything(cls, names: Sequence[str]) -> "Scheme":
        """Everyone answers all questions, and their ε is shared."""
        return cls((tuple(names),))

    @classmethod
    def one_each(cls, names: Sequence[str], weights: Sequence[float] | None = None) -> "Scheme":
        """Each person answers one question with the whole ε."""
        return cls(tuple((name,) for name in names), None if weights is None else tuple(weights))

    @property
    def drawn(self) -> Mapping[tuple[str, ...], float]:
        """Block → the chance that a person answers it."""
        return dict(zip(self.blocks, self.weights or [1 / len(self.blocks)] * len(self.blocks), strict=True))


def errors(questions: Sequence[Question], scheme: Scheme, *, n: int, epsilon: float) -> pd.DataFrame:
    """What each question's shares err: a row per question with block, epsilon (of its report), people (expected), mse
    (mean squared error over its values, against these n people), worst (the largest of a value) and marked (mean over
    its marked values; nan without).

    epsilon: of a whole person, shared within a block. Exact: the reports' variance for the number of people who are
    drawn, and the drawing of people (without replacement); nobody drawn counts as drawn again.

    >>> asked = [Question(name, "SS", [0.4, 0.3, 0.2, 0.1]) for name in "abc"]
    >>> for scheme in (Scheme.everything("abc"), Scheme.one_each("abc")):
    ...     print(round(errors(asked, scheme, n=30_000, epsilon=1.0)["mse"].mean() * 1e4, 2))
    6.81
    2.01
    """
    by_name = {question.name: question for question in questions}
    if set(by_name) != {name for block in scheme.blocks for name in block}:
        raise ValueError("the scheme's blocks hold the questions, each once")
    checks.epsilon(epsilon)
    checks.integer(n, "n (people)", 1)
    rows = []
    for block, chance in scheme.drawn.items():
        total = sum(by_name[name].share for name in block)
        for name in block:
            question = by_name[name]
            own = epsilon * question.share / total
            freq = checks.shares(question.freq, question.k)
            mse = _squared(question.variance(own), freq, n, chance)
            marked = checks.mask(question.sensitive, question.k)
            of_marked = float(mse[marked].mean()) if marked.any() else np.nan
            rows.append((name, block, own, n * chance, float(mse.mean()), float(mse.max()), of_marked))
    order = [question.name for question in questions]
    found = pd.DataFrame(rows, columns=["question", "block", "epsilon", "people", "mse", "worst", "marked"])
    return found.set_index("question").loc[order].reset_index()


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


def promise(questions: Sequence[Question], scheme: Scheme, *, epsilon: float) -> pd.DataFrame:
    """What the whole report promises: a row per block, with `answer` (the largest ε of one question: with all other
    answers equal no report speaks for a marked answer by more), and `marked`, for records that differ in as many
    marked answers as they can: the sum over the questions that protect any answer.
    """
    by_name = {question.name: question for question in questions}
    rows = []
    for block in scheme.blocks:
        total = sum(by_name[name].share for name in block)
        own = {name: epsilon * by_name[name].share / total for name in block}
        protects = [name for name in block if _protects(by_name[name])]
        rows.append((block, max(own[name] for name in protects) if protects else 0.0, sum(own[n] for n in protects)))
    return pd.DataFrame(rows, columns=["block", "answer", "marked"])


def _protects(question: Question) -> bool:
    """Whether any answer is hidden: a mechanism without marks hides all, another those that are marked."""
    return not catalog.FREQUENCY[question.key].uses_marks or bool(checks.mask(question.sensitive, question.k).any())
