"""Numbers written as text: which spelling a column uses, and what its values are worth."""

# Arrow makes its compute functions when it is imported, where the type checker cannot see them.
# pyright: reportAttributeAccessIssue=false

import re
from collections.abc import Iterable
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


@dataclass(frozen=True)
class _Spelling:
    """What to call it, its pattern, the characters between the thousands, the decimal mark, what it must show once."""

    name: str
    pattern: str
    thousands: str
    decimal: str
    evidence: str = ""


_WHOLE = _Spelling("plain", rf"[+-]?{_DIGITS}", "", ".")
_SPELLINGS = (
    _Spelling("plain", rf"[+-]?({_DIGITS}(\.\d*)?|\.\d+)([eE][+-]?\d{{1,3}})?", "", "."),
    _Spelling("thousands with a comma", rf"[+-]?([1-9]\d{{0,2}}(,\d{{3}})+|{_DIGITS})(\.\d+)?", ",", "."),
    _Spelling("decimal comma", rf"[+-]?{_DIGITS}(,\d+)?", "", ","),
    _Spelling(
        "decimal comma, thousands with a point",
        rf"[+-]?([1-9]\d{{0,2}}(\.\d{{3}})+|{_DIGITS})(,\d+)?",
        ".",
        ",",
    ),
    _Spelling(
        "thousands with a space",
        rf"[+-]?([1-9]\d{{0,2}}([{_SPACES}]\d{{3}})+|{_DIGITS})([.,]\d+)?",
        _SPACES,
        ",",
        rf"\d[{_SPACES}]\d",
    ),
)
_AMBIGUOUS = r"^[+-]?[1-9]\d{0,2}[.,]\d{3}$"
_ONLY_POINT, _ONLY_COMMA = (
    rf"[+-]?(0{d}\d+|[1-9]\d*{d}(\d{{1,2}}|\d{{4,}})|[1-9]\d{{3,}}{d}\d+|[1-9]\d{{0,2}}({t}\d{{3}})+{d}\d+"
    rf"|[1-9]\d{{0,2}}({t}\d{{3}}){{2,}})"
    for d, t in ((r"\.", ","), (",", r"\."))
)
"""What only a decimal point, or only a decimal comma, explains."""
_UNIT = r"\s*%"
_LOOK = 1000


@dataclass(frozen=True, eq=False)
class Parsed:
    """The numbers behind labels: values (labels,) float64, NaN at what is no number; how they are spelled."""

    values: NDArray[np.float64]
    spelling: str
    either: str = ""
    """A label that could as well be a thousandth or thousandfold: "1,000" where nothing settles what it means."""

    @property
    def is_number(self) -> NDArray[np.bool_]:
        return ~np.isnan(self.values)


def parse(labels: pa.Array, counts: NDArray[np.integer], decimal: str = ".") -> Parsed | None:
    """Labels (repeated or not) and how often each occurs → their numbers, or None when these are not numbers.

    One spelling must fit the whole column: "1,5" is a half more than one only where nothing is spelled "1,500,000".
    Where several fit equally well, as "1,000" does, the file's decimal mark decides. Up to MAX_CODES labels, in less
    than half of the rows, may be no numbers.
    """
    if len(labels) == 0 or (len(labels) > 2 * _LOOK and _spell(*_look(labels, counts), decimal) is None):
        return None
    return _spell(labels, counts, decimal)


def _look(labels: pa.Array, counts: NDArray[np.integer]) -> tuple[pa.Array, NDArray[np.integer]]:
    """Some labels from everywhere: enough to tell a long text from numbers before every cell is read."""
    positions = np.linspace(0, len(labels) - 1, _LOOK).astype(np.int64)
    return labels.take(pa.array(positions)), counts[positions]


def _spell(labels: pa.Array, counts: NDArray[np.integer], decimal: str) -> Parsed | None:
    """The spelling that fits most labels, if it fits enough of them; of equally good ones that of the decimal mark."""
    percent = bool(_matches(labels, rf"[+-]?\d[\d.,]*{_UNIT}").any())
    bare = pc.replace_substring_regex(labels, pattern=rf"{_UNIT}$", replacement="") if percent else labels
    best = None
    for spelling in (_WHOLE, *sorted(_SPELLINGS, key=lambda spelling: spelling.decimal != decimal)):
        fits = _matches(bare, spelling.pattern)
        if spelling.evidence and not pc.any(pc.match_substring_regex(bare, spelling.evidence)).as_py():
            continue
        if best is None or fits.sum() > best[0].sum():
            best = fits, spelling
        if fits.all():
            break
    if best is None or not _enough(best[0], labels, counts):
        return None
    fits, spelling = best
    name = ", ".join([spelling.name] * (spelling.name != "plain") + ["percent"] * percent) or "plain"
    return Parsed(_values(bare, fits, spelling), name, _either(bare.filter(pa.array(fits)), spelling))


def _either(numbers: pa.Array, spelling: _Spelling) -> str:
    """One of the labels with a mark, if each of them may have it before the decimals or between the thousands."""
    if spelling.name == "plain":
        return ""
    marked = numbers.filter(pc.match_substring_regex(numbers, pattern="[.,]"))
    settled = not len(marked) or not pc.all(pc.match_substring_regex(marked, pattern=_AMBIGUOUS)).as_py()
    return "" if settled else marked[0].as_py()


def decimal_mark(cells: Iterable[str], separator: str) -> str:
    """The decimal mark of a file, from its first cells and its separator: "." unless there is evidence for ",".

    A comma that can only stand before decimals ("45,3", "0,500") is evidence; so is a semicolon between the columns,
    as programs write it where the comma is taken, unless some number has a point.
    """
    marked = [cell for cell in cells if "," in cell or "." in cell]
    comma, point = (any(re.fullmatch(only, cell) for cell in marked) for only in (_ONLY_COMMA, _ONLY_POINT))
    if comma != point:
        return "," if comma else "."
    has_point = any(re.fullmatch(_SPELLINGS[0].pattern, cell) for cell in marked)
    return "," if separator == ";" and not comma and not has_point else "."


def _matches(labels: pa.Array, pattern: str) -> NDArray[np.bool_]:
    found = pc.match_substring_regex(labels, pattern=rf"^(?:{pattern})$")
    return np.asarray(found.to_numpy(zero_copy_only=False), bool)


def _enough(fits: NDArray[np.bool_], labels: pa.Array, counts: NDArray[np.integer]) -> bool:
    if fits.all():
        return True
    others = pc.count_distinct(labels.filter(pa.array(~fits))).as_py()
    return others <= MAX_CODES < np.count_nonzero(fits) and 2 * int(counts[~fits].sum()) < int(counts.sum())


def _values(labels: pa.Array, fits: NDArray[np.bool_], spelling: _Spelling) -> NDArray[np.float64]:
    text = pc.if_else(pa.array(fits), labels, pa.scalar(None, labels.type))
    for character in spelling.thousands:
        text = pc.replace_substring(text, pattern=character, replacement="")
    if spelling.decimal != ".":
        text = pc.replace_substring(text, pattern=spelling.decimal, replacement=".")
    text = pc.replace_substring_regex(text, pattern=r"^\+", replacement="")
    values = text.cast(pa.float64()).to_numpy(zero_copy_only=False).astype(float)
    return np.where(np.isfinite(values), values, np.nan)
