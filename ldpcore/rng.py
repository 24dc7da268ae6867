"""One random stream per cell of a study, so that results never depend on the order of execution."""

import hashlib

import numpy as np
from numpy.typing import NDArray


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


def random_words(n: int, dtype: np.dtype, rng: np.random.Generator) -> NDArray[np.integer]:
    """n uniform words of this type of integers, cut out of words of 64 bits: a short one alone takes as long to draw.

    >>> random_words(3, np.dtype("u2"), stream(1)).shape
    (3,)
    """
    return rng.integers(0, 1 << 64, -(-n * dtype.itemsize // 8), np.uint64).view(dtype)[:n]
