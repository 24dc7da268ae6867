"""Answers as people write them: "Positive", "positive " and "POSITIVE" are counted as three; a list of some."""

import re
import unicodedata
from collections.abc import Iterable, Sequence

_ACCENTS = re.compile(r"(?<=[a-z])[\u0300-\u036f]+")
_CUTS = re.compile(r"[,;\t]")
_QUOTES = "\"'“”"
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


def named(text: str, labels: Sequence[str]) -> tuple[list[str], list[str]]:
    """(labels named in a text, what is none of them). One on each line, or several cut by commas, semicolons or tabs.

    A line that is a label as a whole is never cut; upper and lower case only matter where they tell labels apart.

    >>> named("never, ONCE; sometimes\\n'yes, often'", ["never", "once", "yes, often"])
    (['never', 'once', 'yes, often'], ['sometimes'])
    """
    exact = set(labels)
    alike: dict[str, list[str]] = {}
    for label in labels:
        alike.setdefault(label.casefold(), []).append(label)
    known, unknown = list[str](), list[str]()
    for line in text.splitlines():
        whole = line.strip().strip(_QUOTES)
        parts = [whole] if whole in exact or whole.casefold() in alike else _CUTS.split(line)
        for part in (piece.strip().strip(_QUOTES) for piece in parts):
            meant = [part] if part in exact else alike.get(part.casefold(), [])
            if len(meant) == 1:
                known.append(meant[0])
            elif part:
                unknown.append(part)
    return list(dict.fromkeys(known)), list(dict.fromkeys(unknown))
