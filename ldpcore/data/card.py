"""The card of a data set: what it is, where it is from, and how it was made."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DatasetCard:
    """rows: the number of people. synthetic: nobody in it exists. default_marks: values of default_column to mark."""

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
