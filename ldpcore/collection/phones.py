"""The reports of a client that runs on phones, where somebody has the answers in a table after all."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from ldpcore.client import Client
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

    @cached_property
    def _places(self) -> dict[str, int]:
        return encoding.places(self.client.answers)

    def inputs(self, found: pa.ChunkedArray) -> Inputs:
        return encoding.answers(found, self._places)

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
