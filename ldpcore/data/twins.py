"""One answer that a file writes in two ways which look alike: "1" and "1.0", ’ and ', letters with an accent behind."""

import html
import re
import unicodedata
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ldpcore.data.spelling import folded

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufe0e\ufe0f]")
_ENTITY = re.compile(r"&(#\d+|#x[0-9a-fA-F]+|amp|lt|gt|quot|apos|nbsp);")
"""Letters as a web page writes them, which some exports leave so."""
_SAME = str.maketrans({
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u02bc\u00b4\u2032`", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"), "\u2044": "/",
})  # fmt: skip
"""Quotation marks and dashes that programs put in one another's place."""


def alike(label: str) -> str:
    """What labels that look alike have in common.

    >>> alike("Don\u2019t  know\u200b") == alike("Don't know"), alike("１２") == "12", alike("No") == alike("no")
    (True, True, False)
    """
    if _ENTITY.search(label):
        label = html.unescape(label)
    if label.isascii():
        return " ".join(label.split())
    return " ".join(_INVISIBLE.sub("", unicodedata.normalize("NFKC", label)).translate(_SAME).split())


def together(
    labels: Sequence[str], counts: NDArray[np.integer], values: NDArray[np.float64] | None, how: str | None
) -> tuple[NDArray[np.int32], tuple[tuple[int, ...], ...]]:
    """Label → the one that it is counted as (labels,), and the positions of those that are one answer.

    how: "apart" keeps all, "fold" takes capital letters for small ones, too. Equal numbers, of which `values` are NaN
    at what is none, are one answer. It is called as its plainest spelling: without what is not seen, else the shortest
    number, else the commonest.
    """
    out = np.arange(len(labels), dtype=np.int32)
    groups: dict[object, list[int]] = {}
    if how == "apart":
        return out, ()
    for i, label in enumerate(labels):
        number = None if values is None or np.isnan(values[i]) else float(values[i])
        groups.setdefault((folded if how == "fold" else str)(alike(label)) if number is None else number, []).append(i)
    same = [members for members in groups.values() if len(members) > 1]
    for members in same:
        best = min(members, key=lambda i: _plainness(labels[i], int(counts[i]), values is not None))
        out[members] = best
    return out, tuple(map(tuple, same))


def _plainness(label: str, count: int, number: bool) -> tuple[bool, int, int, str]:
    return label != alike(label), len(label) if number else 0, -count, label
