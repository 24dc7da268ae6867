"""Sets: how the page looks at the baskets, along which axis, over which items, and with which mechanism in focus."""

import math

import pandas as pd

from ldpapp import compute
from ldpapp.compute.memory import waited
from ldpapp.state.view_options import look
from ldpapp.words.language import t
from ldpcore.data import Baskets
from ldpcore.scope import Scope
from ldpcore.study import Study, curves, sets
from ldpcore.study.sets import point as engine
from ldpcore.study.sets import tables
from ldpcore.study.sets.curves import SetsCurveOptions, grids, least_of
from ldpcore.study.sets.facts import BITS, LEVEL, MEMBERSHIP, PRESENCE

SHOWN = 8
"""Items that are named first: so many of the commonest marked ones, and as many others."""

OVER = (Scope.SENSITIVE, Scope.ALL, Scope.OTHER, Scope.PRIVATE, Scope.SECRET)
"""What the error can be drawn over: first what the headline speaks of."""


def scopes() -> dict[str, str]:
    return {
        Scope.ALL: t("all items"),
        Scope.SENSITIVE: t("marked items"),
        Scope.PRIVATE: t("private items"),
        Scope.SECRET: t("secret items"),
        Scope.OTHER: t("other items"),
    }


def axes() -> dict[str, str]:
    """What the axis of a chart says."""
    return {
        "epsilon": t("ε"),
        "share": t("marked, %"),
        "k": t("number of items"),
        "m": t("items per report"),
        "n": t("number of people"),
    }


def short_axes() -> dict[str, str]:
    """The same on the menu."""
    return {"epsilon": t("ε"), "share": t("marked"), "k": t("items"), "m": t("m"), "n": t("people")}


def current(study: Study, held: Baskets) -> SetsCurveOptions:
    """The chosen looks as far as they fit what is marked; the axis is the study's."""
    there, wished = dict(engine.setting(study, held).scopes), look("sets_scope", OVER[0])
    scope = next(each for each in (wished, *OVER) if each in there)
    grid, dense = grids(study.axis, study, held)
    return SetsCurveOptions(scope, look("sets_quantity", "points"), "raw", study.axis, "", "sensitive", grid, dense)


def curves_of(view: SetsCurveOptions, study: Study, held: Baskets) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Theory and simulation of the error as drawn, of what protects something."""
    lines = curves.error_lines(view, compute.theory(view.theoretical(study), held))
    marks = curves.error_marks(view, compute.summary(view.simulated(study), held, view.metric))
    beside = engine.protecting_every(study, held)
    return tables.protected(view, lines, beside), tables.protected(view, marks, beside)


def told(study: Study, held: Baskets) -> pd.DataFrame:
    """What reports tell at the study's own point, by the surveys so far: the summary of the attacks, and of bits."""
    return compute.summary(study, held, PRESENCE, MEMBERSHIP, LEVEL, BITS)


# the least errors found ----------------------------------------------------------------------------------------------


def least_error(study: Study, held: Baskets, promise: str, scope: str, x: float, wait: bool = False) -> float | None:
    """The least mean squared error found at x of the study's axis: None while nobody has waited, nan for none."""
    key = (least_of(study), promise, scope, x)

    def least() -> float:
        error = sets.setting(study, held, x).least(promise, scope)
        return math.nan if error is None else error

    return waited("sets_limits", 512, key, wait, least)
