"""Means: the mean of one column of numbers, how wrong it gets when only a part of its range is sensitive."""

import streamlit as st

import compute
import state
import widgets
import words
from ldpcore.data import DataError
from means import details as means_details
from means import exposed as means_exposed
from means import findings as means_findings
from means import more as means_more
from means import panels
from means import view as means_view
from studies import means, parts


def page() -> None:
    try:
        study = means.shown()
        data = compute.means.numbers(study, state.table())
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
    parts.on_phone(f"{words.plural(len(view.marked), 'interval')} marked")
    left, right = st.columns([45, 54], gap="medium")
    with left:
        panels.histogram(view)
    with right:
        panels.error(view)
    left, right = st.columns([65, 34], gap="medium")
    with left:
        means_exposed.adversary(view)
    with right:
        means_details.report(view)
    left, middle, right = st.columns(3, gap="medium")
    with left:
        means_details.bias(view)
    with middle:
        means_details.distribution(view)
    with right:
        means_more.advantage(view)
    left, middle, right = st.columns([40, 28, 30], gap="medium")
    with left:
        means_exposed.personalised(view)
    with middle:
        means_more.repeat(view)
    with right:
        means_more.theorem(view)
    panels.simulate(view)


page()
