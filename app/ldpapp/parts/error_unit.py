"""Errors as 95 % margins, or as mean squared errors: one click wherever a curve of errors stands, and remembered on
every page that has one.
"""

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st
from plotly.graph_objects import Figure

from ldpapp import charts
from ldpapp.parts import widgets
from ldpapp.parts.panels import Control
from ldpapp.state import view_options
from ldpapp.words.language import t
from ldpcore.study.curves import CurveOptions

SQUARED = ("mse", "scaled")
"""Units of squared errors."""
KEYS = {
    "view_quantity": "points",
    "sets_quantity": "points",
    "means_unit": "margin",
    "ranges_unit": "margin",
    "relations_unit": "margin",
}
"""The looks that say how errors are written, page by page → the usual unit; "mse" is one of each."""


def squared(key: str) -> bool:
    """Whether the page of this look writes squared errors."""
    return view_options.look(key, KEYS[key]) in SQUARED


def switch(to: bool) -> None:
    """Write squared errors, or margins, on every page."""
    for key, usual in KEYS.items():
        view_options.choose(key, "mse" if to else usual)


def adopt() -> None:
    """After a link that asks for squared errors on one page: so they are on every other."""
    if any(map(squared, KEYS)):
        for key in KEYS:
            if not squared(key):
                view_options.choose(key, "mse")


def curves(
    view: CurveOptions,
    lines: pd.DataFrame,
    marks: pd.DataFrame,
    focus: str,
    at: float,
    limit: tuple[pd.DataFrame | None, str],
    **options: Any,
) -> Figure:
    """Theory and simulation of shares in the unit that is chosen; limit: the floor under them, and its words."""
    below, text = limit
    return charts.error_curves(
        lines, marks, focus=focus, at=at, limit=below, limit_text=text, log_x=view.log_x, dark=widgets.is_dark(),
        unit="mse" if view.quantity == "mse" else "points", **options,
    )  # fmt: skip


def control(key: str) -> Control:
    """The way to the other unit."""
    return Control(partial(draw, key))


def draw(key: str, place: str = "", short: bool = False) -> None:
    """place: where a page has it more than once. short: where there is no room for more."""
    asked = not squared(key)
    label = t("as MSE") if asked else t("as ± 95 %")
    if short:
        label = f":small[{t('MSE') if asked else t('± 95 %')}]"
    # No help: Streamlit sets a button that has one four pixels above its neighbours.
    st.button(label, type="tertiary", key=f"unit_of_{place or key}", on_click=switch, args=(asked,))
