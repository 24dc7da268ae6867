"""Which open questions to hide besides, so that the other answers tell little more than the own report does."""

from collections.abc import Iterator
from dataclasses import dataclass

from ldpcore.questionnaire import Exposure, Scene, Uncertain, difference, predictors
from ldpcore.study.definition import Study
from ldpcore.study.review.asking import asked
from ldpcore.study.review.attack import refusal, scene, strongest
from ldpcore.study.review.hidden import HiddenSurvey
from ldpcore.study.review.people import SurveyTable

MOST = 6
"""Questions that are recommended: more is another survey."""


@dataclass(frozen=True)
class Extra(Uncertain):
    """A question to hide besides, all its answers: pairs told apart `before` and `after`, with all those above it
    hidden; the paired difference and its 95 % interval, wide enough for all other questions at once. margin: of its
    shares, which were exact. epsilon: of all that one person sends then. `none`: it changes nothing beyond chance until
    those below it are hidden too.
    """

    column: str
    before: float
    after: float
    gap: float
    low: float
    high: float
    margin: float
    epsilon: float


def recommended(study: Study, data: SurveyTable, question: str, most: int = MOST, secret: bool = False) -> list[Extra]:
    """The open questions to hide besides, at the study's ε, so that what everything tells of the marked answers to
    `question` (secret: of its secret ones alone) comes near to what its own report tells; none where they tell nothing
    beyond chance.

    Greedily: of the open questions that add beyond chance to the own report the worst, then of the rest, and the
    strongest attacker tries what is left after each. Those at the end that gain nothing beyond chance are cut: of two
    copies each alone gains nothing, both gain all. What is hidden still tells through its report, and questions are not
    seen that tell nothing one by one and much together (theory/questionnaire#recommended). One attack per question that
    is tried, a second or two of it at 30 000 people × 12 questions.

    >>> from ldpcore import Marks, Source
    >>> marks = Marks.of(["marital-status = Divorced", "marital-status = Widowed"])
    >>> study = Study(Source("census"), "marital-status", marks, grid=(), task="review")
    >>> study = study.with_options(columns=("marital-status", "relationship", "sex"))
    >>> from ldpcore.study.execute import prepare
    >>> [extra.column for extra in recommended(study, prepare(study), "marital-status", most=1)]
    ['relationship']
    """
    search = Recommending(study, data, question, most, secret)
    for _ in search.work():
        pass
    return search.found or []


class Recommending:
    """The same piece by piece, for who shows how far it is: `found` is None until `work` has ended."""

    def __init__(self, study: Study, data: SurveyTable, question: str, most: int = MOST, secret: bool = False) -> None:
        self.study, self.data, self.question, self.most = study, data, question, most
        self.secret = secret
        self.found: list[Extra] | None = None
        self._tried: list[Exposure] = []
        self._chosen: list[str] = []

    def work(self) -> Iterator[int]:
        """Attack after attack, from where it was left: the number of questions that are hidden in each."""
        survey = self._asked(0)
        apart = survey.hidden[self.question].aimed(self.secret).apart
        if not apart or refusal(self.study, self.data, survey, self.question, self.secret):
            self.found = []
        while self.found is None:
            if len(self._tried) == len(self._chosen):
                self._tried.append(strongest(self._scene(len(self._chosen))))
                yield len(self._chosen)
            worst = self._worst() if len(self._chosen) < self.most else None
            if worst is None:
                self.found = self._gaining()
                yield len(self._chosen)
            else:
                self._chosen.append(worst)

    @property
    def tried(self) -> int:
        """Attacks so far."""
        return len(self._tried)

    def _asked(self, hidden: int) -> HiddenSurvey:
        """The survey with so many of those that are chosen hidden besides."""
        every = (*self.study.option("hidden"), *self._chosen[:hidden])
        return asked(self.study.with_options(hidden=every), self.data, self.study.epsilon)

    def _scene(self, hidden: int) -> Scene:
        survey = self._asked(hidden)
        one = survey.hidden[self.question].aimed(self.secret)
        return scene(self.study, self.data, one, survey.others(self.question))

    def _worst(self) -> str | None:
        """Of what is open then, what adds most to the own report; None where nothing does beyond chance."""
        all_ = len(self._chosen)
        open_ = self._asked(all_).open
        tellers = predictors(self._scene(all_)) if open_ else []
        return next((giver.column for giver in tellers if giver.low > 0 and giver.column in open_), None)

    def _gaining(self) -> list[Extra]:
        """As far as more is hidden beyond chance. Every difference is of one family: of the first survey's questions
        beside this one any could have been the worst.
        """
        looks = max(len(self._asked(0).others(self.question)), 1)
        last = self._tried[-1].told
        end = next(n for n, one in enumerate(self._tried) if difference(last, one.told, looks=looks)[1] <= 0)
        extras = []
        for place, name in enumerate(self._chosen[:end]):
            before, after = self._tried[place : place + 2]
            then = self._asked(place + 1)
            gap = difference(before.told, after.told, looks=looks)
            extras.append(Extra(name, before.pairs, after.pairs, *gap, then.margin_of(name), then.promised()))
        return extras
