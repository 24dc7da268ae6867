"""Open answers that decide a hidden one: no attack is needed to see what they tell."""

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
