"""One answer in several spellings: "Positive", "positive " and "POSITIVE" are counted as three answers."""

import re
import unicodedata
from collections.abc import Iterable

_ACCENTS = re.compile(r"(?<=[a-z])[\u0300-\u036f]+")
_AROUND = re.compile(r"\s*([-–/,;:()+&])\s*")


def folded(label: str) -> str:
    """What two spellings of an answer have in common: neither letters' case, accents on Latin letters, nor spaces
    count, and none around a sign.

    >>> folded("Orléans") == folded("ORLEANS"), folded("25 - 34") == folded("25-34"), folded("a b") == folded("ab")
    (True, True, False)
    """
    text = label.casefold()
    if not text.isascii():
        text = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text)))
    return " ".join(_AROUND.sub(r"\1", text).split())


def spellings(labels: Iterable[str]) -> list[tuple[str, ...]]:
    """Labels that differ in nothing but case, accents and spaces, together, in the order of the first of each.

    >>> spellings(["positive", "negative", "Positive", "never tested", "never  tested "])
    [('positive', 'Positive'), ('never tested', 'never  tested ')]
    """
    alike: dict[str, list[str]] = {}
    for label in labels:
        alike.setdefault(folded(label), []).append(label)
    return [tuple(same) for same in alike.values() if len(same) > 1]
