"""Reports of several questions, a column for each: `ldpcore estimate` with a questionnaire in place of a client."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from ldpcore.client import Questionnaire
from ldpcore.client.loading import loaded
from ldpcore.client.questionnaire import FORMAT, ONE
from ldpcore.collection.batch import FolderQuestion
from ldpcore.collection.opening import opened
from ldpcore.collection.phones import Phones
from ldpcore.collection.reports import column_of
from ldpcore.collection.result_facts import ResultFacts, collected_facts
from ldpcore.collection.weighing import DesignColumns, column_named
from ldpcore.data.partition import BATCH, Partition

NOBODYS = -1
"""In place of what is no whole number: no phone sends it."""


@dataclass(frozen=True, eq=False)
class SurveyClient:
    """What a client's file asks: its question under the name "", or those of a questionnaire by theirs.

    >>> from ldpcore.client import Client
    >>> smokes = Client.of("GRR", 1.0, ["no", "yes"], question="Do you smoke?")
    >>> list(SurveyClient.of(smokes.to_json()).questions)
    ['']
    >>> round(SurveyClient.of(Questionnaire({"smokes": smokes, "drinks": smokes}).to_json()).epsilon, 6)
    2.0
    """

    questions: Mapping[str, FolderQuestion[Any]]
    questionnaire: Questionnaire | None
    text: str

    @classmethod
    def of(cls, text: str) -> "SurveyClient":
        """Of the text of a client.json or questionnaire.json; ValueError or TypeError, in a sentence, for another."""
        if (several := questionnaire_in(text)) is None:
            return cls({"": opened(text)}, None, text)
        return cls({name: Phones(client) for name, client in several.questions.items()}, several, text)

    @property
    def epsilon(self) -> float:
        """What all reports of one person may tell together."""
        return self.questions[""].epsilon if self.questionnaire is None else self.questionnaire.epsilon

    @property
    def texts(self) -> list[str]:
        """What is asked, as far as the file says it."""
        each = (
            asked.client.question if isinstance(asked, Phones) else asked.column for asked in self.questions.values()
        )
        return [text for text in each if text]

    @property
    def digest(self) -> str:
        """SHA-256 of the file."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def facts(self, parts: list[Partition], question: str = "", columns: DesignColumns | None = None) -> ResultFacts:
        """Of one question; DataError or ValueError, in a sentence, where these are not its reports."""
        one = self.questionnaire is not None and self.questionnaire.asks == ONE
        alone = tuple(name for name in self.questions if name != question) if one else ()
        return collected_facts(self.questions[question], parts, columns, question, alone)

    def beside(self, part: Partition) -> list[str]:
        """The columns of a file that hold no reports: weights, strata, clusters, groups. DataError where reports have
        no column.
        """
        taken = [column_of(part)] if self.questionnaire is None else [column_named(part, n) for n in self.questions]
        return [name for name in part.columns if name not in taken]


def questionnaire_of(path: Path) -> Questionnaire | None:
    """The questionnaire of a file; None where it holds something else. ValueError where it is damaged."""
    return questionnaire_in(path.read_text(encoding="utf-8", errors="replace"))


def questionnaire_in(text: str) -> Questionnaire | None:
    """The same of a file's text."""
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
