"""A teacher's notes on her own phone: text that follows the lesson that the class sees."""

import secrets
import time
from dataclasses import dataclass, field

from ldpapp.classroom.rooms import LIFE


@dataclass
class PhoneNotes:
    """What one phone shows. The first that opens the address keeps it: whoever photographs it later gets nothing."""

    key: str = field(default_factory=lambda: secrets.token_urlsafe(16), repr=False)
    """Its part of the address."""
    head: str = ""
    lines: tuple[tuple[str, str], ...] = ()
    """What each says, and its text: no markup."""
    reader: str = field(default="", repr=False)
    """The ticket of the phone that keeps it; none while nobody has opened it."""
    born: float = field(default_factory=time.monotonic)


NOTES: dict[str, PhoneNotes] = {}
"""Of this process, by the key of who teaches, which is in no address of this server."""


def sweep() -> None:
    """Forget what is as old as the oldest room may be."""
    for teacher, notes in NOTES.copy().items():
        if time.monotonic() - notes.born > LIFE:
            NOTES.pop(teacher, None)
