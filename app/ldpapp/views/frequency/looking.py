"""How Frequency's curves are looked at: the choices of its menus, the grids of its axes."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from ldpapp.compute.memory import once
from ldpapp.parts import curve_options, planner, released_forms
from ldpapp.parts.curve_options import estimators, quantities, scopes
from ldpapp.parts.panels import Menu
from ldpapp.state import actions, controlled, view_options
from ldpapp.state.view_options import look
from ldpapp.words.language import t
from ldpcore.data import Histogram
from ldpcore.scope import LEVELS, Scope
from ldpcore.study import Study, axis_points, frequency


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
    "plane_simulated": (False, True),
    "fold_measures": (False, True),
    "fold_choosing": (False, True),
    "fold_own": (False, True),
    "fold_families": (False, True),
    "plane_weight": (0.5, 0.9, 0.99, 0.999),
    **released_forms.choices("frequency"),
    **planner.folded("frequency"),
}


class FrequencyCurveOptions(curve_options.CurveOptions):
    """Frequency's: how the chosen looks fit what is marked."""

    @classmethod
    def current(cls, study: Study, counted: Histogram) -> "FrequencyCurveOptions":
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
        return cls(
            scope if scope in there else "all",
            look("view_quantity", "points"),
            look("view_estimator", "raw"),
            study.axis,
            prior,
            attacked,
            grid,
            dense,
        )

    def simulated(self, study: Study) -> Study:
        """The study behind the marks on the curves; it does not change with the chosen ε."""
        return _simulated(self, study)

    def theoretical(self, study: Study) -> Study:
        """The study behind the lines."""
        return _theoretical(self, study)

    def at(self, study: Study, counted: Histogram) -> float:
        """Where the rule stands: the chosen point of the axis."""
        point = frequency.current(_along(self.axis, study), counted)
        return point * 100 if self.axis == "share" else point


def parts(study: Study, counted: Histogram) -> tuple[str, ...]:
    """The scopes that have values, in the order of the menu."""
    marks = study.marks
    has: dict[str, bool] = {
        Scope.ALL: True,
        Scope.SENSITIVE: bool(marks),
        Scope.OTHER: len(marks) < counted.domain.k,
        Scope.PRIVATE: 0 < len(marks.secret) < len(marks),
        Scope.SECRET: bool(marks.secret),
    }
    return tuple(scope for scope in scopes() if has[scope])


def of_one_level(study: Study) -> str:
    """The level whose answers can be guessed at by one who knows it, secret before private; "" without one: of a
    single value there is nothing to guess.
    """
    secret, marks = len(study.marks.secret), len(study.marks)
    return "secret" if secret > 1 else "private" if secret and marks - secret > 1 else ""


@once(256)
def _along(axis: str, study: Study) -> Study:
    return replace(study, axis=axis)


@once(256)
def _simulated(view: FrequencyCurveOptions, study: Study) -> Study:
    options = {"priors": (view.prior,), "postprocessing": () if view.estimator == "raw" else (view.estimator,)}
    base = replace(study, axis=view.axis, grid=view.grid).with_options(**options)
    return _unmoved(base) if view.axis == "epsilon" else base


def _unmoved(base: Study) -> Study:
    """The same whatever the chosen ε."""
    secret = bool(base.marks.secret)
    return (base if secret else replace(base, secret_epsilon=None)).anchored(base.grid[0])


@once(256)
def _theoretical(view: FrequencyCurveOptions, study: Study) -> Study:
    base = replace(study, axis=view.axis, grid=view.dense).with_options(priors=(view.prior,), attacks=0)
    return _unmoved(base) if view.axis == "epsilon" else base


def grids(axis: str, study: Study, counted: Histogram) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Where to simulate, and where to draw theory."""
    k = counted.domain.k
    if axis == "epsilon":
        low, high = min(0.1, study.epsilon), max(5.0, study.epsilon)
        return (0.1, 0.2, 0.4, 0.7, 1.0, 1.6, 2.5, 4.0), axis_points.epsilons(low, high)
    if axis == "n":
        dense = axis_points.people(1_000, 10_000_000)
        return dense[::4], dense
    steps = np.unique(np.round(np.linspace(1, k, min(k, axis_points.POINTS))))
    if axis == "share":
        dense = tuple(float(s / k) for s in steps)
    else:
        dense = tuple(float(s) for s in np.unique(np.maximum(steps, 2)))
    return dense[:: max(1, len(dense) // 8)], dense


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
    """What the curves are drawn against: a switch that says what it stands at."""
    names = axes()

    def draw() -> None:
        controlled.bound(
            st.radio, t("Against"), list(names), key="view_axis", value=view.axis, format_func=names.get,
            change=lambda axis: actions.change("frequency", axis=axis),
        )  # fmt: skip

    short = {"epsilon": t("ε"), "n": t("people"), "share": t("% marked"), "k": t("values")}
    return Menu(t("x: {axis}", axis=short[view.axis]), draw, "frequency_axis_menu")


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
