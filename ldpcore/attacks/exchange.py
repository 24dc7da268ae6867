"""Exchange: which of two items does this person hold? Asked of a holder of one of them by an adversary who knows all
else: the rest of the set, the level of the item, and the mechanism (theory/levels#sets).

The strongest adversary that a promise about neighbouring sets bounds: of items with one ε it is right with a chance of
at most E/(E + 1), E = e^ε; a blind guess gets ½.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.attacks.presence import Presence, interval
from ldpcore.randomizer import TIE
from ldpcore.set_randomizer import SetRandomizer, Sets


def able(mechanism: SetRandomizer, items: ArrayLike, population: ArrayLike) -> NDArray[np.intp]:
    """The rows of the population (r, m) with one of these items (a mask (k,)) that do not have all of them."""
    holds = _held(mechanism, items, checks.item_sets(population, mechanism.inner, mechanism.m))
    count = holds.sum(axis=1)
    return np.flatnonzero((count > 0) & (count < np.count_nonzero(items)))


def success(
    mechanism: SetRandomizer, items: ArrayLike, population: ArrayLike, rng: np.random.Generator, users: int = 2000
) -> Presence:
    """How often it is right about `users` people of the population (r, m), by one report of each.

    items (k,): a mask of the items that could be exchanged, those of one level. Each person attacked holds one of them,
    and the adversary wonders whether it is that one or another one of them, drawn alike of those not held. ValueError
    where nobody can be attacked so.

    >>> import numpy as np
    >>> from ldpcore import catalog
    >>> from ldpcore.rng import stream
    >>> m = catalog.LEVELED_SETS["gHit"].build([np.inf, np.inf, 2.0, 2.0, 0.5, 0.5], 2)
    >>> people = np.tile([[0, 2], [1, 4]], (500, 1))
    >>> [bool(0.5 < success(m, np.arange(6) // 2 == level, people, stream(level), 4000).success) for level in (1, 2)]
    [True, True]
    """
    mask, sets = checks.mask(items, mechanism.k), checks.item_sets(population, mechanism.inner, mechanism.m)
    rows = able(mechanism, mask, sets)
    if not len(rows):
        raise ValueError(
            "nobody holds one of these items and lacks another; ask about at least two items of which some are held"
        )
    victims = sets[rng.choice(rows, checks.integer(users, "users", 1))]
    reports = mechanism.perturb(victims, rng)
    other = _exchanged(mechanism, mask, victims, rng)
    chances = mechanism.own_log_likelihood(reports, np.stack([victims, other], axis=1))
    with np.errstate(invalid="ignore"):
        score = chances[:, 0] - chances[:, 1]
    tied = np.isnan(score) | (np.abs(score) <= TIE)
    right = np.where(tied, rng.random(len(victims)) < 0.5, score > 0)
    return interval(int(np.count_nonzero(right)), len(victims))


def _held(mechanism: SetRandomizer, items: ArrayLike, sets: Sets) -> NDArray[np.bool_]:
    """Which of the codes (n, m) are of these items."""
    return np.r_[checks.mask(items, mechanism.k), np.zeros(mechanism.dummies, bool)][sets]


def _exchanged(mechanism: SetRandomizer, mask: NDArray[np.bool_], own: Sets, rng: np.random.Generator) -> Sets:
    """The same sets with one of these items exchanged for another, either drawn alike."""
    codes = np.flatnonzero(mask)
    place = np.argmax(np.where(_held(mechanism, mask, own), rng.random(own.shape), -1.0), axis=1)
    free = (codes[None, :, None] != own[:, None, :]).all(axis=2)
    put = codes[np.argmax(np.where(free, rng.random(free.shape), -1.0), axis=1)]
    out = own.copy()
    np.put_along_axis(out, place[:, None], put[:, None], axis=1)
    return np.sort(out, axis=1)
