"""Clusters: how near private K-modes comes to the true clusters, what its messages give away, and what repairs it."""

from ldpapp import filling, panels, sidebar, widgets, words
from ldpapp.language import t
from ldpapp.tasks.clusters import cached, findings, rounds
from ldpapp.tasks.clusters import panels as own_panels
from ldpapp.tasks.clusters import study as own
from ldpcore.study import Study
from ldpcore.study import clusters as task
from ldpcore.study.clusters.compare import limits, side_by_side


def page(asked: Study, people: task.People) -> None:
    study = own.here(asked)
    point, curves = cached.runs(study, people), own.curves(study, asked.axis, people)
    bounds = limits(people, study.column, study.epsilon)
    wanted = widgets.sensitive(widgets.escape(study.column))
    widgets.sentence(
        findings.headline(study.mechanisms, point, study.column, bounds, study.epsilon, widgets.named, wanted)
    )
    sidebar.on_phone(
        study,
        words.plural(task.clusters(study), t("cluster"), t("clusters")),
        words.plural(len(people.columns), t("column"), t("columns")),
        words.plural(len(study.mechanisms), t("method"), t("methods")),
    )
    repetition = widgets.draws("clusters") % study.repetitions
    here = task.cell(study, people, task.current(study, people), repetition)
    runs = {key: cached.played(study, people, key, repetition) for key in study.mechanisms}
    true = cached.played(study, people, "", repetition)
    panels.row(
        [
            lambda: own_panels.modes(study, people, side_by_side(here.records, true, runs)),
            lambda: rounds.panel(study, people, here, runs, repetition),
        ],
        [
            lambda: own_panels.scores(asked, study, curves, people, point),
            lambda: own_panels.leak(study, people, point, bounds),
        ],
        widths=[56, 44],
    )
    filling.surveys(people, study, curves)
