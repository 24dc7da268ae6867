"""`python -m tests.hostile_reading uploads`: what becomes of each file of the corpus, and in which time and memory.

A process of its own, which imports what reads and nothing else: a crash ends it alone, and what it needs is its own.
"""

import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ldpcore.data import DataError, read
from tests import hostile


def outcome(content: bytes, name: str) -> str:
    """What a person gets: "" for a table whose every column is counted, else the sentence."""
    try:
        table = read(content, name)
        for column in table.sets:
            table.baskets(column)
        table.sentinels()
        for profile in table.profile():
            if profile.role == "category":
                table.categorical(profile.name, "category")
    except DataError as error:
        refused = error
    else:
        return ""
    assert refused.sentence.endswith(".")
    assert refused.why.endswith(".")
    return str(refused)


def made_elsewhere(make: Callable[[], bytes]) -> bytes:
    """In a process that ends, and what it needed with it."""
    with tempfile.NamedTemporaryFile() as file:
        if (child := os.fork()) == 0:
            Path(file.name).write_bytes(make())
            os._exit(0)
        os.waitpid(child, 0)
        return Path(file.name).read_bytes()


def measured(which: str) -> None:
    """In a process of its own: a line for every file, when it is done."""
    if which == "uploads":
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        files = hostile.uploads()
    else:
        kinds = hostile.large() | {name: make for name, (_, make) in hostile.growing().items()}
        files = {which: made_elsewhere(kinds[which])}
    Path("/proc/self/clear_refs").write_text("5")  # memory at most, from here on: making the files is not reading them
    for name, content in files.items():
        start = time.process_time()
        said = outcome(content, f"{name}.csv")
        seconds = time.process_time() - start
        peak = next(
            int(line.split()[1]) for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line
        )
        print(json.dumps([name, said, seconds, peak / 1024]), flush=True)


if __name__ == "__main__":
    measured(sys.argv[1])
