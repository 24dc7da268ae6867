"""Means: the mean of one column of numbers, how wrong it gets when only a part of its range is sensitive."""

import streamlit as st

import compute
import means_details
import means_exposed
import means_findings
import means_more
import means_panels as panels
import means_view
import state
import widgets
from ldpcore.data import DataError
from studies import means


def page() -> None:
    try:
        study = means.shown()
        data = compute.numbers(study, state.table())
    except DataError as error:
        widgets.sentence("There are no numbers to average.")
        widgets.state_box(widgets.escape(error.sentence), widgets.escape(error.why), widgets.escape(error.hint))
        return
    except ValueError as error:
        widgets.sentence("These numbers cannot be averaged so.")
        text = f"{error}."
        widgets.state_box(widgets.escape(text[0].upper() + text[1:]))
        return
    if not means.mechanisms():
        widgets.sentence("Choose at least one mechanism in the sidebar.")
        st.button(
            "Show the usual ones", type="primary", on_click=means.choose_mechanisms, args=(means.DEFAULT_MECHANISMS,)
        )
        return
    view = means_view.current(study, data)
    widgets.sentence(
        means_findings.headline(
            view.point,
            data,
            view.spreads,
            widgets.named,
            lambda text: widgets.sensitive(widgets.escape(text)),
            widgets.escape,
        )
    )
    panels.phone_study(view)
    left, right = st.columns([45, 54], gap="medium")
    with left:
        panels.histogram(view)
    with right:
        panels.error(view)
    left, middle, right = st.columns(3, gap="medium")
    with left:
        means_details.report(view)
    with middle:
        means_details.bias(view)
    with right:
        means_details.distribution(view)
    means_exposed.both(view)
    means_more.all_(view)
    panels.simulate(view)


page()
