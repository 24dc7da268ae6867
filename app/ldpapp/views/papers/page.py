"""Papers: what the five papers claim, whether it holds, why, and what repairs it."""

import streamlit as st

from ldpapp import widgets
from ldpapp.views.papers import findings as paper_findings
from ldpapp.views.papers import panels
from ldpapp.views.papers.work import CLAIMS
from ldpcore import papers


def page() -> None:
    bench = panels.bench()
    left, right = st.columns([70, 30], gap="medium", vertical_alignment="center")
    with left:
        widgets.sentence(paper_findings.headline(papers.counts(bench.measured()), len(CLAIMS)))
    with right:
        panels.work(bench)
    left, right = st.columns([56, 44], gap="medium")
    with left:
        panels.glance(bench)
    with right:
        panels.rules()
    panels.choose()
    paper = panels.chosen()
    left, right = st.columns([56, 44], gap="medium")
    with left:
        panels.claims(bench, paper)
    with right:
        panels.figures(bench, paper)
    panels.caveats(bench, paper)
