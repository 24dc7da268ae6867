"""A class: 200 phones in a minute, the board open in a browser."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from benchmarks import dashboard, phones
from benchmarks.case import Family, Measured, Reading

WITHIN = 0.5
"""Seconds within which 19 of 20 requests are answered."""
ASKED = ("page", "question", "report")


def _rushed(chromium: Any, many: int, seconds: float) -> Mapping[str, float]:
    with dashboard.started() as (url, _), dashboard.tab(chromium) as page:
        waited = phones.rush(page, url, many, seconds)
    return {f"{kind}, 95 % within": float(np.percentile(waited[kind], 95)) for kind in ASKED}


def cases(quick: bool) -> Iterator[Measured]:
    many, seconds = (20, 6) if quick else (200, 60)
    with dashboard.browser() as chromium:
        within = {f"{kind}, 95 % within": WITHIN for kind in ASKED}
        work = partial(_rushed, chromium, many, seconds)
        yield Reading("phones", {"phones": many, "in": f"{seconds} s"}, lambda: work, "s", 1, within)


FAMILY = Family(
    "classroom",
    "A class",
    "Phones that join a room on loopback, think and send, the board open in a browser; seconds by the clock. A lost "
    "report fails.",
    cases,
    app=True,
)
