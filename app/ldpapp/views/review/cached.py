"""Review: the people's answers and what is known of each question so far."""

import time
from functools import partial

import pandas as pd

from ldpapp.compute.memory import remember
from ldpapp.compute.surveys import kept, simulated
from ldpcore import data, questionnaire
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


def together(study: Study, found: review.SurveyTable, main: QuestionFacts) -> list[questionnaire.Predictor]:
    """The other columns in the order in which an attacker of this question would ask for them."""
    here, question = asked(study, found), main.asked.name

    def ask() -> list[questionnaire.Predictor]:
        one = main.asked.aimed(main.secretly)
        return questionnaire.together(review.scene(study, found, one, here.others(question)))

    return remember("review_together", 16, (review.identity(study), question, main.secretly), ask)


def changes(study: Study, found: review.SurveyTable, main: QuestionFacts, column: str) -> list[review.ExposureChange]:
    """What hiding or dropping another column would change for this question."""
    question, secret = main.asked.name, main.secretly
    key = review.identity(study), question, secret, column
    return remember("review_changes", 16, key, lambda: review.changes(study, found, question, column, secret))


def recommending(study: Study, found: review.SurveyTable, main: QuestionFacts) -> review.Recommending:
    """The search for open questions to hide besides, as far as it is."""
    question, secret = main.asked.name, main.secretly
    key = review.identity(study), question, secret
    made = partial(review.Recommending, study, found, question, secret=secret)
    return remember("review_recommended", 16, key, made)


def copies(study: Study, found: review.SurveyTable, here: review.HiddenSurvey) -> dict[str, tuple[str, ...]]:
    """Open questions that decide hidden ones."""
    return remember("review_copies", 16, review.identity(study), lambda: review.copies(found, here))


def rounds(study: Study, main: QuestionFacts, people: int) -> pd.DataFrame:
    """The question in every round of a survey, in every way."""
    one, aim = main.asked, main.asked.aimed(main.secretly).marked
    key = one.key, one.epsilons.tobytes(), aim.tobytes(), one.freq.tobytes(), people, one.chance, study.seed
    return remember("review_rounds", 16, key, lambda: main.rounds(people, study.seed))
