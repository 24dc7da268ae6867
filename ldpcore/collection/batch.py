"""What somebody collects who has people's answers in a table: a question with its mechanism, as a client.json.

A phone draws in whole numbers and one report at a time (`ldpcore.client`); here reports are drawn by the engine, for
thousands at once, by every mechanism of the catalogue. A batch knows its task, its public domain, its marks, and
nothing of anybody.
"""

import hashlib
import json
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from ldpcore import checks
from ldpcore.catalog import Catalog
from ldpcore.collection.encoding import Inputs
from ldpcore.numeric_randomizer import NumericRandomizer
from ldpcore.randomizer import Randomizer, Reports
from ldpcore.rng import stream
from ldpcore.set_randomizer import SetRandomizer

FORMAT = "ldpcore client 2"


class ReportCounts(Protocol):
    """What a collector keeps: n reports. Those of one client add up, to the same in any order and parts."""

    @property
    def n(self) -> int: ...

    def __add__(self, other: Any) -> Any: ...


_T = TypeVar("_T", bound=ReportCounts)
_M = TypeVar("_M", Randomizer, SetRandomizer, NumericRandomizer)


class FolderQuestion(ABC, Generic[_T]):
    """A question that folders of answers and of reports can be read by: a `Batch`, or that of phones (`phones.py`)."""

    key: str
    epsilon: float
    column: str
    """Where the answers usually stand."""
    several: tuple[str, ...] = ()
    """Of what asks several questions: the columns of all of them."""
    task: ClassVar[str]
    forms: ClassVar[tuple[str, ...]] = ()
    """What `--publish` can add."""
    mark: str = ""
    """What stands behind a report that somebody hands in, as in 13-4f2a91c0; "" where nobody does."""

    @property
    def cut(self) -> str:
        """What becomes of those that hold more than can be said (`Inputs.clipped`), in words; "" where nobody does."""
        return ""

    @abstractmethod
    def inputs(self, found: pa.ChunkedArray) -> Inputs:
        """Cells of the column → what `perturb` takes, of those who answered."""

    @abstractmethod
    def perturb(self, values: Any, rng: np.random.Generator) -> Reports:
        """Values of `inputs` → reports, axis 0 = people."""

    def size(self, values: Any) -> int:
        """People of these values."""
        return len(values)

    def part(self, values: Any, start: int, stop: int) -> Any:
        """Of the values those of people from start to stop."""
        return values[start:stop]

    @cached_property
    def form(self) -> Reports:
        """One report, for its type and shape."""
        return self.perturb(self._somebody(), stream(0))

    @abstractmethod
    def _somebody(self) -> Any:
        """Values of one person."""

    @abstractmethod
    def accepts(self, reports: Reports) -> NDArray[np.bool_]:
        """Whether its mechanism can have sent each of these (n,)."""

    @abstractmethod
    def tally(self, reports: Reports) -> _T:
        """Of accepted reports: whole numbers, which add up to the same in any order."""

    @abstractmethod
    def table(self, counted: _T, form: str | None = None) -> pd.DataFrame:
        """The estimate, and in which interval it lies 95 times in 100; form: of `forms`, a column "published"."""

    @abstractmethod
    def to_json(self) -> str:
        """client.json"""

    @property
    def digest(self) -> str:
        """Of the client.json: reports know whose they are."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()


@dataclass(frozen=True)
class Batch(FolderQuestion[_T], Generic[_M, _T]):
    """A question for a batch of people. key: of its task's catalogue.

    `AnswerBatch`, `ItemBatch` and `NumberBatch` are the three; ValueError or TypeError, in a sentence, where one could
    not run.
    """

    key: str
    epsilon: float
    column: str
    question: str = ""

    catalog: ClassVar[Catalog[Any]]

    def _checked(self, marked: bool) -> None:
        checks.epsilon(self.epsilon)
        if instead := self.catalog[self.key].instead:
            raise ValueError(
                f"{self.key} adds noise without an end, so one false report could decide the result; collect with "
                f"{instead}, whose reports have an end and which errs less at every ε"
            )
        if self.catalog[self.key].uses_marks and not marked:
            raise ValueError(f"{self.key} would protect nothing: mark something, or take one that protects all")
        _ = self.mechanism

    @property
    @abstractmethod
    def mechanism(self) -> _M:
        """The engine's own."""

    def to_json(self) -> str:
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        document = {"format": FORMAT, "task": self.task, "promise": self.catalog[self.key].promise, **values}
        return json.dumps(document, ensure_ascii=False, indent=1) + "\n"
