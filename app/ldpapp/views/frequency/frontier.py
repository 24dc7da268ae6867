"""Families of plain LDP mechanisms on the plane: every subset size, pair of bits, number of buckets, at one ε."""

import numpy as np
import pandas as pd
import streamlit as st

from ldpapp import charts, words
from ldpapp.parts import panels, widgets
from ldpapp.parts.panels import Chart, Line, Menu, Panel, Sheet
from ldpapp.state import view_options
from ldpapp.words.language import t
from ldpcore import frontier
from ldpcore.data import Histogram
from ldpcore.study import Study, curves
from ldpcore.study.frequency import facts

FOLD = "fold_families"
WEIGHTS = (0.5, 0.9, 0.99, 0.999)
AT_LIMIT = 1.001
"""Times the least squared error below which a member is at the limit."""


@st.cache_data(scope="session", max_entries=32, show_spinner=False)
def _members(k: int, epsilon: float) -> tuple[pd.DataFrame, pd.DataFrame]:
    return frontier.families(k, epsilon), frontier.known(k, epsilon)


@st.cache_data(scope="session", max_entries=64, show_spinner=False)
def _edge(k: int, epsilon: float, exposures: tuple[float, ...]) -> list[float]:
    return frontier.edge(k, epsilon, exposures)


def fold(study: Study, counted: Histogram) -> None:
    title = t("Every member of a family")
    inside = t("subset sizes, pairs of bits, buckets, and the adaptive protocols at this ε")
    panels.fold(FOLD, title, inside, lambda: panels.show(lambda: panel(study, counted)))


def panel(study: Study, counted: Histogram) -> Panel:
    k, epsilon, people = counted.domain.k, study.epsilon, round(facts.facts(study, counted).effective)
    weight = view_options.look("plane_weight", WEIGHTS[0])
    members, known = _members(k, epsilon)
    chosen = frontier.adaptive(k, epsilon, weight).rename(columns={"protocol": "mechanism"})
    named = pd.concat([known, chosen[["mechanism", "mse", "exposure"]]], ignore_index=True)
    named["times"] = named["mse"] / _edge(k, epsilon, tuple(named["exposure"]))
    blind = 1 / k
    bounds = np.geomspace(1.01 * blind, max(float(named["exposure"].max()) * 1.15, 1.3 * blind), 24)
    bounds = np.minimum(bounds, 1.0)
    least = pd.DataFrame({"exposure": bounds, "mse": _edge(k, epsilon, tuple(map(float, bounds)))})
    figure = charts.families(
        _drawn(members, people).assign(
            said=[_said(*pair) for pair in zip(members["family"], members["parameter"], strict=True)]
        ),
        _drawn(named, people),
        _drawn(least, people),
        blind=100 * blind,
        limit_text=t("limit of LDP"),
        x_text=t("answers guessed, of 100"),
        corner_text=t("better on both sides: down and to the left ↙"),
        dark=widgets.is_dark(),
    )
    return Panel(
        "families",
        t("Every member of a family, at ε = {eps}", eps=words.epsilon(epsilon)),
        [
            Chart(figure, t("Error against exposure of every subset size, pair of bits and number of buckets.")),
            Line(
                t(
                    "Small triangles: all sizes of SS. Lines: all pairs of bits, and all thresholds. Small diamonds: "
                    "hashing, which lies on the line of the bits. ● ASS, AUE, ALH, ATHE (Arcolezi, Gambs 2025): the "
                    "member with the least weighted sum of guesses and error."
                )
            ),
        ],
        finding(members, named, k, epsilon),
        [
            Menu(t("weight of guesses: {weight}", weight=f"{weight:g}"), _menu),
            Sheet(members.assign(guessed=100 * members["exposure"]), "families"),
            Sheet(named, "protocols", t("protocols"), "protocols"),
        ],
    )


def _menu() -> None:
    texts = {weight: f"{weight:g}" for weight in WEIGHTS}
    view_options.radio(t("Weight of guesses, the rest is that of the error"), texts, "plane_weight")


def _drawn(table: pd.DataFrame, people: int) -> pd.DataFrame:
    return table.assign(x=100 * table["exposure"], value=curves.MARGIN * np.sqrt(table["mse"] / people))


def _said(family: str, parameter: float) -> str:
    number = f"{parameter:g}" if parameter >= 1 else f"{parameter:.2f}"
    return {
        "subset": t("SS, {n} values", n=number),
        "unary": t("unary encoding, p = {n}", n=number),
        "hash": t("local hashing, {n} buckets", n=number),
        "threshold": t("thresholding at {n}", n=number),
    }[family]


def finding(members: pd.DataFrame, named: pd.DataFrame, k: int, epsilon: float) -> str:
    """How far the best of the families, and of the adaptive protocols, is from the limit at its exposure."""
    subset = members[members["family"] == "subset"]
    best = subset.iloc[int(subset["mse"].argmin())]
    times = float(best["mse"]) / _edge(k, epsilon, (float(best["exposure"]),))[0]
    protocols = named[named["mechanism"].isin(frontier.PROTOCOLS)].sort_values("times")
    near, far = protocols.iloc[0], protocols.iloc[-1]
    holes = {
        "w": words.plural(round(float(best["parameter"])), t("value"), t("values")),
        "near": str(near["mechanism"]),
        "close": f"{float(near['times']):.2f}",
        "far": str(far["mechanism"]),
        "away": f"{float(far['times']):.2f}",
    }
    if times < AT_LIMIT:
        return t(
            "SS with {w} is at the limit: nothing that keeps LDP and exposes as little errs less. Of the adaptive "
            "protocols {near} has {close} times the least squared error at its exposure, {far} {away} times.",
            **holes,
        )
    return t(
        "SS with {w} has {times} times the least squared error at its exposure; of the adaptive protocols {near} has "
        "{close} times the least, {far} {away} times.",
        times=f"{times:.2f}",
        **holes,
    )
