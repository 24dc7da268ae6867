"""What is given to a planner: what somebody typed, the ends of its boxes, its switches, and what the link has of it."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from ldpapp import words
from ldpapp.parts.planner.asked import PlannerSubject, least_exact
from ldpapp.state import controlled, view_options
from ldpapp.state.view_options import Looks, Wishes
from ldpapp.words.language import t
from ldpcore import plan
from ldpcore.plan.answers import ANSWERED, Given, PlannerAnswer, Plans

DESIGN, OF = "design", "of"
"""The names under which a typed design effect is kept, and the column whose unit a typed error has."""
LARGEST = 1e12
"""What a box without an upper end takes from a link."""
BOUNDS: Mapping[str, tuple[float, float | None]] = {
    "people": (1, None),
    "epsilon": (plan.LOWEST, 40.0),
    "success": (1, 99),
    "within": (1e-12, None),
    DESIGN: (0.01, None),
}
"""The least and the largest number of each box."""


def choices(task: str) -> Looks:
    """The looks of a task's planner: what is asked, how privacy is said, and both switches."""
    return {
        f"{task}_answered": ANSWERED,
        f"{task}_plan_by": ("epsilon", "success"),
        f"{task}_plan_every": (False, True),
        f"{task}_plan_worst": (False, True),
    }


def folded(task: str) -> Looks:
    """The same, and whether the fold is open."""
    return {f"fold_{task}_planner": (False, True), **choices(task)}


def wishes(task: str) -> Wishes:
    """What is typed into the planner, and the answer that it is asked of: the link carries them."""
    return {f"{task}_plan_{name}": partial(_read, *ends) for name, ends in BOUNDS.items()} | {
        f"{task}_plan_{OF}": str,
        f"{task}_plan_answer": str,
    }


def _read(least: float, most: float | None, text: str) -> float:
    """A number of a link that the box would take, too."""
    value = float(text)
    if not least <= value <= (most or LARGEST):
        raise ValueError(text)
    return value


def planned(asked: PlannerSubject) -> Plans:
    """The plans that the switches choose."""
    every = bool(asked.answers and view_options.look(f"{asked.task}_plan_every"))
    plans: Any = asked.plans(every, worst(asked))
    if not every and (answer := _answer(asked)):
        plans = replace(plans, answer=asked.answers.index(answer))
    if asked.design is None or not typed(asked, DESIGN):
        return plans
    return replace(plans, design_effect=float(typed(asked, DESIGN)))


def worst(asked: PlannerSubject) -> bool:
    """Whether the plan is for the worst data."""
    return asked.worst and bool(view_options.look(f"{asked.task}_plan_worst"))


def _answer(asked: PlannerSubject) -> str:
    """The one whose share has to be exact; "": each."""
    chosen = view_options.wished(f"{asked.task}_plan_answer")
    return chosen if chosen in asked.answers else ""


def want(task: str, name: str, value: float | None, unit: str = "") -> None:
    """What somebody says of people, ε, guesses ("success") or the error, in the page's units; None takes it back."""
    view_options.want(f"{task}_plan_{name}", value)
    if name == "within":
        view_options.want(f"{task}_plan_{OF}", unit)


def typed(asked: PlannerSubject, name: str) -> Any:
    """What somebody said of it, in the page's units; None: nothing, or an error in the unit of another column."""
    if name == "within" and (view_options.wished(f"{asked.task}_plan_{OF}") or "") != asked.unit.key:
        return None
    return view_options.wished(f"{asked.task}_plan_{name}")


def inputs(asked: PlannerSubject) -> Given:
    """As somebody typed them, else as the Study has them, rounded."""
    made, scale = asked.plans(False, False).of(asked.focus), asked.unit.scale
    usual = made.within(asked.epsilon, asked.n) * scale
    shown = typed(asked, "within") or float(f"{min(max(usual, scale * 1e-4), scale):.1g}")
    by = view_options.look(f"{asked.task}_plan_by") if asked.guessed else "epsilon"
    won = (made.success(asked.epsilon) or 0.5) if by == "success" and not typed(asked, "success") else 0.5
    percent = typed(asked, "success") or min(max(round(100 * won), 1), 99)
    what = view_options.look(f"{asked.task}_answered")
    people, epsilon = int(typed(asked, "people") or asked.n), float(typed(asked, "epsilon") or asked.epsilon)
    return Given(what, by, people, epsilon, percent / 100, shown / scale)


def foremost(asked: PlannerSubject, plans: Plans, found: PlannerAnswer) -> str:
    """The answer that is least exact at the ε of the plan; "" for the worst data, where all are alike."""
    if worst(asked) or not asked.answers or view_options.look(f"{asked.task}_plan_every") or _answer(asked):
        return ""
    return asked.answers[least_exact(plans, asked.focus, found.epsilon or asked.epsilon, len(asked.answers))]


def controls(asked: PlannerSubject, given: Given, least: str) -> None:
    with st.container(gap="xsmall"):
        _inputs(asked, given, least)


def _inputs(asked: PlannerSubject, given: Given, least: str) -> None:
    """Which one is answered, the other two, and what they are about; least: the answer that is least exact."""
    private = t("which ε") if given.by == "epsilon" else t("how private")
    texts = {"epsilon": private, "people": t("how many"), "within": t("how exact")}
    view_options.radio(t("Answered"), texts, f"{asked.task}_answered", horizontal=True, label_visibility="collapsed")
    places = list(st.columns(2 if asked.design is None else 3, gap="small"))
    if asked.design is not None:
        _design_effect(places.pop(), asked)
    for place, name in zip(
        places, [name for name in ("people", "epsilon", "within") if name != given.what], strict=True
    ):
        _number(place, asked, given, "success" if (name, given.by) == ("epsilon", "success") else name)
    with st.container(horizontal=True, gap="xsmall"):
        if asked.guessed:
            _switch(asked, "by", t("Privacy as"), {"epsilon": t("as ε"), "success": t("as guesses")})
        if asked.answers:
            _switch(asked, "every", t("Which shares"), {False: t("one share"), True: t("all at once")})
        if asked.worst:
            _switch(asked, "worst", t("Which data"), {False: t("these data"), True: t("worst data")})
    if asked.answers and not view_options.look(f"{asked.task}_plan_every"):
        view_options.wish(
            st.selectbox, t("Which share"), ["", *asked.answers], key=f"{asked.task}_plan_answer",
            shown=_answer(asked), format_func=partial(_share, least), label_visibility="collapsed",
        )  # fmt: skip


def _share(least: str, answer: str) -> str:
    if not answer and least:
        return t("of the least exact, {answer}", answer=least)
    return t("of {answer}", answer=answer) if answer else t("of the answer that is least exact")


def _number(place: Any, asked: PlannerSubject, given: Given, name: str) -> None:
    value = float(f"{given.within * asked.unit.scale:.6g}")
    label, value, step = {
        "people": (t("People"), given.people, 1000),
        "epsilon": (asked.label or t("ε of the report"), given.epsilon, 0.1),
        "success": (t("Guessed, of 100"), round(100 * given.success), 1),
        "within": (asked.unit.label, value, float(f"{value / 10:.1g}")),
    }[name]
    least, most = BOUNDS[name] if name != "within" else (1e-5 * asked.unit.scale, None)
    least = min(least, value)  # a Study may have less than somebody would type
    controlled.bound(
        place.number_input, words.literal(label), least, most, key=f"plan_{name}", value=value, step=step,
        change=lambda value: want(asked.task, name, value, asked.unit.key),
    )  # fmt: skip


def _design_effect(place: Any, asked: PlannerSubject) -> None:
    """What weights multiply people by: that of the data, until somebody says what they expect."""
    controlled.bound(
        place.number_input, t("Design effect"), min_value=BOUNDS[DESIGN][0], key="plan_design", step=0.1,
        format="%0.2f", value=float(typed(asked, DESIGN) or asked.design or 1.0),
        change=partial(want, asked.task, DESIGN),
        help=t(
            "Uneven weights multiply people by 1 + the squared variation of weights; by 1 where all are equal. "
            "Clusters of people need no box: they multiply only what drawing people errs, which the noise drowns."
        ),
    )  # fmt: skip


def _switch(asked: PlannerSubject, name: str, label: str, texts: dict[Any, str]) -> None:
    key = f"{asked.task}_plan_{name}"
    controlled.bound(
        st.segmented_control, label, list(texts), key=f"plan_{name}_switch", value=view_options.look(key),
        change=partial(view_options.choose, key), format_func=texts.__getitem__, required=True,
        label_visibility="collapsed", width="content",
    )  # fmt: skip
