"""The catalogue's mechanisms as tables: what one begins from, and what is read back with the same numbers."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldpcore import catalog, checks
from ldpcore.channel import Channel, ReportColumn
from ldpcore.domain import Interval
from ldpcore.mechanisms.sampled import SampledSymbol
from ldpcore.numeric_randomizer import Intervals
from ldpcore.randomizer import NotEnumerable

from .reading import PADDING

Array = NDArray[np.float64]
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


def sets_channel(key: str, epsilon: float, k: int, m: int, sensitive: np.ndarray | None = None) -> Channel:
    """A mechanism for sets that sends one sampled item by its code, as the table of that item: (k + 1, k + 1), the last
    row and report being those of padding, which the catalogue sends as one of m codes.

    ValueError with a sentence for other mechanisms.

    >>> table = sets_channel("GRR-Sample", 1.0, 3, m=2)
    >>> table.matrix.round(3).tolist()[2:]
    [[0.149, 0.149, 0.405, 0.298], [0.149, 0.149, 0.149, 0.553]]
    """
    if key not in catalog.SETS or not issubclass(catalog.SETS[key].factory, SampledSymbol):
        able = [name for name, entry in catalog.SETS.items() if issubclass(entry.factory, SampledSymbol)]
        raise ValueError(
            f"a table for sets is that of one sampled item, sent as one of few reports: {' and '.join(able)} are "
            f"written down so, {key} is not"
        )
    made: Any = catalog.SETS[key].build(epsilon, k, sensitive, m, m)
    rows = made.single.channel().matrix[: k + 1]
    names = (*map(str, range(k)), PADDING)
    return Channel(np.column_stack([rows[:, :k], rows[:, k:].sum(axis=1)]), tuple(map(ReportColumn, names)))


BESIDE = 1e-3
"""How far from an end of what is marked the next row is."""


def numbers_channel(
    key: str, epsilon: float, public: Interval, low: Intervals = (), rows: int = 5, reports: int = 8
) -> tuple[Channel, Array]:
    """A mechanism for numbers as a table, and the numbers of its rows, in the units of the public range: so many even
    ones, and two at every end of what is marked. Its reports are told by equal parts of where they fall, and by the few
    numbers that it sends more often; low: the intervals of [-1, 1] that are not marked.

    What it promises, the table keeps at no larger ε: its reports are told less exactly, and numbers round to its rows.

    >>> table, at = numbers_channel("Duchi", 1.0, Interval(18, 98), rows=2)
    >>> table.matrix.round(3).tolist(), at.tolist()
    ([[0.731, 0.269], [0.269, 0.731]], [18.0, 98.0])
    """
    many, parts = checks.integer(rows, "rows", 2, 1000), checks.integer(reports, "reports", 2, 1000)
    made, at = catalog.MEANS[key].build(epsilon, low), np.linspace(-1, 1, many)
    # What is marked may have another law than what is beside it: a row for either, and hardly a number between them.
    inner = [(end, sign) for pair in checks.intervals(low) for end, sign in zip(pair, (1, -1), strict=True)]
    ends = [(float(np.nextafter(end, -2 * sign)), end + sign * BESIDE) for end, sign in inner if -1 < end < 1]
    at = at[np.all([np.abs(at - end) > 2 * BESIDE for end, _ in ends] or [at == at], axis=0)]
    at = np.sort(np.concatenate([at, *(np.array(pair) for pair in ends)]))
    at = np.unique(np.append(at, [-1.0, 1.0]))
    atoms = np.asarray(getattr(made, "atoms", np.zeros(0)))
    far = max(1.0, *np.abs(np.append(made.edges[[0, -1]] / 2, atoms)))
    sent = made.places(at)[made.disclosure(at) > 0]
    edges = np.concatenate([np.linspace(-far, far, parts + 1), atoms, np.nextafter(atoms, np.inf), sent])
    edges = np.unique(edges)
    mass = made.mass(at, edges)
    some = mass.any(axis=0)
    middle = public.decode(((edges[:-1] + edges[1:]) / 2)[some])
    return Channel(mass[:, some], tuple(ReportColumn(f"{place:.6g}") for place in middle)), public.decode(at)


def to_csv(channel: Channel, answers: Sequence[str] = (), corner: str = "answer") -> str:
    """The table with names of answers and reports, every chance with all its digits; `read` reads it back. corner: what
    a row is, "number" for `read_numbers`.

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
    head = ",".join([corner, *map(_quoted, reports)])
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


__all__ = ["NotEnumerable", "channel_of", "numbers_channel", "sets_channel", "to_csv", "to_python"]
