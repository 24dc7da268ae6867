"""What people who each mark 25, 50 or 75 % of the answers for themselves cost and gain, under SDGRR."""

from functools import partial

import pandas as pd

from ldpapp import charts
from ldpapp.parts import panels, widgets
from ldpapp.parts.panels import Chart, Menu, Panel, Sheet
from ldpapp.state import view_options
from ldpapp.views.frequency import captions
from ldpapp.words.language import t
from ldpcore.data import Histogram
from ldpcore.study import Study, axis_points, curves
from ldpcore.study.frequency import personal as people

FOLD, WHICH = "fold_personal", "personal_which"
LOOKS: view_options.Looks = {FOLD: (False, True), WHICH: people.WHICH}
FEWEST = 4
"""Answers of which a quarter can be marked."""


def fold(study: Study, counted: Histogram) -> None:
    if counted.domain.k < FEWEST:
        return
    inside = t("SDGRR where all mark 25, 50 or 75 % of the answers, and where each chooses")
    panels.fold(FOLD, t("Each marks their own"), inside, lambda: panels.show(partial(_panel, study, counted)))


def _panel(study: Study, counted: Histogram) -> Panel:
    quantity, which = view_options.look("view_quantity", "points"), view_options.look(WHICH, people.WHICH[0])
    epsilons = tuple(sorted({*axis_points.epsilons(0.1, 5.0)[::2], *people.EPSILONS, study.epsilon}))
    table = people.along(study, counted, which, epsilons)
    unit = "mse" if quantity == "mse" else "points"
    shown = table.assign(value=curves.drawn(unit, table["value"].to_numpy(float)))
    name = t("mean squared error") if unit == "mse" else t("± 95 %, points")
    figure = charts.paper_figure(
        shown.assign(low=shown["value"], high=shown["value"]), x_name="ε", y_name=name, log_x=True,
        dark=widgets.is_dark(), height=230, width=620,
    )  # fmt: skip
    mix = " / ".join(f"{100 * share:.0f}" for share in people.PEOPLE)
    what = captions.ERRORS[unit]()
    text = t("{mix} of 100 people mark 25 / 50 / 75 % of the answers; SDGRR-25: all mark 25 %.", mix=mix)
    return Panel(
        "own_marks",
        t("Each marks their own"),
        [Chart(figure, f"{name}. {text}")],
        t("{what} Exact. {said}", what=what, said=text),
        [
            Menu(names()[which], _menu, "own_marks_menu"),
            Sheet(pd.DataFrame(table.rename(columns={"x": "epsilon", "value": "MSE (exact)"})), "own-marks"),
        ],
    )


def names() -> dict[str, str]:
    return {"nested": t("who marks more marks the same and others"), "chance": t("marks overlap as by chance")}


def _menu() -> None:
    view_options.radio(t("Which answers people mark"), names(), WHICH)
