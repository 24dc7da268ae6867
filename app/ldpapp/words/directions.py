"""Words that are read from right to left, amid words that are not: each stays where it stands."""

import re

_RIGHT = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
"""A sign of Hebrew, Arabic, Syriac, Thaana, N’Ko or another script that runs to the left."""
_LEFT = re.compile(r"[A-Za-z\u00c0-\u02af\u0370-\u058f\u0900-\u1fff\u3040-\ud7ff]")
_RUN = re.compile(rf"“([^“”\u2066-\u2069]*{_RIGHT}[^“”\u2066-\u2069]*)”|({_RIGHT}(?:[ '’־-]*{_RIGHT})*)")
_IS_RIGHT = re.compile(_RIGHT)
FIRST_STRONG, END = "\u2068", "\u2069"
"""FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE: what stands between them has its own direction, and its numbers
and signs stay with it; what stands around them as well.
"""
UNSEEN = FIRST_STRONG + END
"""What takes no place."""


def isolated(text: object) -> str:
    """A label, or a sentence that holds some, in which Arabic or Hebrew does not change places with what is beside it.
    Without such letters nothing changes.

    >>> isolated("flu"), isolated("\u05d2\u05d9\u05dc 18-30") == "\u2068\u05d2\u05d9\u05dc 18-30\u2069"
    ('flu', True)
    >>> isolated("age \u05d2\u05d9\u05dc: 3 people") == "age \u2068\u05d2\u05d9\u05dc\u2069: 3 people"
    True
    """
    said = str(text)
    if _IS_RIGHT.search(said) is None or FIRST_STRONG in said:
        return said
    if _LEFT.search(said) is None:
        return f"{FIRST_STRONG}{said}{END}"
    return _RUN.sub(lambda m: f"“{_wrapped(m[1])}”" if m[1] is not None else _wrapped(m[2]), said)


def _wrapped(words: str) -> str:
    return f"{FIRST_STRONG}{words}{END}"
