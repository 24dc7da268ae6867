"""The same ranges without a curator: what the local strategies of the catalogue make of a study's column.

>>> from ldpcore import Source, Study, data
>>> from ldpcore.study import ranges
>>> study = Study(Source("health"), "age", bins=(0, 128, 128), task="ranges").with_options(asked=("31:45",))
>>> counted = ranges.prepare(study, data.load("health"))
>>> rows = theory(study, counted)
>>> (rows.set_index("mechanism")["theory"] ** 0.5).round().to_dict()  # people between 30 and 45, typical error
{'Local flat': 988.0, 'Local tree': 813.0, 'Local Haar': 767.0}
>>> round(release(study, counted, "Local tree").range(31, 45)), int(counted.counts[30:45].sum())
(4571, 4551)
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pandas as pd

from ldpcore.catalog import LOCAL_RANGES
from ldpcore.data import Histogram
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.memory import remembered
from ldpcore.ranges import Local, RangeRelease
from ldpcore.rng import stream
from ldpcore.study import ranges as task
from ldpcore.study.definition import Study
from ldpcore.study.ranges.queries import Range


def built(study: Study, data: Histogram, mechanism: str) -> Local:
    """The local strategy of this key at the study's N and ε."""
    return LOCAL_RANGES[mechanism].build(task.size(data).bit_length() - 1, study.epsilon)


def theory(study: Study, data: Histogram) -> pd.DataFrame:
    """mechanism, scope ("l:r") and theory: the exact variance, in squared people, of every range of the study's own
    (the usual one, if none is asked), given that these people hold these answers.
    """
    counts, rows = _counts(study, data), []
    people = int(counts.sum())
    for key in LOCAL_RANGES:
        strategy = built(study, data, key)
        for first, last in task.asked(study, data):
            variance = people**2 * strategy.variance(first, last, counts / people, people)
            rows.append((key, f"{first}:{last}", variance))
    return pd.DataFrame(rows, columns=["mechanism", "scope", "theory"])


def release(study: Study, data: Histogram, mechanism: str, repetition: int = 0) -> RangeRelease:
    """One simulated collection, in people, on a stream of its own; kept with the data, whichever ranges are read."""
    alone = study.derived(("unasked",), lambda: replace(study, mechanisms=()).with_options(asked=None))
    key = ("local release", alone, mechanism, repetition)
    return remembered(data, key, lambda: _release(alone, data, mechanism, repetition), 64)


def _release(study: Study, data: Histogram, mechanism: str, repetition: int) -> RangeRelease:
    counts = _counts(study, data)
    rng = stream(study.seed, "local ranges", mechanism, float(study.epsilon), repetition)
    shares = built(study, data, mechanism).simulate(counts, rng, 1)[0]
    return RangeRelease(shares.sizes, tuple(counts.sum() * level for level in shares.levels))


def _counts(study: Study, data: Histogram) -> np.ndarray:
    """(N,), the padding included."""
    return task.cell(study, data, next(iter(task.CATALOG)), task.current(study, data)).counts.astype(np.int64)


def each(study: Study, data: Histogram, chosen: Range) -> Iterator[tuple[str, float, float, Local]]:
    """Of every local strategy: its key, the 95 % margin on this range (a sum of many reports is nearly normal), what
    one collection says of it, both in people, and how it is built. The study asks this range first.
    """
    exact = theory(study, data).set_index("mechanism")["theory"] ** 0.5
    for key in LOCAL_RANGES:
        collected = release(study, data, key).range(*chosen)
        yield key, NORMAL_95 * float(exact[key]), collected, built(study, data, key)
