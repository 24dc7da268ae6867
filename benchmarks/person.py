"""One browser's part of a session, without the browser: the messages that Streamlit's pages exchange with the server.

A browser would add a third of a core of its own for every person; what is asked here is what the server does for many.
"""

import asyncio
import http.client
import re
import time
from dataclasses import dataclass, field

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

PATIENCE = 120.0
"""Seconds after which somebody has given up."""
STILL = 4.0
"""Seconds without a word after which a page is filled: a slice of the work behind it takes less."""
OWN = re.compile(rb"owner(\d+)x")
"""What every answer of a person's own file is called by: nobody else may ever see it."""


@dataclass
class Person:
    """A session: what its page shows, and what was said to it that should not have been.

    number: whose answers its file has. url: of the dashboard, "http://127.0.0.1:8501".
    """

    number: int
    url: str
    page: str = ""
    query: str = ""
    pages: dict[str, str] = field(default_factory=dict)
    """Address → what the server calls this page."""
    widgets: dict[str, str] = field(default_factory=dict)
    """Key → the widget's name now."""
    options: dict[str, list[str]] = field(default_factory=dict)
    """Key of a slider → its places."""
    told: dict[str, WidgetState] = field(default_factory=dict)
    """What this person has set."""
    errors: list[str] = field(default_factory=list)
    foreign: set[int] = field(default_factory=set)
    """Whose answers were seen that are not this person's."""
    seen: int = 0
    """Messages with this person's own answers."""

    async def come(self, address: str, query: str = "") -> float:
        """Open a page in a new session; seconds to its first chart, or to its end where it has none."""
        host = self.url.removeprefix("http://")
        self.line = await websockets.connect(
            f"ws://{host}/_stcore/stream",
            subprotocols=["streamlit", "x"],
            max_size=None,
            origin=self.url,
            open_timeout=60,
        )  # type: ignore[arg-type]
        self.query, self.page, self.told = query, "", {}
        self.session, self._urls, self._latest = "", asyncio.Queue(), 0
        self._chart, self._end = asyncio.Event(), asyncio.Event()
        self._reading = asyncio.create_task(self._read())
        return await self._wait(address)

    async def leave(self) -> None:
        self._reading.cancel()
        await self.line.close()

    async def go(self, address: str) -> float:
        """Another page; seconds to its first chart."""
        self.page, self.query, self.told = self.pages[address], "", {}
        return await self._wait()

    async def slide(self, place: int) -> float:
        """Move ε; seconds to the first chart that knows."""
        if "slider" not in self.widgets:
            return await self._wait()
        places, state = self.options["slider"], WidgetState(id=self.widgets["slider"])
        state.string_array_value.data.append(places[place % len(places)])
        self.told["slider"] = state
        return await self._wait()

    async def filled(self) -> None:
        """Wait until nothing more is said: the work behind the page is done."""
        began = time.monotonic()
        while time.monotonic() - self._heard < STILL:
            if time.monotonic() - began > PATIENCE:
                self.errors.append(f"the page was not filled in {PATIENCE:g} s")
                return
            await asyncio.sleep(STILL / 10)

    async def upload(self, rows: int) -> float:
        """A file of one's own on the page Data: one column of six answers that carry this person's number."""
        told = "\n".join(["answer,weight", *(f"owner{self.number}x{i % 7 * i % 6},{50 + i % 40}" for i in range(rows))])
        key = next(name for name in self.widgets if re.match(r"upload_\d", name))
        asked = BackMsg()
        asked.file_urls_request.request_id = "1"
        asked.file_urls_request.file_names.append(f"own{self.number}.csv")
        asked.file_urls_request.session_id = self.session
        await self.line.send(asked.SerializeToString())
        given = (await asyncio.wait_for(self._urls.get(), PATIENCE)).file_urls[0]
        await asyncio.to_thread(self._put, given.upload_url, told.encode())
        state = WidgetState(id=self.widgets[key])
        state.file_uploader_state_value.uploaded_file_info.add(
            name=f"own{self.number}.csv", size=len(told), file_id=given.file_id, file_urls=given
        )
        self.told = {"upload": state}
        waited = await self._wait()
        self.told = {}
        return waited

    def _put(self, path: str, body: bytes) -> None:
        line = http.client.HTTPConnection(self.url.removeprefix("http://"), timeout=PATIENCE)
        line.request("GET", "/_stcore/health")
        answer = line.getresponse()
        answer.read()
        cookie = (answer.getheader("Set-Cookie") or "").partition(";")[0]
        headers = {"Content-Type": "multipart/form-data; boundary=x", "Cookie": cookie}
        headers["X-Xsrftoken"] = cookie.partition("=")[2].strip('"')
        form = b'--x\r\nContent-Disposition: form-data; name="file"; filename="f.csv"\r\nContent-Type: text/csv\r\n\r\n'
        line.request("PUT", path, form + body + b"\r\n--x--\r\n", headers)
        answer = line.getresponse()
        if answer.status >= 300:
            self.errors.append(f"the upload was answered {answer.status}")
        line.close()

    async def _wait(self, address: str = "") -> float:
        asked = BackMsg()
        run = asked.rerun_script
        run.query_string, run.page_script_hash, run.page_name = self.query, self.page, address
        run.context_info.timezone = "UTC"
        run.widget_states.widgets.extend(self.told.values())
        self._chart.clear()
        self._end.clear()
        self._latest, self._heard, began = 0, time.monotonic(), time.perf_counter()
        await self.line.send(asked.SerializeToString())
        there = [asyncio.create_task(each.wait()) for each in (self._chart, self._end)]
        done, late = await asyncio.wait(there, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        for each in late:
            each.cancel()
        if not done:
            self.errors.append(f"nothing was drawn in {PATIENCE:g} s")
        return time.perf_counter() - began

    async def _read(self) -> None:
        async for raw in self.line:
            self._heard = time.monotonic()
            self._look(raw)
            message = ForwardMsg.FromString(raw)
            match message.WhichOneof("type"):
                case "new_session":
                    new = message.new_session
                    self.session, self.page = new.initialize.session_id or self.session, new.page_script_hash
                    self._latest += 1
                case "navigation":
                    self.pages = {each.url_pathname: each.page_script_hash for each in message.navigation.app_pages}
                    self.page = message.navigation.page_script_hash  # where a browser says it is
                case "page_info_changed":
                    self.query = message.page_info_changed.query_string
                case "file_urls_response":
                    self._urls.put_nowait(message.file_urls_response)
                case "script_finished":
                    # A run that began before it was asked ends early, for the one that was asked for.
                    if self._latest and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                        self._end.set()
                    if message.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                        self.errors.append("the script does not compile")
                case "delta" if message.delta.WhichOneof("type") == "new_element":
                    self._element(message.delta.new_element)

    def _look(self, raw: bytes) -> None:
        for found in {int(number) for number in OWN.findall(raw)}:
            if found == self.number:
                self.seen += 1
            else:
                self.foreign.add(found)

    def _element(self, element) -> None:
        kind = element.WhichOneof("type")
        if kind == "exception":
            self.errors.append(f"{element.exception.type}: {element.exception.message[:200]}")
        elif kind == "plotly_chart" and self._latest:
            self._chart.set()
        elif kind in ("slider", "file_uploader"):
            widget = getattr(element, kind)
            key = widget.id.split("-")[-1]
            self.widgets[key] = widget.id
            if kind == "slider":
                self.options[key] = list(widget.options)
