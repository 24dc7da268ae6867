"""What all questions of the guide are about, and are made of."""

from dataclasses import dataclass

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.parts.panels import Part
from ldpcore.study import Study, review
from ldpcore.study.review.facts import QuestionFacts, ReviewFacts


@dataclass(frozen=True)
class GuideState:
    """What the guide is about. known: what is known of the survey so far; None where nothing is hidden."""

    study: Study
    people: review.SurveyTable
    known: ReviewFacts | None = None

    @property
    def main(self) -> QuestionFacts | None:
        """The question in focus."""
        return None if self.known is None else self.known.focus()


Step = tuple[str, str, list[Part]]
"""Title, what is meant, and the answer."""


def named(main: QuestionFacts) -> str:
    """The question that it is about, as markup."""
    return widgets.escape(words.shorten(main.asked.name, 30))
