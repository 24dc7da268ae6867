"""Review: the people's answers and what is known of each question so far."""

import time
from dataclasses import replace

import pandas as pd

from ldpapp.compute.memory import once, remember
from ldpapp.compute.surveys import kept, surveys
from ldpcore import data, questionnaire
from ldpcore.study import Study, review


@once(64)
def _reading(study: Study) -> Study:
    """All that reading the answers depends on."""
    chosen = {name: study.option(name) for name in ("columns", "ranges")}
    return replace(Study(study.data, "", task="review", grid=(), missing=study.missing)).with_options(**chosen)


def people(study: Study, table: data.Table) -> review.People:
    """The answers to the survey's questions. DataError or ValueError where it cannot be asked."""
    base = _reading(study)
    return remember("review_people", 4, (table.digest, base), lambda: review.prepare(base, table))


def asked(study: Study, found: review.People) -> review.Asked:
    """The survey under its first setting of marks; DataError or ValueError where nothing is to be reviewed."""
    return review.asked(study, found, study.arms[0].name, study.epsilon)


WAIT = 1.2
"""Seconds that the page waits for more than what the quick attack tells."""


def rows(study: Study, found: review.People, question: str) -> pd.DataFrame:
    """What is known so far: of this question at least what the quick attack tells."""
    end = time.monotonic() + WAIT
    for piece in review.chunks(study, found):
        if piece.question == question and piece.part == review.QUICK:
            remember("simulated", 3000, piece.identity, piece)
    more = surveys(study, found)
    while time.monotonic() < end and next(more, None):
        pass
    return kept(study, found)


def together(study: Study, found: review.People, question: str) -> list[questionnaire.Giver]:
    """The other columns in the order in which an attacker of this question would ask for them."""
    here = asked(study, found)

    def ask() -> list[questionnaire.Giver]:
        return questionnaire.together(review.scene(study, found, here.hidden[question], here.others(question)))

    return remember("review_together", 16, (review.identity(study), question), ask)


def changes(study: Study, found: review.People, question: str, column: str) -> list[review.Change]:
    """What hiding or dropping another column would change for this question."""
    key = review.identity(study), question, column
    arm = study.arms[0].name
    return remember("review_changes", 16, key, lambda: review.changes(study, found, arm, question, column))


def recommending(study: Study, found: review.People, question: str) -> review.Recommending:
    """The search for open questions to hide besides, as far as it is."""
    key = review.identity(study), question
    arm = study.arms[0].name
    return remember("review_recommended", 16, key, lambda: review.Recommending(study, found, arm, question))


def copies(study: Study, found: review.People, here: review.Asked) -> dict[str, tuple[str, ...]]:
    """Open questions that decide hidden ones."""
    return remember("review_copies", 16, review.identity(study), lambda: review.copies(found, here))


ROUNDS = (1, 2, 4, 8)


def rounds(study: Study, one: review.Hidden, people: int) -> pd.DataFrame:
    """The question in every round of a survey, in every way."""
    key = one.key, one.epsilon, people, study.seed, tuple(one.marked.tolist()), tuple(one.freq.tolist())

    def play() -> pd.DataFrame:
        return questionnaire.rounds(
            one.key, k=len(one.marked), sensitive=one.marked, epsilon=one.epsilon, n=people, freq=one.freq,
            counts=ROUNDS, seed=study.seed,
        )  # fmt: skip

    return remember("review_rounds", 16, key, play)
