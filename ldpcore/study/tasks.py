"""What a study can be about: one module per task, all with the same functions; execute.py knows only these."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import pandas as pd

from ldpcore import data
from ldpcore.catalog import Catalog
from ldpcore.study import clusters, frequency, itemsets, means, ranges, relations, review, sets
from ldpcore.study.clusters import facts as cluster_facts
from ldpcore.study.clusters import script as cluster_script
from ldpcore.study.definition import KINDS, Kind, Study
from ldpcore.study.fitting import Fitted
from ldpcore.study.frequency import facts as frequency_facts
from ldpcore.study.frequency import floor
from ldpcore.study.frequency import script as frequency_script
from ldpcore.study.itemsets import facts as itemset_facts
from ldpcore.study.itemsets import script as itemset_script
from ldpcore.study.mark_kinds import MarkKind
from ldpcore.study.means import facts as mean_facts
from ldpcore.study.means import limit as mean_limit
from ldpcore.study.means import script as mean_script
from ldpcore.study.measures import Measures
from ldpcore.study.options import TaskOptions
from ldpcore.study.quantities import Known
from ldpcore.study.ranges import facts as range_facts
from ldpcore.study.ranges import script as range_script
from ldpcore.study.relations import facts as relation_facts
from ldpcore.study.relations import script as relation_script
from ldpcore.study.review import facts as review_facts
from ldpcore.study.review import script as review_script
from ldpcore.study.scripts import Cell
from ldpcore.study.sets import facts as set_facts
from ldpcore.study.sets import limit as set_limit
from ldpcore.study.sets import script as set_script
from ldpcore.study.skeleton import Piece
from ldpcore.threads import one_thread


class Task(Protocol):
    """A module. What `prepare` makes of the data goes to the other functions as it is."""

    @property
    def CATALOG(self) -> Catalog[Any]:
        """The mechanisms that it compares."""
        ...

    @property
    def AXES(self) -> tuple[str, ...]:
        """What it can be drawn against, the usual one first."""
        ...

    @property
    def MARKS(self) -> MarkKind:
        """What its marks are of, and what they do."""
        ...

    @property
    def OPTIONS(self) -> type[TaskOptions]:
        """What it can be told beside marks and ε."""
        ...

    @property
    def MEASURES(self) -> Measures:
        """What each of its metrics is, and so which interval a mean of repetitions has."""
        ...

    @property
    def columns(self) -> Callable[..., Sequence[str]]:
        """columns(table): those that the task can be about."""
        ...

    def default_column(self, table: data.Table) -> str:
        """The column shown first; "" where the table has none that the task can be about."""
        ...

    @property
    def fit(self) -> Callable[[Study, data.Table], Fitted]:
        """The study as far as it makes sense for this table, and a sentence for everything that was left out."""
        ...

    def prepare(self, study: Study, table: data.Table) -> Any:
        """What the simulation needs of the data; ValueError for a study that this task cannot run."""
        ...

    def chunks(self, study: Study, data: Any) -> Sequence[Piece]:
        """Picklable pieces of the simulation, such as `skeleton.Run` makes."""
        ...

    def theory(self, study: Study, data: Any) -> pd.DataFrame:
        """Closed forms: mechanism, x, metric, scope, theory; each key once."""
        ...


Limits = Callable[[Study, Any], pd.DataFrame]
"""(study, prepared data) → mechanism, x, metric, scope, limit, times the limit."""
Facts = Callable[..., Known]
"""(study, prepared data, simulated rows or None) → what is known at the study's own point; see quantities.py."""
Cells = Callable[[Study], Sequence[Cell]]
"""Study → its run as one would write it by hand, the last cell draws it; see scripts.py."""

TASKS: dict[str, Task] = {}
"""Every task by its name."""
LIMITS: dict[str, Limits] = {}
"""Those whose least possible error is known."""
FACTS: dict[str, Facts] = {}
"""Those with documented numbers."""
SCRIPTS: dict[str, Cells] = {}
"""Those whose run can be written down as code."""
WEIGHTED = ("frequency", "means", "sets")
"""Those that count people by their weights."""


def add(
    name: str, task: Task, limits: Limits | None = None, facts: Facts | None = None, script: Cells | None = None
) -> None:
    """List a task; Studies of it can be made from now on."""
    TASKS[name] = task
    if script is not None:
        SCRIPTS[name] = script
    if facts is not None:
        FACTS[name] = facts
    KINDS[name] = Kind(task.AXES, lambda: task.CATALOG.defaults, getattr(task, "CHOICES", ()), task.OPTIONS)
    if limits is not None:
        LIMITS[name] = limits


def remove(name: str) -> None:
    """List it no more."""
    del TASKS[name], KINDS[name]
    LIMITS.pop(name, None)
    FACTS.pop(name, None)
    SCRIPTS.pop(name, None)


# One line per task.
add("frequency", frequency, floor.distances, frequency_facts.facts, frequency_script.cells)
add("sets", sets, set_limit.distances, set_facts.facts, set_script.cells)
add("means", means, mean_limit.distances, mean_facts.facts, mean_script.cells)
add("ranges", ranges, facts=range_facts.facts, script=range_script.cells)
add("clusters", clusters, facts=cluster_facts.facts, script=cluster_script.cells)
add("itemsets", itemsets, facts=itemset_facts.facts, script=itemset_script.cells)
add("review", review, facts=review_facts.facts, script=review_script.cells)
add("relations", relations, relations.limits, relation_facts.facts, relation_script.cells)


def of(study: Study) -> Task:
    """The study's task, with mechanisms that belong to it."""
    chosen = TASKS[study.task]
    for key in study.mechanisms:
        if key in getattr(chosen, "BESIDES", ()):
            continue
        homes = [name for name, task in TASKS.items() if key in task.CATALOG]
        if homes and study.task not in homes:
            raise ValueError(
                f"{key!r} belongs to the task {homes[0]}, not to {study.task}, which has {', '.join(chosen.CATALOG)}"
            )
        chosen.CATALOG[key]
    return chosen


def comparing(key: str) -> tuple[str, ...]:
    """The tasks that compare what is in no catalogue, by its key.

    >>> comparing("Own")
    ('frequency', 'sets', 'means')
    """
    return tuple(name for name, task in TASKS.items() if key in getattr(task, "BESIDES", ()))


def is_leveled(study: Study) -> bool:
    """Whether some of its values are secret, and have an ε of their own; not every task knows levels."""
    return TASKS[study.task].MARKS.by_level and bool(study.marks.secret)


def entered(study: Study) -> list[str]:
    """Those of its mechanisms that stand in the catalogue: all but one's own."""
    return [key for key in study.mechanisms if key in TASKS[study.task].CATALOG]


def fit(study: Study, table: data.Table) -> Fitted:
    """The study about this table, whichever it was about before: what the table has of it, and what was refused."""
    return TASKS[study.task].fit(study, table)


@one_thread
def limits(study: Study, data: Any) -> pd.DataFrame | None:
    """How far each mechanism is from the least error that any with its promise can have; None where none is known."""
    return LIMITS[study.task](study, data) if study.task in LIMITS else None


def facts(study: Study, data: Any, rows: pd.DataFrame | None = None) -> Known:
    """What is known of the study at its own point: an object whose numbers are documented (quantities.py).

    data: as `prepare` gives it. rows: what is simulated so far of the study at its own point, where its task's numbers
    come from surveys; None simulates all of it when it is first asked for. TypeError for a task without facts.
    """
    if study.task not in FACTS:
        raise TypeError(f"the task {study.task} has no facts; those that have: {', '.join(FACTS)}")
    return FACTS[study.task](study, data, rows)


def script(study: Study) -> Sequence[Cell]:
    """The study's run as cells of code; ValueError, in a sentence, for what has none."""
    if study.task not in SCRIPTS:
        raise ValueError(f"there is no script of {study.task} yet; there is one of {', '.join(SCRIPTS)}")
    of(study)
    return SCRIPTS[study.task](study)
