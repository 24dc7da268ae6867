"""Review's part of the sidebar: ε, who answers what, the mechanisms, what the attacker sees, which questions."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from ldpapp import words
from ldpapp.compute.memory import once
from ldpapp.parts import budget, sidebar, widgets
from ldpapp.state import actions, controlled, view_options
from ldpapp.state.model import study_of, table
from ldpapp.views.review import as_one, cached, proposal
from ldpapp.words import language
from ldpapp.words.language import t
from ldpcore.data import DataError, Table
from ldpcore.plan.answers import ANSWERED
from ldpcore.study import Study
from ldpcore.study import review as task
from ldpcore.study.review.facts import facts

BEST = ""
"""The choice of the best mechanism for each question."""
GUIDE = "review_guide"
"""The guide's step."""
STEPS = tuple(range(7))
"""0 closed, 1 to 5 its questions, 6 its end."""
LOOKS = {
    "review_answered": ANSWERED,
    "fold_review_together": (False, True),
    "fold_review_answers": (False, True),
    "fold_review_again": (False, True),
    GUIDE: STEPS,
}


def beside(place: Any, study: Study, table: Table) -> None:
    sidebar.column(place, list(task.questions(table)), study.column)


def draw(study: Study, table: Table) -> None:
    """The sidebar."""
    names = task.questions(table)
    if not names:
        sidebar.aside(t("This data has no questions to review."))
        return
    _marked(study, table, names)
    _planned(study)
    budget.epsilon(study, by_level=bool(study.marks.secret))
    _pills(
        t("Each person answers"),
        "scheme",
        {"all": t("all questions"), "one": t("one")},
        study,
        t("All hidden questions, or one of them, drawn openly by lot. Open questions are answered by everybody."),
    )
    _pills(
        t("ε is spent"),
        "budget",
        {"question": t("per question"), "person": t("per person")},
        study,
        t("On each hidden question, or once for a person and shared by the hidden questions that are answered."),
    )
    _pills(
        t("The attacker sees"),
        "attacker",
        {"every": t("every report"), "own": t("one report")},
        study,
        t("Everything that a person sends, or the report to the question alone."),
    )
    _mechanism(study)
    _promised(study, table)
    _questions(study, table, names)
    sidebar.seed(study, t("surveys"))


def _marked(study: Study, table: Table, names: Sequence[str]) -> None:
    """How many answers are protected, in how many questions: of a range that is marked every one of its parts."""
    marks = proposal.marked(study)
    color = widgets.colors().sensitive
    if not marks:
        sidebar.aside(f"<b>{t('No answer marked sensitive')}</b><br>{t('“delicate” marks them.')}")
        return
    try:
        survey = cached.asked(study, data(study, table))
    except (DataError, ValueError):  # the page says why
        return
    several = t("{answers} protected", answers=words.plural(survey.protected, t("answer"), t("answers")))
    asked = len(survey.hidden) + len(survey.open)
    where = t("in {n} of {all} questions", n=len(survey.hidden), all=asked)
    if secret := sum(int(one.secret.sum()) for one in survey.hidden.values()):
        where = t("in {n} of {all} questions, {secret} of them secret", n=len(survey.hidden), all=asked, secret=secret)
    sidebar.aside(f'<b style="color:{color}">{several}</b><br>{where}', color)


def _planned(study: Study) -> None:
    """Another number of people than the file has."""
    if study.n is None:
        return
    sidebar.aside(t("<b>{n} people planned</b>", n=words.count(study.n)))
    st.button(t("As many as the file"), key="review_as_file", type="tertiary", on_click=plan_people, args=(None,))


def plan_people(n: int | None) -> None:
    """So many people are to answer; None: as many as the file has."""
    actions.change("review", n=n)


def take_needed(one_by_one: bool | None = None) -> None:
    """The least ε that is enough for what is wanted by now: who types and presses at once has not seen the button's new
    number yet. Secret answers keep their part of it. one_by_one: every question has its own, None: as now.
    """
    study = here(study_of("review"))
    known = facts(study, cached.people(study, table()))
    own_parts = bool(study.option("parts")) if one_by_one is None else one_by_one
    each = known.one_by_one if own_parts else None
    epsilon, parts = each or (known.needed_epsilon, None)
    if epsilon is not None:
        actions.option("review", parts=parts, within=known.wanted)  # which whoever presses has agreed to
        spend(epsilon)


def take(epsilon: float, parts: tuple[str, ...]) -> None:
    """This ε, and these parts of it."""
    actions.option("review", parts=parts or None)
    spend(epsilon)


def spend(epsilon: float) -> None:
    """This ε, of which secret answers keep their part."""
    actions.spend(study_of("review").spending(epsilon))


def _pills(label: str, name: str, said: Mapping[str, str], study: Study, why: str) -> None:
    """An option of the survey, one of a few."""
    controlled.bound(
        st.segmented_control,
        label,
        list(said),
        key=f"review_option_{name}",
        value=study.option(name),
        change=partial(choose, name),
        format_func=said.__getitem__,
        help=why,
        required=True,
    )


def choose(name: str, value: str) -> None:
    """One of the survey's options."""
    actions.option("review", **{name: value})


def _mechanism(study: Study) -> None:
    keys = list(task.CATALOG)
    language.notice(*keys)
    alone = study.mechanisms[0] if len(study.mechanisms) == 1 else BEST
    several = t("the best for each question")
    if alone == BEST and len(study.mechanisms) < len(keys):
        several = t("the best of {n} for each question", n=len(study.mechanisms))
    controlled.bound(
        st.selectbox,
        t("Mechanisms"),
        [BEST, *keys],
        key="review_mechanism",
        value=alone,
        change=lambda key: actions.choose_mechanisms("review", (key,) if key else task.CATALOG.defaults),
        format_func=lambda key: task.CATALOG.name(key) if key else several,
        help=t("The best errs least on the marked answers of its question if few give one, exactly computed."),
    )


def _promised(study: Study, table: Table) -> None:
    """What the whole report of a person adds up to."""
    try:
        here = cached.asked(study, data(study, table))
    except (DataError, ValueError):  # the page says why
        return
    said = t("One person’s reports: ε at most {eps}.", eps=words.epsilon(here.promised()))
    if here.rows > 1:
        several = t("One person has up to {rows} rows, each a whole report.", rows=words.count(here.rows))
        st.html(f'<div class="sub">{several}</div>')
    if here.leveled:
        said = t(
            "One person’s reports: ε at most {eps}, of the secret answers alone {secret}.",
            eps=words.epsilon(here.promised()),
            secret=words.epsilon(here.promised(secret=True)),
        )
    st.html(f'<div class="sub">{said}</div>')


def _questions(study: Study, table: Table, names: Sequence[str]) -> None:
    """Which questions are asked, and which of them are hidden though nothing is marked in them."""
    asked = [name for name in names if name in study.option("columns")] or list(names)
    marked = task.split(study.marks.values, names)
    elsewhere = [name for name in study.option("hidden") if name not in asked]  # hidden again when it is asked again
    with st.popover(t("questions ({n})", n=len(asked)), key="review_questions", width="stretch"):
        controlled.bound(
            st.multiselect,
            t("Questions of the survey"),
            names,
            key="review_columns",
            value=asked,
            change=ask,
            help=t("Nobody answers what is not asked; other answers may tell it."),
        )
        controlled.bound(
            st.multiselect,
            t("Hidden though nothing is marked"),
            [name for name in asked if name not in marked],
            key="review_hidden",
            value=[name for name in study.option("hidden") if name in asked and name not in marked],
            change=lambda chosen: actions.option("review", hidden=(*chosen, *elsewhere) or None),
            help=t("All answers to them are sent through a mechanism. The others without marks are sent openly."),
        )
        as_one.choose(study, table, asked, [name for name in asked if name in marked])
        known_anyway(study, names, "review_known")


def known_anyway(study: Study, names: Sequence[str], key: str) -> None:
    """What is not asked, and an attacker knows all the same; nothing where everything is asked."""
    asked = study.option("columns") or names
    if rest := [name for name in names if name not in asked]:
        controlled.bound(
            st.multiselect,
            t("Not asked, yet known to an attacker"),
            rest,
            key=key,
            value=[name for name in study.option("known") if name in rest],
            change=lambda chosen: actions.option("review", known=tuple(chosen) or None),
            help=t("As an employer knows who works part time: attacks use it beside what is sent."),
        )


def ask(chosen: Sequence[str]) -> None:
    """Ask exactly these, or all where none is chosen; marks of others stay where all marks are."""
    if len(chosen) == 1:
        view_options.choose(_TOO_FEW, study_of("review"))
        return
    now = study_of("review")
    pairs = tuple(each for each in now.option("as_one") if task.is_pair(each, chosen))
    # What is hidden stays so: whoever asks a question again has not said that its answers may be seen.
    actions.option("review", columns=tuple(chosen) or None, as_one=pairs or None)


_TOO_FEW = "review_too_few"
"""The session's key of the survey of which a question was asked alone, which is none: said until it changes, since a
page that fills in is drawn again at once.
"""


def too_few() -> str:
    """Why the last choice of questions was not taken; "" where it was."""
    if view_options.look(_TOO_FEW) != study_of("review"):
        return ""
    return t("A review needs at least two questions: this is the last but one.")


def data(study: Study, table: Table) -> task.SurveyTable:
    """The people's answers. DataError or ValueError where there is no survey in them; that nothing is marked, or
    everything, is a state of the page.
    """
    if not study.column:
        raise DataError(
            t("“{data}” has no questions to review.", data=table.name),
            t("A review is of a table with a column for each question. Choose other data."),
        )
    found = cached.people(study, table)
    with suppress(DataError):
        cached.asked(study, found)
    return found


def full(study: Study, people: task.SurveyTable) -> Study:
    """What link, file and report have: the study, where there is something to review."""
    cached.asked(study, people)
    return study


@once(64)
def here(study: Study) -> Study:
    """The study at its own point alone, in one survey, under the first setting of marks."""
    return replace(study, grid=(), repetitions=1)


def focus(study: Study, names: list[str], label: str, key: str) -> None:
    """The question that the page speaks of: the sidebar's column."""
    controlled.bound(st.selectbox, label, names, key=key, value=study.column, change=actions.choose_column)
