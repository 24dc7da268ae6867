"""The order in which values are shown: known, numeric, or natural ("grade 2" before "grade 10")."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

EDUCATION = (
    "Preschool", "1st-4th", "5th-6th", "7th-8th", "9th", "10th", "11th", "12th", "HS-grad", "Some-college",
    "Assoc-voc", "Assoc-acdm", "Bachelors", "Masters", "Prof-school", "Doctorate",
)  # fmt: skip
"""The levels of education in UCI Adult, which its own column education-num numbers from 1 to 16."""

_KNOWN = (EDUCATION,)
_DIGITS = re.compile(r"(\d+)")


def known(labels: Iterable[str]) -> tuple[str, ...] | None:
    """The published order of these labels, when at least five of them, and nothing else, belong to one."""
    present = set(labels)
    for order in _KNOWN:
        if len(present) >= 5 and present <= set(order):
            return tuple(label for label in order if label in present)
    return None


_LONGEST = 80
"""Letters of a label that can be a number or an interval."""
_UNDER = r"under|below|less than|fewer than|up to|at most|<=?|≤"
_OVER = r"over|above|more than|at least|from|>=?|≥"
_NUMBER = r"[$€£]?\s*([-−]?\d[\d.,’ \u00a0\u202f]*)"
_INTERVAL = re.compile(
    rf"\s*(?:({_UNDER})|({_OVER}))?\s*{_NUMBER}(?:(?:-|–|—|\.\.|…|to|until|and)\s*{_NUMBER})?"
    r"\s*(.*?)\s*(?:\+|(?:or|and) (?:more|over|above|older|less|fewer|under|below|younger))?\s*"
)


def plain(labels: Sequence[str]) -> bool:
    """Whether labels in their order are steps of a scale, so that "from one to another" means something: a published
    order, or numbers and intervals that rise and have one unit. What only looks ordered to a person is not found.

    >>> plain(["0", "1", "2-4", "5 or more"]), plain(["under 18", "18 to 64", "65+"]), plain(["10th", "9th", "other"])
    (True, True, False)
    >>> plain(["1 male", "2 female"]), plain(["asthma", "cancer"]), plain(EDUCATION)
    (False, False, True)
    """
    if known(labels) == tuple(labels):
        return True
    steps = _steps(labels)
    return len(steps) > 1 and all(a[0] <= b[0] for a, b in pairwise(steps))


def _steps(labels: Sequence[str]) -> list[tuple[float, int]]:
    """Where each interval begins, and whether it lies below (-1), at (0) or above (1) that; [] where some are none."""
    # A longer label is no step of a scale, and what has digits and blanks by the thousand is tried in as many ways.
    if max(map(len, labels), default=0) > _LONGEST:
        return []
    parts = []
    for label in labels:
        if (match := _INTERVAL.fullmatch(label.casefold())) is None:
            return []
        parts.append(match)
    if len({unit for match in parts if (unit := match[5])}) > 1:
        return []
    return [(_start(match[3]), bool(match[2]) - bool(match[1])) for match in parts]


def _start(number: str) -> float:
    """The size of a written number: a point is decimal where it stands alone."""
    digits = re.sub(r"[^\d.]", "", number).strip(".")
    size = float(digits if digits.count(".") < 2 else digits.replace(".", ""))
    return -size if number[0] in "-−" else size


def natural(labels: Sequence[str], numbers: NDArray[np.float64] | None = None) -> NDArray[np.intp]:
    """The positions that sort the labels: numbers first and by size, then text with the numbers inside compared.

    Of intervals, "under 18" comes before "18-24", and "over 64" after "55-64".
    """
    steps = _steps(labels) if numbers is None else []
    if any(side for _, side in steps):
        return np.array(sorted(range(len(labels)), key=lambda position: (steps[position], labels[position])), np.intp)

    def key(position: int) -> tuple[int, float, list[tuple[int, int, str]], str]:
        if numbers is not None and not np.isnan(numbers[position]):
            return 0, float(numbers[position]), [], labels[position]
        parts = _DIGITS.split(labels[position].casefold())
        return (
            1,
            0.0,
            [_part(part) for part in parts if part],
            labels[position],
        )

    return np.array(sorted(range(len(labels)), key=key), np.intp)


def _part(part: str) -> tuple[int, int, str]:
    """Digits ("²" excepted, which is no decimal) compare as numbers, of any length, and stand before letters."""
    if not part.isdecimal():
        return 1, 0, part
    digits = part.lstrip("0")
    return 0, len(digits), digits


def by(order: Sequence[str], labels: Sequence[str], numbers: NDArray[np.float64] | None = None) -> NDArray[np.intp]:
    """The positions that bring labels into a given order; labels it does not name follow in natural order."""
    place = {label: position for position, label in enumerate(order)}

    def key(position: int) -> int:
        return place.get(labels[position], len(place))

    return np.array(sorted(natural(labels, numbers), key=key), np.intp)
