"""What is promised to one person who has several rows in a file: each row is a report, and their ε add up."""

from dataclasses import dataclass

from ldpcore.data import Table
from ldpcore.study.definition import Study


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
    """What a study about these data promises to one person; None where nobody has several rows in it."""
    rows = table.rows_of_one(study.column)
    if rows == 1:
        return None
    secret = rows * study.secret_at(study.epsilon) if study.marks.secret else None
    return PersonPromise(rows, rows * study.epsilon, secret)
