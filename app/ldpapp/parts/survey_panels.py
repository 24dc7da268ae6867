"""One release beside the truth, and theory against experiment: what Frequency, Sets and the Overview show of both."""

import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd
import streamlit as st
from plotly.graph_objects import Figure

from ldpapp import charts
from ldpapp.parts import panels, widgets
from ldpapp.parts.panels import Box, Chart, Line, Menu, Panel, Part, Reach, Sheet
from ldpapp.runtime import display
from ldpapp.state import view_options
from ldpapp.words.language import t
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.study.simulated_shares import SimulatedShares


def figure(surveys: SimulatedShares, number: int, **size: int) -> Figure:
    """The release of this number, and every survey's errors."""
    drawn, band = surveys.draw(number), NORMAL_95 * np.sqrt(surveys.squared)
    return charts.release(
        surveys.labels, surveys.marked, surveys.truth, drawn, surveys.interval(drawn), surveys.errors, band,
        secret=surveys.secret, dark=widgets.is_dark(), **size,
    )  # fmt: skip


def table(surveys: SimulatedShares, number: int, what: str) -> pd.DataFrame:
    drawn = surveys.draw(number)
    low, high = surveys.interval(drawn)
    return pd.DataFrame(
        {
            what: surveys.labels,
            "marked": surveys.marked,
            "true share (internal)": surveys.truth,
            **surveys.more,
            "published": drawn,
            "± 95 %": np.maximum(high - drawn, drawn - low),
            "95 % from": low,
            "95 % to": high,
            "standard error": np.sqrt(surveys.variance),
        }
    )


def said(surveys: SimulatedShares) -> str:
    """How near the measured squared error is to the predicted one."""
    if not len(surveys.ratios):
        return t("Band: 95 %. No error at all.")
    if surveys.is_rare:
        return t("Band: 95 %. Hardly a report is changed: nothing to compare.")
    ratio = f"{surveys.ratios.mean():.2f}"
    if len(surveys.ratios) == 1:
        return t("Band: 95 %. {ratio} × predicted error², of one survey.", ratio=ratio)
    if chance := by_chance(surveys):
        return t("{ratio} × predicted error², {chance}.", ratio=ratio, chance=chance)
    return t("Band: 95 %. {ratio} × predicted error².", ratio=ratio)


def by_chance(surveys: SimulatedShares) -> str:
    """Between which multiples of the predicted squared error that of these surveys would lie by chance; "" of one."""
    if len(surveys.ratios) == 1 or not surveys.ratios.any():
        return ""
    low, high = surveys.by_chance
    return t("{low}–{high} by chance", low=f"{low:.2f}", high=f"{high:.2f}")


def show(
    task: str,
    surveys: SimulatedShares,
    mechanisms: Sequence[str],
    focus: str,
    what: str,
    explain: Callable[[], object] = lambda: None,
    **size: int,
) -> None:
    """One figure under two headings: its rows are shared. `what` is one of its rows, e.g. "value".

    `focus` is the session's key of the mechanism looked at; `explain` writes under their list. Without `mechanisms` the
    page chooses it elsewhere.
    """
    there = len(surveys.estimates) > 0

    def release() -> Panel:
        subtitle = Line(
            t("Published; line, band: 95 %. Tick: truth, <i>internal</i>."),
            Reach.INTERNAL,
            t("Published; line: 95 %."),
        )
        head: list[Part] = [panels.again(t("draw again"), task, len(surveys.estimates))]
        if not there:
            return Panel("release", t("One release"), [Box(t("The first survey is being simulated."))], subtitle, head)
        if len(surveys.estimates) > 1:
            head.append(Menu(t("playing") if _pace() else t("play"), _speeds, "release_play", does=True))
        head.append(Sheet(table(surveys, widgets.draws(task), what), "release"))
        return Panel("release", t("One release"), (), subtitle, head)

    def menu() -> None:
        widgets.mechanism(mechanisms, focus, surveys.mechanism)
        explain()

    def theory() -> Panel | None:
        title = t("Theory against experiment")
        chooser = [Menu(surveys.mechanism, menu)] if mechanisms else []
        about = Line(said(surveys), Reach.INTERNAL, t("Band: 95 %."))
        # On the projector its figure is that of the release, one panel before.
        return Panel("theory", title, (), about, chooser) if there and not display.projector() else None

    panels.row(release, theory, wrap=False)
    if there and (not display.single() or display.shown() in ("release", "theory")):
        _played(task, surveys, size)


def _played(task: str, surveys: SimulatedShares, size: Mapping[str, int]) -> None:
    """The figure, which moves on to the next survey by itself where that is asked for."""
    alt = t(
        "{k} estimated shares with 95 % intervals beside the true shares, and the errors of {n} simulated surveys "
        "within their 95 % bands.",
        k=len(surveys.labels),
        n=len(surveys.estimates),
    )
    published = t(
        "{k} estimated shares with 95 % intervals, and the 95 % bands of their errors.", k=len(surveys.labels)
    )

    @st.fragment(run_every=_pace() or None)
    def picture() -> None:
        if _pace() and time.monotonic() - view_options.look(_TURNED, 0.0) > 0.8 * _pace():
            view_options.choose(_TURNED, time.monotonic())
            widgets.next_draw(task)
        Chart(figure(surveys, widgets.draws(task), **size), alt, instead=published).draw("release")

    picture()


_PACE, _TURNED = "release_pace", "release_turned"


def _pace() -> float:
    """Seconds that a survey is shown; 0: it stays."""
    return float(view_options.look(_PACE, 0))


def _speeds() -> None:
    paces = {0: t("stay at one survey"), 2: t("slowly"), 1: t("one a second"), 0.4: t("fast")}
    view_options.radio(t("Show one survey after the other"), paces, _PACE)
