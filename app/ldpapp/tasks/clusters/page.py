"""Clusters: how near private K-modes comes to the true clusters, what its messages give away, and what repairs it."""

import streamlit as st

from ldpapp import filling, sidebar, widgets, words
from ldpapp.tasks.clusters import cached as clusters_cached
from ldpapp.tasks.clusters import data as cluster_data
from ldpapp.tasks.clusters import findings as cluster_findings
from ldpapp.tasks.clusters import panels
from ldpapp.tasks.clusters import rounds as cluster_rounds
from ldpapp.tasks.clusters import study as own
from ldpcore.study import Study
from ldpcore.study import clusters as task


def page(asked: Study, people: task.People) -> None:
    study = own.here(asked)
    point = clusters_cached.runs(study, people)
    bounds = cluster_data.limits(people, study.column, study.epsilon)
    widgets.sentence(
        cluster_findings.sentence(
            study.mechanisms,
            point,
            study.column,
            bounds,
            study.epsilon,
            widgets.named,
            widgets.sensitive(widgets.escape(study.column)),
        )
    )
    sidebar.on_phone(
        study,
        words.plural(task.clusters(study), "cluster"),
        words.plural(len(people.columns), "column"),
        words.plural(len(study.mechanisms), "method"),
    )
    repetition = widgets.draws("clusters") % study.repetitions
    here = task.cell(study, people, task.current(study, people), repetition)
    runs = {key: clusters_cached.played(study, people, key, repetition) for key in study.mechanisms}
    true = clusters_cached.played(study, people, "", repetition)
    left, right = st.columns([56, 44], gap="medium")
    with left:
        panels.modes(study, people, cluster_data.side_by_side(here.records, true, runs))
        cluster_rounds.panel(study, people, here, runs, repetition)
    with right:
        panels.scores(asked, study, people, point, clusters_cached.untouched(study, people))
        panels.leak(study, people, point, bounds)
    filling.surveys(people, panels.curve_study(asked, people))
