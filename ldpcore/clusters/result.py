"""What a clustering gives: the clusters, the modes that went over the wire, and the bill for the messages."""

from dataclasses import dataclass
from math import ceil, inf

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.intp]


@dataclass(frozen=True)
class Message:
    """One kind of message: `count` of them in a round (0: before the first), each of `bits` bits on average.

    kind: what it holds (`example.answer` makes one). epsilon: what one of them spends of its user's budget; infinite
    where it is a function of the true record, without noise. epsilons: of each attribute, infinite where it is sent as
    it is, for a message that is about some of them only; none: all alike.
    """

    round: int
    sender: str
    kind: str
    says: str
    count: int
    bits: float
    epsilon: float = 0.0
    epsilons: tuple[float, ...] = ()

    @property
    def exact(self) -> bool:
        return self.epsilon == inf

    @property
    def bytes(self) -> int:
        """Of one message, whole bytes."""
        return max(1, ceil(self.bits / 8))


@dataclass(frozen=True, eq=False)
class Clustering:
    """labels (n,), modes (k, q), the rounds it took, the modes that were `sent` in each, (rounds, k, q), and messages.

    Labels are those of the nearest final mode (ties: the lowest). If only counts are known, they are one per kind.
    """

    labels: Codes
    modes: Codes
    rounds: int
    sent: Codes
    messages: tuple[Message, ...] = ()

    @property
    def k(self) -> int:
        return len(self.modes)

    def report_bits(self, people: int) -> float:
        """What one of so many people sends in all rounds, on average, bits; to a trusted curator the record itself."""
        return sum(message.count * message.bits for message in self.messages if message.sender == "user") / people


def index_bits(k: int) -> int:
    """Bits of the number of one of k things.

    >>> index_bits(1), index_bits(2), index_bits(5)
    (0, 1, 3)
    """
    return (k - 1).bit_length()


def modes_sent(round_: int, k: int, levels: tuple[int, ...], count: int, says: str) -> Message:
    """The server's k modes, to `count` people."""
    return Message(round_, "server", "modes", f"{k} {says}", count, modes_bits(k, levels))


def modes_bits(k: int, levels: tuple[int, ...]) -> int:
    """Bits of k tuples of codes."""
    return k * sum(index_bits(d) for d in levels)
