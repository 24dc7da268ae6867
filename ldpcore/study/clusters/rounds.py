"""A clustering round by round: the bill for its messages, and one person's part in them.

>>> import numpy as np
>>> from ldpcore.clusters import Records, ldpk
>>> from ldpcore.rng import stream
>>> records = Records.of(np.array([[0, 0, 1], [0, 0, 2], [0, 1, 1], [3, 1, 0], [3, 1, 0]]))
>>> found = ldpk(records, 2, 1.0, stream(1))
>>> bill(found)[["round", "sender", "messages", "bytes", "epsilon"]].head(3).values.tolist()
[[0, 'user', 5, 1, 1.0], [1, 'server', 5, 2, 0.0], [1, 'user', 5, 1, inf]]
>>> heard = exchange(found, records, 1, record_of(records, 4), stream(2))
>>> heard.agreements, heard.nearest, heard.answers[0].sent  # both modes agree in two attributes
((2, 2), 0, (0,))
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore import checks
from ldpcore.clusters import Clustering, ExampleReport, Message, Records, answer
from ldpcore.domain import Categorical


def bill(found: Clustering) -> pd.DataFrame:
    """Every message of a run: round, sender, messages (how many are sent), bytes (of each), epsilon, says.

    epsilon is what one message spends of its user's budget: 0 for the server's, infinite where the message is a
    function of the true record that no noise covers (theory/clusters#leak-of-the-index).
    """
    rows = [(m.round, m.sender, m.count, m.bytes, m.epsilon, m.says) for m in found.messages]
    return pd.DataFrame(rows, columns=["round", "sender", "messages", "bytes", "epsilon", "says"])


def record_of(records: Records, person: int) -> list[int]:
    """The q codes of one person, numbered from 0; where only counts are known people stand kind by kind.

    ValueError for a person whom the records do not have.
    """
    place = checks.integer(person, "person (numbered from 0)", 0, records.n - 1)
    if records.kind is not None:
        return records.codes[records.kind[place]].tolist()
    return records.codes[int(np.searchsorted(np.cumsum(records.counts), place, side="right"))].tolist()


@dataclass(frozen=True, eq=False)
class Exchange:
    """One round of a run as one person sees it.

    modes: those just received, codes (k, q); None in a round in which the server sends none. agreements: attributes in
    which each of them equals the person's record. asked: what users send, None where nobody is asked; everybody:
    whether all are asked in this round. answers: what the person says if asked, drawn anew.
    """

    messages: tuple[Message, ...]
    modes: NDArray[np.intp] | None
    agreements: tuple[int, ...]
    asked: Message | None
    everybody: bool
    answers: tuple[ExampleReport, ...]

    @property
    def nearest(self) -> int | None:
        """The number of the mode nearest to the record, from 0; ties: the lowest."""
        return int(np.argmax(self.agreements)) if self.agreements else None


def rounds(found: Clustering) -> list[int]:
    """The numbers of the rounds in which something is sent; 0 is before the first."""
    return sorted({message.round for message in found.messages})


def exchange(
    found: Clustering, records: Records, round: int, record: Sequence[int], rng: np.random.Generator
) -> Exchange:
    """A round of this run, with the answer that a person with this record (q codes) gives if asked in it.

    ValueError for a round in which nothing is sent.
    """
    messages = tuple(message for message in found.messages if message.round == round)
    if not messages:
        raise ValueError(f"nothing is sent in round {round}; the rounds are {', '.join(map(str, rounds(found)))}")
    asked = next((message for message in messages if message.sender == "user"), None)
    modes = found.modes if asked is None else found.sent[max(round, 1) - 1]
    answers = () if asked is None else answer(asked, record, records.levels, modes, rng)
    received = modes if any(message.kind == "modes" for message in messages) else None
    agree = () if received is None else tuple((received == np.asarray(record)).sum(axis=1).tolist())
    return Exchange(messages, received, agree, asked, asked is not None and asked.count == records.n, answers)


def label(message: Message, answer: ExampleReport, domains: Sequence[Categorical], number: int) -> str:
    """What a number of an answer to this message stands for: a value, a pair of values, or "cluster·value".

    domains: of all attributes.
    """
    last = domains[answer.attributes[-1]]
    head, value = divmod(number, last.k)
    if message.kind == "cell":
        return f"{head + 1}·{last.labels[value]}"
    if len(answer.attributes) == 2:
        return f"{domains[answer.attributes[0]].labels[head]} + {last.labels[value]}"
    return last.labels[number]
