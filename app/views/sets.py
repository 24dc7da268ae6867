"""Sets: several items per person, some sensitive; how wrong the shares of holders get, and what the reports tell."""

import streamlit as st

import compute
import release
import widgets
import words
from ldpcore.data import Baskets, DataError
from ldpcore.study import Study
from ldpcore.study import sets as task
from sets import data as set_data
from sets import findings as set_findings
from sets import panels
from sets.data import Fact
from studies import parts, sets


def page() -> None:
    try:
        held = sets.baskets()
    except DataError as error:
        widgets.sentence("There are no baskets in these data.")
        widgets.state_box(widgets.escape(error.sentence), widgets.escape(error.why), widgets.escape(error.hint))
        return
    study = sets.shown()
    head, switch = st.columns([82, 18], gap="medium", vertical_alignment="center")
    with switch:
        _people_menu()
    try:
        found = set_data.facts(study, held)
    except ValueError as error:
        widgets.sentence("These sets cannot be simulated so.")
        widgets.state_box(widgets.escape(f"{error}."))
        return
    if not found or not sets.mechanisms():
        with head:
            widgets.sentence("Choose at least one mechanism in the sidebar.")
        reasons = " ".join(f"{key}: {reason}." for key, reason in set_data.refused(study, held).items())
        widgets.state_box(
            "No mechanism is chosen." if not sets.mechanisms() else "None of these mechanisms exists here.",
            widgets.escape(reasons) or "Each is one way to answer without telling the truth outright.",
        )
        st.button(
            "Show the usual ones", type="primary", on_click=sets.choose_mechanisms, args=(sets.DEFAULT_MECHANISMS,)
        )
        return
    main = set_data.focus(found, st.session_state.get("sets_focus"))
    view = set_data.View.of(study, held)
    detail = compute.kept(set_data.point(study), held)
    people = task.options(study)["attacks"]
    with head:
        widgets.sentence(
            set_findings.sentence(
                study.epsilon, found, main, detail, people, widgets.named, widgets.sensitive("sensitive")
            )
        )
        parts.marks_on_phone(int(main.here.marked.sum()), len(main.here.marked), len(found))
    _padding_line(study, held, main)
    left, right = st.columns([50, 47], gap="medium")
    with left:
        panels.error_panel(view, study, held, main)
    with right:
        panels.adversary_panel(study, held, found, main, detail)
    left, right = st.columns([60, 37], gap="medium")
    with left:
        release.panel(
            "sets", panels.surveys(main, detail, main.here.shown), list(found), "sets_focus", "item", height=196
        )
    with right:
        panels.promise_panel(study, found, main, detail)
    panels.simulate(view, study, held, main)


def _people_menu() -> None:
    """The data's baskets, or sets made as in the paper."""
    simulated = st.session_state.sets_simulated
    with st.popover(f"simulated, {words.count(simulated)} items" if simulated else "these baskets", width="stretch"):
        choices = sorted({0, *sets.SIMULATED, simulated})
        st.selectbox(
            "Whose sets",
            choices,
            key="sets_simulated",
            persist_state="session",
            format_func=lambda k: f"simulated, {words.count(k)} items" if k else "the baskets of the data",
            help="Simulated sets have exactly m items, drawn without replacement, every item alike (reservoir "
            "sampling), as in the SULDP paper.",
        )
        if simulated:
            st.number_input("Items marked, %", 0, 100, step=5, key="sets_share", persist_state="session")
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
            st.button(f"Use m = {padding.best}", key="use_best_m", type="tertiary", on_click=sets.choose_m,
                      args=(padding.best,))  # fmt: skip


page()
