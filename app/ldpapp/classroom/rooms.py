"""Rooms in memory: one process, many threads. Of an answer only its random report comes here, unless somebody votes
openly too; a room keeps how often each report came, and nothing beside it: no order, no time, no address.
"""

import hashlib
import hmac
import secrets
import threading
import time
from collections import Counter
from dataclasses import dataclass, field

from ldpcore.client import Client
from ldpcore.tally import Tally

ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""31 signs, none that looks like another."""
CODE = 6
"""Signs of a code: 29.7 bits."""
MOST_ROOMS = 8
MOST_SEATS = 400
FEW = 5
"""Reports before the first estimate, and open votes before they are shown: fewer tell next to nothing of all, and
whoever watches would see who sent what.
"""
LIFE = 2 * 3600.0
"""Seconds until a room is gone, whoever has forgotten it."""
TICKET, SIGNATURE = 16, 32
"""Hexadecimal digits."""

OK, CLOSED, IMPOSSIBLE, STRANGE, TWICE, FULL, ADDRESS = (
    "ok",
    "closed",
    "impossible",
    "ticket",
    "twice",
    "full",
    "address",
)
"""What a phone is told of its report."""


@dataclass(frozen=True)
class Seen:
    """What the board may know. openly: answer → votes; refused: why → how often; joined: phones that asked."""

    tally: Tally
    openly: tuple[int, ...]
    joined: int
    refused: tuple[tuple[str, int], ...]


@dataclass
class Room:
    """One question in one class. seats: reports at most. one_each: one report per network address."""

    code: str
    client: Client
    seats: int
    one_each: bool = False
    open: bool = True
    voting: bool = False
    """Whether phones that have sent may vote openly, to compare."""
    revealed: bool = False
    """Whether the board shows what was voted openly beside the estimate."""
    over: bool = False
    """Whether it has shown it: from then on nobody votes or takes a vote back, which the board would give away."""
    born: float = field(default_factory=time.monotonic)
    key: str = field(default_factory=lambda: secrets.token_urlsafe(16), repr=False)
    """Who has it leads the room: the code, which everybody knows, only lets phones in."""
    _secret: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    _reports: Counter[int] = field(default_factory=Counter, repr=False)
    _votes: Counter[int] = field(default_factory=Counter, repr=False)
    _spent: set[bytes] = field(default_factory=set, repr=False)
    _voted: dict[bytes, str] = field(default_factory=dict, repr=False)
    """Who has voted → a number of that vote, which says nothing of it."""
    _addresses: Counter[bytes] = field(default_factory=Counter, repr=False)
    _joined: set[bytes] = field(default_factory=set, repr=False)
    _refused: Counter[str] = field(default_factory=Counter, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def overdue(self) -> bool:
        return time.monotonic() - self.born > LIFE

    # tickets ---------------------------------------------------------------------------------------------------

    def ticket(self) -> str:
        """One for a phone: signed, so that nothing is stored of those who never answer."""
        number = secrets.token_hex(TICKET // 2)
        return number + self._sign(number)

    def knows(self, ticket: object) -> bool:
        if not isinstance(ticket, str) or len(ticket) != TICKET + SIGNATURE or not ticket.isascii():
            return False
        return hmac.compare_digest(self._sign(ticket[:TICKET]), ticket[TICKET:])

    def spent(self, ticket: object) -> bool:
        """Whether a report was sent with it."""
        return self._hash(ticket) in self._spent

    def voted(self, ticket: object) -> bool:
        return self._hash(ticket) in self._voted

    def _sign(self, number: str) -> str:
        return hmac.new(self._secret, number.encode(), "sha256").hexdigest()[:SIGNATURE]

    def _hash(self, told: object) -> bytes:
        return hashlib.blake2b(str(told).encode(), key=self._secret, digest_size=12).digest()

    # what phones do --------------------------------------------------------------------------------------------

    def join(self, address: str) -> None:
        """Somebody asked for the question; how many is shown beside how many have sent."""
        with self._lock:
            if len(self._joined) < MOST_SEATS:
                self._joined.add(self._hash(address))

    def add(self, ticket: object, address: str, report: object) -> str:
        """Count a report; OK, or why not."""
        with self._lock:
            why = self._objection(ticket, address, report)
            if why is None and isinstance(report, int):
                self._spent.add(self._hash(ticket))
                self._addresses[self._hash(address)] += 1
                self._reports[report] += 1
                return OK
            self._refused[why or IMPOSSIBLE] += 1
            return why or IMPOSSIBLE

    def _objection(self, ticket: object, address: str, report: object) -> str | None:
        if not self.open or self.overdue:
            return CLOSED
        if not self.client.accepts(report):
            return IMPOSSIBLE
        if not self.knows(ticket):
            return STRANGE
        if self.spent(ticket):
            return TWICE
        if len(self._spent) >= self.seats:
            return FULL
        return ADDRESS if self.one_each and self._addresses[self._hash(address)] else None

    def vote(self, ticket: object, answer: object) -> str:
        """Count an open answer of somebody who has sent a report; OK, or why not."""
        with self._lock:
            if not self.voting or self.over or self.overdue:
                return CLOSED
            if type(answer) is not int or not 0 <= answer < len(self.client.answers):
                return IMPOSSIBLE
            if not self.knows(ticket) or not self.spent(ticket):
                return STRANGE
            if self.voted(ticket):
                return TWICE
            self._voted[self._hash(ticket)] = secrets.token_hex(8)
            self._votes[answer] += 1
            return OK

    def receipt(self, ticket: object, answer: object) -> str:
        """What proves a vote to the room, which does not keep who voted what: with it a phone takes its vote back."""
        return self._sign(f"vote {self._voted.get(self._hash(ticket))} {answer}")

    def take_back(self, ticket: object, answer: object, receipt: object) -> str:
        """Uncount an open answer, and let the phone vote again; OK, or why not."""
        with self._lock:
            if not self.voting or self.over or self.overdue:
                return CLOSED
            same = hmac.compare_digest(ascii(self.receipt(ticket, answer)), ascii(receipt))
            if not same or not isinstance(answer, int) or not self.voted(ticket):
                return STRANGE
            del self._voted[self._hash(ticket)]
            self._votes[answer] -= 1
            return OK

    def reveal(self, shown: bool) -> None:
        """Show the open votes on the board, once there are `FEW`, or hide them again; the first time ends the vote for
        good.
        """
        with self._lock:
            self.revealed = shown and self._votes.total() >= FEW
            if self.revealed:
                self.voting, self.over = False, True

    # what the board sees ---------------------------------------------------------------------------------------

    def seen(self) -> Seen:
        with self._lock:
            votes = tuple(self._votes[v] for v in range(len(self.client.answers)))
            return Seen(
                self.client.tally_of(self._reports),
                votes,
                max(len(self._joined), len(self._spent)),
                tuple(sorted(self._refused.items())),
            )


class Rooms:
    """All rooms of this process, by code."""

    def __init__(self) -> None:
        self._lock, self._rooms = threading.Lock(), dict[str, Room]()

    def start(self, client: Client, seats: int, one_each: bool = False) -> Room:
        """A new room, with a code that is free; the oldest gives way to a ninth."""
        room = Room(self._free(), client, max(1, min(seats, MOST_SEATS)), one_each)
        with self._lock:
            while len(self._rooms) >= MOST_ROOMS:
                del self._rooms[min(self._rooms, key=lambda code: self._rooms[code].born)]
            self._rooms[room.code] = room
        return room

    def _free(self) -> str:
        while True:
            code = "".join(secrets.choice(ALPHABET) for _ in range(CODE))
            if code not in self._rooms:
                return code

    def get(self, code: str) -> Room | None:
        """The room of a code, in capitals or not; None where there is none, or none any more."""
        room = self._rooms.get(code.upper())
        return None if room is None or room.overdue else room

    def close(self, code: str) -> None:
        """Forget a room and all that was in it."""
        with self._lock:
            self._rooms.pop(code.upper(), None)

    def sweep(self) -> None:
        """Forget what is overdue."""
        with self._lock:
            for code in [code for code, room in self._rooms.items() if room.overdue]:
                del self._rooms[code]

    def codes(self) -> list[str]:
        """Of all rooms, the oldest first."""
        return [room.code for room in sorted(self._rooms.copy().values(), key=lambda room: room.born)]

    def __len__(self) -> int:
        return len(self._rooms)


ROOMS = Rooms()
"""Of this process: no session's, so that a reload of the board loses nothing."""
