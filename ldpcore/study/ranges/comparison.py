"""The strategies of a study side by side: what one person changes, how wrong they are, and from which N they pay off.

>>> from ldpcore import Source, Study, data
>>> from ldpcore.study import ranges
>>> study = Study(Source("health"), "age", mechanisms=("Identity", "Privelet"), bins=(0, 80, 80), task="ranges")
>>> compared(study, ranges.prepare(study, data.load("health"))).round(2).set_index("mechanism").T.to_dict("list")
{'Identity': [1.0, 7.39, 7.92, 0.0, nan], 'Privelet': [8.0, 11.49, 4.46, 6.0, 512.0]}
"""

import pandas as pd

from ldpcore.data import Histogram
from ldpcore.ranges import index_limit, overtakes, typical_error
from ldpcore.study import ranges as task
from ldpcore.study.definition import Study

HIGHEST = 14
"""log₂ of the largest N looked at: by then every strategy of the catalogue has overtaken the flat histogram."""


def compared(study: Study, data: Histogram) -> pd.DataFrame:
    """mechanism; sensitivity, Δ; error, the typical one over all ranges of the column's own cells, in people; index,
    the accuracy index at the study's N; limit, where it goes; overtakes, the N from which on the average error over all
    ranges is below that of the flat histogram (NaN: none up to 2^14).

    ValueError for more than 4096 own cells that are padded.
    """
    h, rows = task.size(data).bit_length() - 1, []
    for key in study.mechanisms:
        build = task.CATALOG[key].build
        strategy, turn = build(h), overtakes(build, HIGHEST).always
        error = typical_error(strategy, study.epsilon, data.domain.k)
        since = float("nan") if turn is None else float(1 << turn)
        rows.append((key, strategy.sensitivity, error, strategy.accuracy_index(), index_limit(build), since))
    return pd.DataFrame(rows, columns=["mechanism", "sensitivity", "error", "index", "limit", "overtakes"])
