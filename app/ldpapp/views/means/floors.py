"""The limit under Means' lines, where it is computed already, and in words."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from ldpapp.views.means import cached, findings
from ldpapp.views.means.view import MeansView
from ldpcore.study.means import curves


def floor(view: MeansView) -> tuple[pd.DataFrame | None, str]:
    """The limit of the focus's promise [x, value], and its words; none until all of its points are computed."""
    known = {x: _least(view, x) for x in _points(view)}
    if not known or None in known.values():
        return None, ""
    least = {x: error for x, error in known.items() if error}
    now = known[view.at] or 0.0
    if view.axis == "share":
        least.pop(view.at)  # the lines have the paper's marks, there stand the study's own
    if not least:
        return None, ""
    at, dense = np.array(sorted(least)), np.array(curves.DENSE[view.axis])
    dense = dense[(at[0] <= dense) & (dense <= at[-1])]
    along = np.asarray if view.axis == "share" else np.log
    value = np.exp(np.interp(along(dense), along(at), np.log([least[x] for x in at])))
    frame = pd.DataFrame({"x": curves.scale(view.axis) * dense, "value": view.unit(value)})
    return frame, findings.limit(now, view.promise, view.axis, view.unit)


def work(view: MeansView) -> Iterator[None]:
    """Compute the limit, the chosen point first."""
    for x in _points(view):
        if _least(view, x) is None:
            _least(view, x, wait=True)
            yield


def _points(view: MeansView) -> tuple[float, ...]:
    return (view.at, *curves.GRIDS[view.axis]) if view.limited else ()


def _least(view: MeansView, x: float, wait: bool = False) -> float | None:
    """The least mean squared error at this point, in the column's units; None while nobody has waited for it."""
    study, people = curves.limited(view.study, view.data, view.axis, x, view.at)
    least = cached.limit(study, view.data, view.promise, wait)
    return None if least is None else least * view.data.unit**2 / people
