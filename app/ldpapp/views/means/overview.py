"""The Overview's card on a column of numbers: how wrong its mean gets."""

from functools import partial

from ldpapp import charts, words
from ldpapp.parts import widgets
from ldpapp.parts.cards import HEIGHT, Card
from ldpapp.parts.panels import Box, Chart
from ldpapp.state import column_settings
from ldpapp.state.model import workspace
from ldpapp.views.means import findings
from ldpapp.views.means import study as own
from ldpapp.views.means import view as means_view
from ldpapp.views.means.view import MeansView
from ldpapp.words.language import t
from ldpcore.data import DataError, Table
from ldpcore.study import Study
from ldpcore.study.means import lines as mean_lines
from ldpcore.study.means.spreads import Spread


def card(asked: Study, source: Table, column: str) -> Card | None:
    """None where the column chosen last is not read as numbers, or no mean of it is unbiased; a sentence where it
    cannot be averaged.
    """
    if column != asked.column or not column_settings.of(workspace(), column).binned:
        return None
    try:
        view = means_view.current(asked, own.data(own.here(asked), source), "epsilon")
    except (DataError, ValueError) as error:
        box = Box(widgets.escape(str(error)))
        return Card("mean", "–", t("the mean"), "", "means", lambda: box.draw("overview_mean"))
    best = view.best.first if view else None
    if view is None or best is None:
        return None
    marked = words.plural(len(view.facts.marked), t("interval"), t("intervals"))
    subtitle = t("± 95 % of the mean against ε, in the column’s units; {intervals} marked.", intervals=marked)
    title = t(
        "is how exactly the mean of {column} is known, by {mechanism}",
        column=widgets.escape(asked.column),
        mechanism=best.mechanism,
    )
    big = findings.margin(best)
    return Card("mean", big, title, subtitle, "means", partial(_draw, view, best, subtitle))


def _draw(view: MeansView, best: Spread, alt: str) -> None:
    figure = charts.error_curves(
        mean_lines.lines(view.lines, view.pairs, view.unit),
        None,
        focus=mean_lines.labels(view.pairs)[best.mechanism, best.how],
        at=view.study.epsilon,
        unit=view.unit.name,
        dark=widgets.is_dark(),
        height=HEIGHT,
    )
    Chart(figure, alt, key="overview_mean").draw("overview_mean")
