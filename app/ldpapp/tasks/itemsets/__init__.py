"""Itemsets: what is bought together, what each miner finds of it, and the bill in ε that it really runs up."""

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
    senseless="These baskets cannot be mined so.",
    no_mechanism="Each is one way to find what is bought together.",
    noun="miner",
    full=study.full,
    card=overview.card,
    example="groceries",
)
