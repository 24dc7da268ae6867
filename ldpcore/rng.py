"""One random stream per cell of a study, so that results never depend on the order of execution."""

import hashlib

import numpy as np


def stream(seed: int, *key: object) -> np.random.Generator:
    """The generator of one cell, from SHA-256 of the seed and the key.

    The key is written out as text with `repr`, which is exact for str, int and float; Python's `hash` is salted
    per process and NumPy scalars print differently from Python numbers, so neither is allowed in.
    """
    for part in key:
        if type(part) not in (str, int, float):
            raise TypeError(f"a key of a random stream holds str, int and float only, got {type(part).__name__}")
    digest = hashlib.sha256(repr((int(seed), *key)).encode()).digest()
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence(int.from_bytes(digest, "big"))))
