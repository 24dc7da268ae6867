"""Sets: the least errors found, which take a moment each."""

import math
from dataclasses import replace

from ldpapp.compute.memory import once, remember, store
from ldpcore.data import Baskets
from ldpcore.study import Study, sets


@once(64)
def _asked(study: Study) -> Study:
    """What a limit depends on."""
    asked = replace(study, mechanisms=("suGRR",), repetitions=1, grid=()).with_options(attacks=0)
    return asked.anchored(1.0) if study.axis == "epsilon" else asked


def limit(study: Study, held: Baskets, promise: str, scope: str, x: float, wait: bool = False) -> float | None:
    """The least mean squared error found at x of the study's axis: None while nobody has waited, nan for none."""
    key = (_asked(study), promise, scope, x)
    if not wait:
        return store("sets_limits").get(key)

    def least() -> float:
        error = sets.setting(study, held, x).least(promise, scope)
        return math.nan if error is None else error

    return remember("sets_limits", 512, key, least)
