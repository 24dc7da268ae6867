"""Sentinels: answers such as 999, -99999 or "unknown" that stand for none. Recognised, and asked about; never dropped
by themselves.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from ldpcore.data.errors import DataError

WORDS = frozenset((
    "unknown", "unknwn", "unk", "not known", "missing", "missing value", "not available", "not recorded", "no data",
    "no value", "undefined", "n.a.", "n. a.", "n.d.", "(blank)", "blank", "(empty)", "??", "???", "---", "#value!",
    "#ref!", "#div/0!", "#num!", "#null!", "nil", "\\n", "no answer", "not answered", "no response", "not stated",
    "not specified", "unspecified", "not reported", "not applicable", "inapplicable", "refused", "refusal",
    "keine angabe", "ohne angabe", "k.a.", "k. a.", "verweigert", "unbekannt", "fehlend", "nicht zutreffend",
    "inconnu", "non renseigné", "non précisé", "sans réponse", "non répondu", "manquant", "refus",
    "desconocido", "sin dato", "sin datos", "s/d", "no contesta", "no responde", "sin respuesta", "no aplica", "ns/nc",
    "desconhecido", "sem informação", "sem resposta", "não informado", "ignorado", "não se aplica",
    "sconosciuto", "non risponde", "non noto", "mancante", "onbekend", "geen antwoord", "niet ingevuld",
    "okänd", "uppgift saknas", "ukjent", "ukendt", "ej svar", "brak danych", "brak odpowiedzi", "nieznane",
    "bilinmiyor", "неизвестно", "нет данных", "нет ответа", "н/д", "未知", "不详", "缺失", "无回答", "未回答", "不明",
    "無回答", "欠損", "무응답", "모름", "غير معروف",
))  # fmt: skip
"""Words for "nobody knows" and "not said". What is an answer ("don't know", "none") is not among them."""
_DIGITS = (7, 8, 9)
_LONGEST = 9
CODES = frozenset(
    sign * int(str(digit) * length) for sign in (1, -1) for digit in _DIGITS for length in range(2, _LONGEST + 1)
)
"""Numbers that files write for no answer: 99, -999, 8888, 77777 …"""
_NUMBER = re.compile(r"[-−+]?[0-9]+([.,][0-9]+)?")
LEAST = 2
"""A number that stands only once is somebody's number."""


@dataclass(frozen=True)
class Sentinel:
    """column, the value as its cells have it, how many rows; far: a number far from all others, else a word."""

    column: str
    value: str
    rows: int
    far: bool


def found(name: str, series: pd.Series, numbers: NDArray[np.float64] | None) -> list[Sentinel]:
    """The sentinels of a tidy column, with the numbers behind it (n,) if there are any."""
    out = []
    if isinstance(series.dtype, pd.CategoricalDtype) and not any(map(_may_be, series.cat.categories)):
        return out
    if numbers is not None:
        out += [Sentinel(name, f"{value:.0f}", rows, True) for value, rows in far(numbers)]
    if isinstance(series.dtype, pd.CategoricalDtype) or numbers is not None:  # else free text, or names
        if pd.api.types.is_numeric_dtype(series.dtype):
            return out
        rows = pd.Series(series.value_counts())
        shown = {str(label): int(n) for label, n in rows.items() if n}
        folded = {label: label.strip().casefold() for label in shown}
        # Beside "reported" "not reported" is an answer.
        opposites = {f"not {word}" for word in folded.values()}
        words = [label for label, word in folded.items() if word in WORDS - opposites] + _among_words(shown)
        if len(words) < len(shown):
            out += [Sentinel(name, label, shown[label], False) for label in words]
    return out


def _among_words(labels: dict[str, int]) -> list[str]:
    """Of labels and their rows: numbers of a code, or below zero, that recur where all others are no numbers.

    >>> _among_words({"asthma": 9, "none": 30, "-9": 3}), _among_words({"5": 9, "none": 30, "-9": 3})
    (['-9'], [])
    """
    numbers = {label: float(label.replace("−", "-").replace(",", ".")) for label in labels if _NUMBER.fullmatch(label)}
    codes = [label for label, number in numbers.items() if _is_code(number) and labels[label] >= LEAST]
    return codes if len(codes) == len(numbers) and len(labels) > len(codes) + 1 else []


def _is_code(number: float) -> bool:
    return number in CODES or (-10 < number < 0 and number.is_integer())


def _may_be(label: object) -> bool:
    """A word, or a number that has the digits of a code, however it is written: most columns hold none."""
    text = str(label).strip().casefold()
    return text in WORDS or text[:1] in ("-", "−") or any(str(digit) * 2 in text for digit in _DIGITS)


def far(numbers: NDArray[np.float64]) -> list[tuple[float, int]]:
    """Of numbers (n,) with NaN: those among `CODES` that recur and are far from all others.

    Above them: farther than three times their range, since few large numbers are the rule and the largest may be cut
    (a capital gain of 99999 or more). Below zero: as the only negative ones, or farther from the smallest of the others
    than their median is.

    >>> far(np.array([18.0, 44, 63, 999, 999]))
    [(999.0, 2)]
    >>> far(np.array([*range(98), 99.0, 99]))  # ages
    []
    """
    present = numbers[~np.isnan(numbers)]
    # Far from all others is only an end. To sort millions of them would take as long as to read them.
    if not len(present) or CODES.isdisjoint((float(present.min()), float(present.max()))):
        return []
    values, rows = np.unique(present, return_counts=True)
    coded = np.isin(values, list(CODES))
    while coded.any():  # a code that is near is a number like the others, and the next one may be near to it
        rest = values[~coded]
        if len(rest) < 2:
            return []
        low, high, middle = rest[0], rest[-1], np.median(np.repeat(rest, rows[~coded]))
        below = (values < min(low, 0)) & ((low >= 0) | (low - values > middle - low))
        is_far = below | (values - high > 3 * (high - low))
        if is_far[coded].all():
            break
        coded &= is_far
    return [(float(values[i]), int(rows[i])) for i in np.flatnonzero(coded & (rows >= LEAST))]


def emptied(series: pd.Series, numbers: NDArray[np.float64] | None, values: Collection[str]) -> pa.ChunkedArray:
    """The cells of a tidy column with nothing where one of these values stands: the very text, or the same number.

    DataError: a value that is not there.
    """
    gone = np.zeros(len(series), bool)
    for value in values:
        is_value = series.isin([value]).to_numpy(bool)
        if numbers is not None:
            is_value = is_value | (numbers == pd.to_numeric(value, errors="coerce"))
        if not is_value.any():
            raise DataError(
                f"“{series.name}” holds no “{value}”.",
                "Only a value that stands in the column can be declared missing. Correct the spelling.",
            )
        gone = gone | is_value
    cells: pa.Array = pa.array(series.mask(gone), from_pandas=True)
    return cells if isinstance(cells, pa.ChunkedArray) else pa.chunked_array([cells])
