"""The Bayesian adversary: sees one report, knows the mechanism and a prior, names the likeliest value.

It knows the contract only, so one rule serves every mechanism. Ties are shared evenly (theory/adversary#ties).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.channel import Channel
from ldpcore.randomizer import BLOCK, TIE, Randomizer, Reports


def targeted_prior(sensitive: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The prior of an adversary who knows that the answer is sensitive, and nothing else."""
    if not sensitive.any():
        raise ValueError("no value is marked sensitive, so there is nobody to target; mark at least one value")
    return sensitive / sensitive.sum()


def success(mechanism: Randomizer, prior: ArrayLike | None = None) -> NDArray[np.float64]:
    """Pr[the guess is x | the user holds x]: exact, (k,). `prior` None is uniform.

    With a uniform prior over n values the mean over them is at least 1/n, what blind guessing gets.
    """
    return mechanism.success(checks.shares(prior, mechanism.k, "prior"))


def success_of_channel(channel: Channel, prior: ArrayLike | None = None) -> NDArray[np.float64]:
    """The same from a channel's matrix: the slow and obvious way, which the families' own formulas must equal."""
    prior = checks.shares(prior, channel.k, "prior")
    score = prior[:, None] * channel.matrix
    winners = (score >= score.max(axis=0) * (1 - TIE)) & (score > 0)
    with np.errstate(invalid="ignore"):
        share = np.where(winners, winners / winners.sum(axis=0), 0.0)
    return (channel.matrix * share).sum(axis=1)


def guess(
    mechanism: Randomizer, reports: Reports, prior: ArrayLike | None, rng: np.random.Generator
) -> NDArray[np.intp]:
    """The value (n,) the adversary names for each report; ties fall by chance. Works in blocks of bounded memory."""
    with np.errstate(divide="ignore"):
        start = np.log(checks.shares(prior, mechanism.k, "prior"))
    out = np.empty(len(reports), np.intp)
    size = max(1, BLOCK * 32 // mechanism.k)
    for begin in range(0, len(reports), size):
        score = start + mechanism.log_likelihood(reports[begin : begin + size])
        level = score.max(axis=1, keepdims=True) - TIE
        tied = score >= level
        best = np.argmax(tied, axis=1)
        several = np.flatnonzero(np.count_nonzero(tied, axis=1) > 1)
        if len(several):
            lots = np.where(tied[several], rng.random((len(several), mechanism.k)), -1.0)
            best[several] = np.argmax(lots, axis=1)
        out[begin : begin + size] = best
    return out


def believed(prior: float, lift: float) -> float:
    """Belief after a report that multiplies the odds `lift` times."""
    if not np.isfinite(lift):
        return 1.0
    odds = prior / (1 - prior) * lift if prior < 1 else np.inf
    return float(odds / (1 + odds)) if np.isfinite(odds) else 1.0
