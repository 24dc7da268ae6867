"""The card of a data set: what it is, where it is from, and how it was made."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DatasetCard:
    """rows: the number of people. synthetic: nobody in it exists. default_marks: values of default_column to mark.

    relation: two questions to relate, groups and answers; () for none. more_marks: of further columns, values to mark.
    """

    name: str
    title: str
    what: str
    rows: int
    origin: str
    licence: str
    how_made: str
    synthetic: bool
    default_column: str
    default_marks: tuple[str, ...]
    relation: tuple[str, ...] = ()
    more_marks: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def marks(self, column: str) -> tuple[str, ...]:
        """The values of a column to mark."""
        return self.default_marks if column == self.default_column else dict(self.more_marks).get(column, ())
