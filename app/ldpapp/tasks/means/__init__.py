"""Means: the mean of one column of numbers, how wrong it gets when only a part of its range is sensitive."""

from ldpapp.task import TaskPage
from ldpapp.tasks.means import overview, page, study

TASK = TaskPage(
    "means",
    "Means",
    study.LOOKS,
    study.beside,
    study.draw,
    study.data,
    page.page,
    empty="There are no numbers to average.",
    senseless="These numbers cannot be averaged so.",
    no_mechanism="Each is one way to send a number without telling the truth outright.",
    full=study.full,
    card=overview.card,
)
