"""Whose work is done now, of all sessions of this server: what somebody waits for goes before what fills in behind it.

Python runs one thread at a time. Thirty pages that simulate behind what they show would make thirty people wait for
each other's surveys; so these take turns, a slice each, and pause while a page is being drawn for somebody.
"""

import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from threading import Condition, Thread, get_ident

AT_ONCE = max(1, (os.cpu_count() or 1) // 2)
"""Sessions that fill in at the same time."""
PAUSE = 2.0
"""Seconds at most that a step waits for the pages of others: where somebody always waits, it still goes on."""
_LOOK = 0.1
"""Seconds until somebody who waits looks whether their own person wants something else."""

_changed = Condition()
_drawn: set[int] = set()
"""Threads that draw a page somebody waits for."""
_queue: deque[int] = deque()
"""Threads that fill in, or wait for their turn to, in the order in which they came."""


def unwaited() -> None:
    """Returns when nobody waits for a page, or after PAUSE."""
    with _changed:
        _changed.wait_for(lambda: not _drawn, PAUSE)


@cache
def load_ahead() -> None:
    """What several pages need and no first page does, while somebody looks at that: a second of imports."""
    Thread(target=_load, args=("sklearn.ensemble",), daemon=True).start()


def _load(name: str) -> None:
    # Streamlit changes sys.path around every run of a page, so that an import beside it may look past an entry; whoever
    # needs the module imports it again, and would say that it is not there.
    with suppress(ModuleNotFoundError):
        import_module(name)


@contextmanager
def drawing() -> Iterator[None]:
    """Somebody waits for this page, until it is drawn or `behind` begins."""
    with _changed:
        _drawn.add(get_ident())
    try:
        yield
    finally:
        _leave()


@contextmanager
def behind(look: Callable[[], object]) -> Iterator[Callable[[], None]]:
    """This session's turn to fill in; gives what is to be called before every step. `look` is called while one waits:
    it raises where the person wants something else by now.
    """
    me = get_ident()
    _leave()
    with _changed:
        _queue.append(me)
    try:
        _wait(lambda: me in list(_queue)[:AT_ONCE], look)
        yield lambda: _wait(lambda: not _drawn, look, PAUSE)
    finally:
        with _changed:
            _queue.remove(me)
            _changed.notify_all()


def _leave() -> None:
    with _changed:
        _drawn.discard(get_ident())
        _changed.notify_all()


def _wait(until: Callable[[], bool], look: Callable[[], object], most: float = float("inf")) -> None:
    end = time.monotonic() + most
    while True:
        with _changed:
            if _changed.wait_for(until, min(_LOOK, max(0.0, end - time.monotonic()))) or time.monotonic() >= end:
                return
        look()
