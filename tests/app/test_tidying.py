"""What people leave behind is let go: garbage, sessions and uploads."""

import asyncio
import gc
import platform
import subprocess
import sys
import time
import tomllib
import weakref
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from streamlit import runtime
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from ldpapp.runtime import memory_release

SOON = 10.0
"""Seconds in which what is to happen has happened, on the slowest machine."""


def test_only_what_was_imported_is_kept_from_the_search_for_garbage() -> None:
    memory_release.settle()
    apart = gc.get_freeze_count()
    of_a_session = {"answers": []}
    memory_release.settle()
    assert gc.get_freeze_count() <= apart
    assert any(each is of_a_session for each in gc.get_objects())


def test_what_a_session_leaves_is_let_go() -> None:
    class Left:
        """It refers to itself, as pages and sessions do."""

        def __init__(self) -> None:
            self.mine = self

    gone, left = Event(), Left()
    weakref.finalize(left, gone.set)
    gc.disable()
    try:
        del left
        assert not gone.is_set()
        memory_release.tidy()
    finally:
        gc.enable()
    assert gone.is_set()


def test_the_server_does_not_look_for_garbage_after_every_page() -> None:
    """With thirty people that was six of ten seconds, and 95 % of them waited 14 s for a slider in place of 1."""
    packaged = Path(memory_release.__file__).parents[1] / ".streamlit" / "config.toml"
    assert tomllib.loads(packaged.read_text(encoding="utf-8"))["runner"]["postScriptGC"] is False


class Session:
    """As much of one as is looked at."""

    id = "somebody's"
    over = False

    def __init__(self) -> None:
        self.session_state = {"answers": []}

    def shutdown(self) -> None:
        self.over = True


@pytest.fixture
def storage(monkeypatch: pytest.MonkeyPatch) -> Iterator[MemorySessionStorage]:
    """Of a server that has begun, and keeps who is gone for no time at all. Its parts are Streamlit's, by the names
    that `forget` uses though they are private.
    """
    loop, kept = asyncio.new_event_loop(), MemorySessionStorage(ttl_seconds=0)
    thread = Thread(target=loop.run_forever)
    thread.start()
    objects = SimpleNamespace(eventloop=loop)
    manager = WebsocketSessionManager(kept, Mock(), Mock(), Mock())
    assert "_session_mgr" in runtime.Runtime.__init__.__code__.co_names, "a server calls it otherwise by now"
    server = Mock(_session_mgr=manager, spec=runtime.Runtime)
    server._get_async_objs.return_value = objects
    monkeypatch.setattr(runtime, "exists", lambda: True)
    monkeypatch.setattr(runtime, "get_instance", lambda: server)
    yield kept
    loop.call_soon_threadsafe(loop.stop)
    thread.join(SOON)
    loop.close()


def test_who_has_left_is_forgotten_though_nobody_else_leaves(storage: MemorySessionStorage) -> None:
    gone, left = Event(), SimpleNamespace(session=Session())
    weakref.finalize(left.session, gone.set)
    storage.save(left)  # type: ignore[arg-type]
    del left
    time.sleep(0.01)
    gc.collect()
    assert not storage.list()
    assert not gone.is_set(), "Streamlit lets go of sessions by itself: ldpapp.runtime.memory_release.forget can go"
    memory_release.forget()
    assert gone.wait(SOON)


def test_a_session_that_is_over_is_emptied_whoever_holds_it(storage: MemorySessionStorage) -> None:
    """Streamlit's loop holds the one that left last."""
    held = Session()
    storage.save(SimpleNamespace(session=held))  # type: ignore[arg-type]
    time.sleep(0.01)
    memory_release.forget()
    until = time.monotonic() + SOON
    while held.session_state and time.monotonic() < until:
        time.sleep(0.01)
    assert held.over
    assert not held.session_state


THREADS = """
import ctypes, threading
import pyarrow
from ldpapp.runtime import memory_release

memory_release.keep_tidy()
libc, met = ctypes.CDLL(None), threading.Barrier(6)
libc.fdopen.restype = ctypes.c_void_p

def run():
    held = [bytes(1000) for _ in range(1000)]
    met.wait()

page = [threading.Thread(target=run) for _ in range(6)]
[each.start() for each in page]
[each.join() for each in page]
print("columns:", pyarrow.default_memory_pool().backend_name, flush=True)
out = ctypes.c_void_p(libc.fdopen(1, b"w"))
libc.malloc_info(0, out)
libc.fflush(out)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other libraries allocate otherwise")
def test_pages_share_the_room_of_those_that_are_done() -> None:
    """A thread's own part of the memory is a <heap nr="…"> of what glibc tells; six threads had seven more. What
    libraries start as they are imported may have one already.
    """
    told = subprocess.run([sys.executable, "-c", THREADS], capture_output=True, check=True, text=True).stdout
    assert 1 <= told.count("<heap nr=") < 4
    assert "columns: system" in told
