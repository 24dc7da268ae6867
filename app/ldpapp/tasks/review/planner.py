"""The planner for the question in focus: of people, ε and error two are fixed, and the third is answered."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ldpapp import charts, looks, widgets, words
from ldpapp.compute.memory import once
from ldpapp.language import t
from ldpapp.panels import Chart, Control, Html, Line, Panel, Sheet
from ldpapp.tasks.review.facts import Fact
from ldpcore import catalog, plan, questionnaire
from ldpcore.study import review

GRID = tuple(float(f"{x:.2g}") for x in np.geomspace(0.1, plan.HIGHEST, 20))


@dataclass(frozen=True)
class Wanted:
    """The three quantities; the answered one is None where it cannot be reached."""

    people: int | None
    epsilon: float | None
    within: float | None


@dataclass(frozen=True)
class About:
    """A question, as plain values: what a plan of any mechanism depends on."""

    key: str
    marked: tuple[bool, ...]
    freq: tuple[float, ...]

    def by(self, key: str) -> plan.Plan:
        return plan.frequency(key, len(self.marked), np.array(self.marked), freq=np.array(self.freq))

    @property
    def limit(self) -> plan.Plan:
        inside = np.array(self.marked)
        share = float(np.array(self.freq)[inside].sum())
        return plan.limit(catalog.FREQUENCY[self.key].promise, len(inside), int(inside.sum()), share=share)


def about(one: review.Hidden) -> About:
    return About(one.key, tuple(map(bool, one.marked)), tuple(map(float, one.freq)))


@once(256)
def answered(question: About, key: str, what: str, people: int, epsilon: float, within: float) -> Wanted:
    """What follows from two of them; key "": for the limit."""
    made = question.by(key) if key else question.limit
    if what == "people":
        return Wanted(made.people(epsilon, within), epsilon, within)
    if what == "epsilon":
        return Wanted(people, made.epsilon(people, within), within)
    found = made.within(epsilon, people)
    return Wanted(people, epsilon, found if np.isfinite(found) else None)


@once(64)
def _needed(question: About, within: float) -> tuple[pd.DataFrame, pd.DataFrame]:
    """People needed at every ε: by the question's mechanism, and at least, by the limit."""

    def along(made: plan.Plan, name: str) -> pd.DataFrame:
        found = [(name, x, made.people(x, within)) for x in GRID]
        return pd.DataFrame(
            [(name, x, float(n)) for name, x, n in found if n is not None], columns=["mechanism", "x", "value"]
        )

    return along(question.by(question.key), question.key), along(question.limit, "limit")[["x", "value"]]


def panel(here: review.Asked, fact: Fact) -> Panel:
    one = fact.asked
    question, what = about(one), looks.look("review_answered")
    given = wanted(here, fact)
    found = answered(question, question.key, what, *given)
    curve, floor = _needed(question, found.within or given[2])
    parts: list[Any] = [
        Control(partial(_inputs, given, what)),
        Html(_answer(what, found)),
        Line(_success(question, found)),
    ]
    if said := price(question, found.epsilon):
        parts.append(Line(said))
    if len(curve):
        figure = charts.error_curves(
            curve,
            None,
            focus=question.key,
            at=found.epsilon,
            limit=floor,
            limit_text=t("Fewer people: no mechanism can"),
            unit=t("people"),
            labels=False,
            dark=widgets.is_dark(),
            height=190,
            width=300,
        )
        within = words.points(found.within or given[2])
        parts += [
            Line(t("People needed by {key} for {within} points, against ε.", key=question.key, within=within)),
            Chart(figure, t("How many people {key} needs, against ε", key=question.key)),
        ]
    return Panel(
        "planner",
        t("Planner"),
        parts,
        t("Two are fixed, one is answered, for every share of <b>{question}</b>.", question=widgets.escape(one.name)),
        [Sheet(_every(question, what, given), "planner")],
    )


def wanted(here: review.Asked, fact: Fact) -> tuple[int, float, float]:
    """People, ε and half-width: as somebody typed them, else as the survey has them."""
    one = fact.asked
    people = looks.wished("plan_people") or max(1, round(here.n * one.chance))
    epsilon = looks.wished("plan_epsilon") or one.epsilon
    usual = about(one).by(one.key).within(one.epsilon, max(1, round(here.n * one.chance)))
    points = looks.wished("plan_within") or max(0.01, float(f"{100 * min(usual, 1.0):.1g}"))
    return int(people), float(epsilon), points / 100


def _inputs(given: tuple[int, float, float], what: str) -> None:
    """Which one is answered, and the other two."""
    said = {"epsilon": t("which ε"), "people": t("how many"), "within": t("how exact")}
    looks.radio(t("Answered"), said, "review_answered", horizontal=True, label_visibility="collapsed")
    people, epsilon, within = given
    draw: dict[str, Callable[[Any], None]] = {
        "people": lambda place: looks.wish(
            place.number_input, t("People"), 1, key="plan_people", shown=people, step=1000
        ),
        "epsilon": lambda place: looks.wish(
            place.number_input, t("ε of the report"), plan.LOWEST, key="plan_epsilon", shown=epsilon, step=0.1
        ),
        "within": lambda place: looks.wish(
            place.number_input, t("Within ± points"), 0.001, key="plan_within", shown=within * 100, step=0.1
        ),
    }
    places = st.columns(2, gap="small")
    for place, name in zip(places, [name for name in ("people", "epsilon", "within") if name != what], strict=True):
        draw[name](place)


def _answer(what: str, found: Wanted) -> str:
    if what == "epsilon":
        said, number = t("Then ε must be"), None if found.epsilon is None else words.epsilon(found.epsilon)
        never = t("Cannot be reached: no ε up to {most} suffices.", most=words.epsilon(plan.HIGHEST))
    elif what == "people":
        said, number = t("Then so many people must answer"), None if found.people is None else words.count(found.people)
        never = t("Cannot be reached with any number of people.")
    else:
        said, number = t("Then shares are off by at most"), None if found.within is None else words.points(found.within)
        never = t("Cannot be reached: nothing is told.")
    if number is None:
        return f'<div class="card"><b>{never}</b></div>'
    return f'<div class="card plan"><span>{said}</span> <b class="big">{number}</b></div>'


def _success(question: About, found: Wanted) -> str:
    """What an attacker manages at this ε, and what by a blind guess."""
    if found.epsilon is None:
        return t("More people, or a larger error, can be.")
    won = question.by(question.key).success(found.epsilon)
    if won is None or not np.isfinite(won):
        return ""
    several = sum(question.marked)
    holes = {
        "eps": words.epsilon(found.epsilon),
        "won": words.chance_of_100(won),
        "blind": words.of_100(1 / (several if several > 1 else len(question.marked))),
    }
    if several > 1:
        return t(
            "At ε = {eps}, whoever knows that an answer is marked names it from one report for {won} people; a blind "
            "guess gets {blind}.",
            **holes,
        )
    return t(
        "At ε = {eps}, whoever knows nothing else names the marked answer from one report for {won} people who gave "
        "it; a blind guess gets {blind}.",
        **holes,
    )


@once(256)
def told(question: About, epsilon: float) -> float | None:
    """Pairs told apart by the own report at best, exact; None where its reports are too many to say."""
    mask = np.array(question.marked)
    built = catalog.FREQUENCY[question.key].build(epsilon, len(mask), mask)
    try:
        return questionnaire.best(built, mask, np.array(question.freq))
    except ValueError:
        return None


def price(question: About, epsilon: float | None) -> str:
    """What this ε tells of one person; "" where that is not known exactly."""
    pairs = None if epsilon is None else told(question, epsilon)
    if pairs is None:
        return ""
    return t(
        "At ε = {eps}, told apart in {n} of 100 pairs by the own report alone: exact, nobody who sees no more does "
        "better.",
        eps=words.epsilon(epsilon or 0.0),
        n=words.of_100(pairs),
    )


def unreached(one: About, people: int, now: float, within: float) -> str:
    """Where no ε does: what would help."""
    made = one.by(one.key)
    needed, best = made.people(now, within), made.within(plan.HIGHEST, people)
    holes = {"people": words.count(people), "within": words.points(within), "most": words.epsilon(plan.HIGHEST)}
    holes["best"] = words.points(best) if math.isfinite(best) else words.UNBOUNDED
    if needed is None:
        return t(
            "<b>Cannot be reached</b>: {people} people are not within {within} points at any ε up to {most}. The best "
            "is {best}: ask for less, or mark fewer answers.",
            **holes,
        )
    return t(
        "<b>Cannot be reached</b>: {people} people are not within {within} points at any ε up to {most}. What helps: "
        "{best} is the best for so many people; at ε = {eps} it takes {needed}.",
        eps=words.epsilon(now),
        needed=words.count(needed),
        **holes,
    )


def _every(question: About, what: str, given: tuple[int, float, float]) -> pd.DataFrame:
    """The same for every mechanism and the limit."""
    rows = []
    for key in [*catalog.FREQUENCY, ""]:
        found = answered(question, key, what, *given)
        won = question.by(key).success(found.epsilon) if key and found.epsilon is not None else None
        rows.append(
            {
                "mechanism": catalog.FREQUENCY.name(key) if key else "limit",
                "people": found.people,
                "ε": found.epsilon,
                "± points": None if found.within is None else 100 * found.within,
                "guessed": won,
            }
        )
    return pd.DataFrame(rows)
