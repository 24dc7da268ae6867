"""Real data that others published: not part of the project, so what needs them is skipped where they are absent."""

import gzip
import os
from pathlib import Path

import pytest

from ldpcore.data import Table, read

FOLDER = Path(os.environ.get("LDPCORE_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
"""Beside the checkout, unless LDPCORE_DATA says otherwise."""


def need(name: str) -> Path:
    """Where a real file is."""
    path = FOLDER / name
    if not path.is_file():
        pytest.skip(f"{name} is not in {FOLDER}; set LDPCORE_DATA to the folder of the real files")
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
