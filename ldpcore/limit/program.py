"""From a question (policy, k, marks, ε, F) to the program over orbits, and from its solution to the limit."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks

from .interior import minimise
from .mixture import OrbitMixture
from .objective import Program
from .orbits import DECOY, DISCLOSING, Orbits, orbits
from .question import LimitProblem, ask
from .sides import Orbit

Array = NDArray[np.float64]

MANY = 3000
"""Above this number of orbits the program begins with some of them."""
COARSE = 25
"""How many on either axis."""
PRECISE = 100.0
"""Above this E−1 the error is so small against the information that losses are the better variable."""


@dataclass(frozen=True)
class Limit:
    """The least error of a channel under `policy` that is fixed before the data, averaged over which values are the
    common ones; variances are n·Var, conditional on the data.
    """

    policy: str
    k: int
    marked: int
    epsilon: float
    share: float
    objective: float
    """What was minimised: weight_S·Σ_S + weight_N·Σ_N."""
    gap: float
    """Certified: no such channel has an objective below objective·(1 − gap)."""
    mse: float
    """n·MSE over all values, (Σ_S + Σ_N)/k."""
    sensitive: float
    """n·Var per sensitive value; nan where there is none, inf where the best channel does not tell them apart."""
    other: float
    """n·Var per other value."""
    exposure: float
    """The targeted adversary's success on this channel, (1/σ) Σ_y max_{x∈S} P[y|x]; nan where nothing is marked."""
    columns: tuple[Orbit, ...]
    disclosing: float
    """r: the probability with which a non-sensitive value is sent openly."""

    def mechanism(self, sensitive: ArrayLike | None = None) -> OrbitMixture:
        """This very channel with its best estimate, through the usual contract; `sensitive` marks the σ values.

        At shares uniform within S and N its mean n·Var is `mse`. ValueError where no estimate from it is unbiased.
        """
        mask = checks.mask(sensitive, self.k)
        if mask.sum() != self.marked:
            raise ValueError(f"this limit is for {self.marked} marked values, got a mask with {mask.sum()}")
        return OrbitMixture(self.epsilon, self.k, mask, self.policy, self.share, self.columns, self.disclosing)


def best(
    policy: str,
    k: int,
    marked: int,
    epsilon: float,
    share: float | None = None,
    exposure: float | None = None,
    weight: str | tuple[float, float] = "all",
) -> Limit:
    """The least error of an unbiased estimate from a channel under `policy`, and a channel that reaches it.

    Both fixed before the data: averaged over the orders of the shares within the marked values and within the others,
    none has less. For shares that are known in advance see `best_for`.

    policy: "LDP", "ULDP" or "guarded SDLDP"; marked: σ of the k values; share: F, the share of users with a marked
    value (default σ/k); exposure: an upper bound on the targeted adversary's success, between 1/σ and 1;
    weight: whose error is minimised: "all", "sensitive", "other", or the pair of weights of Σ_S and Σ_N.
    Raises ValueError or TypeError with a sentence. Derived in the package's docstring.
    """
    question = ask(policy, k, marked, epsilon, share, exposure, weight)
    if question.sigma == 0 and policy != "LDP":
        # Nothing to protect: everyone discloses, and nothing is left to err.
        return Limit(policy, k, 0, question.epsilon, 0.0, 0.0, 0.0, 0.0, math.nan, 0.0, math.nan, (), 1.0)
    candidates = orbits(policy, question.sigma, question.tau, question.e_minus_1, question.share)
    costs = _costs(question)
    if question.blind:
        # Nothing may tell the marked values apart: their error is infinite, the rest is still worth minimising.
        candidates = candidates.at((candidates.i == 0) | (candidates.i == question.sigma))
        costs[0] = 0.0
    if candidates.free:
        costs[1:] = 0.0
    if costs.any():
        scaled, gap = _minimised(question, candidates, costs)
    else:
        scaled, gap = _indifferent(question, candidates), 0.0
    return _limit(question, candidates, scaled, gap)


def curve(policy: str, epsilons: Iterable[float], k: int, marked: int, **options: Any) -> list[Limit]:
    """`best` for each ε; options as there. Every point starts cold: one takes 2 ms (LDP: 5 ms at k = 100)."""
    return [best(policy, k, marked, epsilon, **options) for epsilon in epsilons]


def _costs(question: LimitProblem) -> Array:
    """What 1/λ_S, 1/λ_N and 1/I cost."""
    sigma, tau = question.sigma, question.tau
    on_s, on_n = question.weights
    between = on_s / sigma + on_n / tau if sigma and tau else 0.0
    return np.array([on_s * max(sigma - 1, 0), on_n * max(tau - 1, 0), between])


def _minimised(question: LimitProblem, candidates: Orbits, costs: Array) -> tuple[Array, float]:
    """The best scaled weights (n,) and their certified relative gap."""
    information, loss = candidates.information, candidates.loss
    rows, right = [np.ones(len(candidates.i))], [1.0]
    if question.sigma and question.tau:
        rows.append(candidates.balance / np.abs(candidates.balance).max())
        right.append(0.0)
    start = _start(question, candidates)
    measures = [np.ones(len(candidates.i)), *([candidates.others] if len(rows) > 1 else [])]
    if question.bound < 1 and candidates.exposed.any():
        largest = candidates.exposed.max()
        rows.append(candidates.exposed / largest)
        right.append(question.bound / largest)
        slack = right[-1] - rows[-1] @ start
        measures.append(rows[-1] / right[-1])
        rows = [np.append(row, last) for row, last in zip(rows, [0.0] * (len(rows) - 1) + [1.0], strict=True)]
        measures = [np.append(row, row is measures[-1]) for row in measures]
        information, loss = (np.pad(array, ((0, 0), (0, 1))) for array in (information, loss))
        start = np.append(start, slack)
    counted = (costs > 0) & (loss.max(axis=1) > 0)
    program = Program(
        costs[counted],
        information[counted],
        loss[counted],
        candidates.openly[counted],
        _nearly_open(question)[counted],
        np.array(rows),
        np.array(right),
        bounded=len(start) > len(candidates.i),
        measures=np.array(measures, float),
    )
    x, gap = minimise(program, start)
    return x[: len(candidates.i)], gap


def _nearly_open(question: LimitProblem) -> NDArray[np.bool_]:
    """(3,) whether a channel can come near to showing S's values, N's, and to which of both a value belongs."""
    within = question.lift is None or question.lift - 1 > (question.sigma - 1) / 2
    return np.array([within, True, True]) & (question.e_minus_1 > PRECISE)


def _coarse(size: int) -> NDArray[np.int64]:
    """At most COARSE of 0…size, and with every one its mirror image, so that their mean is size/2."""
    some = np.round(np.linspace(0, size, min(size + 1, COARSE))).astype(np.int64)
    return np.union1d(some, size - some)


def _start(question: LimitProblem, candidates: Orbits) -> Array:
    """A feasible channel: the ordinary orbits alike, mixed with enough that is blind within S to keep the bound."""
    ordinary = candidates.kind != DISCLOSING
    if len(candidates.i) > MANY:
        ordinary &= np.isin(candidates.i, _coarse(question.sigma)) & np.isin(candidates.j, _coarse(question.tau))
    flat = ordinary & ((candidates.i == 0) | (candidates.i == question.sigma))
    spread, blind = (np.where(kept, 1 / kept.sum(), 0.0) for kept in (ordinary, flat))
    share = 1 / (1 + question.e_minus_1 / 2)
    exposed = share * float((candidates.exposed / candidates.scale) @ spread)
    mixed = min(1.0, 0.5 * question.bound / exposed) if exposed else 1.0
    weights = share * (mixed * spread + (1 - mixed) * blind)
    weights[candidates.kind == DISCLOSING] = 1 - share
    return weights / candidates.scale


def _indifferent(question: LimitProblem, candidates: Orbits) -> Array:
    """Scaled weights where every channel is as good as any: the one that says nothing of S and most of N."""
    weights = np.zeros(len(candidates.i))
    disclosing = candidates.kind == DISCLOSING
    if disclosing.any():
        shown = question.e_minus_1 / (1 + question.e_minus_1)
        weights[(candidates.i == question.sigma) & ~disclosing] = 1 - shown
        weights[disclosing] = shown
    else:
        weights[0] = 1.0
    return weights / candidates.scale


def _limit(question: LimitProblem, candidates: Orbits, scaled: Array, gap: float) -> Limit:
    """What the scaled weights amount to."""
    sigma, tau = question.sigma, question.tau
    information, loss = candidates.information @ scaled, candidates.loss @ scaled
    inverse = np.where(information > 0, loss / np.where(information > 0, information, 1.0), np.inf)
    if candidates.free:
        inverse[1:] = 0.0
    if question.blind:
        inverse[0] = np.inf
    between = inverse[2] if sigma and tau else 0.0
    sum_s = ((sigma - 1) * inverse[0] if sigma > 1 else 0.0) + between / max(sigma, 1)
    sum_n = ((tau - 1) * inverse[1] if tau > 1 else 0.0) + between / max(tau, 1)
    weights = scaled * candidates.scale
    disclosing = candidates.kind == DISCLOSING
    columns = tuple(
        Orbit(int(candidates.i[c]), int(candidates.j[c]), float(weights[c]), bool(candidates.kind[c] == DECOY))
        for c in np.flatnonzero((weights > 0) & ~disclosing)
    )
    on_s, on_n = question.weights
    return Limit(
        policy=question.policy,
        k=question.k,
        marked=sigma,
        epsilon=question.epsilon,
        share=question.share,
        objective=float((on_s * sum_s if on_s else 0.0) + (on_n * sum_n if on_n else 0.0)),
        gap=gap,
        mse=float(sum_s + sum_n) / question.k,
        sensitive=float(sum_s) / sigma if sigma else math.nan,
        other=float(sum_n) / tau if tau else math.nan,
        exposure=(1 + question.e_minus_1 * float(candidates.exposed @ scaled)) / sigma if sigma else math.nan,
        columns=columns,
        disclosing=float(weights[disclosing].sum()),
    )
