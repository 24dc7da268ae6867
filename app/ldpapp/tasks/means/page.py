"""Means: the mean of one column of numbers, how wrong it gets when only a part of its range is sensitive."""

import streamlit as st

from ldpapp import sidebar, widgets, words
from ldpapp.tasks.means import details as means_details
from ldpapp.tasks.means import exposed as means_exposed
from ldpapp.tasks.means import findings as means_findings
from ldpapp.tasks.means import more as means_more
from ldpapp.tasks.means import panels
from ldpapp.tasks.means import study as own
from ldpapp.tasks.means import view as means_view
from ldpcore.study import Study
from ldpcore.study.means import Numbers


def page(asked: Study, data: Numbers) -> None:
    study = own.here(asked)
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
    sidebar.on_phone(study, f"{words.plural(len(view.marked), 'interval')} marked")
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
