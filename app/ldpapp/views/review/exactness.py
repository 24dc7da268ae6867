"""The guide's question for the error that is wanted: the ε it needs, and what no ε of these measures."""

import streamlit as st

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.parts.panels import Control, Line
from ldpapp.views.review import planner
from ldpapp.views.review.guided import GuideState, Step
from ldpapp.words.language import t
from ldpcore.study.review.facts import ReviewFacts


def step(asked: GuideState) -> Step:
    known = asked.known
    if known is None:
        return t("How exact must it be?"), "", [Line(t("First mark something: “delicate” above."))]
    about = t("Less noise is a larger ε, and a larger ε tells more of each person: ask for no more than you need.")

    def number() -> None:
        with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
            with st.container(width=240):
                planner.within(known, "guide_within")
            planner.use(known, "guide_use", "epsilon")

    lines = [_reached(known), _of_marked(known), _of_each(known), planner.out_of_reach(known)]
    return t("How exact must it be?"), about, [Control(number), *(Line(each) for each in lines if each)]


def _reached(known: ReviewFacts) -> str:
    if known.needed_epsilon is None:
        return f"<b>{planner.unreached(known, 'epsilon')}</b> {_more_people(known)}"
    return t(
        "The least ε at which 95 of 100 surveys of {people} people are within {within} points, by the noise alone, for "
        "the share that is hardest to measure: one of <b>{question}</b>. If these people are a sample, a marked share "
        "is off by up to {margin} now, the noise included.",
        margin=words.points(known.margin_with_choice),
        people=words.count(known.plans.people),
        within=planner.wanted(known),
        question=widgets.escape(words.shorten(known.neediest, 30)),
    )


def _of_marked(known: ReviewFacts) -> str:
    """That less is enough for the marked answers alone; "" where it is not."""
    if (lower := known.needed_epsilon_of_marked) is None:
        return ""
    return t(
        "For the shares of <b>marked answers alone ε = {eps}</b> is enough; those of others are then less exact.",
        eps=words.epsilon(lower),
    )


def _of_each(known: ReviewFacts) -> str:
    """What every question needs by itself, where there are several."""
    needs = [
        t("<b>{question}</b> {eps}", question=widgets.escape(words.shorten(name, 30)), eps=words.epsilon(need))
        for name, need in known.needed_epsilons.items()
        if need is not None
    ]
    return t("Each by itself: {needs}.", needs=", ".join(needs)) if len(needs) > 1 else ""


def _more_people(known: ReviewFacts) -> str:
    if known.needed_people is None:
        return ""
    return t("At ε = {eps} it takes {n} people.", eps=words.span(known.asked.spent), n=words.count(known.needed_people))


def reached(known: ReviewFacts) -> str:
    """How exact marked answers are as they are asked now; where somebody wants something, what they want, and whether
    it is missed, by all answers or by others alone.
    """
    margin = known.widest if known.margin is None else known.margin
    if not known.study.option("within"):
        return t("{margin} points", margin=words.points(margin))
    return kept(known, t("{goal} points, now {margin}", goal=planner.wanted(known), margin=words.points(margin)))


def kept(known: ReviewFacts, goal: str) -> str:
    """The goal, and whether it is missed: by marked answers, or by others alone."""
    if known.misses(known.widest if known.margin is None else known.margin):
        return t("{goal}, missed", goal=goal)
    return t("{goal}, marked alone", goal=goal) if missed(known) else goal


def missed(known: ReviewFacts) -> str:
    """That these settings are less exact than what was asked for, if somebody asked, and they are."""
    margins = known.plans.margins()
    worst = max(margins, key=margins.__getitem__)
    if not known.misses(known.widest):
        return ""
    return t(
        "<b>Less exact than you asked for.</b> You asked for {within} points; at ε = {eps} the share that is hardest "
        "to measure is off by {error}.",
        within=planner.wanted(known),
        eps=words.epsilon(known.asked.hidden[worst].epsilon),
        error=words.points(margins[worst]),
    )
