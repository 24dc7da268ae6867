"""One survey of sets, as a collector estimates it: of people with weights class by class (theory/weights#exact)."""

import numpy as np
from numpy.typing import NDArray

from ldpcore.set_randomizer import SetRandomizer
from ldpcore.study.sets import kinds
from ldpcore.study.sets.kinds import Shares
from ldpcore.study.sets.sample import SetSample


def estimated(mechanism: SetRandomizer, sent: NDArray[np.intp], sample: SetSample, rng: np.random.Generator) -> Shares:
    """One survey's shares (k,): of people with weights class by class, what it errs for rounding these taken out."""
    each = kinds.mass(sample.baskets, "drawn")
    if each is None:
        return mechanism.simulate(sent, rng, 1)[0]
    out = np.zeros(sample.baskets.k)
    for weight in np.unique(each[each > 0]):
        some = each == weight
        share = weight * np.count_nonzero(some) / each.sum()
        out += share * mechanism.simulate(sent[some], rng, 1)[0]
    return out - sample.drawn
