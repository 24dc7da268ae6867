"""What `ldpcore dashboard` starts: the dashboard behind two walls that hold even where a page is wrong.

A label that became markup could make the browser ask another host: the policy in every answer forbids it to ask any.
And the numbers that Streamlit publishes about its sessions (`/_stcore/metrics`) are for whoever started it to open.
"""

import asyncio
import base64
import hashlib
import importlib
import inspect
import json
import os
import re
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import cli_util, config
from streamlit.starlette import App
from streamlit.web.server import server_util

from ldpapp.runtime.offline import METRICS

PAGE = Path(streamlit.__file__).parent / "static" / "index.html"
"""The one document that Streamlit sends; all else is scripts, styles, pictures and files."""
HERE = (
    'window.__streamlit={BACKEND_BASE_URL:new URL(".",location.href).href,'
    "HOST_CONFIG:{allowedOrigins:[location.origin],useExternalAuthToken:false}}"
)
"""What Streamlit's script otherwise asks for before it connects, of the page's address first, where nobody answers: who
the server is (whoever sent the document; the address of its scripts is made likewise), and which other hosts may send
it messages (none).
"""
ADDRESS = re.compile(r"/[\w-]*")
"""A page's address, below the one of all: for whatever else is called so, Streamlit sends the document as well."""


def document(page: Path) -> str:
    """Streamlit's document, and where its server is."""
    return page.read_text(encoding="utf-8").replace("<script", f"<script>{HERE}</script>\n    <script", 1)


DOCUMENT = document(PAGE)


def policy(page: str) -> str:
    """The Content-Security-Policy of this document: nothing from any other host, and no page of another around it.

    Its own short script runs by its digest. Streamlit makes a component's script into a blob, writes styles into the
    document, and pictures into addresses (data:).
    """
    inline = (hashlib.sha256(script.encode()).digest() for script in re.findall(r"<script>(.*?)</script>", page, re.S))
    digests = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in inline)
    return "; ".join(
        [
            "default-src 'self'",
            " ".join(["script-src 'self' blob: 'wasm-unsafe-eval'", digests]),
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "worker-src 'self' blob:",
            *(f"{each} 'none'" for each in ("frame-src", "object-src", "base-uri", "form-action", "frame-ancestors")),
        ]
    )


HEADERS = {
    "Content-Security-Policy": policy(DOCUMENT),
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


AT_ONCE = (
    "PlotlyChart", "BidiComponent", "Html", "Button", "ButtonGroup", "Checkbox", "NumberInput", "PageLink", "Selectbox",
    "Slider",
)  # fmt: skip
"""What of Streamlit's nearly every page shows: charts have four megabytes of script, the others forty small ones."""


PRELOAD = "<{}>;rel=modulepreload"


def early(page: Path, names: Sequence[str] = AT_ONCE) -> str:
    """A Link header by which browsers load and compile the scripts of these, and all that these import, while they wait
    for what the page says; else each begins when it is first shown, and the server is busy. "" for what is not there:
    another Streamlit may name it otherwise.
    """
    document, manifest = page.read_text(encoding="utf-8"), page.with_name("manifest.json")
    listed = json.loads(manifest.read_text(encoding="utf-8")) if manifest.is_file() else {}
    wanted = [key for key, script in listed.items() if script.get("name") in names]
    for key in wanted:  # which grows by what they import
        wanted += [each for each in listed[key].get("imports", ()) if each not in wanted]
    files = (listed[key]["file"] for key in wanted)
    return ",".join(PRELOAD.format(file) for file in files if file not in document)  # it loads its own


EARLY = early(PAGE)


class Walls:
    """Puts HEADERS on every answer, and answers 404 for Streamlit's metrics unless they were asked for. The document
    says where its server is, and with it come the scripts that it needs at once.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
            await send(message)

        answers = self._app
        if scope["path"].rstrip("/").endswith("/_stcore/metrics") and os.environ.get(METRICS) != "1":
            answers = PlainTextResponse("Not Found", 404)
        elif scope["method"] in ("GET", "HEAD") and ADDRESS.fullmatch(_below(scope["path"])):
            answers = HTMLResponse(DOCUMENT, headers={"Cache-Control": "no-cache"} | ({"Link": EARLY} if EARLY else {}))
        await answers(scope, receive, sent)


def _below(path: str) -> str:
    """What of an address is below that of all pages, where one was chosen for them."""
    base = config.get_option("server.baseUrlPath").strip("/")
    return path.removeprefix(f"/{base}") if base else path


NEEDED = ("ldpapp.views.tasks", "ldpapp.views.others", "ldpapp.export.links", "ldpapp.export.own_file")
"""What every page needs: two seconds of processor time, which the first visitor would wait for."""


def imported() -> None:
    """Import it before anybody asks for a page."""
    for name in NEEDED:
        importlib.import_module(name)
    inspect.stack()  # Streamlit does so at its first element: the first time it looks up the file of every module


@asynccontextmanager
async def opened(app: App) -> AsyncIterator[dict[str, Any]]:
    """Open the browser, which Streamlit does for a script, but not for an app with walls; meanwhile make ready."""
    threading.Thread(target=imported, name="ready", daemon=True).start()
    if not config.get_option("server.headless"):
        address = next(
            (config.get_option(name) for name in ("browser.serverAddress", "server.address")
             if config.is_manually_set(name)), "localhost",
        )  # fmt: skip
        url = server_util.get_url(server_util.get_display_address(address))
        asyncio.get_running_loop().call_soon(cli_util.open_browser, url)
    yield {}


app = App(Path(__file__).with_name("main.py"), middleware=[Middleware(Walls)], lifespan=opened)
