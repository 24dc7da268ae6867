"""What stands before every route: how often, by which name, from which site, and how long."""

import time
from collections import OrderedDict
from collections.abc import Callable, Collection

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

LONGEST = 256
"""Bytes of a body: a report has at most 20."""
RATE, BURST = 120.0, 600.0
"""Requests a second of one address, and how many at once. A phone makes four to join and send, and then looks every
four seconds whether there is a vote: 400 phones that share an address are served, and one that asks without end takes a
part of one core.
"""
ADDRESSES = 4096
HEADERS = {
    "Content-Security-Policy": "frame-ancestors 'none'",  # all else says the page itself
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Buckets:
    """How many requests each address has left; of the addresses seen last."""

    def __init__(self) -> None:
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allow(self, address: str, now: float) -> bool:
        left, last = self._left.pop(address, (BURST, now))
        left = min(BURST, left + (now - last) * RATE)
        self._left[address] = (left - 1 if left >= 1 else left, now)
        if len(self._left) > ADDRESSES:
            self._left.popitem(last=False)
        return left >= 1


class Guard:
    """Refuses in a few bytes, before anything is read: 429 too often, 421 another name than its own (a foreign page's
    name may lead here), 403 a foreign page, 415 no JSON, 413 too long.

    hosts: the names by which this server may be called.
    """

    def __init__(self, app: ASGIApp, hosts: Callable[[], Collection[str]]) -> None:
        self._app, self._hosts, self._buckets = app, hosts, Buckets()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        refused = self._objection(scope)
        if refused is None:
            await self._app(scope, receive, send)
        else:
            status, why = refused
            await PlainTextResponse(why, status, HEADERS | {"Connection": "close"})(scope, receive, send)

    def _objection(self, scope: Scope) -> tuple[int, str] | None:
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        address, host = (scope.get("client") or ("",))[0], headers.get(b"host", "")
        if not self._buckets.allow(address, time.monotonic()):
            return 429, "Too many requests. Wait a moment."
        if host not in self._hosts():
            return 421, "This is not the address on the board."
        if scope["method"] != "POST":
            return None
        origin, length = headers.get(b"origin"), headers.get(b"content-length", "")
        if origin is not None and origin != f"http://{host}":
            return 403, "Only the class's own page may send."
        if headers.get(b"content-type", "").partition(";")[0].strip() != "application/json":
            return 415, "JSON only."
        if not (length.isascii() and length.isdigit()) or len(length) > 6 or int(length) > LONGEST:
            return 413, "Too long."
        return None
