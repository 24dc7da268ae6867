"""Work over many parts, wherever the executor does it."""

import contextlib
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from typing import Any, TypeVar

AHEAD = 4
"""Tasks that are on their way, for each worker: it is never idle, and stopping leaves few of them."""
Part = TypeVar("Part")
Result = TypeVar("Result")


class Sharing(Executor, ABC):
    """An executor whose workers keep what many tasks hold: `cluster.Cluster`."""

    @property
    @abstractmethod
    def width(self) -> int:
        """How many tasks run at once."""

    @abstractmethod
    def sharing(self, value: Any) -> contextlib.AbstractContextManager[None]:
        """While it is open, tasks that hold this object find it at their worker."""


def mapped(
    work: Callable[[Part], Result], parts: Iterable[Part], executor: Executor | None = None, ordered: bool = True
) -> Iterator[Result]:
    """work(part) for every part, in their order, whoever was ready first: sums of fractions come out the same. Or, not
    `ordered`, as they come.

    `parts` is read as workers become free, and few tasks wait at once: there may be more than memory holds. work, parts
    and results are picklable. Stop reading to stop the work.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as executor:
    ...     list(mapped(str, range(3), executor))
    ['0', '1', '2']
    """
    if executor is None:
        yield from map(work, parts)
        return
    waiting: deque[Future[Result]] = deque()
    most = AHEAD * _width(executor)
    try:
        for part in parts:
            waiting.append(executor.submit(work, part))
            if len(waiting) >= most:
                yield _next(waiting, ordered).result()
        while waiting:
            yield _next(waiting, ordered).result()
    finally:
        for future in waiting:
            future.cancel()


def _next(waiting: deque[Future[Result]], ordered: bool) -> Future[Result]:
    if ordered:
        return waiting.popleft()
    ready = wait(waiting, return_when=FIRST_COMPLETED).done
    first = next(future for future in waiting if future in ready)
    waiting.remove(first)
    return first


def _width(executor: Executor) -> int:
    return executor.width if isinstance(executor, Sharing) else getattr(executor, "_max_workers", 1)


def sharing(executor: Executor | None, value: Any) -> contextlib.AbstractContextManager[None]:
    """While it is open, `value` goes to the workers of a cluster once, in whatever tasks it is; elsewhere with each.

    The very object is meant, not one that equals it, and tasks must not change it.

    >>> with sharing(None, [1, 2]):
    ...     pass
    """
    return executor.sharing(value) if isinstance(executor, Sharing) else contextlib.nullcontext()
