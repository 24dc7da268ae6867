"""Frequency: two settings are compared by its own page; what must be simulated for that, and its options in words."""

from ldpapp import words
from ldpapp.compare.measures import Offer
from ldpapp.views.frequency import looking
from ldpapp.views.frequency import study as chosen
from ldpapp.words.language import t
from ldpcore.data import Histogram
from ldpcore.study import Study


def option(study: Study, name: str) -> str:
    if name == "axis":
        return t("against {axis}", axis=looking.axes()[study.axis])
    guess = study.option("guess")
    return t("guess {share}", share=words.share(guess)) if name == "guess" and guess is not None else ""


def work(study: Study, counted: Histogram) -> Study:
    """The surveys behind the marks on the kept setting's curves."""
    return looking.current(study, counted).simulated(chosen.here(study))


OFFER = Offer(None, option, work)
