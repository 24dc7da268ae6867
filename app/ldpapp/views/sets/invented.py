"""Whose sets: those of the data, or made as in the paper, along whose number of items and m the error is looked at."""

import streamlit as st

from ldpapp import words
from ldpapp.state import actions, controlled
from ldpapp.words.language import t
from ldpcore.study import Study
from ldpcore.study import sets as task

SIMULATED = (16, 32, 64, 128, 256, 512, 1024)
"""How many items simulated sets are drawn from."""
POPULARITIES = (0.0, 0.5, 1.0, 1.5)
"""Zipf's exponents of their popularity that are offered."""


def draw(study: Study) -> None:
    """The choosers in the sidebar."""
    chosen = task.options(study)
    simulated = chosen.simulated or 0
    controlled.bound(
        st.selectbox, t("Whose sets"), sorted({0, *SIMULATED, simulated}), key="sets_simulated", value=simulated,
        change=simulate, format_func=_whose, label_visibility="collapsed",
        help=t("Simulated sets have exactly m items, drawn without replacement; every item alike, as in the SULDP "
               "paper, until you say otherwise."),
    )  # fmt: skip
    if not simulated:
        return
    left, right = st.columns(2, gap="small")
    controlled.bound(
        left.number_input, t("Items marked, %"), 0, 100, key="sets_share", value=round(100 * chosen.marked),
        change=mark_share, step=5,
    )  # fmt: skip
    controlled.bound(
        right.selectbox, t("Popularity"), sorted({*POPULARITIES, chosen.popularity}), key="sets_popularity",
        value=chosen.popularity, change=popular, format_func=popularity,
        help=t("The r-th item is drawn with a chance in proportion to 1/r to this power (Zipf). The least popular ones "
               "are marked."),
    )  # fmt: skip


def _whose(simulated: int) -> str:
    """Not every table of sets is one of baskets: it may be a survey's answers."""
    if not simulated:
        return t("sets of the data")
    return t("simulated, {items}", items=words.plural(simulated, t("item"), t("items")))


def simulate(items: int) -> None:
    """Sets invented as in the paper, of so many items; 0 for the data's own baskets. What m was is proposed anew."""
    actions.option("sets", simulated=items or None, marked=None, m=None, popularity=None)


def popularity(exponent: float) -> str:
    """How popular the items of simulated sets are, in words."""
    return t("popular as 1/r^{power}", power=f"{exponent:g}") if exponent else t("all alike")


def popular(exponent: float) -> None:
    """How fast the popularity of simulated items falls."""
    actions.option("sets", popularity=exponent or None)


def mark_share(percent: float) -> None:
    """How many of the simulated items are marked."""
    actions.option("sets", marked=percent / 100 if percent != 25 else None)
