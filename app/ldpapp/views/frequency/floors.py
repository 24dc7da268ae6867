"""What Frequency's curves draw beside the error: the adversary's success, and the limit with its words."""

import numpy as np
import pandas as pd

from ldpapp import compute
from ldpapp.parts import curves
from ldpapp.views.frequency import cached, captions, facts
from ldpapp.views.frequency.facts import Facts
from ldpapp.views.frequency.looking import View
from ldpcore.data import Histogram
from ldpcore.levels import Levels
from ldpcore.study import Study
from ldpcore.study.frequency import floor as lowest


def errors(view: View, study: Study, counted: Histogram) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The error's lines and simulated marks . Where there is no theory, lines join the marks."""
    marks = curves.error_marks(view, view.simulated(study), counted)
    if view.quantity == "largest":
        return marks[["mechanism", "x", "value"]], marks
    return curves.error_lines(view, compute.theory(view.theoretical(study), counted)), marks


def success_lines(view: View, theory: pd.DataFrame) -> pd.DataFrame:
    rows = theory[(theory["metric"] == f"success:{view.prior}") & (theory["scope"] == view.attacked)]
    return pd.DataFrame({"mechanism": rows["mechanism"], "x": view.shown_x(rows["x"]), "value": rows["theory"] * 100})


def success_marks(view: View, simulated: Study, counted: Histogram) -> pd.DataFrame:
    """Simulated attacks of 100, with 95 % intervals: [mechanism, x, value, low, high]."""
    metric = f"success:{view.prior}"
    marks = curves.means(compute.summary(simulated, counted, metric), metric, view.attacked, factor=100)
    return marks.assign(x=view.shown_x(marks["x"])).drop(columns="repetitions")


def floor(view: View, study: Study, main: Facts) -> tuple[pd.DataFrame | None, str]:
    """The limit under the curves for the promise of the mechanism in focus, and its words."""
    if view.axis != "epsilon" or view.quantity == "largest":
        return None, ""
    marked, k = int(main.marked.sum()), len(main.marked)
    if marked == 0 and main.promise != "LDP":
        return None, ""
    levels = bool(main.cell.secret.any())
    promise = lowest.policy_of(main.cell)
    if not promise or (promise != Levels.name and view.scope in ("private", "secret")):
        return None, ""
    if promise == Levels.name:
        layout = lowest.Layout.of(main.cell)
        budgets = tuple((x, study.secret_at(x)) for x in view.dense)
        limits = cached.level_limits(layout.sizes, layout.shares, budgets, view.scope)
    else:
        share = float(main.freq[main.marked].sum())
        # Whoever protects all alike does so at the least ε.
        at = tuple(study.secret_at(x) if levels else x for x in view.dense)
        limits = cached.limits(promise, at, k, marked, round(share, 12), view.scope)
    n = int(main.cell.counts.sum())
    frame = pd.DataFrame({"x": view.dense, "value": curves.drawn(view.quantity, np.array(limits) / n)})
    least = lowest.of_cell(main.cell, view.scope)
    if not np.isfinite(least):
        return None, ""
    times = main.error(view.scope) ** 2 / least if least > 0 else 1.0
    return frame, captions.limited(
        promise, facts.epsilon_of(study, main), curves.written(view.quantity, np.sqrt(least)), main.key, times
    )


def floor_for_shares(view: View, main: Facts) -> str:
    """Whether one made for these very shares could get below that limit, in words; "" where it is not known."""
    found = cached.known_shares(main.cell, view.scope)
    if found is None:
        return ""
    people = int(main.cell.counts.sum())
    squared = (lowest.of_cell(main.cell, view.scope), found.least / people, found.most / people)
    return captions.limited_for_shares(*(curves.written(view.quantity, np.sqrt(part)) for part in squared))
