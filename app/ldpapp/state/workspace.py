"""What a session is about: a Workspace, which every page shares, and each task's own settings. Studies follow from both
(`studies`), so that sidebar, page, link and file can never disagree.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ldpcore.data import Table
from ldpcore.study import Marks, Study
from ldpcore.study.definition import Choice
from ldpcore.study.fitting import Range
from ldpcore.study.options import TaskOptions


@dataclass(frozen=True)
class ColumnSettings:
    """What is said of one column, whoever asks: how numbers are read, their public range, and what is sensitive.

    Marks of numbers are intervals ("60..80"), of everything else values or items. `range` None: nobody has stated one,
    so that a round one around the data is shown.
    """

    binned: bool
    range: Range | None
    marks: Marks


@dataclass(frozen=True, eq=False)
class Workspace:
    """The chosen data, what is said of columns by digest and name, and what every task shares.

    `missing` is the rule as it was chosen: a task that knows no answer "(missing)" takes another one. `secret_epsilon`
    is the ε of secret answers as it was chosen, wherever that of the others is now.
    """

    table: Table
    columns: Mapping[tuple[str, str], ColumnSettings] = field(default_factory=dict)
    epsilon: float = Study.epsilon
    secret_epsilon: float | None = None
    missing: str = Study.missing
    repetitions: int = Study.repetitions
    seed: int = Study.seed


@dataclass(frozen=True)
class TaskSettings:
    """What is a task's own, of one table.

    column: the one that was chosen; "" or one that the table does not have: the usual one.
    mechanisms: those compared, and leveled: those while something is secret; None: the same, and the usual ones with
    levels. is_empty: all were switched off.
    bins: where only the task says how finely numbers are cut; of a column's cells those that the options are about.
    withholds: whether what is marked is left out of what is published, where that is all that marks do.
    """

    column: str = ""
    mechanisms: tuple[str, ...] = ()
    leveled: tuple[str, ...] | None = None
    is_empty: bool = False
    axis: str = ""
    n: int | None = None
    bins: Range | None = None
    options: TaskOptions | None = None
    choices: tuple[Choice, ...] = ()
    withholds: bool = False
