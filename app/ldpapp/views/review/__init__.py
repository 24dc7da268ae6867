"""Review: a whole survey before it is signed: what each question promises and costs, and what all answers tell."""

from ldpapp.views.review import guide, page, settings, sidebar
from ldpapp.views.task import Sentences, TaskPage
from ldpapp.words.language import t

TASK = TaskPage(
    key="review",
    name=lambda: t("Review"),
    asks=lambda: t("Which ε serves a whole survey, and is it one to sign?"),
    said=lambda: Sentences(
        empty=t("There is no survey to review."),
        senseless=t("This survey cannot be reviewed so."),
        choose=t("Choose a mechanism in the sidebar."),
        unchosen=t("No mechanism is chosen."),
        purpose=t("Sensitive answers are sent through a mechanism, all others openly."),
    ),
    looks=sidebar.LOOKS,
    beside=sidebar.beside,
    sidebar=sidebar.draw,
    data=sidebar.data,
    page=page.page,
    full=sidebar.full,
    example="health",
    offer=settings.OFFER,
    signed=settings.signed,
    saves=guide.ended,
)
