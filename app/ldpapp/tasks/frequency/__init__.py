"""Frequency: the shares of one column, how wrong they get, and who is still exposed."""

from ldpapp.language import t
from ldpapp.task import Sentences, TaskPage
from ldpapp.tasks.frequency import looking, overview, page, settings, study


def said() -> Sentences:
    return Sentences(
        empty=t("These answers cannot be counted."),
        senseless=t("These answers cannot be counted so."),
        choose=t("Choose at least one mechanism in the sidebar."),
        unchosen=t("No mechanism is chosen."),
        purpose=t(
            "Each is one way to answer without telling the truth outright; ▲ uSS and ▲ SS are good ones to begin with."
        ),
    )


TASK = TaskPage(
    key="frequency",
    name=lambda: t("Frequency"),
    said=said,
    looks=looking.LOOKS,
    beside=study.beside,
    sidebar=study.draw,
    data=study.data,
    page=page.page,
    full=study.full,
    front=overview.front,
    offer=settings.OFFER,
)
