"""A client.json as it was written: the one place where text becomes a client's fields."""

import json
from typing import Any

NONE = "this is no client.json; `ldpcore client study.toml` writes one"
LARGEST = 1 << 64
"""No law has whole numbers beyond; floats do not have all of them."""


def loaded(text: str) -> Any:
    """What the file holds. ValueError, in a sentence, where it is none: no JSON, brackets in brackets without an end,
    numbers of hundreds of digits, halves of letters.

    >>> loaded('{"epsilon": 1}')
    {'epsilon': 1}
    """
    try:
        document = json.loads(text, parse_int=_whole)
        json.dumps(document, ensure_ascii=False).encode()
    except (ValueError, TypeError, RecursionError) as error:
        raise ValueError(NONE) from error
    return document


def _whole(digits: str) -> int:
    number = int(digits)
    if abs(number) > LARGEST:
        raise ValueError("too large")
    return number
