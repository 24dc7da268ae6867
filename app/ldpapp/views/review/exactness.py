"""The guide's question for the error that is wanted: the ε it needs, and what no ε of these measures."""

import math
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from ldpapp import words
from ldpapp.parts import planner, widgets
from ldpapp.parts.panels import Control, Line
from ldpapp.state import actions, controlled
from ldpapp.views.review import findings
from ldpapp.views.review import planner as own_planner
from ldpapp.views.review.guided import GuideState, Step, named
from ldpapp.words.language import t
from ldpcore.plan.answers import Given, PlannerAnswer, Plans
from ldpcore.study import Study, review
from ldpcore.study.review.facts import QuestionFacts


def step(asked: GuideState) -> Step:
    about = t("Less noise is a larger ε, and a larger ε tells more of each person: ask for no more than you need.")
    if asked.here is None or asked.main is None:
        return t("how exact must it be?"), about, [Line(t("First mark something: go back to question 2."))]
    wish = wished(asked.here, asked.main)

    def number() -> None:
        left, right = st.columns([30, 70], gap="medium", vertical_alignment="bottom")
        controlled.bound(
            left.number_input,
            t("± points, of every share of {question}", question=words.literal(wish.main.asked.name)), 0.01, 50.0,
            key="guide_within", value=100 * wish.given.within, change=partial(planner.want, "review", "within"),
            step=0.1,
        )  # fmt: skip
        with right:
            _use(asked, wish)

    line = _reached(wish.given) if wish.epsilon else planner.unreached(wish.asked, wish.plans, wish.given, wish.found)
    cost = planner.exact(wish.asked, wish.plans, wish.found)
    lines = [line, cost, rare(asked)]
    return t("how exact must it be?"), about, [Control(number), *(Line(each) for each in lines if each)]


@dataclass(frozen=True)
class Wish:
    """What an error that is asked for needs, of the question `main` is about."""

    main: QuestionFacts
    asked: planner.PlannerSubject
    plans: Plans
    given: Given
    found: PlannerAnswer

    @property
    def epsilon(self) -> float | None:
        """The least ε of the report that is enough; None where no ε is."""
        return self.found.epsilon


def wished(here: review.HiddenSurvey, main: QuestionFacts) -> Wish:
    about = own_planner.asked(here, main)
    given, plans = replace(planner.inputs(about), what="epsilon", by="epsilon"), about.plans(False, False)
    return Wish(main, about, plans, given, planner.answered(plans, about.focus, given))


def spent(study: Study, main: QuestionFacts, epsilon: float) -> float:
    """The study's ε at which this question's report (its secret answers) has this one; three digits, never less."""
    whole = epsilon * study.epsilon / float(main.asked.epsilons.min())
    unit = 10.0 ** (math.floor(math.log10(whole)) - 2)
    return float(f"{math.ceil(whole / unit * (1 - 1e-9)) * unit:.6g}")


def _use(asked: GuideState, wish: Wish) -> None:
    if wish.epsilon is None:
        return
    wanted = spent(asked.study, wish.main, wish.epsilon)
    if math.isclose(wanted, asked.study.epsilon):
        st.button(t("ε = {eps} is set", eps=words.epsilon(wanted)), key="guide_use", disabled=True)
        return
    label = t("Use ε = {eps}", eps=words.epsilon(wanted))
    st.button(label, type="primary", key="guide_use", on_click=_set, args=(asked.study, asked.here, asked.main))


def _set(study: Study, here: review.HiddenSurvey, main: QuestionFacts) -> None:
    """The ε of what is typed by now: who types and presses at once has not seen the button's new number yet."""
    epsilon = wished(here, main).epsilon
    if epsilon is None:
        return
    wanted, part = spent(study, main, epsilon), study.secret_epsilon and study.secret_epsilon / study.epsilon
    actions.change("review", epsilon=wanted, secret_epsilon=part and part * wanted)  # which secret answers keep
    planner.want("review", "epsilon", None)


def _reached(given: Given) -> str:
    return t(
        "The least ε at which 95 of 100 surveys of {people} people are within {within} points, for the share that is "
        "hardest to measure.",
        people=words.count(given.people),
        within=words.points(given.within),
    )


def missed(asked: GuideState, wish: Wish) -> str:
    """That these settings are less exact than what was asked for, if somebody asked, and they are."""
    if planner.typed(wish.asked, "within") is None:
        return ""
    if wish.epsilon is not None and spent(asked.study, wish.main, wish.epsilon) <= asked.study.epsilon * (1 + 1e-9):
        return ""
    plan = wish.plans.of(wish.asked.focus)
    return t(
        "<b>Less exact than you asked for.</b> You asked for {within} points; at ε = {eps} the share of {question} "
        "that is hardest to measure is off by {error}. Go back to question 4.",
        within=words.points(wish.given.within),
        eps=words.epsilon(asked.study.epsilon),
        question=named(wish.main),
        error=words.points(plan.within(wish.asked.epsilon, wish.given.people)),
    )


def rare(asked: GuideState) -> str:
    """Marked answers that no survey with these settings can measure."""
    return "" if asked.here is None else findings.drowned(asked.here.drowned(), widgets.escape)
