"""The guide's questions: what is asked, and the widgets that answer it in the Study."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from ldpapp import bind, kept, planner, session, widgets, words
from ldpapp.language import t
from ldpapp.panels import Control, Line, Part
from ldpapp.tasks.review import findings, proposal, settings
from ldpapp.tasks.review import planner as own_planner
from ldpapp.tasks.review import study as own
from ldpapp.tasks.review.facts import Fact
from ldpcore.study import Study, review

TAPPED = 24
"""Questions that are switched on and off one by one; more are chosen from a list."""


@dataclass(frozen=True)
class Asked:
    """What the guide is about. here and main: the survey, and its question in focus; None where nothing is hidden."""

    study: Study
    people: review.People
    here: review.Asked | None = None
    main: Fact | None = None


Step = tuple[str, str, list[Part]]
"""Title, what is meant, and the answer."""


# what is asked ---------------------------------------------------------------------------------------------------


def _asks(asked: Asked) -> Step:
    names = review.questions(kept.table())
    out = [str(name) for name in kept.table().frame.columns if str(name) not in names]
    parts: list[Part] = [Control(partial(_choose, asked.study, names))]
    if out:
        parts.append(
            Line(
                t(
                    "Left out: {names}. They number people, or everybody answers the same.",
                    names=widgets.escape(words.listing(words.shorten(name, 30) for name in out[:6])),
                )
            )
        )
    return (
        t("what do you ask?"),
        (
            t(
                "Invented answers to begin with; your own file opens on the page Data. A question that is not asked "
                "tells nobody anything."
            )
            if kept.is_public()
            else t("A question that is not asked tells nobody anything.")
        ),
        parts,
    )


def _choose(study: Study, names: tuple[str, ...]) -> None:
    few, chosen = len(names) <= TAPPED, [name for name in names if name in study.option("columns", ())] or list(names)
    left, middle, right = st.columns([24, 52, 24], gap="medium")
    with left:
        bind.bound(
            st.selectbox, t("Answers of"), kept.names(), key="guide_data", value=kept.kept().data,
            change=session.open_data, format_func=kept.title,
        )  # fmt: skip
    with middle:
        bind.bound(
            st.pills if few else st.multiselect,
            t("Questions of the survey"),
            names,
            key="guide_columns",
            value=chosen,
            change=own.ask,
            **({"selection_mode": "multi"} if few else {}),
        )
        if problem := own.too_few():
            st.html(f'<div class="sub" role="alert"><b>{problem}</b></div>')
    with right:
        _focus(study, chosen, t("The one to begin with"))


def _focus(study: Study, names: list[str], label: str) -> None:
    bind.bound(st.selectbox, label, names, key="guide_focus", value=study.column, change=session.choose_column)


# what is delicate ------------------------------------------------------------------------------------------------


def _delicate(asked: Asked) -> Step:
    said = t(
        "What somebody would rather not give openly. Questions with marks go through a mechanism, which changes "
        "answers at random; all others stay open and exact."
    )
    return t("what is delicate?"), said, [Control(partial(_mark, asked)), Line(_marked(asked.study))]


def _mark(asked: Asked) -> None:
    left, middle, right = st.columns([20, 42, 38], gap="medium")
    with left:
        _focus(asked.study, list(asked.people.questions), t("Question"))
    with middle:
        own.edit_marks(asked.people, "guide_marks")
    with right:
        found = proposal.unmarked(proposal.proposed(asked.study, asked.people))
        said = t("All that the words of the answers speak for is marked.")
        if not found.count and not proposal.marked(asked.study):
            said = t("No answer has a word of a delicate topic: choose in the middle what is delicate here.")
        if found.count:
            said = t("{why} {named}.", why=proposal.why(found), named=proposal.named(found))
        st.html(f'<div class="sub">{said}</div>')
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            if found.count:
                proposal.button(found, "guide_propose")
            if told := proposal.marked(asked.study):
                st.button(t("Unmark all"), key="guide_clear", on_click=proposal.clear, args=(list(told),))


def _marked(study: Study) -> str:
    told = proposal.marked(study)
    if not told:
        return t("<b>Nothing is marked yet.</b>")
    return t("<b>Marked now</b>, in: {names}.", names=widgets.escape(words.listing(told)))


# how many people -------------------------------------------------------------------------------------------------


def _people(asked: Asked) -> Step:
    said = t(
        "The more people answer, the less the noise of each answer counts. Plan more, or fewer, than the file has."
    )
    file = t("In the file {n} people have answered all questions.", n=words.count(asked.people.n))
    if asked.main is not None:
        file = t(
            "In the file {n} people have answered all questions. With {people}, a {kind} share of {question} is off "
            "by {error} points (± 95 %).",
            kind=findings.kind(asked.main),
            n=words.count(asked.people.n),
            people=words.count(asked.study.n or asked.people.n),
            question=_named(asked.main),
            error=words.margin(asked.main.mse**0.5),
        )

    def number() -> None:
        bind.bound(
            st.number_input, t("People who answer"), 1, 10**9, key="guide_people", change=_plan(asked.people.n),
            value=asked.study.n or asked.people.n, step=1000, width=240,
        )  # fmt: skip

    return t("how many people?"), said, [Control(number), Line(file)]


def _plan(file: int) -> Callable[[int], None]:
    return lambda n: own.plan_people(None if n == file else int(n))


# how exact -------------------------------------------------------------------------------------------------------


def _exact(asked: Asked) -> Step:
    said = t("Less noise is a larger ε, and a larger ε tells more of each person: ask for no more than you need.")
    if asked.here is None or asked.main is None:
        return t("how exact must it be?"), said, [Line(t("First mark something: go back to question 2."))]
    main, wished = asked.main, own_planner.asked(asked.here, asked.main)
    given = replace(planner.inputs(wished), what="epsilon", by="epsilon")
    plans, people, within = wished.plans(False, False), given.people, given.within
    found = planner.answered(plans, wished.focus, given)

    def number() -> None:
        left, right = st.columns([30, 70], gap="medium", vertical_alignment="bottom")
        bind.bound(
            left.number_input,
            t("± points, of every share of {question}", question=words.literal(main.asked.name)), 0.01, 50.0,
            key="guide_within", value=100 * within, change=partial(planner.want, "review", "within"), step=0.1,
        )  # fmt: skip
        with right:
            if found.epsilon is not None:
                _use(asked.study, main, found.epsilon)

    reached = found.epsilon is not None
    line = _reached(people, within) if reached else planner.unreached(wished, plans, given, found)
    cost = planner.exact(wished, plans, found)
    return t("how exact must it be?"), said, [Control(number), Line(line), *([Line(cost)] if cost else [])]


def spent(study: Study, main: Fact, epsilon: float) -> float:
    """The study's ε at which this question's report (its secret answers) has this one; three digits, never less."""
    whole = epsilon * study.epsilon / float(main.asked.epsilons.min())
    unit = 10.0 ** (math.floor(math.log10(whole)) - 2)
    return float(f"{math.ceil(whole / unit * (1 - 1e-9)) * unit:.6g}")


def _use(study: Study, main: Fact, epsilon: float) -> None:
    wanted = spent(study, main, epsilon)
    if math.isclose(wanted, study.epsilon):
        st.button(t("ε = {eps} is set", eps=words.epsilon(wanted)), key="guide_use", disabled=True)
        return
    said = t("Use ε = {eps}", eps=words.epsilon(wanted))
    st.button(said, type="primary", key="guide_use", on_click=_set, args=(study, wanted))


def _set(study: Study, epsilon: float) -> None:
    part = study.secret_epsilon and study.secret_epsilon / study.epsilon  # which secret answers keep
    session.change("review", epsilon=epsilon, secret_epsilon=part and part * epsilon)
    planner.want("review", "epsilon", None)


def _reached(people: int, within: float) -> str:
    return t(
        "The least ε at which 95 of 100 surveys of {people} people are within {within} points, for the share that is "
        "hardest to measure.",
        people=words.count(people),
        within=words.points(within),
    )


# who attacks -----------------------------------------------------------------------------------------------------


def _attacks(asked: Asked) -> Step:
    said = t(
        "Other answers can give a marked one away: who sees that somebody is a husband knows a marital status without "
        "any report of it."
    )
    told = {
        "every": t("Everyone who sees all that a person sends: all answers, side by side"),
        "own": t("Only somebody who sees one report, and knows nothing else of the person"),
    }

    def choice() -> None:
        bind.bound(
            st.radio, t("Who might attack"), list(told), key="guide_attacker", format_func=told.__getitem__,
            value=asked.study.option("attacker", "every"), change=partial(own.choose, "attacker"),
            label_visibility="collapsed",
        )  # fmt: skip

    parts: list[Part] = [Control(choice)]
    if asked.main is not None and asked.main.most is not None:
        parts.append(
            Line(
                t(
                    "Told apart in {n} of 100 pairs: of two people, one with a {kind} {question} and one without, "
                    "the right one is picked so often. Guessing gets 50.",
                    kind=findings.kind(asked.main),
                    n=words.of_100(asked.main.most),
                    question=_named(asked.main),
                )
            )
        )
    return t("who might attack?"), said, parts


def _named(main: Fact) -> str:
    return widgets.escape(words.shorten(main.asked.name, 30))


# the end ---------------------------------------------------------------------------------------------------------


def _done(asked: Asked) -> Step:
    if asked.here is None:
        return t("Nothing is hidden yet"), t("No answer is marked: go back to question 2."), []
    said = t(
        "One file with these settings, their promise and a line to sign on; it opens without network. “edit” below "
        "changes them."
    )
    # Not a piece of the page: the report has these rows on its first.
    parts: list[Part] = [Control(partial(st.html, _signed(asked)))]
    if asked.main is not None and asked.main.worst is not None:
        parts.append(
            Line(
                t(
                    "Before you do: <b>{giver}</b> gives a {kind} {question} away. What to hide besides stands "
                    "under “Who gives it away together”.",
                    kind=findings.kind(asked.main),
                    giver=widgets.escape(words.shorten(asked.main.worst.column, 30)),
                    question=_named(asked.main),
                )
            )
        )
    return t("What you sign"), said, parts


def _signed(asked: Asked) -> str:
    """The very rows that the report's first page has."""
    found = settings.signed(asked.study, asked.people)
    rows = [("ε", words.epsilon(asked.study.epsilon)), *(found.rows if found else ())]
    cells = (f"<tr><td>{widgets.escape(name)}</td><td>{widgets.escape(said)}</td></tr>" for name, said in rows)
    return f'<div class="card"><table>{"".join(cells)}</table></div>'


STEPS: dict[int, Callable[[Asked], Step]] = dict(enumerate((_asks, _delicate, _people, _exact, _attacks, _done), 1))
