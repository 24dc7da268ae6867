"""The limit: the least error of a channel under a policy that is fixed before the data, certified, and one that has it.

E = e^ε; k values, σ of them marked (S), τ = k−σ not (N); F = share of users in S. A column q of a channel (the
probabilities of one report) carries information J += q qᵀ/(qᵀf); no estimate that is unbiased, given the data, has
n·Cov below J⁻¹ − diag f (Cramér and Rao), and a linear one has it. q ↦ q qᵀ/(qᵀf) is matrix-convex and homogeneous,
so splitting a column never hurts, and only columns that cannot be split matter: entries 1 and E; under ULDP also the
unit columns of N ("disclosing", weight r).
The limit is that at shares uniform within S and within N, f̄. By symmetry the columns form orbits (i, j) of weight W: i
of S's entries and j of N's are E. Then J has three numbers, linear in W and r:
λ_S, λ_N (telling values of S, of N apart) and I (S from N), and, with V = 1/I − F(1−F),

    Σ_S = (σ−1)/λ_S + (V+F)/σ − F,   Σ_N = (τ−1)/λ_N + (V+1−F)/τ − (1−F),   Σ W μ_S = 1,   Σ W μ_N + r = 1:

a convex program in very few numbers (orbits.py: what an orbit contributes; interior.py: the method and certificate).
ULDP: (q_S, q_N) = (q_S, 1) + unit columns, so j = 0 suffices: σ+2 columns, at any k.
Guarded SDLDP (low reports name one v∈N, P[y|s] within E for pairs in S and P[y|s] ≤ E·mean_{u∈N} P[y|u]): its low
columns that cannot be split are 1 at v with {1, E}/τ on S, "decoys", and the disclosing ones; (q_S, 1) is a sum of
decoys, so these alone suffice, and with one i = w it is SDSS. At some ε mixing two w's is strictly better.
Exposure: σ·ASR = Σ W (E if i ≥ 1 else 1). Splitting may raise a column's maximum; but of the pairs (q, t ≥ max_S q)
the extreme ones have t = E or are constant on S, so the program with the bound is exact too.
Proven: all of this at f̄. At any f with the same F, what a channel and a linear estimate err is linear in f. So of those
fixed before the data none has less error averaged over the orders of f within S and within N, that is, over which
values are the common ones; hence none in the worst order, and one that treats S's values alike, and N's, in no order.
A channel made for known uneven f, or only its estimate, can have less: `best_for` is the limit for that f (shares.py).
Ends: F = 1 is the limit F → 1 (any r > 0 shows all of N, where nobody is: Σ_N = V = 0); at exposure exactly 1/σ
nothing tells S's values apart: their error is infinite; an error that no weight counts may be infinite too.
Sets of several items (sets.py) have no such limit here: best_sets is the best of a family, found by a search.

>>> limit = best("ULDP", k=18, marked=4, epsilon=1.0)  # F, the share with a marked answer: 4/18
>>> round(limit.mse, 4), limit.gap < 1e-6  # n·MSE over all values; certified
(0.4286, True)
>>> import numpy as np
>>> m = limit.mechanism(np.arange(18) < 4)  # the channel that has this error
>>> round(float(m.variance(np.full(18, 1 / 18), n=1).mean()), 4)
0.4286
"""

from .closed import subset_errors, uldp_curve
from .contrast import MOST_VALUES, best_contrast, contrast_channel
from .leveled import LevelOrbit, LevelsLimit, best_levels, is_computed
from .leveled_mean import Nodes, best_leveled_mean, can_have_nodes, nodes
from .mean import MeanLimit, best_mean
from .pair_contrast import best_contrast_apart, best_contrast_half_open, half_open_channel
from .program import Limit, best, curve
from .question import POLICIES
from .sets import MOST_ITEMS, MOST_LAYERS, SET_PROMISES, SetLimit, best_sets, layers
from .shares import MOST_EPSILON, SCOPES, SharesLimit, best_for, is_reached
from .sides import Orbit
from .table import LeveledTable

__all__ = [
    "MOST_EPSILON",
    "MOST_ITEMS",
    "MOST_LAYERS",
    "MOST_VALUES",
    "POLICIES",
    "SCOPES",
    "SET_PROMISES",
    "LevelOrbit",
    "LeveledTable",
    "LevelsLimit",
    "Limit",
    "MeanLimit",
    "Nodes",
    "Orbit",
    "SetLimit",
    "SharesLimit",
    "best",
    "best_contrast",
    "best_contrast_apart",
    "best_contrast_half_open",
    "best_for",
    "best_leveled_mean",
    "best_levels",
    "best_mean",
    "best_sets",
    "can_have_nodes",
    "contrast_channel",
    "curve",
    "half_open_channel",
    "is_computed",
    "is_reached",
    "layers",
    "nodes",
    "subset_errors",
    "uldp_curve",
]
