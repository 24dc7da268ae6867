"""What is written around a number and does not change how its digits are read: signs, units, brackets, marks."""

import re
import unicodedata
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

BLANKS = " \u00a0\u2007\u2009\u202f"
"""Blanks that stand between thousands or before a unit: plain, no-break, figure, thin, narrow no-break."""
APOSTROPHES = "'\u2019"
"""What stands between thousands in Switzerland."""
CURRENCIES = ("€", "$", "£", "¥")
_BLANK = rf"[\t{BLANKS}]*"
_MINUS = "^[\u2212\u2013\ufe63\uff0d]"
"""What programs for words write before a negative number: minus sign, en dash, small and full-width hyphen."""
_NUMBER = rf"[\d.,{BLANKS}{APOSTROPHES}]*\d[\d.,]*"
_PERCENT = rf"^[+-]?{_NUMBER}{_BLANK}%$"
_BRACKETS = r"^\([^()]*\d[^()]*\)$"
_MARKED = rf"^([+-]?{_NUMBER})\s?[*†‡§¶#⁰-⁹¹²³ᵃ-ᶜ]+$"
_BESIDE = rf"\d{_BLANK}[^\d\s.,+\-{BLANKS}{APOSTROPHES}]|[^\d\s.,+\-({BLANKS}{APOSTROPHES}]\.?{_BLANK}\d"
"""A digit beside a letter or a sign: without any, nothing can be taken off."""
_PADDED = r"^0\d+$"
_LOOK = 2000
_LONGEST = 3
"""Digits to which zeros may fill a number; longer ones are codes, such as postcodes."""
_MONEY = (
    r"R\$|US\$|A\$|C\$|CHF|EUR|USD|GBP|JPY|CNY|RMB|INR|Rs\.?|BRL|AUD|CAD|SEK|NOK|DKK|PLN|CZK|HUF|RUB|TRY|ZAR|MXN|"
    r"Fr\.|kr\.?|zł|Kč|Ft|\p{Sc}"
)
_UNITS = (
    rf"{_MONEY}|元|円|圆|원|руб\.?|р\.|Euro|euros?|dollars?|"
    r"kg|g|mg|t|lbs?|oz|km|m|cm|mm|mi|ft|in|l|L|ml|ha|m²|km²|h|hrs?|hours?|min|minutes|s|sec|ms|d|days?|weeks?|months?|"
    r"years?|yrs?|y|yo|Jahre?|Std\.?|Tage?|Wochen|ans?|jours?|heures?|años?|horas?|días?|anos?|dias?|anni|ore|giorni|"
    r"岁|歳|세|年|个月|人|个|小时|kcal|bpm|mmHg|°C|°F|°"
)
"""What a number can be counted in."""
_SIGNS = str.maketrans("．，＋％٫٬٪", ".,+%.,%")


@dataclass(frozen=True, eq=False)
class StrippedSymbols:
    """What was taken off: which labels (labels,) have a percent sign, None where none has; names for a note."""

    percent: NDArray[np.bool_] | None
    names: tuple[str, ...]
    written: tuple["Written", ...] = ()


@dataclass(frozen=True)
class Written:
    """What was taken off numbers: how to call it, one of them before and after, how many rows have it."""

    what: str
    before: str
    after: str
    rows: int


def strip(labels: pa.Array, counts: NDArray[np.integer], written: bool = True) -> tuple[pa.Array, StrippedSymbols]:
    """Labels → the numbers alone, as ASCII; a label with something else around it stays, and is no number.

    A currency counts as a unit where it is the only one. (5) is −5 where other numbers stand without brackets, as
    accounts have it; where all have them they are something else. counts: rows of each label. written: are "08", "10*"
    and "50 kg" numbers?
    """
    if not pc.any(pc.match_substring_regex(labels, pattern=r"[^\d.,+-]")).as_py():
        bare, padded = _without_zeros(labels, counts) if written else (labels, ())
        return bare, StrippedSymbols(None, (), padded)
    labels, taken = _without_marks(labels, counts) if written else (labels, ())
    bare = pc.replace_substring_regex(labels, pattern=_MINUS, replacement="-")
    bare, brackets = _without_brackets(bare)
    bare, currency = _without_currency(bare)
    signed = matches(bare, _PERCENT)
    if signed.any():
        bare = pc.replace_substring_regex(bare, pattern=rf"{_BLANK}%$", replacement="")
    names = (*currency, *["percent"] * bool(signed.any()), *brackets)
    if written:
        bare, padded = _without_zeros(bare, counts)
        taken = (*taken, *padded)
    return bare, StrippedSymbols(signed if signed.any() else None, names, taken)


def _without_marks(labels: pa.Array, counts: NDArray[np.integer]) -> tuple[pa.Array, tuple[Written, ...]]:
    """Numbers in other digits than 0 to 9, with a mark of a footnote, or all in one unit."""
    taken: list[Written] = []
    if pc.any(pc.match_substring_regex(labels, pattern=r"[^\x00-\x{5FF}]|[\x{660}-\x{66C}]")).as_py():
        plain = pa.array([text if text.isascii() else _ascii(text) for text in labels.to_pylist()], pa.string())
        labels = _noted(taken, "in other digits", labels, plain, counts)
    if not pc.any(pc.match_substring_regex(_some(labels), pattern=_BESIDE)).as_py():
        return labels, tuple(taken)
    marked = pc.replace_substring_regex(labels, pattern=_MARKED, replacement=r"\1")
    labels = _noted(taken, "with a footnote’s mark", labels, marked, counts)
    parts = pc.extract_regex(
        labels, pattern=rf"^(?P<a>[+-]?(?:{_MONEY})?){_BLANK}(?P<n>-?{_NUMBER}){_BLANK}(?P<z>{_UNITS})?$"
    )
    units = pc.struct_field(parts, "a"), pc.struct_field(parts, "z")
    between = pa.scalar("\t", units[0].type)  # older Arrow joins texts of one type only
    named = pc.value_counts(pc.binary_join_element_wise(*(unit.fill_null("\0") for unit in units), between)).to_pylist()
    known = [entry["values"] for entry in named if entry["values"].strip("+-\t\0")]
    fits = parts.is_valid()
    others = len(labels) - (pc.sum(fits).as_py() or 0)
    if (
        len(known) == 1
        and known[0].strip("\t\0") not in CURRENCIES
        and len(named) <= 1 + bool(others)
        and others <= 3 < len(labels) - others
    ):
        unit = known[0].replace("\0", "").strip("+-\t")
        bare = pc.if_else(fits, pc.struct_field(parts, "n"), labels)
        labels = _noted(taken, f"in {unit}", labels, bare, counts)
    return labels, tuple(taken)


def _some(labels: pa.Array) -> pa.Array:
    """Labels from everywhere, where there are very many: whether to look at all. Exponents stand beside no unit."""
    looked = (
        labels.take(pa.array(np.linspace(0, len(labels) - 1, _LOOK).astype(np.int64)))
        if len(labels) > 2 * _LOOK
        else labels
    )
    return looked.filter(pc.invert(pc.match_substring_regex(looked, pattern=r"^[+-]?[\d.,]+[eE][+-]?\d+$")))


def _without_zeros(labels: pa.Array, counts: NDArray[np.integer]) -> tuple[pa.Array, tuple[Written, ...]]:
    """Numbers that zeros fill to two or three digits: 08 beside 12."""
    if not pc.any(pc.match_substring_regex(labels, pattern=_PADDED)).as_py():
        return labels, ()
    whole = labels.filter(pc.match_substring_regex(labels, pattern=r"^\d+$"))
    lengths = pc.unique(pc.binary_length(whole)).to_pylist()
    if max(lengths) > _LONGEST:
        return labels, ()
    taken: list[Written] = []
    bare = pc.replace_substring_regex(labels, pattern=r"^0+(\d)", replacement=r"\1")
    return _noted(taken, "filled with zeros", labels, bare, counts), tuple(taken)


def _noted(taken: list[Written], what: str, before: pa.Array, after: pa.Array, counts: NDArray[np.integer]) -> pa.Array:
    changed = np.flatnonzero(pc.not_equal(before, after).to_numpy(zero_copy_only=False))
    if len(changed):
        first = int(changed[0])
        taken.append(Written(what, before[first].as_py(), after[first].as_py(), int(counts[changed].sum())))
    return after


def _ascii(text: str) -> str:
    """Its digits as 0 to 9, its signs as ASCII has them."""
    plain = "".join(str(unicodedata.decimal(sign, sign)) for sign in text)
    return plain.translate(_SIGNS)


def _without_brackets(labels: pa.Array) -> tuple[pa.Array, tuple[str, ...]]:
    bracketed = matches(labels, _BRACKETS)
    plain = matches(labels, rf"[+-]?{_NUMBER}.?")
    if not bracketed.any() or not plain.any():
        return labels, ()
    bare = pc.replace_substring_regex(labels, pattern=r"^\(([^()]*)\)$", replacement=r"-\1")
    return bare, ("negative in brackets",)


def _without_currency(labels: pa.Array) -> tuple[pa.Array, tuple[str, ...]]:
    present = [sign for sign in CURRENCIES if pc.any(pc.match_substring(labels, sign)).as_py()]
    if len(present) != 1:
        return labels, ()
    sign = re.escape(present[0])
    bare = pc.replace_substring_regex(labels, pattern=rf"^([+-]?){_BLANK}{sign}{_BLANK}", replacement=r"\1")
    bare = pc.replace_substring_regex(bare, pattern=rf"{_BLANK}{sign}$", replacement="")
    return bare, (f"in {present[0]}",)


def matches(labels: pa.Array, pattern: str) -> NDArray[np.bool_]:
    """Which labels (labels,) a pattern of RE2 describes from end to end."""
    fits = pc.match_substring_regex(labels, pattern=rf"^(?:{pattern})$")
    return np.asarray(fits.to_numpy(zero_copy_only=False), bool)
