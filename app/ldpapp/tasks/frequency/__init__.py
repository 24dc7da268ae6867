"""Frequency: the shares of one column, how wrong they get, and who is still exposed."""

from ldpapp.task import TaskPage
from ldpapp.tasks.frequency import looking, overview, page, study

TASK = TaskPage(
    "frequency",
    "Frequency",
    looking.LOOKS,
    study.beside,
    study.draw,
    study.data,
    page.page,
    empty="These answers cannot be counted.",
    senseless="These answers cannot be counted so.",
    no_mechanism="Each is one way to answer without telling the truth outright; ▲ uSS and ▲ SS are good ones to begin "
    "with.",
    full=study.full,
    front=overview.front,
)
