"""What marks mean for a task: one small object for each of the eight ways."""

from dataclasses import dataclass


@dataclass(frozen=True)
class MarkKind:
    """What a task's marks are of, and what they do.

    of: what is marked. applies: whether marks mean anything. protects: whether they are protected; if not, they are
    left out of what is published. by_level: whether secret ones have an ε of their own. every_column: whether marks are
    those of all columns together, and not of the study's column alone. looked_at: whether the study's column only says
    what is looked at, so that another one is no other setting. intervals: whether they may be intervals of numbers.
    of_person: whether the task itself adds up the ε of all that one person sends. adjacent: what two inputs are that no
    report tells apart beyond ε; adjacent_tables: the same where a curator is trusted with all of them.

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
    adjacent: str = "any two answers that one person can give"
    adjacent_tables: str = ""

    def written(self, mark: str, between: str = "–") -> str:
        """A mark as people write it: an interval with this between its ends."""
        return mark.replace("..", between) if self.intervals else mark


ANSWERS = MarkKind("answers")
"""Of the column, each value or bin for itself."""
ITEMS = MarkKind("items", adjacent="any two sets of items that one person can send")
"""Of a column of sets."""
INTERVALS = MarkKind("intervals", intervals=True, adjacent="any two numbers of one person, within the public range")
"""Of the column's numbers."""
QUESTIONS = MarkKind(
    "questions", every_column=True, looked_at=True, intervals=True, of_person=True,
    adjacent="any two records of one person, who may differ in every hidden question",
)  # fmt: skip
"""Answers to all questions of a survey."""
PAIRS = MarkKind("pairs", every_column=True, adjacent="any two pairs of answers of one person to both questions")
"""Answers to either of the two questions that a relation is between."""
WITHHELD = MarkKind(
    "withheld", protects=False, by_level=False, adjacent="any two baskets of one person",
    adjacent_tables="two tables of baskets that differ in one whole basket (how many there are is public)",
)  # fmt: skip
"""Items that are left out of what is published."""
CELLS = MarkKind(
    "cells", applies=False, by_level=False, adjacent_tables="two tables of people of which one has one person more"
)
"""The cells of a range are protected alike: there are no marks."""
RECORDS = MarkKind(
    "records", every_column=True, looked_at=True, adjacent="any two records of one person",
    adjacent_tables="two tables of people that differ in the record of one person",
)  # fmt: skip
"""Answers to all questions of a record: a column with one is protected whole, or, like most, knows no marks."""
