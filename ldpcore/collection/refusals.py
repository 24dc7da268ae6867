"""Rows that a collector leaves out, by reason; and what tells that a whole file belongs to no report of this client."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ldpcore import checks
from ldpcore.collection import reports
from ldpcore.collection.batch import FolderQuestion
from ldpcore.collection.kinds import ItemBatch, NumberBatch
from ldpcore.collection.phones import Phones

EMPTY, SHAPELESS, STRANGE, ANOTHERS = "empty", "no report", "not of this client", "of another client"
SEVERAL = "several of one person"
"""Why a row is refused: nothing in it; something else than a report; a report that this client cannot send; one with
another client's mark; one of somebody who sent several where one question is asked.
"""
FEW = 5
"""Reports below which there is no estimate: fewer tell next to nothing of all, and too much of one."""
ROWS = 10
"""Rows below which a file is not said to be another client's, however many of them are refused."""
ANSWERS = "this column holds answers, not reports; `ldpcore perturb` draws them"


def reasons(cells: pa.ChunkedArray, good: NDArray[np.bool_], able: NDArray[np.bool_]) -> Counter[str]:
    """Refused rows by reason: good (rows,) those in the form of a report, able which of these can have been sent.

    >>> sent = pa.chunked_array([["1", "", "x", "7-00c0ffee", "9"]])
    >>> sorted((+reasons(sent, np.array([True, False, False, False, True]), np.array([True, False]))).items())
    [('empty', 1), ('no report', 1), ('not of this client', 1), ('of another client', 1)]
    """
    there, marked = filled(cells), np.zeros(len(cells), bool)
    if _is_text(cells):
        handed = pc.match_substring_regex(cells, reports.HANDED.format("[0-9a-f]{8}"))
        marked = ~good & np.asarray(handed.fill_null(False))
    shapeless = int((there & ~good & ~marked).sum())
    return Counter({
        EMPTY: int((~there).sum()), ANOTHERS: int(marked.sum()), SHAPELESS: shapeless, STRANGE: int((~able).sum()),
    })  # fmt: skip


def _is_text(cells: pa.ChunkedArray) -> bool:
    return pa.types.is_string(cells.type) or pa.types.is_large_string(cells.type)


def filled(cells: pa.ChunkedArray) -> NDArray[np.bool_]:
    """Which cells hold anything (rows,)."""
    there = np.array(pc.is_valid(cells))
    if _is_text(cells):
        there &= np.asarray(pc.not_equal(pc.utf8_trim_whitespace(cells), "").fill_null(False))
    return there


def alike(asked: FolderQuestion[Any], cells: pa.ChunkedArray) -> int:
    """How many cells hold, word by word, what this client asks for: an answer, items, a number of its range."""
    if pa.types.is_binary(cells.type) or pa.types.is_fixed_size_binary(cells.type):
        return 0
    texts = pd.Series(cells.to_pandas()).dropna().astype(str).str.strip().str.lower()
    if isinstance(asked, NumberBatch):
        return int(pd.to_numeric(texts, errors="coerce").between(asked.low, asked.high).sum())
    if isinstance(asked, ItemBatch):
        texts = texts.str.split(r"[,;|]\s*", regex=True).str[0].str.strip()
    return int(texts.isin({label.strip().lower() for label in _labels(asked)}).sum())


def _labels(asked: FolderQuestion[Any]) -> tuple[str, ...]:
    if isinstance(asked, Phones):
        return asked.client.answers
    return getattr(asked, "answers", getattr(asked, "items", ()))


def misfit(asked: FolderQuestion[Any], n: int, why: Mapping[str, int], alike: int) -> str:
    """Why n accepted reports, and those refused by reason, are not this client's, in a sentence; "" where they may be.

    alike: so many hold what is asked for. Answers in place of reports are known by their words; where answers are
    numbers, as reports are, by one that is no report, and nothing else beside.
    """
    wrong = sum(why.values()) - why.get(EMPTY, 0)
    numbers = isinstance(asked, NumberBatch) or any(checks.is_number(label) for label in _labels(asked))
    if wrong and (alike == n + wrong if numbers else 2 * alike > n + wrong):
        return ANSWERS
    if not n:
        return "there is no report here that this client can have sent"
    if n + wrong < ROWS or 2 * wrong <= n + wrong:
        return ""
    part = min(ROWS, round(ROWS * wrong / (n + wrong)))
    return f"{part} of {ROWS} rows cannot have been sent by this client: is it the client of another question?"


def withheld(n: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Of which groups (g,) a publication leaves the count out: of those below FEW; and of the next smallest, where only
    one is, as the sum of all would give it away.

    >>> withheld(np.array([40, 3, 7])).tolist(), withheld(np.array([2, 3, 7])).tolist()
    ([False, True, True], [True, True, False])
    """
    few = n < FEW
    if few.sum() == 1 and len(n) > 1:
        few[np.argsort(np.where(few, np.iinfo(np.int64).max, n), kind="stable")[0]] = True
    return few
