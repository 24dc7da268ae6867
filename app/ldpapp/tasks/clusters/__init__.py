"""Clusters: K-modes from noisy reports: how near to the truth, and what the rounds of messages give away."""

from ldpapp.task import TaskPage
from ldpapp.tasks.clusters import page, study

TASK = TaskPage(
    "clusters",
    "Clusters",
    study.LOOKS,
    study.beside,
    study.draw,
    study.data,
    page.page,
    empty="There are no records to cluster.",
    senseless="These records cannot be clustered so.",
    no_mechanism="Each is one way to cluster people who do not show their records.",
    noun="method",
    full=study.full,
)
