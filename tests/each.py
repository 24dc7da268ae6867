"""Cases that take less time than pytest does for a test, in one test."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from inspect import signature
from typing import Any

from _pytest.mark import ParameterSet


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
    assert listed, "a test of nothing"
    assert not any(each.marks for each in listed if isinstance(each, ParameterSet)), "one test is marked as a whole"
    several = not isinstance(names, str) or "," in names
    keys = tuple(name.strip() for name in names.split(",")) if isinstance(names, str) else tuple(names)

    def over(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def every(**given: Any) -> None:
            for value in listed:
                row = value if several else (value,)
                case = dict(zip(keys, value.values if isinstance(value, ParameterSet) else row, strict=True))
                with told(", ".join(f"{key} = {each!r}"[:300] for key, each in case.items())):
                    test(**given, **case)

        asked = signature(test)
        left = [parameter for key, parameter in asked.parameters.items() if key not in keys]
        every.__signature__ = asked.replace(parameters=left)  # type: ignore[attr-defined]
        return every

    return over
