"""Clusters: how near private K-modes comes to the true clusters, what its messages give away, and what repairs it."""

import streamlit as st

import cluster_data
import cluster_findings
import cluster_panels as panels
import cluster_rounds
import compute
import state
import widgets
from ldpcore.data import DataError
from ldpcore.study import clusters as task
from studies import clusters


def page() -> None:
    source = state.table()
    try:
        study = clusters.shown()
        people = task.fitting(study, compute.people(study, source))
    except DataError as error:
        widgets.sentence("There are no records to cluster.")
        widgets.state_box(widgets.escape(error.sentence), widgets.escape(error.why), widgets.escape(error.hint))
        return
    except ValueError as error:
        widgets.sentence("These records cannot be clustered so.")
        widgets.state_box(widgets.escape(f"{error}."))
        return
    point = compute.runs(study, people)
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
    repetition = st.session_state.get("clusters_draws", 0) % study.repetitions
    here = task.cell(study, people, task.current(study, people), repetition)
    runs = {key: compute.played(study, people, key, repetition) for key in study.mechanisms}
    true = compute.played(study, people, "", repetition)
    left, right = st.columns([56, 44], gap="medium")
    with left:
        panels.modes(study, people, cluster_data.side_by_side(here.records, true, runs))
        cluster_rounds.panel(study, people, here, runs, repetition)
    with right:
        panels.scores(study, people, point, compute.untouched(study, people))
        panels.leak(study, people, point, bounds)
    panels.simulate(study, people)


page()
