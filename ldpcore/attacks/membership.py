"""Item membership: does this person hold this item? Decided from the joint report, prior ½ : ½
(theory/adversary#membership).

The presence attack with one item in the place of the sensitive ones: an item that the report discloses is proof.
"""

import numpy as np
from numpy.typing import ArrayLike

from ldpcore import checks
from ldpcore.attacks import presence
from ldpcore.attacks.presence import Presence
from ldpcore.set_randomizer import SetRandomizer


def success(
    mechanism: SetRandomizer,
    item: int,
    population: ArrayLike | None = None,
    rng: np.random.Generator | None = None,
    users: int = 2000,
    public: int | None = None,
) -> Presence:
    """How often deciding v ∈ set or not is right, as many holders as others asked: blind guessing has ½.

    `item`: a code below k. The rest as in `presence.success`; ValueError where everybody holds the item, or nobody.
    """
    code = checks.integer(item, "item (a code)", 0, mechanism.k - 1)
    return presence.success(mechanism, np.arange(mechanism.k) == code, population, rng, users, public)
