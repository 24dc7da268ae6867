"""The least error found for sets under LDP or SULDP-joint (theory/limits#sets): the best of a family of channels.

Everyone holds m codes of k items and some dummies, which pad short sets. An estimate is unbiased at every set. Channels
treat alike the items whose errors count alike, so the error of an item v is that of a linear problem: T(report) with
mean 1 where v is held and 0 elsewhere, in every layer of sets; over all such T the best has

    n·Var = hᵀ M⁻¹ h − f,    M = Σ_y w_y g_yv g_yvᵀ / Pr[y],    g_yv = Pr[y | layer, v held or not],

convex in the weights w of the reports. universe.py: the layers, and what can be merged; reports.py: the family;
search.py: how the weights and the reports are found; blocks.py: the method for the weights. With sets uniform in each
layer the family's best is what is sought, else the minimax over data with the same layers.

What is known. With m = 1 it is the limit (limit.best). On universes so small that all columns could be tried it is the
limit to 0.01 %, for even and uneven laws, under LDP and where the errors of marked or of other items alone count; with
"all" under SULDP-joint columns that tell items of both kinds apart at once were better in 13 of 224 such cases, by up
to 3.5 %. On larger universes nothing is proven: columns outside the family, or in it and not met by the search, may be
better. It is an error that can be had, and no proof that a smaller one cannot.
"""

from dataclasses import dataclass
from math import exp, nan

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.policy import LDP, SULDPJoint
from ldpcore.scope import ALIKE, Scope
from ldpcore.subsets import log_binomials
from ldpcore.threads import one_thread

from .search import Search
from .universe import Universe, universe

Array = NDArray[np.float64]

MOST_ITEMS = 16
"""Above this m the program is slow."""
MOST_LAYERS = 60
"""The same for sets that differ in marked items, dummies and others: m ≤ 9."""
SET_PROMISES = (SULDPJoint.name, LDP.name)
"""Whose limit is known: those about the whole report."""


@dataclass(frozen=True)
class SetLimit:
    """n·Var of the best channel found; conditional on the data."""

    mse: float
    """Over all k items; nan unless their error was minimised, and so on."""
    sensitive: float
    """Per marked item; nan where there is none."""
    other: float
    """Per other item; nan where there is none."""
    gap: float
    """No channel made of the reports compared in the last round of the search has an objective (the mean error, plus
    the items' mean share) below objective·(1 − gap); 1 where they prove nothing. It says nothing of other reports.
    """


@one_thread  # on matrices this small a second one only waits: on a busy machine fifty times as long
def best_sets(
    k: int,
    marked: int,
    m: int,
    epsilon: float,
    law: ArrayLike | None = None,
    dummies: int = 0,
    weight: str = "all",
    promise: str = "SULDP-joint",
) -> SetLimit:
    """The least error found of unbiased shares of holders, from one report about a set of m items.

    k items, `marked` of them sensitive, `dummies` codes that pad short sets (protected, never estimated);
    law (m + 1, m + 1): shares of the people by marked items and by dummies held, or, without dummies, (m + 1,) by
    marked items (None: uniform sets); weight: whose error is minimised: "all", "sensitive" or "other";
    promise: "SULDP-joint" or "LDP" (all items protected). Raises ValueError or TypeError with a sentence.
    """
    e_epsilon = exp(checks.epsilon(epsilon))
    checks.domain_size(k)
    checks.integer(marked, "marked (sensitive items)", 0, k)
    checks.integer(dummies, "dummies (codes that pad short sets)", 0)
    checks.integer(m, "m (items per set)", 1, min(k + dummies, MOST_ITEMS))
    for name, given, known in (("weight", weight, ALIKE), ("promise", promise, SET_PROMISES)):
        if given not in known:
            raise ValueError(f"{name} is one of {', '.join(known)}, got {given!r}")
    if layers(k, marked, m, dummies, weight, promise) > MOST_LAYERS:
        raise ValueError(
            f"sets of m = {m} with marked items, other items and dummies are of too many kinds; choose a smaller m"
        )
    people, weight = _people(marked, dummies, k - marked, m, law), Scope(weight)
    counted = {Scope.ALL: k, Scope.SENSITIVE: marked, Scope.OTHER: k - marked}[weight]
    if not counted:
        return SetLimit(nan, nan, nan, 0.0)
    if promise == "SULDP-joint" and not marked + dummies:
        # Nothing to protect: everyone discloses everything.
        return _single(weight, 0.0, 0.0)
    return _found(_asked(m, e_epsilon, (marked, dummies, k - marked), people, weight, promise), k, weight)


def layers(k: int, marked: int, m: int, dummies: int, weight: str = "all", promise: str = "SULDP-joint") -> int:
    """At most so many kinds of sets does the program tell apart: m + 1, or one for each pair of numbers."""
    if promise == "LDP" or weight == Scope.OTHER or not marked or not dummies or marked == k:
        return m + 1
    return sum(min(dummies, m - a) + 1 for a in range(min(m, marked) + 1))


def _asked(
    m: int, e_epsilon: float, sizes: tuple[int, int, int], people: Array, weight: Scope, promise: str
) -> Universe:
    """sizes: marked items, dummies, other items. What no error counts of is merged (universe.py)."""
    sigma, pi, tau = sizes
    a, e = np.meshgrid(np.arange(m + 1), np.arange(m + 1), indexing="ij")
    if promise == "LDP" or (weight != Scope.OTHER and not tau):
        items = {Scope.ALL: m - e, Scope.SENSITIVE: a, Scope.OTHER: m - a - e}[weight]
        counted = {Scope.ALL: sigma + tau, Scope.SENSITIVE: sigma, Scope.OTHER: tau}[weight]
        law = _law(m, items, m - items, people)
        return universe(m, e_epsilon, (counted, sigma + pi + tau - counted, 0), law, (1.0, 0.0))
    if weight == Scope.OTHER or not sigma:
        return universe(m, e_epsilon, (0, sigma + pi, tau), _law(m, 0 * a, a + e, people), (0.0, 1.0))
    return universe(m, e_epsilon, sizes, people, (1.0, float(weight == Scope.ALL)))


def _law(m: int, a: NDArray[np.integer], e: NDArray[np.integer], people: Array) -> Array:
    """(m + 1, m + 1) shares by a and e, from those by marked items and dummies."""
    out = np.zeros((m + 1, m + 1))
    some = people > 0
    np.add.at(out, (a[some], e[some]), people[some])
    return out


def _found(here: Universe, k: int, weight: Scope) -> SetLimit:
    search = Search(here)
    columns, optimum = search.best()
    errors = {"marked": nan, "other": nan}
    for side, block in zip(here.estimated, search.blocks(columns), strict=True):
        # At large ε what is left is a difference of nearly equal numbers.
        value = block.value(optimum.weights) / side.whole - float(side.part @ here.law)
        errors["marked" if side is here.marked else "other"] = max(0.0, value)
    gap = min(1.0, optimum.gap)
    if len(here.estimated) == 1:
        error = errors["marked" if here.estimated[0] is here.marked else "other"]
        return _single(weight, error, gap)
    inside, outside = errors["marked"], errors["other"]
    return SetLimit((inside * here.sizes[0] + outside * here.sizes[2]) / k, inside, outside, gap)


def _single(weight: Scope, error: float, gap: float) -> SetLimit:
    """Where one number was minimised."""
    mse, sensitive, other = (error if scope == weight else nan for scope in ALIKE)
    return SetLimit(mse, sensitive, other, gap)


def _people(sigma: int, pi: int, tau: int, m: int, law: ArrayLike | None) -> Array:
    """(m + 1, m + 1) shares by marked items and dummies."""
    a, e = np.meshgrid(np.arange(m + 1), np.arange(m + 1), indexing="ij")
    b = m - a - e
    possible = (a <= sigma) & (e <= pi) & (b <= tau) & (b >= 0)
    if law is None:
        rest = np.maximum(b, 0)
        logs = log_binomials(sigma, a) + log_binomials(pi, e) + log_binomials(tau, rest)
        shares = np.where(possible, np.exp(np.where(possible, logs - logs[possible].max(), 0.0)), 0.0)
        return shares / shares.sum()
    given = np.asarray(law, float)
    wanted = f"{m + 1} × {m + 1} shares, by marked items and by dummies"
    if not pi and given.shape == (m + 1,):
        given = np.pad(given[:, None], ((0, 0), (0, m)))
    if given.shape != (m + 1, m + 1) or not np.all(np.isfinite(given)) or given.min() < 0 or given.sum() <= 0:
        extra = "" if pi else f" (or {m + 1}, by marked items)"
        raise ValueError(f"law must be {wanted}{extra}, got {law!r}")
    if given[~possible].sum() > 1e-9 * given.sum():
        raise ValueError(f"law has people with more items of a kind than there are, which none has; it is {wanted}")
    shares = np.where(possible, given, 0.0)
    return shares / shares.sum()
