"""How baskets are collected: several items per person, of any number, out of what a file has of them.

Items stand in natural order (numbers by size, text by the alphabet), or in their columns' order where they are values
of columns. An item that a person has twice counts once; a person without any item stays, with an empty basket.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.baskets import Baskets, Codes, within
from ldpcore.data import order
from ldpcore.data.errors import DataError, plural, thousands

MAX_ITEMS = 200_000
"""More different items are free text, not a list of things one can choose from."""

BLOCK = 1 << 22
"""Items, or cells, that are looked at in one go."""


def collect(
    people: ArrayLike,
    items: ArrayLike,
    n: int,
    labels: Sequence[str],
    groups: Mapping[str, Iterable[str]] | None = None,
    notes: Iterable[str] = (),
) -> Baskets:
    """(person, item) pairs of codes, in any order and repeated or not, of n people → Baskets.

    DataError: fewer than two items, more than MAX_ITEMS, nobody.
    """
    _check(n, labels)
    k = len(labels)
    pairs = np.asarray(people, np.int64) * k + np.asarray(items, np.int64)
    distinct = _distinct(pairs)
    starts = np.searchsorted(distinct, np.arange(n + 1, dtype=np.int64) * k).astype(np.int64)
    return _collected((distinct % k).astype(np.int32), starts, labels, groups, notes, len(pairs) - len(distinct))


def of_lists(codes: Codes, starts: NDArray[np.int64], labels: Sequence[str]) -> Baskets:
    """Person after person: `codes[starts[i]:starts[i + 1]]` are person i's items, in any order and repeated or not.

    A block of people at a time, so that sorting takes little more memory than the items. DataError as of `collect`.
    """
    n, k = len(starts) - 1, len(labels)
    _check(n, labels)
    lengths, sorted_codes = np.empty(n, np.int64), []
    first = 0
    while first < n:
        last = max(first + 1, int(np.searchsorted(starts, starts[first] + BLOCK, "right")) - 1)
        sizes = np.diff(starts[first : last + 1])
        places = np.repeat(np.arange(last - first, dtype=np.int64), sizes)
        distinct = _distinct(places * k + codes[starts[first] : starts[last]])
        lengths[first:last] = np.bincount(distinct // k, minlength=last - first)
        sorted_codes.append((distinct % k).astype(np.int32))
        first = last
    joined = np.concatenate(sorted_codes)
    return _collected(joined, _starts(lengths), labels, None, (), len(codes) - len(joined))


def of_rows(held: Iterable[NDArray[np.int32]], labels: Sequence[str], groups: Mapping[str, Iterable[str]]) -> Baskets:
    """Blocks of people (rows, columns), each cell the code of an item or -1; the codes rise along a row."""
    lengths, codes = [], []
    for block in held:
        there = block >= 0
        lengths.append(np.count_nonzero(there, axis=1))
        codes.append(block[there])
    starts = _starts(np.concatenate([[], *lengths]))
    _check(len(starts) - 1, labels)
    return _collected(np.concatenate(codes), starts, labels, groups, (), 0)


def _distinct(pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """The different ones in their order. What is in order already, as all columns together are, need not be sorted; and
    numpy ≥ 2.3 puts the others into a table of hashes, which takes ten times as long as to sort them.
    """
    if np.all(pairs[1:] > pairs[:-1]):
        return pairs
    pairs = np.sort(pairs)
    return pairs[np.append(True, pairs[1:] != pairs[:-1])]


def _starts(lengths: NDArray) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def _check(n: int, labels: Sequence[str]) -> None:
    """DataError: fewer than two items, more than MAX_ITEMS, nobody."""
    k = len(labels)
    if n < 1:
        raise DataError("There are no baskets.", "Nobody is left. Choose another file, or other columns.")
    if k < 2:
        raise DataError(
            f"The baskets hold {'a single item, “' + labels[0] + '”' if k else 'no item'}.",
            "There is nothing to choose between, so nothing to estimate. Choose another column, or another way to "
            "read the file.",
        )
    if k > MAX_ITEMS:
        raise too_many(thousands(k))


def too_many(items: str) -> DataError:
    """The sentence for more than MAX_ITEMS items."""
    return DataError(
        f"The baskets hold {items} different items.",
        f"At most {thousands(MAX_ITEMS)} can be used. Group them, for example into categories, or choose another "
        "column.",
    )


def _collected(
    codes: Codes, starts: NDArray[np.int64], labels: Sequence[str], groups: Mapping[str, Iterable[str]] | None,
    notes: Iterable[str], repeated: int,
) -> Baskets:  # fmt: skip
    """With what is to be said of them."""
    sentences = list(notes)
    if repeated:
        sentences.append(f"{plural(repeated, 'repeated item')} within a basket counted once.")
    empty = int(np.count_nonzero(np.diff(starts) == 0))
    if empty:
        sentences.append(f"{plural(empty, 'person')} without any item kept.".replace("persons", "people"))
    return Baskets(tuple(labels), codes, starts, groups=within(groups or {}, labels), notes=tuple(sentences))


def described(held: Baskets, groups: Mapping[str, Iterable[str]], names: Mapping[str, str]) -> Baskets:
    """With these categories, whose items are called as here, and with new names where there are some."""
    called = distinct_labels([names.get(label, label) for label in held.labels])
    new = dict(zip(held.labels, called, strict=True))
    both = {**held.groups, **groups}
    renamed = {name: tuple(new[item] for item in items if item in new) for name, items in both.items()}
    return replace(held, labels=tuple(called), groups={name: items for name, items in renamed.items() if items})


YES, NO = frozenset({"1", "true", "t", "yes", "y"}), frozenset({"0", "false", "f", "no", "n"})


def natural_order(labels: Sequence[str]) -> NDArray[np.intp]:
    """The positions that sort items: whole numbers by size, then text with the numbers inside compared."""
    values = [float(label) if label.isdecimal() and len(label) < 16 else np.nan for label in labels]
    return order.natural(labels, np.array(values, float))


def distinct_labels(labels: Iterable[str]) -> list[str]:
    """The same labels, a repeated one numbered."""
    seen: dict[str, int] = {}
    out = []
    for label in labels:
        seen[label] = seen.get(label, 0) + 1
        out.append(label if seen[label] == 1 else f"{label} ({seen[label]})")
    return out


def grouped(labels: Sequence[str], categories: Sequence[str | None]) -> dict[str, tuple[str, ...]]:
    """Category → its items, from each item's category; the categories in natural order."""
    out: dict[str, list[str]] = {}
    for label, category in zip(labels, categories, strict=False):
        if category:
            out.setdefault(category, []).append(label)
    names = list(out)
    return {names[i]: tuple(out[names[i]]) for i in natural_order(names)}
