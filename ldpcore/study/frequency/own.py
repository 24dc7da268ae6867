"""A mechanism of one's own on Frequency: rows of its table are answers (`ldpcore/study/invented.py`)."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ldpcore.custom import CustomMechanism, channel_of, read, to_csv
from ldpcore.data import Histogram
from ldpcore.study import fitting, invented
from ldpcore.study.definition import Study


@lru_cache(maxsize=32)
def _made(text: str, labels: tuple[str, ...], marks: bytes) -> CustomMechanism:
    given = read(text, labels)
    return CustomMechanism(given.matrix, np.frombuffer(marks, bool), given.reports, answers=labels)


def mechanism(study: Study, labels: tuple[str, ...], mask: NDArray[np.bool_]) -> CustomMechanism:
    """The own mechanism of a study for these values and marks. ValueError with a sentence where it makes no sense."""
    return _made(invented.table(study), labels, np.asarray(mask, bool).tobytes())


def usable(study: Study, labels: tuple[str, ...]) -> None:
    """Whether the study has a table that fits these values and from which all shares can be estimated.

    ValueError or TypeError with a sentence where it has none.
    """
    made = mechanism(study, labels, np.zeros(len(labels), bool))
    made.variance(None, 1)


def points(study: Study, data: Histogram, mask: NDArray[np.bool_]) -> set[float]:
    """Where along ε it stands, whatever anybody marks being in `mask`."""
    return invented.points(study, lambda: mechanism(study, data.domain.labels, mask).epsilon)


def fit(study: fitting.Draft, known: tuple[str, ...]) -> fitting.Refusals:
    """The study without a table that is none for these values, and a sentence why."""
    return invented.fit(study, lambda draft: usable(draft, known))


def added(study: Study, labels: tuple[str, ...]) -> Study:
    """The study with the own mechanism among those compared, where its table fits these values."""
    try:
        usable(study, labels)
    except (TypeError, ValueError):
        return study
    return invented.added(study)


def written(study: Study, data: Histogram, key: str) -> str:
    """One of the catalogue as the text of a table, for these values, the study's marks and its ε."""
    labels = data.domain.labels
    channel = channel_of(key, study.epsilon, len(labels), data.domain.mask(study.marks.values))
    return to_csv(channel, labels)
