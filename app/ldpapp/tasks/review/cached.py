"""Review: the people's answers and what is known of each question so far."""

import time
from dataclasses import replace

import pandas as pd

from ldpapp.compute.memory import once, remember
from ldpapp.compute.surveys import kept, surveys
from ldpcore import data
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


def rows(study: Study, found: review.People, question: str, seconds: float = 1.2) -> pd.DataFrame:
    """What is known so far: of this question at least what the quick attack tells."""
    end = time.monotonic() + seconds
    for piece in review.chunks(study, found):
        if piece.question == question and piece.part == review.QUICK:
            remember("simulated", 3000, piece.identity, piece)
    for _ in surveys(study, found):
        if time.monotonic() > end:
            break
    return kept(study, found)
