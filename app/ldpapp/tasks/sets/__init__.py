"""Sets: several items per person, some sensitive; how wrong the shares of holders get, and what the reports tell."""

from ldpapp.task import TaskPage
from ldpapp.tasks.sets import overview, page, study

TASK = TaskPage(
    "sets",
    "Sets",
    study.LOOKS,
    study.beside,
    study.draw,
    study.data,
    page.page,
    empty="There are no baskets in these data.",
    senseless="These sets cannot be simulated so.",
    no_mechanism="Each is one way to answer without telling the truth outright.",
    full=study.full,
    front=overview.front,
)
