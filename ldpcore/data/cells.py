"""Cells that hold several answers, such as "aspirin; insulin", as the forms of survey services export them."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore.baskets import Baskets
from ldpcore.data import baskets

SEPARATORS = {";": "a semicolon", ",": "a comma", "|": "a bar", "/": "a slash", "\n": "a line break", "+": "a plus",
              "&": "an ampersand", "、": "、", "；": "；", "，": "，", "،": "،", "؛": "؛", "·": "·", "•": "•",
              "\t": "a tab",
              "::": "two colons", "~": "a tilde", "#": "a hash", "^": "a caret", " ": "a blank"}  # fmt: skip
"""What may stand between the answers of a cell."""
LISTED = "[]"
"""In the place of a separator: the cell is a list as programs write it, ["a", "b"] or {a,b}."""
_SIGN = re.compile(r"[;,|/\n+&、；，،؛·•\t:~#^\[{(]")
_LIST = re.compile(r"\s*[\[{(].*[\]})]\s*", re.DOTALL)
_QUOTES = "\"'“”‘’ \t"
_LOOK = 800
"""Different cells that are looked at."""
_FEWEST = 4
"""Different cells below which several answers in one are a phrase with a comma."""
_OFTEN = 3
"""Times that an answer stands in a cell, on average, where a list of them was offered."""
_ALONE = 0.8
"""The part of all words that are cells, too, where blanks separate answers."""
_LONGEST = 60
_WORDLIKE = re.compile(r"[^\W\d_]")


@dataclass(frozen=True)
class SeveralAnswers:
    """A column whose cells hold several answers each, and what separates them."""

    column: str
    separator: str

    def collect(self, frame: pd.DataFrame) -> Baskets:
        """The answers of each row; a row without any has none."""
        codes, texts = _coded(frame[self.column])
        known: dict[str, int] = {}
        lists = [[known.setdefault(part, len(known)) for part in parts(text, self.separator)] for text in texts]
        if len(known) > baskets.MAX_ITEMS:
            raise baskets.too_many(f"{len(known):,}")
        labels = list(known)
        place = baskets.natural_order(labels)
        rank = np.empty(len(labels), np.int32)
        rank[place] = np.arange(len(labels))
        lengths = np.array([*map(len, lists), 0], np.int64)
        starts = np.cumsum(lengths) - lengths
        flat = np.array([code for each in lists for code in each], np.int64)
        sizes = lengths[codes]
        ends = np.cumsum(sizes)
        within = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - sizes, sizes)
        return baskets.of_lists(rank[flat[np.repeat(starts[codes], sizes) + within]],
                                np.concatenate([[0], ends]).astype(np.int64), [labels[i] for i in place])  # fmt: skip


def parts(cell: str, separator: str) -> list[str]:
    """The answers of a cell; of a list with quotes around them, without these.

    >>> parts("aspirin; insulin;", ";"), parts('["a, b", "c"]', LISTED), parts("{x,y}", LISTED)
    (['aspirin', 'insulin'], ['a, b', 'c'], ['x', 'y'])
    """
    if separator == LISTED:
        return _listed(cell)
    return [part for part in map(str.strip, cell.split(separator)) if part]


def _listed(cell: str) -> list[str]:
    text = cell.strip()
    try:
        parsed = json.loads(text)
        if isinstance(parsed, list):
            return [str(each).strip() for each in parsed if each is not None and str(each).strip()]
    except (ValueError, RecursionError):
        pass  # not JSON: Python's, R's and PostgreSQL's lists have other quotes, or none
    inside = text[1:-1] if _LIST.fullmatch(text) else text
    quoted = re.findall(r"'([^']*)'|\"([^\"]*)\"", inside)
    if quoted:
        return [part for pair in quoted if (part := "".join(pair).strip())]
    return [part for each in re.split(r"[,;]", inside) if (part := each.strip(_QUOTES))]


def separator_of(labels: Sequence[str], counts: NDArray[np.integer]) -> str | None:
    """What separates several answers in these cells, or None where each is one answer.

    They are several where cells of different length are made of few parts which recur, and hardly of anything else:
    fewer parts than cells, each of them often, and words rather than numbers.
    """
    if len(labels) < _FEWEST:
        return None
    if not any(map(_SIGN.search, labels)) and not any(" " in label.strip() for label in labels):
        return None
    step = max(1, len(labels) // _LOOK)
    looked = list(zip(labels[::step], counts[::step].tolist(), strict=True))
    if sum(n for text, n in looked if _LIST.fullmatch(text)) >= 0.9 * sum(n for _, n in looked):
        return LISTED if _are_several([(parts(text, LISTED), n) for text, n in looked], len(labels)) else None
    joined = "\0".join(text for text, _ in looked)
    for separator in SEPARATORS:
        if separator not in joined or (separator == " " and not _stand_alone([text for text, _ in looked])):
            continue
        if sum(separator in text.rstrip(separator) for text, _ in looked) < max(2, 0.2 * len(looked)):
            continue
        if _are_several([(parts(text, separator), n) for text, n in looked], len(labels)):
            return separator
    return None


def _stand_alone(cells: Sequence[str]) -> bool:
    """Is nearly each word a whole cell, too? In "good" and "very good" one is not; answers of KoboToolbox are."""
    words = {word for text in cells for word in text.split()}
    return sum(word in words for word in {text.strip() for text in cells}) >= _ALONE * len(words)


def _are_several(cells: list[tuple[list[str], int]], distinct: int) -> bool:
    times: Counter[str] = Counter()
    lengths: Counter[int] = Counter()
    for answers, n in cells:
        lengths[len(answers)] += 1
        for part in set(answers):
            times[part] += n
    if len(times) < 3 or len(lengths) < 2 or len(times) >= min(distinct, len(cells)):
        return False
    if max(map(len, times)) > _LONGEST or sum(times.values()) < _OFTEN * len(times):
        return False
    several = sum(n for length, n in lengths.items() if length > 1)
    wordlike = sum(bool(_WORDLIKE.search(part)) for part in times)
    if several < 0.2 * len(cells) or wordlike < 0.8 * len(times):
        return False
    return _together(cells, times)


def _together(cells: list[tuple[list[str], int]], times: Counter[str]) -> bool:
    """Do most parts stand beside several others, or alone as well? The halves of "Paris, France" do not."""
    beside: dict[str, set[str]] = {part: set() for part in times}
    for answers, _ in cells:
        for part in answers:
            beside[part].update(answers)
    free = sum(len(others) > 3 or len(others) >= 0.6 * len(times) for others in beside.values())
    return free >= 0.7 * len(times)


def _coded(column: pd.Series) -> tuple[NDArray[np.intp], list[str]]:
    """Codes (n,) of the different cells, -1 for none."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.cat.codes.to_numpy().astype(np.intp), list(map(str, column.cat.categories.tolist()))
    codes, labels = pd.factorize(column)
    return np.asarray(codes, np.intp), list(map(str, labels))


def different(column: pd.Series) -> list[str]:
    """The different cells of a column."""
    return _coded(column)[1]


def recognised(column: pd.Series) -> str | None:
    """What separates the answers in the cells of a column, if they hold several."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        labels = list(map(str, column.cat.categories.tolist()))
        if len(labels) < _FEWEST:
            return None
        codes = column.cat.codes.to_numpy()
        return separator_of(labels, np.bincount(codes[codes >= 0], minlength=len(labels)))
    if not isinstance(column.dtype, pd.StringDtype):
        return None
    counted = column.iloc[:: max(1, len(column) // (4 * _LOOK))].value_counts()
    return separator_of(counted.index.to_numpy().tolist(), counted.to_numpy())
