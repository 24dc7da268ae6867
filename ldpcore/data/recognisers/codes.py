"""Whole numbers that are no amounts: codes, of which a mean says nothing, and dates."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from ldpcore.data import column_names, dates
from ldpcore.data.assumptions import Assumption, AssumptionKind, assumed
from ldpcore.data.recognisers.evidence import Evidence

_FIRST = 19000101
"""The first day that is taken for one, as a number."""


def codes(evidence: Evidence) -> Iterable[Assumption]:
    """Numbers that are called codes, of which a mean would be computed."""
    for name in evidence.names:
        named = evidence.role(name) is None and column_names.is_code(name)
        sizes = evidence.sizes(name) if named and evidence.table.profiles[name].role == "number" else None
        if sizes is None or not _whole(sizes[0]) or sizes[0][0] < 0:
            continue
        values, rows = sizes
        mean = float(values @ rows / rows.sum())
        yield assumed(
            AssumptionKind.CODES, name,
            f"“{name}” is called a code and holds {len(values)} whole numbers from {values[0]:.12g} to "
            f"{values[-1]:.12g}: it is read as a number, of which a mean ({mean:.4g}) may say nothing.",
            "a number", evidence.options,
            own=(("a code: its values are counted", {"role": "code"}), ("an amount", {"role": "amount"})),
        )  # fmt: skip


def dated(evidence: Evidence) -> Iterable[Assumption]:
    """Dates written as one number, and dates whose day and month could change places."""
    yield from (each for each in evidence.stated if each.kind == AssumptionKind.DATES)
    for name in evidence.names:
        if evidence.role(name) is not None:
            continue
        if evidence.table.profiles[name].numeric:
            sizes = evidence.sizes(name) if (evidence.table.profiles[name].low or 0) >= _FIRST else None
            if sizes is not None and (how := _as_number(sizes[0], name)) is not None:
                yield assumed(
                    AssumptionKind.DATES, name,
                    f"“{name}” holds {len(sizes[0])} numbers from {sizes[0][0]:.12g} to {sizes[0][-1]:.12g} that are "
                    f"{how}: it is read as a number, of which differences and means say little.",
                    "a number", evidence.options,
                    own=(("dates: they are counted", {"role": "code"}), ("an amount", {"role": "amount"})),
                    asks=how == "dates",
                )  # fmt: skip
            continue
        if evidence.options.dates is None:
            yield from _day_or_month(evidence, name)


def _as_number(values: np.ndarray, name: str) -> str | None:
    """Dates such as 20240131, or years of birth."""
    if len(values) < 3 or not _whole(values):
        return None
    if values[0] >= _FIRST and values[-1] <= 21001231:
        whole = values.astype(np.int64)
        texts = pd.Series(whole.astype(str))
        good = pd.to_datetime(texts, format="%Y%m%d", errors="coerce").notna().mean()
        return "dates" if good > 0.98 else None
    return None


def _day_or_month(evidence: Evidence, name: str) -> Iterable[Assumption]:
    """Dates that stand by the alphabet, since they begin with the day or the month."""
    examples = evidence.table.profiles[name].dates
    if not examples or dates.in_order(examples):
        return
    day, month = dates.may_be(evidence.answers(name))
    readings = {"day": ("the day stands first: in order of time", day),
            "month": ("the month stands first: in order of time", month)}  # fmt: skip
    others = [(label, {"dates": which}) for which, (label, possible) in readings.items() if possible]
    if others:
        yield assumed(
            AssumptionKind.DATES,
            name,
            dates.said(name, examples),
            "by the alphabet",
            evidence.options,
            *others,
            asks=False,
        )


def _whole(values: np.ndarray) -> bool:
    return bool(np.all(values == np.floor(values)))
