"""What a report adds to its cell's sums lies in the cell: for every mechanism for numbers, cell by cell."""

import math

import numpy as np

from ldpcore.catalog import LEVELED_MEANS, MEANS
from ldpcore.leveled_parts import Parts
from tests.each import for_each

X = np.array([-1.0, -0.63, -0.5, 0.0, 0.31, 0.7, 1.0])
PARTS = Parts([(-1.0, -0.5, math.inf), (-0.5, 0.3, 2.0), (0.3, 1.0, 0.8)])


@for_each("key", {**MEANS, **LEVELED_MEANS})
def test_partial_moments_lie_in_their_cells(key):
    """a·m₀ ≤ m₁ ≤ b·m₀ and 0 ≤ ∫(y − a)(b − y) ≤ (b − a)²/4·m₀ in [a, b); beyond the ends the half of it that holds.
    Sums over all cells do not tell: what a term adds in one it may take away in another.
    """
    m = (
        MEANS[key].build(1.1, (-0.5, 0.25), bins=24)
        if key in MEANS
        else LEVELED_MEANS[key].build(PARTS.pieces, bins=24)
    )
    low, high = m.edges[:-1], m.edges[1:]
    zero = m.mass(X, m.edges)
    one, two = m.partial_moments(X, m.edges)
    slack = 1e-10 * max(1.0, float(np.abs(m.edges).max())) ** 2
    inner = slice(1, -1)
    assert (one - low * zero >= -slack)[:, 1:].all()
    assert (high * zero - one >= -slack)[:, :-1].all()
    inside = (low + high) * one - two - low * high * zero
    assert (inside >= -slack)[:, inner].all()
    assert (inside <= (high - low) ** 2 / 4 * zero + slack)[:, inner].all()
    assert (two * zero >= one**2 - slack).all()
