"""A mechanism of one's own on Frequency: its table of chances, what it keeps, and how far it is from the best."""

from functools import partial

from ldpapp.parts import own_table
from ldpapp.parts.own_table import OwnTable
from ldpapp.parts.panels import Panel, Part
from ldpapp.views.frequency import own_worth
from ldpapp.words.language import t
from ldpcore.data import Histogram
from ldpcore.study import Study, invented
from ldpcore.study.frequency import own as engine
from ldpcore.study.frequency.facts import ShareFacts

KEY = invented.KEY


def dressed(found: dict[str, ShareFacts]) -> None:
    """Let the own mechanism, where there is one, look like those of the catalogue that promise as much."""
    own_table.dressed(found[KEY].promise if KEY in found else None)


def fold(study: Study, counted: Histogram, found: dict[str, ShareFacts]) -> None:
    inside = t("a table of chances: what it keeps, how exact, how far from the best")
    own_table.fold("fold_own", lambda: panel(study, counted, found), inside)


def panel(study: Study, counted: Histogram, found: dict[str, ShareFacts]) -> Panel:
    def worth(menus: list[Part], size: int) -> Panel | None:
        return own_worth.panel(study, counted, found[KEY], menus, size) if KEY in found else None

    return table(study, counted).panel(worth)


def table(study: Study, counted: Histogram) -> OwnTable:
    labels = counted.domain.labels
    return OwnTable(
        study,
        labels,
        lambda text: engine.usable(study.with_options(own=text), labels),
        ("GRR", "uRR", "SDGRR"),
        partial(engine.written, study, counted),
        t("Table of chances, a line for each answer"),
        "answer,A,B\nyes,0.75,0.25\nno,0.25,0.75",
        t(
            "Rows are answers, columns are reports. Names of answers in the first column put rows in the right order; "
            "without names they are taken in the order of the charts."
        ),
    )
