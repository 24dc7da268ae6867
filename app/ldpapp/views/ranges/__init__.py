"""Ranges: "how many are between 30 and 45?" The exact error of any range of a noisy histogram, with any strategy."""

from ldpapp.parts import planner
from ldpapp.views.ranges import page, published, sidebar
from ldpapp.views.ranges.cells import FLAT, PRIVELET
from ldpapp.views.task import Sentences, TaskPage
from ldpapp.words.language import t
from ldpcore.study.ranges.strategies import names

TASK = TaskPage(
    key="ranges",
    name=lambda: t("Ranges"),
    asks=lambda: t("How many are between 30 and 45?"),
    said=lambda: Sentences(
        empty=t("There is no ordered column to ask ranges of."),
        senseless=t("Ranges of these cells make no sense so."),
        choose=t("Choose at least one strategy in the sidebar."),
        unchosen=t("No strategy is chosen."),
        purpose=t("Each is one way to publish a histogram with noise."),
    ),
    looks={
        "ranges_one": (PRIVELET, *names()),
        "ranges_two": (FLAT, *names()),
        published.AXIS: ("epsilon", "N"),
        published.UNIT: ("margin", "mse"),
        page.EVERY: (False, True),
        page.OTHER: (False, True),
        **planner.folded("ranges"),
    },
    wishes=planner.wishes("ranges"),
    beside=sidebar.beside,
    sidebar=sidebar.draw,
    data=sidebar.data,
    page=page.page,
    offer=page.OFFER,
)
