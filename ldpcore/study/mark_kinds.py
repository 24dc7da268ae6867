"""What marks mean for a task: one small object for each of the eight ways."""

from dataclasses import dataclass


@dataclass(frozen=True)
class MarkKind:
    """What a task's marks are of, and what they do.

    of: what is marked. applies: whether marks mean anything. protects: whether they are protected; if not, they are
    left out of what is published. by_level: whether secret ones have an ε of their own. every_column: whether marks are
    those of all columns together, and not of the study's column alone. looked_at: whether the study's column only says
    what is looked at, so that another one is no other setting. intervals: whether they may be intervals of numbers.
    of_person: whether the task itself adds up the ε of all that one person sends.

    >>> INTERVALS.written("60..80"), ANSWERS.written("60..80")
    ('60–80', '60..80')
    """

    of: str
    applies: bool = True
    protects: bool = True
    by_level: bool = True
    every_column: bool = False
    looked_at: bool = False
    intervals: bool = False
    of_person: bool = False

    def written(self, mark: str, between: str = "–") -> str:
        """A mark as people write it: an interval with this between its ends."""
        return mark.replace("..", between) if self.intervals else mark


ANSWERS = MarkKind("answers")
"""Of the column, each value or bin for itself."""
ITEMS = MarkKind("items")
"""Of a column of sets."""
INTERVALS = MarkKind("intervals", intervals=True)
"""Of the column's numbers."""
QUESTIONS = MarkKind("questions", every_column=True, looked_at=True, intervals=True, of_person=True)
"""Answers to all questions of a survey."""
PAIRS = MarkKind("pairs", every_column=True)
"""Answers to either of the two questions that a relation is between."""
WITHHELD = MarkKind("withheld", protects=False, by_level=False)
"""Items that are left out of what is published."""
CELLS = MarkKind("cells", applies=False, by_level=False)
"""The cells of a range are protected alike: there are no marks."""
RECORDS = MarkKind("records", applies=False, by_level=False, looked_at=True)
"""Whole records are protected alike: there are no marks."""
