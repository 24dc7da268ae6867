"""Which answers could be marked, over all questions, and the one click that marks them. A proposal; a person marks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import streamlit as st

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.state import column_actions, column_settings
from ldpapp.state.model import table, workspace
from ldpapp.words.language import t
from ldpcore import data
from ldpcore.memory import remembered
from ldpcore.study import Study, review

SHOWN = 8
"""Answers of a question that are named; of more the number."""


@dataclass(frozen=True)
class ReviewProposal:
    """Question → its answers. delicate: by their words; otherwise of the question in focus alone, the rarest, or of
    numbers the upper end.
    """

    marks: Mapping[str, tuple[str, ...]]
    delicate: bool

    @property
    def count(self) -> int:
        return sum(map(len, self.marks.values()))


def proposed(study: Study, people: review.SurveyTable) -> ReviewProposal:
    """What could be marked: in every question that is asked, what its words call delicate."""
    return remembered(people, ("proposed", study.column), lambda: _proposed(study, people), 8)


def _proposed(study: Study, people: review.SurveyTable) -> ReviewProposal:
    counted = [name for name in people.questions if name not in people.ranges and name not in people.joined]
    found = {name: data.proposed(people.histogram(name), name) for name in counted}
    delicate = {name: each.values for name, each in found.items() if each.delicate}
    focus = study.column if study.column in counted or study.column in people.ranges else counted[0] if counted else ""
    if delicate:
        return ReviewProposal(delicate, True)
    if cut := people.ranges.get(focus):
        return ReviewProposal(
            {
                focus: tuple(
                    column_settings.labels(workspace(), focus, column_settings.example("the upper end", cut), cut)
                )
            },
            False,
        )
    return ReviewProposal({focus: found[focus].values} if focus and found[focus].values else {}, False)


def unmarked(found: ReviewProposal) -> ReviewProposal:
    """What of it is not marked yet."""
    told = {name: set(_labels(name)) for name in found.marks}
    rest = {name: tuple(each for each in labels if each not in told[name]) for name, labels in found.marks.items()}
    return ReviewProposal({name: labels for name, labels in rest.items() if labels}, found.delicate)


def marked(study: Study) -> Mapping[str, int]:
    """Question → how many marks it has."""
    told = review.split(study.marks.values, review.questions(table()))
    return {name: len(answers) for name, answers in told.items()}


def mark(found: ReviewProposal) -> None:
    """Mark these beside what is marked."""
    for name, labels in found.marks.items():
        column_actions.set_marks(name, dict.fromkeys((*_labels(name), *labels)))


def clear(names: Iterable[str]) -> None:
    """Mark nothing in these questions."""
    for name in names:
        column_actions.set_marks(name, ())


def _labels(name: str) -> list[str]:
    """What is marked in a question, as its answers."""
    return column_settings.labels(
        workspace(),
        name,
        column_settings.of(workspace(), name).marks.values,
        column_settings.bins(workspace(), name),
    )


def named(found: ReviewProposal) -> str:
    """Question by question, the first few answers of each."""
    said = []
    for name, labels in found.marks.items():
        first = [words.shorten(label, 28) for label in labels[:SHOWN]]
        if len(labels) > SHOWN:
            first.append(t("{n} more", n=len(labels) - SHOWN))
        said.append(f"<b>{widgets.escape(name)}</b>: {widgets.escape(words.listing(first))}")
    return "; ".join(said)


def why(found: ReviewProposal) -> str:
    """What speaks for them."""
    if found.delicate:
        return t("A proposal, not a judgement: words from a list of delicate topics.")
    return t("A proposal, not a judgement: no answer has a word of a delicate topic; these are rare or extreme.")


def button(found: ReviewProposal, key: str) -> None:
    """Marks what is proposed."""
    said = t("Mark {answers}", answers=words.plural(found.count, t("answer"), t("answers")))
    st.button(said, type="primary", key=key, on_click=mark, args=(found,))


def each(found: ReviewProposal, key: str) -> None:
    """One question at a time, where several are proposed: whoever takes some need not take all."""
    if len(found.marks) < 2:
        return
    with st.container(horizontal=True, gap="small"):
        for name, labels in found.marks.items():
            label = t("Only {question} ({n})", question=words.literal(words.shorten(name, 24)), n=len(labels))
            st.button(label, key=f"{key}_{name}", on_click=mark, args=(ReviewProposal({name: labels}, found.delicate),))
