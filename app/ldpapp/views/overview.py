"""Overview: everything about these data on one screen, each card the way to its view."""

from ldpapp.parts import cards, sidebar, widgets
from ldpapp.state.model import current_column, study_of, table
from ldpapp.views.task import plain, sorry
from ldpapp.views.tasks import TASKS
from ldpapp.words.language import t
from ldpcore.data import DataError


def page() -> None:
    source, column = table(), current_column()
    task = TASKS["sets" if column in source.sets else "frequency"]
    study = study_of(task.key)
    try:
        if task.front is None:
            raise ValueError(f"{task.title} has no overview")
        shown = task.front(study, source)
        widgets.sentence(shown.sentence)
        sidebar.marks_on_phone(study, shown.marked, shown.of)
        more = (one.card(study_of(one.key), source, column) for one in TASKS.values() if one.card is not None)
        cards.show([*shown.cards, *(card for card in more if card is not None)])
    except DataError as error:
        sorry(t("These data cannot be counted."), error.sentence, error.why, error.hint)
        return
    except ValueError as error:
        sorry(t("These settings do not fit the data."), plain(error))
        return
    shown.fill()
