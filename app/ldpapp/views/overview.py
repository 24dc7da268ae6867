"""Overview: everything about these data on one screen, each card the way to its view."""

import streamlit as st

from ldpapp import words
from ldpapp.parts import budget, cards, widgets
from ldpapp.parts.cards import Card
from ldpapp.state import actions
from ldpapp.state.model import current_column, study_of, table
from ldpapp.views.task import plain, sorry
from ldpapp.views.tasks import TASKS
from ldpapp.words.language import t
from ldpcore.data import DataError, Table
from ldpcore.study import tasks


def page() -> None:
    source, column = table(), current_column()
    task = TASKS["sets" if column in source.sets else "frequency"]
    study = study_of(task.key)
    try:
        if task.front is None:
            raise ValueError(f"{task.title} has no overview")
        shown = task.front(study, source)
        widgets.sentence(shown.sentence)
        budget.marks_on_phone(study, shown.marked, shown.of)
        more = (one.card(study_of(one.key), source, column) for one in TASKS.values() if one.card is not None)
        every = [*shown.cards, *(card for card in more if card is not None)]
        cards.show(every if len(every) % 2 == 0 else [*every, _unfilled(source, column)])
    except DataError as error:
        sorry(t("These data cannot be counted."), error.sentence, error.why, error.hint)
        return
    except ValueError as error:
        sorry(t("These settings do not fit the data."), plain(error))
        return
    shown.fill()


def _unfilled(source: Table, column: str) -> Card:
    """What would stand in the place that is left: a mean, where there is a column of numbers, else itemsets."""
    numbers = [name for name in tasks.TASKS["means"].columns(source) if name != column]
    if numbers:
        return Card("unfilled", "?", t("how exactly a mean is known"), t("Of a column of numbers."), "means",
                    lambda: _offer_mean(numbers[0]))  # fmt: skip
    text = t("Of several items per person: baskets, several answers in a cell, or several columns of answers.")
    return Card("unfilled", "?", t("which answers go together"), text, "itemsets", _offer_sets)


def _offer_mean(column: str) -> None:
    text = t("The column chosen is none of numbers, so there is no mean of it.")
    widgets.state_box(text, "", "")
    label = t("Show {column}", column=words.literal(words.shorten(column, 30)))
    st.button(label, key="unfilled_mean", on_click=actions.choose_column, args=(column,))


def _offer_sets() -> None:
    text = t("These data have one column of answers, and nothing that could go together.")
    widgets.state_box(text, t("Choose a file with more on the page Data, or look at baskets."), "")
    label = t("Show the {data}", data=TASKS["itemsets"].example)
    st.button(label, key="unfilled_sets", on_click=actions.open_data, args=(TASKS["itemsets"].example,))
