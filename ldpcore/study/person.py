"""What is promised to one person who has several rows in a file: each row is a report, and their ε add up."""

from collections.abc import Iterable
from dataclasses import dataclass

from ldpcore.data import Table
from ldpcore.study.definition import Study
from ldpcore.study.tasks import TASKS


@dataclass(frozen=True)
class PersonPromise:
    """rows: the most that one person has; epsilon: what these reports together promise at most, of secret answers alone
    `secret`, None where none is. By composition: whatever r reports say, at ε each, is r·ε-private (Dwork & Roth 2014,
    theorem 3.16).

    >>> PersonPromise(3, 3.0).rows
    3
    """

    rows: int
    epsilon: float
    secret: float | None = None


def promised(study: Study, table: Table) -> PersonPromise | None:
    """What a study about these data promises to one person; None where nobody has several rows in it, or where the task
    has added them up.
    """
    rows = table.rows_of_one(study.column)
    if rows == 1 or TASKS[study.task].MARKS.of_person:
        return None
    secret = rows * study.secret_at(study.epsilon) if study.marks.secret else None
    return PersonPromise(rows, rows * study.epsilon, secret)


def notes(studies: Iterable[Study], table: Table | None) -> list[str]:
    """The same as lines of a terminal, each once; table: None for bundled data, where rows are people."""
    promises = (promised(study, table) for study in studies if table is not None)
    return [
        f"One person has up to {promise.rows} rows: together ε is at most {promise.epsilon:g}."
        for promise in dict.fromkeys(each for each in promises if each is not None)
    ]
