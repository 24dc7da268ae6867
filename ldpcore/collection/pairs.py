"""Reports of two questions side by side in a table: what they say of both answers together, `estimate --relation`."""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from ldpcore import relations
from ldpcore.collection import reports as reports_of_files
from ldpcore.collection.batch import FolderQuestion
from ldpcore.collection.kinds import AnswerBatch
from ldpcore.collection.phones import Phones
from ldpcore.data import DataError
from ldpcore.data.partition import BATCH, Partition
from ldpcore.randomizer import Randomizer
from ldpcore.relations import Relation

Cells = Counter[tuple[Any, Any]]
"""How often each two cells stand side by side."""


@dataclass(frozen=True)
class RelatedReports:
    """relation: what the reports say; labels of groups and of answers; left_out: rows without both reports; refused:
    rows that nobody can have sent.
    """

    names: tuple[str, str]
    relation: Relation
    labels: tuple[tuple[str, ...], tuple[str, ...]]
    left_out: int
    refused: int

    def table(self) -> pd.DataFrame:
        """A row for every pair: its share, and the share of this answer within this group, with low and high; without
        these where the group is not told from an empty one.
        """
        low, high = self.relation.interval()
        rows = []
        for x, group in enumerate(self.labels[0]):
            for y, answer in enumerate(self.labels[1]):
                inside = self.relation.within([y], [x])
                ends = (inside.value, inside.low, inside.high) if inside.told else (np.nan,) * 3
                pair = np.clip([low[x, y], high[x, y]], 0, 1)
                rows.append((group, answer, self.relation.shares[x, y], *pair, *ends))
        columns = [*self.names, "share", "low", "high", "within", "within low", "within high"]
        return pd.DataFrame(rows, columns=columns)


def related(
    parts: list[Partition], names: tuple[str, str], asked: tuple[FolderQuestion[Any] | None, ...]
) -> RelatedReports:
    """From the columns of these names, drawn by these clients, None for answers that are open. DataError or ValueError,
    in a sentence, where there is no relation to estimate.
    """
    if len({name.strip().lower() for name in names}) < 2:
        raise ValueError("Choose two different questions.")
    for each in asked:
        if each is not None and not isinstance(each, AnswerBatch | Phones):
            raise ValueError(f"a relation is of answers of a list; a client of the task {each.task} has none")
    cells: Cells = Counter()
    for part in parts:
        cells += _cells(part, names)
    left_out = sum(often for pair, often in cells.items() if None in pair)
    whole = {pair: often for pair, often in cells.items() if None not in pair}
    sides = [_Side.of(asked[i], names[i], {pair[i] for pair in whole}) for i in (0, 1)]
    sent = {pair: often for pair, often in whole.items() if pair[0] in sides[0].reports and pair[1] in sides[1].reports}
    if not sent:
        raise ValueError("No one answered both questions; a relation needs people who did.")
    a, b = (np.array([side.reports[pair[i]] for pair in sent]) for i, side in enumerate(sides))
    design = relations.apart(sides[0].mechanism, sides[1].mechanism)
    tally = design.tally((a, b), list(sent.values()))
    labels = sides[0].labels, sides[1].labels
    return RelatedReports(names, design.joint(tally), labels, left_out, sum(whole.values()) - tally.n)


@dataclass(frozen=True)
class _Side:
    """One question: how it was sent, its labels, and the report of every cell that can have been sent."""

    mechanism: Randomizer | int
    labels: tuple[str, ...]
    reports: dict[Any, Any]

    @classmethod
    def of(cls, asked: FolderQuestion[Any] | None, name: str, cells: set[Any]) -> "_Side":
        if asked is None:
            labels = sorted({str(cell) for cell in cells})
            if len(labels) < 2:
                answers = f"{len(labels)} answer{'s' * (len(labels) != 1)}"
                raise ValueError(f"“{name}” has {answers} here; a relation needs two.")
            return cls(len(labels), tuple(labels), {cell: labels.index(str(cell)) for cell in cells})
        known = {cell: report for cell in cells if (report := _report(asked, cell)) is not None}
        if isinstance(asked, AnswerBatch):
            return cls(asked.mechanism, asked.answers, known)
        return cls(asked.client.mechanism, asked.client.answers, known)  # type: ignore[attr-defined]


def _cells(part: Partition, names: tuple[str, str]) -> Cells:
    """None for an empty cell."""
    columns = [_column(part, name) for name in names]
    often: Cells = Counter()
    for table in part.tables(columns, BATCH):
        two = pa.table({"a": table[columns[0]], "b": table[columns[1]]})
        for row in two.group_by(["a", "b"]).aggregate([([], "count_all")]).to_pylist():
            often[_cell(row["a"]), _cell(row["b"])] += row["count_all"]
    return often


def _cell(value: Any) -> Any:
    text = value.strip() if isinstance(value, str) else value
    return None if text == "" else text


def _column(part: Partition, name: str) -> str:
    named = [each for each in part.columns if each.strip().lower() == name.strip().lower()]
    if not named:
        raise DataError(f"“{part.name}” has no column “{name}”.", f"It has {', '.join(part.columns[:8])}.")
    return named[0]


def _report(asked: FolderQuestion[Any], cell: Any) -> Any:
    """The mechanism's own report; None for a cell that nobody can have sent by this client."""
    if isinstance(cell, str) and asked.mark:
        cell = re.sub(reports_of_files.HANDED.format(asked.mark), r"\1", cell)
    report = reports_of_files.unpacked(pa.chunked_array([[cell]]), asked.form)
    if not len(report) or not asked.accepts(report).all():
        return None
    return asked.of_mechanism(report)[0] if isinstance(asked, Phones) else report[0]
