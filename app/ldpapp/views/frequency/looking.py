"""How Frequency's curves are looked at: the choices of its menus, the grids of its axes."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ldpapp import compute
from ldpapp.parts import curve_words, panels, planner, released_forms
from ldpapp.parts.curve_words import estimators, quantities, scopes
from ldpapp.parts.panels import Menu
from ldpapp.state import view_options
from ldpapp.state.view_options import look
from ldpapp.views.frequency import captions, personal
from ldpapp.words.language import t
from ldpcore.data import Histogram
from ldpcore.scope import LEVELS, Scope
from ldpcore.study import Study, curves, frequency
from ldpcore.study.frequency import facts
from ldpcore.study.frequency.curves import FrequencyCurveOptions, grids, of_one_level, parts
from ldpcore.study.frequency.facts import ShareFacts, limits
from ldpcore.study.frequency.floor import policy_of


def axes() -> dict[str, str]:
    return {
        "epsilon": "ε",
        "n": t("number of people"),
        "share": t("share of values marked"),
        "k": t("number of values"),
    }


def priors() -> dict[str, str]:
    return {
        "targeted": t("targeted"),
        "population": t("knows the shares"),
        "uniform": t("knows nothing"),
        "level": t("knows the level"),
    }


LOOKS = {
    "view_scope": tuple(Scope),
    "view_quantity": tuple(quantities()),
    "view_estimator": tuple(estimators()),
    "view_prior": ("targeted", "population", "uniform"),
    "view_attacked": (Scope.SENSITIVE, *(scope for scope in Scope if scope != Scope.SENSITIVE)),
    "plane": (False, True),
    "ab": (True, False),
    "plane_scope": ("sensitive", "all"),
    "plane_against": ("exposure", "liars"),
    "plane_simulated": (False, True),
    "fold_measures": (False, True),
    "fold_choosing": (False, True),
    "fold_own": (False, True),
    "fold_families": (False, True),
    **personal.LOOKS,
    "plane_weight": (0.5, 0.9, 0.99, 0.999),
    **released_forms.choices("frequency"),
    **planner.folded("frequency"),
}


def current(study: Study, counted: Histogram) -> FrequencyCurveOptions:
    """The chosen looks, as far as they fit what is marked."""
    grid, dense = grids(study.axis, study, counted)
    there = parts(study, counted)
    marked, wanted = "sensitive" in there, look("view_prior", "targeted")
    prior = wanted if marked or wanted != "targeted" else "population"
    whose = of_one_level(study)
    if prior == "targeted" and whose:
        prior = "level"  # who knows that an answer is marked knows of which level it is
    scope = look("view_scope", "all")
    attacked = (whose if prior == "level" else "sensitive") if marked else "all"
    chosen = look("view_attacked")
    if prior not in frequency.OF_MARKED and chosen in scopes():
        attacked = chosen if chosen in there else "all"
    elif prior == "level" and chosen in LEVELS and chosen in there:
        attacked = chosen
    scope = scope if scope in there else "all"
    quantity, estimator = look("view_quantity", "points"), look("view_estimator", "raw")
    return FrequencyCurveOptions(scope, quantity, estimator, study.axis, prior, attacked, grid, dense)


def error_menu(there: Sequence[str]) -> None:
    """The popover beside "Error against …"; there: the scopes that have values."""
    view_options.radio(t("Over"), _listed(there, "view_scope"), "view_scope", horizontal=True)
    view_options.radio(t("Quantity"), quantities(), "view_quantity")
    view_options.radio(
        t("Estimate"),
        estimators(),
        "view_estimator",
        help=t(
            "Post-processing lowers the error of small shares and brings a bias; it has no closed form, so only "
            "its simulated marks move. EM is of the counts: exact for GRR, uRR and SDGRR, else composite."
        ),
    )


def _listed(there: Sequence[str], key: str) -> dict[str, str]:
    """The scopes of a menu: levels only where there are any, or where one is still chosen."""
    return {
        scope: name for scope, name in scopes().items() if scope in there or scope not in LEVELS or scope == look(key)
    }


def axis_menu(view: FrequencyCurveOptions) -> Menu:
    """What the curves are drawn against."""
    short = {"epsilon": t("ε"), "n": t("people"), "share": t("% marked"), "k": t("values")}
    return panels.axis_menu("frequency", axes(), view.axis, short)


def adversary_menu(there: Sequence[str]) -> None:
    """The popover beside "Adversary"; there: the scopes that have values."""
    levels = "secret" in there
    targeted = t("of which level the answer is") if levels else t("that the answer is marked")
    knows = {"targeted": targeted, "population": t("the true shares"), "uniform": t("nothing")}
    view_options.radio(t("What it knows beforehand"), knows, "view_prior")
    view_options.radio(
        t("Whose answers it guesses"),
        _listed(there, "view_attacked"),
        "view_attacked",
        help=t("One who knows that the answer is marked guesses marked answers only."),
    )


# what is drawn -------------------------------------------------------------------------------------------------------


def errors(view: FrequencyCurveOptions, study: Study, counted: Histogram) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The error's lines and simulated marks. Where there is no theory, lines join the marks."""
    marks = curves.error_marks(view, compute.summary(view.simulated(study), counted, view.metric))
    if view.quantity == "largest":
        return marks[["mechanism", "x", "value"]], marks
    return curves.error_lines(view, compute.theory(view.theoretical(study), counted)), marks


def sized(rows: pd.DataFrame, view: FrequencyCurveOptions, study: Study, counted: Histogram) -> pd.DataFrame:
    """The table behind curves [mechanism, x, ...], with the bits of a report at each point."""
    drawn, marks = view.theoretical(study), compute.summary(view.simulated(study), counted, "bits")
    return curves.sized(rows, compute.theory(drawn, counted), marks, view=view)


def floor(
    view: FrequencyCurveOptions, study: Study, counted: Histogram, main: ShareFacts
) -> tuple[pd.DataFrame | None, str]:
    """The limit under the curves for the promise of the mechanism in focus, and its words."""
    if view.axis != "epsilon" or view.quantity == "largest":
        return None, ""
    along, least = limits.along(study, counted, main, view.scope, view.dense), main.least_error(view.scope)
    if along is None or not np.isfinite(least):
        return None, ""
    frame = pd.DataFrame({"x": view.dense, "value": curves.drawn(view.quantity, along**2)})
    times = (main.error(view.scope) / least) ** 2 if least > 0 else 1.0
    known = curve_words.least(view.quantity, least), curve_words.written(view.quantity, main.error(view.scope))
    return frame, captions.limited(policy_of(main.cell), facts.epsilon_of(study, main), *known, main.key, times)


def floor_for_shares(view: FrequencyCurveOptions, counted: Histogram, main: ShareFacts) -> str:
    """Whether one made for these very shares could get below that limit, in words; "" where it is not known."""
    ends = limits.for_shares(counted, main, view.scope)
    if ends is None:
        return ""
    limit, least, most = (curve_words.least(view.quantity, x) for x in (main.least_error(view.scope), *ends))
    return captions.limited_for_shares(
        limit, least, "" if most == least else curve_words.written(view.quantity, ends[1])
    )
