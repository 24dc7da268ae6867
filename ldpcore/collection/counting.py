"""Reports in, one tally out: partition by partition, added as whole numbers, so to the same digit however it is cut."""

from collections.abc import Callable
from concurrent.futures import Executor
from functools import partial
from typing import Any

from ldpcore import workers
from ldpcore.collection import reports
from ldpcore.collection.batch import FolderQuestion, ReportCounts
from ldpcore.data.partition import BATCH, Partition

BULK = 1 << 23
"""Bytes of reports that are counted at once: packed bits are looked at one by one."""


def count(asked: FolderQuestion[Any], part: Partition) -> tuple[ReportCounts | None, int]:
    """The tally of a partition, None without reports; and how many rows its mechanism cannot have sent."""
    reports.check_mark(part, asked.digest)
    total, refused = None, 0
    rows = min(BATCH, reports.bulk(asked.form, BULK))
    for batch, rows_read in reports.read(part, asked.form, rows, asked.mark):
        good = batch[asked.accepts(batch)] if len(batch) else batch
        refused += rows_read - len(good)
        if len(good):
            counted = asked.tally(good)
            total = counted if total is None else total + counted
    return total, refused


def total(
    asked: FolderQuestion[Any],
    parts: list[Partition],
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[ReportCounts | None, int]:
    """The same of all partitions. progress is called with (done, total) partitions."""
    kept, refused = None, 0
    with workers.sharing(executor, asked):
        for done, (counted, wrong) in enumerate(workers.mapped(partial(count, asked), parts, executor), 1):
            refused += wrong
            if counted is not None:
                kept = counted if kept is None else kept + counted
            if progress is not None:
                progress(done, len(parts))
    return kept, refused
