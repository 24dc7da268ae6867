"""The one summary of a study's rows: means over repetitions with intervals, beside their theory and their limit."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore.study import measures, tasks
from ldpcore.study.definition import Study
from ldpcore.study.skeleton import CELL


def summary(
    study: Study,
    data: Any,
    rows: pd.DataFrame,
    theory: pd.DataFrame | None = None,
    limits: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """One line per cell: mechanism, x, metric, scope, repetitions, value, low, high, theory, limit.

    Cells stand in the order in which the rows name them. `rows` are those of `run`, or simulated ones (any part of
    them) beside their `theory`; `data` is what the task `prepare`d, and `limits` what `tasks.limits` says. `value` is
    the mean over the repetitions that have one, `low` to `high` its 95 % interval, of the kind that the task's MEASURES
    names for the metric: the point itself for one repetition, except of chances, whose trials are counted; NaN where a
    value is infinite. All in the metric's units. Raises ValueError for a metric that the task does not have.

    >>> from ldpcore.study import Marks, Source, run
    >>> from ldpcore.study.execute import prepare
    >>> study = Study(Source("health"), "condition", Marks.of(["HIV"]), ("GRR", "uSS"), grid=(), repetitions=5)
    >>> found = summary(study, prepare(study), run(study))
    >>> whole = found[(found["metric"] == "mse") & (found["scope"] == "all")]
    >>> (whole.set_index("mechanism")[["low", "theory", "high"]] ** 0.5 * 100).round(2).to_dict("index")  # points
    {'GRR': {'low': 1.78, 'theory': 2.07, 'high': 2.45}, 'uSS': {'low': 0.14, 'theory': 0.18, 'high': 0.54}}
    """
    cells = rows.groupby(CELL, sort=False, dropna=False)
    stats = cells["value"].agg(["count", "mean", "var"])
    means, variances, repeats = (stats[name].to_numpy(float) for name in ("mean", "var", "count"))
    out = stats.index.to_frame(index=False).assign(repetitions=repeats.astype(int), value=means)
    low, high = np.full((2, len(out)), np.nan)
    for part, measure, trials in _kinds(study, data, out):
        moments = means[part], np.nan_to_num(variances[part]), np.maximum(repeats[part], 1)
        low[part], high[part] = measure.ends(*moments, trials)
    sure = np.isfinite(means)
    out = out.assign(low=np.where(sure, low, np.nan), high=np.where(sure, high, np.nan))
    if theory is not None:
        out = out.merge(theory, how="left", on=CELL)
    else:
        out["theory"] = cells["theory"].first().to_numpy(float) if "theory" in rows else np.nan
    return out.assign(limit=np.nan) if limits is None else out.merge(limits, how="left", on=CELL)


Mask = NDArray[np.bool_]


def _kinds(study: Study, data: Any, cells: pd.DataFrame) -> Iterator[tuple[Mask, measures.MetricKind, int | None]]:
    """Which cells (q,) are of one kind, that kind, and the trials of a repetition where they are counted."""
    known = tasks.of(study).MEASURES
    metric, scope = (cells[name].to_numpy(object) for name in ("metric", "scope"))
    for name in dict.fromkeys(metric):
        part, measure = metric == name, measures.of(known, name)
        if not isinstance(measure, measures.Chance):
            yield part, measure, None
            continue
        for each in dict.fromkeys(scope[part]):
            yield part & (scope == each), measure, measure.trials(study, data, each)
