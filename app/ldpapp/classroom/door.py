"""The second server: it is there while a room is, or a teacher's notes, and phones reach nothing but it.

Streamlit stays on 127.0.0.1. Whether this one may listen beyond this machine is said when the dashboard is started
(`ldpcore dashboard --lan`), by nobody else.
"""

import asyncio
import os
import socket
import threading
import time
from typing import Any, ClassVar

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from ldpapp.classroom import notes, routes
from ldpapp.classroom.guard import Guard
from ldpapp.classroom.rooms import LIFE, ROOMS
from ldpcore.collection import LAN

PORT = 8765
"""The first that is tried; then the next ones, then any."""
TRIED = 20
CONNECTIONS = 600
PER_ADDRESS = 240
"""Connections of one address at once. A school's network may show a whole class of 35 under one address, and each phone
may open six: 210."""
REQUEST, IDLE = 10.0, 20
"""Seconds for a request and its answer, from its first byte or the connection on; and between two requests."""
HERE = "127.0.0.1"


class NoDoor(OSError):
    """The server did not start; the message says what to do."""


def may_leave_this_machine() -> bool:
    return os.environ.get(LAN) == "1"


def lan_address() -> str | None:
    """The address by which this machine is reached in its network; nothing is sent to find it out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(("192.0.2.1", 9))  # a UDP socket only chooses its way
            return str(asking.getsockname()[0])
        except OSError:
            return None


class ConnectedPeople:
    """Who is connected: of each address its connections, the one that was served longest ago first.

    Nobody is turned away at the door, where a newcomer would pay for those who hold it: where there are too many, the
    address that has most gives one up.
    """

    def __init__(self) -> None:
        self._of: dict[str, dict[Connection, None]] = {}

    def enter(self, line: "Connection") -> None:
        mine = self._of.setdefault(line.peer, {})
        mine[line] = None
        if len(mine) > PER_ADDRESS:
            self._drop(mine)
        elif sum(map(len, self._of.values())) > CONNECTIONS:
            self._drop(max(self._of.values(), key=len))

    def served(self, line: "Connection") -> None:
        mine = self._of.get(line.peer, {})
        if line in mine:
            del mine[line]
            mine[line] = None  # at the end

    def leave(self, line: "Connection") -> None:
        if mine := self._of.get(line.peer):
            mine.pop(line, None)
            if not mine:
                del self._of[line.peer]

    def _drop(self, lines: "dict[Connection, None]") -> None:
        oldest = next(iter(lines))
        self.leave(oldest)
        oldest.transport.abort()


class Connection(H11Protocol):
    """One connection. uvicorn waits for a request for as long as bytes of it dribble in, and for whoever does not read
    its answer: here a request and its answer have REQUEST seconds together.
    """

    crowd: ClassVar[ConnectedPeople]
    _due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.peer = (transport.get_extra_info("peername") or ("",))[0]
        self.crowd.enter(self)
        self._expect()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._settle()

    def on_response_complete(self) -> None:
        self._rest()
        self.crowd.served(self)
        super().on_response_complete()
        self._settle()

    def connection_lost(self, exc: Exception | None) -> None:
        self._rest()
        self.crowd.leave(self)
        super().connection_lost(exc)

    def _settle(self) -> None:
        """The time of a request runs from its first byte; none runs between two requests."""
        unread = self.conn.their_state is not h11.IDLE or self.conn.trailing_data[0]
        if unread or self.transport.get_write_buffer_size():
            self._expect()
        else:
            self._rest()

    def _expect(self) -> None:
        if self._due is None:
            self._due = self.loop.call_later(REQUEST, self.transport.abort)

    def _rest(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None


class Door:
    """Opened by the first room or notes, closed after the last."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None
        self._sweeper: threading.Timer | None = None
        self.host, self.port = "", 0

    def open(self, lan: bool = False) -> str:
        """The address phones call, without the room's code. NoDoor where no port is free, or the network may not."""
        host = lan_address() if lan else HERE
        if lan and not may_leave_this_machine():
            raise NoDoor("phones may reach this machine only after `ldpcore dashboard --lan`")
        if host is None:
            raise NoDoor("this machine is in no network; connect it, or try the room on this machine alone")
        with self._lock:
            if self._server is None or self.host != host or self._thread is None or not self._thread.is_alive():
                self._stop()
                self._start(host)
            return f"http://{self.host}:{self.port}"

    def close(self) -> None:
        """Close the port, if neither a room nor a teacher's notes are left."""
        ROOMS.sweep()
        notes.sweep()
        with self._lock:
            if not len(ROOMS) and not notes.NOTES:
                self._stop()
            elif self._server is not None:
                self._watch()

    @property
    def is_open(self) -> bool:
        return self._server is not None

    def _start(self, host: str) -> None:
        bound, Connection.crowd = _socket(host), ConnectedPeople()
        self.host, self.port = host, bound.getsockname()[1]
        names = {f"{name}:{self.port}" for name in (host, HERE, "localhost")}
        config = uvicorn.Config(
            Guard(routes.app(), lambda: names),
            http=Connection, ws="none", lifespan="off", proxy_headers=False,
            log_config=None, access_log=False, server_header=False, date_header=False,
            backlog=512, timeout_keep_alive=IDLE, timeout_graceful_shutdown=2,
            h11_max_incomplete_event_size=8192,
        )  # fmt: skip
        self._server = uvicorn.Server(config)
        # In a thread that is not the main one it leaves the process's signals to Streamlit.
        self._thread = threading.Thread(target=self._server.run, args=([bound],), daemon=True, name="class")
        self._thread.start()
        end = time.monotonic() + 5
        while not self._server.started:
            if time.monotonic() > end or not self._thread.is_alive():
                self._stop()
                raise NoDoor("the class's server did not start; try again")
            time.sleep(0.01)
        self._watch()

    def _watch(self) -> None:
        """Rooms that everybody has forgotten close too."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        self._sweeper = threading.Timer(LIFE + 5, self.close)
        self._sweeper.daemon = True
        self._sweeper.start()

    def _stop(self) -> None:
        if self._sweeper is not None:
            self._sweeper.cancel()
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join(5)
        self._server = self._thread = self._sweeper = None


def _socket(host: str) -> socket.socket:
    """Bound to the first free port."""
    for port in (*range(PORT, PORT + TRIED), 0):
        # With the protocol named the event loop switches Nagle's algorithm off: without it every answer waits 40 ms.
        bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind((host, port))
        except OSError:
            bound.close()
            continue
        return bound
    raise NoDoor("no port is free for the class; close a program that serves pages, and try again")


DOOR = Door()
"""Of this process."""
