"""Frequency: the shares of one column, how wrong they get, and who is still exposed."""

from ldpapp.parts import planner
from ldpapp.state.view_options import wished
from ldpapp.views.frequency import looking, overview, page, sidebar
from ldpapp.views.task import Sentences, TaskPage
from ldpapp.words.language import t
from ldpcore.study.frequency import curves, facts

TASK = TaskPage(
    key="frequency",
    name=lambda: t("Frequency"),
    asks=lambda: t("How wrong do the shares of one question get?"),
    said=lambda: Sentences(
        empty=t("These answers cannot be counted."),
        senseless=t("These answers cannot be counted so."),
        choose=t("Choose at least one mechanism in the sidebar."),
        unchosen=t("No mechanism is chosen."),
        purpose=t(
            "Each is one way to answer without telling the truth outright; ▲ uSS and ▲ SS are good ones to begin with."
        ),
    ),
    looks=looking.LOOKS,
    wishes={"focus": str, "odds_value": str, **planner.wishes("frequency")},
    sidebar=sidebar.draw,
    data=sidebar.data,
    page=page.page,
    speaks=lambda study, counted: facts.facts(study.at_point(), counted).spoken(wished("focus")),
    full=curves.over,
    front=overview.front,
    offer=sidebar.OFFER,
)
