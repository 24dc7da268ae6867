"""What nobody needs any more is let go: garbage, and sessions of people who have left, with all that they uploaded."""

import ctypes
import gc
import os
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from threading import Thread
from typing import Any

import pyarrow
from streamlit import runtime

from ldpapp.runtime import scheduler

EVERY = 30.0
"""Seconds between two looks."""
MOST = 0.01
"""Of all time, in which garbage is looked for at most: nobody's page is drawn meanwhile."""


@cache
def settle() -> None:
    """What was imported by now is not searched for garbage any more. Before the first page, and never again: what a
    session holds would be set apart with it, and kept for ever.
    """
    gc.collect()
    gc.freeze()


def keep_tidy() -> None:
    """Streamlit would look for garbage after every run of a page: with thirty people that is most of the time, and
    nobody is drawn meanwhile. Instead a thread does it, rarely. For `ldpcore dashboard`, before it starts.
    """
    _allocate_together()

    def keep() -> None:
        due = 0.0
        while True:
            time.sleep(EVERY)
            if time.monotonic() >= due:
                due = tidy() / MOST + time.monotonic()
            give_back()
            forget()

    Thread(target=keep, daemon=True).start()


def tidy() -> float:
    """Garbage is looked for, in a moment when nobody waits if that comes soon; the seconds it took."""
    scheduler.unwaited()
    began = time.monotonic()
    gc.collect()
    return time.monotonic() - began


def give_back() -> None:
    """What was freed goes back to the system."""
    if trim := _of_glibc("malloc_trim"):
        trim(0)


def _allocate_together() -> None:
    """Every run of a page is a thread. glibc gives each of up to eight threads per core a part of the memory for
    itself, and what one has freed no other uses: after fifteen people 145 MB stayed in place of 90. Their pages hold
    the interpreter while they allocate, so that none waits for another's part. Nor do Arrow's columns get a room of
    their own, of which 58 MB stayed with nothing in it.
    """
    if option := _of_glibc("mallopt"):
        option(ARENA_MAX, 1)
    pyarrow.set_memory_pool(pyarrow.system_memory_pool())


ARENA_MAX = -8
"""M_ARENA_MAX of <malloc.h>."""


def _of_glibc(name: str) -> Callable[..., int] | None:
    return getattr(ctypes.CDLL(None), name, None) if os.name == "posix" else None


def forget() -> None:
    """Streamlit keeps a session two minutes, for whom the line broke; but then lets go of it only when another one
    leaves. Nothing of a person stays until then.
    """
    if runtime.exists():
        server = runtime.get_instance()
        left = server._session_mgr._session_storage._cache  # type: ignore[attr-defined]
        with suppress(RuntimeError):  # the server has not begun, or is being stopped
            server._get_async_objs().eventloop.call_soon_threadsafe(_emptied, left)


def _emptied(left: Any) -> None:
    """Sessions that are over are emptied, too: Streamlit's loop holds the last of them until somebody comes, and the
    first is older than what is searched for garbage.
    """
    for _, over in left.expire() or ():
        over.session.shutdown()
        over.session.session_state.clear()
