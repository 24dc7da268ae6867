"""The one place where what a terminal computed is written: whole, or with a sentence."""

import contextlib
import os
import uuid
from collections.abc import Iterator
from pathlib import Path

from ldpcore.data.errors import DataError


@contextlib.contextmanager
def saving(path: Path) -> Iterator[Path]:
    """A path to write to, which is `path` when all is written: on a full disk an older file of that name stays.

    DataError where it cannot be, for whatever reason the system has.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with saving(Path(folder) / "table.csv") as there:
    ...         _ = there.write_text("share\\n0.5\\n")
    ...     [path.name for path in Path(folder).iterdir()]
    ['table.csv']
    """
    whole = path.resolve()
    # What is there and is no file (a device, a pipe) cannot be put in another's place.
    beside = whole if whole.exists() and not whole.is_file() else whole.with_name(f".{uuid.uuid4().hex}{whole.suffix}")
    try:
        try:
            yield beside
            if beside != whole:
                beside.replace(whole)
        finally:
            if beside != whole:
                beside.unlink(missing_ok=True)
    except OSError as error:
        raise DataError(f"“{path}” cannot be written.", f"{reason(error)}. Name another file, or make room.") from error


def reason(error: OSError) -> str:
    """Why, in the system's words: Arrow has its own, beside the system's number."""
    return os.strerror(error.errno) if error.errno else str(error)
