"""Ranges: "how many are between 30 and 45?" The exact error of any range of a noisy histogram, with any strategy."""

from ldpapp.task import TaskPage
from ldpapp.tasks.ranges import page, published, study
from ldpapp.tasks.ranges.strategies import FLAT, PRIVELET, names

TASK = TaskPage(
    "ranges",
    "Ranges",
    {
        "ranges_one": (PRIVELET, *names()),
        "ranges_two": (FLAT, *names()),
        published.AXIS: ("epsilon", "N"),
        page.EVERY: (False, True),
        page.OTHER: (False, True),
    },
    study.beside,
    study.draw,
    study.data,
    page.page,
    empty="There is no ordered column to ask ranges of.",
    senseless="Ranges of these cells make no sense so.",
    no_mechanism="Each is one way to publish a histogram with noise.",
    noun="strategy",
)
