"""The order in which values are shown: known, numeric, or natural ("grade 2" before "grade 10")."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ldpcore.data import scales

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
    return scales.known(present)


def scale(labels: Iterable[str]) -> tuple[str, ...] | None:
    """The order of these labels as the steps of a scale in words."""
    return scales.known(labels)


_LONGEST = 80
"""Letters of a label that can be a number or an interval."""
_UNDER = (
    r"under|below|less than|fewer than|up to|at most|<=?|≤|unter|weniger als|bis zu|bis|höchstens|moins de|jusqu'à|"
    r"menos de|hasta|até|meno di|fino a|minder dan|onder|до|менее|不到|低于|"
    r"poniżej|mniej niż|do|pod|méně než|mindre (?:än|enn|end)|upp till|opp? til|opptil|enintään|sub|până la|"
    r"mai puțin de|κάτω από|менше(?: ніж)?"
)
_OVER = (
    r"over|above|more than|at least|from|>=?|≥|über|mehr als|ab|mindestens|plus de|à partir de|más de|desde|mais de|"
    r"più di|oltre|meer dan|boven|свыше|более|от|超过|高于|"
    r"powyżej|ponad|więcej niż|od|nad|více než|över|mer än|mere? en[nd]|minst|mindst|från|fra|yli|vähintään|peste|"
    r"mai mult de|πάνω από|більше(?: ніж)?|понад|від"
)
_BEHIND = (
    r"\+|(?:or|and) (?:more|over|above|older|less|fewer|under|below|younger)|"
    r"(?:und|oder) (?:mehr|darüber|älter|weniger|darunter|jünger)|et plus|ou plus|et moins|y más|o más|y menos|"
    r"e mais|ou mais|e più|o più|en meer|of meer|и более|и старше|以上|以下|及以上|"
    r"(?:i|lub) (?:więcej|mniej|starsi)|a (?:více|méně)|eller (?:mere?|mindre|flere?|äldre|ældre|eldre)|"
    r"och (?:över|mer)|og (?:over|mere?|derover)|tai enemmän|ja yli|ve üzeri|veya fazla|și peste|sau mai mult|"
    r"και (?:άνω|πάνω)|і (?:більше|старше)|이상|이하|未満"
)
_NUMBER = r"[$€£]?\s*([-−]?\d[\d.,’ \u00a0\u202f]*(?:[km](?![^\W\d_]))?)"
_INTERVAL = re.compile(
    rf"\s*(?:({_UNDER})|({_OVER}))?\s*{_NUMBER}(?:(?:[€$£]\s*)?(?:-|–|—|\.\.|…|to|until|and|bis|à|a|до)\s*{_NUMBER})?"
    rf"\s*(.*?)\s*(?:{_BEHIND})?\s*"
)
_END = r"[-−+]?(?:inf|∞|\d[\d.]*(?:e[-+]?\d+)?)"
_BRACKETS = re.compile(rf"\s*[\[(\]]\s*({_END})\s*[,;]\s*({_END})\s*[\])\[]\s*")
_THOUSANDS = re.compile(r"[1-9]\d{0,2}([.,’' \u00a0\u202f])\d{3}(\1\d{3})*")
_TIMES = {"k": 1000, "m": 1_000_000}
_WRITTEN = re.compile(r"[\[(€$£]|\d[.,]\d{3}|\d[kKmM]\b")
"""What makes intervals stand in another order than their text."""


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
    brackets = [_BRACKETS.fullmatch(label.casefold()) for label in labels]
    if all(brackets):
        return [(float(match[1].replace("−", "-").replace("∞", "inf")), 0) for match in brackets if match]
    for label in labels:
        if (match := _INTERVAL.fullmatch(label.casefold())) is None:
            return []
        parts.append(match)
    if len({unit for match in parts if (unit := match[5])}) > 1:
        return []
    return [(_start(match[3]), bool(match[2]) - bool(match[1])) for match in parts]


def _start(number: str) -> float:
    """The size of a written number: a point is decimal where it stands alone, and 10k is 10 000."""
    number, times = number.strip(), 1
    if number[-1:] in _TIMES:
        number, times = number[:-1].strip(), _TIMES[number[-1]]
    if _THOUSANDS.fullmatch(number.lstrip("-−")):
        number = re.sub(r"[.,’' \u00a0\u202f]", "", number)
    digits = re.sub(r"[^\d.]", "", re.sub(r",(\d{1,2})$", r".\1", number)).strip(".")
    size = float(digits if digits.count(".") < 2 else digits.replace(".", ""))
    return (-size if number[0] in "-−" else size) * times


def natural(labels: Sequence[str], numbers: NDArray[np.float64] | None = None) -> NDArray[np.intp]:
    """The positions that sort the labels: numbers first and by size, then text with the numbers inside compared.

    Of intervals, "under 18" comes before "18-24", and "over 64" after "55-64".
    """
    steps = _steps(labels) if numbers is None else []
    if any(side for _, side in steps) or (steps and any(_WRITTEN.search(label) for label in labels)):
        return np.array(sorted(range(len(labels)), key=lambda position: (steps[position], labels[position])), np.intp)

    if numbers is not None and not np.isnan(numbers).any():
        by_text = np.array(sorted(range(len(labels)), key=labels.__getitem__), np.intp)
        return by_text[np.argsort(numbers[by_text], kind="stable")]

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
