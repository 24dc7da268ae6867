"""Overview: everything about these data on one screen, each card the way to its view."""


import frequency_panels
import overview
import overview_frequency
import state
import uploads
import widgets
from ldpcore.data import DataError


def page() -> None:
    try:
        study, counted, found, main = overview_frequency.load()
    except DataError as error:
        widgets.sentence("These data cannot be counted.")
        widgets.state_box(widgets.escape(error.sentence), widgets.escape(error.why), widgets.escape(error.hint))
        return
    widgets.sentence(overview_frequency.sentence(uploads.title(state.table().name), study, found, main))
    frequency_panels.phone_study(study, counted)
    overview.show(overview_frequency.cards(study, counted, found, main))
    overview_frequency.simulation(study, counted, main)()


page()
