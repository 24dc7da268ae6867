"""Scopes: the parts of the answers, items or numbers that an error or a success is averaged over."""

from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]


class Scope(StrEnum):
    """A part by how protected it is; rows, looks and links hold its text.

    "sensitive" are all that are marked. Where some of them are secret, "private" and "secret" are its two parts: the
    level "sensitive" of a mark is "private" here.
    """

    ALL = "all"
    SENSITIVE = "sensitive"
    PRIVATE = "private"
    SECRET = "secret"
    OTHER = "other"


LEVELS = (Scope.PRIVATE, Scope.SECRET)
"""The two parts of what is marked."""
ALIKE = (Scope.ALL, Scope.SENSITIVE, Scope.OTHER)
"""What there is where nothing is secret."""


def parts(marked: Mask, secret: Mask | None = None) -> dict[str, Mask]:
    """Scope → which of these (n,) are in it; `secret` None: without levels.

    >>> {str(scope): part.tolist() for scope, part in parts(np.array([True, False])).items()}
    {'all': [True, True], 'sensitive': [True, False], 'other': [False, True]}
    """
    out: dict[str, Mask] = {Scope.ALL: np.ones(len(marked), bool), Scope.SENSITIVE: marked, Scope.OTHER: ~marked}
    return out if secret is None else out | {Scope.PRIVATE: marked & ~secret, Scope.SECRET: secret}
