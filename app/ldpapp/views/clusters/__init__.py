"""Clusters: K-modes from noisy reports: how near to the truth, and what the rounds of messages give away."""

from ldpapp.views.clusters import page, sidebar
from ldpapp.views.task import Sentences, TaskPage
from ldpapp.words.language import t
from ldpcore.study.clusters import curves

TASK = TaskPage(
    key="clusters",
    name=lambda: t("Clusters"),
    asks=lambda: t("Who is alike, and what do the messages give away?"),
    said=lambda: Sentences(
        empty=t("There are no records to cluster."),
        senseless=t("These records cannot be clustered so."),
        choose=t("Choose at least one method in the sidebar."),
        unchosen=t("No method is chosen."),
        purpose=t("Each is one way to cluster people who do not show their records."),
    ),
    looks=sidebar.LOOKS,
    wishes={"clusters_played": str},
    beside=sidebar.beside,
    sidebar=sidebar.draw,
    data=sidebar.data,
    page=page.page,
    full=curves.over,
    offer=sidebar.OFFER,
)
