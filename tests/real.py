"""Real data that others published (`benchmarks.real`): what needs them is skipped where they are absent."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

import pytest

from benchmarks import real
from benchmarks.case import NotHere

Given = ParamSpec("Given")
Read = TypeVar("Read")


def _or_skip(read: Callable[Given, Read]) -> Callable[Given, Read]:
    @wraps(read)
    def asked(*args: Given.args, **named: Given.kwargs) -> Read:
        try:
            return read(*args, **named)
        except NotHere as absent:
            pytest.skip(str(absent))

    return asked


need, opened, lines, baskets = map(_or_skip, (real.need, real.opened, real.lines, real.baskets))
