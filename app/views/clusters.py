"""Clusters: how near private K-modes comes to the true clusters, what its messages give away, and what repairs it."""

import streamlit as st

import compute
import filling
import state
import widgets
import words
from clusters import data as cluster_data
from clusters import findings as cluster_findings
from clusters import panels
from clusters import rounds as cluster_rounds
from ldpcore.data import DataError
from ldpcore.study import clusters as task
from studies import clusters, parts


def page() -> None:
    source = state.table()
    try:
        study = clusters.shown()
        people = task.fitting(study, compute.clusters.people(study, source))
    except DataError as error:
        widgets.sentence("There are no records to cluster.")
        widgets.state_box(widgets.escape(error.sentence), widgets.escape(error.why), widgets.escape(error.hint))
        return
    except ValueError as error:
        widgets.sentence("These records cannot be clustered so.")
        widgets.state_box(widgets.escape(f"{error}."))
        return
    point = compute.clusters.runs(study, people)
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
    parts.on_phone(
        words.plural(task.clusters(study), "cluster"),
        words.plural(len(people.columns), "column"),
        words.plural(len(study.mechanisms), "method"),
    )
    repetition = widgets.draws("clusters") % study.repetitions
    here = task.cell(study, people, task.current(study, people), repetition)
    runs = {key: compute.clusters.played(study, people, key, repetition) for key in study.mechanisms}
    true = compute.clusters.played(study, people, "", repetition)
    left, right = st.columns([56, 44], gap="medium")
    with left:
        panels.modes(study, people, cluster_data.side_by_side(here.records, true, runs))
        cluster_rounds.panel(study, people, here, runs, repetition)
    with right:
        panels.scores(study, people, point, compute.clusters.untouched(study, people))
        panels.leak(study, people, point, bounds)
    filling.surveys(people, panels.curve_study(study))


page()
