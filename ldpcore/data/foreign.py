"""The one place where a library's failure on somebody's file becomes a sentence."""

from collections.abc import Iterator
from contextlib import contextmanager

from ldpcore.data.errors import DataError

_PANIC = "PanicException"
"""What a library written in Rust raises where it finds a mistake of its own; it is no Exception."""


@contextmanager
def bounded(name: str, what: str) -> Iterator[None]:
    """Around calls of a library that reads a file's bytes, and hardly anything else: whatever it raises, DataError
    comes out.

    A damaged or hostile file can make calamine or Arrow raise nearly any error (KeyError, AttributeError, zlib.error,
    OSError …), so no list of them would do. The cause stays with the error. what: "an Excel file".
    """
    try:
        yield
    except DataError:  # ours, from between the calls
        raise
    except MemoryError as error:
        raise DataError(
            f"“{name}” is too large.",
            f"As {what}, it claims more data than fit into memory. Perhaps it is damaged; otherwise keep only the "
            "columns you need.",
        ) from error
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != _PANIC:
            raise
        raise DataError(
            f"“{name}” is damaged.", f"It begins as {what}, but cannot be read. Save it again, or as CSV."
        ) from error
