"""The Overview's card on a column of numbers: how wrong its mean gets."""

import charts
import compute
import state
import widgets
import words
from ldpcore.data import DataError, Table
from means import data as means_data
from means import findings as means_findings
from means import view as means_view
from means.view import DENSE
from overview.card import HEIGHT, Card
from studies import means


def card(source: Table) -> Card | None:
    """None where the chosen column is no number; a sentence where it cannot be averaged."""
    if state.column() not in means.columns(source) or not state.is_number(source, state.column()):
        return None
    try:
        study = means.shown()
        view = means_view.current(study, compute.means.numbers(study, source))
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
