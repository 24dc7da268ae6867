"""Overview: everything about these data on one screen, each card the way to its view."""

import state
import widgets
from data_page import uploads
from ldpcore.data import DataError
from overview import card as overview
from overview import frequency as of_column
from overview import itemsets as overview_itemsets
from overview import means as overview_means
from overview import sets as of_baskets
from studies import parts


def page() -> None:
    source = state.table()
    try:
        if state.column() in source.sets:
            _baskets()
        else:
            _column()
    except DataError as error:
        widgets.sentence("These data cannot be counted.")
        widgets.state_box(widgets.escape(error.sentence), widgets.escape(error.why), widgets.escape(error.hint))
    except ValueError as error:
        widgets.sentence("These settings do not fit the data.")
        widgets.state_box(widgets.escape(str(error)))


def _column() -> None:
    study, counted, found, main = of_column.load()
    widgets.sentence(of_column.sentence(uploads.title(study.data.name), study, found, main))
    parts.marks_on_phone(len(study.arms[0].marks), counted.domain.k, len(study.mechanisms))
    _show(of_column.cards(study, counted, found, main))
    of_column.simulation(study, counted, main)()


def _baskets() -> None:
    study, held, found, main = of_baskets.load()
    widgets.sentence(of_baskets.sentence(uploads.title(study.data.name), study, held, found, main))
    parts.marks_on_phone(int(main.here.marked.sum()), len(main.here.marked), len(found))
    _show(of_baskets.cards(study, held, found, main))
    of_baskets.simulation(study, held, main)()


def _show(cards: list[overview.Card]) -> None:
    source = state.table()
    more = (overview_means.card(source), overview_itemsets.card(source))
    overview.show([*cards, *(card for card in more if card is not None)])


page()
