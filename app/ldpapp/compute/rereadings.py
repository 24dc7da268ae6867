"""What a file would be if it were read in another way: numbers before and after, and the rows that tell why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ldpapp.compute.memory import remember
from ldpcore import data
from ldpcore.data import DataError, ReadOptions, Table
from ldpcore.data.differences import Difference, Row, difference, rows

MOST_BYTES = 8_000_000
"""Of larger files nothing is read ahead: a page would wait for it."""
_WIDE = 2
"""Columns of the rows that are shown."""


@dataclass(frozen=True, eq=False)
class Upload:
    """A file as it came, perhaps with a dictionary of labels or with another file about its items (name, bytes), and
    how it was last read. Bundled data have no content here.
    """

    name: str
    content: bytes
    dictionary: bytes | None = None
    items: tuple[str, bytes] | None = None
    options: ReadOptions = ReadOptions()  # noqa: RUF009 - a frozen value

    @property
    def is_bundled(self) -> bool:
        return self.name in data.BUNDLED and not self.content


@dataclass(frozen=True)
class ComparedReadings:
    """change: None where no number does. shown: rows of these columns. refused: why it cannot be read so, or ""."""

    change: Difference | None = None
    columns: tuple[str, ...] = ()
    shown: tuple[Row, ...] = ()
    refused: str = ""


def read(upload: Upload, name: str) -> Table:
    """The table that it is. DataError: it cannot be read so."""
    if upload.is_bundled:
        return data.load(upload.name, upload.options)
    table = data.read(upload.content, name, upload.options)
    if upload.dictionary is not None:
        table = table.with_labels(labels(upload))
    if upload.items is not None:
        table = table.with_items(data.read(upload.items[1], upload.items[0], ReadOptions(layout="table")))
    return table


def labels(upload: Upload) -> Mapping[str, Mapping[str, str]]:
    """What its dictionary, or a catalogue of SAS, calls the codes of its columns. DataError: it does not fit."""
    return data.labels(upload.dictionary or b"", (upload.name, upload.content))


def compared(
    now: Table, upload: Upload | None, options: ReadOptions, columns: Sequence[str], beside: bool = False,
    wanted: bool = False,
) -> ComparedReadings | None:  # fmt: skip
    """What these options would change, of these columns or of all; None where the bytes are gone, or too many to be
    read unless that is wanted. beside: rows are shown with another column.
    """
    if upload is None or (len(upload.content) > MOST_BYTES and not wanted):
        return None
    key = now.digest, now.options, options, tuple(columns), beside
    return remember("rereadings", 64, key, lambda: _compared(now, upload, options, columns, beside))


def _compared(
    now: Table, upload: Upload, options: ReadOptions, columns: Sequence[str], beside: bool
) -> ComparedReadings:
    try:
        other = read(replace(upload, options=options), now.name)
    except DataError as error:
        return ComparedReadings(refused=error.sentence)
    change = difference(now, other, columns)
    about = columns or ([change.column] if change is not None and change.column else list(now.frame.columns))
    names = [str(name) for name in about if name in now.frame.columns][:_WIDE]
    others = [each.name for each in now.profile() if each.role == "category" and each.name not in names]
    names += others[: beside and _WIDE - len(names)]
    return ComparedReadings(change, tuple(names), rows(now, other, names))
