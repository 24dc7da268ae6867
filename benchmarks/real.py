"""Real data that others published, not part of the project; where they are absent, a row says so."""

import gzip
import os
from pathlib import Path

from benchmarks.case import NotHere
from ldpcore.data import Table, read

FOLDER = "LDPCORE_DATA"


def folder() -> Path:
    """Beside the checkout, unless LDPCORE_DATA (which --data-folder sets) says otherwise."""
    return Path(os.environ.get(FOLDER, Path(__file__).resolve().parents[2] / "shared" / "data"))


def need(name: str) -> Path:
    """Where a real file is; NotHere with a sentence."""
    path = folder() / name
    if not path.is_file():
        raise NotHere(f"{name} is not in the folder of real data (LDPCORE_DATA, or --data-folder)")
    return path


def opened(name: str) -> Table:
    """A real file as a person loads it."""
    return read(need(name).read_bytes(), name)


def lines(name: str) -> list[str]:
    """The lines of a packed text file, without their ends."""
    with gzip.open(need(name), "rt", encoding="utf-8-sig") as file:
        return [line.rstrip("\n") for line in file]


def baskets(name: str, separator: str | None = None) -> list[list[str]]:
    """A packed text file with one basket a line."""
    return [[item for item in line.split(separator) if item] for line in lines(name)]
