"""The Overview's card on a column of numbers: how wrong its mean gets."""

from ldpapp import charts, columns, compute, widgets, words
from ldpapp.cards import HEIGHT, Card
from ldpapp.tasks.means import data as means_data
from ldpapp.tasks.means import findings as means_findings
from ldpapp.tasks.means import study as own
from ldpapp.tasks.means import view as means_view
from ldpapp.tasks.means.view import DENSE
from ldpcore.data import DataError, Table
from ldpcore.study import Study


def card(asked: Study, source: Table, column: str) -> Card | None:
    """None where the column chosen last is not read as numbers; a sentence where it cannot be averaged."""
    if column != asked.column or not columns.said(column).binned:
        return None
    study = own.here(asked)
    try:
        view = means_view.current(study, own.data(study, source))
    except (DataError, ValueError) as error:
        said = widgets.escape(str(error))
        return Card("mean", "–", "the mean", "", "means", lambda: widgets.state_box(said))
    best = min((spread for spread in view.spreads if spread.exact), key=lambda spread: spread.typical)
    key = means_data.mechanism_of(best.name)
    subtitle = (
        f"Error of the mean against ε, in the column’s units; {words.plural(len(view.marked), 'interval')} marked."
    )

    def draw() -> None:
        theory = compute.theory(means_data.curves(view.study, DENSE), view.data)
        figure = charts.error_curves(
            means_data.lines(theory, view.pairs, view.unit),
            None,
            focus=best.name,
            at=study.epsilon,
            unit=view.unit.name,
            dark=widgets.is_dark(),
            height=HEIGHT,
        )
        widgets.plot(figure, "overview_mean", subtitle)

    title = f"off is the mean of {widgets.escape(study.column)}, by {key}"
    return Card("mean", f"±{means_findings.quantity(best.typical)}", title, subtitle, "means", draw)
