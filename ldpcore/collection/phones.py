"""The reports of a client that runs on phones, where somebody has the answers in a table after all."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from ldpcore.client import Client, Questionnaire
from ldpcore.client.questionnaire import BETWEEN, ONE
from ldpcore.collection import encoding
from ldpcore.collection.batch import FolderQuestion
from ldpcore.collection.encoding import Inputs
from ldpcore.estimators import publishing
from ldpcore.mechanisms import bits
from ldpcore.randomizer import Reports


@dataclass(frozen=True)
class Often:
    """How often each report came.

    >>> Often(Counter({1: 2})) + Often(Counter({1: 1, 2: 5})) == Often(Counter({1: 3, 2: 5}))
    True
    """

    times: Mapping[int, int]

    @property
    def n(self) -> int:
        """Reports."""
        return sum(self.times.values())

    def __add__(self, other: "Often") -> "Often":
        return Often(Counter(self.times) + Counter(other.times))


@dataclass(frozen=True)
class Phones(FolderQuestion[Often]):
    """A `Client`, for folders. Reports are its whole numbers: bit v for answer v. They are drawn by the engine, from
    the very law that phones keep, up to the rounding of floats.
    """

    client: Client

    task = "frequency"
    forms = publishing.FORMS[1:]

    @property
    def key(self) -> str:
        return self.client.key

    @property
    def epsilon(self) -> float:
        return self.client.epsilon

    @property
    def column(self) -> str:
        return self.client.question

    @property
    def mark(self) -> str:  # type: ignore[override]
        return self.client.mark

    @property
    def several(self) -> tuple[str, ...]:  # type: ignore[override]
        """The two columns of a pair."""
        return () if self.client.pair is None else self.client.pair.names

    @cached_property
    def _places(self) -> dict[str, int]:
        return encoding.places(self.client.answers)

    def inputs(self, found: pa.ChunkedArray) -> Inputs:
        """Of a pair also from two columns, as structures."""
        if pa.types.is_struct(found.type):
            return self.pairs(encoding.fields(found))[1]
        return encoding.answers(found, self._places)

    def pairs(self, sides: Sequence[pa.ChunkedArray]) -> tuple[encoding.Codes, Inputs]:
        """Of the two columns of a pair: the code of each row (n,), MISSING or UNKNOWN, and those who answered both."""
        x, y = self.client.pair.labels if self.client.pair is not None else ((), ())
        return encoding.joined(sides, [encoding.places(x), encoding.places(y)], len(y))

    def perturb(self, values: Any, rng: np.random.Generator) -> Reports:
        reports = self.client.mechanism.perturb(values, rng)
        if reports.ndim == 1:
            return np.left_shift(1, reports.astype(np.int64))
        k = len(self.client.answers)
        return bits.unpack(reports, k) @ np.left_shift(1, np.arange(k))

    def _somebody(self) -> Any:
        return np.zeros(1, np.int64)

    def accepts(self, reports: Reports) -> NDArray[np.bool_]:
        each, where = np.unique(reports, return_inverse=True)
        return np.array([self.client.accepts(int(report)) for report in each], bool)[where]

    def tally(self, reports: Reports) -> Often:
        each, times = np.unique(reports, return_counts=True)
        return Often(dict(zip(each.tolist(), times.tolist(), strict=True)))

    def table(self, counted: Often, form: str | None = None) -> pd.DataFrame:
        out = self.client.estimate(self.client.tally_of(counted.times))
        return out if form is None else out.assign(published=self.client.published(counted.times, form))

    def to_json(self) -> str:
        return self.client.to_json()


def mechanism_reports(client: Client, reports: Reports) -> Reports:
    """Whole numbers of phones, bit v for answer v, as the engine's mechanism writes them."""
    mechanism = client.mechanism
    on = np.asarray(reports, np.int64)[:, None] >> np.arange(mechanism.k) & 1
    return on.argmax(axis=1) if mechanism.tally_is_histogram else bits.pack(on.astype(bool))


@dataclass(frozen=True)
class PhoneQuestions(FolderQuestion[Often]):
    """A `Questionnaire`, for folders: a column of answers for each question, or two where it is a pair. A report is the
    code that a person would hand in; a question that a row does not answer has no report.
    """

    asked: Questionnaire

    task = "questionnaire"
    column = ""

    @property
    def key(self) -> str:
        return ", ".join(dict.fromkeys(client.key for client in self.asked.questions.values()))

    @property
    def epsilon(self) -> float:
        return self.asked.epsilon

    @property
    def several(self) -> tuple[str, ...]:  # type: ignore[override]
        return tuple(name for columns in self._columns for name in columns)

    @cached_property
    def _each(self) -> list[Phones]:
        return [Phones(client) for client in self.asked.questions.values()]

    @property
    def _columns(self) -> list[tuple[str, ...]]:
        """Of each question the columns of its answers."""
        return [phones.several or (name,) for name, phones in zip(self.asked.questions, self._each, strict=True)]

    def inputs(self, found: pa.ChunkedArray) -> Inputs:
        """(n, questions) codes of those who answer any; MISSING where a question has no answer."""
        cells = iter(encoding.fields(found) if pa.types.is_struct(found.type) else [found])
        read = [self._read(phones, [next(cells) for _ in names])
                for phones, names in zip(self._each, self._columns, strict=True)]  # fmt: skip
        codes = np.column_stack([each for each, _ in read])
        codes = np.where(codes >= 0, codes, encoding.MISSING)
        some = (codes >= 0).any(axis=1)
        first = min((each.first for _, each in read if each.first is not None), default=None)
        return Inputs(codes[some], int(np.count_nonzero(~some)), sum(each.unknown for _, each in read), first)

    def _read(self, phones: Phones, cells: list[pa.ChunkedArray]) -> tuple[encoding.Codes, Inputs]:
        if len(cells) > 1:
            return phones.pairs(cells)
        place = encoding.places(phones.client.answers)
        return encoding.codes(cells[0], place), encoding.answers(cells[0], place)

    def perturb(self, values: Any, rng: np.random.Generator) -> Reports:
        asks = np.ones_like(values, bool)
        if self.asked.asks == ONE:  # the lot is drawn before anybody answers: who has no answer to it sends nothing
            weights = np.array(self.asked.weights or [1] * values.shape[1], float)
            drawn = rng.choice(values.shape[1], len(values), p=weights / weights.sum())
            asks = drawn[:, None] == np.arange(values.shape[1])
        sent = np.full(values.shape, "", object)
        for place, phones in enumerate(self._each):
            there = asks[:, place] & (values[:, place] >= 0)
            sent[there, place] = phones.perturb(values[there, place], rng).astype(str)
        return np.array([f"{BETWEEN.join(row)}-{self.asked.mark}" for row in sent], object)

    def _somebody(self) -> Any:
        return np.zeros((1, len(self._each)), np.int64)

    def accepts(self, reports: Reports) -> NDArray[np.bool_]:
        return np.array([self.asked.accepts(self.asked.handed(str(code).split(BETWEEN))) for code in reports], bool)

    def tally(self, reports: Reports) -> Often:
        return Often(Counter(map(str, reports)))  # type: ignore[arg-type]  codes in place of numbers

    def table(self, counted: Often, form: str | None = None) -> pd.DataFrame:
        codes = [code for code, times in counted.times.items() for _ in range(times)]
        return self.asked.estimate(self.asked.handed(str(code).split(BETWEEN)) for code in codes)

    def to_json(self) -> str:
        return self.asked.to_json()
