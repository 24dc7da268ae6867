"""What phones may reach, and nothing else: the page, the question, a report, a vote; and the notes of who teaches."""

import hmac
import json
import secrets
from functools import cache
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from ldpapp.classroom import notes
from ldpapp.classroom.guard import HEADERS, LONGEST
from ldpapp.classroom.notes import NOTES
from ldpapp.classroom.rooms import FEW, OK, ROOMS, Room
from ldpcore import client

COOKIE, READER = "ticket", "reader"
AGE = 2 * 3600


@cache
def page(script: str = "phone.js", title: str = "Class") -> str:
    """The same bytes for every room and every phone."""
    text = (Path(__file__).parent / script).read_text(encoding="utf-8")
    return client.page([text], title, connect=True)


async def shown(request: Request) -> Response:
    return HTMLResponse(page(), 200, HEADERS)


async def notes_page(request: Request) -> Response:
    return HTMLResponse(page("notes.js", "Teacher’s notes"), 200, HEADERS)


async def notes_now(request: Request) -> Response:
    """What belongs to the lesson now, for the one phone that has these notes; the first that asks becomes it."""
    notes.sweep()
    key, brought = request.path_params["key"].encode(), request.cookies.get(READER, "").encode()
    asked = next((each for each in NOTES.copy().values() if hmac.compare_digest(each.key.encode(), key)), None)
    if asked is None:
        return JSONResponse({"why": "notes"}, 404, HEADERS)
    first = not asked.reader
    if first:  # nothing is waited for between the two: no other phone can come first, too
        asked.reader = secrets.token_urlsafe(16)
    elif not hmac.compare_digest(asked.reader.encode(), brought):
        return JSONResponse({"why": "taken"}, 403, HEADERS)
    answer = JSONResponse({"head": asked.head, "lines": asked.lines}, 200, HEADERS)
    if first:
        path = request.url.path.removesuffix("/now")
        answer.set_cookie(READER, asked.reader, max_age=AGE, path=path, httponly=True, samesite="strict")
    return answer


async def about(request: Request) -> Response:
    """The question, and a ticket for whoever has none."""
    room = _room(request)
    if room is None:
        return _no_room()
    ticket = request.cookies.get(COOKIE)
    fresh = not room.knows(ticket)
    ticket = room.ticket() if fresh else ticket
    room.join(_address(request))
    told = room.client.to_dict() | {
        "open": room.open, "voting": room.voting, "sent": room.spent(ticket), "voted": room.voted(ticket), "few": FEW,
    }  # fmt: skip
    answer = JSONResponse(told, 200, HEADERS)
    if fresh:
        answer.set_cookie(COOKIE, ticket or "", max_age=AGE, path=request.url.path, httponly=True, samesite="strict")
    return answer


async def report(request: Request) -> Response:
    body, room = await _json(request), _room(request)
    if room is None:
        return _no_room()
    return _told(room.add(request.cookies.get(COOKIE), _address(request), body.get("report")))


async def vote(request: Request) -> Response:
    body, room = await _json(request), _room(request)
    if room is None:
        return _no_room()
    ticket, answer = request.cookies.get(COOKIE), body.get("answer")
    if "back" in body:
        return _told(room.take_back(ticket, answer, body["back"]))
    why = room.vote(ticket, answer)
    return _told(why, receipt=room.receipt(ticket, answer)) if why == OK else _told(why)


def _room(request: Request) -> Room | None:
    return ROOMS.get(request.path_params["code"])


def _no_room() -> Response:
    return JSONResponse({"why": "room"}, 404, HEADERS)


def _told(why: str, **more: str) -> Response:
    return JSONResponse({"why": why, **more}, 200 if why == OK else 409, HEADERS)


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


async def _json(request: Request) -> dict[str, Any]:
    """The body, if it is a short JSON object; nothing otherwise: what is not there is impossible."""
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > LONGEST:
                return {}
        found = json.loads(body)
    except (ValueError, RecursionError, ClientDisconnect):
        return {}
    return found if isinstance(found, dict) else {}


def app() -> Starlette:
    """All but the first, which asks for a code, are below a room or notes: their ticket goes nowhere else."""
    return Starlette(
        routes=[
            Route("/", shown),
            Route("/notes/{key:str}", notes_page),
            Route("/notes/{key:str}/now", notes_now),
            Route("/{code:str}", shown),
            Route("/{code:str}/room", about),
            Route("/{code:str}/room/report", report, methods=["POST"]),
            Route("/{code:str}/room/vote", vote, methods=["POST"]),
        ]
    )
