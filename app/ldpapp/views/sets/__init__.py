"""Sets: several items per person, some sensitive; how wrong the shares of holders get, and what the reports tell."""

from ldpapp.parts import planner
from ldpapp.state.view_options import wished
from ldpapp.views.sets import overview, page, sidebar
from ldpapp.views.task import Sentences, TaskPage
from ldpapp.words.language import t
from ldpcore.study.sets import curves, facts

TASK = TaskPage(
    key="sets",
    name=lambda: t("Sets"),
    asks=lambda: t("And where everybody holds several: purchases, places, diagnoses?"),
    said=lambda: Sentences(
        empty=t("There are no baskets in these data."),
        senseless=t("These sets cannot be simulated so."),
        choose=t("Choose at least one mechanism in the sidebar."),
        unchosen=t("No mechanism is chosen."),
        purpose=t("Each is one way to answer without telling the truth outright."),
    ),
    looks=sidebar.LOOKS,
    wishes={"sets_focus": str, **planner.wishes("sets")},
    sidebar=sidebar.draw,
    data=sidebar.data,
    page=page.page,
    speaks=lambda study, held: facts.facts(study.at_point(), held).focus(wished("sets_focus")).key,
    full=curves.over,
    front=overview.front,
    offer=sidebar.OFFER,
)
