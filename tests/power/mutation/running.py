"""A mutant is run in a child of a process that has imported what is slow to import, but nothing of the engine."""

import contextlib
import gc
import importlib
import json
import os
import resource
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from .covering import OPTIONS, Test

WARM = ("numpy", "pandas", "scipy.optimize", "scipy.stats", "scipy.sparse.linalg", "scipy.special", "sklearn.ensemble",
        "sklearn.metrics", "pyarrow.parquet", "pyarrow.compute", "pyarrow.csv", "openpyxl", "hypothesis", "tomli_w",
        "click.testing", "tqdm", "pooch", "threadpoolctl", "plotly.graph_objects", "concurrent.futures")  # fmt: skip

MEMORY = 8 << 30
"""A mutant that asks for more address space than this gets a MemoryError."""

SKIPPED = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".hypothesis", ".*_cache", "node_modules")


def warm(libraries: Iterable[str]) -> None:
    """What every child would import for itself, and in one thread."""
    for thread in ("OPENBLAS", "OMP", "MKL"):
        os.environ[f"{thread}_NUM_THREADS"] = "1"
    for library in libraries:
        importlib.import_module(library)
    gc.collect()
    gc.freeze()


def keep_compiled(folder: Path) -> None:
    """Where images forbid Python to keep it, each child, and each Python that a test starts, compiles every library."""
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = str(folder / "compiled")
        sys.dont_write_bytecode = False


def copy_tree(source: Path, tree: Path) -> None:
    """A fresh copy, in which compiled files of what has not changed stay."""
    keep = {p.relative_to(tree) for p in tree.rglob("*.py")} if tree.exists() else set()
    for path in keep:
        if not (source / path).exists():
            (tree / path).unlink()
    shutil.copytree(source, tree, ignore=SKIPPED, dirs_exist_ok=True)


def child(tree: Path, work: Callable[[], None], cpu: float, wall: float) -> str:
    """'done', 'too long' or 'died': what became of `work` in a child, in `tree`, with so many seconds."""
    pid = os.fork()
    if not pid:
        code = 1
        try:
            _enter(tree, cpu)
            work()
            code = 0
        except BaseException:  # it is told in the parent's words, and must not go on as another parent
            (tree.parent / "died.txt").write_text(traceback.format_exc())
        finally:
            os._exit(code)
    end = time.monotonic() + wall
    done, status = 0, 0
    while not done and time.monotonic() < end:
        time.sleep(0.02)
        done, status = os.waitpid(pid, os.WNOHANG)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)  # also what it has started
    if not done:
        os.waitpid(pid, 0)
        return "too long"
    if os.WIFSIGNALED(status):
        return "too long" if os.WTERMSIG(status) == signal.SIGXCPU else "died"
    return "done" if os.WEXITSTATUS(status) == 0 else "died"


def _enter(tree: Path, cpu: float) -> None:
    os.setsid()
    # What a script starts with `&` ignores Ctrl-C, and so would all that begins here: a test that stops itself with it
    # would wait for ever.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(tree)
    for name in [name for name in sys.modules if name.split(".")[0] in ("tests", "ldpcore", "ldpapp")]:
        del sys.modules[name]
    sys.path[:0] = [str(tree), str(tree / "app")]
    os.environ["PYTHONPATH"] = f"{tree}:{tree / 'app'}"
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    resource.setrlimit(resource.RLIMIT_CPU, (int(cpu) + 1, int(cpu) + 3))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


@dataclass
class Verdict:
    """`fate`: killed, survived, or untested where no test was there to run; `by`: the first test that failed."""

    fate: str
    by: str = ""
    tests: int = 0


def run(tree: Path, tests: Iterable[Test], cpu: float) -> Verdict:
    """Runs these tests, in this order, on the tree as it is, up to the first that fails."""
    chosen = list(tests)
    cost = sum(test.seconds for test in chosen)
    result = tree / ".verdict.json"
    result.unlink(missing_ok=True)

    def work() -> None:
        sys.dont_write_bytecode = True
        os.environ["PYTHONDONTWRITEBYTECODE"] = "planted"  # tests/conftest.py leaves it so
        selection = _Selection(chosen)
        code = pytest.main([*OPTIONS, "-x", f"--rootdir={tree}", *selection.files], plugins=[selection])
        result.write_text(json.dumps([int(code), selection.failed, selection.ran]))

    fate = child(tree, work, cpu=cpu + 4 * cost, wall=900)
    if fate != "done" or not result.exists():
        return Verdict("killed", fate, len(chosen))
    code, failed, ran = json.loads(result.read_text())
    if code in (0, 5):
        return Verdict("survived" if ran else "untested", "", ran)
    return Verdict("killed", failed or "collection", ran)


class _Selection:
    def __init__(self, chosen: list[Test]) -> None:
        self.places = {test.name: i for i, test in enumerate(chosen)}
        self.files = list(dict.fromkeys(test.file for test in chosen))
        self.failed, self.ran = "", 0

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = [item for item in items if item.nodeid in self.places]
        items.sort(key=lambda item: self.places[item.nodeid])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.ran += report.when == "call"
        if report.failed and not self.failed:
            self.failed = report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and not self.failed:
            self.failed = f"collecting {report.nodeid}"
