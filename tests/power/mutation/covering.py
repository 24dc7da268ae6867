"""Which tests run which line of the engine, and how long each takes: found once, renewed for test files that changed.

Lines are kept as (room, how far below the room's first line), so that an edit above a function moves nothing.
"""

import hashlib
import json
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from .mutators import Mutant, rooms

FOLDERS = ("tests/unit", "tests/laws", "tests/golden", "tests/power")
"""The engine's tests; those of the app are many times as slow, and are not there for it."""

APART = ("test_site.py", "test_docs.py", "test_hostile.py", "test_mutation.py")
"""They read texts and pages, or are about this harness."""

OPTIONS = ("-q", "-o", "addopts=", "-p", "no:cacheprovider", "-p", "no:xdist", "--doctest-modules", "-m",
           "not thorough", "-W", "ignore::pytest.PytestAssertRewriteWarning")  # fmt: skip


@dataclass(frozen=True)
class Test:
    name: str
    seconds: float

    @property
    def file(self) -> str:
        return self.name.split("::")[0]

    @property
    def function(self) -> str:
        return self.name.split("[")[0]


@dataclass
class Covering:
    """`lines` leads from (path, room, line below) to numbers of tests, `files` from each test file to its own."""

    tests: list[Test] = field(default_factory=list)
    lines: dict[tuple[str, str, int], list[int]] = field(default_factory=lambda: defaultdict(list))
    by_room: dict[tuple[str, str], set[int]] = field(default_factory=lambda: defaultdict(set))
    by_path: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))

    def add(self, found: dict[str, Any]) -> None:
        shift = len(self.tests)
        self.tests += [Test(*test) for test in found["tests"]]
        for path, room, below, numbers in found["lines"]:
            at = [shift + number for number in numbers]
            self.lines[path, room, below] += at
            self.by_room[path, room].update(at)
            self.by_path[path].update(at)

    def of(self, mutant: Mutant, begin: int, users: list[tuple[str, str]]) -> set[int]:
        """The tests that run the mutant's lines; for a constant outside of functions, those of its `users`."""
        if mutant.room:
            first, last = (line - begin for line in mutant.lines)
            hit = {
                test
                for below in range(first, last + 1)
                for test in self.lines.get((mutant.path, mutant.room, below), [])
            }
            return hit or self.by_room.get((mutant.path, mutant.room), set())
        asked = {test for user in users for test in self.by_room.get(user, set())}
        return asked or self.by_path.get(mutant.path, set())


def test_files(tree: Path) -> list[str]:
    found = [file for folder in FOLDERS for file in sorted((tree / folder).glob("test_*.py")) if file.name not in APART]
    return [str(file.relative_to(tree)) for file in found] + ["ldpcore"]


def stamp(tree: Path, file: str) -> str:
    """Of a test file and of what it imports from its folder. The engine's own changes are followed by room."""
    if file == "ldpcore":
        parts = [path for path in sorted(tree.glob("ldpcore/**/*.py")) if b">>> " in path.read_bytes()]
    else:
        parts = [tree / file, *(p for p in sorted((tree / file).parent.glob("*.py")) if not p.name.startswith("test_"))]
    return hashlib.sha256(b"".join(part.read_bytes() for part in parts)).hexdigest()


def record(tree: Path, file: str, result: Path) -> None:
    """Runs one test file under coverage, a context per test, and writes what was found."""
    import coverage  # not among the tests' requirements: `pip install -e ".[mutation]"`

    cover = coverage.Coverage(data_file=None, config_file=False, include=[f"{tree}/ldpcore/*"], concurrency="thread")
    watch = _Watch(cover)
    cover.start()
    try:
        code = pytest.main([*OPTIONS, f"--rootdir={tree}", file], plugins=[watch])
    finally:
        cover.stop()
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise SystemExit(f"pytest ends with {code!r} on {file}")
    right = {name: i for i, name in enumerate(name for name in watch.seconds if name not in watch.failed)}
    tests = [(name, round(watch.seconds[name], 3)) for name in right]
    lines = list(_lines(cover.get_data(), tree, right))
    result.write_text(json.dumps({"stamp": stamp(tree, file), "tests": tests, "failed": watch.failed, "lines": lines}))


class _Watch:
    def __init__(self, cover: Any) -> None:
        self.cover = cover
        self.seconds: dict[str, float] = {}
        self.failed: list[str] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        self.cover.switch_context(item.nodeid)
        begin = time.process_time()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = time.process_time() - begin
            self.cover.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:  # also what is skipped: it kills nothing
            self.failed.append(report.nodeid)


def _lines(data: Any, tree: Path, right: dict[str, int]) -> Iterator[tuple[str, str, int, list[int]]]:
    for measured in sorted(data.measured_files()):
        place = {
            line: (room, line - begin)
            for room, begin, end in rooms(Path(measured).read_bytes())
            for line in range(begin, end + 1)
        }
        path = str(Path(measured).relative_to(tree))
        for line, names in sorted(data.contexts_by_lineno(measured).items()):
            numbers = sorted(right[name] for name in names if name in right)
            if line in place and numbers:
                yield path, *place[line], numbers
