"""What of many alike the usual suite tries; and cases that take less time than pytest does for a test, in one test."""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from inspect import signature
from itertools import product
from typing import Any

import pytest


def usual(values: Iterable[Any], of: int | Collection[Any], first: int = 0) -> list:
    """Parameters of pytest: every so manieth, from `first`, or those in `of` are usual, the others thorough.

    A tuple is several parameters.
    """
    return [
        _parameter(value, place % of == first if isinstance(of, int) else value in of)
        for place, value in enumerate(values)
    ]


def crossed(*lists: Iterable[Any], of: int = 2) -> list:
    """All combinations, as parameters; usual are those whose places add up to a multiple of `of`: every value of each
    list, with another part of the other lists' values.
    """
    return [
        _parameter(tuple(value for _, value in placed), sum(place for place, _ in placed) % of == 0)
        for placed in product(*map(enumerate, lists))
    ]


def _parameter(value: Any, is_usual: bool) -> Any:
    given = value if isinstance(value, tuple) else (value,)
    return pytest.param(*given, marks=() if is_usual else pytest.mark.thorough)


@contextmanager
def told(case: str) -> Iterator[None]:
    """What is raised inside says of which case it is."""
    try:
        yield
    except Exception as error:
        error.add_note(f"Here {case}.")
        raise


def for_each(
    names: str | tuple[str, ...], values: Iterable[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """pytest.mark.parametrize where cases take less time than tests: one test goes through all values."""
    listed = list(values)
    several = not isinstance(names, str) or "," in names
    keys = tuple(name.strip() for name in names.split(",")) if isinstance(names, str) else tuple(names)

    def over(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def every(**given: Any) -> None:
            for value in listed:
                case = dict(zip(keys, value if several else (value,), strict=True))
                with told(", ".join(f"{key} = {each!r}"[:300] for key, each in case.items())):
                    test(**given, **case)

        asked = signature(test)
        left = [parameter for key, parameter in asked.parameters.items() if key not in keys]
        every.__signature__ = asked.replace(parameters=left)  # type: ignore[attr-defined]
        return every

    return over
