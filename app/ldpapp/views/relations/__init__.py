"""Relations: two answers of one person, one or both hidden: is one of them commoner where the other is so and so?"""

from ldpapp.parts import planner
from ldpapp.views.relations import cached, overview, page, settings, sidebar
from ldpapp.views.task import Sentences, TaskPage
from ldpapp.words.language import t
from ldpcore.study.relations import curves

TASK = TaskPage(
    key="relations",
    name=lambda: t("Relations"),
    asks=lambda: t("Is HIV commoner among smokers?"),
    said=lambda: Sentences(
        empty=t("There are no two questions to relate."),
        senseless=t("These two questions cannot be related so."),
        choose=t("Choose at least one mechanism in the sidebar."),
        unchosen=t("No mechanism is chosen."),
        purpose=t("Each is one way to answer without telling the truth outright."),
    ),
    looks=sidebar.LOOKS,
    wishes=planner.wishes("relations"),
    beside=sidebar.beside,
    sidebar=sidebar.draw,
    data=sidebar.data,
    page=page.page,
    speaks=lambda study, people: cached.known(study, people).best.key,
    full=curves.over,
    example="census",
    card=overview.card,
    offer=settings.OFFER,
    signed=settings.signed,
)
