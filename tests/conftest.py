"""Hypothesis draws the same examples every time: a failure is a fact about the code, not about the day.

`-m quick` is the loop while one edits: the rooms of the engine and the charts, without what takes seconds by itself.
"""

import gc
import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings
from hypothesis.internal.conjecture import providers

# Before NumPy is there: two workers on two cores, each with a thread of BLAS per core, wait for one another most of
# the time, and on a busy machine nearly always. The dashboard that the browser tests start inherits it.
for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

HERE = Path(__file__).parent

# A page makes some hundred thousand objects and collecting the tests a million: the usual 700 are too few to look at.
gc.set_threshold(50_000, 20, 20)

# Images often forbid Python to keep what it has compiled: the tests start some thirty Pythons, and each would compile
# pandas, SciPy and all tests again, which takes longer than most of what it is for. It is kept beside pytest's own.
if os.environ.get("PYTHONDONTWRITEBYTECODE") not in (None, "", "planted"):  # tests/power/mutation changes modules
    del os.environ["PYTHONDONTWRITEBYTECODE"]
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = str(HERE.parent / ".pytest_cache" / "compiled")
    sys.dont_write_bytecode = False

settings.register_profile("fixed", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("fixed")
# It would also draw what stands as a constant in any module of ours that is there by then: other examples in another
# worker, and each parses six hundred files for it.
providers._get_local_constants = lambda: providers._local_constants

SLOW = {
    "test_baskets_real", "test_cli", "test_client", "test_data_bundled", "test_data_real", "test_data_recognise",
    "test_data_sentinels", "test_door", "test_folders", "test_hostile", "test_intervals", "test_itemsets_tables",
    "test_limit", "test_limit_sets", "test_limit_shares", "test_limits_table", "test_membership",
    "test_orbit_mechanism", "test_papers", "test_presence", "test_questionnaire", "test_ranges_averages",
    "test_ranges_exact", "test_ranges_local", "test_ranges_release", "test_ranges_search", "test_site", "test_study",
    "test_study_beside", "test_study_levels", "test_study_means", "test_study_ranges", "test_study_recommended",
    "test_study_review", "test_study_sets", "test_study_sets_levels", "test_verdicts", "test_workers",
}  # fmt: skip
"""Modules of tests/unit that take about three seconds or more."""


def pytest_configure(config: pytest.Config) -> None:
    """On a machine that has nothing yet every worker would compile the large libraries, all at once, and none would be
    faster for it: here they are compiled once, before there are workers.
    """
    if getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput"):
        if absent := absent_paths(config.args, Path(config.invocation_params.dir)):
            raise pytest.UsageError(f"no such file or folder: {', '.join(absent)}")  # of workers nobody hears it
        for library in ("plotly.graph_objects", "pyarrow", "scipy.optimize", "scipy.stats", "sklearn.ensemble",
                        "streamlit.testing.v1"):  # fmt: skip
            importlib.import_module(library)


def absent_paths(args: list[str], root: Path) -> list[str]:
    """The arguments that name tests of a file or folder that is not there."""
    return [arg for arg in args if not (root / arg.partition("::")[0]).exists()]


def pytest_collection(session: pytest.Session) -> None:
    read_bundled_data_once()
    import_apart(session)


def read_bundled_data_once() -> None:
    """Half a second for each, for most pages that are opened, many a test of the engine, and those that are collected
    by what is in them; a table does not change.
    """
    from ldpcore import data

    load = data.load
    bundled = cache(load)

    def loaded(reference: Any, *options: Any) -> data.Table:
        return bundled(reference) if reference in data.BUNDLED and not options else load(reference, *options)

    data.load = loaded


def import_apart(session: pytest.Session) -> None:
    """Rewriting all assertions takes as long as collecting the tests, and workers that collect in step would each do it
    for every file: each begins to import at another file, and later finds those that others have rewritten.
    """
    told = getattr(session.config, "workerinput", None)
    if told is None or sys.dont_write_bytecode or session.config.args != session.config.getini("testpaths"):
        return
    importlib.import_module("tests.app.conftest")  # as in the order of the folders: what it sets comes first
    files = sorted(HERE.rglob("test_*.py"))
    first = len(files) * int(told["workerid"].removeprefix("gw")) // told["workercount"]
    for file in files[first:] + files[:first]:
        with suppress(Exception, pytest.skip.Exception):  # what is wrong is said when the file is collected
            _imported(file)


def _imported(file: Path) -> None:
    """As pytest will import it: a folder that is no package is looked in for modules."""
    packaged = (file.parent / "__init__.py").exists()
    if not packaged and str(file.parent) not in sys.path:
        sys.path.insert(0, str(file.parent))
    parts = file.relative_to(HERE.parent if packaged else file.parent).with_suffix("").parts
    importlib.import_module(".".join(parts))


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Iterator[list[pytest.Collector]]:
    """Examples that are tests stand in the engine: looking for some in every test takes a fifth of the collecting."""
    found = yield  # type: ignore[misc]
    return [each for each in found if not isinstance(each, DoctestModule)]


def browses(file: str) -> bool:
    """Whether the tests of this file open a real browser."""
    return file.endswith("browser.py") or file.rpartition("/")[2] in ("test_looks.py", "test_screen.py")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:
    """A file is run by one worker, and all that need a browser by the same one: it mostly waits, so that the others
    have the cores, and there is one dashboard and one browser.
    """
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class BrowserTogether(LoadFileScheduling):
        """xdist looks for each test in the list of all, and counts all that are done whenever one more is: with twenty
        thousand tests that takes longer than many of them. Here places are known, and what is done is let go.
        """

        places: dict[str, int] | None = None

        def _split_scope(self, nodeid: str) -> str:
            file = super()._split_scope(nodeid)
            return "a browser" if browses(file) else file

        def _assign_work_unit(self, node: Any) -> None:
            if self.places is None:  # every worker has collected the same
                self.places = {nodeid: place for place, nodeid in enumerate(self.registered_collections[node])}
            scope, unit = self.workqueue.popitem(last=False)
            self.assigned_work.setdefault(node, {})[scope] = unit
            node.send_runtest_some([self.places[nodeid] for nodeid in unit])

        def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
            nodeid = self.registered_collections[node][item_index]
            scope, work = self._split_scope(nodeid), self.assigned_work[node]
            del work[scope][nodeid]
            if not work[scope]:
                del work[scope]
            self._reschedule(node)

    return BrowserTogether(config, log)


def place(item: pytest.Item, seen: dict[tuple[object, ...], dict[tuple[str, ...], int]]) -> int:
    """The sum of the places of a test's values in the lists that are crossed; `seen` is what stood there before. By
    what is written of them: which equal values are one object depends on who compiled the module.
    """
    callspec, added = item.callspec, 0  # type: ignore[attr-defined]
    for crossed in item.iter_markers("parametrize"):
        names = crossed.args[0].split(",") if isinstance(crossed.args[0], str) else crossed.args[0]
        known = seen.setdefault((item.parent, item.originalname, *names), {})  # type: ignore[attr-defined]
        added += known.setdefault(tuple(repr(callspec.params[name.strip()]) for name in names), len(known))
    return added


def is_usual(place: int, of: int, first: int = 0) -> bool:
    return place % of == first


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    seen: dict[tuple[object, ...], dict[tuple[str, ...], int]] = {}
    for item in items:
        if (one_in := item.get_closest_marker("one_in")) and not is_usual(place(item, seen), *one_in.args):
            item.add_marker(pytest.mark.thorough)  # so each value of each list is usual, with some of the others
        path = Path(str(item.path))
        room = path.parent.name
        brief = (room == "unit" and path.stem not in SLOW) or path.stem == "test_architecture"
        if brief and not item.get_closest_marker("thorough"):  # `-m quick` takes the place of `-m 'not thorough'`
            item.add_marker(pytest.mark.quick)


def pytest_collection_finish() -> None:
    """Thousands of tests stay; whoever looks for garbage need not look through them again and again."""
    gc.collect()
    gc.freeze()
