"""Reports of two questions side by side in a table: what they say of both answers together, `estimate --relation`."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from ldpcore import relations
from ldpcore.client import Client
from ldpcore.collection import reports as reports_of_files
from ldpcore.collection.batch import FolderQuestion
from ldpcore.collection.kinds import AnswerBatch
from ldpcore.collection.phones import Phones, mechanism_reports
from ldpcore.data import DataError
from ldpcore.data.partition import BATCH, Partition
from ldpcore.randomizer import Randomizer
from ldpcore.relations import Relation

Cells = Counter[tuple[Any, Any]]
"""How often each two cells stand side by side."""


@dataclass(frozen=True)
class RelatedReports:
    """relation: what the reports say; labels of groups and of answers; left_out: rows without both reports; refused:
    rows that nobody can have sent. published: a form → shares of all pairs, of a pair asked as one.
    """

    names: tuple[str, str]
    relation: Relation
    labels: tuple[tuple[str, ...], tuple[str, ...]]
    left_out: int
    refused: int
    published: Callable[[str], np.ndarray] | None = None

    @property
    def clients(self) -> str:
        """Who drew these reports, in words."""
        return "this client" if self.published else "these clients"

    def compared(self, *answers: str) -> pd.DataFrame:
        """Of these answers (none: of each) a row for every group: how many of it give the answer, and the difference
        from all other groups together, with low and high, 95 of 100, of one answer all differences at once. NaN where a
        group, or what it is compared with, is not told from an empty one. ValueError for an unknown answer.
        """
        unknown = set(answers) - set(self.labels[1])
        if unknown:
            raise ValueError(f"“{self.names[1]}” has no answer {', '.join(map(repr, sorted(unknown)))}")
        rows = []
        for answer in answers or self.labels[1]:
            y = self.labels[1].index(answer)
            # Of two groups there is one difference, to be seen from either side.
            pair = [self.relation.difference([y], [x], [1 - x]) for x in (0, 1)] if len(self.labels[0]) == 2 else None
            for x, against in enumerate(pair or self.relation.against_others([y])):
                inside = self.relation.within([y], [x])
                ends = [one.value if end == "" else getattr(one, end) for one in (inside, against)
                        for end in ("", "low", "high")]  # fmt: skip
                named = [inside.told] * 3 + [against.told] * 3
                rows.append((answer, self.labels[0][x], *np.where(named, ends, np.nan)))
        kinds = [f"{name}{end}" for name in ("within", "difference") for end in ("", " low", " high")]
        return pd.DataFrame(rows, columns=["answer", "group", *kinds])

    def table(self, form: str | None = None) -> pd.DataFrame:
        """A row for every pair: its share, and the share of this answer within this group, with low and high; without
        these where the group is not told from an empty one. form: a column of published shares of pairs too.
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
        out = pd.DataFrame(rows, columns=columns)
        return out if form is None or self.published is None else out.assign(published=self.published(form))


def of_one(client: Client, often: Mapping[int, int], refused: int = 0) -> RelatedReports:
    """What the reports of a pair asked as one say, each with how often it came.

    >>> from ldpcore.client import AskedPair
    >>> pair = AskedPair(("smokes", "sick"), (("no", "yes"), ("well", "ill")))
    >>> asked = Client.of("GRR", 9.0, pair.answers, question="Both?", pair=pair)
    >>> of_one(asked, {1: 60, 2: 20, 4: 10, 8: 10}).table()["within"].round(2).tolist()
    [0.75, 0.25, 0.5, 0.5]
    """
    pair = client.pair
    if pair is None:
        raise ValueError("this client asks one question; a relation is of two")
    design = relations.as_one(len(pair.labels[0]), len(pair.labels[1]), client.mechanism)
    tally = design.tally(mechanism_reports(client, np.array(list(often))), list(often.values()))
    relation = design.joint(tally)
    return RelatedReports(pair.names, relation, pair.labels, 0, refused, lambda form: client.published(often, form))


def names_of(relation: str, parts: list[Partition]) -> tuple[str, str]:
    """The two columns that "a,b" names, also where one of them has a comma in its name."""
    columns = {column.strip().lower() for part in parts[:1] for column in part.columns}
    pieces = relation.split(",")
    ways = [(",".join(pieces[:at]).strip(), ",".join(pieces[at:]).strip()) for at in range(1, len(pieces))]
    fitting = [way for way in ways if {name.lower() for name in way} <= columns]
    if not ways or not all(ways[0]):
        raise ValueError("--relation names two columns, as in smoking,condition.")
    return (fitting or ways)[0]


def related(
    parts: list[Partition], names: tuple[str, str], asked: tuple[FolderQuestion[Any] | None, ...]
) -> RelatedReports:
    """From the columns of these names, drawn by these clients, None for answers that are open. DataError or ValueError,
    in a sentence, where there is no relation to estimate.
    """
    cells: Cells = Counter()
    _check(names, asked)
    for part in parts:
        cells += _cells(part, names)
    return of_cells(cells, names, asked)


def _check(names: tuple[str, str], asked: tuple[FolderQuestion[Any] | None, ...]) -> None:
    if len({name.strip().lower() for name in names}) < 2:
        raise ValueError("Choose two different questions.")
    for each in asked:
        if each is not None and not isinstance(each, AnswerBatch | Phones):
            raise ValueError(f"a relation is of answers of a list; a client of the task {each.task} has none")


def of_cells(cells: Cells, names: tuple[str, str], asked: tuple[FolderQuestion[Any] | None, ...]) -> RelatedReports:
    """From the cells themselves, None for an empty one."""
    _check(names, asked)
    left_out = sum(often for pair, often in cells.items() if None in pair)
    whole = {pair: often for pair, often in cells.items() if None not in pair}
    sides = [_Side.of(asked[i], names[i], {pair[i] for pair in whole}) for i in (0, 1)]
    sent = {pair: often for pair, often in whole.items() if pair[0] in sides[0].reports and pair[1] in sides[1].reports}
    if not whole:
        raise ValueError("No one answered both questions; a relation needs people who did.")
    if not sent:
        raise ValueError(
            f"No row of “{names[0]}” and “{names[1]}” can have been sent by these clients; name each --client in the "
            "order of the columns, open for a question that was answered openly."
        )
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
    return report[0] if isinstance(asked, AnswerBatch) else mechanism_reports(asked.client, report)[0]  # type: ignore[attr-defined]
