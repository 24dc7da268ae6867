"""Frequency: every value's estimate at the chosen point, and the forms of a release."""

import time
from dataclasses import replace

import pandas as pd

from ldpapp.compute.memory import once, remember
from ldpapp.compute.surveys import kept, surveys
from ldpcore import data
from ldpcore.study import Study, frequency, published


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
    return frequency.options(study)["attacks"]
