"""What was computed from data is kept with the data: it is gone when they are."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any


class Remembering:
    """For frozen dataclasses of data: they travel to other processes as their fields alone."""

    def __getstate__(self) -> dict[str, object]:
        """What was computed from the fields is computed again where it is needed."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def hash_once(self, make: Callable[[], int]) -> int:
        """Its hash: what is looked up thousands of times is gone through once."""
        memo = vars(self)
        if "_hash" not in memo:
            memo["_hash"] = make()
        return memo["_hash"]


def recalled(data: Remembering, key: tuple) -> Any:
    """What is kept with these data by this key; None where nothing is."""
    return vars(data).get("_memo", {}).get(key)


def remembered(data: Remembering, key: tuple, make: Callable[[], Any], most: int = 24) -> Any:
    """`make()`, kept with these data; of all keys that begin alike the newest `most`. Threads may share the data."""
    memo: dict[tuple, Any] = vars(data).setdefault("_memo", {})
    try:
        return memo[key]
    except KeyError:
        value = memo[key] = make()
    if len(memo) <= most:  # to look through all of them each time would take the square of the time
        return value
    for old in [other for other in list(memo) if other[0] == key[0]][:-most]:
        memo.pop(old, None)
    return value
