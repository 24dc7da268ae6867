"""Review: the people's answers and what is known of each question so far."""

import time
from functools import partial

import pandas as pd

from ldpapp.compute.memory import remember
from ldpapp.compute.surveys import kept, simulated
from ldpcore import data
from ldpcore.study import Study, review
from ldpcore.study.review.facts import QuestionFacts


def people(study: Study, table: data.Table) -> review.SurveyTable:
    """The answers to the survey's questions. DataError or ValueError where it cannot be asked."""
    base = review.reading(study)
    return remember("review_people", 4, (table.digest, base), lambda: review.prepare(base, table))


def asked(study: Study, found: review.SurveyTable) -> review.HiddenSurvey:
    """The survey under its first setting of marks; DataError or ValueError where nothing is to be reviewed."""
    return review.asked(study, found, study.epsilon)


WAIT = 0.4
"""Seconds that the page waits for what the quick attack tells of other questions; the whole one comes behind it."""


def rows(study: Study, found: review.SurveyTable, question: str) -> pd.DataFrame:
    """What is known so far: of this question at least what the quick attack tells."""
    end = time.monotonic() + WAIT
    for piece in review.chunks(study, found):
        if piece.part == review.QUICK and (piece.question == question or time.monotonic() < end):
            simulated(piece.identity, piece)
    return kept(study, found)


def recommending(study: Study, found: review.SurveyTable, main: QuestionFacts) -> review.Recommending:
    """The search for open questions to hide besides, as far as it is."""
    question, secret = main.asked.name, main.secretly
    key = review.identity(study), question, secret
    made = partial(review.Recommending, study, found, question, secret=secret)
    return remember("review_recommended", 16, key, made)


def rounds(study: Study, main: QuestionFacts, people: int) -> pd.DataFrame:
    """The question in every round of a survey, in every way."""
    one, aim = main.asked, main.asked.aimed(main.secretly).marked
    key = one.key, one.epsilons.tobytes(), aim.tobytes(), one.freq.tobytes(), people, one.chance, study.seed
    return remember("review_rounds", 16, key, lambda: main.rounds(people, study.seed))
