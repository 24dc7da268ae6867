"""Nothing is marked, or everything: what that means, and the one click that goes on."""

from functools import partial

import streamlit as st

from ldpapp import words
from ldpapp.parts import panels, widgets
from ldpapp.parts.panels import Box, Control, Line, Panel, Reach, RowOfParts
from ldpapp.state import actions, navigation, view_options
from ldpapp.views.review import guide, proposal, sidebar
from ldpapp.views.task import sorry
from ldpapp.words.language import t
from ldpcore.data import DataError
from ldpcore.study import Study, review


def page(study: Study, people: review.SurveyTable, why: DataError) -> None:
    """The page where there is nobody to tell from anybody."""
    if proposal.marked(study):
        sorry(why.sentence, why.why, hint=why.hint)
        return
    asked = words.plural(len(people.questions), t("question"), t("questions"))
    widgets.sentence(
        t(
            "Nothing is marked {sensitive}: every answer to {asked} is sent as it is, exact, and everyone sees it.",
            sensitive=widgets.sensitive(t("sensitive")),
            asked=asked,
        )
    )
    if view_options.look(sidebar.GUIDE) != guide.DELICATE:  # where the guide proposes the same
        panels.show(lambda: _panel(study, people))


def _panel(study: Study, people: review.SurveyTable) -> Panel:
    marks = proposal.proposed(study, people)
    if not marks.count:
        return Panel(
            "review_proposal",
            t("No answer is proposed"),
            [
                Box(t("No answer has a word of a delicate topic."), t("Mark what somebody would rather not tell.")),
                Control(lambda: _choose(study)),
            ],
            reach=Reach.SCREEN,
        )

    def buttons() -> None:
        with st.container(horizontal=True, gap="small", wrap=False):
            proposal.button(marks, "review_propose")
            _choose(study)

    about = t(
        "{why} Nothing is marked until you press the button. What is marked goes through a mechanism; all else stays "
        "exact.",
        why=proposal.why(marks),
    )
    title = t(
        "Proposed as {sensitive}: {n} in {questions}",
        sensitive=widgets.sensitive(t("sensitive")),
        n=words.plural(marks.count, t("answer"), t("answers")),
        questions=words.plural(len(marks.marks), t("question"), t("questions")),
    )
    named = Line(proposal.named(marks))
    alone = Control(partial(proposal.each, marks, "review_propose"))
    return Panel(
        "review_proposal",
        title,
        [RowOfParts([[Control(buttons)], [named, alone, Line(about)]], [30, 70])],
        reach=Reach.SCREEN,
    )


def _choose(study: Study) -> None:
    if st.button(
        t("Choose on Data"), key="review_choose", type="tertiary", on_click=actions.choose_column, args=(study.column,)
    ):
        navigation.go("data")
