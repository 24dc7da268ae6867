"""Frequency: every value's estimate at the chosen point, and the limits of every promise."""

import time
from dataclasses import replace

import pandas as pd
import streamlit as st

from ldpapp.compute.memory import once, remember
from ldpapp.compute.surveys import kept, surveys
from ldpcore import data, limit
from ldpcore.study import Study, frequency, published
from ldpcore.study.frequency import floor


@once(256)
def detailed(study: Study, mechanism: str) -> Study:
    """The study of one mechanism at the chosen point alone: the one with a row for every value."""
    return replace(study, mechanisms=(mechanism,), grid=()).with_options(attacks=0, priors=())


def details(study: Study, counted: data.Histogram, mechanism: str, seconds: float = 0.1) -> pd.DataFrame:
    """Every value's estimate in the surveys simulated so far: at least one, more as long as the time allows."""
    point, end = detailed(study, mechanism), time.monotonic() + seconds
    for _ in surveys(point, counted):
        if time.monotonic() > end:
            break
    return kept(point, counted)


def forms(study: Study, cell: frequency.Cell) -> dict[str, published.Form]:
    """Every form of this cell's release, over surveys of their own."""
    return remember("forms", 16, detailed(study, cell.mechanism), lambda: published.of_cell(cell, study.seed))


def attacks(study: Study) -> int:
    """Reports attacked per survey."""
    return frequency.options(study).attacks


@st.cache_data(scope="session", max_entries=128, show_spinner=False)
def limits(promise: str, epsilons: tuple[float, ...], k: int, marked: int, share: float, scope: str) -> list[float]:
    """n times the limit of the mean squared error over the scope, for each ε."""
    wanted = {"all": "mse", "sensitive": "sensitive", "other": "other"}[scope]
    found = limit.curve(promise, epsilons, k, marked, share=share, weight=scope)
    return [getattr(point, wanted) for point in found]


@st.cache_data(scope="session", max_entries=128, show_spinner=False)
def level_limits(
    sizes: tuple[int, int, int],
    shares: tuple[float, float, float],
    budgets: tuple[tuple[float, float], ...],
    scope: str,
) -> list[float]:
    """The same where some values are secret, for each ε of private and of secret values; nan where it is not known."""
    layout = floor.Layout(sizes, shares)
    return [layout.least(*pair, scope) for pair in budgets]


def known_shares(cell: frequency.Cell, scope: str) -> limit.SharesLimit | None:
    """n times the limit of the mean squared error over the scope, for mechanisms made for this cell's shares."""
    about = floor.policy_of(cell), cell.groups[0].mechanism.epsilon
    key = (*about, tuple(cell.counts), tuple(cell.marked), scope)
    return remember("known_shares", 128, key, lambda: floor.for_shares(cell, scope))


@st.cache_data(scope="session", max_entries=128, show_spinner=False)
def exposed_limits(
    epsilon: float, k: int, marked: int, share: float, scope: str, bounds: tuple[float, ...]
) -> list[float]:
    """n times the ULDP limit of the mean squared error over the scope, for each bound on the targeted success."""
    wanted = {"all": "mse", "sensitive": "sensitive"}[scope]
    found = (limit.best("ULDP", k, marked, epsilon, share=share, exposure=b, weight=scope) for b in bounds)
    return [getattr(point, wanted) for point in found]
