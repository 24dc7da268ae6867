"""What is written around a number and does not change how its digits are read: signs, units, brackets."""

# Arrow makes its compute functions when it is imported, where the type checker cannot see them.
# pyright: reportAttributeAccessIssue=false

import re
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


@dataclass(frozen=True, eq=False)
class Found:
    """What was taken off: which labels (labels,) have a percent sign, None where none has; names for a note."""

    percent: NDArray[np.bool_] | None
    names: tuple[str, ...]


def strip(labels: pa.Array) -> tuple[pa.Array, Found]:
    """Labels → the numbers alone, as ASCII; a label with something else around it stays, and is no number.

    A currency counts as a unit where it is the only one. (5) is −5 where other numbers stand without brackets, as
    accounts have it; where all have them they are something else.
    """
    if not pc.any(pc.match_substring_regex(labels, pattern=r"[^\d.,+-]")).as_py():
        return labels, Found(None, ())
    bare = pc.replace_substring_regex(labels, pattern=_MINUS, replacement="-")
    bare, brackets = _without_brackets(bare)
    bare, currency = _without_currency(bare)
    signed = matches(bare, _PERCENT)
    if signed.any():
        bare = pc.replace_substring_regex(bare, pattern=rf"{_BLANK}%$", replacement="")
    names = (*currency, *["percent"] * bool(signed.any()), *brackets)
    return bare, Found(signed if signed.any() else None, names)


def _without_brackets(labels: pa.Array) -> tuple[pa.Array, tuple[str, ...]]:
    held = matches(labels, _BRACKETS)
    plain = matches(labels, rf"[+-]?{_NUMBER}.?")
    if not held.any() or not plain.any():
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
    found = pc.match_substring_regex(labels, pattern=rf"^(?:{pattern})$")
    return np.asarray(found.to_numpy(zero_copy_only=False), bool)
