"""Open answers that decide a hidden one: no attack is needed to see what they tell."""

from dataclasses import dataclass

import numpy as np

from ldpcore.study.review.hidden import Hidden, HiddenSurvey
from ldpcore.study.review.people import SurveyTable

REPEATED = 5
"""People for each answer of an open question, on average: with fewer, its answers tell marked from unmarked people by
chance, because nearly everybody has one of their own."""


def copies(people: SurveyTable, here: HiddenSurvey) -> dict[str, tuple[str, ...]]:
    """Hidden question → what is open, or known, and alone says of everybody whether the answer to it is marked.

    Hiding the question then hides nothing: a column asked twice under two names, say, or one coarser than the other.

    >>> import pandas as pd
    >>> from ldpcore import data
    >>> from ldpcore.study import Marks, Source, Study, review
    >>> table = data.read(b"status,test\\n" + b"well,no\\nill,yes\\nwell,no\\n" * 30, "clinic.csv")
    >>> asked = Study(Source("clinic.csv"), "status", Marks.of(["status = ill"]), task="review")
    >>> people = review.prepare(asked, table)
    >>> review.copies(people, review.asked(asked, people, 1.0))
    {'status': ('test',)}
    """
    by_question = {name: _of(people, one, here.seen) for name, one in here.hidden.items() if one.apart}
    return {name: names for name, names in by_question.items() if names}


CHANCE = 1e-3
"""With less than this chance people who have nothing to do with the hidden question give such an open answer."""


@dataclass(frozen=True)
class Proof:
    """Answers to another question, and how many people gave one: all of them have a marked answer. shown: of these
    people those whose reports show that answer for sure; 1 where it is sent openly.
    """

    question: str
    answers: tuple[str, ...]
    people: int
    shown: float


def proofs(people: SurveyTable, here: HiddenSurvey) -> dict[str, Proof]:
    """Hidden question → the answers to another question that prove a marked answer to it, of the question that shows
    most people; only where that is no chance: of all answers that can be seen one with so many people would be such
    with a chance below `CHANCE`, if the two questions had nothing to do with one another. That of most people first.

    >>> import pandas as pd
    >>> from ldpcore import data
    >>> from ldpcore.study import Marks, Source, Study, review
    >>> table = data.read(b"income,work\\n" + b"low,none\\nlow,part\\nhigh,part\\nhigh,full\\n" * 30, "panel.csv")
    >>> asked = Study(Source("panel.csv"), "income", Marks.of(["income = low"]), task="review")
    >>> people = review.prepare(asked, table)
    >>> review.proofs(people, review.asked(asked, people, 1.0))
    {'income': Proof(question='work', answers=('none',), people=30, shown=1.0)}
    """
    surest: dict[str, Proof] = {}
    for hidden in here.hidden:
        every = (_proof(people, here, hidden, name) for name in (*here.seen, *here.hidden) if name != hidden)
        made = [proof for proof in every if proof is not None]
        if made:
            surest[hidden] = max(made, key=lambda proof: proof.people * proof.shown)
    return dict(sorted(surest.items(), key=lambda each: -each[1].people * each[1].shown))


def proving(people: SurveyTable, here: HiddenSurvey, hidden: str, name: str) -> tuple[str, ...]:
    """The answers to this question that prove a marked answer to the hidden one, as `proofs` has them."""
    proof = _proof(people, here, hidden, name)
    return () if proof is None else proof.answers


def _proof(people: SurveyTable, here: HiddenSurvey, hidden: str, name: str) -> Proof | None:
    one = here.hidden[hidden]
    inside = one.marked[_codes(people, hidden)]
    if not one.apart or not 0 < inside.mean() < 1:
        return None
    looked = sum(
        int((_shown(people, here, other) > 0).sum()) for other in (*here.seen, *here.hidden) if other != hidden
    )
    fewest = np.log(CHANCE / max(looked, 1)) / np.log(inside.mean())
    codes, labels, shown = _codes(people, name), people.labels(name), _shown(people, here, name)
    counts = np.bincount(codes, minlength=len(labels))
    sure = counts * (np.bincount(codes, inside, len(labels)) == counts) * (shown > 0)
    if sure.max() < fewest:
        return None
    which = np.flatnonzero(sure)
    return Proof(name, tuple(labels[at] for at in which), int(sure.sum()), float(sure @ shown / sure.sum()))


def _shown(people: SurveyTable, here: HiddenSurvey, name: str) -> np.ndarray:
    """How likely each answer (k,) to a question is seen for sure: all of an open one, of others what reports show."""
    if name not in here.hidden:
        return np.ones(len(people.labels(name)))
    one = here.hidden[name]
    return one.chance * one.built.disclosure() * ~one.marked


def _of(people: SurveyTable, one: Hidden, seen: tuple[str, ...]) -> tuple[str, ...]:
    inside = one.marked[_codes(people, one.name)]
    return tuple(name for name in seen if _decides(_codes(people, name), inside))


def _codes(people: SurveyTable, question: str) -> np.ndarray:
    return np.asarray(people.table.frame[question].cat.codes, np.intp)


def _decides(answers: np.ndarray, inside: np.ndarray) -> bool:
    """Whether everybody with the same answer is alike."""
    counts = np.bincount(answers)
    marked = np.bincount(answers, weights=inside)
    alike = ((marked == 0) | (marked == counts)).all()
    return bool(alike and 0 < inside.sum() < len(inside) and len(inside) >= REPEATED * np.count_nonzero(counts))
