"""Ranges: by what two settings are compared."""

from collections.abc import Sequence

from ldpapp import words
from ldpapp.compare.measures import Measure, Offer
from ldpapp.parts import widgets
from ldpapp.views.ranges import view as views
from ldpapp.views.ranges.cells import Cells
from ldpapp.words.language import t
from ldpcore.study import Study


def measures(study: Study, cells: Cells) -> Sequence[Measure]:
    """The margin of the range asked and the error of all, by the best strategy chosen, and what a reader believes."""
    view = views.current(study, cells)
    one, off = view.best[0], view.margin(view.best[0])
    every = min(view.names, key=view.average)
    known = t("“{range}” known to", range=widgets.escape(view.short))
    average, belief = view.average(every), view.facts.belief
    return [
        Measure(
            "one", known, off, f"±{words.decimals(off)}", t("people"),
            note=t("95 %, by {strategy}.", strategy=widgets.named(one)),
        ),
        Measure(
            "all", t("Typical error of every range"), average, words.decimals(average), t("people"),
            note=t("by {strategy}.", strategy=widgets.named(every)),
        ),
        Measure(
            "belief", t("How sure a reader can be that somebody is in it"), belief, words.percent(belief), exposed=True,
            note=t("from 50 %, at most."),
        ),
    ]  # fmt: skip


def option(study: Study, name: str) -> str:
    if name != "asked":
        return ""
    asked = study.option("asked") or ()
    if not asked:
        return t("the usual range")
    first, last = asked[0].split(":")
    return t("cells {first} to {last} asked", first=first, last=last)


OFFER = Offer(measures, option)
