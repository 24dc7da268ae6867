"""What all questions of the guide are about, and are made of."""

from dataclasses import dataclass

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.parts.panels import Part
from ldpcore.study import Study, review
from ldpcore.study.review.facts import QuestionFacts


@dataclass(frozen=True)
class GuideState:
    """What the guide is about. here and main: the survey, and its question in focus; None where nothing is hidden."""

    study: Study
    people: review.SurveyTable
    here: review.HiddenSurvey | None = None
    main: QuestionFacts | None = None


Step = tuple[str, str, list[Part]]
"""Title, what is meant, and the answer."""


def named(main: QuestionFacts) -> str:
    """The question that it is about, as markup."""
    return widgets.escape(words.shorten(main.asked.name, 30))
