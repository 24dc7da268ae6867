"""What a folder of reports says of itself: which client drew them, and of which answers.

The plan is written before the first report is drawn, and whole or not at all. It lists the file of each part with the
rows that the part has and a digest of their content: answers that are others by the time they are read, or when an
interrupted run goes on, are refused by the name of their file.
"""

import contextlib
import json
import os
import sys
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ldpcore.data import DataError

if sys.platform != "win32":  # which has no such locks: two processes are not told from one there
    import fcntl

PLAN = "_perturbed.json"
"""Its name keeps it from being read as reports, as that of LOCK does."""
LOCK = "_perturbing.lock"
"""There while a process draws reports into the folder; one that is left behind locks nobody out."""
FORMAT = "ldpcore reports 1"


@dataclass(frozen=True)
class Content:
    """Of one part: rows of Parquet, or lines of text, and `Partition.fingerprint`."""

    rows: int
    digest: str


@dataclass(frozen=True)
class DrawingPlan:
    """client: its digest. how: of what else decides which answers are read. parts: file of reports → what it is of."""

    client: str
    how: str
    parts: dict[str, Content]

    def to_json(self) -> str:
        parts = {file: vars(content) for file, content in self.parts.items()}
        document = {"format": FORMAT, "client": self.client, "how": self.how, "parts": parts}
        return json.dumps(document, ensure_ascii=False, indent=1) + "\n"

    def write(self, folder: Path) -> None:
        """Whole or not at all. OSError where it cannot be."""
        unfinished = folder / f"{PLAN}.{uuid.uuid4().hex}"
        try:
            with unfinished.open("w", encoding="utf-8") as file:
                file.write(self.to_json())
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(folder / PLAN)
        finally:
            unfinished.unlink(missing_ok=True)

    def others(self, given: "DrawingPlan") -> list[str]:
        """The files of reports whose answers are others there, in part or altogether."""
        return sorted(file for file in {*self.parts, *given.parts} if self.parts.get(file) != given.parts.get(file))

    def missing(self, folder: Path) -> int:
        """How many of its files are not there yet."""
        return sum(not (folder / file).is_file() for file in self.parts)


def read(folder: Path) -> DrawingPlan:
    """The plan of a folder that has one; DataError where it is damaged."""
    path = folder / PLAN
    try:
        about = path.stat()
        return _read(path, about.st_mtime_ns, about.st_size)
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise DataError(
            f"“{path}” is damaged, or of another version of ldpcore.",
            "It said which client drew these reports, and of which answers. Draw to another folder; to estimate from "
            "the reports as they are, take that file away.",
        ) from error


@lru_cache(maxsize=64)
def _read(path: Path, changed: int, size: int) -> DrawingPlan:
    """A thousand files of reports have one plan."""
    document = json.loads(path.read_text(encoding="utf-8"))
    parts = {file: Content(int(one["rows"]), str(one["digest"])) for file, one in document["parts"].items()}
    if document["format"] != FORMAT or not parts or not isinstance(document["client"], str):
        raise ValueError("this is no plan")
    return DrawingPlan(document["client"], str(document["how"]), parts)


def of_file(path: Path) -> DrawingPlan | None:
    """The plan that lists this file of reports, in its folder or one above; None where none does."""
    whole = path.resolve()
    for folder in whole.parents:
        if (folder / PLAN).is_file():
            plan = read(folder)
            if whole.relative_to(folder).as_posix() in plan.parts:
                return plan
    return None


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """No other process draws into this folder meanwhile. DataError where one does, or where nothing can be locked.

    The lock is the operating system's, on an open file: it ends with the process, however that ends.
    """
    if sys.platform == "win32":
        yield
        return
    path = folder / LOCK
    try:
        file = _locked(path)
    except BlockingIOError as error:
        raise DataError(
            f"Another process draws reports into “{folder}”.",
            "Wait until it ends, or name another folder: reports that are drawn twice give away twice as much.",
        ) from error
    except OSError as error:
        raise DataError(f"“{folder}” cannot be locked.", f"{error.strerror}. Name another folder.") from error
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(file)


def _locked(path: Path) -> int:
    """This file, open and locked. BlockingIOError where somebody else has it."""
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if path.exists() and os.path.samestat(os.fstat(file), path.stat()):
                return file
        except OSError:
            os.close(file)
            raise
        os.close(file)  # who had it took it away meanwhile
