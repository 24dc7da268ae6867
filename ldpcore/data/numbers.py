"""Numbers written as text: which spelling a column uses, and what its values are worth."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ldpcore.data import percent, symbols
from ldpcore.data.percent import PercentExample

MAX_CODES = 3
"""So many different entries that are no numbers ("N" for not applicable) do not make a column of numbers a text."""

# At most 15 digits, since longer ones are identifiers that float64 cannot hold; no leading zeros, since "01301" is a
# postal code. The patterns are RE2's, which Arrow uses.
_DIGITS = r"(0|[1-9]\d{0,14})"
_SPACES = symbols.BLANKS + symbols.APOSTROPHES
_POWER = r"([eE][+-]?\d{1,3})?"


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
    _Spelling("plain", rf"[+-]?({_DIGITS}(\.\d*)?|\.\d+){_POWER}", "", "."),
    _Spelling("thousands with a comma", rf"[+-]?([1-9]\d{{0,2}}(,\d{{3}})+|{_DIGITS})(\.\d+)?", ",", "."),
    _Spelling("decimal comma", rf"[+-]?({_DIGITS}(,\d+)?|,\d+){_POWER}", "", ","),
    _Spelling(
        "decimal comma, thousands with a point",
        rf"[+-]?([1-9]\d{{0,2}}(\.\d{{3}})+|{_DIGITS})(,\d+)?",
        ".",
        ",",
    ),
    _Spelling(
        "thousands as in India",
        rf"[+-]?(\d{{1,2}}(,\d{{2}})+,\d{{3}}|[1-9]\d{{0,2}},\d{{3}}|{_DIGITS})(\.\d+)?",
        ",",
        ".",
        r"\d,\d\d,\d\d\d",
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
_LOOK = 1000


@dataclass(frozen=True)
class Reading:
    """How a file's numbers are read where that can be done in two ways: the decimal mark of "1,000", and what numbers
    beside percentages are ("percent", "share", None: by evidence). written: are "08", "10*" and "50 kg" numbers?
    forced: a column of numbers, whatever else stands in it. code: its name says that it is of codes.
    """

    decimal: str = "."
    percent: str | None = None
    written: bool = True
    forced: bool = False
    code: bool = False


@dataclass(frozen=True)
class Doubt:
    """A label that could as well be a thousandth or thousandfold, and both: "1,000" where nothing settles it."""

    label: str
    taken: float
    other: float


@dataclass(frozen=True)
class NumberFacts:
    """What a column's numbers look like. mark: the decimal mark that alone explains them, "" if none or either does.

    hint: the mark that they suggest, without proof. either: one of them, if each can be read in two ways. mixed: what
    stands without a sign beside percentages. follows: does the reading depend on the file's decimal mark? written:
    what was taken off some of them, with an example and its rows.
    """

    spelling: str = "plain"
    mark: str = ""
    hint: str = ""
    either: Doubt | None = None
    mixed: PercentExample | None = None
    follows: bool = False
    written: tuple[symbols.Written, ...] = ()

    @property
    def against(self) -> bool:
        """Whether the numbers suggest another decimal mark than the one by which they are read."""
        return (
            self.either is not None
            and self.hint != ""
            and ((self.hint in self.either.label) != (self.either.taken < self.either.other))
        )


@dataclass(frozen=True, eq=False)
class Parsed:
    """The numbers behind labels: values (labels,) float64, NaN at what is no number; how they are spelled."""

    values: NDArray[np.float64]
    facts: NumberFacts

    @property
    def is_number(self) -> NDArray[np.bool_]:
        return ~np.isnan(self.values)


def parse(labels: pa.Array, counts: NDArray[np.integer], reading: Reading | None = None) -> Parsed | None:
    """Labels (repeated or not) and how often each occurs → their numbers, or None when these are not numbers.

    One spelling must fit the whole column: "1,5" is a half more than one only where nothing is spelled "1,500,000".
    Where several fit equally well, as "1,000" does, the reading's decimal mark decides. Up to MAX_CODES labels, in less
    than half of the rows, may be no numbers.
    """
    reading = reading or Reading()
    if len(labels) == 0 or (
        len(labels) > 2 * _LOOK and not reading.forced and _spell(*_look(labels, counts), reading) is None
    ):
        return None
    return _spell(labels, counts, reading)


def of_series(
    series: pd.Series, reading: Reading, known: list[NDArray[np.float64]] | None = None
) -> NDArray[np.float64] | None:
    """The numbers behind a tidy column (n,), NaN where there is none; None for a column of text. known: what its labels
    are worth, as it was computed before.
    """
    if pd.api.types.is_numeric_dtype(series.dtype):
        return series.to_numpy(float)
    if isinstance(series.dtype, pd.CategoricalDtype):
        codes = series.cat.codes.to_numpy()
        if known:
            return known[0][codes]
        labels = pa.array(series.cat.categories, pa.string())
        parsed = parse(labels, np.bincount(codes[codes >= 0], minlength=len(labels)), reading)
        if parsed is None:
            return None
        sizes = np.append(parsed.values, np.nan)
        if known is not None:
            known.append(sizes)
        return sizes[codes]
    present = series.notna().to_numpy()
    texts = pa.array(series[present], pa.string())
    if (parsed := parse(texts, np.ones(len(texts), np.int64), reading)) is None:
        return None
    values = np.full(len(series), np.nan)
    values[present] = parsed.values
    return values


def decimal_mark(columns: Iterable[NumberFacts], usual: str) -> tuple[str, bool]:
    """The decimal mark of a file, and whether its numbers show it: where all that do agree; else what they suggest."""
    facts = tuple(columns)
    shown = {column.mark for column in facts if column.mark}
    suggested = {column.hint for column in facts if column.hint}
    if len(shown) == 1:
        return shown.pop(), True
    return (suggested.pop(), False) if not shown and len(suggested) == 1 else (usual, False)


def _look(labels: pa.Array, counts: NDArray[np.integer]) -> tuple[pa.Array, NDArray[np.integer]]:
    """Some labels from everywhere: enough to tell a long text from numbers before every cell is read."""
    positions = np.linspace(0, len(labels) - 1, _LOOK).astype(np.int64)
    return labels.take(pa.array(positions)), counts[positions]


def _spell(labels: pa.Array, counts: NDArray[np.integer], reading: Reading) -> Parsed | None:
    """The spelling that fits most labels, if it fits enough of them; of equally good ones that of the decimal mark."""
    bare, stripped = symbols.strip(labels, counts, reading.written and not reading.code)
    best = None
    for spelling in (_WHOLE, *sorted(_SPELLINGS, key=lambda spelling: spelling.decimal != reading.decimal)):
        fits = symbols.matches(bare, spelling.pattern)
        if spelling.evidence and not pc.any(pc.match_substring_regex(bare, spelling.evidence)).as_py():
            continue
        if best is None or fits.sum() > best[0].sum():
            best = fits, spelling
        if fits.all():
            break
    if best is None or not _enough(best[0], labels, counts, reading.forced):
        return None
    fits, spelling = best
    values = _values(bare, fits, spelling)
    if reading.forced and not fits.all():
        values = _with_other_mark(bare, values)
    values, mixed = percent.together(labels, values, stripped.percent, reading.percent)
    name = ", ".join([spelling.name] * (spelling.name != "plain") + list(stripped.names)) or "plain"
    if spelling is _WHOLE:
        return Parsed(values, NumberFacts(name, mixed=mixed, written=stripped.written))
    marked = _with_mark(bare)
    beside = not fits.all() and len(marked) > len(_with_mark(bare.filter(pa.array(fits))))
    if not len(marked) or beside:
        return Parsed(values, NumberFacts(name, mixed=mixed, follows=beside, written=stripped.written))
    if spelling.evidence or not _all_ambiguous(marked):
        return Parsed(values, NumberFacts(name, _shown(marked, spelling), mixed=mixed, written=stripped.written))
    doubt = _doubt(bare, marked[0].as_py(), spelling.decimal)
    return Parsed(
        values,
        NumberFacts(name, hint=_hint(bare, marked), either=doubt, mixed=mixed, follows=True, written=stripped.written),
    )


def _with_other_mark(bare: pa.Array, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """With the numbers of a column that has both decimal marks, as two hands wrote it; "1,500" is left out."""
    out = values
    for spelling in (_SPELLINGS[0], _SPELLINGS[2]):
        more = np.isnan(out) & symbols.matches(bare, spelling.pattern) & ~symbols.matches(bare, _AMBIGUOUS[1:-1])
        out = np.where(more, _values(bare, more, spelling), out)
    return out


def _with_mark(numbers: pa.Array) -> pa.Array:
    return numbers.filter(pc.match_substring_regex(numbers, pattern=r"\d[.,]|[.,]\d"))


def _all_ambiguous(marked: pa.Array) -> bool:
    """May each of them have its mark before the decimals or between the thousands?"""
    return all(
        pc.all(pc.match_substring_regex(part, pattern=_AMBIGUOUS), min_count=0).as_py()
        for part in (marked.slice(0, _LOOK), marked.slice(_LOOK))
    )


def _shown(marked: pa.Array, spelling: _Spelling) -> str:
    """The decimal mark of numbers that leave no choice; between thousands with a space both marks stand for it."""
    if not spelling.evidence:
        return spelling.decimal
    marks = [mark for mark in ".," if pc.any(pc.match_substring(marked, mark)).as_py()]
    return marks[0] if len(marks) == 1 else ""


def _hint(bare: pa.Array, marked: pa.Array) -> str:
    """What "950" beside "12.500" suggests: decimals of equal length would all be written, or else none that ends in 0.

    And what "12500" beside "12.500" does: whoever marks thousands marks all.
    """
    marks = [mark for mark in ".," if pc.any(pc.match_substring(marked, mark)).as_py()]
    unmarked = bare.filter(pc.match_substring_regex(bare, pattern=r"^[+-]?\d+$"))
    if len(marks) != 1 or not len(unmarked):
        return ""
    if pc.any(pc.match_substring_regex(unmarked, pattern=r"\d{4}")).as_py():
        return marks[0]
    ends_in_zero = pc.any(pc.match_substring_regex(marked, pattern="0$")).as_py()
    return "".join(mark for mark in ".," if mark != marks[0]) if ends_in_zero else ""


def _doubt(bare: pa.Array, label: str, decimal: str) -> Doubt:
    whole, fraction = float(label.replace(".", "").replace(",", "")), float(label.replace(",", "."))
    return Doubt(label, *((fraction, whole) if decimal in label else (whole, fraction)))


def _enough(fits: NDArray[np.bool_], labels: pa.Array, counts: NDArray[np.integer], forced: bool = False) -> bool:
    if fits.all() or (forced and fits.any()):
        return True
    others = pc.count_distinct(labels.filter(pa.array(~fits))).as_py()
    return bool(others <= MAX_CODES < np.count_nonzero(fits)) and 2 * int(counts[~fits].sum()) < int(counts.sum())


def _values(labels: pa.Array, fits: NDArray[np.bool_], spelling: _Spelling) -> NDArray[np.float64]:
    text = labels if fits.all() else pc.if_else(pa.array(fits), labels, pa.scalar(None, labels.type))
    for character in spelling.thousands:
        text = pc.replace_substring(text, pattern=character, replacement="")
    if spelling.decimal != ".":
        text = pc.replace_substring(text, pattern=spelling.decimal, replacement=".")
    if pc.any(pc.starts_with(text, "+")).as_py():
        text = pc.replace_substring_regex(text, pattern=r"^\+", replacement="")
    values = text.cast(pa.float64()).to_numpy(zero_copy_only=False).astype(float)
    return values if np.isfinite(values).all() else np.where(np.isfinite(values), values, np.nan)
