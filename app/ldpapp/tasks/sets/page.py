"""Sets: several items per person, some sensitive; how wrong the shares of holders get, and what the reports tell."""

import streamlit as st

from ldpapp import bind, compute, release, session, sidebar, widgets, words
from ldpapp.looks import look, wished
from ldpapp.task import plain, sorry
from ldpapp.tasks.sets import data as set_data
from ldpapp.tasks.sets import findings as set_findings
from ldpapp.tasks.sets import panels
from ldpapp.tasks.sets import study as own
from ldpapp.tasks.sets.data import Fact
from ldpcore.data import Baskets
from ldpcore.study import Study
from ldpcore.study import sets as task


def page(asked: Study, held: Baskets) -> None:
    study = own.here(asked)
    head, switch = st.columns([82, 18], gap="medium", vertical_alignment="center")
    with switch:
        _people_menu(study)
    try:
        found = set_data.facts(study, held)
    except ValueError as error:
        sorry("These sets cannot be simulated so.", plain(error))
        return
    if not found:
        with head:
            reasons = " ".join(f"{key}: {reason}." for key, reason in set_data.refused(study, held).items())
            sorry("Choose other mechanisms in the sidebar.", "None of these mechanisms exists here.", reasons)
        st.button("Show the usual ones", type="primary", on_click=session.usual_mechanisms, args=("sets",))
        return
    main = set_data.focus(found, look(wished("sets_focus")))
    view = set_data.View.of(asked, held)
    detail, told = compute.kept(set_data.point(study), held), set_data.told(study, held)
    with head:
        widgets.sentence(
            set_findings.sentence(study.epsilon, found, main, told, widgets.named, widgets.sensitive("sensitive"))
        )
        sidebar.marks_on_phone(study, int(main.here.marked.sum()), len(main.here.marked))
    _padding_line(study, held, main)
    left, right = st.columns([50, 47], gap="medium")
    with left:
        panels.error_panel(view, study, held, main)
    with right:
        panels.adversary_panel(study, held, found, main, told)
    left, right = st.columns([60, 37], gap="medium")
    with left:
        release.panel(
            "sets", panels.surveys(main, detail, main.here.shown), list(found), "sets_focus", "item", height=196
        )
    with right:
        panels.promise_panel(study, found, main, told)
    panels.simulate(view, study, held, main)


def _people_menu(study: Study) -> None:
    """The data's baskets, or sets made as in the paper."""
    chosen = task.options(study)
    simulated = chosen["simulated"] or 0
    with st.popover(f"simulated, {words.count(simulated)} items" if simulated else "these baskets", width="stretch"):
        bind.bound(
            st.selectbox,
            "Whose sets",
            sorted({0, *own.SIMULATED, simulated}),
            key="sets_simulated",
            value=simulated,
            change=own.simulate,
            format_func=lambda k: f"simulated, {words.count(k)} items" if k else "the baskets of the data",
            help="Simulated sets have exactly m items, drawn without replacement, every item alike (reservoir "
            "sampling), as in the SULDP paper.",
        )
        if simulated:
            bind.bound(
                st.number_input, "Items marked, %", 0, 100, key="sets_share", value=round(100 * chosen["marked"]),
                change=own.mark_share, step=5,
            )  # fmt: skip
        st.html(
            '<div class="sub">The paper\'s figures 1 to 4 are the error of simulated sets against ε, the share marked, '
            "the number of items and m: the buttons beside “Error against”.</div>"
        )


def _padding_line(study: Study, held: Baskets, main: Fact) -> None:
    reasons = set_data.refused(study, held)
    gone = "".join(f" {widgets.escape(key)} is not shown: {widgets.escape(why)}." for key, why in reasons.items())
    if study.option("simulated"):
        st.html(
            f'<div class="sub">Simulated sets of exactly {main.here.m} items: nothing is padded or cut.{gone}</div>'
        )
        return
    padding = set_data.padding(study, held, main)
    line, button = st.columns([86, 14], gap="small", vertical_alignment="center")
    line.html(f'<div class="sub">{set_findings.padding(padding, main, widgets.escape)}{gone}</div>')
    if padding.gain >= set_findings.WORTH:
        with button.container(horizontal=True, horizontal_alignment="right"):
            st.button(f"Use m = {padding.best}", key="use_best_m", type="tertiary", on_click=own.choose_m,
                      args=(padding.best,))  # fmt: skip
