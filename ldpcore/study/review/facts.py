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
>>> one.spoken, one.false_reports, round(100 * one.denied, 2)  # 1 in 10 of the divorced
('Widowed', 219, 1.34)
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import pandas as pd

from ldpcore.attacks import bayes
from ldpcore.memory import recalled, remembered
from ldpcore.questionnaire import Predictor, together
from ldpcore.study import review
from ldpcore.study.definition import Study
from ldpcore.study.quantities import CHANCE, EPSILON, PEOPLE, TIMES, quantity, simulated
from ldpcore.study.review import uniques
from ldpcore.study.review.asking import identity
from ldpcore.study.review.change import ExposureChange, changes
from ldpcore.study.review.needs import SurveyNeeds
from ldpcore.study.review.people import SurveyTable
from ldpcore.study.review.question import PAIRS, QuestionFacts
from ldpcore.study.review.safer import odds_without

PRIOR = 0.01
"""Of how many somebody thought before that they have an answer, where odds are said as chances and no share of the data
may be.
"""


@dataclass(frozen=True, eq=False)
class ReviewFacts(SurveyNeeds):
    """rows: simulated ones of the study at its own point; None: all of them, simulated when they are first needed."""

    rows: pd.DataFrame | None = None

    @cached_property
    def published(self) -> "ReviewFacts":
        """What may be published: the same people and mechanisms, with errors that hold whatever people answer. Exact
        ones, at the data's own shares, would tell these to whoever solves for them. Nobody is attacked.
        """
        return replace(self, rows=pd.DataFrame(columns=["scope", "repetition", "metric", "value"]), bounded=True)

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
            metrics = dict(zip(rows["metric"], rows["value"].astype(float), strict=True))
            secret = None
            if one.secret.any() and one.private.any():
                alone = {metric.removeprefix(review.ON_SECRET): value for metric, value in metrics.items()
                         if metric.startswith(review.ON_SECRET)}  # fmt: skip
                secret = QuestionFacts(one, levels[name]["secret"], alone, secretly=True, survey=self)
            out[name] = QuestionFacts(
                one, errors[name][1], metrics, one.is_secret, levels.get(name, {}), secret, survey=self
            )
        return out

    @property
    def parts(self) -> dict[str, QuestionFacts]:
        """Of questions with secret answers among others these by themselves, too, right after them."""
        rows: dict[str, QuestionFacts] = {}
        for name, one in self.every.items():
            rows[name] = one
            if one.secret is not None:
                rows[f"{name} (secret)"] = one.secret
        return rows

    def focus(self, column: str = "") -> QuestionFacts:
        """What is spoken of: the most protected answers to this question, if anybody is told apart by it."""
        apart = [one for one in self.every.values() if one.asked.apart]
        name = self.data.asked_in(column or self.study.column)
        return next((one for one in apart if one.asked.name == name), apart[0]).delicate

    @property
    def most_exposed(self) -> list[QuestionFacts]:
        """Of every question its most protected answers, where pairs are told apart in as many as of the worst, or in no
        fewer beyond the error of the attack; the worst first.
        """
        ordered = self.most_exposed_first
        ends = {one.asked.name: one.interval or (one.most or 0.0, one.most or 0.0) for one in ordered}
        return [one for one in ordered if ends[one.asked.name][1] >= ends[ordered[0].asked.name][0]]

    @cached_property
    def not_asked(self) -> dict[str, tuple[float, str]]:
        """Marked question that is not asked → pairs told apart by what else is sent, and the question that tells most;
        only where one tells anything beyond chance.
        """
        tried = {
            name: review.not_asked(self.study, self.data, self.asked, name)
            for name in self.data.beside
            if name not in self.asked.known
        }
        return {name: (each[0].pairs, each[1]) for name, each in tried.items() if each is not None}

    @quantity(PAIRS, "sensitive", absent="every marked question is asked, or nothing tells the others beyond chance")
    def not_asked_pairs(self) -> dict[str, float] | None:
        """Of a marked question that is not asked: pairs told apart all the same by what else is seen."""
        return {f"{name}, by {giver}": pairs for name, (pairs, giver) in self.not_asked.items()} or None

    @property
    def givers(self) -> tuple[str, ...]:
        """The questions that give a marked answer away most, also to what is not asked, and could be dropped."""
        every = [column for fact in self.every.values() for column in fact.delicate.given_by]
        every += [giver for _, giver in self.not_asked.values()]
        return tuple(column for column in dict.fromkeys(every) if column not in self.asked.known)

    @property
    def most_exposed_first(self) -> list[QuestionFacts]:
        """Of every question that is attacked its most protected answers, those told apart most first."""
        known = [one.delicate for one in self.every.values() if one.delicate.most is not None]
        return sorted(known, key=lambda one: -(one.most or 0.0))

    @quantity(TIMES, "sensitive")
    def odds(self) -> dict[str, float]:
        """By how much at most one report, and all that one person sends, raise the odds of a marked answer."""
        report = max(one.epsilon for one in self.asked.hidden.values())
        odds = {"report": math.exp(report), "person": math.exp(self.asked.promised())}
        secret = [one.secret_epsilon for one in self.asked.hidden.values() if one.secret.any()]
        return {**odds, "secret": math.exp(max(secret))} if secret else odds

    @quantity(CHANCE, "sensitive")
    def believed(self) -> dict[str, float]:
        """How likely somebody thought to have an answer with chance 1 in 100 can then seem to have it, at most."""
        return {who: bayes.believed(PRIOR, times) for who, times in self.odds.items()}

    @property
    def exemplary(self) -> list[QuestionFacts]:
        """The questions of which examples are told: those in which some answers are marked. One that is hidden as a
        whole protects others, and has none that anybody called delicate.
        """
        return [fact for fact in self.every.values() if fact.asked.apart] or [*self.every.values()]

    @cached_property
    def commonest(self) -> tuple[QuestionFacts, str]:
        """The marked answer that most people give, of those that have the largest ε of a report, and its question."""
        marked = [(fact, at) for fact in self.exemplary for at in fact.asked.marked.nonzero()[0]]
        fact, at = max(marked, key=lambda each: (each[0].asked.epsilons[each[1]], each[0].asked.freq[each[1]]))
        return fact, fact.asked.labels[at]

    @cached_property
    def commonest_of_all(self) -> tuple[QuestionFacts, str]:
        """The marked answer that most people give, whatever the ε of its report: what all reports of a person, if they
        are related, can make surest.
        """
        marked = [(fact, at) for fact in self.exemplary for at in fact.asked.marked.nonzero()[0]]
        fact, at = max(marked, key=lambda each: each[0].asked.freq[each[1]])
        return fact, fact.asked.labels[at]

    @quantity(PEOPLE, "sensitive")
    def common(self) -> float:
        """The share of the `commonest` marked answer."""
        fact, label = self.commonest
        return fact.share_of(label)

    @quantity(CHANCE, "sensitive")
    def surer(self) -> dict[str, float]:
        """How likely somebody can then seem to have the commonest marked answer, thought to with its share, at most: by
        a report that of those with the largest ε, by all reports of a person that of all.
        """
        fact, label = self.commonest_of_all
        prior = {"person": fact.share_of(label)}
        return {who: bayes.believed(prior.get(who, self.common), times) for who, times in self.odds.items()}

    @property
    def chosen(self) -> float:
        """So many people drawn by chance count as these: of weighted people Kish's n, and where a person has several
        rows these as one.
        """
        return self.asked.n * self.data.effective / self.asked.rows

    @property
    def read_off(self) -> tuple[str, ...]:
        """Hidden questions of numbers of which nobody stated a public range: theirs is a round one around the data."""
        stated = review.stated(self.study.option("ranges"), (*self.data.separate, *self.data.unasked))
        asked = [half for name in self.asked.hidden for half in self.data.halves(name)]
        return tuple(name for name in asked if name in self.data.ranges and name not in stated)

    @property
    def nearest(self) -> tuple[QuestionFacts, str] | None:
        """Of the marked answers of which nothing is learned that which takes fewest people; None where none is."""
        rare = [(fact, fact.nearest) for fact in self.every.values() if fact.rare]
        return min(rare, key=lambda each: each[0].to_see(each[1])[0] or math.inf, default=None)

    @property
    def easiest(self) -> QuestionFacts | None:
        """The question of which fewest false reports move an answer past its margin; None where that is unknown."""
        known = [one for one in self.exemplary if one.false_reports is not None]
        return min(known, key=lambda one: one.false_reports or 0, default=None)

    @property
    def unlearned(self) -> tuple[str, ...]:
        """Hidden questions of none of whose marked answers anything is learned: they cost ε all the same."""
        return tuple(name for name, fact in self.every.items() if not fact.learned)

    @quantity(TIMES, "sensitive", absent="something is learned of every question, or the odds stay what they are")
    def odds_without(self) -> float | None:
        """By how much all that one person sends raises the odds at most if `unlearned` were not asked; of a survey in
        which the questions share the ε of a person the others would have it.
        """
        return None if self.study.option("budget") == "person" else odds_without(self.asked, self.unlearned)

    @property
    def denied(self) -> QuestionFacts | None:
        """The question of which denial is spoken: that with the answer which it changes most; None where nothing is
        learned of any.
        """
        known = [one for one in self.exemplary if one.denied is not None]
        return max(known, key=lambda one: one.denied or 0.0, default=None)

    @property
    def copies(self) -> dict[str, tuple[str, ...]]:
        """Hidden question → what is seen and decides it."""
        return remembered(self.data, ("copies", identity(self.study)), lambda: review.copies(self.data, self.asked))

    def together(self, main: QuestionFacts) -> list[Predictor]:
        """The other columns in the order in which an attacker of this question would ask for them."""

        def ask() -> list[Predictor]:
            others, one = self.asked.others(main.asked.name), main.asked.aimed(main.secretly)
            return together(review.scene(self.study, self.data, one, others))

        return remembered(self.data, ("together", identity(self.study), main.asked.name, main.secretly), ask)

    def changes(self, main: QuestionFacts, column: str, wait: bool = True) -> list[ExposureChange] | None:
        """What hiding or dropping another column would change for this question; None where nobody waits for it, and it
        has not been tried yet: it takes attacks.
        """
        name, secret = main.asked.name, main.secretly
        key = ("changes", identity(self.study), name, secret, column)
        if not wait:
            return recalled(self.data, key)
        return remembered(self.data, key, lambda: changes(self.study, self.data, name, column, secret), 64)

    def trying(self) -> Iterator[int]:
        """Try those that have not been, one after the other, for every question and whoever gives it away most."""
        away = [(fact, fact.worst.column) for fact in self.most_exposed_first if fact.worst is not None]
        for fact, column in away:
            if column not in self.asked.known and self.changes(fact, column, wait=False) is None:
                self.changes(fact, column)
                yield 1

    @cached_property
    def proofs(self) -> dict[str, review.Proof]:
        """Hidden question → the answers to another that prove a marked answer to it, those of most people first."""
        return remembered(self.data, ("proofs", self.study), lambda: review.proofs(self.data, self.asked))

    @quantity(PEOPLE, "sensitive")
    def margin_with_choice(self) -> float:
        """The 95 % margin of the least exact share of a marked answer if these people were drawn by chance from many:
        of the noise and the choice; of those that can be measured, of all that are given where none can.
        """
        measured = [fact for fact in self.every.values() if fact.learned] or [*self.every.values()]
        of = [fact.asked for fact in measured]
        return max(self.asked.margin_of(one.name, one.marked, self.chosen) for one in of)

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

    @property
    def margin(self) -> float | None:
        """The 95 % margin, ±, of the least exact marked answer that can be measured; None where none can."""
        return max((fact.margin for fact in self.every.values() if fact.learned), default=None)

    @quantity(PEOPLE, "other", absent="every answer to the hidden questions is marked")
    def margin_of_others(self) -> float | None:
        """The 95 % margin, ±, of the least exact answer to a hidden question that is not marked."""
        return max((each for fact in self.every.values() if (each := fact.margin_of_others) is not None), default=None)

    @quantity("people", "other")
    def alone_openly(self) -> int:
        """People in the data whose open answers, all together, nobody else has: whoever knows these of somebody knows
        which reports are theirs.
        """
        return uniques.uniques(self.data, self.asked)

    @property
    def alone_less(self) -> tuple[list[str], int] | None:
        """The open questions without which (each by itself) fewest people are alone, and how many; None where none
        helps much, or so many are not counted while one waits.
        """
        return uniques.fewest(self.data, self.asked)

    @quantity("questions", "other")
    def sent_openly(self) -> int:
        """Questions that are asked and not hidden."""
        return len(self.asked.open)


def facts(study: Study, data: SurveyTable, rows: pd.DataFrame | None = None) -> ReviewFacts:
    """What is known of the survey at the study's ε; who is told apart comes from simulated rows."""
    return ReviewFacts(study, data, rows=rows)
