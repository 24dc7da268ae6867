"""What the reports of the limit's channel give away: the largest loss, and whom the Bayesian adversary names."""

from collections.abc import Sequence
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from ldpcore.randomizer import TIE

from .sides import Array, KindReports, Mask, Orbit


def losses(orbits: Sequence[Orbit], disclosing: float, sensitive: Mask, epsilon: float) -> Array:
    """(k, k) The largest loss over the orbits, by the sides that x and z are of."""
    sigma, tau = int(sensitive.sum()), int((~sensitive).sum())
    worst, e = np.full((2, 2), -np.inf), epsilon
    for c in orbits:
        apart = (e if 0 < c.i < sigma else 0.0, e if 0 < c.j < tau else 0.0)
        if c.decoy:
            back = log(tau) - (e if c.i == sigma else 0.0)
            orbit_loss = np.array([[apart[0], np.inf if tau > 1 else e * (c.i > 0)], [back, np.inf]])
        else:
            away, back = e * ((c.i > 0) - (c.j == tau)), e * ((c.j > 0) - (c.i == sigma))
            orbit_loss = np.array([[apart[0], away], [back, apart[1]]])
        worst = np.maximum(worst, orbit_loss)
    if disclosing > 0:
        worst[1] = np.inf
    side = (~sensitive).astype(int)
    loss = worst[np.ix_(side, side)]
    np.fill_diagonal(loss, 0)
    return loss


def even(sides: Sequence[KindReports], prior: Array) -> bool:
    """Whether the prior is even within S and within N, or 0 on one: then `wins` are in closed form."""
    return all(len(side.codes) == 0 or np.ptp(prior[side.codes]) <= 1e-12 for side in sides)


def wins(sides: tuple[KindReports, KindReports], c: int, decoy: bool, prior: Array, epsilon: float) -> Array:
    """Pr[orbit c, and x is named | x] (k,): the held, and the other, values of a side score alike; the best class wins,
    ties shared.
    """
    classes: list[tuple[float, int, NDArray[np.intp], float]] = []
    for side in sides:
        size, chosen = len(side.codes), int(side.held[c])
        each_prior = float(prior[side.codes[0]]) if size else 0.0
        label = decoy and side is sides[1]
        gains = (size, 0.0) if label else (exp(epsilon), 1.0)
        chances = (side.same[c], side.met[c] - side.same[c])
        for number, gain, chance in zip((chosen, size - chosen), gains, chances, strict=True):
            classes.append((each_prior * gain if number else 0.0, number, side.codes, chance))
    top = max(score for score, *_ in classes)
    winners = [row for row in classes if row[0] >= top * (1 - TIE) and row[1]]
    tied = sum(number for _, number, *_ in winners)
    out = np.zeros(len(prior))
    for _, _, codes, chance in winners:
        out[codes] += chance / tied
    return out


def wins_of_channel(matrix: Array, prior: Array) -> Array:
    """Pr[x is named | x] (k,) from all reports of a channel, with any prior."""
    score = prior[:, None] * matrix
    won = (score >= score.max(axis=0) * (1 - TIE)) & (score > 0)
    return (matrix * won / np.maximum(won.sum(axis=0), 1)).sum(axis=1)
