"""What a column holds, at a glance: a category, a number, an identifier, a weight or a single value."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from ldpcore.data import dates
from ldpcore.data.columns import MANY_NUMBERS, MAX_VALUES

Role = Literal["category", "number", "identifier", "constant", "weight"]

_BLOCK = 1 << 18
"""Texts that are looked at in one go."""
_FEW_ROWS = 50
"""Below so many rows all numbers may differ by chance, and nothing is called an identifier for it."""
_FEW_TEXTS = 12
"""The same of words: those of one kind recur sooner, and the names of a class's pupils do not."""
_MANY_ROWS = 200
"""From so many rows on, a few may be alike: a person who came twice, a slip of the pen."""
NEARLY = 0.95
"""Distinct values per answer from which (nearly) every row has its own."""
_LONG_ID = 6
"""Digits: whole numbers that all have as many, and are nearly all different, are no amounts."""
_NAMED = re.compile(
    r"(?i:(.*[^a-z])?(id|ids|uid|uuid|guid|ssn|imei|iban|e-?mail|e-?mail address)|(unnamed: ?\d+|index|row|rowid|pid)|"
    r"(.*[^a-z])?(row|record|case|serial|respondent|person|patient|customer|client|member|user|account|participant|"
    r"subject|employee|student|household|invoice|order|transaction|phone|passport|licen[cs]e|tax)[ _.-]?"
    r"(id|no|nr|num|number|key|code)|caseid|serialno)|.*[a-z]I[dD]"
)
"""Names of columns that tell people or things apart."""


@dataclass(frozen=True)
class ColumnProfile:
    """role: how to use it by default. distinct and missing count values and rows. numeric: it can be binned.

    low, high: the range of its numbers, None for text. examples: up to five values, the commonest first.
    dates: where its categories are dates, one for each way in which they are spelled. answers: rows with one.
    """

    name: str
    role: Role
    distinct: int
    missing: int
    numeric: bool
    low: float | None
    high: float | None
    examples: tuple[str, ...]
    dates: tuple[str, ...] = ()
    answers: int = 0

    @property
    def unique(self) -> bool:
        """Whether (nearly) every answer is a different one."""
        return self.distinct >= NEARLY * self.answers

    @property
    def countable(self) -> bool:
        """Whether its answers can be counted: also those of an identifier, on purpose, where they recur."""
        return self.role in ("category", "number") or (
            self.role == "identifier" and self.distinct <= MAX_VALUES and not self.unique
        )


def profile(name: str, series: pd.Series, values: NDArray[np.float64] | None, told: str | None = None) -> ColumnProfile:
    """The profile of one tidy column, given the numbers behind it (n,) if there are any. told: of ColumnOptions, what
    somebody said that it is.
    """
    distinct, examples, labels = _counted(series)
    present = None if values is None else values[~np.isnan(values)]
    low, high = (None, None) if present is None or present.size == 0 else (float(present.min()), float(present.max()))
    missing = int(series.isna().sum())
    role = _told(told, distinct) or _role(name, distinct, len(series) - missing, present)
    return ColumnProfile(
        name,
        role,
        distinct,
        missing,
        present is not None,
        low,
        high,
        examples,
        dates.spellings(labels) if role == "category" and values is None else (),
        len(series) - missing,
    )


def distinct(series: pd.Series) -> int:
    """How many values occur in a tidy column."""
    return _counted(series)[0]


def _counted(series: pd.Series) -> tuple[int, tuple[str, ...], Iterable[str]]:
    """How many values occur, the five commonest, and of a column of categories all, the commonest first."""
    if isinstance(series.dtype, pd.CategoricalDtype):
        codes = series.cat.codes.to_numpy()
        counts = np.bincount(codes[codes >= 0], minlength=1)
        texts = series.cat.categories.tolist()
        labels = [str(texts[i]) for i in np.argsort(-counts, kind="stable").tolist() if counts[i]]
        return len(labels), tuple(labels[:5]), labels
    if isinstance(series.dtype, pd.StringDtype):
        return *_texts(pa.array(series, pa.large_string()).drop_null()), ()
    counted = series.value_counts()
    return len(counted), tuple(f"{x:.12g}" if isinstance(x, float) else str(x) for x in counted.index[:5]), ()


def _texts(texts: pa.Array) -> tuple[int, tuple[str, ...]]:
    """How many differ, and the five commonest. By their hashes: a table of millions of texts would take a gigabyte."""
    if not len(texts):
        return 0, ()
    blocks = [_hashed(texts.slice(start, _BLOCK), start) for start in range(0, len(texts), _BLOCK)]
    hashes, firsts, rows = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    different, first, place = np.unique(hashes, return_index=True, return_inverse=True)
    counts, first = np.bincount(place, rows, len(different)), firsts[first]
    common = np.lexsort((first, -counts))[:5]
    return len(different), tuple(texts.take(pa.array(first[common])).to_pylist())


def _hashed(texts: pa.Array, start: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The hashes of the different texts of a block that begins at this row, where each stands first, and its rows."""
    encoded = texts.dictionary_encode()
    codes, labels = encoded.indices.to_numpy(), encoded.dictionary.to_pylist()
    first = np.empty(len(labels), np.int64)
    first[codes[::-1]] = np.arange(start + len(codes) - 1, start - 1, -1)
    hashes = np.fromiter(map(hash, labels), np.int64, len(labels))
    return hashes, first, np.bincount(codes, minlength=len(labels))


def _role(name: str, distinct: int, rows: int, present: NDArray[np.float64] | None) -> Role:
    if distinct < 2:
        return "constant"
    named = _NAMED.fullmatch(name.strip()) is not None
    if present is None or present.size == 0:
        differs = _every_one_differs(distinct, rows, _FEW_TEXTS)
        return "identifier" if differs or distinct > MAX_VALUES or (named and distinct > MANY_NUMBERS) else "category"
    unique = _every_one_differs(distinct, rows, _FEW_ROWS)
    whole = bool(np.all(present == np.floor(present)))
    if whole and distinct > MANY_NUMBERS and (named or (unique and _numbered(present))):
        return "identifier"
    return "number" if distinct > MANY_NUMBERS or not whole else "category"


def _told(role: str | None, distinct: int) -> Role | None:
    """What follows from what somebody said; None where the column itself decides."""
    if role is None or distinct < 2:
        return None
    if role == "code":
        return "category" if distinct <= MAX_VALUES else "identifier"
    return {"person": "identifier", "weight": "weight", "amount": "number"}.get(role)  # type: ignore[return-value]


def _every_one_differs(distinct: int, rows: int, few: int) -> bool:
    """All values, or nearly all of many."""
    return distinct == rows >= few or (distinct >= NEARLY * rows and rows >= _MANY_ROWS)


def _numbered(present: NDArray[np.float64]) -> bool:
    """Whether whole numbers (n,), nearly all different, are given out rather than measured: with hardly a gap, in the
    order of the rows, or all of one length.
    """
    low, high = present.min(), present.max()
    if high - low < 2 * present.size or np.all(np.diff(present) > 0):
        return True
    return low >= 10 ** (_LONG_ID - 1) and len(str(int(low))) == len(str(int(high)))
