"""Every mechanism of the catalogue that a relation can use, in every setting of two answers."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ldpcore import relations
from ldpcore.catalog import FREQUENCY, PAIRS
from ldpcore.relations import Apart, AsOne
from ldpcore.rng import stream
from tests.laws import cases

KEYS = [key for key, entry in FREQUENCY.items() if key in cases.TABLED]
"""Those whose reports are listed in a table."""
ALIKE = [key for key in KEYS if cases.build(key, 1.0, 4, 2).count_outputs() == 4]
"""Those with as many reports as answers."""
ASKED = [*KEYS, *PAIRS]
"""With those that are made for pairs: they are asked as one."""
TABLE = np.array([[0.40, 0.10], [0.15, 0.35]])


def table(kx: int, ky: int) -> NDArray[np.float64]:
    """Uneven shares of pairs, related."""
    return stream(0, "relation", kx, ky).dirichlet(np.full(kx * ky, 3.0)).reshape(kx, ky)


def designs(key: str, kx: int = 2, ky: int = 2, epsilon: float = 1.0) -> Iterator[tuple[str, Apart | AsOne]]:
    """Open × hidden, hidden × open, apart with different ε, as one with marks on either answer."""
    mx, my = cases.marks(kx, 1), cases.marks(ky, 1)
    if key in PAIRS:
        yield "as one", relations.as_one(kx, ky, PAIRS[key].build(epsilon, mx, my))
        return
    x, y = (FREQUENCY[key].build(e, k, m) for e, k, m in ((epsilon / 2, kx, mx), (epsilon, ky, my)))
    yield "open", relations.apart(kx, y)
    yield "open y", relations.apart(x, ky)
    yield "apart", relations.apart(x, y)
    yield "as one", relations.as_one(kx, ky, FREQUENCY[key].build(epsilon, kx * ky, relations.either(mx, my)))
