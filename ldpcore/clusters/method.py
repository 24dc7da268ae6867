"""How every private method is called, whatever it does with the records."""

from collections.abc import Callable, Sequence
from functools import wraps
from inspect import Parameter, signature
from typing import Any, Concatenate

import numpy as np
from numpy.typing import ArrayLike

from ldpcore import checks
from ldpcore.clusters.kmodes import prepare
from ldpcore.clusters.records import Codes, Records
from ldpcore.clusters.result import Clustering

Work = Callable[Concatenate[Records, Codes, float, np.random.Generator, ...], Clustering]
"""What a method does with records, the modes to start from, and ε, all checked."""


def method(work: Work):
    """The work as something that takes int codes X (n, q) and k clusters; ValueError where they or ε make no sense.

    `levels`: how many codes each attribute has; `start`: modes (k, q). What else the work takes stands behind `rng`, or
    goes by its name.
    """

    @wraps(work, assigned=("__module__", "__name__", "__qualname__", "__doc__"))
    def run(
        X: ArrayLike | Records,
        k: int,
        epsilon: float,
        rng: np.random.Generator,
        *rest: Any,
        levels: Sequence[int] | None = None,
        start: Codes | None = None,
        **options: Any,
    ) -> Clustering:
        records, modes = prepare(X, k, levels, start, rng)
        return work(records, modes, checks.epsilon(epsilon), rng, *rest, **options)

    extra = list(signature(work).parameters.values())[4:]
    called = signature(run, follow_wrapped=False)
    kinds = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    plain = [one for one in called.parameters.values() if one.kind not in kinds]
    run.__signature__ = called.replace(parameters=[*plain[:4], *extra, *plain[4:]])  # type: ignore[attr-defined]
    return run
