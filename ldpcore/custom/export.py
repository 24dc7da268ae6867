"""The catalogue's mechanisms as tables: what one begins from, and what is read back with the same numbers."""

from collections.abc import Sequence

import numpy as np

from ldpcore import catalog, checks
from ldpcore.channel import Channel
from ldpcore.randomizer import NotEnumerable

SETS = "sets of one item, as if the question were about single answers"


def channel_of(key: str, epsilon: float, k: int, sensitive: np.ndarray | None = None) -> Channel:
    """The channel of a mechanism of the catalogue; one for sets of items is taken with sets of one.

    ValueError or NotEnumerable with a sentence where it has no single table.

    >>> channel_of("GRR", 1.0, 3).matrix.round(3).tolist()[0]
    [0.576, 0.212, 0.212]
    """
    if key in catalog.FREQUENCY:
        made = catalog.FREQUENCY[key].build(epsilon, k, sensitive)
        if made.hashed:
            raise ValueError(
                f"{key} draws a hash for every person and has a table for each of them, not one: take another mechanism"
            )
        return made.channel()
    if key in catalog.SETS:
        marks = checks.mask(sensitive, k)
        sets = catalog.SETS[key].build(epsilon, k, marks, 1)
        if sets.hashed:
            raise ValueError(
                f"{key} draws a hash for every person and has a table for each of them, not one: take another mechanism"
            )
        channel = sets.channel()
        order = np.argsort(channel.sets[:, 0])
        return Channel(channel.matrix[order], channel.columns)
    known = ", ".join([*catalog.FREQUENCY, *catalog.SETS])
    raise ValueError(f"there is no mechanism {key!r} that has a channel; there are {known}")


def to_csv(channel: Channel, answers: Sequence[str] = ()) -> str:
    """The table with names of answers and reports, every chance with all its digits; `read` reads it back.

    A report that is a value's code is called as its answer is.

    >>> print(to_csv(Channel(np.array([[0.75, 0.25], [0.25, 0.75]]), channel_of("GRR", 1.0, 2).columns)))
    answer,0,1
    0,0.75,0.25
    1,0.25,0.75
    """
    names = list(answers) or [str(x) for x in range(channel.k)]
    reports = [column.label for column in channel.columns]
    if all(label.isdecimal() and int(label) < channel.k for label in reports):
        reports = [names[int(label)] for label in reports]
    head = ",".join(["answer", *map(_quoted, reports)])
    rows = (
        ",".join([_quoted(name), *map(repr, row)]) for name, row in zip(names, channel.matrix.tolist(), strict=True)
    )
    return "\n".join([head, *rows])


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if any(sign in text for sign in ',"\n') else text


def to_python(channel: Channel, sensitive: np.ndarray | None = None) -> str:
    """Lines that build it as a mechanism of one's own."""
    rows = ",\n".join(f"    {row!r}" for row in channel.matrix.tolist())
    marks = "" if sensitive is None or not sensitive.any() else f", sensitive=np.array({sensitive.tolist()!r})"
    names = "" if sensitive is None else "import numpy as np\n\n"
    names = names if marks else ""
    imported = f"{names}from ldpcore.custom import CustomMechanism\n\n"
    return f"{imported}matrix = [\n{rows},\n]\nmechanism = CustomMechanism(matrix{marks})\n"


__all__ = ["NotEnumerable", "channel_of", "to_csv", "to_python"]
