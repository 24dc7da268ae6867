"""Dates among the labels of a category: how they are spelled, and whether their natural order is that of time."""

import re
from collections.abc import Iterable

_TIME = r"([T ]\d{1,2}:\d{2}\S*)?"
_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_IN_ORDER = 3
_SPELLINGS = tuple(
    re.compile(pattern + _TIME, re.IGNORECASE)
    for pattern in (
        r"\d{4}-\d{1,2}-\d{1,2}",
        r"\d{4}/\d{1,2}/\d{1,2}",
        r"\d{4}\.\d{1,2}\.\d{1,2}",
        r"\d{1,2}/\d{1,2}/(\d{4}|\d{2})",
        r"\d{1,2}-\d{1,2}-(\d{4}|\d{2})",
        r"\d{1,2}\.\d{1,2}\.(\d{4}|\d{2})",
        rf"\d{{1,2}}[ .-]+{_MONTH}[ ,-]*(\d{{4}}|\d{{2}})",
        rf"{_MONTH} \d{{1,2}}(st|nd|rd|th)?,? (\d{{4}}|\d{{2}})",
    )
)
"""The first _IN_ORDER begin with the year: their natural order is that of time, as long as there is one of them."""


def spellings(labels: Iterable[str]) -> tuple[str, ...]:
    """An example of each way in which dates are spelled; () where fewer than nine labels in ten are dates."""
    examples: dict[int, str] = {}
    dates = seen = 0
    for label in labels:
        seen += 1
        which = next((i for i, pattern in enumerate(_SPELLINGS) if pattern.fullmatch(label)), None)
        if which is not None:
            dates += 1
            examples.setdefault(which, label)
    return tuple(examples.values()) if seen > 1 and dates >= 0.9 * seen else ()


def is_date(label: str) -> bool:
    return any(pattern.fullmatch(label) for pattern in _SPELLINGS)


def in_order(examples: tuple[str, ...]) -> bool:
    """Is the natural order of dates spelled like these that of time?"""
    return len(examples) == 1 and any(pattern.fullmatch(examples[0]) for pattern in _SPELLINGS[:_IN_ORDER])


_NUMBERS = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})" + _TIME)


def may_be(labels: Iterable[str]) -> tuple[bool, bool]:
    """Whether dates such as 3/4/2024 can all begin with the day, and with the month."""
    matches = [match for label in labels if (match := _NUMBERS.fullmatch(label))]
    day = all(int(match[2]) <= 12 and int(match[1]) <= 31 for match in matches)
    month = all(int(match[1]) <= 12 and int(match[2]) <= 31 for match in matches)
    return bool(matches) and day, bool(matches) and month


def by_time(labels: Iterable[str], first: str) -> tuple[str, ...] | None:
    """Labels that are dates such as 3/4/2024, in order of time, whose first number is the "day" or the "month"; None
    where nine in ten are none.
    """
    matches = {label: _NUMBERS.fullmatch(label) for label in labels}
    places = (3, 2, 1) if first == "day" else (3, 1, 2)
    times = {label: tuple(int(match[place]) for place in places) for label, match in matches.items() if match}
    if len(times) < 2 or len(times) < 0.9 * len(matches):
        return None
    return (*sorted(times, key=lambda label: (times[label], label)), *(each for each in matches if each not in times))


def said(column: str, examples: tuple[str, ...]) -> str:
    """What becomes of a column of dates, in a sentence."""
    if in_order(examples):
        return f"“{column}” holds dates: they are counted as categories, in order of time."
    shown = ", ".join(f"“{example}”" for example in examples)
    ways = f"spelled in {len(examples)} ways ({shown})" if len(examples) > 1 else f"such as {shown}"
    return (
        f"“{column}” holds dates {ways}: they are counted as categories, in alphabetical order. Write all of them as "
        "2024-01-31 to have them in order of time."
    )
