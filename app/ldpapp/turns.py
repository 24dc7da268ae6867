"""Whose work is done now, of all sessions of this server: what somebody waits for goes before what fills in behind it.

Python runs one thread at a time. Thirty pages that simulate behind what they show would make thirty people wait for
each other's surveys; so these take turns, a slice each, and pause while a page is being drawn for somebody.
"""

import ctypes
import gc
import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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


TIDY = 30.0
"""Seconds between two looks for what nobody refers to any more, while people are here."""
_GONE = 300.0
"""Seconds after the last page in which there is something: Streamlit forgets who is gone within two minutes."""
_last = 0.0
"""When a page was last drawn, or began to fill in."""


@cache
def settle() -> None:
    """What was imported by now is not searched for garbage any more. Before the first page, and never again: what a
    session holds would be set apart with it, and kept for ever.
    """
    gc.collect()
    gc.freeze()


def keep_tidy() -> None:
    """Streamlit would look for garbage after every run of a page: with thirty people that is most of the time, and
    nobody is drawn meanwhile. Instead a thread does it, rarely; and what sessions have left goes back to the system.
    """

    def keep() -> None:
        while True:
            time.sleep(TIDY)
            if time.monotonic() - _last < _GONE:
                tidy()

    Thread(target=keep, daemon=True).start()


def tidy() -> None:
    """What nobody refers to any more is let go, in a moment when nobody waits, if that comes soon."""
    with _changed:
        _changed.wait_for(lambda: not _drawn, PAUSE)
    gc.collect()
    give_back()


def give_back() -> None:
    """Memory that was freed goes back to the system, where the C library can do that (glibc)."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if os.name == "posix" else None
    if trim is not None:
        trim(0)


@cache
def load_ahead() -> None:
    """What several pages need and no first page does, while somebody looks at that: a second of imports."""
    Thread(target=import_module, args=("scipy.stats",), daemon=True).start()


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
    global _last
    with _changed:
        _last = time.monotonic()
        _drawn.discard(get_ident())
        _changed.notify_all()


def _wait(until: Callable[[], bool], look: Callable[[], object], most: float = float("inf")) -> None:
    end = time.monotonic() + most
    while True:
        with _changed:
            if _changed.wait_for(until, min(_LOOK, max(0.0, end - time.monotonic()))) or time.monotonic() >= end:
                return
        look()
