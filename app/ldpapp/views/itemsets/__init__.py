"""Itemsets: which frequent sets each miner would publish, how many are false or missed, and its real bill in ε."""

from ldpapp.views.itemsets import overview, page, sidebar
from ldpapp.views.task import Sentences, TaskPage
from ldpapp.words.language import t
from ldpcore.study.itemsets import curves
from ldpcore.study.itemsets.facts import facts

TASK = TaskPage(
    key="itemsets",
    name=lambda: t("Itemsets"),
    asks=lambda: t("What is bought together, and what does finding it cost?"),
    said=lambda: Sentences(
        empty=t("There is nothing to mine itemsets from."),
        senseless=t("These data cannot be mined so."),
        choose=t("Choose at least one miner in the sidebar."),
        unchosen=t("No miner is chosen."),
        purpose=t("Each is one way to find what is often held together."),
    ),
    looks=sidebar.LOOKS,
    beside=sidebar.beside,
    sidebar=sidebar.draw,
    data=sidebar.data,
    page=page.page,
    speaks=lambda study, baskets: facts(curves.alike(study), baskets).best or "",
    full=curves.over,
    card=overview.card,
    example="groceries",
    offer=page.OFFER,
)
