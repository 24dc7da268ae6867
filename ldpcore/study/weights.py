r"""What a study does with people's weights: its task weighs shares and means by them, or says that it does not.

>>> from dataclasses import replace
>>> from ldpcore import data
>>> from ldpcore.study.definition import Source
>>> told = data.ReadOptions().with_column("weight", role="weight")  # of a body: to show what is said
>>> study = Study(Source("health", read=told), "condition", missing="column")
>>> print("\n".join(notes([study, replace(study, task="itemsets", column="", options=())])).replace(chr(0x2009), " "))
weighted by weight (n 19 704 counts as 18 706)
weights (weight) are not used in itemsets: rows count alike
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from ldpcore.data import DataError, Table
from ldpcore.data.errors import thousands
from ldpcore.study import tasks
from ldpcore.study.definition import Study
from ldpcore.study.execute import source
from ldpcore.study.tasks import WEIGHTED


class People(Protocol):
    """What a task that uses weights makes of a table."""

    @property
    def n(self) -> int: ...

    @property
    def weighted_by(self) -> str:
        """The column of their weights, or ""."""
        ...

    @property
    def design_effect(self) -> float:
        """n over the number of people with equal weights that err as much."""
        ...


@dataclass(frozen=True)
class UsedWeights:
    """column: that of the weights; people: how many have one, and how many with equal weights err as much; None: the
    study's task does not use them.
    """

    column: str
    people: tuple[int, int] | None

    @classmethod
    def of(cls, study: Study, counted: People) -> "UsedWeights | None":
        """Of people who are counted with them; None without weights, and of people who are invented."""
        if not counted.weighted_by or getattr(study.options, "simulated", None):
            return None
        n = study.n or counted.n
        return cls(counted.weighted_by, (n, round(n / counted.design_effect)))


def used(study: Study, table: Table) -> UsedWeights | None:
    """None where nobody chose a column of weights. DataError or ValueError: the study's column cannot be counted."""
    if table.weights is None or getattr(study.options, "simulated", None):
        return None
    people: Any = tasks.of(study).prepare(study, table) if study.task in WEIGHTED else None
    return (people and UsedWeights.of(study, people)) or UsedWeights(table.weights[0], None)


def notes(studies: Iterable[Study], table: Table | None = None) -> list[str]:
    """The same as lines of a terminal, each once; table: None for bundled data."""
    lines = []
    for study in studies:
        if table is None and not any(each.role == "weight" for each in study.data.read.columns.values()):
            continue
        try:
            usage = used(study, source(study, table))
        except (DataError, ValueError):  # whoever runs the study says why
            continue
        if usage is not None and usage.people is not None:
            n, effective = map(thousands, usage.people)
            lines.append(f"weighted by {usage.column} (n {n} counts as {effective})")
        elif usage is not None:
            lines.append(f"weights ({usage.column}) are not used in {study.task}: rows count alike")
    return list(dict.fromkeys(lines))
