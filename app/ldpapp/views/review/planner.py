"""The planner for the question in focus."""

from ldpapp import words
from ldpapp.parts import planner, widgets
from ldpapp.parts.panels import Panel
from ldpapp.words.language import t
from ldpcore import catalog
from ldpcore.study import review
from ldpcore.study.frequency.floor import policy
from ldpcore.study.frequency.plans import SharePlans
from ldpcore.study.review.facts import QuestionFacts


def panel(here: review.HiddenSurvey, fact: QuestionFacts) -> Panel:
    return planner.panel(asked(here, fact), wide=False)


def asked(here: review.HiddenSurvey, fact: QuestionFacts) -> planner.PlannerSubject:
    """What is planned: the shares of the question, with its own mechanism."""
    one = fact.asked
    shares = SharePlans.of_levels(policy(one.key), one.epsilons, one.freq, one.chance)
    about = t(
        "Two are fixed, one is answered, for every share of <b>{question}</b>.", question=widgets.escape(one.name)
    )
    if one.chance < 1:
        about += " " + t("People are those who are asked it, {part} of 100.", part=words.of_100(one.chance))
    able = [key for key in review.CATALOG if shares.levels or key not in catalog.LEVELS or key == one.key]
    return planner.of_values(
        "review",
        shares,
        able,
        (one.key,),
        one.key,
        max(1, round(here.n * one.chance)),
        float(one.epsilons.min()),
        about,
    )
