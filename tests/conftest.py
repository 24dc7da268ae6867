"""Hypothesis draws the same examples every time: a failure is a fact about the code, not about the day.

`-m quick` is the loop while one edits: the rooms of the engine and the charts, without what takes seconds by itself.
"""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# Before NumPy is there: two workers on two cores, each with a thread of BLAS per core, wait for one another most of
# the time, and on a busy machine nearly always. The dashboard that the browser tests start inherits it.
for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

settings.register_profile("fixed", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("fixed")

SLOW = {
    "test_cli", "test_data_bundled", "test_data_hostile", "test_data_real", "test_data_recognise", "test_data_refusals",
    "test_door", "test_limit_sets", "test_limit_shares", "test_limits_table", "test_membership", "test_papers",
    "test_papers_stored", "test_presence", "test_ranges_exact", "test_ranges_local", "test_ranges_release",
    "test_ranges_search", "test_site", "test_study", "test_study_files", "test_study_means", "test_study_ranges",
    "test_study_sets", "test_verdicts",
}  # fmt: skip
"""Modules of tests/unit that take more than three seconds."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        path = Path(str(item.path))
        room = path.parent.name
        if (room == "unit" and path.stem not in SLOW) or path.stem == "test_architecture":
            item.add_marker(pytest.mark.quick)
