"""How a curve panel is looked at: what is drawn against what. The choices live in the session and make a small View."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import streamlit as st

from ldpcore.data import Histogram
from ldpcore.study import Study, frequency

SCOPES = {"all": "all values", "sensitive": "marked values", "other": "other values"}
QUANTITIES = {"points": "typical error, points", "mse": "mean squared error", "largest": "largest error, points"}
ESTIMATORS = {
    "raw": "as estimated, unbiased",
    "clip": "clipped to 0…1",
    "norm-sub": "nearest distribution (norm-sub)",
    "em": "maximum likelihood (EM)",
}
AXES = {"epsilon": "ε", "n": "number of people", "share": "share of values marked", "k": "number of values"}
PRIORS = {"targeted": "targeted", "population": "knows the shares", "uniform": "knows nothing"}


@dataclass(frozen=True)
class View:
    """One way to look: scope, quantity and estimator of the error; prior and scope of the adversary; the axis."""

    scope: str
    quantity: str
    estimator: str
    axis: str
    prior: str
    attacked: str
    grid: tuple[float, ...]
    dense: tuple[float, ...]

    @classmethod
    def current(cls, study: Study, counted: Histogram) -> "View":
        session = st.session_state
        axis = session.get("view_axis", "epsilon")
        grid, dense = grids(axis, study, counted)
        marked = bool(study.arms[0].marks)
        wanted = session.get("view_prior", "targeted")
        prior = wanted if marked or wanted != "targeted" else "population"
        scope = session.get("view_scope", "all")
        everything = len(study.arms[0].marks) == counted.domain.k
        if (scope == "sensitive" and not marked) or (scope == "other" and everything):
            scope = "all"
        attacked = "sensitive" if marked else "all"
        if prior != "targeted" and session.get("view_attacked") in SCOPES:
            attacked = session["view_attacked"]
            if (attacked == "sensitive" and not marked) or (attacked == "other" and everything):
                attacked = "all"
        return cls(
            scope,
            session.get("view_quantity", "points"),
            session.get("view_estimator", "raw"),
            axis,
            prior,
            attacked,
            grid,
            dense,
        )

    def simulated(self, study: Study) -> Study:
        """The study behind the marks on the curves; it does not change with the chosen ε."""
        options = {"priors": (self.prior,), "postprocessing": () if self.estimator == "raw" else (self.estimator,)}
        base = replace(study, axis=self.axis, grid=self.grid).with_options(**options)
        return replace(base, epsilon=self.grid[0]) if self.axis == "epsilon" else base

    def theoretical(self, study: Study) -> Study:
        """The study behind the lines."""
        base = replace(study, axis=self.axis, grid=self.dense).with_options(priors=(self.prior,), attacks=0)
        return replace(base, epsilon=self.dense[0]) if self.axis == "epsilon" else base

    @property
    def metric(self) -> str:
        if self.quantity == "largest":
            return "max error"
        return "mse" if self.estimator == "raw" else f"mse:{self.estimator}"

    @property
    def log_x(self) -> bool:
        return self.axis in ("epsilon", "n")

    def shown_x(self, x: pd.Series) -> pd.Series:
        """Axis values as written: a share of values in percent."""
        return x * 100 if self.axis == "share" else x

    def at(self, study: Study, counted: Histogram) -> float:
        here = frequency.current(replace(study, axis=self.axis), counted)
        return here * 100 if self.axis == "share" else here


def grids(axis: str, study: Study, counted: Histogram) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Where to simulate, and where to draw theory."""
    k = counted.domain.k
    if axis == "epsilon":
        low, high = min(0.1, study.epsilon), max(5.0, study.epsilon)
        dense = {float(f"{x:.3g}") for x in np.geomspace(low, high, 31)}
        return (0.1, 0.2, 0.4, 0.7, 1.0, 1.6, 2.5, 4.0), tuple(sorted(dense))
    if axis == "n":
        dense = tuple(float(round(x)) for x in np.geomspace(1_000, 10_000_000, 25))
        return dense[::4], dense
    steps = np.unique(np.round(np.linspace(1, k, min(k, 25))))
    if axis == "share":
        dense = tuple(float(s / k) for s in steps)
    else:
        dense = tuple(float(s) for s in np.unique(np.maximum(steps, 2)))
    return dense[:: max(1, len(dense) // 8)], dense


def error_menu(study: Study, counted: Histogram) -> None:
    """The popover beside "Error against …"."""
    st.radio("Over", list(SCOPES), key="view_scope", persist_state="session", format_func=SCOPES.get, horizontal=True)
    st.radio("Quantity", list(QUANTITIES), key="view_quantity", persist_state="session", format_func=QUANTITIES.get)
    st.radio(
        "Estimate",
        list(ESTIMATORS),
        key="view_estimator",
        persist_state="session",
        format_func=ESTIMATORS.get,
        help="Post-processing lowers the error of small shares and brings a bias; it has no closed form, so only "
        "its simulated marks move. EM needs the histogram of the reports: GRR, uRR and SDGRR have it.",
    )
    st.radio("Against", list(AXES), key="view_axis", persist_state="session", format_func=AXES.get)


def adversary_menu() -> None:
    """The popover beside "Adversary"."""
    st.radio(
        "What it knows beforehand",
        list(PRIORS),
        key="view_prior",
        persist_state="session",
        format_func={
            "targeted": "that the answer is marked",
            "population": "the true shares",
            "uniform": "nothing",
        }.get,
    )
    st.radio(
        "Whose answers it guesses",
        ["sensitive", "other", "all"],
        key="view_attacked",
        persist_state="session",
        format_func=SCOPES.get,
        help="One who knows that the answer is marked guesses marked answers only.",
    )
