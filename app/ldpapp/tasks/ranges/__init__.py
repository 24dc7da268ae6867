"""Ranges: "how many are between 30 and 45?" The exact error of any range of a noisy histogram, with any strategy."""

from ldpapp.task import TaskPage
from ldpapp.tasks.ranges import page, study
from ldpapp.tasks.ranges.data import FLAT, PRIVELET, names
from ldpcore.catalog import RANGES

STRATEGIES = names(tuple(RANGES))
TASK = TaskPage(
    "ranges",
    "Ranges",
    {"ranges_one": (PRIVELET, *STRATEGIES), "ranges_two": (FLAT, *STRATEGIES)},
    study.beside,
    study.draw,
    study.data,
    page.page,
    empty="There is no ordered column to ask ranges of.",
    senseless="Ranges of these cells make no sense so.",
    no_mechanism="Each is one way to publish a histogram with noise.",
    noun="strategy",
    full=study.full,
)
