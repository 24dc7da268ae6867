"""Which open questions to hide besides, so that the other answers tell little more than the own report does."""

from collections.abc import Iterable
from dataclasses import dataclass

from ldpcore.questionnaire import Exposure, Scene, difference, givers
from ldpcore.study.definition import Study
from ldpcore.study.review.asking import Asked, asked
from ldpcore.study.review.attack import refusal, scene, strongest
from ldpcore.study.review.people import People

MOST = 6
"""Questions that are recommended: more is another survey."""


@dataclass(frozen=True)
class Extra:
    """A question to hide besides, all its answers: pairs told apart `before` and `after`, with all those above it
    hidden; the paired difference and its 95 % interval, wide enough for the choice among the open questions. mse: of
    its shares, which were exact.
    """

    column: str
    before: float
    after: float
    gap: float
    low: float
    high: float
    mse: float

    @property
    def none(self) -> bool:
        """Whether it changes nothing beyond chance until those below it are hidden too."""
        return self.low <= 0 <= self.high


def recommended(study: Study, data: People, arm: str, question: str, most: int = MOST) -> list[Extra]:
    """The open questions to hide besides, at the study's ε, so that what everything tells of the marked answers to
    `question` comes near to what its own report tells; none where they tell nothing beyond chance.

    Greedily: of the open questions that add beyond chance to the own report the worst, then of the rest, and the
    strongest attacker tries what is left after each. Those at the end that gain nothing beyond chance are cut, and so
    is any other without which as little is told: of two copies each alone gains nothing, both gain all. Not seen are
    questions that tell nothing one by one and much together (theory/questionnaire#recommended). A pair of attacks is
    some seconds: time grows with people, questions and `most`.

    >>> from ldpcore import Arm, Source
    >>> marks = Arm.of("A", ["marital-status = Divorced", "marital-status = Widowed"])
    >>> study = Study(Source("census"), "marital-status", (marks,), grid=(), task="review")
    >>> study = study.with_options(columns=("marital-status", "relationship", "sex"))
    >>> from ldpcore.study.execute import prepare
    >>> [extra.column for extra in recommended(study, prepare(study), "A", "marital-status", most=1)]
    ['relationship']
    """
    here = asked(study, data, arm, study.epsilon)
    if not here.hidden[question].apart or refusal(study, data, here, question):
        return []
    told = _Told(study, data, arm, question, max(len(here.open), 1))
    chosen: tuple[str, ...] = ()
    while len(chosen) < most and (worst := told.worst(chosen)):
        chosen = (*chosen, worst)
    end = next(n for n in range(len(chosen) + 1) if not told.more(chosen[:n], chosen))
    chosen = chosen[:end]
    for name in chosen[:-1]:
        place = chosen.index(name)
        rest = tuple(each for each in chosen if each != name)
        if not told.more(chosen[:place], chosen[: place + 1]) and not told.more(rest, chosen):
            chosen = rest
    return [told.extra(chosen[:n], name) for n, name in enumerate(chosen)]


class _Told:
    """What the strongest attacker makes of one question with others hidden besides, each set of them tried once."""

    def __init__(self, study: Study, data: People, arm: str, question: str, looks: int) -> None:
        self.study, self.data, self.arm, self.question, self.looks = study, data, arm, question, looks
        self._tried: dict[frozenset[str], Exposure] = {}

    def asked(self, besides: Iterable[str]) -> Asked:
        hidden = (*self.study.option("hidden", ()), *besides)
        return asked(self.study.with_options(hidden=hidden), self.data, self.arm, self.study.epsilon)

    def scene(self, besides: Iterable[str]) -> Scene:
        here = self.asked(besides)
        return scene(self.study, self.data, here.hidden[self.question], here.others(self.question))

    def by(self, besides: tuple[str, ...]) -> Exposure:
        key = frozenset(besides)
        if key not in self._tried:
            self._tried[key] = strongest(self.scene(besides))
        return self._tried[key]

    def worst(self, besides: tuple[str, ...]) -> str | None:
        """Of what is open then, what adds most to the own report; None where nothing does beyond chance."""
        open_ = self.asked(besides).open
        found = givers(self.scene(besides).only(open_)) if open_ else []
        return next((giver.column for giver in found if giver.low > 0), None)

    def more(self, fewer: tuple[str, ...], hidden: tuple[str, ...]) -> bool:
        """Whether more is told with `fewer` hidden than with `hidden`, beyond chance."""
        return difference(self.by(hidden).told, self.by(fewer).told, looks=self.looks)[1] > 0

    def extra(self, above: tuple[str, ...], name: str) -> Extra:
        before, after = self.by(above), self.by((*above, name))
        mse = self.asked((*above, name)).errors()[name][0]
        return Extra(name, before.pairs, after.pairs, *difference(before.told, after.told, looks=self.looks), mse)
