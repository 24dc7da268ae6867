"""ε in the sidebar, and on a phone: a box, a slider, and what it adds up to."""

from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.state import actions, controlled, model
from ldpapp.words.language import t
from ldpcore import checks
from ldpcore.study import Study, person
from ldpcore.study.label import PUBLISHED, PUBLISHED_FROM
from ldpcore.study.tasks import TASKS

EPSILONS = tuple(sorted({float(f"{x:.2g}") for x in np.geomspace(0.05, 8, 67)} | {1.0, 2.0}))
"""Stops of the slider; the box beside it takes any value, which is then a stop too."""


def epsilon(study: Study, label: str = "", by_level: bool = False) -> None:
    """label: what the budget is, where it is not just "privacy budget". by_level: the task knows secret values, and
    some are.
    """
    if by_level:
        _secret_epsilon(study)
        label = t("ε private")
    left, right = st.columns([2, 1], gap="xsmall", vertical_alignment="center")
    others = t(
        "ε that others published, per person and day, each answer randomised by the person: {listed}. From {source}.",
        listed=words.literal(_published()),
        source=words.literal(PUBLISHED_FROM),
    )
    left.markdown(f"**{label or t('Privacy budget ε')}**", help=others)
    if not by_level and TASKS[study.task].MARKS.protects and study.marks.secret:
        st.html(f'<div class="sub">{t("Secret answers count as marked here, at this ε.")}</div>')
    choose = partial(_typed, study.task)
    controlled.bound(
        right.number_input, "ε", key="epsilon", value=study.epsilon, change=choose, step=0.1, format="%.3g",
        label_visibility="collapsed",
    )  # fmt: skip
    _slider(st, study, t("Privacy budget ε, slider"), "slider", label_visibility="collapsed")
    st.html(
        '<div class="sub" style="display:flex;justify-content:space-between;margin-top:-6px">'
        f"<span>{t('better privacy')}</span><span>{t('better accuracy')}</span></div>"
    )
    _of_one_person(study, by_level)
    problem = st.session_state.pop(_PROBLEM, None)
    if problem:
        shown = "" if by_level else t("Shown: ε = {eps}.", eps=words.epsilon(study.epsilon))
        st.html(f'<div class="sub" role="alert"><b>{widgets.escape(problem)}.</b> {shown}</div>')


def _published() -> str:
    """What others collect at: an ε for each thing."""
    return "; ".join(f"{each.publisher}, {each.collected}: {each.epsilon:g} ({each.year})" for each in PUBLISHED)


def _of_one_person(study: Study, by_level: bool) -> None:
    """What ε adds up to where one person has several rows of the file."""
    promise = person.promised(study, model.table())
    if promise is None:
        return
    holes = {"rows": words.count(promise.rows), "eps": words.epsilon(promise.epsilon)}
    text = t("One person has up to {rows} rows: together ε is at most {eps}.", **holes)
    if by_level and promise.secret is not None:
        text = t("One person has up to {rows} rows: together ε is at most {eps}, of secret answers {secret}.",
                 **holes, secret=words.epsilon(promise.secret))  # fmt: skip
    st.html(f'<div class="sub">{text}</div>')


def _secret_epsilon(study: Study) -> None:
    """ε of secret answers: never above that of private ones, so its slider ends there."""
    budget = study.secret_at(study.epsilon)
    left, right = st.columns([3, 2], gap="small", vertical_alignment="center")
    left.markdown(f"**{t('ε secret')}**")
    controlled.bound(
        right.number_input, t("ε of secret answers"), key="secret_epsilon", value=budget,
        change=partial(_typed_secret, study), step=0.1, format="%.3g", label_visibility="collapsed",
    )  # fmt: skip
    _secret_slider(st, study, "secret_slider", label_visibility="collapsed")
    wished = model.workspace().secret_epsilon
    if wished is not None and wished > budget:
        text = t("It went down with ε private, and goes up with it again, to {eps}.", eps=words.epsilon(wished))
        st.html(f'<div class="sub">{text}</div>')


def _secret_slider(place: Any, study: Study, key: str, **options: Any) -> None:
    budget = study.secret_at(study.epsilon)
    stops = tuple(sorted({*(stop for stop in EPSILONS if stop <= study.epsilon), study.epsilon, budget}))
    if len(stops) > 1:
        controlled.bound(
            place.select_slider, t("ε of secret answers, slider"), stops, key=key, value=budget,
            change=partial(_typed_secret, study), format_func=words.epsilon, **options,
        )  # fmt: skip


def _typed_secret(study: Study, value: float) -> None:
    try:
        chosen = checks.epsilon(value)
    except (TypeError, ValueError) as error:
        st.session_state[_PROBLEM] = str(error)
        return
    if chosen > study.epsilon:
        most = words.epsilon(study.epsilon)
        st.session_state[_PROBLEM] = t(
            "A secret answer is protected no less than a private one: at most {eps}", eps=most
        )
    actions.change(study.task, secret_epsilon=min(chosen, study.epsilon))


_PROBLEM = "epsilon_problem"
"""The session's key of why a typed ε was not taken, until it is said."""


def _typed(task: str, value: float) -> None:
    try:
        actions.change(task, epsilon=checks.epsilon(value))
    except (TypeError, ValueError) as error:
        st.session_state[_PROBLEM] = str(error)


def _slider(place: Any, study: Study, label: str, key: str, **options: Any) -> None:
    stops = tuple(sorted({*EPSILONS, study.epsilon}))
    controlled.bound(
        place.select_slider, label, stops, key=key, value=study.epsilon, change=partial(_typed, study.task),
        format_func=words.epsilon, **options,
    )  # fmt: skip


def on_phone(study: Study, *said: str, by_level: bool = False) -> None:
    """On a phone the sidebar is folded away: what the Study says, and ε at hand. Hidden on wide screens by CSS."""
    budget = f"ε = {words.epsilon(study.epsilon)}"
    if by_level:
        holes = {"eps": words.epsilon(study.epsilon), "secret": words.epsilon(study.secret_at(study.epsilon))}
        budget = t("ε = {eps}, secret {secret}", **holes)
    with st.container(key="phone"), st.popover(words.literal(" · ".join([budget, *said])), width="stretch"):
        if by_level:
            _secret_slider(st, study, "phone_secret_slider")
        _slider(st, study, t("ε private") if by_level else t("Privacy budget ε"), "phone_slider")
        rest = t("All else of the Study stands in the side bar, behind ».")
        st.html(f'<div class="sub">{rest}</div>')


def marks_on_phone(study: Study, count: int, of: int, by_level: bool = False) -> None:
    """The same where values or items are marked."""
    text = t("{count} of {all} marked", count=words.count(count), all=words.count(of))
    on_phone(study, text, words.plural(len(study.mechanisms), t("mechanism"), t("mechanisms")), by_level=by_level)
