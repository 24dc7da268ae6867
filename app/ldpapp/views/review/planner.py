"""The planner of the whole survey: of people, ε and error two are the Study's, the third follows for every question."""

import math
from collections.abc import Callable
from functools import partial

import pandas as pd
import streamlit as st

from ldpapp import charts, words
from ldpapp.compute.memory import once
from ldpapp.parts import widgets
from ldpapp.parts.panels import Chart, Control, Html, Line, Panel, Part, Reach, Sheet
from ldpapp.state import actions, controlled, view_options
from ldpapp.views.review import sidebar
from ldpapp.words.language import t
from ldpcore import plan
from ldpcore.plan.answers import Given, given_to, needed
from ldpcore.study import Study, axis_points
from ldpcore.study.frequency.plans import SharePlans
from ldpcore.study.review.facts import QuestionFacts, ReviewFacts
from ldpcore.study.review.people import SurveyTable
from ldpcore.study.review.plans import shares_of

GRID = axis_points.epsilons(0.2, plan.HIGHEST)
"""Where people are drawn against ε."""
NEAREST = 3
"""Answers too rare to measure that are named at once: those that take fewest people."""
_apart = once(256)(SharePlans.told_apart)


def panel(known: ReviewFacts) -> Panel:
    shown: list[Part] = [
        Control(partial(_controls, known)),
        Html(_answer(known)),
        Control(lambda: use(known, "plan_use", answers())),
    ]
    shown += [Line(text) for text in (_decides(known), _unmarked(known)) if text]
    if beyond := out_of_reach(known):
        shown.append(Html(f'<div class="card">{beyond}</div>'))
    shown += _curves(known)
    # What it takes hangs on the shares of the data.
    return Panel("planner", t("Planner"), shown, head=[Sheet(_table(known), "planner")], reach=Reach.INTERNAL)


# what is given ---------------------------------------------------------------------------------------------------


def answers() -> str:
    """Which of the three follows from the others."""
    return view_options.look("review_answered", "epsilon")


def _controls(known: ReviewFacts) -> None:
    texts = {"epsilon": t("which ε"), "people": t("how many"), "within": t("how exact")}
    view_options.radio(t("Answered"), texts, "review_answered", horizontal=True, label_visibility="collapsed")
    with st.container(horizontal=True, gap="small"):
        if answers() != "people":
            people(known.study, known.data, "plan_people")
        if answers() != "epsilon":
            controlled.bound(
                st.number_input, "ε", plan.LOWEST, 40.0, key="plan_epsilon", value=known.study.epsilon, step=0.1,
                change=lambda epsilon: actions.change("review", epsilon=epsilon),
            )  # fmt: skip
        if answers() != "within":
            within(known, "plan_within")


def people(study: Study, data: SurveyTable, key: str) -> None:
    """Who answers: as many as the file has, or as are planned."""
    file = data.n
    controlled.bound(
        st.number_input, t("People"), 1, 10**9, key=key, value=study.n or file, step=1000,
        change=lambda n: sidebar.plan_people(None if n == file else int(n)),
    )  # fmt: skip


def within(known: ReviewFacts, key: str) -> None:
    """The half-width that is wanted of every share."""
    controlled.bound(
        st.number_input, t("± points"), 0.01, 50.0, key=key,
        value=float(f"{100 * known.wanted:.6g}"), step=0.1,
        change=lambda points: actions.option("review", within=points / 100),
    )  # fmt: skip


# what follows ----------------------------------------------------------------------------------------------------


def _answer(known: ReviewFacts) -> str:
    title = t("ε private must be") if known.asked.leveled else t("ε must be")
    number = known.needed_epsilon and _needed(known)
    if answers() == "people":
        title, number = t("So many must answer"), known.needed_people and words.count(known.needed_people)
    elif answers() == "within":
        title, number = t("The noise is at most"), words.points(max(known.plans.margins().values()))
    if number is None:
        return f'<div class="card"><b>{unreached(known, answers())}</b></div>'
    return f'<div class="card plan"><span>{title}</span> <b class="big">{number}</b></div>'


def _needed(known: ReviewFacts) -> str:
    """The ε that is enough: for the worst question, or from the least to the largest that one needs."""
    least = min(each or 0.0 for each in known.needed_epsilons.values())
    most = words.epsilon(known.needed_epsilon or 0.0)
    return f"{words.epsilon(least)}–{most}" if known.study.option("parts") else most


def unreached(known: ReviewFacts, answered: str) -> str:
    """What is out of reach, and what is not."""
    if answered == "people":
        return t("Out of reach with any number of people.")
    most = plan.HIGHEST
    worst = known.plans.of(known.neediest)
    return t(
        "{wanted} is out of reach: at best {least}, at ε = {most}.",
        wanted=wanted(known),
        least=words.points(worst.within(most, known.plans.people)),
        most=words.epsilon(most),
    )


def use(known: ReviewFacts, key: str, answered: str) -> None:
    """The button that takes what follows into the Study, one for each way to set ε; none for what is there."""
    if answered == "people":
        n = known.needed_people
        if n is not None and n != (known.study.n or known.data.n):
            st.button(t("Plan {n} people", n=words.count(n)), key=key, on_click=sidebar.plan_people, args=(n,))
    elif answered == "epsilon" and known.needed_epsilon is not None:
        needs = {need or 0.0 for need in known.needed_epsilons.values()}
        if key == "guide_use" or len(needs) < 2 or known.one_by_one is None:
            _use(known, key, known.in_use, t("Use ε = {eps}", eps=_needed(known)))
            return
        parts, most = bool(known.study.option("parts")), words.epsilon(known.needed_epsilon)
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            _use(known, key, known.in_use and not parts, t("Use {eps} for all", eps=most), False)
            span = f"{words.epsilon(min(needs))}–{words.epsilon(max(needs))}"
            each = t("Use {eps}, each its own", eps=span)
            _use(known, f"{key}_each", known.in_use and parts, each, True)


def _use(known: ReviewFacts, key: str, used: bool, label: str, one_by_one: bool | None = None) -> None:
    """The button that takes this ε; what is in use has none."""
    if used:
        st.html(f'<div class="sub">{t("in use")}</div>')
    else:
        kind = "primary" if key == "guide_use" else "secondary"
        st.button(label, key=key, type=kind, on_click=sidebar.take_needed, args=(one_by_one,))


def _decides(known: ReviewFacts) -> str:
    """Which question it is about, where there are several; and the ε of secret answers, which keep their part."""
    secret, study = "", known.study
    if known.asked.leveled and answers() == "epsilon" and known.needed_epsilon is not None:
        least = study.secret_at(study.epsilon) / study.epsilon * known.needed_epsilon
        secret = t("ε secret then is {eps}.", eps=words.epsilon(least))
    if len(known.asked.hidden) < 2 or (known.study.option("parts") and answers() == "epsilon"):
        return secret
    worst = t("For <b>{question}</b>, the worst.", question=widgets.escape(words.shorten(known.neediest, 30)))
    return " ".join(filter(None, [worst, _by_itself(known), secret]))


def _unmarked(known: ReviewFacts) -> str:
    """That the share which decides on ε is of an answer that is not marked, and what is enough for those that are."""
    answer, marked = known.least_exact
    if answers() != "epsilon" or known.needed_epsilon is None:
        return ""
    text = "" if marked else t("Least exact: “{answer}”, unmarked.", answer=widgets.escape(words.shorten(answer, 30)))
    if (lower := known.needed_epsilon_of_marked) is None:
        return text
    return t("{text} Marked answers alone need <b>{eps}</b>.", text=text, eps=words.epsilon(lower)).strip()


def _by_itself(known: ReviewFacts) -> str:
    """That the question which decides needs less by itself, as another mechanism asks it there; "" elsewhere."""
    least, needed = known.needed_epsilons[known.neediest], known.needed_epsilon
    if answers() != "epsilon" or least is None or needed is None or least >= needed:
        return ""
    return t("By itself ε = {eps} is enough, with another mechanism.", eps=words.epsilon(least))


def out_of_reach(known: ReviewFacts) -> str:
    """What it takes to see more, as markup: of every question with answers that are too rare to measure those that take
    fewest and most people, the nearest first; "" where there are none.
    """
    several = len(known.asked.hidden) > 1
    rare = [fact for fact in known.every.values() if fact.rare]
    ends = [(fact, answer) for fact in rare for answer in fact.rare]
    if len(ends) > NEAREST + 1:
        ends = [(fact, answer) for fact in rare for answer in dict.fromkeys((fact.nearest, fact.rarest))]
    ends = sorted(ends, key=lambda end: end[0].to_see(end[1])[0] or math.inf)
    if not (rows := [f"<tr>{_beyond(fact, answer, several)}</tr>" for fact, answer in ends]):
        return ""
    heads = "".join(f"<th>{name}</th>" for name in (t("Too rare; takes"), t("people"), t("or its ε")))
    shown = len(rows) if len(rows) <= NEAREST + 1 else NEAREST  # one alone is not worth a fold
    table = f'<table class="beyond"><thead><tr>{heads}</tr></thead><tbody>{"".join(rows[:shown])}</tbody></table>'
    if len(rows) == shown:
        return table
    more = t("{n} more", n=words.count(len(rows) - shown))
    rest = f'<table class="beyond"><tbody>{"".join(rows[shown:])}</tbody></table>'
    return f'{table}<details class="beyond"><summary>{more}</summary>{rest}</details>'


def _beyond(fact: QuestionFacts, answer: str, several: bool) -> str:
    """A question's cells: an answer that is too rare to measure, and what it takes."""
    name = widgets.escape(words.shorten(answer, 30))
    if several:
        question = widgets.escape(words.shorten(fact.asked.name, 30))
        name = t("{question}: {answer}", question=question, answer=name)
    share = words.share(fact.share_of(answer))
    people, epsilon = _takes(fact, answer)
    return f"<td>{t('{answer} ({share})', answer=name, share=share)}</td><td>{people}</td><td>{epsilon}</td>"


def _takes(fact: QuestionFacts, answer: str) -> tuple[str, str]:
    """People, or ε, until this answer is learned."""
    never, (people, epsilon) = t("never"), fact.to_see(answer)
    return never if people is None else words.count(people), never if epsilon is None else words.epsilon(epsilon)


def beyond(fact: QuestionFacts, answer: str, count: int) -> str:
    """How many answers are too rare to measure, and the people of this one, which takes fewest."""
    name = widgets.escape(words.shorten(f"{fact.asked.name}: {answer}", 48))
    people = _takes(fact, answer)[0]
    if count == 1:
        return t("<b>Too rare:</b> {answer} takes {people} people.", answer=name, people=people)
    return t(
        "<b>{n} answers too rare;</b> nearest: {answer} ({people} people).",
        n=words.count(count), answer=name, people=people,
    )  # fmt: skip


def wanted(known: ReviewFacts) -> str:
    """The half-width that is wanted, as short as it was said: "±2"."""
    return f"±{words.signed(100 * known.wanted).removeprefix('+')}"


# what is drawn ---------------------------------------------------------------------------------------------------


def _curves(known: ReviewFacts) -> list[Part]:
    plans, names = known.even_plans, list(known.asked.hidden)
    rows = pd.concat([needed(plans, name, known.wanted, GRID) for name in names], ignore_index=True)
    if not len(rows):
        return []
    enough = {name: e for name, e in known.needed_epsilons.items() if e is not None}
    worst = plans.here.hidden[known.neediest]
    figure = charts.needs(
        rows, worst=known.neediest, people=plans.people, enough=enough, key=worst.key, apart=_told(known),
        dark=widgets.is_dark(),
    )  # fmt: skip
    line = t("People against ε; red: told apart.")
    return [Line(line), Chart(figure, t("How many people every question needs, against ε"))]


def _told(known: ReviewFacts) -> Callable[[float], str] | None:
    """ε → pairs that the report to the worst question tells apart, of 100."""
    one = known.even_plans.here.hidden[known.neediest]
    shares, part = shares_of(one), float(one.epsilons.min()) / known.study.epsilon

    def told(epsilon: float) -> str:
        pairs = _apart(shares, one.key, epsilon * part)
        return "" if pairs is None else words.of_100(pairs)

    return told if told(1.0) else None


def _table(known: ReviewFacts) -> pd.DataFrame:
    """Every question: what it needs for this error, and what it errs now."""
    margins, study = known.plans.margins(), known.study
    rows = []
    for name, one in known.asked.hidden.items():
        given = Given("people", "epsilon", 0, study.epsilon, 0.5, known.wanted)
        people = given_to(known.plans.of(name), given).people
        rows.append((name, one.key, one.built.report_bits(), known.needed_epsilons[name], people, 100 * margins[name]))
    return pd.DataFrame(rows, columns=["question", "mechanism", "bits", "ε", "people", t("± points")])
