"""Numbers written as text: which spelling a column uses, and what its values are worth."""

# Arrow makes its compute functions when it is imported, where the type checker cannot see them.
# pyright: reportAttributeAccessIssue=false

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

MAX_CODES = 3
"""So many different entries that are no numbers ("N" for not applicable) do not make a column of numbers a text."""

# At most 15 digits, since longer ones are identifiers that float64 cannot hold; no leading zeros, since "01301" is a
# postal code. The patterns are RE2's, which Arrow uses.
_DIGITS = r"(0|[1-9]\d{0,14})"
_SPACES = " \u00a0\u2009\u202f'"
_SPELLINGS = (  # what to call it, its pattern, the characters between the thousands, the decimal mark
    ("plain", rf"[+-]?({_DIGITS}(\.\d*)?|\.\d+)([eE][+-]?\d{{1,3}})?", "", "."),
    ("thousands with a comma", rf"[+-]?(\d{{1,3}}(,\d{{3}})+|{_DIGITS})(\.\d+)?", ",", "."),
    ("thousands with a space", rf"[+-]?(\d{{1,3}}([{_SPACES}]\d{{3}})+|{_DIGITS})([.,]\d+)?", _SPACES, ","),
    ("decimal comma", rf"[+-]?{_DIGITS}(,\d+)?", "", ","),
    ("decimal comma, thousands with a point", rf"[+-]?(\d{{1,3}}(\.\d{{3}})+|{_DIGITS})(,\d+)?", ".", ","),
)
_UNIT = r"\s*%"
_LOOK = 1000


@dataclass(frozen=True, eq=False)
class Parsed:
    """The numbers behind labels: values (labels,) float64, NaN at what is no number; how they are spelled."""

    values: NDArray[np.float64]
    spelling: str

    @property
    def is_number(self) -> NDArray[np.bool_]:
        return ~np.isnan(self.values)


def parse(labels: pa.Array, counts: NDArray[np.integer]) -> Parsed | None:
    """Labels (repeated or not) and how often each occurs → their numbers, or None when these are not numbers.

    One spelling must fit the whole column: "1,5" is a half more than one only where nothing is spelled "1,500,000".
    Up to MAX_CODES labels, in less than half of the rows, may be no numbers.
    """
    if len(labels) == 0 or (len(labels) > 2 * _LOOK and _spell(*_look(labels, counts)) is None):
        return None
    return _spell(labels, counts)


def _look(labels: pa.Array, counts: NDArray[np.integer]) -> tuple[pa.Array, NDArray[np.integer]]:
    """Some labels from everywhere: enough to tell a long text from numbers before every cell is read."""
    positions = np.linspace(0, len(labels) - 1, _LOOK).astype(np.int64)
    return labels.take(pa.array(positions)), counts[positions]


def _spell(labels: pa.Array, counts: NDArray[np.integer]) -> Parsed | None:
    """The spelling that fits most labels, if it fits enough of them."""
    percent = bool(_matches(labels, rf"[+-]?\d[\d.,]*{_UNIT}").any())
    bare = pc.replace_substring_regex(labels, pattern=rf"{_UNIT}$", replacement="") if percent else labels
    best = None
    for spelling, pattern, thousands, decimal in _SPELLINGS:
        fits = _matches(bare, pattern)
        if best is None or fits.sum() > best[0].sum():
            best = fits, spelling, thousands, decimal
        if fits.all():
            break
    if best is None or not _enough(best[0], labels, counts):
        return None
    fits, spelling, thousands, decimal = best
    name = ", ".join([spelling] * (spelling != "plain") + ["percent"] * percent) or "plain"
    return Parsed(_values(bare, fits, thousands, decimal), name)


def _matches(labels: pa.Array, pattern: str) -> NDArray[np.bool_]:
    found = pc.match_substring_regex(labels, pattern=rf"^(?:{pattern})$")
    return np.asarray(found.to_numpy(zero_copy_only=False), bool)


def _enough(fits: NDArray[np.bool_], labels: pa.Array, counts: NDArray[np.integer]) -> bool:
    if fits.all():
        return True
    others = pc.count_distinct(labels.filter(pa.array(~fits))).as_py()
    return others <= MAX_CODES < np.count_nonzero(fits) and 2 * int(counts[~fits].sum()) < int(counts.sum())


def _values(labels: pa.Array, fits: NDArray[np.bool_], thousands: str, decimal: str) -> NDArray[np.float64]:
    text = pc.if_else(pa.array(fits), labels, pa.scalar(None, labels.type))
    for character in thousands:
        text = pc.replace_substring(text, pattern=character, replacement="")
    if decimal != ".":
        text = pc.replace_substring(text, pattern=decimal, replacement=".")
    text = pc.replace_substring_regex(text, pattern=r"^\+", replacement="")
    values = text.cast(pa.float64()).to_numpy(zero_copy_only=False).astype(float)
    return np.where(np.isfinite(values), values, np.nan)
