"""Reports of several questions, a column for each: `ldpcore estimate` with a questionnaire in place of a client."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from ldpcore.client import Questionnaire
from ldpcore.client.loading import loaded
from ldpcore.client.questionnaire import FORMAT
from ldpcore.collection.weighing import column_named
from ldpcore.data.partition import BATCH, Partition

NOBODYS = -1
"""In place of what is no whole number: no phone sends it."""


def questionnaire_of(path: Path) -> Questionnaire | None:
    """The questionnaire of a file; None where it holds something else. ValueError where it is damaged."""
    text = path.read_text(encoding="utf-8", errors="replace")
    document = loaded(text) if f'"{FORMAT}"' in text else None
    return Questionnaire.from_json(text) if isinstance(document, dict) and document.get("format") == FORMAT else None


def estimated(asked: Questionnaire, parts: list[Partition]) -> pd.DataFrame:
    """A row per question and answer, of all partitions; an empty cell is a question that was not asked, or not
    answered. DataError where a question has no column.
    """
    return asked.estimate([row for part in parts for row in _people(asked, part)])


def _people(asked: Questionnaire, part: Partition) -> Iterator[dict[str, int]]:
    columns = {name: column_named(part, name) for name in asked.questions}
    for table in part.tables(list(columns.values()), BATCH):
        cells = {name: table[column].to_pylist() for name, column in columns.items()}
        for row in zip(*cells.values(), strict=True):
            given = {name: str(cell).strip() for name, cell in zip(cells, row, strict=True) if cell is not None}
            sent = {name: _report(text) for name, text in given.items() if text}
            if sent:
                yield sent


def _report(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else NOBODYS
