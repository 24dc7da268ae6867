"""Rows of a table of counts that sum up others: "total" among the answers stands for nobody of its own."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore.data import totals


def rows(frame: pd.DataFrame, counts: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which rows (n,) are called a total in one of their cells, and count as many as the rows with the same other cells
    together. frame: the answers, without the column of counts (n,). Of a column that is nothing else, none.

    >>> frame = pd.DataFrame({"area": ["N", "N", "N"], "sex": ["f", "m", "Total"]})
    >>> rows(frame, np.array([3.0, 4, 7])).tolist(), rows(frame, np.array([3.0, 4, 8])).tolist()
    ([False, False, True], [False, False, False])
    """
    out = np.zeros(len(frame), bool)
    for name in frame.columns:
        texts = frame[name].astype("str").where(frame[name].notna(), "")
        called = np.array([totals.is_called(text) for text in texts], bool)
        if not called.any() or called.all():
            continue
        others = [other for other in frame.columns if other != name]
        place = frame[others].astype("str").agg("\x1f".join, axis=1) if others else pd.Series("", index=frame.index)
        parts = pd.Series(np.where(called, 0.0, counts)).groupby(place.to_numpy()).sum()
        agree = np.isclose(place.map(parts).to_numpy(float), counts)
        if agree[called].all():
            out |= called
    return out
