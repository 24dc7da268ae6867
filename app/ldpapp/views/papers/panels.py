"""The panels of the Papers view: all claims at a glance, one paper's claims, its figures, its caveats."""

import pandas as pd
import streamlit as st

from ldpapp import charts, widgets, words
from ldpapp.views.papers import cached as papers_cached
from ldpapp.views.papers import findings as said
from ldpapp.views.papers.work import CLAIMS, Bench
from ldpcore import papers
from ldpcore.papers import Figure
from ldpcore.papers.caveats import CAVEATS


def chosen() -> str:
    return st.session_state.get("paper") or next(iter(papers.PAPERS))


def glance(bench: Bench) -> None:
    """One circle per claim; the tables of claims and checks."""
    with widgets.panel("papers_glance", "All claims at a glance", None) as slot:
        found = bench.measured()
        with slot:
            widgets.as_table("claims", papers.table(found), "claims", "claims")
            widgets.as_table("checks", papers.checks(found), "checks", "checks")
        st.html(said.glance(found, papers.CLAIMS))


def rules() -> None:
    """How a verdict comes about, and what the data are."""
    with widgets.panel("papers_rules", "How a claim is checked", None):
        st.html(
            '<div class="card rules"><p>A claim is the paper’s own words, one statement or several. Each '
            "statement is checked: a measurement against a stated criterion, decided once its whole interval is on one "
            "side (all intervals of a claim miss together in 1&nbsp;% of cases). A statement <b>holds</b> if all its "
            "checks do and fails with the first that fails. A claim whose statements differ holds <b>in part</b>; "
            "<b>undecided</b>: more repetitions may tell. What the paper does not say is a caveat and does not "
            "count.</p><p>Where a paper’s data are not here, a stand-in is used and "
            "named: that is not a reproduction. Real files are found with <code>ldpcore papers "
            "--data-folder</code>, or in <code>LDPCORE_DATA</code>; <code>--full</code> repeats more, at "
            "least as often as the papers, and decides more.</p></div>"
        )


def work(bench: Bench) -> None:
    """The button that checks what needs simulation; while it runs, how far it is."""
    done, total = bench.progress
    if done == total:
        return
    if not bench.running:
        label = "Check all claims" if done == 0 else "Check the other claims"
        if len(bench.measured()) == len(CLAIMS):
            label = "Draw the other figures"
        st.button(label, key="papers_check", on_click=bench.start, args=(chosen(),))
        return
    _running(bench)


@st.fragment(run_every=0.7)
def _running(bench: Bench) -> None:
    done, total = bench.progress
    left = bench.seconds_left
    said = f"{done} of {total} simulated" + (f", {words.duration(left)} left" if left else "")
    place = st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False)
    place.html(f'<div class="sub nowrap" role="status">{said}</div>', width="content")
    place.progress(done / total)
    place.button("Stop", type="tertiary", key="papers_stop", on_click=bench.stop)
    # New results belong to the whole page, not to this line alone.
    if done != st.session_state.get("papers_seen") or not bench.running:
        st.session_state.papers_seen = done
        st.rerun(scope="app")


def choose() -> None:
    st.segmented_control(
        "Paper",
        list(papers.PAPERS),
        format_func=said.NAMES.__getitem__,
        default=chosen(),
        key="paper",
        label_visibility="collapsed",
        required=True,
    )


def claims(bench: Bench, paper: str) -> None:
    about = papers.PAPERS[paper]
    with widgets.panel("papers_claims", about.title, f"{about.source}."):
        rows = [said.claim_html(claim, bench.finding(paper, claim)) for claim in papers.CLAIMS[paper]]
        st.html(f'<div class="card claims">{"".join(rows)}</div>')


def figures(bench: Bench, paper: str) -> None:
    for own in papers.FIGURES[paper]:
        _figure(bench, paper, own)


def _figure(bench: Bench, paper: str, own: Figure) -> None:
    name = f"{paper}_{own.number}".replace(" ", "_").replace(".", "").lower()
    number = own.number if own.number[0].isupper() else "Besides"
    subtitle = f"{own.y} against {own.x}; {own.setting}."
    with widgets.panel(f"papers_{name}", said.pretty(f"{number}: {own.title}"), said.pretty(subtitle)) as slot:
        drawn = bench.drawing(paper, own)
        if drawn is None:
            widgets.state_box("This figure is simulated.", "It appears when the claims are checked.", height=120)
            return
        with slot:
            widgets.as_table(f"papers_{name}", drawn, name)
        chart = charts.paper_figure(
            drawn, x_name=own.x, y_name=own.y, log_x=own.log_x, log_y=own.log_y, dark=widgets.is_dark()
        )
        widgets.plot(chart, f"chart_{name}", alternative(own, drawn))


def alternative(own: Figure, drawn: pd.DataFrame) -> str:
    """The figure in words."""
    parts = []
    for name, line in drawn.groupby("line", sort=False):
        ends = line.sort_values("x")["value"]
        parts.append(f"{name} {ends.iloc[0]:.3g} to {ends.iloc[-1]:.3g}")
    return f"{own.title}. From the smallest to the largest {own.x}: {'; '.join(parts)}."


def caveats(bench: Bench, paper: str) -> None:
    own = [each for each in CAVEATS if each.paper == paper]
    with widgets.panel("papers_caveats", "Where the text does not hold, and what repairs it", None):
        parts = [said.caveat_html(each.title, *bench.caveat(each), each.claim) for each in own]
        st.html(f'<div class="card caveats">{"".join(parts)}</div>')


def bench() -> Bench:
    return papers_cached.bench()
