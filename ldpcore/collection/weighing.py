"""Reports beside weights, strata, clusters and groups: `ldpcore estimate --weights --strata --clusters --by`."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ldpcore.client.collected import intervals
from ldpcore.collection import refusals
from ldpcore.collection import reports as reports_of_files
from ldpcore.collection.batch import FolderQuestion
from ldpcore.collection.kinds import AnswerBatch, ItemBatch, NumberBatch
from ldpcore.collection.phones import Phones, mechanism_reports
from ldpcore.data import DataError
from ldpcore.data.partition import BATCH, Partition
from ldpcore.data.weighing import effective_size
from ldpcore.estimators import weighted
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.estimators.released import number_interval, score_interval
from ldpcore.randomizer import Reports
from ldpcore.tally import Tally

Vector = NDArray[np.float64]
MOST = 1 << 28
"""Scores that are held at once, people by answers."""


@dataclass(frozen=True)
class DesignColumns:
    """Names of the columns beside `report`; "" for one that is not asked for."""

    weights: str = ""
    strata: str = ""
    clusters: str = ""
    by: str = ""

    @property
    def named(self) -> list[str]:
        """Those that are asked for."""
        return [name for name in (self.weights, self.strata, self.clusters, self.by) if name]

    @property
    def drawn(self) -> bool:
        """Whether people were drawn by a design, so that its error is asked for."""
        return bool(self.strata or self.clusters)


@dataclass(frozen=True, eq=False)
class WeighedReports:
    """Accepted reports, row by row with what stands beside them; refused: rows that nobody can have sent."""

    asked: FolderQuestion[Any]
    columns: DesignColumns
    reports: Reports
    beside: pd.DataFrame
    refused: int
    why: Mapping[str, int] = field(default_factory=dict)
    """The same by reason (`refusals`)."""

    def table(self) -> pd.DataFrame:
        """A row per answer, of each group: share, low, high, n, effective n; with strata or clusters the error of the
        whole design and, apart, what of it the noise of the reports is.
        """
        if not self.columns.by:
            return self._group(np.ones(len(self.reports), bool))
        names = self.beside[self.columns.by]
        parts = []
        for name in sorted(set(names)):
            part = self._group((names == name).to_numpy())
            part.insert(0, self.columns.by, name)
            parts.append(part)
        return pd.concat(parts, ignore_index=True)

    @property
    def effective(self) -> float:
        """Kish's n of all."""
        return effective_size(self._weights)

    @property
    def _weights(self) -> Vector:
        if not self.columns.weights:
            return np.ones(len(self.reports))
        return weighted.checked(self.beside[self.columns.weights].to_numpy(float), len(self.reports))

    def _group(self, inside: NDArray[np.bool_]) -> pd.DataFrame:
        w = self._weights[inside]
        names, share, ends, noise = _said(self.asked, self.reports[inside], w)
        out = pd.DataFrame({**names, "share": share})
        if self.columns.drawn:
            design = self._designed(inside)
            half = design.interval()
            whole = isinstance(self.asked, NumberBatch)
            ends = tuple(self.asked.range.decode(end) if whole else np.clip(end, 0, 1) for end in half)  # type: ignore[attr-defined]
            unit = _unit(self.asked)
            out = out.assign(low=ends[0], high=ends[1], error=np.sqrt(design.variance) * unit, noise=noise * unit)
        else:
            out = out.assign(low=ends[0], high=ends[1])
        if isinstance(self.asked, NumberBatch):
            out = out.rename(columns={"share": "mean"})
        return out.assign(n=int(inside.sum()), effective=effective_size(w))

    def _designed(self, inside: NDArray[np.bool_]) -> weighted.DesignEstimate:
        """Of a group within the whole design: who is not in it has weight 0, and its cluster was drawn all the same."""
        strata, clusters = (
            self.beside[name] if name else None for name in (self.columns.strata, self.columns.clusters)
        )
        scores = mechanism_of(self.asked).scores(sent_to(self.asked, self.reports))
        return weighted.design(scores, np.where(inside, self._weights, 0.0), strata, clusters)

    def margins(self) -> pd.DataFrame:
        """For all whom these stand for, people and reports drawn: ± of 95 in 100 `whole` and, apart, `noise`, what of
        it the reports are; a row per answer, as names say.
        """
        names, _, _, noise = _said(self.asked, self.reports, self._weights)
        low, high = self._designed(np.ones(len(self.reports), bool)).interval()
        unit = _unit(self.asked)
        return pd.DataFrame({**names, "whole": (high - low) / 2 * unit, "noise": NORMAL_95 * noise * unit})

    def lonely(self) -> tuple[object, ...]:
        """Strata with one cluster."""
        return self._designed(np.ones(len(self.reports), bool)).lonely if self.columns.drawn else ()


def mechanism_of(asked: FolderQuestion[Any]) -> Any:
    """The engine's own, whoever draws by it."""
    return asked.client.mechanism if isinstance(asked, Phones) else asked.mechanism  # type: ignore[attr-defined]


def sent_to(asked: FolderQuestion[Any], reports: Reports) -> Reports:
    """Reports as this mechanism writes them."""
    return mechanism_reports(asked.client, reports) if isinstance(asked, Phones) else reports


def _unit(asked: FolderQuestion[Any]) -> float:
    """What 1 on the mechanism's scale is in the answers' own units."""
    return (asked.high - asked.low) / 2 if isinstance(asked, NumberBatch) else 1.0


def _said(
    asked: FolderQuestion[Any], reports: Reports, w: Vector
) -> tuple[dict[str, Any], Vector, tuple[Vector, Vector], Vector]:
    """Names, estimates, and ends of the intervals of who answered; and the standard error of the reports alone.

    As if Kish's n, rounded down, had answered (Korn and Graubard 1998): approximate where weights differ.
    """
    mechanism, sent = mechanism_of(asked), sent_to(asked, reports)
    n = max(1, int(effective_size(w) + 1e-9))
    if isinstance(asked, NumberBatch):
        mean = float(w @ mechanism.scores(sent) / w.sum())
        spread = float(mechanism.moments(mechanism.points, "unbiased")[1].max()) / n  # at most, whatever people have
        ends = tuple(asked.range.decode(np.atleast_1d(end)) for end in number_interval(mechanism, mean, n))
        return {}, asked.range.decode(np.array([mean])), (ends[0], ends[1]), np.array([spread**0.5])
    counted = weighted.tally(mechanism, sent, w)
    share, noise = mechanism.estimate(counted), np.sqrt(np.maximum(weighted.of_tally(mechanism, counted), 0))
    if isinstance(asked, Phones):
        whole = Tally(n, np.rint(counted.total / counted.weight * n).astype(np.int64))
        labels = {"answer": asked.client.answers, "sensitive": asked.client.sensitive}
        return labels, share, intervals(asked.client.law, whole), noise
    low, high = score_interval(mechanism, share, n, sampled=isinstance(asked, ItemBatch))
    name, each = ("answer", asked.answers) if isinstance(asked, AnswerBatch) else ("item", asked.items)  # type: ignore[attr-defined]
    labels = {name: each, "sensitive": asked.sensitive}  # type: ignore[attr-defined]
    return labels, share, (np.clip(low, 0, 1), np.clip(high, 0, 1)), noise


def collected(
    asked: FolderQuestion[Any],
    parts: list[Partition],
    columns: DesignColumns,
    column: str = "",
    alone: Sequence[str] = (),
) -> WeighedReports:
    """All reports of these partitions with what stands beside them. DataError or ValueError in a sentence.

    column: where they stand, "" for `report`; then an empty cell is a question that was not answered. alone: columns of
    other questions, of which nobody may have answered one besides.
    """
    every, beside, why, alike = [], [], Counter[str](), 0
    for part in parts:
        reports_of_files.check_mark(part, asked.digest)
        for rows in _rows(asked, part, columns, column, alone):
            every.append(rows.sent)
            beside.append(rows.beside)
            why += rows.why
            alike += rows.alike
    sent = np.concatenate(every) if every else asked.form[:0]
    table = pd.concat(beside, ignore_index=True) if beside else pd.DataFrame()
    made = WeighedReports(asked, columns, sent, table, sum(why.values()), dict(why))
    if sentence := refusals.misfit(asked, len(sent), made.why, alike):
        raise ValueError(sentence)
    k = getattr(mechanism_of(asked), "k", 1)
    if columns.drawn and len(sent) * k > MOST:
        raise ValueError(f"{len(sent)} people with {k} answers are too many for the error of a design; take a part")
    return made


@dataclass(frozen=True, eq=False)
class _Rows:
    sent: Reports
    beside: pd.DataFrame
    why: Counter[str]
    alike: int


def _rows(
    asked: FolderQuestion[Any], part: Partition, columns: DesignColumns, column: str = "", alone: Sequence[str] = ()
) -> Iterator[_Rows]:
    name = column_named(part, column) if column else reports_of_files.column_of(part)
    names = [column_named(part, wanted) for wanted in columns.named]
    others = [column_named(part, each) for each in alone]
    nobody = bool(column) or len(part.columns) == 1  # an empty cell is then no person's
    for table in part.tables(list(dict.fromkeys([name, *names, *others])), BATCH):
        cells = table[name]
        if part.is_text and asked.mark:
            cells = pc.replace_substring_regex(cells, reports_of_files.HANDED.format(asked.mark), r"\1")
        sent, good = aligned(cells, asked.form)
        able = asked.accepts(sent) if len(sent) else np.zeros(0, bool)
        why = refusals.reasons(cells, good, able)
        if nobody:
            del why[refusals.EMPTY]
        good[good] = able
        if others:
            twice = good & np.any([refusals.filled(table[each]) for each in others], axis=0)
            able[able] = ~twice[good]
            why[refusals.SEVERAL] = int(twice.sum())
            good &= ~twice
        cells_beside = {
            wanted: table[each].to_pandas()[good] for wanted, each in zip(columns.named, names, strict=True)
        }
        beside = pd.DataFrame(cells_beside, index=np.flatnonzero(good)).reset_index(drop=True)
        if columns.weights:
            beside[columns.weights] = _numbers(beside[columns.weights], columns.weights)
        for each in (columns.strata, columns.clusters, columns.by):
            if each and each != columns.weights:
                beside[each] = beside[each].astype(str).str.strip()
        yield _Rows(sent[able], beside, +why, refusals.alike(asked, cells))


def aligned(column: pa.ChunkedArray, form: Reports) -> tuple[Reports, NDArray[np.bool_]]:
    """The reports of a column, and which cells (n,) they stand in: others are no reports in this form.

    >>> sent, good = aligned(pa.chunked_array([["1", "x", "3"]]), np.zeros(1, np.int64))
    >>> sent.tolist(), good.tolist()
    ([1, 3], [True, False, True])
    """
    sent = reports_of_files.unpacked(column, form)
    if len(sent) in (0, len(column)):
        return sent, np.full(len(column), len(sent) > 0)
    half = len(column) // 2
    first, second = aligned(column.slice(0, half), form), aligned(column.slice(half), form)
    return np.concatenate([first[0], second[0]]), np.concatenate([first[1], second[1]])


def column_named(part: Partition, name: str) -> str:
    """The column of this name, however its letters are; DataError where there is none."""
    named = [each for each in part.columns if each.strip().lower() == name.strip().lower()]
    if not named:
        raise DataError(f"“{part.name}” has no column “{name}”.", f"It has {', '.join(part.columns[:8])}.")
    return named[0]


def _numbers(cells: pd.Series, name: str) -> pd.Series:
    numbers = pd.to_numeric(cells, errors="coerce")
    if numbers.isna().any():
        place = int(np.argmax(numbers.isna().to_numpy()))
        raise ValueError(f"“{name}” holds {str(cells.iloc[place])[:40]!r} as a weight; weights are numbers")
    return numbers.astype(float)
