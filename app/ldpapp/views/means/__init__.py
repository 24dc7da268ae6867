"""Means: the mean of one column of numbers, how wrong it gets when only a part of its range is sensitive."""

from ldpapp.parts import planner
from ldpapp.views.means import page, sidebar, view
from ldpapp.views.task import Sentences, TaskPage
from ldpapp.words.language import t
from ldpcore.study.means import curves

TASK = TaskPage(
    key="means",
    name=lambda: t("Means"),
    asks=lambda: t("How exact is a mean where only a part of the range is delicate?"),
    said=lambda: Sentences(
        empty=t("There are no numbers to average."),
        senseless=t("These numbers cannot be averaged so."),
        choose=t("Choose at least one mechanism in the sidebar."),
        unchosen=t("No mechanism is chosen."),
        purpose=t("Each is one way to send a number without telling the truth outright."),
    ),
    looks=sidebar.LOOKS,
    wishes={"means_focus": str, "means_recover": str, **planner.wishes("means")},
    sidebar=sidebar.draw,
    data=sidebar.data,
    page=page.page,
    speaks=lambda study, data: one.focus if (one := view.current(study, data, study.axis)) else "",
    full=curves.over,
    card=page.card,
    offer=sidebar.OFFER,
)
