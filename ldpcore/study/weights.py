r"""What a study does with people's weights: its task weighs shares by them, or says that it does not.

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

from ldpcore.data import DataError, Histogram, Table
from ldpcore.data.errors import thousands
from ldpcore.study.column import histogram
from ldpcore.study.definition import Study
from ldpcore.study.execute import source
from ldpcore.study.tasks import WEIGHTED


@dataclass(frozen=True)
class UsedWeights:
    """column: that of the weights; people: how many have one, and how many with equal weights err as much; None: the
    study's task does not use them.
    """

    column: str
    people: tuple[int, int] | None

    @classmethod
    def of(cls, study: Study, counted: Histogram) -> "UsedWeights | None":
        """Of a column that is counted with them; None without weights."""
        if counted.weighing is None:
            return None
        n = study.n or counted.n
        return cls(counted.weighing.column, (n, round(n / counted.weighing.design_effect)))


def used(study: Study, table: Table) -> UsedWeights | None:
    """None where nobody chose a column of weights. DataError: the study's column cannot be counted."""
    if table.weights is None:
        return None
    if study.task not in WEIGHTED:
        return UsedWeights(table.weights[0], None)
    return UsedWeights.of(study, histogram(study, table))


def notes(studies: Iterable[Study], table: Table | None = None) -> list[str]:
    """The same as lines of a terminal, each once; table: None for bundled data."""
    lines = []
    for study in studies:
        if table is None and not any(each.role == "weight" for each in study.data.read.columns.values()):
            continue
        try:
            usage = used(study, source(study, table))
        except DataError:  # whoever runs the study says why
            continue
        if usage is not None and usage.people is not None:
            n, effective = map(thousands, usage.people)
            lines.append(f"weighted by {usage.column} (n {n} counts as {effective})")
        elif usage is not None:
            lines.append(f"weights ({usage.column}) are not used in {study.task}: rows count alike")
    return list(dict.fromkeys(lines))
