"""Which answers could be marked, over all questions, and which are. A proposal; a person marks (`marking`)."""

from collections.abc import Mapping
from dataclasses import dataclass

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.state import column_settings
from ldpapp.state.model import table, workspace
from ldpapp.words.language import t
from ldpcore import data
from ldpcore.memory import remembered
from ldpcore.study import Study, review
from ldpcore.study.fitting import Range

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
    told = {name: set(marked_in(name)) for name in found.marks}
    rest = {name: tuple(each for each in labels if each not in told[name]) for name, labels in found.marks.items()}
    return ReviewProposal({name: labels for name, labels in rest.items() if labels}, found.delicate)


def marked(study: Study) -> Mapping[str, int]:
    """Question that is asked → how many marks it has."""
    names = review.questions(table())
    asked = study.option("columns") or names
    return {name: len(answers) for name, answers in review.split(study.marks.values, names).items() if name in asked}


def marked_in(name: str, cut: Range | None = None) -> list[str]:
    """What is marked in a question, as its answers. cut: its bins where nobody has said how it is cut."""
    counted = column_settings.bins(workspace(), name) or cut
    return column_settings.labels(workspace(), name, column_settings.of(workspace(), name).marks.values, counted)


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
