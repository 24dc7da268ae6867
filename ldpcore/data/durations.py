"""Times of day and durations written as text: 7:30, 07:30:00, 7h30, 7 h 30 min, 1:15 pm."""

import re
from collections.abc import Collection, Iterable

UNITS = {"hours": 1.0, "minutes": 60.0}
"""What a column of them can be counted in, and how many of it an hour has."""
_HOURS = (
    r"(?:h|hrs?|hours?|Std\.?|Stunden?|heures?|horas?|ore|Uhr|uur|uren|u(?=\s*\d)|tim\.?|timmar|timer|tuntia|godz\.?|"
    r"godziny?|hod\.?|hodiny?|óra|saat|ч\.?|час(?:а|ов)?|ώρ(?:α|ες)|ساع(?:ة|ات)|jam|giờ|時間|小时|시간)"
)
_WHOLE = (
    r"(?:mins?\.?|minutes?|Minuten?|minutos?|minuti|minut(?:er|ter|y)?|minuuttia|perc|dk\.?|dakika|мин\.?|"
    r"минут[аы]?|λεπτ(?:ό|ά)|دقيقة|menit|phút|分|分钟)"
)
_MINUTES = rf"(?:m|′|'|분|{_WHOLE})"
_CLOCK = re.compile(rf"(\d{{1,3}}):([0-5]\d)(?::([0-5]\d)(?:\.\d+)?)?\s*(?:([ap])\.?m\.?|{_HOURS})?", re.IGNORECASE)
_WORDS = re.compile(
    rf"(\d{{1,3}})\s*{_HOURS}\.?\s*(?:(?:and |und |et |y |e |en |och |og |i |a |ja )?([0-5]?\d)\s*{_MINUTES}?)?",
    re.IGNORECASE,
)
_SHORT = re.compile(rf"(\d{{1,4}})\s*{_WHOLE}", re.IGNORECASE)
_ISO = re.compile(r"PT(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?")
_FEWEST = 5
"""Different ones that make a column one of times."""
_STEP = 5


def hours(text: str) -> float | None:
    """What a time is worth in hours; None for what is none.

    >>> [hours(text) for text in ("7:30", "7h30", "7 h 30 min", "45 min", "1:15 pm", "3:2")]
    [7.5, 7.5, 7.5, 0.75, 13.25, None]
    >>> [hours(text) for text in ("7u30", "7 godz. 30 min", "7 ч 30 мин", "45 dakika", "7u", "7 timmar och 30 minuter")]
    [7.5, 7.5, 7.5, 0.75, None, 7.5]
    """
    text = text.strip()
    if match := _CLOCK.fullmatch(text):
        whole, half = int(match[1]), (match[4] or "").lower()
        if half:
            whole = whole % 12 + 12 * (half == "p")
        return whole + int(match[2]) / 60 + int(match[3] or 0) / 3600
    if match := _WORDS.fullmatch(text) or _ISO.fullmatch(text):
        parts = [int(part or 0) for part in match.groups()]
        return sum(part / 60**i for i, part in enumerate(parts))
    match = _SHORT.fullmatch(text)
    return int(match[1]) / 60 if match else None


def as_number(text: str, unit: str) -> float | None:
    """The same in a unit of UNITS."""
    size = hours(text)
    return None if size is None else round(size * UNITS[unit], 6)


def some(labels: Iterable[str]) -> bool:
    """Is any of them a time, so that somebody may say that they are?

    >>> some(["soon", "28:25"]), some(["soon", "28"])
    (True, False)
    """
    return any(hours(label) is not None for label in labels)


def are(labels: Collection[str]) -> bool:
    """Are they times, all of them? Of scores and ratios, such as 28:25 and 1:10, none begins its minutes with a zero,
    and not all are at a round minute of different hours of a day.
    """
    if len(labels) < _FEWEST or any(hours(label) is None for label in labels):
        return False
    clocks = [match for label in labels if (match := _CLOCK.fullmatch(label.strip()))]
    if len(clocks) < len(labels) or any(match[3] or match[0][-1].isalpha() for match in clocks):
        return True
    minutes, whole = [match[2] for match in clocks], {int(match[1]) for match in clocks}
    rounded = max(whole) <= 24 and len(whole) > 1 and all(int(minute) % _STEP == 0 for minute in minutes)
    return any(minute.startswith("0") for minute in minutes) or rounded
