"""The histogram of one column, and how people without an answer count in it."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ldpcore.data.columns import MAX_VALUES
from ldpcore.data.errors import DataError, thousands
from ldpcore.data.weighing import MayBeWeighted, Weighing
from ldpcore.domain import Categorical
from ldpcore.memory import Remembering

Missing = Literal["any", "column", "category"]
MISSING = ("any", "column", "category")
MISSING_LABEL = "(missing)"


@dataclass(frozen=True, eq=False)
class Histogram(Remembering, MayBeWeighted):
    """How many people gave each answer: counts (k,) of n people; dropped and clipped say whom the choices touched.
    weighing: what they count for, where they have weights.
    """

    domain: Categorical
    counts: NDArray[np.int64]
    n: int
    dropped: int
    clipped: int = 0
    weighing: Weighing | None = None

    @property
    def freq(self) -> NDArray[np.float64]:
        """The shares (k,), of people or of their weights."""
        return self.counts / self.counts.sum() if self.weighing is None else self.weighing.freq


def of_codes(
    column: str,
    labels: tuple[str, ...],
    codes: NDArray[np.integer],
    keep: NDArray[np.bool_],
    missing: str,
    weights: tuple[str, NDArray[np.float64]] | None = None,
) -> Histogram:
    """Of answers as codes (n,), -1 for none, over these labels; keep: which rows (n,) count; weights: their column, and
    all rows' (n,). DataError: a single value, nobody left.
    """
    if missing == "category" and not keep.all():
        labels, codes, keep = _with_missing(labels, codes)
    if len(labels) < 2:
        raise DataError(
            f"“{column}” has {'a single value, “' + labels[0] + '”' if labels else 'no value'}.",
            "Where everybody answers the same there is nothing to estimate and nothing to hide. Choose another column.",
        )
    n = somebody(column, keep)
    counts = np.bincount(codes[keep], minlength=len(labels)).astype(np.int64)
    return Histogram(Categorical(labels), counts, n, len(keep) - n, weighing=weighed(weights, keep, codes, len(labels)))


def weighed(
    weights: tuple[str, NDArray[np.float64]] | None, keep: NDArray[np.bool_], codes: NDArray[np.integer], k: int
) -> Weighing | None:
    """Of the rows (n,) that count; None without weights. DataError: all of theirs are 0."""
    if weights is None:
        return None
    column, values = weights_of(weights, keep)
    return Weighing.of(column, values, codes[keep], k)


def weights_of(weights: tuple[str, NDArray[np.float64]], keep: NDArray[np.bool_]) -> tuple[str, NDArray[np.float64]]:
    """Those of the rows (n,) that count. DataError: all of theirs are 0."""
    column, values = weights
    if not values[keep].any():
        raise DataError(
            f"Nobody who is left has a weight in “{column}”.", "All are 0. Choose another column of weights."
        )
    return column, values[keep]


def _with_missing(
    labels: tuple[str, ...], codes: NDArray[np.integer]
) -> tuple[tuple[str, ...], NDArray[np.signedinteger], NDArray[np.bool_]]:
    label = MISSING_LABEL
    while label in labels:  # a file may use these very words
        label += "*"
    return (*labels, label), np.where(codes < 0, len(labels), codes.astype(np.int32)), np.ones(len(codes), bool)


def somebody(column: str, keep: NDArray[np.bool_]) -> int:
    """How many rows count. DataError: none."""
    n = int(np.count_nonzero(keep))
    if n == 0:
        raise DataError(
            f"Nobody is left in “{column}”.",
            "Every row misses an answer. Leave out only the rows that miss this column, or count a missing answer "
            "as a value of its own.",
        )
    return n


def check_missing(missing: str) -> None:
    """DataError: no way to treat missing answers."""
    if missing not in MISSING:
        raise DataError(f"“{missing}” is no way to treat missing answers.", f"Choose one of {', '.join(MISSING)}.")


def too_many(column: str, distinct: int, are_numbers: bool) -> DataError:
    """The sentence for a column with too many values to be a category."""
    count = thousands(distinct)
    if are_numbers:
        return DataError(
            f"“{column}” has {count} different numbers.",
            f"A category has at most {thousands(MAX_VALUES)} values. Use it as a number, with a range and bins.",
        )
    return DataError(
        f"“{column}” has {count} different values and looks like an identifier.",
        f"A category has at most {thousands(MAX_VALUES)} values. Choose another column.",
    )
