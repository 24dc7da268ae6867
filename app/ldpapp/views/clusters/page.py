"""Clusters: what the messages of private K-modes give away, and how near it comes to the true clusters."""

from ldpapp import words
from ldpapp.compare import strip
from ldpapp.parts import budget, panels, widgets
from ldpapp.runtime import background
from ldpapp.views.clusters import cached, rounds, sentences
from ldpapp.views.clusters import panels as own_panels
from ldpapp.words.language import t
from ldpcore.clusters import Clustering
from ldpcore.study import Study
from ldpcore.study import clusters as task
from ldpcore.study.clusters import curves
from ldpcore.study.clusters.compare import side_by_side


def page(asked: Study, people: task.ClusterRecords) -> None:
    study = asked.at_point()
    known, along = cached.known(study, people), curves.along(study, asked.axis, people)
    wanted = widgets.escape(study.column)
    wanted = widgets.sensitive(wanted) if study.column in known.marked else f"<b>{wanted}</b>"
    widgets.sentence(
        sentences.headline(known, widgets.named, wanted, background.fills(people, study)),
        sentences.published(study.mechanisms, study.epsilon, widgets.named),
    )
    strip.here()
    budget.on_phone(
        study,
        words.plural(task.clusters(study), t("cluster"), t("clusters")),
        words.plural(len(people.columns), t("column"), t("columns")),
        words.plural(len(study.mechanisms), t("method"), t("methods")),
    )
    panels.row(
        lambda: own_panels.leak(known),
        lambda: own_panels.scores(asked, study, along, known),
        widths=[54, 46],
    )
    _behind(study, people)
    background.surveys(people, study, along)


def _behind(study: Study, people: task.ClusterRecords) -> None:
    """One start, played by every method: what became of it, and how. Played only where it is looked at."""
    repetition = widgets.draws("clusters") % study.repetitions
    start = task.cell(study, people, task.current(study, people), repetition)

    def runs() -> dict[str, Clustering]:
        return {key: cached.played(study, people, key, repetition) for key in study.mechanisms}

    def true() -> Clustering:
        return cached.played(study, people, "", repetition)

    panels.fold(
        "fold_clusters_modes",
        t("Modes side by side"),
        t("each method’s commonest answers"),
        lambda: panels.show(lambda: own_panels.modes(study, people, side_by_side(start.records, true(), runs()))),
    )
    panels.fold(
        "fold_clusters_rounds",
        t("Round by round"),
        t("what is sent, one user’s answers, the cost"),
        lambda: panels.show(lambda: rounds.panel(study, people, start, runs(), repetition)),
    )
