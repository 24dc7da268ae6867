"""The limit: the smallest error that any channel under a policy can have, certified, and a channel that has it.

E = e^ε; k values, σ of them marked (S), τ = k−σ not (N); F = share of users in S. A column q of a channel (the
probabilities of one report) carries information J += q qᵀ/(qᵀf); no estimate that is unbiased, given the data, has
n·Cov below J⁻¹ − diag f (Cramér and Rao), and a linear one has it. q ↦ q qᵀ/(qᵀf) is matrix-convex and homogeneous,
so splitting a column never hurts, and only columns that cannot be split matter: entries 1 and E; under ULDP also the
unit columns of N ("disclosing", weight r).
By symmetry (f uniform within S and within N: the value is exact there, and the minimax over all f with f(S) = F)
they form orbits (i, j) of weight W: i of S's entries and j of N's are E. Then J has three numbers, linear in W and r:
λ_S, λ_N (telling values of S, of N apart) and I (S from N), and, with V = 1/I − F(1−F),

    Σ_S = (σ−1)/λ_S + (V+F)/σ − F,   Σ_N = (τ−1)/λ_N + (V+1−F)/τ − (1−F),   Σ W μ_S = 1,   Σ W μ_N + r = 1:

a convex program in very few numbers (orbits.py: what an orbit contributes; interior.py: the method and certificate).
ULDP: (q_S, q_N) = (q_S, 1) + unit columns, so j = 0 suffices: σ+2 columns, at any k.
Guarded SDLDP (low reports name one v∈N, P[y|s] within E for pairs in S and P[y|s] ≤ E·mean_{u∈N} P[y|u]): its low
columns that cannot be split are 1 at v with {1, E}/τ on S, "decoys", and the disclosing ones; (q_S, 1) is a sum of
decoys, so these alone suffice, and with one i = w it is SDSS. At some ε mixing two w's is strictly better.
Exposure: σ·ASR = Σ W (E if i ≥ 1 else 1). Splitting may raise a column's maximum; but of the pairs (q, t ≥ max_S q)
the extreme ones have t = E or are constant on S, so the program with the bound is exact too.
Proven: all of this, for uniform f. For other f with the same F the limit of that very f can be lower.
Ends: F = 1 is the limit F → 1 (any r > 0 shows all of N, where nobody is: Σ_N = V = 0); at exposure exactly 1/σ
nothing tells S's values apart: their error is infinite; an error that no weight counts may be infinite too.
Sets of several items (sets.py) have no such limit here: best_sets is the best of a family, found by a search.
"""

from .closed import subset_errors, uldp_curve
from .mean import MeanLimit, best_mean
from .program import POLICIES, Limit, Orbit, best, curve
from .sets import MOST_ITEMS, MOST_LAYERS, SetLimit, best_sets, layers

__all__ = [
    "MOST_ITEMS",
    "MOST_LAYERS",
    "POLICIES",
    "Limit",
    "MeanLimit",
    "Orbit",
    "SetLimit",
    "best",
    "best_mean",
    "best_sets",
    "curve",
    "layers",
    "subset_errors",
    "uldp_curve",
]
