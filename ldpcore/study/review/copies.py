"""Open answers that decide a hidden one: no attack is needed to see what they tell."""

from dataclasses import dataclass

import numpy as np

from ldpcore.study.review.hidden import Hidden, HiddenSurvey
from ldpcore.study.review.people import SurveyTable

REPEATED = 5
"""People for each answer of an open question, on average: with fewer, its answers tell marked from unmarked people by
chance, because nearly everybody has one of their own."""


def copies(people: SurveyTable, here: HiddenSurvey) -> dict[str, tuple[str, ...]]:
    """Hidden question → the open questions whose answer alone says of everybody whether the hidden one is marked.

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
    by_question = {name: _of(people, one, here.open) for name, one in here.hidden.items() if one.apart}
    return {name: names for name, names in by_question.items() if names}


CHANCE = 1e-3
"""With less than this chance people who have nothing to do with the hidden question give such an open answer."""


@dataclass(frozen=True)
class Proof:
    """An answer to an open question, and how many people gave it: all of them have a marked answer."""

    question: str
    answer: str
    people: int


def proofs(people: SurveyTable, here: HiddenSurvey) -> dict[str, Proof]:
    """Hidden question → the open answer that proves a marked answer to it, the one that most people give; only where
    that is no chance: of all open answers one with so many people would be such with a chance below `CHANCE`, if open
    and hidden answers had nothing to do with one another. That of most people first.

    >>> import pandas as pd
    >>> from ldpcore import data
    >>> from ldpcore.study import Marks, Source, Study, review
    >>> table = data.read(b"income,work\\n" + b"low,none\\nlow,part\\nhigh,part\\nhigh,full\\n" * 30, "panel.csv")
    >>> asked = Study(Source("panel.csv"), "income", Marks.of(["income = low"]), task="review")
    >>> people = review.prepare(asked, table)
    >>> review.proofs(people, review.asked(asked, people, 1.0))
    {'income': Proof(question='work', answer='none', people=30)}
    """
    surest: dict[str, Proof] = {}
    answers = sum(len(people.labels(name)) for name in here.open)
    for hidden, one in here.hidden.items():
        if not one.apart:
            continue
        inside = one.marked[_codes(people, hidden)]
        fewest = np.log(CHANCE / max(answers, 1)) / np.log(inside.mean()) if 0 < inside.mean() < 1 else np.inf
        for name in here.open:
            codes = _codes(people, name)
            counts = np.bincount(codes)
            sure = counts * (np.bincount(codes, weights=inside) == counts)
            if sure.max() >= fewest and (hidden not in surest or sure.max() > surest[hidden].people):
                surest[hidden] = Proof(name, people.labels(name)[int(sure.argmax())], int(sure.max()))
    return dict(sorted(surest.items(), key=lambda each: -each[1].people))


def _of(people: SurveyTable, one: Hidden, open_: tuple[str, ...]) -> tuple[str, ...]:
    inside = one.marked[_codes(people, one.name)]
    return tuple(name for name in open_ if _decides(_codes(people, name), inside))


def _codes(people: SurveyTable, question: str) -> np.ndarray:
    return np.asarray(people.table.frame[question].cat.codes, np.intp)


def _decides(answers: np.ndarray, inside: np.ndarray) -> bool:
    """Whether everybody with the same answer is alike."""
    counts = np.bincount(answers)
    marked = np.bincount(answers, weights=inside)
    alike = ((marked == 0) | (marked == counts)).all()
    return bool(alike and 0 < inside.sum() < len(inside) and len(inside) >= REPEATED * np.count_nonzero(counts))
