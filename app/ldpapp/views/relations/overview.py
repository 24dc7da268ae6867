"""The Overview's card on two questions, where a pair was chosen last: how exactly their difference is known."""

from dataclasses import replace
from functools import partial

from ldpapp import charts
from ldpapp.parts import error_unit, widgets
from ldpapp.parts.cards import HEIGHT, Card
from ldpapp.parts.panels import Chart
from ldpapp.state.model import settings_of
from ldpapp.views.relations import error, names, sentences, sidebar
from ldpapp.views.relations import view as views
from ldpapp.words.language import t
from ldpcore.data import DataError, Table
from ldpcore.study import Study, curves
from ldpcore.study import relations as task
from ldpcore.study.relations import curves as relation_curves


def card(asked: Study, source: Table, column: str) -> Card | None:
    """None where the Overview's column is none of a pair that somebody chose, or the pair cannot be related."""
    options = settings_of("relations").options
    if not isinstance(options, task.RelationOptions) or not options.groups:
        return None
    if column not in (asked.column, asked.option("groups")):
        return None
    try:
        view = views.current(asked, sidebar.data(asked, source))
    except (DataError, ValueError):  # its own page says why
        return None
    one = view.best
    holes = {"answers": names.side(view.compared, 2)}
    holes["question"] = names.question(view.compared.people.names[0])
    title = t("points: how exactly {answers} is compared by {question}", **holes)
    subtitle = t("± 95 % of the difference, points, against ε; one line for each way to ask.")
    if error_unit.squared("relations_unit"):
        subtitle = t("Mean squared error of the difference against ε; one line for each way to ask.")
    big = sentences.margin(one.margin)
    return Card("relation", big, title, subtitle, "relations", partial(_draw, view, subtitle), "relations_unit")


def _draw(view: views.RelationsView, alt: str) -> None:
    drawn, squared = error.lines(view), error_unit.squared("relations_unit")
    if squared:
        drawn = [replace(each, points=curves.squares(each.points), now="") for each in drawn]
    none = relation_curves.simulated(view.curves, view.people, view.simulated.iloc[:0])
    figure = charts.setting_curves(
        drawn, none, key=view.best.key, at=task.current(view.study, view.people), dark=widgets.is_dark(), height=HEIGHT,
        width=484, squared=squared,
    )  # fmt: skip
    Chart(figure, alt, key="overview_relation").draw("overview_relation")
