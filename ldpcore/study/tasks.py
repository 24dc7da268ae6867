"""What a study can be about: one module per task, all with the same functions; execute.py knows only these."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import pandas as pd

from ldpcore import data
from ldpcore.study import clusters, frequency, itemsets, means, ranges, sets
from ldpcore.study.definition import Study


class Task(Protocol):
    """A module. What `prepare` makes of the data goes to the other functions as it is."""

    @property
    def CATALOG(self) -> Mapping[str, Any]:
        """The mechanisms that it compares."""
        ...

    def prepare(self, study: Study, table: data.Table) -> Any:
        """What the simulation needs of the data; ValueError for a study that this task cannot run."""
        ...

    def arms(self, study: Study) -> list[str]:
        """Names in the order of the rows."""
        ...

    def chunks(self, study: Study, data: Any) -> Sequence[Callable[[], pd.DataFrame]]:
        """Picklable pieces of the simulation: rows of arm, mechanism, x, repetition, metric, scope, value."""
        ...

    def theory(self, study: Study, data: Any) -> pd.DataFrame:
        """Closed forms: arm, mechanism, x, metric, scope, theory; each key once."""
        ...


TASKS: dict[str, Task] = {
    "frequency": frequency,
    "sets": sets,
    "means": means,
    "ranges": ranges,
    "clusters": clusters,
    "itemsets": itemsets,
}


def of(study: Study) -> Task:
    """The study's task, with mechanisms that belong to it."""
    own = TASKS[study.task]
    for key in study.mechanisms:
        homes = [name for name, task in TASKS.items() if key in task.CATALOG]
        if homes and study.task not in homes:
            raise ValueError(
                f"{key!r} belongs to the task {homes[0]}, not to {study.task}, which has {', '.join(own.CATALOG)}"
            )
        own.CATALOG[key]
    return own
