"""What each task's Study is in the app: one module per task, all with the same functions (the protocol below).

A module edits the session's keys and turns them into a Study; main.py draws the frame around it and knows only these.
"""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ldpcore.data import Table
from ldpcore.study import Study
from studies import clusters, frequency, itemsets, means, ranges, sets


class TaskStudy(Protocol):
    """A module of this package."""

    @property
    def VIEW(self) -> Mapping[str, Any]:
        """Session key → values it can take: how the page looks at its Study. The link carries what is not the first."""
        ...

    @property
    def columns(self) -> Callable[[Table], list[str]]:
        """The columns of this data that the task can be about."""
        ...

    @property
    def default_column(self) -> Callable[[Table], str]:
        """The one shown first; "" where there is none."""
        ...

    def start(self) -> None:
        """Defaults of a new session."""
        ...

    def beside_data(self, place: Any) -> None:
        """What stands at the right of the data chooser, in the sidebar: the column, as a rule."""
        ...

    def sidebar(self) -> None:
        """The Study's other fields. Give every widget persist_state="session": other pages do not draw them."""
        ...

    def current(self) -> Study:
        """What the sidebar, the marks and the view describe; DataError with a sentence where the data has none."""
        ...

    def adopt(self, wanted: Study, source: Table, marks: bool, mechanisms: bool) -> None:
        """Take over a Study of a link or a file, as far as it makes sense for these data.

        Data, ε, repetitions and seed are taken over already. `marks` or `mechanisms` false: a link that says nothing
        of them leaves them as they are.
        """
        ...


TASKS: dict[str, TaskStudy] = {
    "frequency": frequency,
    "sets": sets,
    "means": means,
    "ranges": ranges,
    "itemsets": itemsets,
    "clusters": clusters,
}
