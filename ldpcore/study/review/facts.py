"""The facts of a review at its own point: what is known of each hidden question, and of a person's whole report.

Errors and promises are exact; who is told from whom is what attackers managed in one simulated survey.

>>> from ldpcore import Marks, Source, Study
>>> from ldpcore.study.execute import prepare
>>> marks = Marks.of(["marital-status = Divorced", "marital-status = Widowed"])
>>> study = Study(Source("census"), "marital-status", marks, grid=(), task="review")
>>> study = study.with_options(columns=("marital-status", "relationship", "sex"))
>>> one = facts(study, prepare(study)).every["marital-status"]
>>> round(100 * one.error, 2), one.own < 0.8 < one.pairs, one.worst.column
(0.53, True, 'relationship')
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import pandas as pd

from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.study import review
from ldpcore.study.definition import Study
from ldpcore.study.quantities import EPSILON, PEOPLE, Known, quantity, simulated
from ldpcore.study.review.hidden import Hidden, HiddenSurvey
from ldpcore.study.review.people import SurveyTable

PAIRS = "share of the pairs of people"
UNKNOWN = "nobody can be told from anybody here, the attacker of this study does not look, or has not tried yet"


@dataclass(frozen=True)
class OtherColumn:
    """Another column: what is told apart with the own report and it, and the least that it adds."""

    column: str
    pairs: float
    least: float


@dataclass(frozen=True, eq=False)
class QuestionFacts(Known):
    """The marked answers to a hidden question, or (`secretly`) the secret ones alone. mse: over them, exact. told: what
    the rows say, metric → value. levels: of a question with secret answers "secret" and "private" → exact mean squared
    error; secret: what is known of those alone, where it has both.
    """

    asked: Hidden
    mse: float
    told: Mapping[str, float]
    secretly: bool = False
    levels: Mapping[str, float] = field(default_factory=dict)
    secret: "QuestionFacts | None" = None

    @quantity(EPSILON, "sensitive")
    def epsilon(self) -> float:
        """ε of the report to this question, for these answers."""
        return self.asked.secret_epsilon if self.secretly else self.asked.epsilon

    @quantity(PEOPLE, "sensitive")
    def error(self) -> float:
        """Typical error of a share: the root mean squared error over these answers, exact."""
        return self.mse**0.5

    @quantity(PEOPLE, "sensitive")
    def margin(self) -> float:
        """The 95 % margin of a share, ±, over these answers."""
        return NORMAL_95 * self.error

    @quantity(PEOPLE)
    def errors_by_level(self) -> dict[str, float]:
        """The typical error over the private and over the secret answers, where there are secret ones."""
        return {level: mse**0.5 for level, mse in self.levels.items()}

    @property
    def delicate(self) -> "QuestionFacts":
        """The most protected of its answers whose exposure is known."""
        return self if self.secret is None or self.secret.own is None else self.secret

    @quantity(PAIRS, "secret", absent="known of secret answers alone, once all attackers have tried")
    def others(self) -> float | None:
        """Pairs told apart without the own report."""
        return self.told.get("others")

    @quantity(PAIRS, "sensitive", absent=UNKNOWN)
    def own(self) -> float | None:
        """Pairs, one with such an answer and one without, told apart by the own report."""
        return self.told.get("own")

    @property
    def exact(self) -> bool:
        """Whether `own` has a closed form, and is that."""
        return self.own is not None and self.told["own:low"] == self.told["own:high"]

    @quantity(PAIRS, "sensitive", absent=UNKNOWN)
    def pairs(self) -> float | None:
        """Pairs told apart with everything that a person sends: by the strongest attacker, until all have tried by the
        quick one.
        """
        return self.told.get("pairs", self.told.get("first"))

    @property
    def interval(self) -> tuple[float, float] | None:
        """Of `pairs`; None until all have tried."""
        return (self.told["pairs:low"], self.told["pairs:high"]) if "pairs" in self.told else None

    @property
    def most(self) -> float | None:
        """Pairs told apart by whoever the study lets look."""
        return self.own if self.pairs is None else self.pairs

    @quantity(PEOPLE, "sensitive", absent=UNKNOWN)
    def surest(self) -> float | None:
        """Of the hundredth that the attacker is surest of, those with such an answer."""
        return self.told.get("surest", self.told.get("own:surest"))

    @quantity(PEOPLE, "sensitive", absent=UNKNOWN)
    def held(self) -> float | None:
        """Of everybody, those with such an answer."""
        return self.told.get("marked")

    @quantity(PAIRS, "sensitive", absent="no other column adds anything beyond chance, or none is looked at")
    def worst_pairs(self) -> float | None:
        """Pairs told apart with the own report and the one other column that gives it away most."""
        return self.worst.pairs if self.worst else None

    @cached_property
    def givers(self) -> tuple[OtherColumn, ...]:
        """The other columns, as the attacker tried them."""
        return tuple(
            OtherColumn(column, self.told[metric], self.told[f"least:{column}"])
            for metric in self.told
            if metric.startswith("with:") and (column := metric.removeprefix("with:"))
        )

    @property
    def worst(self) -> OtherColumn | None:
        """Who gives it away most; None where nobody adds anything beyond chance."""
        return next((giver for giver in self.givers if giver.least > 0), None)


@dataclass(frozen=True, eq=False)
class ReviewFacts(Known):
    """rows: simulated ones of the study at its own point; None: all of them, simulated when they are first needed."""

    study: Study
    data: SurveyTable
    rows: pd.DataFrame | None = None

    @cached_property
    def asked(self) -> HiddenSurvey:
        """The survey under its marks; DataError or ValueError where nothing is to be reviewed."""
        return review.asked(self.study, self.data, self.study.epsilon)

    @cached_property
    def surveys(self) -> pd.DataFrame:
        """Simulated rows."""
        if self.rows is not None:
            return self.rows
        return simulated(review.chunks(replace(self.study, grid=(), repetitions=1), self.data))

    @cached_property
    def every(self) -> dict[str, QuestionFacts]:
        """Question → what is known of it so far."""
        errors, levels = self.asked.errors(), self.asked.by_level()
        out: dict[str, QuestionFacts] = {}
        for name, one in self.asked.hidden.items():
            rows = self.surveys[(self.surveys["scope"] == name) & (self.surveys["repetition"] == 0)]
            told = dict(zip(rows["metric"], rows["value"].astype(float), strict=True))
            secret = None
            if one.secret.any() and one.private.any():
                alone = {metric.removeprefix(review.ON_SECRET): value for metric, value in told.items()
                         if metric.startswith(review.ON_SECRET)}  # fmt: skip
                secret = QuestionFacts(one, levels[name]["secret"], alone, secretly=True)
            out[name] = QuestionFacts(one, errors[name][1], told, one.is_secret, levels.get(name, {}), secret)
        return out

    @property
    def parts(self) -> dict[str, QuestionFacts]:
        """Of questions with secret answers among others these by themselves, too."""
        alone = {f"{name} (secret)": one.secret for name, one in self.every.items() if one.secret is not None}
        return {**self.every, **alone}

    def focus(self, column: str = "") -> QuestionFacts:
        """What is spoken of: the most protected answers to this question, if anybody is told apart by it."""
        apart = [one for one in self.every.values() if one.asked.apart]
        name = self.data.asked_in(column or self.study.column)
        return next((one for one in apart if one.asked.name == name), apart[0]).delicate

    @quantity(EPSILON)
    def promised(self) -> dict[str, float]:
        """ε of all that one person sends, for the marked answers that one can hold, and for secret ones alone."""
        whole = {"sensitive": self.asked.promised()}
        return {**whole, "secret": self.asked.promised(secret=True)} if self.asked.leveled else whole

    @quantity("answers", "sensitive", by_part=True)
    def unmeasurable(self) -> dict[str, int]:
        """Marked answers of this question that people give, yet fewer than their own 95 % margin."""
        rare = self.asked.drowned()
        return {name: len(rare.get(name, ())) for name in self.asked.hidden}

    @quantity("questions", "other")
    def sent_openly(self) -> int:
        """Questions that are asked and not hidden."""
        return len(self.asked.open)


def facts(study: Study, data: SurveyTable, rows: pd.DataFrame | None = None) -> ReviewFacts:
    """What is known of the survey at the study's ε; who is told apart comes from simulated rows."""
    return ReviewFacts(study, data, rows)
