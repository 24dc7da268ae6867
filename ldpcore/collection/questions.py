"""Reports of several questions, a column for each: `ldpcore estimate` with a questionnaire in place of a client."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from csv import writer as csv_writer
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa

from ldpcore import checks
from ldpcore.client import Questionnaire
from ldpcore.client.loading import loaded
from ldpcore.client.questionnaire import BETWEEN, FORMAT, ONE
from ldpcore.collection.batch import FolderQuestion
from ldpcore.collection.opening import opened
from ldpcore.collection.pairs import Cells, RelatedReports, of_cells
from ldpcore.collection.phones import Phones
from ldpcore.collection.reports import column_of, is_report
from ldpcore.collection.result_facts import ResultFacts, collected_facts
from ldpcore.collection.weighing import DesignColumns, column_named
from ldpcore.data.partition import BATCH, Partition
from ldpcore.data.partitions import of_upload


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
        return collected_facts(self.questions[question], self._by_question(parts), columns, question, alone)

    def beside(self, part: Partition) -> list[str]:
        """The columns of a file that hold no reports: weights, strata, clusters, groups. DataError where reports have
        no column.
        """
        return _beside(self.questionnaire, part)

    def _by_question(self, parts: list[Partition]) -> list[Partition]:
        """A column for each question, however people handed their reports in: without the mark of the questionnaire,
        and what is no report as NO_REPORT. Made in memory.
        """
        if self.questionnaire is None:
            return parts
        out = []
        for part in parts:
            others, lines = _beside(self.questionnaire, part), StringIO()
            made = csv_writer(lines)
            made.writerow([*self.questions, *others])
            for sent, row in _people(self.questionnaire, part, others):
                made.writerow([*(sent.get(name, "") for name in self.questions), *row])
            out += of_upload(lines.getvalue().encode(), f"{part.name}.csv")
        return out


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
    return asked.estimate([sent for part in parts for sent, _ in _people(asked, part) if sent])


def together(asked: Questionnaire, parts: list[Partition], names: tuple[str, str]) -> RelatedReports:
    """Two questions together; one that nobody draws a report for is a column with the answers themselves. ValueError or
    DataError, in a sentence, where there is no relation to estimate.
    """
    if asked.asks == ONE:
        raise ValueError(
            "Each person answers one of the two, so nothing ties them together: no relation can be estimated. Ask "
            "both, or the pair as one."
        )
    exact = tuple(next((each for each in asked.questions if each.lower() == name.lower()), name) for name in names)
    if not set(exact) & set(asked.questions):
        raise ValueError(f"--relation names none of {checks.name_list(asked.questions)}, which this questionnaire asks")
    cells: Cells = Counter()
    for part in parts:
        beside = [None if name in asked.questions else column_named(part, name) for name in exact]
        for sent, row in _people(asked, part, [column for column in beside if column]):
            values = iter(row)
            pair = [sent.get(name) if column is None else next(values) or None
                    for name, column in zip(exact, beside, strict=True)]  # fmt: skip
            cells[pair[0], pair[1]] += 1
    clients = [Phones(asked.questions[name]) if name in asked.questions else None for name in exact]
    return of_cells(cells, (exact[0], exact[1]), (clients[0], clients[1]))


def _people(
    asked: Questionnaire, part: Partition, beside: Sequence[str] = ()
) -> Iterator[tuple[dict[str, int], tuple[str, ...]]]:
    """What each row holds, a column for each question, or all in one, `report`, as people hand them in; and what stands
    in the columns `beside`. An empty row is nobody.
    """
    whole = _in_one(asked, part)
    columns = [column_named(part, name) for name in asked.questions] if whole is None else [whole]
    for table in part.tables([*columns, *beside], BATCH):
        for row in zip(*(_cells(table[name]) for name in (*columns, *beside)), strict=True):
            cells = row[: len(columns)]
            sent = asked.handed(cells if whole is None else cells[0].split(BETWEEN))
            if sent or any(row[len(columns) :]):
                yield sent, row[len(columns) :]


def _beside(asked: Questionnaire | None, part: Partition) -> list[str]:
    """The columns that hold no reports; DataError where reports have no column."""
    if asked is None:
        taken = [column_of(part)]
    else:
        whole = _in_one(asked, part)
        taken = [column_named(part, name) for name in asked.questions] if whole is None else [whole]
    return [name for name in part.columns if name not in taken]


def _in_one(asked: Questionnaire, part: Partition) -> str | None:
    """The column `report`, where not every question has its own."""
    there = {name.strip().lower() for name in part.columns}
    if all(name.strip().lower() in there for name in asked.questions):
        return None
    return next((name for name in part.columns if is_report(name)), None)


def _cells(column: pa.ChunkedArray) -> list[str]:
    return [
        "" if cell is None else f"{cell:.0f}" if isinstance(cell, float) and cell.is_integer() else str(cell).strip()
        for cell in column.to_pylist()
    ]
