"""What a page does with people's weights, said in the sidebar and in a report."""

import streamlit as st

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.words.language import t
from ldpcore.data import Table
from ldpcore.study import Study
from ldpcore.study.tasks import WEIGHTED
from ldpcore.study.weights import People, UsedWeights


def said(used: UsedWeights) -> str:
    """By which column people are weighted, and how many of them count."""
    column = widgets.escape(words.shorten(used.column, 24))
    if used.people is None:
        return t("Weights ({column}) are not used here: rows count alike.", column=column)
    n, effective = map(words.count, used.people)
    return t("weighted by {column} (n {n} counts as {effective})", column=column, n=n, effective=effective)


def line(study: Study, counted: People, table: Table, more: str = "") -> None:
    """In the sidebar of a page that uses them; more: what stands below."""
    used = UsedWeights.of(study, counted)
    if used is None and table.weights is not None and not getattr(study.options, "simulated", None):
        used = UsedWeights(table.weights[0], None)
    if used is not None:
        st.html(f'<div class="sub">{said(used)}{more}</div>')


def unused(table: Table, task: str | None) -> None:
    """In the sidebar of a page that does not use them. task: None where the page is that of no task."""
    if table.weights is None or task in WEIGHTED:
        return
    text = said(UsedWeights(table.weights[0], None)) if task else t("Data, Frequency, Means and Sets use weights.")
    if task == "review":
        text = t("{unused} An attacker sees them.", unused=text)
    st.html(f'<div class="sub">{text}</div>')
