"""A mechanism of one's own in a study: the option `own`, a table of chances as text, compared under the key "Own".

It has one ε, the least of the strongest definition that it keeps under the marks: along ε it has rows there alone.
"""

from dataclasses import replace
from functools import lru_cache
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from ldpcore.custom import CustomMechanism, read
from ldpcore.data import Histogram
from ldpcore.randomizer import Randomizer
from ldpcore.study import fitting
from ldpcore.study.definition import Study

KEY = "Own"
OPTION = "own"


@lru_cache(maxsize=32)
def _made(text: str, labels: tuple[str, ...], marks: bytes) -> CustomMechanism:
    given = read(text, labels)
    return CustomMechanism(given.matrix, np.frombuffer(marks, bool), given.reports, answers=labels)


def mechanism(study: Study, labels: tuple[str, ...], mask: NDArray[np.bool_]) -> CustomMechanism:
    """The own mechanism of a study for these values and marks. ValueError with a sentence where it makes no sense."""
    text = study.option(OPTION)
    if not text:
        raise ValueError(
            'the study compares "Own", but has no option own: give its table of chances there, or with --own FILE'
        )
    return _made(str(text), labels, np.asarray(mask, bool).tobytes())


def usable(study: Study, labels: tuple[str, ...]) -> None:
    """Whether the study has a table that fits these values and from which all shares can be estimated.

    ValueError or TypeError with a sentence where it has none.
    """
    made = mechanism(study, labels, np.zeros(len(labels), bool))
    made.variance(None, 1)


def stands(study: Study, made: Randomizer, x: float) -> bool:
    """Whether x, along ε, is where it stands: at its own, or at the chosen one where it promises nothing."""
    return study.axis != "epsilon" or x == (made.epsilon if isfinite(made.epsilon) else study.epsilon)


def points(study: Study, data: Histogram, mask: NDArray[np.bool_]) -> set[float]:
    """Where along ε it stands, whatever anybody marks being in `mask`."""
    if study.axis != "epsilon" or KEY not in study.mechanisms:
        return set()
    epsilon = mechanism(study, data.domain.labels, mask).epsilon
    return {epsilon} if isfinite(epsilon) else set()


def added(study: Study) -> Study:
    """The study with the own mechanism among those that it compares, where it has one."""
    if not study.option(OPTION) or KEY in study.mechanisms:
        return study
    return replace(study, mechanisms=(*study.mechanisms, KEY))


def fit(study: fitting.Draft, known: tuple[str, ...]) -> fitting.Refusals:
    """The study without a table that is none for these values, and a sentence why."""
    if study.option(OPTION) is None:
        return ()
    try:
        usable(study, known)
    except (TypeError, ValueError) as error:
        study.set(options=study.changed_options(own=None))
        return (fitting.Refused("The own mechanism was left out.", str(error), is_option=True),)
    return ()
