"""The three tasks of a batch: one answer of a list, several items, a number."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from ldpcore import catalog, checks
from ldpcore.baskets import Baskets
from ldpcore.collection import encoding
from ldpcore.collection.batch import Batch
from ldpcore.collection.encoding import Inputs
from ldpcore.collection.sums import ExactTally
from ldpcore.data import baskets
from ldpcore.domain import Interval
from ldpcore.estimators import consistency, publishing
from ldpcore.estimators.released import number_interval, score_interval
from ldpcore.mechanisms.padding import pad_and_sample
from ldpcore.numeric_randomizer import NumericRandomizer
from ldpcore.randomizer import Randomizer, Reports
from ldpcore.set_randomizer import SetRandomizer
from ldpcore.study import intervals
from ldpcore.tally import Tally


@dataclass(frozen=True)
class AnswerBatch(Batch[Randomizer, Tally]):
    """One answer of a list.

    >>> asked = AnswerBatch("OLH", 2.0, "city", answers=("Oslo", "Rome", "Lima"), sensitive=(False, False, False))
    >>> seen = asked.inputs(pa.chunked_array([["Rome", " Oslo ", "?", "Paris"]]))
    >>> seen.values.tolist(), seen.missing, seen.first
    ([1, 0], 1, (3, 'Paris'))
    """

    answers: tuple[str, ...] = ()
    sensitive: tuple[bool, ...] = ()
    guess: float | None = None

    task = "frequency"
    catalog = catalog.FREQUENCY
    forms = publishing.FORMS[1:]

    def __post_init__(self) -> None:
        _listed(self.answers, self.sensitive, "answer")
        self._checked(any(self.sensitive))

    @cached_property
    def mechanism(self) -> Randomizer:
        entry = self.catalog[self.key]
        extra = {"share": self.guess} if entry.takes_share else {}
        return entry.build(self.epsilon, len(self.answers), np.array(self.sensitive), **extra)

    @cached_property
    def _places(self) -> dict[str, int]:
        return encoding.places(self.answers)

    def inputs(self, found: pa.ChunkedArray) -> Inputs:
        return encoding.answers(found, self._places)

    def perturb(self, values: Any, rng: np.random.Generator) -> Reports:
        return self.mechanism.perturb(values, rng)

    def _somebody(self) -> Any:
        return np.zeros(1, np.int64)

    def accepts(self, reports: Reports) -> NDArray[np.bool_]:
        return self.mechanism.accepts(reports)

    def tally(self, reports: Reports) -> Tally:
        return self.mechanism.tally(reports)

    def table(self, counted: Tally, form: str | None = None) -> pd.DataFrame:
        share = self.mechanism.estimate(counted)
        ends = score_interval(self.mechanism, share, counted.n)
        out = _table(ends, answer=self.answers, sensitive=self.sensitive, share=share)
        return out if form is None else out.assign(published=publishing.release(self.mechanism, counted, form))


@dataclass(frozen=True)
class ItemBatch(Batch[SetRandomizer, Tally]):
    """Several items per person, of any number, made into sets of m: `pad_and_sample`.

    >>> asked = ItemBatch("PrivSet", 2.0, "items", items=("milk", "bread", "tea"), sensitive=(False,) * 3, m=2)
    >>> seen = asked.inputs(pa.chunked_array([[["tea", "milk"], [], None]]))
    >>> [part.tolist() for part in seen.values], seen.missing
    ([[0, 2], [0, 2, 2]], 1)
    """

    items: tuple[str, ...] = ()
    sensitive: tuple[bool, ...] = ()
    m: int = 1

    task = "sets"
    catalog = catalog.SETS
    forms = publishing.SET_FORMS[1:]

    def __post_init__(self) -> None:
        _listed(self.items, self.sensitive, "item")
        checks.integer(self.m, "m (items per set)", 1, max(1, len(self.items)))
        self._checked(any(self.sensitive))

    @cached_property
    def mechanism(self) -> SetRandomizer:
        return self.catalog[self.key].build(self.epsilon, len(self.items), np.array(self.sensitive), self.m, self.m)

    @cached_property
    def _places(self) -> dict[str, int]:
        return encoding.places(self.items)

    def inputs(self, found: pa.ChunkedArray) -> Inputs:
        read = encoding.items(*encoding.lists(found, self.column), self._places)
        codes, starts = read.values
        if len(starts) == 1:
            return read
        # Ascending, and each item once.
        people = baskets.of_lists(codes, starts, self.items)
        cut = int(np.count_nonzero(np.diff(people.starts) > self.m))
        return Inputs((people.codes, people.starts), read.missing, read.unknown, read.first, cut)

    @property
    def cut(self) -> str:
        return f"baskets of more than {self.m} items count with {self.m} of them, drawn at random: these come out rarer"

    def perturb(self, values: Any, rng: np.random.Generator) -> Reports:
        k, m = len(self.items), self.m
        return self.mechanism.perturb(pad_and_sample(Baskets(self.items, *values), k, m, rng), rng)

    def part(self, values: Any, start: int, stop: int) -> Any:
        codes, starts = values
        return codes[starts[start] : starts[stop]], starts[start : stop + 1] - starts[start]

    def size(self, values: Any) -> int:
        return len(values[1]) - 1

    def _somebody(self) -> Any:
        return np.zeros(1, np.int64), np.array([0, 1])

    def accepts(self, reports: Reports) -> NDArray[np.bool_]:
        return self.mechanism.accepts(reports)

    def tally(self, reports: Reports) -> Tally:
        return self.mechanism.tally(reports)

    def table(self, counted: Tally, form: str | None = None) -> pd.DataFrame:
        """Of the shares after sampling: how long baskets were is in no report, so it may have been the worst."""
        share = self.mechanism.estimate(counted)
        ends = score_interval(self.mechanism, share, counted.n, sampled=True)
        out = _table(ends, item=self.items, sensitive=self.sensitive, share=share)
        if form is None:
            return out
        error = np.sqrt(self.mechanism.variance(consistency.at_most(share, self.m), counted.n))
        return out.assign(published=publishing.shaped(share, form, error, self.m))


@dataclass(frozen=True)
class NumberBatch(Batch[NumericRandomizer, ExactTally]):
    """One number of a public range, in its own units; sensitive: intervals such as "60..80", none where all of it is.

    >>> asked = NumberBatch("uTernary", 1.0, "age", low=18, high=98, sensitive=("80..98",))
    >>> seen = asked.inputs(pa.chunked_array([[20, 120, None]]))
    >>> seen.values.tolist(), seen.missing, seen.clipped
    ([20.0, 98.0], 1, 1)
    """

    low: float = 0.0
    high: float = 1.0
    sensitive: tuple[str, ...] = ()

    task = "means"
    catalog = catalog.MEANS

    def __post_init__(self) -> None:
        self._checked(bool(self.sensitive))
        self.mechanism.named("unbiased")  # says where there is none

    @cached_property
    def range(self) -> Interval:
        """The public range."""
        return Interval(self.low, self.high)

    @cached_property
    def mechanism(self) -> NumericRandomizer:
        marked = intervals.parse_all(self.sensitive, self.range)
        return self.catalog[self.key].build(self.epsilon, intervals.complement(marked, self.range) if marked else ())

    @property
    def _scale(self) -> float:
        """Of the reports: these grow as 1/ε."""
        return max(1.0, 1 / self.epsilon)

    def inputs(self, found: pa.ChunkedArray) -> Inputs:
        return encoding.numbers(found, self.low, self.high)

    @property
    def cut(self) -> str:
        return f"numbers outside {self.low:g} to {self.high:g} count as its ends"

    def perturb(self, values: Any, rng: np.random.Generator) -> Reports:
        return self.mechanism.perturb(self.range.encode(values), rng)

    def _somebody(self) -> Any:
        return np.array([self.low])

    def accepts(self, reports: Reports) -> NDArray[np.bool_]:
        return self.mechanism.accepts(reports)

    def tally(self, reports: Reports) -> ExactTally:
        cell, count = self.mechanism.cell(reports), len(self.mechanism.edges) - 1
        return ExactTally.of(np.asarray(reports, float), cell, count, self._scale)

    def table(self, counted: ExactTally, form: str | None = None) -> pd.DataFrame:
        mean = self.mechanism.estimate_mean(counted.rounded(), "unbiased")
        ends = self.range.decode(np.array([mean, *number_interval(self.mechanism, mean, counted.n)]))
        return pd.DataFrame([ends], columns=["mean", "low", "high"])


def _listed(labels: tuple[str, ...], sensitive: tuple[bool, ...], what: str) -> None:
    if len(sensitive) != len(labels):
        raise ValueError(f"{len(labels)} {what}s and {len(sensitive)} marks do not fit together")
    if len(set(labels)) < len(labels) or not all(label.strip() for label in labels):
        raise ValueError(f"every {what} needs a name of its own; two are the same, or one is empty")


def _table(ends: tuple[NDArray[np.float64], NDArray[np.float64]], **columns: Any) -> pd.DataFrame:
    """With the ends of the intervals, which no share leaves."""
    low, high = np.clip(ends, 0, 1)
    return pd.DataFrame({**columns, "low": low, "high": high})
