"""Frequency: the shares of one column, how wrong they get, and who is still exposed."""

import streamlit as st

import controls
import state
import widgets
from frequency import comparison, exposure, findings, panels
from ldpcore.data import DataError
from studies import frequency, parts

SETTINGS = ("One setting", "A | B", "Plane")


def _switched() -> None:
    st.session_state.compare = st.session_state.compare_choice == SETTINGS[1]
    st.session_state.plane = st.session_state.compare_choice == SETTINGS[2]


def page() -> None:
    try:
        counted = state.counted()
    except DataError as error:
        widgets.state_box(widgets.escape(error.sentence), widgets.escape(error.why), widgets.escape(error.hint))
        return
    if not frequency.mechanisms():
        widgets.sentence("Choose at least one mechanism in the sidebar.")
        widgets.state_box(
            "No mechanism is chosen.",
            "Each is one way to answer without telling the truth outright; ▲ uSS and ▲ SS are good ones to begin with.",
        )
        st.button(
            "Show the usual ones",
            type="primary",
            on_click=frequency.choose_mechanisms,
            args=(frequency.DEFAULT_MECHANISMS,),
        )
        return
    study = frequency.shown()
    head, switch = st.columns([76, 24], gap="medium", vertical_alignment="center")
    plane = st.session_state.get("plane", False) and not st.session_state.compare
    st.session_state.compare_choice = SETTINGS[2 if plane else st.session_state.compare]
    switch.segmented_control(
        "Settings of marks",
        SETTINGS,
        key="compare_choice",
        required=True,
        on_change=_switched,
        label_visibility="collapsed",
        width="stretch",
    )
    found = findings.facts(study, counted, study.arms[0].name)
    main = findings.focus(found, st.session_state.get("focus"))
    if st.session_state.compare:
        comparison.page(head, study, counted, found, main)
        return
    if plane:
        exposure.page(head, study, counted, found, main)
        return
    with head:
        widgets.sentence(findings.frequency_sentence(study, found, main, widgets.named, widgets.sensitive("sensitive")))
        parts.marks_on_phone(len(study.arms[0].marks), counted.domain.k, len(study.mechanisms))
    view = controls.View.current(study, counted)
    panels.first_row(view, study, counted, main)
    panels.second_row(view, study, counted, found, main)
    panels.simulate(view, study, counted, main)


page()
