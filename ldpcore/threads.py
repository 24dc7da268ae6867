"""Linear algebra in one thread: the same bits whatever the machine's cores, and whoever computes beside.

A sum of products that two threads share is added up in another order, and its last digits differ. The matrices here are
so small that threads gain nothing; where other processes use the cores, they wait for one another many times as long.
"""

import threading
from contextlib import ContextDecorator
from functools import cache
from typing import Any

import scipy.linalg  # noqa: F401  # brings a BLAS of its own, beside NumPy's
from threadpoolctl import LibController, ThreadpoolController


class OneThread(ContextDecorator):
    """While anybody is inside, no BLAS of this process uses a second thread.

    threadpoolctl's own limit is for one thread at a time: of two that overlap, the first to leave would take the limit
    from the other in its middle. Here the last one gives the libraries their threads back.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._before: list[Any] = []

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._before = [library.get_num_threads() for library in _libraries()]
                _set([1] * len(self._before))
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                _set(self._before)


def _set(threads: list[Any]) -> None:
    for library, number in zip(_libraries(), threads, strict=True):
        if library.get_num_threads() != number:
            library.set_num_threads(number)


@cache
def _libraries() -> list[LibController]:
    """Looking for them takes milliseconds; asking them, microseconds."""
    return ThreadpoolController().select(user_api="blas").lib_controllers


one_thread = OneThread()
"""`with one_thread:`, or `@one_thread` above a function; any thread may enter, again too."""
