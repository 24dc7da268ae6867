"""Itemsets: which frequent sets each miner would publish, how many are false or missed, and its real bill in ε."""

from ldpapp.task import TaskPage
from ldpapp.tasks.itemsets import overview, page, study

TASK = TaskPage(
    "itemsets",
    "Itemsets",
    study.LOOKS,
    study.beside,
    study.draw,
    study.data,
    page.page,
    empty="There is nothing to mine itemsets from.",
    senseless="These data cannot be mined so.",
    no_mechanism="Each is one way to find what is often held together.",
    noun="miner",
    full=study.full,
    card=overview.card,
    example="groceries",
)
